"""Rows that loops store, and the order in which the numbers of a row are reduced."""

from collections.abc import Callable

import numpy as np
import pytest

import rise
import shine

SIZES = ((3, 0), (2, 1), (5, 15), (5, 16), (4, 17), (3, 100), (0, 7))


def kernel(text: str) -> shine.Kernel:
    return shine.compile(rise.parse(f"fun(x: N.M.f32 => {text})").main, target="openmp", threads=1)


def test_short_rows_are_kept_on_the_stack() -> None:
    """A row that fits into a page causes no allocation in a loop over rows."""
    text = "x |> map(fun(r => let e = r |> map(exp) in let t = e |> reduce(add, 0.0) in e |> map(fun(v => v / t))))"
    rows = kernel(text)
    assert "_near[1024];" in rows.source and "M <= 1024 ?" in rows.source
    for length in (1023, 1024, 1025, 3000):
        x = np.random.default_rng(length).standard_normal((2, length)).astype(np.float32)
        np.testing.assert_allclose(rows(x), np.exp(x) / np.exp(x).sum(axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "numpys"),
    [
        ("x |> map(reduce(add, 0.0))", lambda x: x.sum(axis=1)),
        (
            "x |> map(fun(r => r |> map(fun(v => v * v)) |> reduce(max, -inf)))",
            lambda x: (x * x).max(axis=1, initial=-np.inf),
        ),
    ],
    ids=["sums", "extremes"],
)
def test_rows_of_any_length_are_reduced_by_vectors(
    text: str, numpys: Callable[[np.ndarray], np.ndarray]
) -> None:
    rows = kernel(text)
    assert rows.source.count("#pragma omp simd") == 4  # whole vectors, the remainder, and two halves
    assert "[16]" in rows.source and "[8]" in rows.source and "[4]" in rows.source
    for shape in SIZES:
        x = np.random.default_rng(1).integers(-9, 9, shape).astype(np.float32)
        np.testing.assert_array_equal(rows(x), numpys(x))


def test_gathered_elements_are_not_read_by_masks() -> None:
    """The remainder of a row of gathered numbers is added one by one: compilers do not vectorise its conditions."""
    text = "fun(x: N.f32, rows: M.K.idx[N] => rows |> map(fun(r => r |> map(fun(i => idx(i, x))) |> reduce(add, 0.0))))"
    gathered = shine.compile(rise.parse(text).main, target="openmp", threads=1)
    assert "?" not in gathered.source and "K % 16" in gathered.source
    x, rows = np.arange(50, dtype=np.float32), np.arange(60).reshape(3, 20) % 50
    np.testing.assert_array_equal(gathered(x, rows), x[rows].sum(axis=1))


def test_all_reductions_of_a_stored_row_use_vectors() -> None:
    """A row that two loops read is stored, so that the values from which it is computed are computed once."""
    text = (
        "x |> map(fun(r => let top = r |> reduce(max, -inf) in r |> map(fun(v => exp(v - top)))))"
        " |> map(fun(r => let total = r |> reduce(add, 0.0) in r |> map(fun(v => v / total))))"
    )
    softmax = kernel(text)
    assert softmax.source.count("[16];") == 4
    x = np.random.default_rng(2).standard_normal((3, 21)).astype(np.float32)
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(softmax(x), weights / weights.sum(axis=1, keepdims=True), rtol=1e-5)
