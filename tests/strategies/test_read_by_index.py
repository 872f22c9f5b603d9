"""Values that are stored before their elements are read by indices that the program computes: those whose rows are
computed as a whole, and lookup tables.
"""

# ruff: noqa: F821, UP037
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from rise.nodes import postorder
from rise.terms import App, Lam
from rise.types import ArrayType
from strategies.sharing import share
from tests import required_tools

RANDOM = np.random.default_rng(0)
A, B = RANDOM.standard_normal((2, 9, 9))
PLACES = RANDOM.integers(-9, 9, 9)


def columns_of_product(a: "N.N.f64", b: "N.N.f64", i: "N.i64"):
    return np.take(a @ b, i, axis=1)


def rows_of_product(a: "N.N.f64", b: "N.N.f64", i: "N.i64"):
    return (a @ b)[i]


def rows_of_scanned_columns(a: "N.N.f64", i: "N.i64"):
    return np.cumsum(a, axis=0)[i]


def columns_in_order(a: "N.N.f64"):
    return a[:, np.argsort(a.mean(axis=0))]


def diagonal_of_product(a: "N.N.f64", b: "N.N.f64"):
    return np.diag(a @ b)


def rows_of_scanned_rows(a: "N.N.f64", i: "N.i64"):
    return np.cumsum(a, axis=1)[i]


def looked_up(x: "N.f64", i: "M.i64"):
    return np.sin(x)[i]


def looked_up_and_multiplied(x: "N.f64", i: "M.i64", y: "M.f64"):
    return np.exp(x)[i] * y


def doubled(x: "N.f64", i: "M.i64"):
    return (2 * x)[i]


def each_once(x: "N.f64"):
    return np.sin(x)[::-1]


def diagonal(a: "N.N.f64"):
    return np.diag(np.sin(a))


CASES: dict[Callable[..., Any], tuple[tuple[Any, ...], bool]] = {
    columns_of_product: ((A, B, PLACES), True),
    rows_of_product: ((A, B, PLACES), True),
    rows_of_scanned_columns: ((A, PLACES), True),
    columns_in_order: ((A,), True),
    diagonal_of_product: ((A, B), False),
    rows_of_scanned_rows: ((A, PLACES), False),
    looked_up: ((A[0], PLACES), True),
    looked_up_and_multiplied: ((A[0], PLACES, B[0]), True),
    doubled: ((A[0], PLACES), False),
    each_once: ((A[0],), False),
    diagonal: ((A,), False),
}


def names_an_array(e: Any) -> bool:
    """Whether a program names an array, which lowering stores."""
    calls = [one for one in postorder(e) if isinstance(one, App) and isinstance(one.fun, Lam)]
    return any(isinstance(one.arg.type, ArrayType) for one in calls)


@required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_what_is_computed_as_a_whole_is_stored_before_it_is_read_by_index(
    function: Callable[..., Any],
) -> None:
    """Unless few of its elements are read, or whole rows. The same holds for functions that take long to compute."""
    arguments, is_stored = CASES[function]
    program = rise.program(function)
    result = share(program.main)
    assert isinstance(result, Success)
    assert names_an_array(result.program) is is_stored
    np.testing.assert_allclose(shine.compile(program)(*arguments), function(*arguments), rtol=1e-12)
