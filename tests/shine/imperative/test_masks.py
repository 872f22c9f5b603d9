"""Loops over masked axes run only the necessary iterations, with the same results as all iterations."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from rise import embedding
from rise.text.nat_printer import show_nat
from shine.imperative.nodes import For
from shine.imperative.walk import everything
from shine.translate import translate
from tests.examples import some


def below(a: N.N.f64, x: N.f64):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = a[i, :i] @ x[:i]
    return y


def above(a: N.N.f64, x: N.f64):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = a[i, i + 1 :] @ x[i + 1 :]
    return y


def band(x: N.f64):
    for i in range(2, len(x)):
        x[i - 2 : i] = x[i - 2 : i] + x[i]
    return x


def rows_below(a: N.N.f64):
    for i in range(a.shape[0]):
        a[i, :i] *= 2.0
        a[i, i:] += a[i, i]
    return a


def counted(a: N.N.i64):
    total = np.zeros(a.shape[0], np.int64)
    for i in range(a.shape[0]):
        total[i] = a[i, : i + 1].sum() - a[i, i:].sum()
    return total


def eliminated(a: N.N.f64):
    at = np.arange(a.shape[0])
    low = at[:, None] >= at[None, :]
    for k in range(a.shape[0]):
        column = np.where(at >= k, a[:, k] * 0.5, a[:, k])
        rest = np.where(at[None, :] > k, a - column[:, None] * column[None, :], a)
        a = np.where(low, np.where(at[None, :] == k, column[:, None], rest), a)
    return a


def around(x: N.f64):
    at = np.arange(len(x))
    for k in range(len(x)):
        x = np.where(at == k, x[0] + 1.0, x)
    return x


def blocks(x: N.M.f64):
    y = np.zeros_like(x)
    for i in range(0, len(x), 4):
        for j in range(x.shape[1] // 3):
            y[i : i + 4, 3 * j : 3 * j + 3] = x[i : i + 4, 3 * j : 3 * j + 3].T.sum() - y[i, 0]
    return y


def shifted_blocks(x: N.M.f64):
    for i in range(len(x) // 4 - 1):
        x[4 * i + 4 : 4 * i + 8] += x[4 * i : 4 * i + 4]
    return x


def overlapping(x: N.f64):
    y = np.zeros_like(x)
    for i in range(len(x) // 4 - 1):
        y[4 * i : 4 * i + 8] += x[4 * i : 4 * i + 8] * (1 + y[4 * i])
    return y


def products_above(a: N.N.f64, b: (64.64).f64):
    y = np.zeros_like(a)
    for i in range(len(a) // 64):
        for j in range(i, len(a) // 64):
            y[64 * i : 64 * i + 64, 64 * j : 64 * j + 64] = b @ a[64 * i : 64 * i + 64, 64 * j : 64 * j + 64]
    return y


def updated_after(a: Any, b: Any) -> Any:
    for i in range(len(a) // 32):
        for j in range(i, len(a) // 32):
            column = 32 * j + 32
            a[32 * i : 32 * i + 32, column : column + 32] -= b @ a[32 * i : 32 * i + 32, column : column + 32]
    return a


def delayed(x: N.f64):
    y = np.zeros_like(x)
    for k in range(5):
        for d in range(len(x)):
            y[d:] += x[: len(x) - d] / (k + d + 1)
    return y


def lower(n: int, dtype: Any = np.float64) -> Any:
    return np.random.default_rng(n).integers(-9, 9, (n, n)).astype(dtype)


def line(n: int) -> Any:
    return np.random.default_rng(n + 1).integers(-9, 9, n).astype(np.float64)


GIVEN: dict[Any, Any] = {
    below: lambda n: (lower(n), line(n)),
    above: lambda n: (lower(n), line(n)),
    band: lambda n: (line(n + 2),),
    rows_below: lambda n: (lower(n),),
    counted: lambda n: (lower(n, np.int64),),
    eliminated: lambda n: (lower(n) % 2 / 64,),
    around: lambda n: (line(n),),
}


#: arguments for functions that assign to parts of some axes in loops
WINDOWS: dict[Any, tuple[Any, str]] = {
    blocks: (lambda n: lower(4 * n)[:, : 3 * n + 2], "NM"),
    shifted_blocks: (lambda n: lower(4 * n + 5), "N"),
    overlapping: (lambda n: line(4 * n + 7), "N"),
}


@pytest.mark.parametrize("function", WINDOWS, ids=lambda one: one.__name__)
def test_loops_that_assign_blocks_run_over_their_elements_only(function: Any) -> None:
    """For blocks of one axis and of two, at multiples of their length, and for windows that overlap."""
    given, axes = WINDOWS[function]
    kernel = shine.compile(embedding.program(function), target="openmp")
    loop = kernel.source.split("_block++", 1)[1]
    assert not any(f"< {axis};" in loop for axis in axes)
    for size in (1, 2, 9):
        x = given(size)
        np.testing.assert_array_equal(kernel(x), function(x.copy()))


def rows_above(a: N.N.f64, b: (32.32).f64):
    count = len(a) // 32
    y = np.zeros_like(a[:, : 32 * count])
    for i in range(count):
        rows = a[32 * i : 32 * i + 32, : 32 * count].copy()
        for k in range(i):
            rows -= b @ y[32 * k : 32 * k + 32]
        y[32 * i : 32 * i + 32] = rows
    return y


def test_rows_of_blocks_are_updated_in_place() -> None:
    """By tiles of several shapes, if the number of blocks in a row is a quotient."""
    kernel = shine.compile(embedding.program(rows_above), target="openmp")
    assert "*const next" not in kernel.source
    for size in (31, 64, 100):
        x, weights = lower(size), lower(32) / 64
        np.testing.assert_allclose(kernel(x, weights), rows_above(x, weights), rtol=1e-12, atol=1e-12)


def from_the_last(a: N.N.f64):
    count = len(a) // 32
    x = np.zeros_like(a)
    for i in range(count):
        row = 32 * (count - 1 - i)
        block = a[row : row + 32].copy()
        for k in range(i):
            below = 32 * (count - 1 - k)
            block -= a[below : below + 32, row : row + 32].T @ x[below : below + 32]
        x[row : row + 32] = block
    return x


def test_loops_are_limited_again_by_the_numbers_that_they_define_now() -> None:
    """A loop that was limited while its updates were translated has another index in the numbers that it computes."""
    kernel = shine.compile(embedding.program(from_the_last), target="openmp")
    for size in (31, 64, 100):
        x = lower(size) / 64
        np.testing.assert_allclose(kernel(x), from_the_last(x), rtol=1e-10, atol=1e-10)


def test_blocks_that_a_mask_leaves_as_they_are_are_not_computed() -> None:
    """Although the next value of a block is computed by tiles in another buffer before it is assigned."""
    kernel = shine.compile(embedding.program(products_above), target="openmp")
    assert re.search(r"< N / 64 - n_\w+_block;", kernel.source)
    for size in (40, 64, 200):
        x, weights = lower(size), lower(64)
        np.testing.assert_array_equal(kernel(x, weights), products_above(x, weights))


def test_blocks_after_a_block_are_not_computed_before_it() -> None:
    """A mask is decided by numbers that the loop computes from its index, too."""
    kernel = shine.compile(
        embedding.program(updated_after, types={"a": "N.(N + 32).f64", "b": "32.32.f64"}), target="openmp"
    )
    assert re.search(r"< N / 32 - n_\w+_block;", kernel.source)
    for size in (40, 64, 200):
        x, weights = np.concatenate((lower(size), lower(size)[:, :32]), axis=1), lower(32)
        np.testing.assert_array_equal(kernel(x, weights), updated_after(x.copy(), weights))


@pytest.mark.parametrize(("function", "given"), [(delayed, line(40)), (overlapping, line(40))])
def test_indices_in_a_slice_are_not_limited_to_the_array(function: Any, given: Any) -> None:
    """The range of the loop shows that they are in it."""
    kernel = shine.compile(embedding.program(function), target="openmp")
    body = kernel.source[kernel.source.index("int kernel(") :]
    assert "min_i64" not in body and "?" not in body
    np.testing.assert_allclose(kernel(given), function(given), rtol=1e-12)


def test_a_call_checks_that_the_blocks_are_in_the_array() -> None:
    kernel = shine.compile(embedding.program(blocks), target="openmp")
    with pytest.raises(rise.RiseError, match="size"):
        kernel(lower(9))


@pytest.mark.parametrize("function", some(GIVEN, 2), ids=lambda one: one.__name__)
def test_results_are_those_of_all_iterations(function: Any) -> None:
    kernel = shine.compile(embedding.program(function), target="openmp")
    assert function in (rows_below, around) or "min_i64" in kernel.source or "max_i64" in kernel.source
    for size in (1, 2, 31, 32, 33, 71):
        given = GIVEN[function](size)
        wanted = function(*(each.copy() for each in given))
        np.testing.assert_array_equal(kernel(*given), wanted)


def substituted(a: N.N.f64, x: N.M.f64):
    for i in range(len(a)):
        row = x[i].copy()
        for k in range(i):
            row -= a[i, k] * x[k]
        x[i] = row
    return x


@pytest.mark.parametrize(("size", "is_limited"), [(8, False), (40, True)])
def test_loops_of_a_known_size_are_limited_unless_they_are_short(size: int, is_limited: bool) -> None:
    types = {"a": f"{size}.{size}.f64", "x": f"{size}.3.f64"}
    kernel = shine.compile(embedding.program(substituted, types=types, unroll=4), target="openmp")
    assert bool(re.search(r"; \w+ < [a-z_]+; ", kernel.source)) == is_limited
    a, x = lower(size) / 64, lower(size)[:, :3].copy()
    np.testing.assert_allclose(kernel(a, x), substituted(a, x.copy()), rtol=1e-12, atol=1e-12)


def counts(text: str) -> list[str]:
    """The numbers of iterations of the loops of a text, in which N is a size and n a parameter."""
    low = strategies.load("strategies.sequential:sequential")(rise.parse(text).main).program
    loops = [one for one, _ in everything(translate(low).body) if isinstance(one, For)]
    return [show_nat(one.count) for one in loops]


SUM = (
    "fun({{N: nat}}, n: nat, xs: N.f32, ys: N.f32 =>"
    " generate(fun(i: idx[N] => {item})) |> reduce({operator}, {start}))"
)


@pytest.mark.parametrize(
    ("item", "operator", "start", "is_limited"),
    [
        ("if i < n then idx(i, xs) else 0.0", "add", "0.0", True),
        ("if n <= i then idx(i, xs) else 0.0", "add", "0.0", True),
        ("(if i < n then idx(i, xs) else 0.0) * (if i < n then idx(i, ys) else 0.0)", "add", "0.0", True),
        ("(if i < n then idx(i, xs) else 0.0) * idx(i, ys)", "add", "0.0", False),  # 0 * inf
        ("if i < n then idx(i, xs) else -0.0", "add", "-0.0", False),
        ("if i < n then idx(i, xs) else 0.0", "add", "-0.0", False),  # -0 + 0 is 0
        ("if i < n then idx(i, xs) else 1.0", "add", "0.0", False),
        ("if i < n then idx(i, xs) else 0.0", "mul", "1.0", False),
        ("if i < n then idx(i, xs) else 0.0", "max", "0.0", False),
    ],
)
def test_only_iterations_without_effect_are_omitted(
    item: str, operator: str, start: str, is_limited: bool
) -> None:
    written = item.replace("i < n", "indexAsInt(i) < indexAsInt(natAsIndex{0}(n))")
    written = written.replace("n <= i", "indexAsInt(natAsIndex{0}(n)) <= indexAsInt(i)")
    found = counts(SUM.format(item=written, operator=operator, start=start))
    assert any("n" in one for one in found) == is_limited, found
