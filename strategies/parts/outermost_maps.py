"""The maps that fill a program's result, and maps whose elements are computed without a loop."""

from __future__ import annotations

from elevate import Strategy, child, id_, try_, where
from rise.records import dataclass
from rise.terms import App, Expr, Lam, spine
from strategies.lowering.positions import Operands
from strategies.lowering.predicates import COMPUTING, hasLoop, head, isCall, isPlain, isStored, isWritable
from strategies.lowering.rows import isSized, sized_body
from strategies.rules.lowering import holdsArray
from strategies.vocabulary.traversals import isFunction


def isOfNumbers(e: Expr) -> bool:
    """A number computed from others without a loop."""
    return isinstance(e, App) and isPlain(e) and head(e) != "" and head(e) not in COMPUTING


@dataclass(frozen=True, slots=True)
class Numbers(Strategy):
    """Apply a strategy to a number, or to the numbers of which a stored array is composed; never fails."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return (
            where(isPlain) >> self.inner
            | where(isCall) >> child(0)(child(0)(self)) >> child(1)(self)
            | where(isSized) >> sized_body(self)
            | where(isStored) >> child(1)(self)
            | where(isWritable) >> Operands(self)
            | id_
        )


@dataclass(frozen=True, slots=True)
class OutermostMaps(Strategy):
    """Apply a strategy to the maps that fill a program's result, and to the numbers from which the result is computed,
    if it applies; never fails.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        ofNumbers = Numbers(self)
        return (
            isFunction >> child(0)(self)
            | where(isCall) >> child(0)(child(0)(self)) >> child(1)(ofNumbers)
            | where(isSized) >> sized_body(self)
            | where(isOfNumbers) >> Operands(ofNumbers)
            | where(isWritable) >> Operands(self)
            | try_(self.inner)
        )


@dataclass(frozen=True, slots=True)
class OutsideLoops(Strategy):
    """Apply a strategy to a program's result, to the values that it names, and to what these consist of, outside of
    loops, if it applies; never fails.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        named_value = where(isCall) >> child(0)(child(0)(self)) >> child(1)(self)
        return (
            isFunction >> child(0)(self)
            | named_value
            | where(isSized) >> sized_body(self)
            | where(isWritable) >> Operands(self)
            | try_(self.inner)
        )


def isElementwise(e: Expr) -> bool:
    """A map whose function computes a number without a loop."""
    if e.root != ("map", 2):
        return False
    _, (function, _) = spine(e)
    return isinstance(function, Lam) and not holdsArray(function.body.type) and not hasLoop(function.body)
