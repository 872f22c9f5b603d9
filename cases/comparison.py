"""Compares results with answers: the layout of a program's arguments, and differences of results.

Independent of programs and targets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rise
from cases.answers import Expected, Tree
from cases.case_files import Sizes
from cases.inputs import Axes, Layout, Paired, is_float, layout
from rise.scalars import SCALARS
from rise.types import FunType


def signature(e: rise.Expr, sizes: Sizes) -> tuple[list[Layout], Layout]:
    """The layout of the arguments and the result of a program at these sizes."""
    rest: Any = rise.specialise(e, **dict(sizes)).type
    arguments = []
    while isinstance(rest, FunType):
        arguments.append(layout(rest.parameter))
        rest = rest.result
    return arguments, layout(rest)


def differences(found: Any, expected: Tree, at: Layout, place: str = "result") -> list[str]:
    """The differences between a result and the expected one."""
    if isinstance(at, tuple):
        if not isinstance(found, tuple) or len(found) != 2:
            return [f"{place}: expected a pair, found {type(found).__name__}"]
        assert isinstance(expected, tuple), f"the answer has no pair for the {place}"
        parts = zip(found, expected, at, ("first", "second"), strict=True)
        return [each for f, x, a, word in parts for each in differences(f, x, a, f"{word} of {place}")]
    if isinstance(at, Paired):
        number, value = found
        wrong = [] if number == at.number else [f"{place}: expected the number {at.number}, found {number}"]
        return wrong + differences(value, expected, at.value, place)
    assert isinstance(expected, Expected), f"the answer has a pair for the {place}"
    if at.lengths is not None:
        return _of_rows(found, expected, at, place)
    dtype = SCALARS[at.scalar].dtype
    if not isinstance(found, np.ndarray) or found.dtype != dtype or found.shape != at.shape:
        what = f"{found.dtype}{found.shape}" if isinstance(found, np.ndarray) else type(found).__name__
        return [f"{place}: expected an array {dtype}{at.shape}, found {what}"]
    assert expected.value.shape == at.shape, (
        f"the answer for the {place} has the shape {expected.value.shape}"
    )
    if is_float(at):
        found = found.astype(np.float64)
        with np.errstate(invalid="ignore"):  # inf - inf: compared in the next line
            is_near = np.abs(found - expected.value) <= expected.bound
        is_right = is_near | (found == expected.value) | (np.isnan(found) & np.isnan(expected.value))
    else:
        is_right = found == expected.value
    wrong = np.argwhere(~is_right)
    if not len(wrong):
        return []
    first = tuple(wrong[0].tolist())
    value, bound = expected.value[first], np.broadcast_to(expected.bound, at.shape)[first]
    where = f"{place}: {len(wrong)} of {is_right.size} are wrong; at {first}"
    return [f"{where} expected {value} within {bound}, found {found[first]}"]


def _of_rows(found: Any, expected: Expected, at: Axes, place: str) -> list[str]:
    """Rows of different lengths, concatenated as in the answer."""
    if not isinstance(found, list) or len(found) != len(at.rows):
        what = f"a list of {len(found)}" if isinstance(found, list) else type(found).__name__
        return [f"{place}: expected a list of {len(at.rows)} rows, found {what}"]
    ends = np.cumsum([0, *(row.shape[0] for row in at.rows)]).tolist()
    return [
        each
        for i, (one, row, start, end) in enumerate(zip(found, at.rows, ends, ends[1:], strict=False))
        for each in differences(
            one,
            Expected(expected.value[start:end], np.broadcast_to(expected.bound, at.shape)[start:end]),
            row,
            f"row {i} of {place}",
        )
    ]
