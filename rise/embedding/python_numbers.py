"""Converts Python numbers to values of a type. Independent of arrays."""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.embedding import trace as t
from rise.embedding.complex_words import constant
from rise.embedding.places import refuse
from rise.embedding.trace import Part, scalar_name, shown
from rise.scalars import SCALARS
from rise.types import Type

#: signed integer types, from the narrowest to the widest
_INTEGERS: Final = ("i16", "i32", "i64")


def number(value: complex, wanted: Type, scope: t.Scope) -> Part:
    """A Python number as a value of a type. Raises RiseError if the type cannot represent it."""
    name = scalar_name(wanted)
    facts = SCALARS.get(name)
    if facts is None or (facts.dtype.kind == "b") != isinstance(value, bool):
        title = f"expected {shown(wanted)}, found the number {value}"
        refuse("type-mismatch", title, "compare or convert first, so that both sides have the same type")
    if facts.part:
        return constant(value, wanted, scope)
    if isinstance(value, complex):
        title = f"expected a number of type {name}, found {value}"
        refuse("type-mismatch", title, 'convert the array first: `x.astype("c128")`')
    if "integral" in facts.classes:
        limits = np.iinfo(facts.dtype)
        if isinstance(value, float) or not limits.min <= value <= limits.max:
            title = f"expected a number of type {name}, found {value}"
            larger = next(
                (
                    one
                    for one in _INTEGERS
                    if np.can_cast(facts.dtype, SCALARS[one].dtype) and _fits(value, one)
                ),
                "f32",
            )
            hint = f'convert the array first: `x.astype("{larger}")`'
            refuse("type-mismatch", title, hint + (", or round the number" if larger == "f32" else ""))
    elif "floating" in facts.classes and not isinstance(value, float):
        value = float(value)
    return t.literal(value, wanted, scope)


def _fits(value: float, name: str) -> bool:
    limits = np.iinfo(SCALARS[name].dtype)
    return isinstance(value, int) and limits.min <= value <= limits.max
