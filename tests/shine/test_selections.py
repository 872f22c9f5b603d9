"""The minimum and the maximum, and the k largest elements, on every target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
import shine
import strategies
from tests.examples import examples, in_whole
from tests.examples import some as some_of
from tests.shine.executors import agree, agree_lowered, compiled, in_turn, text_of

NUMBERS = some.sampled_from([-np.inf, -1.0, -0.0, 0.0, 2.0, np.inf, np.nan])


@given(some.lists(NUMBERS, min_size=1, max_size=8), some.sampled_from(["argmin", "argmax"]))
@settings(max_examples=examples(40), deadline=None)
def test_the_first_best_element_is_found_as_by_numpy(numbers: list[float], name: str) -> None:
    xs = np.array(numbers, np.float32)
    found = compiled(f"fun(xs: (1+N).f32 => {name}(xs))", "interpret", lower=True)(xs)
    assert found.shape == () and found.dtype == np.int64
    assert found == getattr(np, name)(xs)
    assert found == rise.evaluate(rise.parse(f"fun(xs: (1+N).f32 => {name}(xs))").main, xs)


NAN = np.float32("nan")
PROGRAMS: dict[str, tuple[str, list[Any]]] = {
    "of numbers": ("fun(xs: (1+N).f32 => argmax(xs))", [np.array([1, 5, 2, 5], np.float32)]),
    "of integers": ("fun(xs: (1+N).i32 => argmin(xs))", [np.array([3, -5, 2, -5], np.int32)]),
    "with one that is none": ("fun(xs: (1+N).f32 => argmin(xs))", [np.array([1, NAN, -7, NAN], np.float32)]),
    "of rows": (
        "fun(xs: M.(1+N).f32 => xs |> map(argmax))",
        [np.array([[1, 5], [7, 2], [3, 3]], np.float32)],
    ),
    "of what is computed": (
        "fun(xs: (1+N).f32 => xs |> map(fun(x => x * x)) |> argmax)",
        [np.array([1, -5, 2], np.float32)],
    ),
    "on the way": (
        "fun(xs: N.(i32, f32) => xs |> scan(greaterPair, pair(0, 0.0)))",
        [(np.arange(4, dtype=np.int32), np.array([1, 5, 2, 7], np.float32))],
    ),
    "as an index": ("fun(xs: (1+N).f32 => xs |> idx(argmax(xs)))", [np.array([1, 5, 2, 5], np.float32)]),
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(PROGRAMS), 2))
def test_every_target_finds_the_first_best_element(name: str, target: str) -> None:
    text, arguments = PROGRAMS[name]
    agree(text, *arguments, targets=(target,), lower=True)


@in_whole("test_every_target_finds_the_first_best_element")
@pytest.mark.parametrize("text", some_of(["argmin(xs)", "xs |> split(100) |> map(argmax)"], 2))
def test_a_gpu_finds_the_first_best_element_with_all_threads(text: str) -> None:
    """In parts several of which have the best element, or none, in any order of threads."""
    program = rise.parse(f"val f = fun(xs: (100 * (1+N)).f32 => {text})").main
    low = strategies.load(shine.TARGETS["cuda-sim"].strategy)(program).program
    assert "mapBlock" in rise.show(low) and "mapThreads" in rise.show(low)
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule="random:1")
    alike, none = np.random.default_rng(1).integers(0, 3, (2, 2500)).astype(np.float32)
    none[[1500, 1700, 2499]] = NAN
    for xs in (alike, none, alike[:100], np.full(300, NAN, np.float32)):
        np.testing.assert_array_equal(kernel(xs), rise.evaluate(program, xs))


#: each time the maximum of the elements after the previous one; equal elements are ordered by index
GREATEST = """
val isBehind = fun(p: (idx[N], f32), q: (idx[N], f32) =>
  snd(p) < snd(q) || (snd(p) == snd(q) && indexAsInt(fst(p)) > indexAsInt(fst(q))))
val main = fun({N: nat}, {K: nat}, xs: (1+N).f32 =>
  generate(fun(k: idx[K] => k))
  |> scan(fun(before: (bool, (idx[1+N], f32)), k =>
       pair(true, zip(generate(fun(i => i)), xs)
         |> reduceSeq(fun(best: (bool, (idx[1+N], f32)), p =>
              if (if fst(before) then isBehind(p, snd(before)) else true)
                 && (if fst(best) then isBehind(snd(best), p) else true)
              then pair(true, p) else best),
            pair(false, snd(before)))
         |> snd)),
     pair(false, pair((0 : idx[1+N]), xs |> idx(0))))
  |> map(snd))
"""


@given(some.lists(some.integers(-3, 3), min_size=3, max_size=9))
@settings(max_examples=examples(10), deadline=None)
def test_the_three_largest_elements_are_found_by_three_maxima(numbers: list[int]) -> None:
    xs = np.array(numbers, np.float32)
    order = np.argsort(-xs, kind="stable")[:3]
    for found in (
        rise.evaluate(rise.parse(GREATEST).main, xs, sizes={"K": 3}),
        compiled(GREATEST, "interpret", lower=True)(xs, sizes={"K": 3}),
    ):
        np.testing.assert_array_equal(found[0], order)
        np.testing.assert_array_equal(found[1], xs[order])


@in_whole("test_every_target_finds_the_first_best_element")
def test_every_target_finds_the_largest_elements() -> None:
    agree_lowered(GREATEST, np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], np.float32), sizes={"K": 4})


def test_an_empty_array_has_no_best_element() -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.evaluate(rise.parse("fun(xs: (1+N).f32 => argmax(xs))").main, np.zeros(0, np.float32))
    assert str(caught.value) == (
        "error[argument-type]: `xs`: expected (N + 1).f32, found shape (0,) of f32\n"
        "note: axis 0: no natural number makes N + 1 equal to 0"
    )


@pytest.mark.parametrize(("element", "is_compared"), [("i32", False), ("f32", True)])
def test_only_floats_are_compared_with_themselves(element: str, is_compared: bool) -> None:
    """Integers are equal to themselves; NaN is not."""
    text = f"fun(x: N.{element} => x |> mapSeq(fun(a => if a == a then a else neg(a))))"
    assert ("==" in text_of(text)) == is_compared
