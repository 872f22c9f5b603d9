"""Searches of rows in vectors find the first best number: with ties, zeros of both signs, NaN, and rows of any size."""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elevate
import rise
import shine
from rise.analysis.strides import reductions
from rise.naturals import UNIT
from strategies.openmp import parallel
from strategies.parts.searches import FEWEST_IN_VECTORS
from tests.examples import examples, some

FLOATS = [-1.0, -0.0, 0.0, 1.0, 2.0, np.inf, -np.inf, np.nan]
NUMBERS: dict[str, list[Any]] = {
    "f32": FLOATS,
    "f64": FLOATS,
    "i32": [-(2**31), -1, 0, 2**31 - 1],
    "u8": [0, 1, 255],
}
TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "u8": np.uint8}
LENGTHS = st.one_of(st.integers(1, 12), st.sampled_from([31, 32, 33, 64, 100]))


@cache
def lowered(text: str) -> elevate.Success[Any]:
    found = parallel()(rise.parse(text).main)
    assert isinstance(found, elevate.Success)
    return found


@cache
def kernel(text: str, target: str = "openmp") -> shine.Kernel:
    return shine.compile(lowered(text).program, target=target)


def rules(text: str) -> set[str]:
    return {str(step.rule) for step in lowered(text).steps}


def rows(name: str, element: str, columns: str = "1+M") -> str:
    return f"fun(x: N.({columns}).{element} => x |> map(fun(row => {name}(row))))"


@given(
    name=st.sampled_from(["argmin", "argmax"]),
    element=st.sampled_from(sorted(NUMBERS)),
    length=LENGTHS,
    data=st.data(),
)
@settings(max_examples=examples(60), deadline=None)
def test_the_index_agrees_with_numpy(name: str, element: str, length: int, data: st.DataObject) -> None:
    numbers = st.lists(st.sampled_from(NUMBERS[element]), min_size=length, max_size=length)
    xs = np.array([data.draw(numbers) for _ in range(3)], TYPES[element])
    np.testing.assert_array_equal(kernel(rows(name, element))(xs), getattr(np, name)(xs, axis=1))


@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_the_index_of_the_interpreter_agrees_with_numpy(name: str) -> None:
    xs = np.random.default_rng(0).integers(0, 9, (5, 70)).astype(np.float32)
    xs[2, 40] = np.nan
    found = kernel(rows(name, "f32"), "interpret")(xs)
    np.testing.assert_array_equal(found, getattr(np, name)(xs, axis=1))


def test_rows_of_any_size_have_two_versions() -> None:
    text = rows("argmax", "f32")
    assert f"argmaxAsNarrowSearch({FEWEST_IN_VECTORS - 1})" in rules(text)
    assert f"{FEWEST_IN_VECTORS - 1} <= M" in kernel(text).source
    text = rows("argmax", "f64")
    assert {f"argmaxBySize({FEWEST_IN_VECTORS - 1})", "argmaxAsSearch"} <= rules(text)
    assert f"M < {FEWEST_IN_VECTORS - 1}" in kernel(text).source


@pytest.mark.parametrize(("element", "columns"), some(product(("f32", "i32"), ("1+M", "100", "100+M")), 2))
def test_indices_of_32_bit_numbers_have_32_bits(element: str, columns: str) -> None:
    """Rows too long for 32-bit indices are searched one by one, unless the size is known; only floats may be NaN."""
    source = kernel(rows("argmax", element, columns)).source
    assert "int32_t minima[32]" in source and "int64_t minima" not in source
    assert ("2147483647LL" in source) == ("M" in columns)
    assert source.count("int32_t minima[32]") == (2 if element == "f32" else 1)


@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_the_first_nan_is_found_among_infinite_numbers(name: str) -> None:
    for at in (0, 31, 32, 95, 99):
        xs = np.full((2, 100), np.inf, np.float32)
        xs[:, 3] = -np.inf
        xs[0, [at, 99]] = np.nan
        np.testing.assert_array_equal(kernel(rows(name, "f32"))(xs), getattr(np, name)(xs, axis=1))


@pytest.mark.parametrize(("columns", "is_searched"), [("100", True), ("20", False)])
def test_rows_of_a_known_size_have_one_version(columns: str, is_searched: bool) -> None:
    found = rules(rows("argmin", "f64", columns))
    assert ("argminAsSearch" in found) == is_searched
    assert not any(rule.startswith("argminBySize") for rule in found)


@pytest.mark.parametrize(
    "text",
    [
        "fun(x: (1+N).M.f32 => x |> transpose |> map(fun(column => argmax(column))))",
        "fun(x: (1+N).f32 => argmax(x))",
        "fun(x: (N+100).f32 => x |> slide(101, 1) |> map(fun(w => argmax(w))))",
        "fun(x: N.100.u8 => x |> map(fun(row => argmax(row))))",
    ],
    ids=["columns", "one array", "windows", "bytes"],
)
def test_other_searches_are_unchanged(text: str) -> None:
    assert not any("AsSearch" in rule or "BySize" in rule for rule in rules(text))


@pytest.mark.parametrize("columns", some(["100", "1+M"], 2))
def test_computed_rows_are_computed_once(columns: str) -> None:
    text = f"fun(x: N.({columns}).f32 => x |> map(fun(row => row |> map(fun(a => exp(a))) |> argmin)))"
    assert any("argminAsNarrowSearch" in rule for rule in rules(text))
    assert rise.show(lowered(text).program).count("exp(") == 1
    x = np.random.default_rng(1).normal(size=(7, 100)).astype(np.float32)
    np.testing.assert_array_equal(kernel(text)(x), np.argmin(np.exp(x), axis=1))


def test_searches_are_not_reductions() -> None:
    e = rise.parse("fun(x: N.M.f32 => x |> map(fun(row => row |> reduce(add, 0.0))))").main
    other = rise.parse(rows("argmax", "f32")).main
    assert (len(reductions(e)), len(reductions(e, selects=True))) == (1, 0)
    assert (len(reductions(other)), len(reductions(other, selects=True))) == (0, 1)
    (found,) = reductions(other, selects=True)
    assert found.is_repeated and found.along[0].distance == UNIT
