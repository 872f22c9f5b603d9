"""Compares results with the meaning of a program: which numbers are the same, near enough, not judged, or wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rise.values import Leaf
from tests.soak.meaning import FLOATS, Meaning, flat

#: how far a result may be out of the variants' range, as a multiple of the range
MARGIN: Final = 1.0


@dataclass(slots=True)
class Agreement:
    """How many numbers are the same, near enough, or not judged; and what is wrong, if anything is."""

    same: int = 0
    near: int = 0
    open: int = 0
    wrong: str = ""


def compare(result: Any, expected: Meaning) -> Agreement:
    """Compare a result with the meaning of a program."""
    agreement = _compare_all(flat(result), expected)
    if agreement.wrong and expected.variants and expected.with_more is not None:
        return compare(result, expected.with_more())
    return agreement


def _compare_all(result: tuple[Leaf, ...], expected: Meaning) -> Agreement:
    agreement = Agreement()
    if len(result) != len(expected.value):
        agreement.wrong = f"expected {len(expected.value)} arrays, found {len(result)}"
        return agreement
    for number, (leaf, right) in enumerate(zip(result, expected.value, strict=True)):
        if leaf.dtype != right.dtype or leaf.shape != right.shape:
            agreement.wrong = f"expected {right.dtype}{right.shape}, found {leaf.dtype}{leaf.shape}"
            return agreement
        _compare(
            leaf, right, [variant[number] for variant in expected.variants], expected.either_zero, agreement
        )
        if agreement.wrong:
            return agreement
    return agreement


def _compare(
    result: Leaf, expected: Leaf, variants: list[Leaf], either_zero: bool, agreement: Agreement
) -> None:
    is_same = _same(result, expected, either_zero)
    moves = np.zeros(expected.shape, np.bool_)
    for variant in variants:
        moves |= ~_same(variant, expected, either_zero)
    is_float = expected.dtype in FLOATS
    near = np.zeros(expected.shape, np.bool_)
    is_open = moves & ~is_same
    if is_float and moves.any():
        values = np.stack([expected, *variants]).astype(np.float64)
        with np.errstate(all="ignore"):
            low, high = values.min(axis=0), values.max(axis=0)
            margin = MARGIN * (high - low)
            value = result.astype(np.float64)
            near = moves & ~is_same & (low - margin <= value) & (value <= high + margin)
        is_open = moves & ~is_same & ~near & ~np.isfinite(values).all(axis=0)
    wrong = ~is_same & ~near & ~is_open
    agreement.same += int(is_same.sum())
    agreement.near += int(near.sum())
    agreement.open += int(is_open.sum())
    if wrong.any():
        place = tuple(map(int, np.argwhere(wrong)[0]))
        where = f" at {place}" if place else ""
        extent = f"{int(wrong.sum())} of {wrong.size} are wrong"
        agreement.wrong = f"{extent}: expected {expected[place]}{where}, found {result[place]}"


def _same(one: Leaf, other: Leaf, either_zero: bool) -> Leaf:
    """Where arrays are equal to the bit, except for the bits of NaNs and, if `either_zero`, the signs of zeros."""
    if one.dtype not in FLOATS:
        return np.asarray(one == other)
    with np.errstate(all="ignore"):
        is_equal = one == other
        if not either_zero:
            is_equal &= np.signbit(one.astype(np.float64)) == np.signbit(other.astype(np.float64))
        return np.asarray(is_equal | ((one != one) & (other != other)))
