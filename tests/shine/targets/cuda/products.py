"""Matrix products on a GPU, built by hand, each with its expected result. Independent of source text.

Barriers, shared memory and registers are as after the passes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rise.naturals import Nat, const, exact_quotient, nat
from rise.quotients import floor_quotient, remainder
from rise.types import FragmentType, ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    FillFragment,
    LoadFragment,
    Local,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    Statement,
    StoreFragment,
)
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, size
from tests.shine.targets.cuda.program_parts import (
    BLOCK,
    F16,
    SYNC,
    THREADS,
    WARP,
    Body,
    Example,
    kernel,
    numbers,
    program,
    registers,
    tile,
)


def matmul() -> Example:
    """A matrix product: 16 x 16 threads with 4 x 4 numbers in registers each, tiles of 64 x 8 and 8 x 64."""
    n, k, m = size("N"), size("K"), size("M")
    a, b, output = parameter("A", array(n, k)), parameter("B", array(k, m)), parameter("output", array(n, m))
    left, right = tile("aTile", 64 * 8), tile("bTile", 8 * 64)
    acc, column, row = registers("acc", 16), registers("column", 4), registers("row", 4)

    def of_block(by: Nat, bx: Nat) -> Sequence[Statement]:
        def fill(po: Nat) -> Sequence[Statement]:
            def of_a(i: Nat) -> Sequence[Statement]:
                y, x = floor_quotient(i, 8), remainder(i, 8)
                return [assign(left, i, load(a.buffers[0], (by * 64 + y) * k + po * 8 + x))]

            def of_b(i: Nat) -> Sequence[Statement]:
                y, x = floor_quotient(i, 64), remainder(i, 64)
                return [assign(right, i, load(b.buffers[0], (po * 8 + y) * m + bx * 64 + x))]

            return [loop("ia", 512, of_a, THREADS[0]), loop("ib", 512, of_b, THREADS[0])]

        def of_thread(t: Nat) -> tuple[Nat, Nat]:
            return floor_quotient(t, 16), remainder(t, 16)

        def step(p: Nat, t: Nat) -> Sequence[Statement]:
            y, x = of_thread(t)

            def add(i: Nat, j: Nat) -> Sequence[Statement]:
                one = op("fma", load(column, i), load(row, j), load(acc, i * 4 + j))
                return [assign(acc, i * 4 + j, one)]

            return [
                loop("i", 4, lambda i: [assign(column, i, load(left, (y * 4 + i) * 8 + p))]),
                loop("j", 4, lambda j: [assign(row, j, load(right, p * 64 + x * 4 + j))]),
                loop("i1", 4, lambda i: [loop("j1", 4, lambda j: add(i, j))]),
            ]

        def multiply(t: Nat) -> Sequence[Statement]:
            allocated = [Allocate(column, (3,)), Allocate(row, (4,))]
            return [*allocated, loop("p", 8, lambda p: step(p, t))]

        def write(t: Nat) -> Sequence[Statement]:
            y, x = of_thread(t)

            def one(i: Nat, j: Nat) -> Sequence[Statement]:
                at = (by * 64 + y * 4 + i) * m + bx * 64 + x * 4 + j
                return [assign(output.buffers[0], at, load(acc, i * 4 + j))]

            return [loop("i3", 4, lambda i: [loop("j3", 4, lambda j: one(i, j))])]

        return [
            Allocate(acc, (5,)),
            loop("i2", 16, lambda i: [assign(acc, i, number(0.0))]),
            loop(
                "po",
                exact_quotient(k, 8),
                lambda po: [*fill(po), SYNC, loop("t", 256, multiply, THREADS[0]), SYNC],
            ),
            loop("t1", 256, write, THREADS[0]),
        ]

    rows, columns = exact_quotient(n, 64), exact_quotient(m, 64)
    blocks = loop(
        "by", rows, lambda by: [loop("bx", columns, lambda bx: of_block(by, bx), BLOCK[0])], BLOCK[1]
    )
    run = kernel("mm", [columns, rows], (256, 1, 1), blocks, shared=[(left, 0), (right, 2048)])
    x, y = numbers(128 * 16).reshape(128, 16), numbers(16 * 64, 1).reshape(16, 64)
    made = program("mm", [n, k, m], [a, b], output, run)
    return Example(made, {"N": 128, "K": 16, "M": 64}, [x, y], x @ y)


def wmma() -> Example:
    """max(alpha * A * B, 0) on tensor cores: 2 x 2 warps, each with 1 x 2 fragments, tiles in shared memory."""
    m, n, k = size("M"), size("N"), size("K")
    alpha = parameter("alpha", F32)
    a, b = parameter("A", array(m, k, of=F16)), parameter("B", array(k, n, of=F16))
    output = parameter("output", array(m, n))
    sixteen = const(16)

    def fragment(role: str, element: ScalarType) -> FragmentType:
        return FragmentType(sixteen, sixteen, sixteen, element, role, "warp")

    acc = registers("acc", 2, fragment("Accum", F32))
    left, right = (
        registers("aFragment", 1, fragment("AMatrix", F16)),
        registers("bFragment", 2, fragment("BMatrix", F16)),
    )
    a_tile, b_tile = tile("aTile", 32 * 16, F16), tile("bTile", 16 * 64, F16)

    def of_block(by: Nat, bx: Nat) -> Sequence[Statement]:
        def copy(source: Buffer, at: Nat, target: Buffer, to: Nat) -> Statement:
            return Assign(target, to, load(source, at, 8, True), True, (8,))

        def fill(p: Nat) -> Sequence[Statement]:
            def of_a(i: Nat) -> Sequence[Statement]:
                y, x = floor_quotient(i, 2), remainder(i, 2) * 8
                return [copy(a.buffers[0], (by * 32 + y) * k + p * 16 + x, a_tile, i * 8)]

            def of_b(i: Nat) -> Sequence[Statement]:
                y, x = floor_quotient(i, 8), remainder(i, 8) * 8
                return [copy(b.buffers[0], (p * 16 + y) * n + bx * 64 + x, b_tile, i * 8)]

            return [loop("ia", 64, of_a, THREADS[0]), loop("ib", 128, of_b, THREADS[0])]

        def multiply(wy: Nat, wx: Nat) -> Sequence[Statement]:
            def one(j: Nat) -> Sequence[Statement]:
                source = Matrix(b_tile, wx * 32 + j * 16, const(64), True)
                product = MultiplyAdd(
                    Piece(acc, j), Piece(left, const(0)), Piece(right, j), Piece(acc, j), (11,)
                )
                return [LoadFragment(Piece(right, j), source, (12,)), product]

            return [
                LoadFragment(Piece(left, const(0)), Matrix(a_tile, wy * 256, const(16), True), (13,)),
                loop("j", 2, one),
            ]

        def finish(wy: Nat, wx: Nat) -> Sequence[Statement]:
            def one(j: Nat) -> Sequence[Statement]:
                x, scaled = Local("x", F32), Local("scaled", F32)
                body = Block((Define(scaled, op("mul", load(alpha.buffers[0], 0), x), (14,)),))
                value = op("max", scaled, number(0.0))
                piece = Piece(acc, j)
                at = (by * 32 + wy * 16) * n + bx * 64 + wx * 32 + j * 16
                return [
                    MapFragment(piece, (piece,), (x,), body, value, (15,)),
                    StoreFragment(Matrix(output.buffers[0], at, nat(n), True), piece, (16,)),
                ]

            return [loop("j2", 2, one)]

        def on_warps(y: str, x: str, body: Body) -> Statement:
            return loop(y, 2, lambda wy: [loop(x, 2, lambda wx: body(wy, wx), WARP[0])], WARP[1])

        zero = loop("j1", 2, lambda j: [FillFragment(Piece(acc, j), number(0.0), (17,))])
        steps = loop(
            "p", exact_quotient(k, 16), lambda p: [*fill(p), SYNC, on_warps("wy", "wx", multiply), SYNC]
        )
        kept = [Allocate(one, (18,)) for one in (acc, left, right)]
        return [*kept, zero, steps, on_warps("wy1", "wx1", finish)]

    rows, columns = exact_quotient(m, 32), exact_quotient(n, 64)
    blocks = loop(
        "by", rows, lambda by: [loop("bx", columns, lambda bx: of_block(by, bx), BLOCK[0])], BLOCK[1]
    )
    shared = [(a_tile, 0), (b_tile, 1024)]
    run = kernel("gemm", [columns, rows], (128, 1, 1), blocks, warps=(2, 2, 1), shared=shared)
    x, y = numbers(64 * 32, dtype=np.float16).reshape(64, 32), numbers(32 * 64, 1, np.float16).reshape(32, 64)
    made = program("gemm", [m, n, k], [alpha, a, b], output, run)
    expected = np.maximum(np.float32(0.5) * (x.astype(np.float32) @ y.astype(np.float32)), 0)
    return Example(made, {"M": 64, "N": 64, "K": 32}, [np.float32(0.5), x, y], expected)
