"""Loops over joined rows run row by row: the same numbers, in the same order, and without dividing indices."""

import numpy as np
import pytest

import rise
import shine
from tests.examples import THOROUGH

#: the sum of each joined matrix
SUMS = (
    "val main = fun(xs: N.M.K.f32 => xs |> mapPar(fun(m => join(m) |> reduceSeq(add, 1.0))) |> unjoinLoops)"
)
#: three axes
DEEP = (
    "val main = fun(xs: N.M.K.f32 =>"
    " xs |> map(transpose) |> map(join) |> join |> mapSeq(fun(x => x * x)) |> unjoinLoops)"
)
#: windows of three numbers in each of C rows, joined
WINDOWS = (
    "val main = fun(weights: C.3.f32, rows: C.(N + 3).f32 => rows |> map(slide(3, 1)) |> transpose"
    " |> mapPar(fun(w => zip(join(weights), join(w)) |> reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0)))"
    " |> unrollAndJam |> unjoinLoops)"
)
SHAPES = [(1, 1, 1), (3, 5, 7), (2, 0, 4), (0, 3, 2), (4, 1, 9), (2, 33, 40)]


def kernel(text: str, together: bool) -> shine.Kernel:
    return shine.compile(rise.parse(text).main, target="openmp", together=together)


def body_of(text: str, together: bool) -> str:
    source = kernel(text, together).source
    return source[source.index("int kernel") :]


@pytest.mark.parametrize("text", [SUMS, DEEP], ids=["sums", "deep"])
def test_results_do_not_change(text: str) -> None:
    joined, apart = kernel(text, False), kernel(text, True)
    for shape in SHAPES if THOROUGH else SHAPES[1:]:
        xs = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
        np.testing.assert_array_equal(apart(xs), joined(xs))


def test_short_rows_are_unjoined_if_loops_are_jammed() -> None:
    joined, apart = kernel(WINDOWS, False), kernel(WINDOWS, True)
    for many, size in [(1, 3), (4, 40), (0, 35), (3, 100)]:
        rng = np.random.default_rng(3)
        weights, rows = (rng.standard_normal((many, n)).astype(np.float32) for n in (3, size))
        np.testing.assert_array_equal(apart(weights, rows), joined(weights, rows))
    block = body_of(WINDOWS, True)
    assert "weights_column / 3 " in body_of(WINDOWS, False)
    assert "weights_column / 3 " not in block[: block.index("% 32")]


def test_no_index_is_divided() -> None:
    assert " / " in body_of(DEEP, False)
    assert " / " not in body_of(DEEP, True)


def test_loops_whose_indices_are_not_divided_are_unchanged() -> None:
    assert body_of(SUMS, True) == body_of(SUMS, False)
