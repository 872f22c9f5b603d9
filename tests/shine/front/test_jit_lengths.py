"""`shine.jit`: lengths that follow from the function, because they must be equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rise import RiseError
from shine.front.jit import jit
from tests import required_tools
from tests.shine.front.test_jit import kernels, type_of

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

RGB = np.array([0.299, 0.587, 0.114])


@pytest.mark.parametrize(
    ("function", "shape", "expected"),
    [
        (lambda x: x * RGB, (4, 5, 3), "{N: nat} -> {M: nat} -> N.M.3.f64 -> N.M.3.f64"),
        (lambda x: x @ RGB, (4, 5, 3), "{N: nat} -> {M: nat} -> N.M.3.f64 -> N.M.f64"),
        (lambda x: (x * RGB).sum(axis=0) @ np.eye(3), (5, 3), "{N: nat} -> N.3.f64 -> 3.f64"),
        (lambda x: np.ones((2, 3)) * x[:, None] + RGB, (2,), "2.f64 -> 2.3.f64"),
        (lambda x: (RGB[:2, None] * x).T @ x, (2, 3), "{M: nat} -> 2.M.f64 -> M.M.f64"),
        (lambda x: x + np.ones((2, 3)), (2, 3), "2.3.f64 -> 2.3.f64"),
    ],
)
def test_lengths_that_constants_determine_are_numbers(function: Any, shape: Any, expected: str) -> None:
    x = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    jitted = jit(function)
    assert type_of(jitted, x) == expected
    np.testing.assert_allclose(jitted(x), function(x))
    assert kernels(jitted) == 1


def unpacked(x: Any) -> Any:
    a, b, c = x / np.linalg.norm(x)
    return np.array([a * b, b - c])


def polar(x: Any) -> Any:
    total = 0.0
    for a, b in x:
        total += np.sqrt(a * a + b * b)
    return total


def gates(x: Any, h: Any) -> Any:
    n = h.shape[1]
    return x[:, :n] * h + np.tanh(x[:, n:])


def windows(x: Any, w: Any) -> Any:
    return np.einsum("nhwij,oij->nohw", np.lib.stride_tricks.sliding_window_view(x, (3, 2), (1, 2)), w)


@pytest.mark.parametrize(
    ("function", "shapes", "expected"),
    [
        (unpacked, [(3,)], "3.f64 -> 2.f64"),
        (polar, [(4, 2)], "{N: nat} -> N.2.f64 -> f64"),
        (lambda x: x[:, :2] * x[:, 2:], [(5, 4)], "{N: nat} -> N.4.f64 -> N.2.f64"),
        (gates, [(4, 6), (4, 3)], "{N: nat} -> {K: nat} -> N.(2 * K).f64 -> N.K.f64 -> N.K.f64"),
        (lambda x, y: x[1:] * y, [(5,), (4,)], "{M: nat} -> (M + 1).f64 -> M.f64 -> M.f64"),
        (lambda x, y: x[1:] * y[:-2] + x[:2], [(3,), (4,)], "3.f64 -> 4.f64 -> 2.f64"),
        (
            windows,
            [(4, 5, 6), (7, 3, 2)],
            "{N: nat} -> {M: nat} -> {K: nat} -> {L: nat} -> N.M.K.f64 -> L.3.2.f64 -> N.L.(M - 2).(K - 1).f64",
        ),
    ],
)
def test_lengths_that_must_be_equal_are(function: Any, shapes: list[Any], expected: str) -> None:
    arrays = [np.arange(1.0, 1 + np.prod(shape)).reshape(shape) for shape in shapes]
    jitted = jit(function)
    assert type_of(jitted, *arrays) == expected
    np.testing.assert_allclose(jitted(*arrays), function(*arrays))
    assert kernels(jitted) == 1


def test_calls_share_kernels_if_their_lengths_are_computed_alike() -> None:
    jitted = jit(gates)
    for n, k in ((4, 3), (5, 2), (3, 6)):
        x, h = np.ones((n, 2 * k)), np.full((n, k), 2.0)
        np.testing.assert_allclose(jitted(x, h), gates(x, h))
    assert kernels(jitted) == 1
    np.testing.assert_allclose(
        jitted(np.ones((4, 2)), np.ones((4, 1))), gates(np.ones((4, 2)), np.ones((4, 1)))
    )
    with pytest.raises(RiseError, match="expected arrays of the same shape"):
        jitted(np.ones((4, 7)), np.ones((4, 3)))
    with pytest.raises(RiseError, match="expected 3 elements to unpack, found N"):
        jit(unpacked)(np.ones(4))


def test_a_length_that_constants_determine_is_not_another() -> None:
    scaled = jit(lambda x: x * RGB)
    assert scaled(np.ones((2, 3))).shape == (2, 3)
    assert scaled(np.ones((5, 3))).shape == (5, 3)
    assert kernels(scaled) == 1
    np.testing.assert_allclose(scaled(np.ones((2, 1))), np.ones((2, 1)) * RGB)
    with pytest.raises(RiseError, match="found"):
        scaled(np.ones((2, 4)))


def test_numbers_in_annotations_are_numbers() -> None:
    """Where arguments have these lengths; other annotations, and other types, mean nothing."""

    @jit
    def halves(x: "8.f64", y: "N.3.f32", z: np.ndarray, k: int = 2):  # noqa: F722  # types of RISE
        while x.shape[0] > 1:
            x = x[::2] + x[1::2]
        return x[0] * k, y[:, 2] + z

    x, y, z = np.arange(8.0), np.ones((4, 3), np.float32), np.ones(4, np.float32)
    assert type_of(halves, x, y, z) == "{M: nat} -> 8.f64 -> M.3.f32 -> M.f32 -> (k: nat) -> (f64, M.f32)"
    assert halves(x, y, z)[0] == 56.0
    wide = np.ones((5, 4), np.float32), np.ones(5, np.float32)
    assert type_of(halves, x, *wide).startswith("{M: nat} -> {K: nat} -> 8.f64 -> M.K.f32 -> M.f32")
