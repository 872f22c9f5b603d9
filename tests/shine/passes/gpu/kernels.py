"""Kernels of a GPU built by hand: loops over levels fill and read arrays in registers and in shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rise.naturals import Nat, NatLike, NatVar, const, nat
from rise.types import FragmentType, ScalarType, VectorType
from shine.imperative.kernels import LANES, GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    Condition,
    Exchange,
    FillFragment,
    For,
    If,
    Index,
    Level,
    LoadFragment,
    LoopKind,
    Matrix,
    MultiplyAdd,
    Piece,
    Statement,
    StoreFragment,
    Value,
)
from tests.shine.procedures import F32, assign, load, loop, number, op

LANE = Level("lane", 0)
F16 = ScalarType("f16")
#: a loop: its name, its count, and its kind
Axis: TypeAlias = tuple[str, NatLike, LoopKind]


def threads(d: int) -> Level:
    """Threads of a block."""
    return Level("threads", d)


def warp(d: int) -> Level:
    """Warps of a block."""
    return Level("warp", d)


def kernel(
    *body: Statement,
    block: tuple[int, int, int] = (1, 1, 1),
    warps: tuple[int, int, int] | None = None,
    grid: tuple[int, int, int] = (1, 1, 1),
) -> GpuKernel:
    """A kernel; if it has warps, these determine the size of a block."""
    if warps is not None:
        block = (LANES * warps[0] * warps[1] * warps[2], 1, 1)
    x, y, z = grid
    return GpuKernel("k", Launch((const(x), const(y), const(z)), block, warps), Block(body))


def registers(name: str, size: NatLike, element: ScalarType | VectorType | FragmentType = F32) -> Buffer:
    """An array in local memory."""
    return Buffer(name, element, nat(size), "Local", (1,))


def shared(name: str, size: NatLike, element: ScalarType = F32) -> Buffer:
    """An array in shared memory."""
    return Buffer(name, element, nat(size), "Shared", (2,))


def memory(name: str, size: NatLike, element: ScalarType = F32) -> Buffer:
    """An array in global memory."""
    return Buffer(name, element, nat(size), "Global", ())


def when(a: NatLike, b: NatLike, *body: Statement) -> If:
    """A body under the condition a < b."""
    return If(Condition(((nat(a), nat(b)),)), Block(body), (8,))


def nest(axes: Sequence[Axis], body: Callable[[list[Nat]], Sequence[Statement]]) -> Sequence[Statement]:
    """Nested loops, from the outside in."""

    def inside(done: list[Nat]) -> Sequence[Statement]:
        if len(done) == len(axes):
            return body(done)
        name, count, kind = axes[len(done)]
        return [loop(name, count, lambda i: inside([*done, i]), kind)]

    return inside([])


def mixed_radix(digits: Sequence[tuple[NatLike, NatLike]]) -> Nat:
    """The number with these digits, each with its base, from the highest on."""
    total = const(0)
    for digit, base in digits:
        total = total * nat(base) + digit
    return total


def numbered(value: NatLike) -> Value:
    """A number computed from indices."""
    return Index(nat(value), F32)


def gemm_registers(side: int, tile: int, depth: int = 3) -> GpuKernel:
    """A matrix product from global memory, by side x side threads with a tile of registers each."""
    size = side * tile
    a, b, c = memory("a", size * depth), memory("b", depth * size), memory("c", size * size)
    acc = registers("acc", size * size)

    def each(suffix: str, body: Callable[[Nat, Nat, Nat], Sequence[Statement]]) -> Sequence[Statement]:
        axes: list[Axis] = [
            (f"y{suffix}", side, threads(1)),
            (f"x{suffix}", side, threads(0)),
            (f"i{suffix}", tile, "unroll"),
            (f"j{suffix}", tile, "unroll"),
        ]

        def at(found: list[Nat]) -> Sequence[Statement]:
            y, x, i, j = found
            row, column = y * tile + i, x * tile + j
            return body(((y * side + x) * tile + i) * tile + j, row, column)

        return nest(axes, at)

    def step(p: Nat) -> Sequence[Statement]:
        def fused(at: Nat, row: Nat, column: Nat) -> Sequence[Statement]:
            product = op("mul", load(a, row * depth + p), load(b, p * size + column))
            return [assign(acc, at, op("add", load(acc, at), product))]

        return each("1", fused)

    return kernel(
        Allocate(acc, (1,)),
        *each("0", lambda at, row, column: [assign(acc, at, number(0.0))]),
        loop("p", depth, step),
        *each("2", lambda at, row, column: [assign(c, row * size + column, load(acc, at))]),
        block=(side, side, 1),
    )


def fragment_type(role: str, element: ScalarType = F32) -> FragmentType:
    """A fragment of 16 x 16 x 16."""
    return FragmentType(const(16), const(16), const(16), element, role, "wmma")


def gemm_fragments(warps: int = 2, rows: int = 2, columns: int = 4, depth: int = 3) -> GpuKernel:
    """Matrix products on tensor cores: warps x warps of them, each with rows x columns accumulators."""
    height, width = warps * rows, warps * columns
    a, b, c = memory("a", height * depth), memory("b", depth * width), memory("c", height * width)
    acc = registers("acc", height * width, fragment_type("Accum"))
    left = registers("left", height, fragment_type("AMatrix", F16))
    right = registers("right", width, fragment_type("BMatrix", F16))

    def each(suffix: str, body: Callable[[Nat, Nat], Sequence[Statement]]) -> Sequence[Statement]:
        def at(found: list[Nat]) -> Sequence[Statement]:
            wy, wx, i, j = found
            return body(wy * rows + i, wx * columns + j)

        axes: list[Axis] = [
            (f"wy{suffix}", warps, warp(1)),
            (f"wx{suffix}", warps, warp(0)),
            (f"i{suffix}", rows, "unroll"),
            (f"j{suffix}", columns, "unroll"),
        ]
        return nest(axes, at)

    def matrix(buffer: Buffer, index: Nat) -> Matrix:
        return Matrix(buffer, index, const(16), True)

    def multiply(row: Nat, column: Nat) -> Sequence[Statement]:
        accumulator = Piece(acc, row * width + column)
        return [MultiplyAdd(accumulator, Piece(left, row), Piece(right, column), accumulator, (5,))]

    def step(p: Nat) -> Sequence[Statement]:
        def load_left(found: list[Nat]) -> Sequence[Statement]:
            row = found[0] * rows + found[1]
            return [LoadFragment(Piece(left, row), matrix(a, row * depth + p), (3,))]

        def load_right(found: list[Nat]) -> Sequence[Statement]:
            column = found[0] * columns + found[1]
            return [LoadFragment(Piece(right, column), matrix(b, p * width + column), (4,))]

        return [
            Allocate(left, (3,)),
            Allocate(right, (4,)),
            *nest([("vy", warps, warp(1)), ("vi", rows, "unroll")], load_left),
            *nest([("vx", warps, warp(0)), ("vj", columns, "unroll")], load_right),
            *each("1", multiply),
        ]

    def store(row: Nat, column: Nat) -> Sequence[Statement]:
        return [StoreFragment(matrix(c, row * width + column), Piece(acc, row * width + column), (6,))]

    def fill(row: Nat, column: Nat) -> Sequence[Statement]:
        return [FillFragment(Piece(acc, row * width + column), number(0.0), (2,))]

    return kernel(
        Allocate(acc, (1,)),
        *each("0", fill),
        loop("p", depth, step),
        *each("2", store),
        warps=(warps, warps, 1),
    )


def tree_of_lanes(size: int, warps: int = 1) -> GpuKernel:
    """The sum of `size` numbers for each warp, by halving: the result of each step is in registers of lanes."""
    x, out = memory("x", size * warps), memory("out", warps)

    def reduction(w: Nat) -> Sequence[Statement]:
        first = registers("step", size)
        body: list[Statement] = [Allocate(first, (1,))]
        body.append(loop("l", size, lambda l: [assign(first, l, load(x, w * size + l))], LANE))
        present, count = first, size // 2
        while count >= 1:
            following = registers(f"step{count}", count)
            body.append(Allocate(following, (1,)))
            body += _halves(present, following, count)
            present, count = following, count // 2
        return [*body, assign(out, w, load(present, 0))]

    return kernel(loop("w", warps, reduction, warp(0)), warps=(warps, 1, 1))


def _halves(present: Buffer, following: Buffer, count: int) -> Sequence[Statement]:
    def add(l: Nat) -> Sequence[Statement]:
        return [assign(following, l, op("add", load(present, 2 * l), load(present, 2 * l + 1)))]

    return add(const(0)) if count == 1 else [loop(f"l{count}", count, add, LANE)]


def exchanges(body: Block) -> list[Exchange]:
    """What lanes exchange, in statements that only define a variable by an exchange."""
    found: list[Exchange] = []
    waiting: list[object] = [body]
    while waiting:
        match waiting.pop(0):
            case Block(statements):
                waiting = [*statements, *waiting]
            case For(body=inner) | If(body=inner):
                waiting.insert(0, inner)
            case statement:
                value = getattr(statement, "value", None)
                if isinstance(value, Exchange):
                    found.append(value)
    return found


def buffers_of(body: Block) -> dict[str, Buffer]:
    """The buffers that are allocated, by name."""
    found: dict[str, Buffer] = {}
    waiting: list[Statement] = list(body.statements)
    while waiting:
        match waiting.pop():
            case For(body=inner) | If(body=inner):
                waiting += inner.statements
            case Allocate(buffer):
                found[buffer.name] = buffer
            case _:
                pass
    return found


def ranged(name: str, size: int) -> NatVar:
    """A loop index."""
    return NatVar(name, const(size))
