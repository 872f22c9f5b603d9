"""Lists of numbers that loops compute, such as `[sum(xs), sum(ys)]`, and the loops that read them."""

from __future__ import annotations

from elevate import Strategy, named, normalize, topDown, where
from rise.terms import App, Expr, spine
from rise.types import ArrayType, is_data
from strategies.lowering.predicates import COMPUTING, hasLoop, head, isPlain, isViewPrimitive, isWritable
from strategies.parts.memory import nameStored
from strategies.parts.partial_results import hasOnlyMaps
from strategies.rules.lowering import holdsArray, toMemLocal
from strategies.vocabulary.traversals import argument


def isList(e: Expr) -> bool:
    """An array that is written as the list of its elements."""
    if not isWritable(e) or not isinstance(e.type, ArrayType) or not isinstance(e, App):
        return False
    return all(isinstance(part, Expr) and part.type == e.type.element for part in spine(e)[1])


def isListOfLoops(e: Expr) -> bool:
    """A list of numbers, at least one of which is computed by a loop, or of arrays that are computed by reductions."""
    waiting, hasLoops = [e], False
    while waiting:
        term = waiting.pop()
        if isList(term):
            waiting += [part for part in spine(term)[1] if isinstance(part, Expr)]
        elif isPlain(term):
            hasLoops = hasLoops or hasLoop(term)
        elif hasOnlyMaps(term):
            return False
        else:
            hasLoops = True
    return hasLoops and isList(e)


def readsList(e: Expr) -> bool:
    """A loop over a list of values that loops compute, or over views of such a list."""
    if head(e) not in COMPUTING or not isinstance(e, App) or not holdsArray(e.arg.type):
        return False
    waiting: list[Expr] = [e.arg]
    while waiting:
        term = waiting.pop()
        if isListOfLoops(term):
            return True
        if isinstance(term, App) and isViewPrimitive(head(term)):
            waiting += [one for one in spine(term)[1] if isinstance(one, Expr) and is_data(one.type)]
    return False


#: store a list before the loop that reads it, so that each of its elements is computed outside of that loop
storeLists: Strategy = named(
    "storeLists",
    normalize(where(readsList) >> argument(topDown(where(isListOfLoops) >> toMemLocal)) >> nameStored),
)
