"""The type that operands of several scalar types take together. Knows no values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rise.scalars import SCALARS
from rise.types import ScalarType, Type


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
