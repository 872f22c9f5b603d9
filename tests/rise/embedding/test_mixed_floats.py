"""Floats of different types: values and types of results are those of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rise.embedding.programs import program
from rise.embedding.results import as_returned

RANDOM = np.random.default_rng(11)
#: arguments by name: floats of 16, 32 and 64 bits, vectors and matrices, complex numbers
GIVEN: dict[str, Any] = {
    "x": RANDOM.standard_normal(6).astype(np.float32),
    "y": RANDOM.standard_normal(6),
    "h": RANDOM.standard_normal(6).astype(np.float16),
    "a": RANDOM.standard_normal((5, 6)).astype(np.float32),
    "b": RANDOM.standard_normal((6, 4)),
    "z": RANDOM.standard_normal(6).astype(np.complex64),
}
TYPES = {"x": "6.f32", "y": "6.f64", "h": "6.f16", "a": "5.6.f32", "b": "6.4.f64", "z": "6.c64"}


def summed(x: Any, y: Any) -> Any:
    total = x[0]
    for i in range(x.shape[0]):
        total = max(total, y[i])
    return total


def added(x: Any, y: Any) -> Any:
    total = np.float64(0)
    for v in x:
        total += v
    return total


def smoothed(x: Any, y: Any) -> Any:
    state = x
    for _ in range(40):
        state = state * 0.5 + y * 0.5
    return state


def narrowed(x: Any, y: Any) -> Any:
    state = y
    for _ in range(40):
        state = (state * 0.5).astype(np.float32) if x.size > 100 else state * 0.5
    return state


def assigned(x: Any, y: Any) -> Any:
    x[1:3] *= y[0]
    x[4] = y[1]
    y -= x
    return x, y


def masked(x: Any, y: Any) -> Any:
    x[x > y] = y[0]
    return x


FUNCTIONS: dict[str, Any] = {
    "sum": lambda x, y: x + y,
    "product of matrices": lambda a, b: a @ b,
    "matrix with vector": lambda a, y: a @ y,
    "einsum": lambda x, y, h: np.einsum("i,i,i", x, y, h),
    "concatenate": lambda x, y, h: np.concatenate([x, y, h]),
    "stack": lambda x, h: np.stack([x, h]),
    "where": lambda x, y: np.where(x > y, x, y),
    "compared": lambda x, y: x < y,
    "maximum": lambda x, h: np.maximum(x, h),
    "power": lambda x, y: np.abs(x) ** y,
    "clip": lambda x, y: np.clip(x, y - 1, y + 1),
    "copysign": lambda x, y: np.copysign(x, y),
    "numpy's scalar": lambda x: x * np.sqrt(2.0),
    "numpy's narrower scalar": lambda y: y * np.float32(2),
    "Python's number": lambda x: x * 2.5,
    "known array": lambda x: x * np.hanning(6),
    "mean of another": lambda x, y: x - y.mean(),
    "complex": lambda z, y: z * y,
    "polynomial": lambda y, x: np.polyval(y, x),
    "outer": lambda x, y: np.outer(x, y),
    "list": lambda x, y: np.array([x[0], y[0]]),
    "average": lambda x, y: np.average(x, weights=y**2),
    "loop over numbers": summed,
    "loop that adds": added,
    "loop over arrays": smoothed,
    "loop that keeps the type": narrowed,
    "assignments": assigned,
    "assignment by a mask": masked,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_have_the_values_and_types_of_numpy(name: str) -> None:
    function = FUNCTIONS[name]
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    found = program(function, types={one: TYPES[one] for one in names})(*(GIVEN[one].copy() for one in names))
    expected = function(*(GIVEN[one].copy() for one in names))
    several = isinstance(expected, tuple)
    for one, other in zip(found if several else [found], expected if several else [expected], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3)
        assert np.asarray(one).dtype == np.asarray(other).dtype


def of_integers(i: Any) -> Any:
    table = np.zeros((len(i), 2))
    for k in range(len(i)):
        table[k, 0] = i[k] * 0.1
    return (
        table,
        i / 2,
        i.mean(),
        np.where(i > 2, 1.0, 0.0),
        np.sqrt(i),
        np.full(3, 0.5),
        sum(v * 0.1 for v in i),
    )


@pytest.mark.parametrize("element", ["i64", "i32"])
def test_floats_of_a_function_of_integers_are_double(element: str) -> None:
    i = np.arange(1, 7, dtype={"i64": np.int64, "i32": np.int32}[element])
    built = program(of_integers, types={"i": f"6.{element}"})
    for found, wanted in zip(as_returned(built.layout, built(i)), of_integers(i), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        assert found.dtype == np.float64


@pytest.mark.parametrize(("one", "other"), [("bf16", "f16"), ("f8e4m3", "f8e5m2"), ("f8e4m3", "i16")])
def test_floats_that_hold_neither_become_f32(one: str, other: str) -> None:
    """With every version of `ml_dtypes`: those before 0.7 have no such type."""
    added = program(lambda x, y: x.astype(one) + y.astype(other), types={"x": "N.f32", "y": "N.f32"})
    assert str(added.type) == "{N: nat} -> N.f32 -> N.f32 -> N.f32"
