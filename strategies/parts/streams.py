"""Loops that consume elements in order, and a check that all windows of a program are consumed in order.

Independent of stencils.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from elevate import ExplainedPredicate, Path, Predicate, Strategy, all_, child, where
from rise.analysis.uses import takes_once
from rise.primitives import applied, with_trait
from rise.records import dataclass
from rise.terms import App, DepApp, Expr, Lam
from strategies.lowering.levels import Level
from strategies.lowering.predicates import isCall
from strategies.rules.lowering import mapToMapSeq
from strategies.rules.streams import mapToIterateStream, slideToRotateValues
from strategies.vocabulary.traversals import isFunction

_UNTAKEN: Final = (
    "expected a loop that reads the windows of each ring buffer in order, found windows that are paired"
    " or rearranged"
)
_NOT_ONCE: Final = (
    "expected a function that reads each column of a ring buffer's lines once, in order, found another"
)
_WITHOUT_RINGS: Final = "choose a strategy without ring buffers, such as strategies.images:scanline"
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


@dataclass(frozen=True, slots=True)
class Untaken:
    """A part of a lowered program whose elements no loop takes in order, with its path, and what was expected."""

    path: Path
    part: Expr
    problem: str


def untaken(e: Expr) -> Untaken | None:
    """The first ring buffer of a lowered program whose windows, or their columns, no loop reads in order."""
    waiting: list[tuple[Expr, Path, bool]] = [
        (e, (), False)
    ]  # with whether a loop consumes the term's elements in order
    while waiting:
        node, path, is_consumed = waiting.pop()
        match node:
            case App(Lam(_, _, body), given):
                waiting += [(given, (*path, 1), False), (body, (*path, 0, 0), is_consumed)]
            case App() if node.root in BUFFERS and not is_consumed:
                return Untaken(path, node, _UNTAKEN)
            case Lam(_, _, body):
                waiting.append((body, (*path, 0), is_consumed))
            case App() if node.root in CONSUMERS:
                (function, _), (xs, _) = operands = _operands(node, path)
                is_map = node.root not in BUFFERS
                if is_map and is_of_lines(xs) and not takes_once(function):
                    return Untaken(operands[0][1], function, _NOT_ONCE)
                is_passed = is_consumed and is_map
                taken = (is_passed and is_of_lines(xs), is_consumed or node.root in CONSUMING_LOOPS)
                waiting += [(*operand, is_taken) for operand, is_taken in zip(operands, taken, strict=True)]
            case App() if node.root in LAZY_MAPS or node.root == ("zip", 2):
                waiting += [(*operand, is_consumed) for operand in _operands(node, path)]
            case _:
                waiting += [(child, (*path, index), False) for index, child in enumerate(node.children)]
    return None


def _operands(e: Expr, path: Path) -> list[tuple[Expr, Path]]:
    """The operands of a primitive that are terms, with their paths."""
    operands: list[tuple[Expr, Path]] = []
    while isinstance(e, App | DepApp):
        if isinstance(e, App):
            operands.insert(0, (e.arg, (*path, 1)))
        e, path = e.fun, (*path, 0)
    return operands


def is_of_lines(e: Expr) -> bool:
    """Whether a term is a stream of lines, each of which is a stream itself."""
    while e.root in CONSUMERS and e.root not in BUFFERS:
        e = e.children[1]
    return e.root == ("lineBuffer", 2)


@dataclass(frozen=True, slots=True)
class TakesInOrder(ExplainedPredicate):
    """Holds for a lowered program in which loops read the windows of every ring buffer in order, and none is read at an
    index.
    """

    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What was expected and found, and what to do next; None if the predicate holds."""
        found = untaken(term)
        return None if found is None else (found.problem, _WITHOUT_RINGS)

    def focus(self, term: Any) -> Path:
        """The path of the windows."""
        found = untaken(term)
        return () if found is None else found.path

    def __str__(self) -> str:
        return "takesInOrder"


def isRing(e: Expr) -> bool:
    """An applied primitive that keeps elements in a buffer."""
    return e.root in BUFFERS


def isConsumingLoop(e: Expr) -> bool:
    """A loop that takes the elements of an array in order."""
    return e.root in CONSUMING_LOOPS


def isConsumerOfLines(e: Expr) -> bool:
    """A map over a stream of lines, each of which is a stream itself."""
    return e.root in CONSUMERS and is_of_lines(e.children[1])


def isConsumer(e: Expr) -> bool:
    """An applied primitive that consumes the elements of an array in order."""
    return e.root in CONSUMERS


def isComputedLater(e: Expr) -> bool:
    """A map or a zip whose elements are computed when an outer loop reads them."""
    return e.root in LAZY_MAPS or e.root == ("zip", 2)


@dataclass(frozen=True, slots=True)
class LeaveUntaken(Strategy):
    """Read windows at their places in the array, instead of from registers, where no loop takes them in order. In a
    term whose elements a loop takes in order, `is_taken`. Never fails.
    """

    is_taken: bool = False

    def unfold(self) -> Strategy:
        taken, apart = LeaveUntaken(True), LeaveUntaken()
        if not self.is_taken:
            loop = where(isConsumingLoop) >> child(1)(taken) >> child(0)(apart)
            return slideToRotateValues.inv >> self | loop | all_(apart)
        return (
            where(isCall) >> child(0)(child(0)(taken)) >> child(1)(apart)
            | isFunction >> child(0)(taken)
            | where(isRing) >> child(1)(taken) >> child(0)(apart)
            | where(isConsumerOfLines) >> child(1)(taken) >> child(0)(child(1)(taken))
            | where(isConsumer) >> child(1)(taken) >> child(0)(apart)
            | where(isComputedLater) >> child(1)(taken) >> child(0)(child(1)(taken))
            | all_(apart)
        )


#: all windows in ring buffers are read in order
ringsInOrder: Predicate = TakesInOrder()
