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
from tests.examples import examples

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
