"""Rows that may be short: several are reduced together if the number of their elements, known at run time, is small."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies.openmp import parallel
from tests import required_tools

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
DOT = "map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"
SINGLE, PAIR = "rowsBySize", "pairedRowsBySize"


def times_vector(size: str = "M") -> rise.Expr:
    return rise.parse(f"fun(x: N.{size}.f32, v: {size}.f32 => x |> map(fun(r => zip(r, v) |> {DOT})))").main


def choices(e: rise.Expr) -> set[str]:
    result = parallel()(e)
    assert isinstance(result, Success)
    return {name.split("(")[0] for name in (step.rule.name for step in result.steps)} & {SINGLE, PAIR}


@pytest.mark.parametrize(
    ("size", "found"), [("M", {SINGLE}), ("3", set()), ("(M+8)", {SINGLE}), ("(M+9)", set()), ("100", set())]
)
def test_the_rules_depend_on_the_number_of_elements(size: str, found: set[str]) -> None:
    assert choices(times_vector(size)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"fun(x: N.M.f32, y: N.M.f32 => zip(x, y) |> map(fun(p => zip(fst(p), snd(p)) |> {DOT})))", {PAIR}),
        ("fun(x: N.M.f32 => x |> map(fun(r => sqrt(reduce(add, 0.0, r)) * 2.0)))", {SINGLE}),
        # the channels of each pixel, the rows of a scaled argument, results with one element each
        ("fun(x: N.M.K.f32 => x |> map(map(reduce(add, 0.0))))", {SINGLE}),
        (
            "fun(x: N.M.f32 => x |> map(fun(r => r |> map(fun(y => y * y)) |> reduce(add, 0.0))) |> split(1))",
            {SINGLE},
        ),
        # products of matrices, windows, columns
        (f"fun(x: N.K.f32, y: M.K.f32 => x |> map(fun(r => y |> map(fun(c => zip(r, c) |> {DOT})))))", set()),
        (
            "fun(x: (N+M).f32, v: (M+1).f32 => x |> slide(M + 1, 1) |> map(fun(r => zip(r, v) |> "
            + DOT
            + ")))",
            set(),
        ),
        ("fun(x: N.M.f32 => transpose(x) |> map(reduce(add, 0.0)))", set()),
        # two reductions of a row, one of another reduction's results, and of rows that another loop computes
        ("fun(x: N.M.f32 => x |> map(fun(r => reduce(add, 0.0, r) * reduce(mul, 1.0, r))))", set()),
        ("fun(x: N.M.K.f32 => x |> map(fun(m => m |> map(reduce(add, 0.0)) |> reduce(max, 0.0))))", set()),
        ("fun(x: N.M.f32 => x |> map(fun(r => scan(add, 0.0, r) |> reduce(max, 0.0))))", set()),
        ("fun(x: N.M.f32 => x |> map(fun(r => slide(3, 1, r) |> map(reduce(add, 0.0)))))", set()),
    ],
)
def test_only_single_reductions_of_rows_have_two_versions(text: str, found: set[str]) -> None:
    assert choices(rise.parse(text).main) == found


@needs_openmp
@pytest.mark.parametrize("threads", [1, None])
def test_rows_of_any_length_are_correct(threads: int | None) -> None:
    kernel = shine.compile(times_vector(), threads=threads)
    rng = np.random.default_rng(5)
    for n in (0, 1, 31, 32, 33, 70):
        for m in (0, 1, 3, 8, 9, 16, 21):
            x, v = rng.integers(-4, 5, (n, m)).astype(np.float32), rng.integers(-4, 5, m).astype(np.float32)
            np.testing.assert_array_equal(kernel(x, v), x @ v, str(x.shape))
    lines = kernel.source.splitlines()
    along = next(i for i, line in enumerate(lines) if "m < M" in line)
    assert "n < 32" in lines[along + 1]  # the elements at the same position of 32 rows
