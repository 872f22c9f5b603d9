"""Generates literals of every scalar type, including special values. Handles no other terms."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from rise.scalars import SCALARS, is_only_stored, kind_classes
from rise.terms import Literal, make_literal
from rise.types import IndexType, ScalarType, Type, TypeVar

_ODD: Final = (0.0, -0.0, 1.0, -1.5, 0.1, math.inf, -math.inf, math.nan)


def literals(t: Type) -> st.SearchStrategy[Literal] | None:
    """The literals of a type: both zeros, infinities, NaN, limits, arbitrary bits; None if it has no literals."""
    match t:
        case ScalarType("bool"):
            return st.integers(0, 1).map(lambda value: make_literal(value, t))
        case ScalarType(name) if not is_only_stored(name):
            return st.one_of(st.sampled_from(_limits(name)), _any_bits(name)).map(
                lambda v: make_literal(v, t)
            )
        case IndexType(size):
            known = size.constant
            last = 0 if known is None else known - 1
            return None if last < 0 else st.integers(0, last).map(lambda value: make_literal(value, t))
        case TypeVar(_, kind) if "ring" in kind_classes(kind):
            values: tuple[Any, ...] = (0, 1, -3, 1 << 70)
            if "floating" in kind_classes(kind):
                values += (Fraction(1, 2), Fraction(-1, 10), *_ODD[1:2], *_ODD[-3:])
            return st.sampled_from(values).map(lambda value: make_literal(value, t))
    return None


def _limits(name: str) -> list[Any]:
    """Special values of a scalar type."""
    facts = SCALARS[SCALARS[name].part or name]
    if "floating" in facts.classes:
        return [value for value in _ODD if math.isnan(value) or float(facts.dtype.type(value)) is not None]
    low = 0 if name.startswith("u") else -(1 << (facts.bits - 1))
    return [0, 1, 3, low, low + (1 << facts.bits) - 1]


def _any_bits(name: str) -> st.SearchStrategy[Any]:
    """Any number of a scalar type; for complex numbers, any real number."""
    facts = SCALARS[SCALARS[name].part or name]

    def number(bits: int) -> Any:
        value = np.array([bits], f"u{facts.bits // 8}").view(facts.dtype)[0]
        return float(value) if "floating" in facts.classes else int(value)

    return st.integers(0, (1 << facts.bits) - 1).map(number)
