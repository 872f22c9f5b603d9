"""Functions that return arrays whose length depends on data: selected elements, sets, trimmed arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from tests.examples import some

RANDOM = np.random.default_rng(7)
X, I = RANDOM.standard_normal(23), RANDOM.integers(0, 9, 40)
OTHERS = RANDOM.integers(3, 20, 17).astype(np.int32)
NAN = np.array([1.5, np.nan, -0.0, 2.0, 0.0, np.nan, 1.5])
ROWS = RANDOM.integers(0, 3, (20, 3))
WIDE = RANDOM.integers(0, 2, (30, 6)).astype(np.float32)


def most_frequent(i: Any) -> Any:
    values, counts = np.unique(i, return_counts=True)
    return values[np.argmax(counts)]


def shares(i: Any) -> Any:
    values, counts = np.unique(i, return_counts=True)
    return values, counts / counts.sum()


def sizes_of_groups(i: Any) -> Any:
    found, k = np.zeros(len(i), np.int64), 0
    for v in np.unique(i):
        found[k] = np.count_nonzero(i == v)
        k += 1
    return found[:k]


def split_by_sign(x: Any) -> Any:
    is_positive = x > 0
    return {"positive": x[is_positive], "rest": (x[~is_positive], is_positive.sum())}


def chosen_repeatedly(x: Any) -> Any:
    large = x[x > -1]
    small = large[large < 1]
    others = small[small != 0]
    return others * 2, len(others)


def in_a_loop(x: Any) -> Any:
    found, count = np.zeros_like(x), 0
    for v in x:
        if v > 0:
            found[count] = v
            count += 1
    return found[:count]


FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x: x[x > 0], (X,)),
    (lambda x: np.sqrt(x[x > 0]) + 1, (X,)),
    (lambda x: x[np.isnan(x)], (X,)),
    (lambda x: x[x < 100], (X,)),
    (lambda r: r[r[:, 0] > 1], (ROWS,)),
    (lambda r: r[r > 1], (ROWS,)),
    (lambda r: r[r[:, 0] > 0, 1:], (ROWS,)),
    (lambda r: np.where(r > 1), (ROWS,)),
    (lambda r: np.argwhere(r > 1), (ROWS,)),
    (lambda x: np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:])) + 1, (X,)),
    (lambda i: np.diff(np.flatnonzero(i > 4)), (I,)),
    (lambda x, i: x[i[i < 5]], (X, I)),
    (lambda x: np.compress(x > 0, x), (X,)),
    (lambda x: np.delete(x, x > 0), (X,)),
    (lambda r: np.delete(r, r[:, 1] > 0, axis=0), (ROWS,)),
    (lambda i: np.unique(i), (I,)),
    (lambda i: np.unique(i), (I[:0],)),
    (lambda i: np.unique(i, True, True, True), (I,)),
    (lambda i: np.unique(i, True, True, True), (I[:1],)),
    (lambda x: np.unique(x, return_counts=True), (NAN,)),
    (lambda x: np.unique(x, return_counts=True, equal_nan=False), (NAN,)),
    (lambda r: np.unique(r, return_inverse=True), (ROWS,)),
    (lambda r: np.unique(r, axis=0), (ROWS,)),
    (lambda r: np.unique(r, True, True, True, axis=0), (WIDE,)),
    (lambda i: np.unique(i > 3), (I,)),
    (lambda i: len(np.unique(i)), (I,)),
    (lambda i: np.unique(i).mean() + np.unique(i).size, (I,)),
    (lambda i, j: np.union1d(i, j), (I, OTHERS)),
    (lambda i, j: np.intersect1d(i, j), (I, OTHERS)),
    (lambda i, j: np.intersect1d(j, i), (I, OTHERS)),
    (lambda i, j: np.setdiff1d(i, j), (I, OTHERS)),
    (lambda i, j: np.setdiff1d(i, j, assume_unique=True), (I, OTHERS)),
    (lambda x: x[: np.argmax(x)], (X,)),
    (lambda x: 2 * x[np.argmin(x) :] + 1, (X,)),
    (lambda x: x[:: np.argmin(x) + 1], (X,)),
    (lambda i: np.trim_zeros(i), (np.array([0, 0, 3, 0, 4, 0]),)),
    (lambda i: np.trim_zeros(i, "f"), (np.array([0, 0, 3, 0, 4, 0]),)),
    (lambda i: np.trim_zeros(i), (np.zeros(4),)),
    (lambda x: np.array([v * 2 for v in x if v > 0]), (X,)),
    (lambda x: [v for v in x if v > 100], (X,)),
    (lambda i: np.array([12 // v for v in i if v != 0]), (I,)),
    (lambda x, i: np.asarray([x[k + 20] for k in i if k < 3], dtype=np.float32), (X, I)),
    (lambda x: np.array([k for k, v in enumerate(x) if v > 0]), (X,)),
    (lambda r: np.array([row for row in r if row[0] > 0 and row[1] < 2]), (ROWS,)),
    (lambda x: np.mean([v for v in x if v > 0]) + len([v for v in x if v > 0]), (X,)),
    (lambda x: np.sort(x[x > 0]), (X,)),
    (lambda i: np.sort(i[i > 3])[0] + np.sort(i[i > 3]).sum(), (I,)),
    (lambda x: np.sort(x[x != 2]), (NAN,)),
    (lambda x: np.sort((x > 0)[x < 1]), (X,)),
    (lambda x: x[x > 0][:3], (X,)),
    (lambda x: x[x > 0][:100], (X,)),
    (lambda x: x[x > 9][1:], (X,)),
    (lambda x: x[x > 0][2:-2] + x[x > 0][-3], (X,)),
    (lambda x: x[x > 0][1:] - x[x > 0][:-1], (X,)),
    (lambda x: x[x > 0][::-1], (X,)),
    (lambda x: np.sort(x[x > 0])[::-1][:3], (X,)),
    (lambda i: np.unique(i)[-2:], (I,)),
    (lambda x, n: x[x > 0][:n], (X, 4)),
    (lambda x: x[np.flatnonzero(x > 0)[1:]], (X,)),
    (lambda x: x[: np.argmax(x)][1:][::-1], (X,)),
    (lambda r: r[r[:, 0] > 0][1:], (ROWS,)),
    (chosen_repeatedly, (X,)),
    (most_frequent, (I,)),
    (shares, (I,)),
    (sizes_of_groups, (I,)),
    (split_by_sign, (X,)),
    (in_a_loop, (X,)),
]


def assert_same(found: Any, wanted: Any) -> None:
    wanted = np.asarray(wanted) if isinstance(wanted, list) else wanted
    if isinstance(wanted, tuple | dict):
        assert type(found) is type(wanted)
        assert len(found) == len(wanted)
        for key in wanted if isinstance(wanted, dict) else range(len(wanted)):
            assert_same(found[key], wanted[key])
        return
    assert found.dtype == np.asarray(wanted).dtype
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(("function", "arguments"), some(FUNCTIONS, 3))
def test_results_have_numpys_length(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    assert_same(shine.jit(function)(*arguments), function(*arguments))


def test_one_kernel_returns_results_of_all_lengths() -> None:
    positive = shine.jit(lambda x: x[x > 0])
    for shift in (-9, 0, 9):
        assert_same(positive(X + shift), (X + shift)[X + shift > 0])
    assert positive.lower(X).kernel is positive.lower(X + 1).kernel


def test_short_results_do_not_keep_the_memory_of_long_ones() -> None:
    assert shine.jit(lambda x: x[x > 2])(X).base is None


def test_a_program_returns_the_longest_array_and_the_number_of_elements() -> None:
    program = rise.program(lambda x: x[x > 0], types={"x": "N.f64"})
    assert str(program.type) == "{N: nat} -> N.f64 -> (N.f64, i64)"
    for found in (program(X), shine.compile(program, target="openmp")(X), shine.compile(program)(X)):
        array, count = found
        assert_same(array[: int(count)], X[X > 0])


def test_gpu_kernels_return_numpys_lengths() -> None:
    positive = shine.jit(lambda x: x[x > 0], target="cuda-sim")
    assert_same(positive(X.astype(np.float32)), X.astype(np.float32)[X > 0])


def test_lengths_without_a_bound_are_refused() -> None:
    with pytest.raises(rise.RiseError, match="expected a size, found a value of type"):
        shine.jit(lambda i: np.repeat(i, i))(I)


@pytest.mark.parametrize("axis", [1, 2, -1])
def test_unique_refuses_other_axes(axis: int) -> None:
    with pytest.raises(rise.RiseError, match="expected a matrix and axis 0"):
        shine.jit(lambda r: np.unique(r, axis=axis))(ROWS)
