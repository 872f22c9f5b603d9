"""The types of operands: common types of several scalars, and the types that an operation accepts.

Independent of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from rise.embedding.places import refuse
from rise.scalars import SCALARS, is_only_stored
from rise.text.type_printer import show_type
from rise.types import BOOL, F64, I64, IndexType, PairType, ScalarType, Type

#: classes of operations that also exist on truth values, where + is `or`, * is `and`, and False is less than True
LOGICAL: Final = {"semiring": "ring", "lattice": "num"}
#: the names of operators as numpy functions
_SPELLED: Final = {"/": "divide", "**": "power"}


def joint_type(types: Sequence[Type]) -> Type | None:
    """The common type to which values of several scalar types are converted; None if they are not converted.

    Integers and truth values take the type of floats. Integers take the widest type, as in numpy, which is f64 for u64
    and signed integers; and so do floats, if one of their types holds all others. With complex numbers, all values take
    the type that numpy chooses.
    """
    facts = [SCALARS.get(each.name if isinstance(each, ScalarType) else "") for each in types]
    known = [each for each in facts if each is not None]
    if not types or len(known) < len(facts):
        return None
    if any(of.part for of in known):
        return _common([of.dtype for of in known])
    floats = [of for of in known if "floating" in of.classes]
    return _common([of.dtype for of in floats or known])


def beside_compared(t: Type, numbers: Sequence[object]) -> Type:
    """The type in which integers are compared with Python's integers: their own type, if it can represent all of these.

    >>> show_type(beside_compared(ScalarType("u8"), [256])), show_type(beside_compared(ScalarType("u64"), [-1]))
    ('i64', 'f64')
    """
    if not _is_whole(t) or t == BOOL or not isinstance(t, ScalarType):
        return t
    limits, wide = np.iinfo(SCALARS[t.name].dtype), np.iinfo(np.int64)
    given = [one for one in numbers if type(one) is int]
    if all(limits.min <= one <= limits.max for one in given):
        return t
    if t.name == "u64":  # a negative number is below all of them, even if these are rounded
        return F64 if all(one <= limits.max for one in given) else t
    return I64 if all(wide.min <= one <= wide.max for one in given) else t


def beside_number(t: Type, number: object) -> Type:
    """The type that integers and truth values take in an operation with a Python number of another kind: the widest
    type of that kind.

    >>> show_type(beside_number(ScalarType("i8"), 0.5)), show_type(beside_number(ScalarType("i8"), 2))
    ('f64', 'i8')
    """
    if not _is_whole(t) or isinstance(number, bool | complex):
        return t
    if isinstance(number, int):
        return I64 if t == BOOL else t
    return F64


def floating_type(name: str, t: Type) -> Type:
    """The type in which numpy computes a floating-point function, given by name, of integers and truth values.

    >>> show_type(floating_type("/", ScalarType("u8"))), show_type(floating_type("sqrt", ScalarType("i16")))
    ('f64', 'f32')
    """
    function = getattr(np, _SPELLED.get(name, name), None)
    if not isinstance(t, ScalarType) or not _is_whole(t) or not isinstance(function, np.ufunc):
        return t
    found = function(*[np.ones(1, SCALARS[t.name].dtype)] * function.nin).dtype
    if found.kind == "b":  # a predicate on floats
        return F64
    return next((ScalarType(each) for each, of in SCALARS.items() if of.dtype == found), t)


def _is_whole(t: Type) -> bool:
    name = t.name if isinstance(t, ScalarType) else ""
    return name in SCALARS and SCALARS[name].dtype.kind in "biu"


def complex_type(t: Type) -> Type:
    """The type that values of a scalar type take in an operation with a complex Python number."""
    name = t.name if isinstance(t, ScalarType) else ""
    if name not in SCALARS:
        return t
    dtype = SCALARS[name].dtype
    return _common([dtype, np.dtype(np.complex64)]) or ScalarType("c64")  # for bf16


def _common(dtypes: Sequence[np.dtype[Any]]) -> Type | None:
    """The type that numpy chooses. Where versions of `ml_dtypes` before 0.7 have none, as for bf16 and f16, it is that
    of later ones: f32 in place of the floats of up to 16 bits.
    """
    try:
        wanted = np.result_type(*dtypes)
    except TypeError:
        is_narrow = [each.kind not in "biuc" and each.itemsize < 4 for each in dtypes]
        wanted = np.result_type(
            *(np.float32 if narrow else each for each, narrow in zip(dtypes, is_narrow, strict=True))
        )
    return next((ScalarType(name) for name, each in SCALARS.items() if each.dtype == wanted), None)


def check_kind(name: str, kind: str, found: Type) -> None:
    """Refuse a type that is not in the class of an operation's operands."""
    scalar = found.name if isinstance(found, ScalarType) else ""
    facts = SCALARS.get(scalar)
    if kind == "bool" or (kind == "bits" and found == BOOL):
        is_in = found == BOOL
    elif kind in LOGICAL and found == BOOL:
        return
    else:
        of = "integral" if kind == "bits" else LOGICAL.get(kind, kind)
        among = ("floating", "complex") if of == "inexact" else (of,)
        is_in = of == "data" or (facts is not None and not facts.classes.isdisjoint(among))
    if is_in:
        return
    wanted = {
        **dict.fromkeys(LOGICAL, "numbers"),
        "bool": "bool",
        "bits": "bool or an integral type",
        "floating": "a floating type",
        "inexact": "a floating type",
        "ring": "numbers",
        "integral": "an integral type",
        "num": "numbers",
    }
    title = f"`{name}` expected {wanted.get(kind, kind)}, found {show_type(found)}"
    if isinstance(found, PairType):
        hint = "use the parts of the pairs: `x.first`, `x.second`"
    elif isinstance(found, IndexType):
        hint = 'convert the index to a number: `i.astype("i64")`'
    elif kind in ("bool", "bits"):
        hint = "compare first, as in `x != 0`"
    elif facts is not None and facts.part:
        hint = "take a part: `x.real`, `x.imag`, or `np.abs(x)`"
    elif kind in ("floating", "inexact") or is_only_stored(scalar):
        hint = 'convert first: `x.astype("f32")`' + ("; `//` divides integers" if name == "/" else "")
    else:
        hint = 'convert first: `x.astype("i32")`'
    refuse("type-mismatch", title, hint)
