"""Slices whose bounds depend on data compute the same as in numpy: segments, sparse matrices, ranges around maxima."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.embedding import program
from tests.examples import some
from tests.shine.translate.interpretation import leaves


def sparse_product(starts: N.i64, columns: M.i64, values: M.f64, x: K.f64):
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        indices = columns[starts[i] : starts[i + 1]]
        y[i] = values[starts[i] : starts[i + 1]] @ x[indices]
    return y


def sparse_times_matrix(starts: N.i64, columns: M.i64, values: M.f64, x: K.L.f64):
    y = np.zeros((len(starts) - 1, x.shape[1]))
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        y[i] = values[row] @ x[columns[row]]
    return y


def transposed_product(starts: N.i64, columns: M.i64, values: M.f64, x: K.f64):
    y = np.zeros(len(x))
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        y[columns[row]] += values[row] * x[0]
    return y


def zipped(starts: N.i64, columns: M.i64, values: M.f64, x: K.f64):
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        for j, value in zip(
            columns[starts[i] : starts[i + 1]], values[starts[i] : starts[i + 1]], strict=True
        ):
            y[i] += value * x[j]
    return y


def statistics(starts: N.i64, x: M.f64):
    rows = len(starts) - 1
    y = np.zeros((rows, 6))
    for i in range(rows):
        s = x[starts[i] : starts[i + 1]]
        y[i, 0], y[i, 1], y[i, 2] = s.mean(), s.std(), s.max() - s.min()
        y[i, 3], y[i, 4], y[i, 5] = np.linalg.norm(s), np.prod(s), len(s)
    return y


def places(starts: N.i64, x: M.i32):
    rows = len(starts) - 1
    y = np.zeros((rows, 4), np.int64)
    for i in range(rows):
        s = x[starts[i] : starts[i + 1]]
        y[i, 0], y[i, 1], y[i, 2] = s.argmax(), np.argmin(s), s.sum()
        y[i, 3] = np.count_nonzero(s > 0) + (s < 0).any() - (s == 0).all()
    return y


def softmax_of_segments(starts: N.i64, x: M.f64):
    y = np.zeros_like(x)
    for i in range(len(starts) - 1):
        e = np.exp(x[starts[i] : starts[i + 1]] - x[starts[i] : starts[i + 1]].max())
        y[starts[i] : starts[i + 1]] = e / e.sum()
    return y


def normalised(starts: N.i64, x: M.f64):
    for i in range(len(starts) - 1):
        x[starts[i] : starts[i + 1]] -= x[starts[i] : starts[i + 1]].mean()
    return x


def labels(starts: N.i64, x: M.f64):
    y = np.full(len(x), -1)
    for i in range(len(starts) - 1):
        y[starts[i] : starts[i + 1]] = i
    return y


def variation(starts: N.i64, x: M.f64):
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        a, b = starts[i], starts[i + 1]
        y[i] = np.abs(x[a + 1 : b] - x[a : b - 1]).sum()
    return y


def squares(starts: N.i64, x: M.f64):
    y = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        y[i] = sum(v * v for v in x[starts[i] : starts[i + 1]])
        for k, v in enumerate(x[starts[i] : starts[i + 1]]):
            y[i] += k * v
    return y


def around_maximum(x: N.f64):
    p = np.argmax(x)
    return x[p:].sum(), x[:p].sum(), x[p - 1 : p + 2].mean()


def parts_of_rows(a: N.M.f64, low: N.i64, high: N.i64):
    y = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        y[i] = a[i, low[i] : high[i]].sum() * a[i, low[i] : high[i]][0]
    return y


def some_rows(a: N.M.f64, low: i64, high: i64):
    return a[low:high].mean(axis=0), a[low:high].max(), a[low:high].sum(axis=1).max()


def weighted_rows(a: N.M.f64, w: N.f64, low: i64, high: i64):
    rows = a[low:high]
    return (w[low:high][:, None] * rows).sum(axis=0), (rows @ a[0]).sum()


def chosen(x: N.f64, k: i32):
    y = np.where(x[:k] > 0.5, x[:k], -x[:k])
    return y.sum(), np.clip(x[k:], 0.2, 0.8).sum(), (x[:k] ** 2 * 3 + 1).astype(np.float32).max()


def views(x: N.f64, k: i64):
    """A slice is a view: what changes it changes the array; elements at indices are a copy."""
    s = x[k:]
    s += 1.0
    s[0] = 7.0
    t = x[:k]
    t[:] = 2.0 * t
    first = s[0]
    s *= s
    return x, first, s.sum()


def visited(x: N.f64, k: i64):
    """A loop over a view reads elements as they are in its iterations; an overlapping slice is assigned as it was."""
    total = 0.0
    for position, v in enumerate(x[:k]):
        x[k - 1] = 5.0 + position
        total += v
    x[1:k] = x[: k - 1]
    return total, x


def copies(x: N.f64, indices: M.i64, k: i64):
    y = x[indices[:k]]
    y += 1.0
    x[indices[k:]] -= 0.5
    return x, y.sum()


RNG: Final = np.random.default_rng(3)
STARTS: Final = np.array([0, 3, 4, 8, 10])
INDICES: Final = RNG.integers(0, 5, 10)
VALUES: Final = RNG.random(10) - 0.4
MATRIX: Final = RNG.random((5, 6))
GIVEN: dict[Any, Any] = {
    sparse_product: (STARTS, INDICES, VALUES, RNG.random(5)),
    sparse_times_matrix: (STARTS, INDICES, VALUES, RNG.random((5, 3))),
    transposed_product: (STARTS, INDICES, VALUES, RNG.random(5)),
    zipped: (STARTS, INDICES, VALUES, RNG.random(5)),
    statistics: (STARTS, VALUES),
    places: (STARTS, RNG.integers(-3, 4, 10).astype(np.int32)),
    softmax_of_segments: (STARTS, VALUES),
    normalised: (STARTS, VALUES),
    labels: (STARTS + 1, RNG.random(13)),
    variation: (STARTS, VALUES),
    squares: (STARTS, VALUES),
    around_maximum: (np.sin(np.arange(9.0)),),
    parts_of_rows: (MATRIX, np.array([0, 1, 2, 0, 5]), np.array([2, 4, 3, 6, 6])),
    some_rows: (MATRIX, 1, 4),
    weighted_rows: (MATRIX, RNG.random(5), 1, -1),
    views: (RNG.random(9), 4),
    visited: (RNG.random(9), 4),
    copies: (RNG.random(9), np.array([3, 3, 1, 8, 0, 3]), 3),
    chosen: (RNG.random(9), np.int32(-4)),
}


@pytest.mark.parametrize(
    ("function", "target"),
    some(some([(one, "openmp" if one in some(GIVEN, 3) else "interpret") for one in GIVEN], 2), 2),
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_kernels_agree_with_numpy(function: Any, target: str) -> None:
    given_arrays = GIVEN[function]
    wanted = function(*(each.copy() if isinstance(each, np.ndarray) else each for each in given_arrays))
    found = shine.compile(program(function), target=target)(*given_arrays)
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-6)


def bounded(x: N.i64, low: i64, high: i64):
    s = x[low:high]
    y = x.copy()
    y[low:high] = 7
    return s.sum(), len(s), x[low:].sum(), x[:high].sum(), y


BOUNDED: Final = shine.compile(program(bounded), target="interpret")


@given(st.integers(0, 5), st.integers(-8, 8), st.integers(-8, 8))
def test_bounds_are_read_as_numpy_reads_them(size: int, low: int, high: int) -> None:
    """Negative bounds count from the end, and those outside of the array are moved to its ends."""
    x = 1 << np.arange(size)
    for one, other in zip(leaves(BOUNDED(x, low, high)), leaves(bounded(x, low, high)), strict=True):
        np.testing.assert_array_equal(one, other)


def stepping(x: N.i64, low: i64, high: i64, step: i64):
    y = x.copy()
    y[low:high:step] += 7
    s = x[low:high:step]
    return s.sum(), len(s), x[low::step].sum(), x[:high:step].sum(), x[::step].sum(), y


STEPPING: Final = shine.compile(program(stepping), target="interpret")


@given(st.integers(0, 5), st.integers(-8, 8), st.integers(-8, 8), st.integers(-6, 6))
def test_steps_are_read_as_numpy_reads_them(size: int, low: int, high: int, step: int) -> None:
    x = 1 << np.arange(size)
    if step == 0:
        with pytest.raises(rise.RiseError, match="index-out-of-range"):
            STEPPING(x, low, high, step)
        return
    for one, other in zip(
        leaves(STEPPING(x, low, high, step)), leaves(stepping(x, low, high, step)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_values_of_a_slice_are_those_of_its_time() -> None:
    """Arithmetic computes values of the array as it is; the slice itself is a view."""

    def aliased(x: N.f64, k: i64):
        view, copy = x[:k], x[:k] + 0.0
        x[0] = 100.0
        return view.sum(), copy.sum()

    x = np.arange(6.0)
    found = shine.compile(program(aliased), target="interpret")(x, 4)
    assert [float(one) for one in found] == [106.0, 6.0]


def scaled(x: N.f64, k: i64):
    x[2:k] *= 2.0
    return x


def dotted(x: N.f64, y: N.f64, k: i64):
    return x[:k] @ y[:k]


def counted(x: N.f64, k: i64):
    total = 0.0
    for i in range(k):
        total += x[i] * i
    return total


def until_large(x: N.f64, k: i64):
    total = 0.0
    for i in range(k):
        if x[i] > 5.0:
            break
        total += x[i]
    return total


def same_names(x: N.f64, count: i64, start: i64):
    """Sizes of slices do not get the names of parameters."""
    return x[start:count].sum() + count


@pytest.mark.parametrize("function", [scaled, dotted, counted, same_names, chosen, statistics])
def test_the_number_of_elements_is_a_size(function: Any) -> None:
    assert "indexAsNat" in program(function).text and "iterateWhile" not in program(function).text


def test_a_loop_with_a_break_ends() -> None:
    assert "iterateWhile" in program(until_large).text
    x = np.array([1.0, 2.0, 9.0, 4.0])
    assert shine.compile(program(until_large), "openmp")(x, 4) == 3.0


@pytest.mark.parametrize("function", [scaled, dotted, counted, same_names])
@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_slices_of_all_lengths_agree_with_numpy(function: Any, target: str) -> None:
    kernel = shine.compile(program(function), target)
    rng = np.random.default_rng(5)
    for size in (0, 1, 5, 40):
        for k in (0, size // 2, size):
            numbers = [k, 1] if function is same_names else [k]
            arrays = [rng.random(size) for _ in range(2 if function is dotted else 1)]
            wanted = function(*(one.copy() for one in arrays), *numbers)
            np.testing.assert_allclose(kernel(*arrays, *numbers), wanted, rtol=1e-12)


def test_an_array_is_changed_in_place_up_to_a_number() -> None:
    jitted = shine.jit(scaled, threads=1)
    lowered = jitted.lower(np.ones(9), np.int64(5))
    assert [update.in_place for update in lowered.kernel.procedure.updates] == [True]
