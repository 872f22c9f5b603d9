"""Terms that say where elements go: by indices, to a memory of a few windows, or to one of all. Knows no strategy."""

from __future__ import annotations

from typing import Final

from rise.nodes import postorder
from rise.scalars import SCALARS
from rise.terms import Expr, Primitive, spine
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
    return e.root in (("circularBuffer", 2), ("rotateValues", 2), ("lineBuffer", 2))


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


def isTransposedScans(e: Expr) -> bool:
    """The columns of rows that are each computed by a scan: to ask for an element would be to scan its row."""
    if e.root != ("transpose", 1):
        return False
    rows = spine(e)[1][0]
    return (
        isinstance(rows, Expr)
        and rows.root == ("map", 2)
        and any(
            isinstance(node, Primitive) and node.name in ("scan", "scanSeq")
            for node in postorder(rows.children[0])
        )
    )
