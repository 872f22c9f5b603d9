"""Predicates on terms that determine where elements are stored, such as scatters and windows in buffers."""

from __future__ import annotations

from typing import Final

from rise.nodes import Node, postorder
from rise.primitives import PRIMITIVES, applied, with_trait
from rise.primitives.record import PrimitiveRecord
from rise.scalars import SCALARS
from rise.terms import Expr, Primitive, spine
from rise.types import ArrayType, ScalarType
from strategies.vocabulary.traversals import SCANS


def _depths(record: PrimitiveRecord) -> set[int]:
    """How deep a view reaches into its operands."""
    return {place.depth for place in record.places}


#: primitives that compute an array as a whole
WHOLE: Final = SCANS | with_trait("sorts") | with_trait("compresses") | with_trait("scatters")
#: applied primitives that compute a value in several turns
REPEATED: Final = applied(with_trait("loops", "rereads"))
#: applied views that take elements from the elements of an array
APART: Final = applied(name for name, record in PRIMITIVES.items() if _depths(record) == {2})
#: applied views of an array's elements, and choices between arrays
OF_ELEMENTS: Final = applied(
    {name for name, record in PRIMITIVES.items() if _depths(record) == {1}} | with_trait("forwards")
)
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


def takesRowsApart(e: Expr) -> bool:
    """Transposed or joined rows that are computed as a whole: reading an element on demand would compute its entire
    row.
    """
    if e.root not in APART or not _isOfRows(e.children[1]):
        return False
    waiting = [e.children[1]]
    while waiting:
        rows = waiting.pop()
        if rows.root == ("map", 2):
            if _computesWhole(rows.children[0]):
                return True
        elif _isGenerated(rows):
            if _computesWhole(rows.children[1]):
                return True
        elif rows.root in OF_ELEMENTS or isReordered(rows):
            waiting += [one for one in spine(rows)[1] if isinstance(one, Expr) and _isOfRows(one)]
    return False


def _isOfRows(e: Node) -> bool:
    """An array of arrays."""
    return isinstance(e, Expr) and isinstance(e.type, ArrayType) and isinstance(e.type.element, ArrayType)


def _isGenerated(e: Expr) -> bool:
    """`generate f`."""
    return e.root == ("generate", 1)


def _computesWhole(function: Expr) -> bool:
    """Whether a function computes an array as a whole."""
    return any(
        node.name in WHOLE
        if isinstance(node, Primitive)
        else isinstance(node, Expr) and node.root in REPEATED and isinstance(node.type, ArrayType)
        for node in postorder(function)
    )
