"""The types of operands: what several scalar types have in common, and which an operation takes. Knows no values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rise.embedding.places import refuse
from rise.scalars import SCALARS
from rise.text.type_printer import show_type
from rise.types import BOOL, IndexType, PairType, ScalarType, Type


def joint_type(types: Sequence[Type]) -> Type | None:
    """The type that values of several scalar types take together, or None if they are not converted.

    Integers and truth values take the type of floats; integers that of the widest, as in numpy. Floats of different
    types are not converted, and neither are u64 and signed integers, which only floats have in common. Beside complex
    numbers all take the type that numpy gives them.
    """
    facts = [SCALARS.get(each.name if isinstance(each, ScalarType) else "") for each in types]
    known = [each for each in facts if each is not None]
    if not types or len(known) < len(facts):
        return None
    if any(of.part for of in known):
        return _with_complex([of.dtype for of in known])
    floats = [each for each, of in zip(types, known, strict=True) if "floating" in of.classes]
    if floats:
        return floats[0] if len(floats) == 1 else None
    wanted = np.result_type(*(each.dtype for each in known))
    return next(
        (ScalarType(name) for name, each in SCALARS.items() if each.dtype == wanted and wanted.kind != "f"),
        None,
    )


def complex_type(t: Type) -> Type:
    """The type that values of a scalar type have together with a complex number of Python."""
    name = t.name if isinstance(t, ScalarType) else ""
    if name not in SCALARS:
        return t
    dtype = SCALARS[name].dtype
    return _with_complex([dtype, np.dtype(np.complex64)]) or ScalarType("c64")  # of bf16


def _with_complex(dtypes: Sequence[np.dtype[Any]]) -> Type | None:
    try:
        wanted = np.result_type(*dtypes)
    except TypeError:  # bf16 has no common type
        return None
    return next((ScalarType(name) for name, each in SCALARS.items() if each.dtype == wanted), None)


def check_kind(name: str, kind: str, found: Type) -> None:
    """Refuse a type that is not in the class of an operation's operands."""
    facts = SCALARS.get(found.name if isinstance(found, ScalarType) else "")
    if kind == "bool" or (kind == "bits" and found == BOOL):
        is_in = found == BOOL
    else:
        of = "integral" if kind == "bits" else kind
        among = ("floating", "complex") if of == "inexact" else (of,)
        is_in = of == "data" or (facts is not None and not facts.classes.isdisjoint(among))
    if is_in:
        return
    wanted = {
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
    elif kind in ("floating", "inexact"):
        hint = 'convert first: `x.astype("f32")`' + ("; `//` divides integers" if name == "/" else "")
    else:
        hint = 'convert first: `x.astype("i32")`'
    refuse("type-mismatch", title, hint)
