"""Scalar types and classes of types: their numpy types, widths and arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np


@dataclass(frozen=True, slots=True)
class ScalarFacts:
    """The properties of a scalar type: its numpy type, its classes, its width in bits.

    `wide` names the type in which sums are kept, if that is another one.
    """

    dtype: np.dtype[Any]
    classes: frozenset[str]
    bits: int
    wide: str = ""


def _facts(dtype: Any, *classes: str, wide: str = "") -> ScalarFacts:
    numpy_type = np.dtype(dtype)
    return ScalarFacts(numpy_type, frozenset(("data", *classes)), numpy_type.itemsize * 8, wide)


SCALARS: Final[Mapping[str, ScalarFacts]] = {
    "bool": _facts(np.bool_),
    **{
        f"{sign}{bits}": _facts(f"{'int' if sign == 'i' else 'uint'}{bits}", "num", "ord", "integral")
        for sign in "iu"
        for bits in (8, 16, 32, 64)
    },
    "f16": _facts(np.float16, "num", "ord", "floating", wide="f32"),
    "bf16": _facts(ml_dtypes.bfloat16, "num", "ord", "floating", wide="f32"),
    "f32": _facts(np.float32, "num", "ord", "floating"),
    "f64": _facts(np.float64, "num", "ord", "floating"),
}
SYNONYMS: Final[Mapping[str, str]] = {"float": "f32", "double": "f64", "half": "f16", "int": "i32"}
SPACES: Final = ("Global", "Shared", "Local", "Constant")
ROLES: Final = ("AMatrix", "BMatrix", "Accum")
#: the classes that a class implies; a vector has those of its element, except `ord`
IMPLIES: Final[Mapping[str, frozenset[str]]] = {
    "data": frozenset(("data",)),
    "num": frozenset(("data", "num")),
    "ord": frozenset(("data", "num", "ord")),
    "floating": frozenset(("data", "num", "floating")),
    "integral": frozenset(("data", "num", "integral")),
}
#: the kind of the types that may be those of functions too; equations have it, no program does
ANY: Final = "any"
#: the kinds of functions from sizes: to sizes, and to types of data
SIZE_FUNCTION: Final = "nat -> nat"
FAMILY: Final = "nat -> data"


def kind_classes(kind: str) -> frozenset[str]:
    """The classes that a kind such as `num` or `floating + ord` denotes."""
    if kind == FAMILY:
        return frozenset((FAMILY,))
    if kind == ANY:
        return frozenset()
    return frozenset().union(*(IMPLIES[name.strip()] for name in kind.split("+")))


def is_type_kind(kind: str) -> bool:
    """Whether variables of the kind are types."""
    return kind == FAMILY or all(name.strip() in IMPLIES for name in kind.split("+"))


def kind_name(classes: frozenset[str]) -> str:
    """The shortest kind that denotes these classes.

    >>> kind_name(frozenset(("data", "num", "ord", "floating")))
    'floating + ord'
    """
    if FAMILY in classes:
        return FAMILY
    least = [c for c in classes if not any(c != d and c in IMPLIES[d] for d in classes)]
    return " + ".join(sorted(least)) or "data"
