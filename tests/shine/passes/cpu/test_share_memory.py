"""The pass `share_memory`: temporary arrays take over the memory of others, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from shine import jit
from shine.imperative.nodes import Buffer
from shine.passes.cpu import share_memory
from tests import required_tools

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

X, IMAGE, MATRIX = (np.random.default_rng(1).random(shape) for shape in (5000, (70, 90), (60, 60)))


def blurred(x):
    for _ in range(4):
        x = np.concatenate([x[:1], 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:], x[-1:]])
        x = x / np.sqrt((x * x).sum())
    return x


def slices_in_turn(image):
    y = image * 2.0
    y[1:-1, 1:-1] += image[2:, 1:-1]
    y[1:-1, 1:-1] += image[:-2, 1:-1]
    y[1:-1, 1:-1] *= image[1:-1, 2:]
    y[0] = y[-1]
    return y


def products(matrix):
    a = matrix @ matrix
    b = a @ matrix
    c = b @ a
    return c @ b


def backwards(x):
    y = np.cumsum(x)
    z = np.cumsum(y[::-1])
    return np.cumsum(z[::-1]) + z


def mirrored(x):
    y = np.cumsum(x)
    z = np.cumsum(y + y[::-1])
    return np.cumsum(z) + z[::-1]


def shrinking(image):
    for _ in range(6):
        image = 0.5 * image[:-2] + image[2:]
        image = 0.5 * image[:, :-2] + image[:, 2:]
    return image


def growing(x):
    for _ in range(4):
        x = np.cumsum(np.concatenate([x[::-1], x[:700]]))
        x = x / np.sqrt((x * x).sum())
    return np.cumsum(x[::-1])[:1000]


def of_two_lengths(x):
    """The short array is read after the long one was computed from it."""
    short = np.cumsum(x[:3000])
    long = np.cumsum(np.concatenate([short[::-1], x]))
    last = np.cumsum(long[::-1])[:3000]
    return np.cumsum(last) + short


#: how many temporary arrays are allocated, with the pass and without it
CASES: Final[dict[Callable[..., Any], tuple[Any, int, int]]] = {
    blurred: (X, 5, 11),
    slices_in_turn: (IMAGE, 0, 3),
    products: (MATRIX, 10, 11),
    backwards: (X, 1, 3),
    mirrored: (X, 1, 3),
    shrinking: (IMAGE, 2, 9),
    growing: (X, 8, 13),
    of_two_lengths: (X, 2, 4),
}


def allocations(source: str) -> int:
    return source[source.rindex("\nint ") :].count("= allocate(")


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_results_are_the_same_with_fewer_arrays(function: Callable[..., Any]) -> None:
    given, fewer, more = CASES[function]
    kernels = [jit(function, threads=1, reuse=reuse) for reuse in (True, False)]
    for kernel in kernels:
        np.testing.assert_allclose(kernel(given), function(given), rtol=1e-9)
    found = [allocations(kernel.lower(given).source) for kernel in kernels]
    assert found == [fewer, more]


def test_steps_that_change_some_elements_copy_no_others() -> None:
    source = jit(slices_in_turn, threads=1).lower(IMAGE).source
    changed = [line for line in source.splitlines() if "] = " in line and "output" not in line]
    assert not any(line.split(" = ")[1].strip(" ;") == line.split(" = ")[0].strip() for line in changed)
    assert len(changed) <= 6


def test_memory_that_is_still_read_would_be_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(share_memory, "may_share", lambda *_: True)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(jit(mirrored, cache=str(tmp_path))(X), mirrored(X))


def test_arrays_of_other_lengths_that_are_still_read_would_be_missed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def first_of(_: object, arrays: Sequence[Buffer], buffer: Buffer) -> Buffer | None:
        return next((one for one in arrays if one.element == buffer.element), None)

    monkeypatch.setattr(share_memory._Sharing, "_dead", first_of)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(jit(of_two_lengths, cache=str(tmp_path))(X), of_two_lengths(X))
