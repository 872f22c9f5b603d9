"""Loops that are unrolled and jammed compute the same numbers, in the same order, by shared inner loops."""

import numpy as np
import pytest

import rise
import shine
from tests.examples import THOROUGH

#: several sums, one after the other, of which later ones ask for earlier ones; then a loop that stores
NORMALISED = """
val main = fun(xs: N.M.f32 => xs |> transpose |> mapPar(fun(column =>
  let middle = (column |> reduceSeq(add, 0.0)) / 8.0
  let spread = (column |> reduceSeq(fun(acc, x => let d = x - middle in acc + d * d), 1.0)) * middle
  let twice = spread + middle
  in column |> mapSeq(fun(x => (x - middle) / twice + spread)))) |> transpose |> unrollAndJam)
"""
#: one sum, and what is done with it
SUMS = (
    "val main = fun(xs: N.M.f32 =>"
    " xs |> transpose |> mapPar(fun(c => c |> reduceSeq(add, 1.0) |> sqrt)) |> unrollAndJam)"
)
#: rows are no neighbours in memory
ROWS = "val main = fun(xs: N.M.f32 => xs |> mapPar(fun(row => row |> reduceSeq(add, 0.0))) |> unrollAndJam)"
SHAPES = [(1, 1), (5, 31), (5, 32), (9, 70), (0, 40), (3, 0), (40, 129)]


def kernel(text: str, together: bool) -> shine.Kernel:
    return shine.compile(rise.parse(text).main, target="openmp", together=together)


@pytest.mark.parametrize("text", [NORMALISED, SUMS, ROWS], ids=["several", "one", "rows"])
def test_no_number_changes(text: str) -> None:
    apart, together = kernel(text, False), kernel(text, True)
    for shape in SHAPES if THOROUGH else SHAPES[-4:]:
        xs = np.abs(np.random.default_rng(3).standard_normal(shape)).astype(np.float32)
        np.testing.assert_array_equal(together(xs), apart(xs))


@pytest.mark.parametrize(("text", "loops"), [(NORMALISED, 3), (SUMS, 1), (ROWS, 0)])
def test_inner_loops_run_once_for_a_block(text: str, loops: int) -> None:
    source = kernel(text, True).source
    body = source[source.index("int kernel") :]
    assert ("_block" in body) == (loops > 0)
    block = body[: body.index("% 32")] if loops else ""
    assert block.count("< N;") == loops


def test_what_later_loops_ask_for_is_computed_once_a_turn() -> None:
    source = kernel(NORMALISED, True).source
    block = source[source.index("_block") : source.index("% 32")]
    assert block.count("/ 8.0f") == 1
