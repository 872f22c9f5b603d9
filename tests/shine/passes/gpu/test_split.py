"""Procedures that are split into kernels: run one after the other they compute the same, and what they share is in
global memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.naturals import Nat, const
from shine.imperative.accesses import accesses
from shine.imperative.errors import TranslationError
from shine.imperative.levels import spreads
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    Define,
    FillFragment,
    Local,
    MapFragment,
    Piece,
    Procedure,
    Statement,
)
from shine.kernel import make_kernel
from shine.passes.gpu.split_kernels import split_kernels
from shine.translate import GPU_LEVELS, translate
from tests.shine.passes.gpu.kernels import fragment_type
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, procedure
from tests.shine.targets.cuda.program_parts import GLOBAL

#: functions of all elements, computed by the threads of the grid, or by one thread
STEPS: Final = (
    "mapGlobal(0, fun(x => x + 1.0))",
    "mapSeq(fun(x => x * 2.0))",
    "split(4) |> mapBlock(0, mapThreads(0, fun(x => x - 3.0))) |> join",
    "split(3) |> mapSeq(mapSeq(neg)) |> join",
    "scanSeq(add, 0.0)",
)
VIEWS: Final = ("", "split(3) |> transpose |> join |> ", "slide(1, 1) |> join |> ")


@st.composite
def chains(draw: st.DrawFn) -> list[str]:
    """Steps, each with a view of its input and the memory of its result."""
    count = draw(st.integers(1, 5))
    chosen = [draw(st.sampled_from(VIEWS)) + draw(st.sampled_from(STEPS)) for _ in range(count)]
    kept = [f"{one} |> toMem({draw(st.sampled_from(('Global', 'Local')))})" for one in chosen[:-1]]
    return [*kept, chosen[-1]]


def translated(steps: list[str]) -> tuple[rise.Expr, Procedure]:
    e = rise.parse(f"val main = fun(xs: 12.f32 => {' |> '.join(['xs', *steps])})").main
    return e, translate(e, levels=GPU_LEVELS)


def in_order(made: Procedure) -> Procedure:
    """The kernels of a procedure one after the other, in one procedure."""
    bodies, temporaries = split_kernels(made)
    between = [Allocate(buffer, buffer.origin) for buffer in temporaries]
    return replace(made, body=Block((*between, *(one for body in bodies for one in body.statements))))


@given(steps=chains())
def test_consecutive_kernels_compute_the_same(steps: list[str]) -> None:
    e, made = translated(steps)
    xs = np.arange(12, dtype=np.float32)
    expected = rise.evaluate(e, xs)
    np.testing.assert_array_equal(make_kernel(in_order(made), "interpret")(xs), expected)


@given(steps=chains())
def test_a_loop_over_the_grid_is_a_separate_kernel(steps: list[str]) -> None:
    bodies, _ = split_kernels(translated(steps)[1])
    spread = ["Global(" in one or "Block(" in one for one in steps]
    runs = [one for place, one in enumerate(spread) if one or place == 0 or spread[place - 1]]
    assert [any(map(spreads, body.statements)) for body in bodies] == runs
    for body in bodies:
        working = [one for one in body.statements if not isinstance(one, Allocate)]
        assert len(working) == 1 or not any(map(spreads, working))


@given(steps=chains())
def test_arrays_that_kernels_share_are_in_global_memory(steps: list[str]) -> None:
    bodies, temporaries = split_kernels(translated(steps)[1])
    between = {buffer.name for buffer in temporaries}
    assert all(buffer.space == "Global" for buffer in temporaries)
    users: dict[str, int] = {}
    for body in bodies:
        own = {one.buffer.name for one in body.statements if isinstance(one, Allocate)}
        assert own.isdisjoint(between)
        touched = {access.buffer.name: access.buffer for access in accesses(body)}
        for name, buffer in touched.items():
            users[name] = users.get(name, 0) + (name not in ("xs", "output"))
            assert (name in own) == (buffer.space == "Local")
    assert {name for name, count in users.items() if count > 1} <= between


def test_warps_and_rows_of_threads_are_in_different_kernels() -> None:
    """A block has the threads of one of them; such programs were once rejected."""
    rows = "split(4) |> mapThreads(1, mapThreads(0, fun(x => x + 1.0))) |> join"
    warps = "split(6) |> mapWarp(0, mapLane(0, fun(x => x + 1.0))) |> join"
    line = "mapThreads(0, neg)"
    for steps, count in (((rows, warps), 2), ((warps, line, rows, line), 2), ((line, warps, line), 1)):
        e, made = translated([*(f"{step} |> toMem(Global)" for step in steps[:-1]), steps[-1]])
        assert len(split_kernels(made)[0]) == count
        kernel = shine.compile(e, target="cuda-sim", check=True)
        xs = np.arange(12, dtype=np.float32)
        np.testing.assert_array_equal(kernel(xs), rise.evaluate(e, xs))


def test_each_kernel_has_the_definitions_that_it_uses() -> None:
    x, output = parameter("x", array(8)), parameter("output", array(8))
    scale, unused = Local("scale", F32), Local("unused", F32)

    def fill(to: Buffer) -> Statement:
        return loop("i", 8, lambda i: [assign(to, i, scale)], GLOBAL[0])

    kept = Buffer("kept", F32, output.buffers[0].size, "Local", (1,))
    made = procedure(
        "k",
        [],
        [x],
        output,
        Define(scale, load(x.buffers[0], 3), (1,)),
        Define(unused, load(x.buffers[0], 4), (2,)),
        Allocate(kept, (3,)),
        fill(kept),
        fill(output.buffers[0]),
    )
    bodies, temporaries = split_kernels(made)
    names = [[one.local.name for one in body.statements if isinstance(one, Define)] for body in bodies]
    assert names == [["scale"], ["scale"]]
    assert temporaries == ()  # only one kernel accesses it
    assert [isinstance(one, Allocate) for one in bodies[0].statements] == [False, True, False]


def refused(made: Procedure, code: str, title: str) -> None:
    with pytest.raises(TranslationError) as error:
        split_kernels(made)
    assert error.value.diagnostic.code == code
    assert error.value.diagnostic.title == title
    assert error.value.diagnostic.hint
    assert error.value.origin


def test_a_sequential_loop_over_grids_is_rejected() -> None:
    output = parameter("output", array(8, 8))

    def row(i: Nat) -> list[Statement]:
        return [loop("j", 8, lambda j: [assign(output.buffers[0], 8 * i + j, number(1.0))], GLOBAL[0])]

    made = procedure("k", [], [], output, loop("i", 8, row))
    title = "expected loops over blocks outside sequential loops, found one inside a sequential loop"
    refused(made, "levels", title)


SHARED: Final = Buffer("kept", F32, const(8), "Shared", (4,))
FRAGMENT: Final = Buffer("kept", fragment_type("Accum"), const(8), "Local", (4,))


@pytest.mark.parametrize(("what", "kept"), [("an array in shared memory", SHARED), ("a fragment", FRAGMENT)])
def test_arrays_of_a_single_kernel_are_not_shared(what: str, kept: Buffer) -> None:
    output = parameter("output", array(8))

    def touch(i: Nat) -> list[Statement]:
        if kept is FRAGMENT:
            return [FillFragment(Piece(kept, i), number(0.0), (5,))]
        return [assign(kept, i, number(0.0))]

    made = procedure(
        "k",
        [],
        [],
        output,
        Allocate(kept, (4,)),
        loop("i", 8, touch, GLOBAL[0]),
        loop("j", 8, touch, GLOBAL[0]),
    )
    refused(made, "between-kernels", f"expected {what} to be used by one kernel, found kept in 2")


def test_a_definition_is_not_repeated_if_its_source_has_changed() -> None:
    output = parameter("output", array(8))
    kept, first = Buffer("kept", F32, output.buffers[0].size, "Local", (4,)), Local("first", F32)
    made = procedure(
        "k",
        [],
        [],
        output,
        Allocate(kept, (4,)),
        Define(first, load(kept, 0), (5,)),
        loop("i", 8, lambda i: [assign(kept, i, number(1.0))], GLOBAL[0]),
        loop("j", 8, lambda j: [assign(output.buffers[0], j, first)], GLOBAL[0]),
    )
    title = "expected first unchanged for a later kernel, found that what it reads is overwritten"
    refused(made, "between-kernels", title)


def test_a_definition_is_copied_for_its_only_use_in_a_function_on_fragments() -> None:
    output = parameter("output", array(8))
    sums = Buffer("sums", fragment_type("Accum"), const(1), "Local", (4,))
    factor, scaled, entry = Local("factor", F32), Local("scaled", F32), Local("entry", F32)

    def scale(i: Nat) -> list[Statement]:
        product = Define(scaled, op("mul", factor, entry), (6,))
        piece = Piece(sums, const(0))
        return [
            Allocate(sums, (4,)),
            FillFragment(piece, number(0.0), (5,)),
            MapFragment(piece, (piece,), (entry,), Block((product,)), scaled, (6,)),
        ]

    source = parameter("xs", array(8))
    definition = Define(factor, load(source.buffers[0], 0), (3,))
    first = loop("i", 8, lambda i: [assign(output.buffers[0], i, factor)], GLOBAL[0])
    bodies, _ = split_kernels(
        procedure("k", [], [source], output, definition, first, loop("j", 8, scale, GLOBAL[0]))
    )
    assert [body.statements[0] for body in bodies] == [definition, definition]
