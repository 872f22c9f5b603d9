"""Exchanges of registers between lanes: all lanes take part, and each gets the previous value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import maximum, minimum, remainder
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import (
    Allocate,
    Block,
    Condition,
    Define,
    DefineIndex,
    FillFragment,
    For,
    Guarded,
    If,
    Load,
    Local,
    MapFragment,
    Matrix,
    Piece,
    Statement,
    StoreFragment,
)
from shine.imperative.rewrite import rewrite_block, substitution
from shine.passes.gpu.distribute_registers import distribute_registers
from tests.shine.passes.gpu.kernels import (
    LANE,
    buffers_of,
    exchanges,
    fragment_type,
    kernel,
    memory,
    numbered,
    registers,
    tree_of_lanes,
    warp,
    when,
)
from tests.shine.passes.gpu.meaning import as_written, distributed, filled, on_threads
from tests.shine.procedures import F32, assign, load, loop, number, op

VECTOR = VectorType(const(4), F32)
I64 = ScalarType("i64")


@given(some.integers(1, 70), some.integers(1, 70), some.integers(1, 5), some.integers(-40, 40))
def test_lanes_read_the_registers_of_others(size: int, readers: int, step: int, start: int) -> None:
    array, out = registers("r", size), memory("out", readers)
    distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", size, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop(
                "v", readers, lambda l: [assign(out, l, load(array, remainder(step * l + start, size)))], LANE
            ),
            warps=(1, 1, 1),
        )
    )


@given(some.integers(2, 40), some.integers(-3, 3), some.booleans())
def test_neighbours_are_read_if_they_exist(size: int, by: int, is_in_value: bool) -> None:
    array, out = registers("r", size), memory("out", size)

    def read(l: Nat) -> Sequence[Statement]:
        inside = Condition(((const(-1), l + by), (l + by, const(size))))
        if is_in_value:
            return [assign(out, l, Guarded(inside, load(array, l + by), number(0.0), F32))]
        return [If(inside, Block((assign(out, l, load(array, l + by)),)), (7,))]

    distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", size, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop("v", size, read, LANE),
            warps=(1, 1, 1),
        )
    )


@pytest.mark.parametrize("size", [2, 4, 32, 64, 128])
def test_a_tree_of_lanes_consists_of_shuffles(size: int) -> None:
    after = distributed(tree_of_lanes(size, 2), filled(x=2 * size))
    assert set(buffers_of(after.body)) == {"step"} | {f"step{2**i}" for i in range(size.bit_length() - 1)}
    if size == 32:
        lanes = [
            str(one.lane.constant) if one.lane.constant is not None else "2 * l"
            for one in exchanges(after.body)
        ]
        assert lanes == ["2 * l"] * 8 + ["0", "1"]
        assert all(one.index == const(0) for one in exchanges(after.body))


def test_the_neighbour_is_the_next_lane() -> None:
    array, out = registers("r", 20), memory("out", 20)
    after = distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", 20, lambda l: [assign(array, l, numbered(l))], LANE),
            loop("v", 20, lambda l: [when(l, 19, assign(out, l, load(array, l + 1)))], LANE),
            warps=(1, 1, 1),
        )
    )
    (found,) = exchanges(after.body)
    assert found.index == const(0)
    assert found.lane == NatVar("v_lane", const(32)) + const(1)


def test_lanes_read_different_registers_by_a_choice() -> None:
    after = distribute_registers(tree_of_lanes(64))
    found = [one for one in exchanges(after.body) if one.buffer.name == "step"]
    assert [one.index.constant for one in found] == [0, 1, 0, 1]


def test_exchanges_in_a_loop_stay_in_it() -> None:
    array, acc, out = registers("r", 20), registers("acc", 1), memory("out", 20)

    def read(l: Nat) -> Sequence[Statement]:
        def step(k: Nat) -> Sequence[Statement]:
            x = Local("x", F32)
            return [
                Define(x, op("add", load(acc, 0), number(1)), (4,)),
                assign(acc, 0, op("add", x, load(array, remainder(l + k, 20)))),
            ]

        zero: list[Statement] = [Allocate(acc, (3,)), assign(acc, 0, number(0))]
        return [
            *zero,
            loop("k", 3, step),
            when(l, 7, assign(out, l, op("add", load(acc, 0), load(array, 3)))),
        ]

    distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", 20, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop("v", 20, read, LANE),
            warps=(1, 1, 1),
        )
    )


@given(some.integers(0, 40), some.integers(0, 40))
def test_counts_of_loops_may_be_guards(most: int, inner: int) -> None:
    array, out = registers("r", 32), memory("out", 32 * 4)
    k, l = NatVar("k", const(4)), NatVar("v", const(32))
    store = assign(out, 4 * nat(l) + k, load(array, remainder(nat(l) + k, 32)))
    tightened = For(k, minimum(4, maximum(inner - nat(l), 0)), "seq", Block((store,)), (4,))
    size = NatVar("size", None)
    before = kernel(
        Allocate(array, (1,)),
        loop("w", 32, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
        For(l, minimum(32, size), LANE, Block((tightened,)), (3,)),
        warps=(1, 1, 1),
    )
    after = distribute_registers(before)
    known = substitution({size: most})
    written, run = (replace(one, body=rewrite_block(one.body, known)) for one in (before, after))
    assert on_threads(run, {}) == as_written(written, {})
    assert all(one.kind == LANE for one in after.body.statements if isinstance(one, For))


def test_an_index_read_by_lanes_names_a_lane() -> None:
    array, at, out = registers("r", 32), memory("at", 20, I64), memory("out", 20)
    where = NatVar("where", const(32))

    def read(l: Nat) -> Sequence[Statement]:
        defined = DefineIndex(where, Load(at, l, 1, False, I64), (4,))
        return [defined, when(where, 9, assign(out, l, load(array, nat(where))))]

    distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", 32, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop("v", 20, read, LANE),
            warps=(1, 1, 1),
        ),
        {("at", i): 5 * i % 32 for i in range(20)},
    )


def test_numbers_of_fragments_are_combined_with_a_lane() -> None:
    array, tile, out = registers("r", 4), registers("tile", 2, fragment_type("Accum")), memory("out", 2)
    parameter = Local("x", F32)

    def each(w: Nat) -> Sequence[Statement]:
        piece = Piece(tile, w)
        fused = op("add", parameter, load(array, 3))
        return [
            FillFragment(piece, numbered(w + 1), (3,)),
            MapFragment(piece, (piece,), (parameter,), Block(()), fused, (4,)),
            StoreFragment(Matrix(out, w, const(16), True), piece, (5,)),
        ]

    after = distributed(
        kernel(
            Allocate(array, (1,)),
            Allocate(tile, (2,)),
            loop("l", 4, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop("w", 2, each, warp(0)),
            warps=(2, 1, 1),
        )
    )
    assert buffers_of(after.body)["tile"].size == const(1)


def test_a_vector_is_gathered_from_lanes() -> None:
    array, out = registers("r", 32), memory("out", 32)
    distributed(
        kernel(
            Allocate(array, (1,)),
            loop("w", 32, lambda l: [assign(array, l, numbered(3 * l + 1))], LANE),
            loop("v", 8, lambda l: [assign(out, 4 * l, Load(array, 4 * l, 4, True, VECTOR))], LANE),
            warps=(1, 1, 1),
        )
    )
