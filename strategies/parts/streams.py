"""Loops that consume elements in order, and a check that all windows of a program are consumed in order.

Independent of stencils.
"""

from __future__ import annotations

from typing import Final

from elevate import Predicate, where
from rise.primitives import applied, with_trait
from rise.terms import App, Expr, Lam, spine
from strategies.lowering.levels import Level
from strategies.rules.lowering import mapToMapSeq
from strategies.rules.streams import mapToIterateStream

#: applied primitives that yield elements in order
STREAMS: Final = applied(with_trait("streams"))
#: applied primitives that consume elements in order, and those of them that are loops
CONSUMERS: Final = applied(with_trait("takes"))
CONSUMING_LOOPS: Final = applied(with_trait("takes", "loops"))
#: applied primitives that keep elements in a buffer, which can only be read in order
BUFFERS: Final = applied(with_trait("buffers"))
#: maps that compute elements when an outer loop reads them
LAZY_MAPS: Final = applied(with_trait("maps") - with_trait("loops"))


def isOverStream(e: Expr) -> bool:
    """A map over a stream of elements."""
    return e.root == ("map", 2) and e.children[1].root in STREAMS


#: lower a map to a sequential loop, which takes the elements of a stream in order
inOrder: Final = Level(where(isOverStream) >> mapToIterateStream | mapToMapSeq)


def takesInOrder(e: Expr) -> bool:
    """A lowered program in which loops read the windows of every ring buffer in order, and none is read at an index."""
    waiting: list[tuple[Expr, bool]] = [
        (e, False)
    ]  # with whether a loop consumes the term's elements in order
    while waiting:
        node, is_consumed = waiting.pop()
        match node:
            case App(Lam(_, _, body), given):
                waiting += [(body, is_consumed), (given, False)]
            case App() if node.root in BUFFERS and not is_consumed:
                return False
            case Lam(_, _, body):
                waiting.append((body, is_consumed))
            case App() if node.root in CONSUMERS:
                function, xs = (operand for operand in spine(node)[1] if isinstance(operand, Expr))
                is_passed = is_consumed and node.root not in BUFFERS
                waiting += [
                    (function, is_passed and is_of_lines(xs)),
                    (xs, is_consumed or node.root in CONSUMING_LOOPS),
                ]
            case App() if node.root in LAZY_MAPS or node.root == ("zip", 2):
                waiting += [(operand, is_consumed) for operand in spine(node)[1] if isinstance(operand, Expr)]
            case _:
                waiting += [(child, False) for child in node.children]
    return True


def is_of_lines(e: Expr) -> bool:
    """Whether a term is a stream of lines, each of which is a stream itself."""
    while e.root in CONSUMERS and e.root not in BUFFERS:
        e = e.children[1]
    return e.root == ("lineBuffer", 2)


def _why_not(e: Expr) -> str:
    return (
        "expected a loop that reads the windows of each ring buffer in order, found windows that are paired or"
        " rearranged first: choose a strategy without ring buffers, such as strategies.images:scanline"
    )


#: all windows in ring buffers are read in order
ringsInOrder: Predicate = where(takesInOrder, why=_why_not)
