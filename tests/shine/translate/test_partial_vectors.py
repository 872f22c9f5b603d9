"""Vectors of which only the first lanes are in an array, and vectors that span two others: correct, and short in C."""

from itertools import product

import numpy as np
import pytest

import shine
from tests.examples import some
from tests.shine.executors import agree, text_of
from tests.shine.translate.interpretation import program

EDGE = """fun(xs: N.f32 => xs |> padEmpty(4 * ceil(N, 4) - N) |> asVector(4) |> mapSeq(fun(x => x * x))
  |> asScalar |> take(N))"""
AHEAD = """fun(xs: (N+2).vec[4, f32] => xs |> rotateValues(2, id) |> iterateStream(fun(w =>
  w |> asScalar |> drop(k) |> take(4) |> asVector(4) |> idx(0))))"""


@pytest.mark.parametrize("size", range(10))
def test_the_last_vector_may_be_partial(size: int) -> None:
    agree(EDGE, np.arange(size, dtype=np.float32), targets=("interpret", "openmp"))


def test_the_edge_is_one_call_and_one_loop() -> None:
    source = text_of(program(EDGE))
    assert "load_first_f32x4(&xs[n_block * 4], N - n_block * 4)" in source
    assert source.count("output[") == 2
    assert "if (n_block * 4 + 3 < N) {" in source


@pytest.mark.parametrize("k", some(range(5), 2))
def test_a_vector_that_spans_two_others_is_combined(k: int) -> None:
    text = AHEAD.replace("drop(k)", f"drop({k})")
    xs = np.arange(20, dtype=np.float32).reshape(5, 4)
    agree(text, xs, targets=("interpret", "openmp"))
    found = shine.compile(program(text), target="openmp")
    np.testing.assert_array_equal(found(xs), xs.ravel()[k : k + 16].reshape(4, 4))
    assert (f"from_{k}_f32x4(" in found.source) == (0 < k < 4)


#: vectors of the numbers of other vectors, which are gathered from an array where they are read
OF_VECTORS = {
    "behind each other": "xs |> asVector(4) |> asScalar |> drop(k) |> take(8) |> asVector(4) |> asScalar",
    "shorter ones": "xs |> asVector(4) |> asScalar |> drop(k) |> take(8) |> asVector(2) |> asScalar",
    "padded ones": "xs |> take(10) |> padEmpty(2) |> asVector(4) |> asScalar |> drop(k) |> take(4) |> asVector(4)"
    " |> asScalar",
    "in windows": "xs |> asVector(4) |> slide(2, 1) |> map(fun(two: 2.vec[4, f32] =>"
    " two |> asScalar |> drop(k) |> take(4) |> asVector(4) |> idx(0))) |> asScalar",
    "three times": "xs |> asVector(4) |> asScalar |> drop(1) |> take(8) |> asVector(2) |> asScalar"
    " |> drop(k) |> take(4) |> asVector(4) |> asScalar",
    "of sums": "xs |> asVector(4) |> map(fun(v => v + v)) |> asScalar |> drop(k) |> take(8) |> asVector(4) |> asScalar",
}


@pytest.mark.parametrize(("name", "k"), some(product(OF_VECTORS, range(5)), 10))
def test_lanes_of_vectors_of_vectors_are_told_apart(name: str, k: int) -> None:
    text = f"fun(xs: 12.f32 => {OF_VECTORS[name].replace('drop(k)', f'drop({k})')} |> mapSeq(fun(x => x)))"
    agree(text, np.arange(1, 13, dtype=np.float32), targets=("interpret", "openmp"))
