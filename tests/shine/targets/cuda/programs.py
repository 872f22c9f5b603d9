"""GPU programs in the form that the printer takes, built by hand, each with its expected result. Independent of source
text.

Barriers, shared memory and registers are as after the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from rise.naturals import Nat, NatVar, const, exact_quotient, nat
from rise.quotients import ceiling_quotient, remainder
from rise.types import IndexType, VectorType
from shine.imperative.nodes import (
    Allocate,
    AtomicUpdate,
    Buffer,
    Condition,
    Define,
    DefineIndex,
    Exchange,
    Guarded,
    Local,
    Statement,
    Value,
)
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, size
from tests.shine.targets.cuda.products import matmul, wmma
from tests.shine.targets.cuda.program_parts import (
    BLOCK,
    GLOBAL,
    I32,
    LANE,
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


def vadd() -> Example:
    """x + y: a thread for each element, and idle threads in the last block."""
    n = size("n")
    x, y, output = parameter("x", array(n)), parameter("y", array(n)), parameter("output", array(n))

    def body(i: Nat) -> Sequence[Statement]:
        return [assign(output.buffers[0], i, op("add", load(x.buffers[0], i), load(y.buffers[0], i)))]

    run = kernel("vadd", [ceiling_quotient(nat(n), const(256))], (256, 1, 1), loop("i", n, body, GLOBAL[0]))
    a, b = numbers(1000), numbers(1000, 1)
    return Example(program("vadd", [n], [x, y], output, run), {"n": 1000}, [a, b], a + b)


def transposed() -> Example:
    """A matrix transposed through tiles in shared memory with an additional column, so that columns are spread over all
    banks.
    """
    n, m = size("n"), size("m")
    x, output, t = parameter("x", array(n, m)), parameter("output", array(m, n)), tile("t", 32 * 33)

    def of_block(by: Nat, bx: Nat) -> Sequence[Statement]:
        def fill(y: Nat, j: Nat) -> Sequence[Statement]:
            return [assign(t, y * 33 + j, load(x.buffers[0], (by * 32 + y) * m + bx * 32 + j))]

        def drain(y: Nat, j: Nat) -> Sequence[Statement]:
            return [assign(output.buffers[0], (bx * 32 + y) * n + by * 32 + j, load(t, j * 33 + y))]

        return [*across("y", "j", fill), SYNC, *across("v", "w", drain), SYNC]

    def across(y: str, x: str, body: Body) -> Sequence[Statement]:
        return [loop(y, 32, lambda i: [loop(x, 32, lambda j: body(i, j), THREADS[0])], THREADS[1])]

    rows, columns = exact_quotient(n, 32), exact_quotient(m, 32)
    blocks = loop(
        "by", rows, lambda by: [loop("bx", columns, lambda bx: of_block(by, bx), BLOCK[0])], BLOCK[1]
    )
    run = kernel("transpose", [columns, rows], (32, 8, 1), blocks, shared=[(t, 0)])
    a = numbers(64 * 96).reshape(64, 96)
    made = program("transpose", [n, m], [x], output, run)
    return Example(made, {"n": 64, "m": 96}, [a], np.ascontiguousarray(a.T))


def row_sums() -> Example:
    """Sums of rows, a warp for each: lanes add up numbers, then combine them by halving."""
    n, m = size("n"), size("m")
    x, output, acc = parameter("x", array(n, m)), parameter("output", array(n)), registers("acc", 1)

    def of_warp(w: Nat) -> Sequence[Statement]:
        def add(i: Nat) -> Sequence[Statement]:
            one = load(x.buffers[0], w * m + i)
            return [assign(acc, 0, op("add", load(acc, 0), one))]

        def halve(by: int) -> Sequence[Statement]:
            other = Local(f"other{by}", F32)
            # The lanes after the last one read their own number, which is not used.
            return [
                loop(
                    f"l{by}",
                    32,
                    lambda lane: [
                        Define(other, Exchange(acc, const(0), remainder(lane + by, 32), F32), (7,)),
                        assign(acc, 0, op("add", load(acc, 0), other)),
                    ],
                    LANE,
                )
            ]

        return [
            Allocate(acc, (5,)),
            assign(acc, 0, number(0.0)),
            loop("i", m, add, LANE),
            *(one for by in (16, 8, 4, 2, 1) for one in halve(by)),
            loop("last", 1, lambda _: [assign(output.buffers[0], w, load(acc, 0))], LANE),
        ]

    def of_block(b: Nat) -> Sequence[Statement]:
        return [loop("w", 4, lambda w: of_warp(b * 4 + w), WARP[0])]

    blocks = exact_quotient(n, 4)
    run = kernel("rowSums", [blocks], (128, 1, 1), loop("b", blocks, of_block, BLOCK[0]), warps=(4, 1, 1))
    a = numbers(8 * 100).reshape(8, 100)
    made = program("rowSums", [n, m], [x], output, run)
    return Example(made, {"n": 8, "m": 100}, [a], a.sum(axis=1))


def extremes() -> Example:
    """The sum of integers, and the maximum of floats, into one element: first in shared memory, then in global
    memory.
    """
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(2))
    best = tile("best", 2)

    def of_block(b: Nat) -> Sequence[Statement]:
        def see(t: Nat) -> Sequence[Statement]:
            one = load(x.buffers[0], b * 128 + t)
            return [
                AtomicUpdate("add", best, const(0), one, (4,)),
                AtomicUpdate("max", best, const(1), one, (5,)),
            ]

        def first(t: Nat) -> Sequence[Statement]:
            return [assign(best, t, number(-1000.0))]

        def tell(t: Nat) -> Sequence[Statement]:
            return [AtomicUpdate("max", output.buffers[0], t, load(best, t), (6,))]

        return [
            loop("z", 2, first, THREADS[0]),
            SYNC,
            loop("t", 128, see, THREADS[0]),
            SYNC,
            loop("u", 2, tell, THREADS[0]),
        ]

    blocks = exact_quotient(n, 128)
    run = kernel("extremes", [blocks], (128, 1, 1), loop("b", blocks, of_block, BLOCK[0]), shared=[(best, 0)])
    a = numbers(512)
    sums = a.reshape(4, 128).sum(axis=1) - 1000
    made = program("extremes", [n], [x], output, run)
    # The output is initialised with zeros.
    return Example(made, {"n": 512}, [a], np.array([max(0, *sums), max(0, a.max())], np.float32))


def histogram() -> Example:
    """The number of occurrences of each of 16 numbers, by atomic additions of integers."""
    n = size("n")
    at, output = parameter("at", array(n, of=IndexType(const(16)))), parameter("output", array(16, of=I32))

    def body(i: Nat) -> Sequence[Statement]:
        j = NatVar("j", const(16))
        return [
            DefineIndex(j, load(at.buffers[0], i), (2,)),
            AtomicUpdate("add", output.buffers[0], nat(j), number(1, I32), (3,)),
        ]

    run = kernel("histogram", [4], (64, 1, 1), loop("i", n, body, GLOBAL[0]))
    a = numbers(300, dtype=np.int64) + 8
    a[a == 16] = 0
    made = program("histogram", [n], [at], output, run)
    return Example(made, {"n": 300}, [a], np.bincount(a, minlength=16).astype(np.int32))


def vectors() -> Example:
    """Sums of neighbours and products with a number, four at a time: at multiples of 16 bytes, and at other
    addresses.
    """
    n = size("n")
    alpha, x = parameter("alpha", F32), parameter("x", array(nat(n) + 1))
    output = parameter("output", array(n))
    four = VectorType(const(4), F32)
    kept = registers("kept", 4)

    def body(i: Nat) -> Sequence[Statement]:
        own, beside = load(x.buffers[0], i * 4, 4, True), load(x.buffers[0], i * 4 + 1, 4)
        scale = op("broadcast", load(alpha.buffers[0], 0), type=four)
        return [
            Allocate(kept, (3,)),
            assign(kept, 0, op("fma", scale, own, beside, type=four), True),
            assign(output.buffers[0], i * 4, op("max", load(kept, 0, 4, True), own, type=four), True),
        ]

    quarter = exact_quotient(n, 4)
    run = kernel(
        "vectors", [ceiling_quotient(quarter, const(64))], (64, 1, 1), loop("i", quarter, body, GLOBAL[0])
    )
    a = numbers(513)
    made = program("vectors", [n], [alpha, x], output, run)
    expected = np.maximum(2 * a[:-1] + a[1:], a[:-1])
    return Example(made, {"n": 512}, [np.float32(2), a], expected)


def reversed_blocks() -> Example:
    """Runs of 13,000 numbers reversed in dynamic shared memory, since this is more than can be declared; and their sums
    of two.
    """
    n = size("n")
    x, output = parameter("x", array(n, 13000)), parameter("output", array(n, 13000))
    whole, ends = tile("whole", 13000), tile("ends", 2)

    def of_block(b: Nat) -> Sequence[Statement]:
        def fill(i: Nat) -> Sequence[Statement]:
            return [assign(whole, i, load(x.buffers[0], b * 13000 + i))]

        def end(i: Nat) -> Sequence[Statement]:
            return [assign(ends, i, load(x.buffers[0], b * 13000 + i * 12999))]

        def drain(j: Nat) -> Sequence[Statement]:
            both = op("add", load(whole, 12999 - j), op("mul", load(ends, 0), load(ends, 1)))
            return [assign(output.buffers[0], b * 13000 + j, both)]

        return [
            loop("i", 13000, fill, THREADS[0]),
            loop("e", 2, end, THREADS[0]),
            SYNC,
            loop("j", 13000, drain, THREADS[0]),
            SYNC,
        ]

    run = kernel(
        "reverse", [n], (512, 1, 1), loop("b", n, of_block, BLOCK[0]), shared=[(whole, 0), (ends, 52000)]
    )
    a = numbers(2 * 13000).reshape(2, 13000)
    expected = a[:, ::-1] + a[:, :1] * a[:, -1:]
    return Example(program("reverse", [n], [x], output, run), {"n": 2}, [a], expected)


def two_kernels() -> Example:
    """A sum in two kernels: one for each run of 64, and one for the results."""
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", F32)
    runs = exact_quotient(n, 64)
    partial_sums = Buffer("partial", F32, runs, "Global", (4,))
    acc, total = registers("acc", 1), registers("total", 1)

    def one(r: Nat) -> Sequence[Statement]:
        def add(i: Nat) -> Sequence[Statement]:
            return [assign(acc, 0, op("add", load(acc, 0), load(x.buffers[0], r * 64 + i)))]

        return [
            Allocate(acc, (5,)),
            assign(acc, 0, number(0.0)),
            loop("i", 64, add, "unroll"),
            assign(partial_sums, r, load(acc, 0)),
        ]

    def rest(_: Nat) -> Sequence[Statement]:
        def add(r: Nat) -> Sequence[Statement]:
            return [assign(total, 0, op("add", load(total, 0), load(partial_sums, r)))]

        return [
            Allocate(total, (6,)),
            assign(total, 0, number(0.0)),
            loop("s", runs, add),
            assign(output.buffers[0], 0, load(total, 0)),
        ]

    first = kernel(
        "sum_1", [ceiling_quotient(runs, const(128))], (128, 1, 1), loop("r", runs, one, GLOBAL[0])
    )
    second = kernel("sum_2", [1], (1, 1, 1), loop("o", 1, rest, THREADS[0]))
    a = numbers(640)
    made = program("sum", [n], [x], output, first, second, temporaries=[partial_sums])
    return Example(made, {"n": 640}, [a], a.sum())


def wide() -> Example:
    """A stencil on a matrix, padded with zeros, with 64-bit indices."""
    n, m = size("n"), size("m")
    x, output = parameter("x", array(n, m)), parameter("output", array(n, m))

    def body(i: Nat, j: Nat) -> Sequence[Statement]:
        def at(by: int) -> Value:
            inside = Condition(((const(-1), j + by), (j + by, nat(m))))
            return Guarded(inside, load(x.buffers[0], i * m + j + by), number(0.0), F32)

        return [assign(output.buffers[0], i * m + j, op("sub", op("add", at(-1), at(1)), at(0)))]

    def row(i: Nat) -> Sequence[Statement]:
        return [loop("j", m, partial(body, i), GLOBAL[0])]

    grid = [ceiling_quotient(nat(m), const(32)), ceiling_quotient(nat(n), const(8))]
    run = kernel("stencil", grid, (32, 8, 1), loop("i", n, row, GLOBAL[1]))
    a = numbers(20 * 50).reshape(20, 50)
    padded = np.pad(a, ((0, 0), (1, 1)))
    made = program("stencil", [n, m], [x], output, run)
    return Example(made, {"n": 20, "m": 50}, [a], padded[:, :-2] + padded[:, 2:] - a, wide=True)


EXAMPLES: Final[Mapping[str, Callable[[], Example]]] = {
    "vadd": vadd,
    "transposed": transposed,
    "matmul": matmul,
    "row_sums": row_sums,
    "extremes": extremes,
    "histogram": histogram,
    "wmma": wmma,
    "vectors": vectors,
    "reversed_blocks": reversed_blocks,
    "two_kernels": two_kernels,
    "wide": wide,
}
