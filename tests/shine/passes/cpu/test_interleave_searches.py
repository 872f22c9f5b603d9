"""The pass `interleave_searches`: 32 searches take each step together, and give the results of single ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from shine import jit
from tests import required_tools

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())


def searched(table, x):
    return np.searchsorted(table, x)


def searched_from_the_right(table, x):
    return np.searchsorted(table, x, side="right") * 2 + 1


def searched_in_rows(table, x):
    return np.searchsorted(table, np.reshape(x, (2, -1)) + 0.5)


def interpolated(table, x):
    return np.interp(x, table, table * table)


def found(table, x):
    """Whether each number is in a table, and how far it is from the next larger one."""
    at = np.minimum(np.searchsorted(table, x), len(table) - 1)
    return table[at] == x, table[at] - x


#: programs, and how many of their loops run in step
CASES: Final[dict[Callable[..., Any], int]] = {
    searched: 1,
    searched_from_the_right: 1,
    searched_in_rows: 1,
    interpolated: 1,
    found: 1,
}


@pytest.mark.parametrize("program", CASES, ids=lambda one: one.__name__)
def test_searches_in_step_find_the_same(program: Callable[..., Any]) -> None:
    """For lengths around the number of lanes, tables of any length, numbers outside of the table, and NaN."""
    rng = np.random.default_rng(1)
    together, single = jit(program, threads=1), jit(program, threads=1, together=False)
    for length in (2, 30, 32, 64, 66, 130):
        for table_length in (1, 2, 7, 64, 100):
            table = np.sort(rng.integers(-20, 20, table_length)).astype(np.float64)
            x = rng.integers(-25, 25, length) + rng.choice([0.0, 0.5], length)
            if program is not interpolated:
                x[0] = np.nan
            results = [
                np.broadcast_arrays(*one) if isinstance(one, tuple) else [one]
                for one in (program(table, x), together(table, x), single(table, x))
            ]
            for expected, *others in zip(*results, strict=True):
                for other in others:
                    assert np.array_equal(expected, other, equal_nan=True) or np.allclose(
                        expected, other, rtol=1e-12, equal_nan=True
                    )


@pytest.mark.parametrize("program", CASES, ids=lambda one: one.__name__)
def test_the_states_of_searches_are_in_an_array(program: Callable[..., Any]) -> None:
    x = np.ones(100)
    text = jit(program, threads=1).lower(x, x).source
    assert text.count("int64_t point[32];") == CASES[program]
    assert "point[32]" not in jit(program, threads=1, together=False).lower(x, x).source


def test_loops_that_read_what_they_store_stay_as_they_are() -> None:
    """Each search reads what the search before it has stored."""

    def dependent(table, x):
        y = x.copy()
        for i in range(1, len(x)):
            y[i] = np.searchsorted(table, y[i - 1] + x[i])
        return y

    table, x = np.arange(10.0), np.random.default_rng(2).random(100) * 9
    kernel = jit(dependent, threads=1)
    assert "point[32]" not in kernel.lower(table, x).source
    assert np.allclose(kernel(table, x), dependent(table, x))
