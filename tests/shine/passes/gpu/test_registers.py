"""Arrays in registers that are distributed over threads: every read gets the same value as before. Prints and compiles
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rise.naturals import Nat, const, nat
from rise.types import VectorType
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.nodes import (
    Allocate,
    Assign,
    For,
    Level,
    Load,
    LoopKind,
    Statement,
)
from shine.imperative.walk import statements
from shine.passes.gpu.check_levels import check_levels
from shine.passes.gpu.distribute_registers import distribute_registers
from tests.shine.passes.gpu.kernels import (
    LANE,
    Axis,
    buffers_of,
    gemm_fragments,
    gemm_registers,
    kernel,
    memory,
    mixed_radix,
    nest,
    numbered,
    registers,
    threads,
    warp,
)
from tests.shine.passes.gpu.meaning import distributed, filled
from tests.shine.procedures import F32, assign, load, loop, number, op

#: the number of units of each level in the random kernels
UNITS: Mapping[Level, int] = {
    threads(0): 3,
    threads(1): 2,
    threads(2): 2,
    warp(0): 2,
    warp(1): 2,
    LANE: LANES,
}
Shape: TypeAlias = Sequence[tuple[LoopKind, int]]


def through_registers(shape: Shape, order: Sequence[int], outer: int | None) -> GpuKernel:
    """A kernel that fills an array by a loop for each digit of its index, and reads it with the loops in another order.
    All of this is inside the loop `outer`, if there is one.
    """
    inner = [i for i in range(len(shape)) if i != outer]
    array = registers("r", prod(shape[i][1] for i in inner))
    out = memory("out", prod(count for _, count in shape))

    def body(given: Mapping[int, Nat]) -> Sequence[Statement]:
        def each(
            name: str, axes: Sequence[int], statement: Callable[[Nat, Nat], Statement]
        ) -> Sequence[Statement]:
            def inside(found: list[Nat]) -> Sequence[Statement]:
                values = {**given, **dict(zip(axes, found, strict=True))}
                own = mixed_radix([(values[i], shape[i][1]) for i in inner])
                return [statement(own, mixed_radix([(values[i], one[1]) for i, one in enumerate(shape)]))]

            return nest([(f"{name}{i}", shape[i][1], shape[i][0]) for i in axes], inside)

        return [
            Allocate(array, (1,)),
            *each("w", inner, lambda own, at: assign(array, own, numbered(3 * at + 1))),
            *each("v", [i for i in order if i != outer], lambda own, at: assign(out, at, load(array, own))),
        ]

    if outer is None:
        statements = body({})
    else:
        kind, count = shape[outer]
        statements = [loop("o", count, lambda o: body({outer: o}), kind)]
    has_warps = any(isinstance(kind, Level) and kind.name != "threads" for kind, _ in shape)
    return kernel(*statements, warps=(2, 2, 1)) if has_warps else kernel(*statements, block=(3, 2, 2))


@some.composite
def shapes(draw: some.DrawFn) -> tuple[Shape, Sequence[int], int | None]:
    """Loops over one or two levels and up to two others, in any order; a second order; and optionally one of them as
    the outermost.
    """
    has_warps = draw(some.booleans())
    levels = [level for level in UNITS if (level.name != "threads") == has_warps]
    shape: list[tuple[LoopKind, int]] = [
        (level, draw(some.sampled_from([1, 20, 32, 33, 64] if level == LANE else [1, 2, 3, 4, 5])))
        for level in draw(some.lists(some.sampled_from(levels), min_size=1, max_size=2, unique=True))
    ]
    shape += [("seq", draw(some.integers(1, 3))) for _ in range(draw(some.integers(0, 2)))]
    shape = draw(some.permutations(shape))
    outer = draw(some.none() | some.sampled_from(range(len(shape))))
    return shape, draw(some.permutations(range(len(shape)))), outer


@given(shapes())
def test_each_read_gets_the_same_value_as_before(given: tuple[Shape, Sequence[int], int | None]) -> None:
    shape, order, outer = given
    after = distributed(through_registers(shape, order, outer))
    kept = 1
    for i, (kind, count) in enumerate(shape):
        if i != outer:
            kept *= -(-count // UNITS[kind]) if isinstance(kind, Level) else count
    assert buffers_of(after.body)["r"].size == const(kept)


@pytest.mark.parametrize(("side", "tile"), [(2, 2), (4, 2), (3, 3)])
def test_a_tile_of_registers_for_each_thread(side: int, tile: int) -> None:
    size = side * tile
    after = distributed(gemm_registers(side, tile), filled(a=3 * size, b=3 * size))
    assert buffers_of(after.body)["acc"].size == const(tile * tile)


def test_the_index_of_a_register_does_not_depend_on_threads() -> None:
    after = distribute_registers(gemm_registers(16, 8))
    found = [one for one, _ in statements(after.body) if isinstance(one, Assign) and one.buffer.name == "acc"]
    assert [{name.name for name in one.index.free} for one in found] == [{"i0", "j0"}, {"i1", "j1"}]
    assert buffers_of(after.body)["acc"].size == const(64)


def test_fragments_belong_to_warps() -> None:
    before = gemm_fragments()
    check_levels(before)
    after = distributed(before, filled(a=12, b=24))
    sizes = {name: buffer.size.constant for name, buffer in buffers_of(after.body).items()}
    assert sizes == {"acc": 8, "left": 2, "right": 4}


def test_stores_outside_of_loops_are_done_by_the_owner() -> None:
    array, copy, out = registers("r", 12), registers("copy", 12), memory("out", 12)

    def each(name: str, statement: Callable[[Nat], Statement]) -> Sequence[Statement]:
        axes: list[Axis] = [(f"{name}t", 3, threads(0)), (f"{name}i", 4, "seq")]
        return nest(axes, lambda found: [statement(4 * found[0] + found[1])])

    distributed(
        kernel(
            Allocate(array, (1,)),
            Allocate(copy, (1,)),
            *each("a", lambda at: assign(array, at, numbered(at))),
            loop("z", 12, lambda z: [assign(array, z, op("add", load(array, z), number(1)))]),
            loop("z2", 12, lambda z: [assign(copy, z, load(array, z))]),
            *each("b", lambda at: assign(copy, at, op("add", load(copy, at), load(array, at)))),
            *each("c", lambda at: assign(out, at, load(copy, at))),
            block=(3, 1, 1),
        )
    )


def test_elements_that_all_threads_store_are_not_distributed() -> None:
    array, out = registers("r", 6), memory("out", 6)
    before = kernel(
        Allocate(array, (1,)),
        loop("i", 6, lambda i: [assign(array, i, numbered(3 * i))]),
        loop("t", 6, lambda t: [assign(out, t, load(array, 5 - t))], threads(0)),
        block=(6, 1, 1),
    )
    assert distributed(before) == before


def test_several_iterations_of_a_unit_are_unrolled() -> None:
    after = distributed(through_registers([(threads(0), 12)], [0], None))
    _, loop_of_turns, _ = after.body.statements
    assert isinstance(loop_of_turns, For) and loop_of_turns.kind == "unroll"
    assert buffers_of(after.body)["r"].size == const(4)
    stores = [one for one, _ in statements(after.body) if isinstance(one, Assign) and one.buffer.name == "r"]
    assert [one.index for one in stores] == [nat(loop_of_turns.index)]


VECTOR = VectorType(const(4), F32)


@pytest.mark.parametrize(("rows", "is_aligned"), [(8, True), (6, False)])
def test_vectors_stay_aligned_if_that_is_known(rows: int, is_aligned: bool) -> None:
    array, out = registers("r", 3 * rows), memory("out", 12)
    before = kernel(
        Allocate(array, (1,)),
        loop(
            "t",
            3,
            lambda t: [loop("i", rows, lambda i: [assign(array, rows * t + i, numbered(t + i))])],
            threads(0),
        ),
        loop(
            "v",
            3,
            lambda t: [assign(out, 4 * t, Load(array, rows * t + rows - 4, 4, True, VECTOR))],
            threads(0),
        ),
        block=(3, 1, 1),
    )
    if is_aligned:
        distributed(before)
    after = distribute_registers(before)
    (value,) = [
        one.value for one, _ in statements(after.body) if isinstance(one, Assign) and one.buffer is out
    ]
    assert isinstance(value, Load) and value.aligned == is_aligned and value.index == const(rows - 4)
