"""Predicates on terms that determine where elements are stored, such as scatters and windows in buffers."""

from __future__ import annotations

from typing import Final

from rise.nodes import postorder
from rise.primitives import applied, with_trait
from rise.scalars import SCALARS
from rise.terms import Expr, Primitive, spine
from rise.types import ArrayType, ScalarType
from strategies.vocabulary.traversals import SCANS

#: primitives that compute an array as a whole
WHOLE: Final = SCANS | with_trait("sorts") | with_trait("compresses")
#: applied primitives that write elements at computed indices
SCATTERED: Final = applied(with_trait("scatters"))
#: applied primitives that sort numbers, or select elements in order
ORDERED: Final = applied(with_trait("sorts") | with_trait("compresses"))
#: applied primitives that yield windows in order, each element computed once
BUFFERED: Final = applied(with_trait("buffers"))


def isScattered(e: Expr) -> bool:
    """`scatter is xs`, or `scatterAdd is xs ys` in any lowered form."""
    return e.root in SCATTERED


def isOrdered(e: Expr) -> bool:
    """`sort xs`, `argsort xs`, or `compress m bs c xs`, in any lowered form."""
    return e.root in ORDERED


def isKept(e: Expr) -> bool:
    """Windows in order whose elements are written to memory."""
    return e.root in BUFFERED


def isReordered(e: Expr) -> bool:
    """`reorder f g xs`."""
    return e.root == ("reorder", 3)


def isUpdated(e: Expr) -> bool:
    """An array of numbers that GPUs can add atomically."""
    return (
        isinstance(e.type, ArrayType)
        and isinstance(e.type.element, ScalarType)
        and SCALARS[e.type.element.name].bits >= 16
    )


def isTransposedScans(e: Expr) -> bool:
    """Transposed rows that are computed as a whole: reading an element on demand would compute its entire row."""
    if e.root != ("transpose", 1):
        return False
    rows = spine(e)[1][0]
    return (
        isinstance(rows, Expr)
        and rows.root == ("map", 2)
        and any(isinstance(node, Primitive) and node.name in WHOLE for node in postorder(rows.children[0]))
    )
