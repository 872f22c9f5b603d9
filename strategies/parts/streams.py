"""Loops that consume elements in order, and whether all windows of a program are consumed so. Knows no stencil."""

from __future__ import annotations

from typing import Final

from elevate import Predicate, where
from rise.primitives import applied, with_trait
from rise.terms import App, Expr, Lam, spine
from strategies.lowering.levels import Level
from strategies.rules.lowering import mapToMapSeq
from strategies.rules.streams import mapToIterateStream

#: what shows elements that come one after the other; what takes such elements; what keeps them, so that they have no
#: order but that one
STREAMS: Final = applied(with_trait("streams"))
TAKING: Final = applied(with_trait("takes"))
LOOPING: Final = applied(with_trait("takes", "loops"))
KEEPING: Final = applied(with_trait("buffers"))
#: what computes elements for a loop outside
MAPPING: Final = applied(with_trait("maps") - with_trait("loops"))


def isOfStream(e: Expr) -> bool:
    """A map over elements that come one after the other."""
    return e.root == ("map", 2) and e.children[1].root in STREAMS


#: one turn after the other, each with the next element of a stream where the loop runs over one
inOrder: Final = Level(where(isOfStream) >> mapToIterateStream | mapToMapSeq)


def takesInOrder(e: Expr) -> bool:
    """A lowered program in which loops take the windows of every ring one after the other, and none at an index."""
    waiting: list[tuple[Expr, bool]] = [(e, False)]  # each with whether a loop takes its elements in order
    while waiting:
        node, is_taken = waiting.pop()
        match node:
            case App(Lam(_, _, body), given):
                waiting += [(body, is_taken), (given, False)]
            case App() if node.root in KEEPING and not is_taken:
                return False
            case Lam(_, _, body):
                waiting.append((body, is_taken))
            case App() if node.root in TAKING:
                function, xs = (one for one in spine(node)[1] if isinstance(one, Expr))
                is_passed = is_taken and node.root not in KEEPING
                waiting += [(function, is_passed and is_of_lines(xs)), (xs, is_taken or node.root in LOOPING)]
            case App() if node.root in MAPPING or node.root == ("zip", 2):
                waiting += [(one, is_taken) for one in spine(node)[1] if isinstance(one, Expr)]
            case _:
                waiting += [(one, False) for one in node.children]
    return True


def is_of_lines(e: Expr) -> bool:
    """A stream of lines, each of which is a stream itself."""
    while e.root in TAKING and e.root not in KEEPING:
        e = e.children[1]
    return e.root == ("lineBuffer", 2)


def _why_not(e: Expr) -> str:
    return (
        "expected a loop over the windows of each ring that takes them one after the other, found windows that are"
        " paired or rearranged before: choose a strategy that keeps no rings, such as strategies.images:scanline"
    )


#: all windows that are kept in rings are taken in order
ringsInOrder: Predicate = where(takesInOrder, why=_why_not)
