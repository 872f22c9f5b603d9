"""Terms that say where elements go: by indices, or to a memory of a few windows. Knows no strategy."""

from __future__ import annotations

from typing import Final

from rise.scalars import SCALARS
from rise.terms import Expr
from rise.types import ArrayType, ScalarType

#: what says by indices where elements are written, and its number of operands
_OPERANDS: Final = {
    "scatter": 2,
    "scatterAdd": 3,
    "scatterAddSeq": 3,
    "scatterAddPar": 3,
    "scatterAddGlobal": 3,
}
SCATTERED: Final = frozenset(_OPERANDS)


def isScattered(e: Expr) -> bool:
    """`scatter is xs`, or `scatterAdd is xs ys`, however it is added."""
    return isinstance(e.root, tuple) and _OPERANDS.get(e.root[0]) == e.root[1]


def isKept(e: Expr) -> bool:
    """Windows that come one after the other, whose elements are written to memory."""
    return e.root in (("circularBuffer", 2), ("rotateValues", 2))


def isReordered(e: Expr) -> bool:
    """`reorder f g xs`."""
    return e.root == ("reorder", 3)


def isUpdated(e: Expr) -> bool:
    """An array of numbers that GPUs add undivided."""
    return (
        isinstance(e.type, ArrayType)
        and isinstance(e.type.element, ScalarType)
        and SCALARS[e.type.element.name].bits >= 16
    )
