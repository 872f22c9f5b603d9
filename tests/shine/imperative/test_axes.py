"""Names of loops and temporaries in texts, after the axes of arrays and after their contents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rise
import shine
from rise.naturals import Nat, const, exact_quotient, nat
from rise.types import DepFunType, FunType
from shine.imperative.axes import axes_of, names_for
from shine.imperative.nodes import Allocate, Block, Buffer, For, Level, LoopKind, Parameter, Statement
from shine.imperative.walk import everything
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter, size

M, N = size("M"), size("N")


def loop_names(body: Block, inputs: list[Parameter], output: Parameter) -> list[str]:
    """The names of the loops of a body, from the outermost inwards."""
    found = names_for(body, inputs, output)
    return [found[one.index] for one, _ in everything(body) if isinstance(one, For)]


def test_loops_are_called_after_the_sizes_of_axes() -> None:
    x, output = parameter("x", array(M, N)), parameter("output", array(M, N))

    def body(i: Nat, j: Nat) -> list[Statement]:
        return [assign(output.buffers[0], i * N + j, load(x.buffers[0], i * N + j))]

    nest = loop("a", M, lambda i: [loop("b", N, lambda j: body(i, j))])
    assert loop_names(Block((nest,)), [x], output) == ["m", "n"]


@pytest.mark.parametrize(
    ("outer", "inner", "names"),
    [
        ("seq", "seq", ["n_block", "n"]),
        (Level("block", 0), Level("threads", 0), ["n_block", "n_thread"]),
        (Level("warp", 0), Level("lane", 0), ["n_warp", "n_lane"]),
    ],
)
def test_cuts_of_an_axis_are_part_of_names(outer: LoopKind, inner: LoopKind, names: list[str]) -> None:
    output = parameter("output", array(N))

    def body(i: Nat, j: Nat) -> list[Statement]:
        return [assign(output.buffers[0], i * 32 + j, number(1.0))]

    nest = loop(
        "a", exact_quotient(nat(N), 32), lambda i: [loop("b", 32, lambda j: body(i, j), inner)], outer
    )
    assert loop_names(Block((nest,)), [], output) == names


@pytest.mark.parametrize(
    ("size_name", "called"),
    [("N", "n"), ("n", "i_n"), ("numRows", "num_rows"), ("Cols2D", "cols2_d"), ("ROWS", "rows")],
)
def test_names_of_sizes_in_mixed_case_keep_their_words(size_name: str, called: str) -> None:
    x, output = parameter("x", array(size(size_name))), parameter("output", array(size(size_name)))
    body = loop("a", size(size_name), lambda i: [assign(output.buffers[0], i, load(x.buffers[0], i))])
    assert loop_names(Block((body,)), [x], output) == [called]


def test_axes_of_numeric_sizes_are_called_after_their_position() -> None:
    output = parameter("output", array(4, 8))
    nest = loop(
        "a", 4, lambda i: [loop("b", 8, lambda j: [assign(output.buffers[0], i * 8 + j, number(1.0))])]
    )
    assert loop_names(Block((nest,)), [], output) == ["row", "column"]


def test_axes_of_equal_size_have_different_names() -> None:
    output = parameter("output", array(N, N))
    nest = loop(
        "a", N, lambda i: [loop("b", N, lambda j: [assign(output.buffers[0], i * N + j, number(1.0))])]
    )
    assert loop_names(Block((nest,)), [], output) == ["n_row", "n_column"]


def test_a_loop_over_a_temporary_is_named_like_a_loop_with_the_same_stride() -> None:
    output = parameter("output", array(N))
    t = Buffer("t", F32, nat(N), "Local", ())
    fill = loop("a", N, lambda i: [assign(t, i, number(0.0))])
    copy = loop("b", N, lambda i: [assign(output.buffers[0], i, load(t, i))])
    assert loop_names(Block((Allocate(t, (1,)), fill, copy)), [], output) == ["n", "n"]


def test_arrays_whose_rows_differ_have_no_axes() -> None:
    ragged = rise.parse("fun(rows: M.(N..(i |-> i.f32)) => rows)").main.type
    assert isinstance(ragged, FunType | DepFunType)
    while isinstance(ragged, DepFunType):
        ragged = ragged.result
    assert isinstance(ragged, FunType)
    given = parameter("rows", array(M))
    assert axes_of([replace(given, type=ragged.parameter)], parameter("output", array(N))).keys() == {
        parameter("output", array(N)).buffers[0]
    }


@pytest.mark.parametrize(("computes", "called"), [(False, "x_tile"), (True, "t")])
def test_copies_are_named_after_the_array(computes: bool, called: str) -> None:
    x, output = parameter("x", array(N)), parameter("output", array(N))
    t = Buffer("t", F32, const(1), "Local", ())
    value = load(x.buffers[0], 0)
    body = Block(
        (
            Allocate(t, (1,)),
            assign(t, 0, op("mul", value, value) if computes else value),
            assign(output.buffers[0], 0, load(t, 0)),
        )
    )
    assert names_for(body, [x], output)[t] == called


@pytest.mark.parametrize("target", ["openmp", "interpret", "cuda-sim"])
def test_arrays_of_empty_rows_have_names(target: str) -> None:
    """The elements of such an array have the distance 0, of which no other distance is a multiple."""
    e = rise.parse(
        "fun(xs: 16.K.f32 => xs |> map(map(neg)) |> take(2) |> drop(1) |> drop(1) |> transpose)"
    ).main
    assert shine.compile(e, target=target)(np.ones((16, 3), np.float32)).shape == (3, 0)
