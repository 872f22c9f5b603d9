"""Inputs for which programs differ are found, and none for programs that compute the same up to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from cases.case_files import Case
from shine.front.step_search import search
from tests.cases.stages import CASES, lowered, program
from tests.examples import some

#: pairs of programs that differ
DIFFERENT = [
    ("fun(xs: N.f32 => xs |> map(neg))", "fun(xs: N.f32 => xs)"),
    ("fun(xs: N.N.f32 => transpose(xs))", "fun(xs: N.N.f32 => xs)"),
    ("fun(xs: N.f32 => xs |> reduce(add, 0.0))", "fun(xs: N.f32 => xs |> reduce(add, 1.0))"),
    (
        "fun(xs: N.i8, y: i8 => xs |> map(fun(x => x / y)))",
        "fun(xs: N.i8, y: i8 => xs |> map(fun(x => y / x)))",
    ),
    ("fun(x: f64, b: bool => if b then x else 0.0)", "fun(x: f64, b: bool => if b then 0.0 else x)"),
    ("fun(xs: N.c64 => xs)", "fun(xs: N.c64 => xs |> map(conj))"),
    (
        "fun(xs: (8*N).f32 => xs |> split(8) |> map(reduce(add, 0.0)))",
        "fun(xs: (8*N).f32 => xs |> split(N) |> transpose |> map(reduce(add, 0.0)))",
    ),
    ("fun(xs: (1 + N).f32 => argmin(xs))", "fun(xs: (1 + N).f32 => argmax(xs))"),
    (
        "fun(xs: N.f32, is: M.idx[N] => gather(is, xs))",
        "fun(xs: N.f32, is: M.idx[N] => gather(is, xs) |> map(abs))",
    ),
]


@pytest.mark.parametrize(("before", "after"), some(DIFFERENT, 2), ids=str)
def test_different_programs_are_told_apart(before: str, after: str) -> None:
    found = search(rise.parse(before).main, rise.parse(after).main)
    assert found.is_wrong
    seen: dict[str, Any] = {}
    exec(found.code, seen)
    assert not np.array_equal(np.asarray(seen["before"]), np.asarray(seen["after"]))


@pytest.mark.parametrize("case", some(CASES, 20, first=7), ids=str)
def test_a_lowered_case_is_not_told_apart(case: Case) -> None:
    found = search(program(case), lowered(case, "openmp"))
    assert not found.is_wrong, found.code


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "fun(xs: N.f32 => xs |> reduce(add, 0.0))",
            "fun(xs: N.f32 => xs |> map(fun(x => x * 1.0)) |> reduce(add, 0.0))",
        ),
        ("fun(x: f16 => exp(x) * exp(x))", "fun(x: f16 => exp(x + x))"),
        (
            "fun(xs: N.f32 => xs |> padEmpty(2) |> map(neg))",
            "fun(xs: N.f32 => xs |> map(neg) |> padCst(0, 2, 1.0))",
        ),
    ],
    ids=str,
)
def test_rounding_and_unspecified_elements_are_no_difference(before: str, after: str) -> None:
    found = search(rise.parse(before).main, rise.parse(after).main)
    assert found.inputs and not found.is_wrong
