"""Lowering by position: what becomes a loop, what is stored, what stays a view.

Depends on texts and their lowered form.
"""

from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Success
from rise.primitives import with_trait
from strategies.rules.lowering import etaAbstractionFold
from strategies.vocabulary.traversals import FOLDS, SCANS
from tests.examples import some

LOWERED = [
    # A map of pairs is a loop, although a pair is a view.
    ("fun(a: f32, xs: 3.f32 => xs |> map(fun(x => pair(a * x, x))))", ["mapSeq"], 1, 0),
    # So is a map of views; what is only read is copied.
    ("fun(xs: 4.6.f32 => xs |> map(split(2)))", ["mapSeq"], 2, 0),
    # Values that a window reads repeatedly are stored.
    ("fun(xs: 6.f32 => xs |> map(fun(x => x * x)) |> slide(3, 1) |> map(reduce(add, 0.0)))", ["toMem"], 2, 1),
    # Unless computing them again is as cheap as loading them.
    (
        "fun(xs: 6.f32 => generate(fun(i: idx[6] => cast{f32}(indexAsInt(i)))) |> slide(3, 1)"
        " |> map(reduce(add, 0.0)))",
        ["mapSeq"],
        1,
        0,
    ),
    # Values that are read once are computed on demand.
    ("fun(xs: 6.f32 => xs |> map(fun(x => x * x)) |> reduce(add, 0.0))", ["reduceSeq"], 0, 0),
    # A named array is stored, once.
    ("fun(xs: 4.f32 => let(map(fun(x => x + x), xs), fun(ys => zip(ys, ys) |> map(mul))))", ["toMem"], 2, 1),
]


@pytest.mark.parametrize(("text", "names", "loops", "stored"), LOWERED)
def test_loops_and_memory_are_placed_where_they_are_needed(
    text: str, names: list[str], loops: int, stored: int
) -> None:
    e = rise.parse(text).main
    low = strategies.load("strategies.sequential:sequential")(e).program
    shown = rise.show(low)
    assert all(name in shown for name in names)
    assert (shown.count("mapSeq("), shown.count("toMem(")) == (loops, stored)
    assert_same(e, low)


TWO = "fun(k: 3.f32, x: 5.f32 => k |> reduceSeq(fun(s: (5.f32, 5.f32), c => {}), pair(x, x)))"
STEP = "pair(zip(fst(s), snd(s)) |> map(fun(p => fst(p) * c + snd(p))), fst(s))"
NESTED = f"k |> reduceSeq(fun(s: (5.f32, 5.f32), c => {STEP}), s)"


@pytest.mark.parametrize(
    ("step", "loops"), some([(STEP, 1), (NESTED, 2)], 2), ids=some(["one loop", "a loop in a loop"], 2)
)
def test_a_loop_over_several_arrays_runs_once_for_all_of_them(step: str, loops: int) -> None:
    e = rise.parse(TWO.format(step)).main
    for strategy in ("sequential:sequential", "openmp:parallel", "gpu:blocksAndThreads"):
        low = strategies.load(f"strategies.{strategy}")(e).program
        assert rise.show(low).count("reduceSeq(") == loops
    x, k = np.arange(5, dtype=np.float32), np.array([1, 2, 1], np.float32)
    expected = rise.evaluate(e, k, x)
    found = shine.compile(strategies.load("strategies.openmp:parallel")(e).program)(k, x)
    assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))


def assert_same(e: rise.Expr, low: rise.Expr) -> None:
    rng = np.random.default_rng(1)
    arguments: list[Any] = []
    t = e.type
    while hasattr(t, "parameter"):
        shape = [int(n) for n in str(t.parameter).split(".")[:-1]]
        arguments.append(rng.integers(0, 9, shape).astype(np.float32) if shape else np.float32(3))
        t = t.result
    expected = rise.evaluate(e, *arguments)
    for target in ("interpret", "openmp"):
        found = shine.compile(low, target=target)(*arguments)
        for one, other in zip(np.atleast_1d(found), np.atleast_1d(expected), strict=True):
            assert np.array_equal(one, other)


def test_elements_that_windows_read_repeatedly_are_gathered_once() -> None:
    e = rise.parse(
        "val main = fun(places: 9.idx[6], xs: 6.f32 => gather(places, xs) |> slide(3, 1) |> map(reduce(add, 0.0)))"
    ).main
    low = strategies.load("strategies.openmp:parallel")(e).program
    assert rise.show(low).count("toMem(") == 1
    places, xs = np.arange(9) * 5 % 6, np.arange(6, dtype=np.float32)
    for target in ("interpret", "openmp"):
        found = shine.compile(low, target=target)(places, xs)
        np.testing.assert_array_equal(found, rise.evaluate(e, places, xs))


IN_PARALLEL_LOOPS = [
    "fun(a: N.f32 => generate(fun(i: idx[4] => [a |> map(sqrt), a |> map(abs)] |> gather([1, 0]))))",
    "fun(a: N.f32 => generate(fun(i: idx[4] => [a |> map(sqrt), a |> map(abs)] |> gather([1, 0])"
    " |> map(map(mul([a, a] |> join |> reduce(add, 0.0)))))))",
    "fun(a: N.f32 => generate(fun(i: idx[N] => a |> map(sqrt) |> padClamp(1, 1) |> slide(3, 1) |> map(reduce(add, 0.0))"
    " |> reduce(max, 0.0))))",
    "fun(a: N.f32 => a |> map(fun(x => generate(fun(i: idx[3] => a |> map(mul(x)) |> slide(1, 1) |> join)))))",
]


@pytest.mark.parametrize("text", some(IN_PARALLEL_LOOPS, 2))
def test_values_that_a_parallel_loop_needs_are_computed_by_one_thread(text: str) -> None:
    e = rise.parse(text).main
    low = strategies.load("strategies.openmp:parallel")(e).program
    xs = np.array([4, 9, 16], np.float32)
    expected = rise.evaluate(e, xs)
    for target in ("interpret", "openmp"):
        np.testing.assert_array_equal(shine.compile(low, target=target)(xs), expected)


@pytest.mark.parametrize("name", sorted((FOLDS | SCANS) & with_trait("loops")))
def test_the_function_of_any_fold_or_scan_is_eta_expanded(name: str) -> None:
    e = rise.parse_expr(f"{name}(f, 0.0, xs)", {"f": "f32 -> f32 -> f32", "xs": "4.f32"})
    result = etaAbstractionFold(e)
    assert isinstance(result, Success)
    assert rise.show(result.program) == f"xs |> {name}(fun(x: f32, x1: f32 => f(x, x1)), 0.0)"


@pytest.mark.parametrize(
    "part", some(["drop(3)", "map(take(2)) |> transpose", "transpose |> drop(1) |> transpose"], 3)
)
def test_only_the_part_of_an_array_that_is_needed_is_copied(part: str) -> None:
    program = rise.parse(f"fun(xs: 5.4.f32 => xs |> {part})").main
    low = strategies.load("strategies.sequential:sequential")(program).program
    shown = rise.show(low)
    assert max(shown.find("drop("), shown.find("take(")) < shown.index("mapSeq(")
    assert_same(program, low)
