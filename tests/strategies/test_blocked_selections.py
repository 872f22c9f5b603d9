"""The best pair found by blocks is the first best one: with ties, zeros of both signs, NaN, and all kinds of sizes."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import elevate
import rise
import shine
from strategies.openmp import OutermostMaps, blockedSelection, parallel
from strategies.rules.argmin_argmax import argmaxAsReduce, argminAsReduce
from tests.examples import examples, some

PAIRS = {
    "first greatest": ("if fst(b) > fst(a) then b else a", "pair(-inf, -1i64)"),
    "first least": ("if fst(b) < fst(a) then b else a", "pair(inf, -1i64)"),
    "from NaN": ("if fst(b) > fst(a) then b else a", "pair(nan, -1i64)"),
    "from a number": ("if fst(b) < fst(a) then b else a", "pair(0.5, 7i64)"),
}
NUMBERS = st.sampled_from([-1.0, -0.0, 0.0, 1.0, 2.0, np.inf, -np.inf, np.nan]).map(np.float32)
XS = arrays(np.float32, st.integers(0, 40), elements=NUMBERS)


@cache
def kernel(text: str, size: int = 16, few: int = 4, expected: str = "skipUnless") -> tuple[rise.Expr, object]:
    e = rise.parse(text).main
    start = elevate.try_(elevate.topDown(argminAsReduce | argmaxAsReduce))
    blocked = (start >> OutermostMaps(blockedSelection(size, few, 2)) >> parallel())(e)
    assert isinstance(blocked, elevate.Success)
    rules = {str(step.rule) for step in blocked.steps}
    assert any(rule.startswith(expected) for rule in rules)
    return e, shine.compile(blocked.program, target="interpret")


def fold(name: str) -> str:
    step, start = PAIRS[name]
    return (
        f"val main = fun(xs: N.f32 => zip(xs, generate(fun(i => indexAsInt(i))))"
        f" |> reduce(fun(a: (f32, i64), b: (f32, i64) => {step}), {start}))"
    )


def test_the_best_element_of_a_block_is_found_by_halving() -> None:
    """Not by comparing 32 partial results one after the other, which takes longer than the block."""
    lowered = parallel()(rise.parse("fun(xs: (1+N).f32 => argmax(xs))").main)
    assert isinstance(lowered, elevate.Success)
    source = shine.compile(lowered.program, target="openmp").source
    counts = re.findall(r"< (\d+); \w+\+\+\) {\n +(\w+) = max_f32\(\2, ", source)
    assert {count for count, _ in counts} == {"4"}


@pytest.mark.parametrize("name", some(PAIRS, 2))
@given(xs=XS)
@settings(max_examples=examples(30))
def test_a_selection_by_blocks_finds_the_first_best_element(name: str, xs: np.ndarray) -> None:
    e, blocked = kernel(fold(name))
    for found, expected in zip(blocked(xs), rise.evaluate(e, xs), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", some(["argmin", "argmax"], 2))
@given(xs=XS.filter(len))
@settings(max_examples=examples(30))
def test_an_index_by_blocks_agrees_with_numpy(name: str, xs: np.ndarray) -> None:
    _, blocked = kernel(f"val main = fun(xs: (1 + N).f32 => {name}(xs))")
    assert blocked(xs) == getattr(np, name)(xs)


@pytest.mark.parametrize("name", some(["argmin", "argmax"], 2))
@given(xs=arrays(np.float32, st.integers(1, 400), elements=NUMBERS), is_sorted=st.booleans())
@settings(max_examples=examples(30))
def test_an_index_by_blocks_that_are_searched_agrees_with_numpy(
    name: str, xs: np.ndarray, is_sorted: bool
) -> None:
    """Blocks of a hundred numbers are searched in vectors if they contain a better number."""
    xs = np.sort(xs) if is_sorted else xs
    _, blocked = kernel(f"val main = fun(xs: (1 + N).f32 => {name}(xs))", 200, 100, "skipOrSearch")
    assert blocked(xs) == getattr(np, name)(xs)


@pytest.mark.parametrize(
    "text",
    some(
        [
            "fun(x: N.f32 => x |> scan(add, 0.0) |> map(exp) |> reduce(max, 0.0))",
            "fun(x: (1+N).f32 => x |> scan(add, 0.0) |> argmax)",
            "fun(x: M.(1+N).f32 => x |> map(fun(r => r |> scan(add, 0.0) |> argmin)))",
            "fun(x: (1+N).f32, y: K.f32 =>"
            " x |> map(fun(a => y |> map(sub(a)) |> scan(mul, 1.0) |> reduce(max, 0.0))) |> argmin)",
            "fun(p: K.idx[64] =>"
            " scatterAdd(p, generate(fun(i: idx[K] => 1)), generate(fun(i: idx[64] => 0))) |> argmax)",
        ],
        2,
    ),
)
def test_values_that_several_loops_read_are_computed_once(text: str) -> None:
    """The loops into which a reduction or a selection is split."""
    lowered = parallel()(rise.parse(text).main)
    assert isinstance(lowered, elevate.Success)
    shown = rise.show(lowered.program)
    assert shown.count("scanSeq") + shown.count("scatterAddSeq") == 1
