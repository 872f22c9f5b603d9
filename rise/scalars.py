"""Scalar types and classes of types: their numpy types, widths and arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import ml_dtypes
import numpy as np

from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class ScalarFacts:
    """The properties of a scalar type: its numpy type, its classes, its width in bits.

    `wide` is the name of the type in which sums are kept, if it differs; `part` that of the parts of a complex number.
    """

    dtype: np.dtype[Any]
    classes: frozenset[str]
    bits: int
    wide: str = ""
    part: str = ""

    @property
    def is_float(self) -> bool:
        """Whether this is a type of floating-point numbers, with or without arithmetic."""
        return self.dtype.kind not in "biuc"


def _facts(dtype: Any, *classes: str, wide: str = "", part: str = "") -> ScalarFacts:
    numpy_type = np.dtype(dtype)
    implied = frozenset(("data", *(("castable", *classes) if classes else ())))
    return ScalarFacts(numpy_type, implied, numpy_type.itemsize * 8, wide, part)


SCALARS: Final[Mapping[str, ScalarFacts]] = {
    "bool": _facts(np.bool_),
    "f8e4m3": _facts(ml_dtypes.float8_e4m3fn, "castable"),
    "f8e5m2": _facts(ml_dtypes.float8_e5m2, "castable"),
    **{
        f"{sign}{bits}": _facts(
            f"{'int' if sign == 'i' else 'uint'}{bits}", "ring", "comparable", "num", "ord", "integral"
        )
        for sign in "iu"
        for bits in (8, 16, 32, 64)
    },
    "f16": _facts(np.float16, "ring", "comparable", "inexact", "num", "ord", "floating", wide="f32"),
    "bf16": _facts(ml_dtypes.bfloat16, "ring", "comparable", "inexact", "num", "ord", "floating", wide="f32"),
    "f32": _facts(np.float32, "ring", "comparable", "inexact", "num", "ord", "floating"),
    "f64": _facts(np.float64, "ring", "comparable", "inexact", "num", "ord", "floating"),
    "c64": _facts(np.complex64, "ring", "comparable", "inexact", "complex", part="f32"),
    "c128": _facts(np.complex128, "ring", "comparable", "inexact", "complex", part="f64"),
}
SYNONYMS: Final[Mapping[str, str]] = {"float": "f32", "double": "f64", "half": "f16", "int": "i32"}
SPACES: Final = ("Global", "Shared", "Local", "Constant")
ROLES: Final = ("AMatrix", "BMatrix", "Accum")
#: the classes that each class implies. All `castable` types can be cast. Types with arithmetic form a `ring`, including
#: complex types, which `num` excludes. `inexact` types, as numpy calls them, are floating-point and complex ones, whose
#: operations round. Floats of 8 bits have no arithmetic, as in PyTorch: they are stored, moved and cast. `comparable`
#: and `ord` are scalars that can be compared: a vector has the classes of its element, except these two
IMPLIES: Final[Mapping[str, frozenset[str]]] = {
    "data": frozenset(("data",)),
    "castable": frozenset(("data", "castable")),
    "ring": frozenset(("data", "castable", "ring")),
    "comparable": frozenset(("data", "castable", "ring", "comparable")),
    "inexact": frozenset(("data", "castable", "ring", "inexact")),
    "num": frozenset(("data", "castable", "ring", "num")),
    "ord": frozenset(("data", "castable", "ring", "comparable", "num", "ord")),
    "floating": frozenset(("data", "castable", "ring", "inexact", "num", "floating")),
    "integral": frozenset(("data", "castable", "ring", "num", "integral")),
    "complex": frozenset(("data", "castable", "ring", "inexact", "complex")),
}
#: the classes that contain no vectors
SCALAR_ONLY: Final = frozenset(("comparable", "ord"))
#: pairs of disjoint classes
DISJOINT: Final = (
    frozenset(("integral", "floating")),
    frozenset(("integral", "inexact")),
    frozenset(("num", "complex")),
)
#: the kind of all types, including those of functions; used by equations, but not by programs
ANY: Final = "any"
#: the kinds of functions from sizes to sizes, and from sizes to types of data
SIZE_FUNCTION: Final = "nat -> nat"
FAMILY: Final = "nat -> data"


def is_complex(name: str) -> bool:
    """Whether the scalar type of this name is a type of complex numbers."""
    return name in SCALARS and bool(SCALARS[name].part)


def is_only_stored(name: str) -> bool:
    """Whether the numbers of the scalar type of this name have no operations except casts.

    >>> is_only_stored("f8e4m3"), is_only_stored("bf16"), is_only_stored("bool")
    (True, False, False)
    """
    classes = SCALARS[name].classes if name in SCALARS else frozenset()
    return "castable" in classes and "ring" not in classes


def complex_of(part: str) -> str | None:
    """The type of complex numbers with parts of this type; None if there is none.

    >>> complex_of("f32"), complex_of("i32")
    ('c64', None)
    """
    return next((name for name, facts in SCALARS.items() if facts.part == part), None)


@cache
def contradiction(classes: frozenset[str]) -> frozenset[str] | None:
    """Two disjoint classes among these, or None.

    >>> sorted(contradiction(frozenset(("data", "integral", "floating"))))
    ['floating', 'integral']
    """
    return next((pair for pair in DISJOINT if pair <= classes), None)


@cache
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

    >>> kind_name(frozenset(("data", "castable", "ring", "comparable", "inexact", "num", "ord", "floating")))
    'floating + ord'
    """
    if FAMILY in classes:
        return FAMILY
    least = [c for c in classes if not any(c != d and c in IMPLIES[d] for d in classes)]
    return " + ".join(sorted(least)) or "data"
