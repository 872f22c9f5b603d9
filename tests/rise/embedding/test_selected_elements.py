"""Elements that a mask selects, `x[m]`, and slices up to the variable of a loop, `x[:i]`, as in numpy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shine
from shine.imperative.errors import TranslationError
from tests.examples import some

RANDOM = np.random.default_rng(4)
X, Y = RANDOM.standard_normal(17), RANDOM.standard_normal(17)
NAN = np.where(Y > 1, np.nan, X)
I, MATRIX = RANDOM.integers(-9, 9, 17).astype(np.int32), RANDOM.standard_normal((5, 4))


def of_loop(x: Any) -> Any:
    total = 0.0
    for v in x[x > 0]:
        total += v * v
    return total


def of_counted_loop(x: Any) -> Any:
    best = -1
    for i, v in enumerate(x[x > 0]):
        if v > 1:
            best = i
            break
    return best


def of_two(x: Any, y: Any) -> Any:
    total = 0.0
    for a, b in zip(x[x > 0], y[x > 0], strict=True):
        total += a * b
    return total


def of_places(x: Any) -> Any:
    total = 0.0
    for i in np.where(x > 0)[0]:
        total += x[i] * i
    return total


def of_slices(x: Any) -> Any:
    total = 0.0
    for i in range(1, len(x)):
        total += x[:i].std() + x[i:].var(ddof=1 if i < 0 else 0) + np.median(x[:i]) + np.cumsum(x[i:])[0]
        for v in x[:i]:
            total += v
    return total


def of_powers(x: Any, i: Any) -> Any:
    found = np.zeros(len(x), np.int64)
    for k in range(1, len(x)):
        found[k] = (
            (2 ** (i[:k] % 5)).sum() + (i[k:].astype(np.int64) ** 3).max() + (abs(i[k]) ** (i[:k] % 3)).sum()
        )
        found[k] += int((1.1 ** np.arange(k + 1)).sum() * 1000 + (abs(x[k]) ** x[:k]).max() * 1000)
    return found, (2 ** (i[i > 0] % 7)).sum(), (0.5 ** i[i > 0]).sum(), (abs(x[i > 0]) ** i[i > 0]).sum()


def of_classes(x: Any, i: Any) -> Any:
    return np.array([x[i % 3 == k].std() for k in range(3)])


def weighted(x: Any, y: Any) -> Any:
    m = x > 0
    return np.average(x[m], weights=y[m] ** 2), x[m] @ y[m], np.dot(x[m], x[m])


def of_rows(m: Any) -> Any:
    kept = m[:, 0] > 0
    return (m[kept] @ m[0]).sum(), m[:, 1][kept] @ m[kept], m[kept].std(axis=0), m[kept].var(axis=1).sum()


def if_any(x: Any) -> Any:
    far = x[x > 100]
    return -1.0 if len(far) == 0 else far.mean()


FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x: (x[x > 0].std(), np.var(x[x > 0], ddof=1), x[x > 0].std(keepdims=True)), (X,)),
    (lambda i: (i[i > 0].std(), i[i > 0].mean(), np.median(i[i > 0]), np.ptp(i[i > 0])), (I,)),
    (lambda x: (np.median(x[x > 0]), np.percentile(x[x > 0], 90), np.quantile(x[x < 0], 0.25)), (X,)),
    (lambda x, y: np.median(x[y > 0]), (NAN, Y)),
    (lambda x, y: np.median(x[y > -9]), (NAN, Y)),
    (lambda x: x[~np.isnan(x)].std(), (NAN,)),
    (lambda x: np.median(x[x > 9]), (X,)),
    (lambda x, y: (np.count_nonzero(y[x > 0] > 0.5), np.sum(x[x > 0], dtype=np.float32)), (X, Y)),
    (lambda x: (np.mean(x[x > 0], 0, np.float32), np.std(x[x > 0], dtype=np.float32)), (X,)),
    (lambda i: (np.sum(i[i > 0], None, np.float64), i[i > 0].sum(dtype=np.int32), np.prod(i[:0])), (I,)),
    (lambda i: i[i > 0].astype(np.float64).mean(), (I,)),
    (
        lambda x: (np.clip(x[x > 0], 0, 1).sum(), np.round(x[x > 0], 1).sum(), np.hypot(x[x > 0], 1).max()),
        (X,),
    ),
    (lambda x: (x[x > 0].cumsum().max(), np.cumprod(x[x > 0])[-1], np.diff(x[x > 0]).max()), (X,)),
    (lambda x: (np.where(x > 1)[0][0], np.nonzero(x > 0)[0][-1], x[x > 0][0], x[x > 0][-1]), (X,)),
    (lambda x: (x[x > 0][1], x[x > 0][-2], x[x > 0].argmax(), np.argmin(x[x < 0])), (X,)),
    (lambda x: (np.flatnonzero(x > 0).size, np.diff(np.flatnonzero(x > 0)).max()), (X,)),
    (lambda m: (np.argwhere(m > 0)[0], np.argwhere(m > 0).shape, np.argwhere(m > 0).size), (MATRIX,)),
    (lambda m: (m[m > 0][0], m[m > 0][3], m[m > 0].std()), (MATRIX,)),
    (lambda x: (np.extract(x > 0, x).sum(), np.compress(x > 0, x).max()), (X,)),
    (lambda x: np.take(x, np.flatnonzero(x > 0)).sum(), (X,)),
    (lambda x: (sum(x[x > 0]), max(x[x > 0]), min(x[x > 0])), (X,)),
    (if_any, (X,)),
    (of_loop, (X,)),
    (of_counted_loop, (X,)),
    (of_two, (X, Y)),
    (of_places, (X,)),
    (of_slices, (X,)),
    (of_powers, (X, I)),
    (of_classes, (X, I)),
    (weighted, (X, Y)),
    (of_rows, (MATRIX,)),
]


def leaves(given: Any) -> list[Any]:
    return [leaf for one in given for leaf in leaves(one)] if isinstance(given, tuple) else [given]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "arguments"), some(FUNCTIONS, 5))
def test_a_program_agrees_with_numpy(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    expected = leaves(function(*arguments))
    found = leaves(shine.jit(function, target="interpret")(*arguments))
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-6 if np.asarray(other).dtype == np.float32 else 1e-12)


@pytest.mark.parametrize(
    "function", some([lambda x: x[x > 9][0], lambda x: x[x > 0][16], lambda x: x[x > 0][-17]], 2)
)
def test_an_index_outside_of_what_is_selected_is_an_error(function: Callable[..., Any]) -> None:
    with pytest.raises(IndexError):
        function(X)
    with pytest.raises(TranslationError, match="index-out-of-range"):
        shine.jit(function)(X)
