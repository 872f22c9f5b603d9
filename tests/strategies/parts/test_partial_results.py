"""Reductions of whole arrays with several partial results: blocks, their remainder, and all sizes."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elevate
import rise
import shine
from strategies.openmp import parallel
from tests.examples import examples, some

BLOCK = 128 * 32
SIZES = st.one_of(
    st.integers(0, 200), st.sampled_from([BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 33, 2 * BLOCK + 1])
)
REDUCTIONS = {
    "add": ("i64", "0i64", np.add),
    "mul": ("i64", "1i64", np.multiply),
    "max": ("f32", "-inf", np.maximum),
    "min": ("f32", "inf", np.minimum),
    "bitXor": ("i64", "0i64", np.bitwise_xor),
}


@cache
def kernel(name: str, size: str = "N") -> shine.Kernel:
    element, start, _ = REDUCTIONS[name]
    e = rise.parse(f"fun(xs: {size}.{element} => xs |> reduce({name}, {start}))").main
    lowered = parallel()(e)
    assert isinstance(lowered, elevate.Success)
    return shine.compile(lowered.program, target="openmp")


@given(name=st.sampled_from(sorted(REDUCTIONS)), size=SIZES, seed=st.integers(0, 9))
@settings(max_examples=examples(60), deadline=None)
def test_arrays_of_any_size_are_reduced(name: str, size: int, seed: int) -> None:
    element, start, function = REDUCTIONS[name]
    rng = np.random.default_rng(seed)
    xs = rng.integers(-9, 10, size).astype({"i64": np.int64, "f32": np.float32}[element])
    if element == "f32" and seed == 0 and size:
        xs[rng.integers(size)] = np.nan
    expected = function.reduce(xs, initial=float(start) if element == "f32" else int(start[0]))
    np.testing.assert_array_equal(kernel(name)(xs), expected)


def steps_one_by_one(source: str) -> list[str]:
    """The counts of the loops that update a single number."""
    lines = [line.strip() for line in source.splitlines()]
    return [
        loop.partition(" < ")[2].partition(";")[0]
        for loop, step in pairwise(lines)
        if loop.startswith("for ") and re.match(r"(\w+) = \1 \+", step)
    ]


@pytest.mark.parametrize("size", ["N", "1000", "5000"])
def test_the_remainder_of_blocks_has_partial_results(size: str) -> None:
    """Only the sums of blocks and partial results are added one by one."""
    counts = set(steps_one_by_one(kernel("add", size).source))
    assert "32" in counts and counts <= {f"N / {BLOCK}", "32"}, counts


def test_short_arrays_are_reduced_in_order() -> None:
    source = kernel("add", "40").source
    assert steps_one_by_one(source) == ["40"] and source.count("for ") == 1


def test_the_counts_of_loops_need_no_conditions() -> None:
    """The remainder of blocks consists of whole strips."""
    assert "where" not in kernel("add").source.splitlines()[0]


def test_sums_of_sums_have_partial_results_for_each() -> None:
    """Also for the remainder of the outer sum's blocks; otherwise each step of an inner sum would wait for the previous
    one.
    """
    rows = "x |> map(fun(r => zip(r, w) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0i64)))"
    lowered = parallel()(rise.parse(f"fun(x: N.M.i64, w: M.i64 => {rows} |> reduce(add, 0i64))").main)
    assert isinstance(lowered, elevate.Success)
    summed = shine.compile(lowered.program, target="openmp")
    assert not [count for count in steps_one_by_one(summed.source) if "M" in count]
    for n, m in ((0, 3), (1, 0), (31, 5), (65, 70), (BLOCK + 33, 17)):
        x, w = (np.random.default_rng(n).integers(-9, 10, shape) for shape in ((n, m), m))
        assert summed(x, w) == (x @ w).sum(), (n, m)


#: functions of lists of sums; each sum has partial results, wherever its list is read
OF_LISTS = {
    "each is divided": "[sum(x), sum(y)] |> map(fun(s => s / 2.0))",
    "two lists are zipped": "zip([sum(x), sum(y)], [sum(y), 1.0]) |> map(fun(p => fst(p) - snd(p)))",
    "lists of lists": "[[sum(x), 1.0], [2.0, sum(y)]] |> map(map(fun(s => s + 1.0)))",
    "joined to another": "concat([sum(x)], [sum(y)]) |> map(fun(s => s + 1.0))",
    "the greatest is chosen": "[sum(x), sum(y)] |> argmax",
    "named": "let s = [sum(x), sum(y)] in x |> map(fun(e => e * (s |> idx(0)) + (s |> idx(1))))",
    "named in a stored value": (
        "let s = (let t = sum(x) in toMem(Local, [t, t * t])) in y |> map(fun(e => e * (s |> idx(1))))"
    ),
    "of each row": "x |> split(1024) |> map(fun(r => [sum(r), sum(r) + 1.0] |> map(fun(s => s / 2.0))))",
}


@pytest.mark.parametrize("text", some(OF_LISTS.values(), 2), ids=some(OF_LISTS, 2))
def test_sums_in_lists_have_partial_results(text: str) -> None:
    """A sum of a list that a loop reads is computed before the loop, not one number after another in it."""
    unit = 1024 if "split" in text else 1
    sums = re.sub(r"sum\((\w)\)", r"reduce(add, 0.0, \1)", text)
    e = rise.parse(f"fun(x: ({unit} * N).f32, y: ({unit} * N).f32 => {sums})").main
    summed = shine.compile(e)
    assert not [count for count in steps_one_by_one(summed.source) if re.search(r"^N$|1024", count)]
    for n in (0, 1, 40, BLOCK + 33) if unit == 1 else (0, 3):
        x, y = np.random.default_rng(n).integers(-9, 10, (2, unit * n)).astype(np.float32)
        np.testing.assert_array_equal(summed(x, y), rise.evaluate(e, x, y), str(n))
