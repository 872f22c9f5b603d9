"""`shine.tensordot`, `shine.transpose`, and `shine` as a backend of opt_einsum: its own specifications, if it is
installed.
"""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import rise
import shine
from shine.front.tensordots import pairs_of_axes
from tests import required_tools
from tests.examples import some


def numbers(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype("float32")


@pytest.mark.parametrize(
    ("left", "right", "axes"),
    some(
        [
            ((2, 3), (3, 4), 1),
            ((2, 3), (2, 3), 2),
            ((2, 3), (4,), 0),
            ((2, 3, 4), (4, 3, 2), ([1, 2], [1, 0])),
            ((2, 3, 4), (3, 4, 5), ((-2, -1), (0, 1))),
            ((2, 3), (5, 3), (1, 1)),
            ((2, 3), (4, 5), ([], [])),
            ((0, 3), (3, 2), 1),
        ],
        3,
    ),
)
def test_results_are_those_of_numpy(left: Any, right: Any, axes: Any) -> None:
    a, b = numbers(left), numbers(right, 1)
    found = shine.tensordot(a, b, axes=axes, target="interpret")
    np.testing.assert_array_equal(found, np.tensordot(a, b, axes))


def test_transposing_moves_no_data() -> None:
    a = numbers((2, 3, 4))
    for axes in (None, (1, 2, 0), (-1, 0, 1)):
        found = shine.transpose(a, axes)
        np.testing.assert_array_equal(found, np.transpose(a, axes))
        assert np.shares_memory(found, a)


@pytest.mark.parametrize(
    ("axes", "title"),
    [
        (3, "expected a number of axes from 0 to 2, found 3"),
        ("ab", "expected a number of axes or two lists of axes, found 'ab'"),
        (([0, 1], [0]), "expected as many axes of both operands, found 2 and 1"),
        (([0], [5]), "expected axes from -2 to 1, found [5]"),
        (([0, 0], [0, 1]), "expected each axis once, found [0, 0]"),
        (([0.5], [1]), "expected axes from -2 to 1, found [0.5]"),
    ],
)
def test_axes_that_do_not_fit_are_refused(axes: Any, title: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        pairs_of_axes(axes, 2, 2)
    assert caught.value.diagnostic.title == title and caught.value.diagnostic.hint


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(rise.RiseError, match="expected one size for `b`, found 3 and 4"):
        shine.tensordot(numbers((2, 3)), numbers((4, 5)), axes=1)
    with pytest.raises(rise.RiseError, match=r"expected each of 2 axes, found \(0,\)"):
        shine.transpose(numbers((2, 3)), (0,))


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module with the functions of the backend, which compiles nothing."""
    module: Any = ModuleType("shine_of_tests")
    module.einsum = partial(shine.einsum, target="interpret")
    module.tensordot = partial(shine.tensordot, target="interpret")
    module.transpose = shine.transpose
    monkeypatch.setitem(sys.modules, "shine_of_tests", module)
    return "shine_of_tests"


def test_specifications_of_opt_einsum(backend: str) -> None:
    """Its order of operands, and each of its steps by this backend; and all operands by one call of `shine.einsum`."""
    opt_einsum = required_tools.of_opt_einsum("opt_einsum")
    theirs = required_tools.of_opt_einsum("opt_einsum.tests.test_contract")
    views = required_tools.of_opt_einsum("opt_einsum.testing").build_views
    for spec in some(theirs.tests, 12):
        arrays = [np.round(8 * one).astype("float64") for one in views(spec)]
        expected = np.einsum(spec, *arrays)
        for use_blas in (False, True):
            found = opt_einsum.contract(spec, *arrays, backend=backend, use_blas=use_blas)
            np.testing.assert_array_equal(found, expected, spec)
        np.testing.assert_array_equal(shine.einsum(spec, *arrays, target="interpret"), expected, spec)


def test_the_backend_is_the_package() -> None:
    """Kernels in C, by the name that users pass."""
    opt_einsum = required_tools.of_opt_einsum("opt_einsum")
    a, b, c = numbers((3, 4)), numbers((4, 5), 1), numbers((5, 2), 2)
    found = opt_einsum.contract("ab,bc,cd->ad", a, b, c, backend="shine")
    np.testing.assert_array_equal(found, a @ b @ c)
