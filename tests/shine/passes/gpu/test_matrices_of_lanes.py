"""Matrices in registers, to which fragments are stored: each lane only reads the numbers that it holds."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from rise.hardware import INSTRUCTIONS, MatrixInstruction
from rise.naturals import const
from rise.types import F32
from shine.imperative.nodes import Buffer
from shine.passes.gpu.distribute_matrices import Layout

#: the instructions whose record says which sums a lane holds
DOCUMENTED = [one for one in INSTRUCTIONS.values() if one.coordinates is not None]

#: the sums of one warp, kept in registers and read in various ways
TEXT = """val main = fun(a: M.16.f16, b: 16.N.f16 =>
  tensorMatMulAdd(toMem(Local, asFragmentA(a)), toMem(Local, asFragmentB(b)), toMem(Local, generateFragment(0.0)))
  |> toMem(Local) |> asMatrix |> toMem(Local) |> READ)"""
#: lane 4 g + t reads columns 2 t and 2 t + 1 of rows g and g + 8
IN_LANES = """split(8) |> map(map(split(2))) |> transpose |> map(transpose) |> join
  |> mapLane(0, mapSeqUnroll(mapSeqUnroll(fun(x: f32 => cast{f64}(x)))))
  |> split(4) |> map(transpose) |> transpose |> map(map(join)) |> join"""


def compiled(read: str, rows: int = 16, columns: int = 8) -> shine.Kernel:
    text = TEXT.replace("READ", read).replace("M.16", f"{rows}.16").replace("16.N", f"16.{columns}")
    return shine.compile(rise.parse(text).main, target="cuda-sim", check=True)


def refused(read: str, rows: int = 16, columns: int = 8) -> str:
    with pytest.raises(RiseError) as caught:
        compiled(read, rows, columns)
    return str(caught.value)


def test_lanes_read_the_numbers_that_they_hold() -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((16, 16), (16, 8)))
    kernel = compiled(IN_LANES)
    np.testing.assert_array_equal(kernel(a, b), a.astype(np.float64) @ b.astype(np.float64))
    assert "float stored[4]" in kernel.source and "__shared__" not in kernel.source


@pytest.mark.parametrize("one", DOCUMENTED, ids=lambda one: one.name)
def test_the_lane_that_holds_an_element_is_found(one: MatrixInstruction) -> None:
    """In two matrices beside each other, of which a lane keeps the numbers one after the other."""
    sums = one.coordinates_of("Accum")
    assert sums is not None
    buffer = Buffer("sums", F32, const(2 * one.m * one.n), "Local", None)
    layout = Layout(buffer, one.m, one.n, const(2 * one.n), sums)
    for lane in range(0, 32, 5):
        for number in range(one.elements_of("Accum")):
            row, column = sums.place(lane, number)
            for matrix in range(2):
                found = layout.find(const(row * 2 * one.n + matrix * one.n + column))
                assert found == (const(lane), const(matrix * one.elements_of("Accum") + number))


@pytest.mark.parametrize("read", ["mapSeq(mapSeq(fun(x: f32 => x)))", "mapLane(0, mapSeq(fun(x: f32 => x)))"])
def test_reading_numbers_of_other_lanes_is_rejected(read: str) -> None:
    message = refused(read)
    assert "error[registers]: expected each lane to read its own numbers of the matrix" in message
    assert (
        "hint: read them as `inLanes` orders them, or keep it in shared memory with `toMem(Shared)`"
        in message
    )


def test_fragments_with_unknown_lanes_are_rejected() -> None:
    message = refused(IN_LANES.replace("split(4)", "split(8)"), columns=16)
    assert "expected a fragment whose lanes hold known numbers, to keep it in registers, found" in message
    assert "choose the shape of an `mma.sync`, such as 16 x 8 x 16" in message


def test_other_values_in_registers_of_fragments_are_rejected() -> None:
    text = """val main = fun(a: 16.16.f16, b: 16.8.f16, c: 16.8.f32 => concat(
      tensorMatMulAdd(toMem(Local, asFragmentA(a)), toMem(Local, asFragmentB(b)), toMem(Local, generateFragment(0.0)))
        |> toMem(Local) |> asMatrix,
      c |> mapSeq(mapSeq(fun(x: f32 => x)))) |> toMem(Local) |> mapSeq(mapSeq(fun(x: f32 => x))))"""
    with pytest.raises(RiseError) as caught:
        shine.compile(rise.parse(text).main, target="cuda-sim")
    assert "expected fragments to be all that is stored in the registers" in str(caught.value)
