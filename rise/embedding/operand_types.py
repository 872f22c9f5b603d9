"""The types of operands: what several scalar types have in common, and which an operation takes. Knows no values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rise.embedding.places import refuse
from rise.scalars import SCALARS
from rise.text.type_printer import show_type
from rise.types import BOOL, IndexType, PairType, ScalarType, Type


def joint_type(types: Sequence[Type]) -> Type | None:
    """The type that values of several scalar types take together, or None if they are not converted.

    Integers and truth values take the type of floats; integers that of the widest, as in numpy. Floats of different
    types are not converted, and neither are u64 and signed integers, which only floats have in common.
    """
    facts = [SCALARS.get(each.name if isinstance(each, ScalarType) else "") for each in types]
    known = [each for each in facts if each is not None]
    if not types or len(known) < len(facts):
        return None
    floats = [each for each, of in zip(types, known, strict=True) if "floating" in of.classes]
    if floats:
        return floats[0] if len(floats) == 1 else None
    wanted = np.result_type(*(each.dtype for each in known))
    return next(
        (ScalarType(name) for name, each in SCALARS.items() if each.dtype == wanted and wanted.kind != "f"),
        None,
    )


def check_kind(name: str, kind: str, found: Type) -> None:
    """Refuse a type that is not in the class of an operation's operands."""
    if kind == "bool" or (kind == "bits" and found == BOOL):
        is_in = found == BOOL
    else:
        facts = SCALARS.get(found.name if isinstance(found, ScalarType) else "")
        of = "integral" if kind == "bits" else kind
        is_in = of == "data" or (facts is not None and of in facts.classes)
    if is_in:
        return
    wanted = {
        "bool": "bool",
        "bits": "bool or an integral type",
        "floating": "a floating type",
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
    elif kind == "floating":
        hint = 'convert first: `x.astype("f32")`' + ("; `//` divides integers" if name == "/" else "")
    else:
        hint = 'convert first: `x.astype("i32")`'
    refuse("type-mismatch", title, hint)
