"""Rows that loops keep, and in which order the numbers of a row are reduced."""

import numpy as np

import rise
import shine


def kernel(text: str) -> shine.Kernel:
    return shine.compile(rise.parse(f"fun(x: N.M.f32 => {text})").main, target="openmp", threads=1)


def test_short_rows_are_kept_on_the_stack() -> None:
    """A row that fits into a page is no allocation in a loop over rows."""
    text = "x |> map(fun(r => let e = r |> map(exp) in let t = e |> reduce(add, 0.0) in e |> map(fun(v => v / t))))"
    rows = kernel(text)
    assert "_near[1024];" in rows.source and "M <= 1024 ?" in rows.source
    for length in (1023, 1024, 1025, 3000):
        x = np.random.default_rng(length).standard_normal((2, length)).astype(np.float32)
        np.testing.assert_allclose(rows(x), np.exp(x) / np.exp(x).sum(axis=1, keepdims=True), rtol=1e-5)
