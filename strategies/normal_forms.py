"""Normal forms of programs: BENF, DFNF, RNF and CNF of the paper (ICFP 2020, section 4.2), and maintaining them.

A strategy that speaks of `map (fun(x => ...)) xs` wants every map to look like that. Each form has a strategy that
reaches it, which changes nothing in a program that has it, and a predicate that says whether a program has it.
Knows the patterns map and reduce, no target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from elevate import Strategy, child, id_, named, normalize, not_, repeat, topDown, try_, where
from elevate.maintained import Sequencing, thenKeeping
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, occurs
from strategies.rules.functions import betaReduction, etaReduction
from strategies.rules.fusion import mapFusion
from strategies.rules.normal_forms import mapLastFission, writeOut
from strategies.vocabulary.traversals import (
    FOLDS,
    Applied,
    isApplication,
    isDepApplication,
    isDepLambda,
    isFunction,
    isLambda,
)

#: the patterns whose functions are written out, and how many parameters these have
WRITTEN_OUT: Final = {"map": 1} | dict.fromkeys(FOLDS, 2)

isFunctionOfMap: Final = Applied("isFunctionOfMap", frozenset({("map", 1)}))
isFunctionOfReduce: Final = Applied("isFunctionOfReduce", frozenset((name, 1) for name in FOLDS))


@partial(
    where,
    roots=[(name, count) for name, wanted in WRITTEN_OUT.items() for count in range(1, wanted + 1)],
    depth=0,
)
def isPartialPattern(e: Expr) -> bool:
    """A map or a reduction that has its function, and still waits for what it works on."""
    return isinstance(e.root, tuple) and 1 <= e.root[1] <= WRITTEN_OUT.get(e.root[0], 0)


@partial(where, roots=["Lam"])
def isWrittenOut(e: Expr) -> bool:
    """A function that is written out only because a pattern in it must have all of its arguments."""
    return isinstance(e, Lam) and isinstance(e.body, App) and isPartialPattern.holds(e.body.fun)


@dataclass(frozen=True, slots=True)
class WrittenOutOperands(Strategy):
    """Write out what a function is applied to, the arguments of map and reduce as these want them."""

    def unfold(self) -> Strategy:
        return (
            isFunctionOfMap >> child(1)(WrittenOut(1))
            | isFunctionOfReduce >> child(1)(WrittenOut(2))
            | isApplication >> child(1)(WrittenOut()) >> child(0)(self)
            | isDepApplication >> child(0)(self)
            | isFunction >> child(0)(WrittenOut())
            | id_
        )


@dataclass(frozen=True, slots=True)
class WrittenOut(Strategy):
    """From a term without calls to write out: functions of map and reduce with their parameters, and no others.

    `parameters`: how many the term has to have.
    """

    parameters: int = 0

    def unfold(self) -> Strategy:
        inside = (
            isLambda >> child(0)(WrittenOut(max(self.parameters - 1, 0)))
            | isDepLambda >> child(0)(WrittenOut())
            | WrittenOutOperands()
        )
        if self.parameters:
            return inside >> try_(not_(isLambda) >> writeOut >> child(0)(WrittenOut(self.parameters - 1)))
        partial = isPartialPattern >> writeOut >> child(0)(self)
        return inside >> try_(partial | not_(isWrittenOut) >> etaReduction)


#: no function is called on the spot, and none only calls another: beta and eta
BENF: Strategy = named("BENF", normalize(etaReduction | betaReduction))
#: as BENF, but the functions of map and reduce are written out, and both have all of their arguments
DFNF: Strategy = named("DFNF", normalize(betaReduction) >> WrittenOut())
#: as DFNF, and every map does one thing
RNF: Strategy = named("RNF", DFNF >> repeat(topDown(mapLastFission) >> DFNF))
#: no map reads what another map writes
CNF: Strategy = named("CNF", normalize(mapFusion))


def hasDFNF(e: Expr) -> bool:
    """Whether the data flow of a program is explicit: the form that DFNF reaches."""
    waiting: list[tuple[Expr, int, bool]] = [
        (e, 0, False)
    ]  # a term, the parameters wanted, whether it is applied
    while waiting:
        term, wanted, is_applied = waiting.pop()
        if wanted and not isinstance(term, Lam):
            return False
        if not is_applied and isPartialPattern.holds(term):
            return False
        match term:
            case Lam(_, _, inner):
                if not wanted and _calls_only(inner) and not isWrittenOut.holds(term):
                    return False
                waiting.append((inner, max(wanted - 1, 0), False))
            case App(Lam(), _):
                return False
            case App(fun, arg):
                waiting += [(fun, 0, True), (arg, _wanted(fun), False)]
            case DepApp(fun, _):
                waiting.append((fun, 0, True))
            case DepLam():
                waiting.append((term.body, 0, False))
    return True


def _wanted(fun: Expr) -> int:
    """How many parameters the argument of a term has to have written out."""
    return WRITTEN_OUT.get(fun.name, 0) if isinstance(fun, Primitive) else 0


def _calls_only(inner: Expr) -> bool:
    """The body of a function that only calls another."""
    match inner:
        case App(fun, Bound(0, _)):
            return not occurs(fun)
    return False


isBENF: Strategy = named("isBENF", not_(topDown(etaReduction | betaReduction)))
isDFNF: Strategy = named("isDFNF", where(hasDFNF))
isRNF: Strategy = named("isRNF", where(hasDFNF) >> not_(topDown(mapLastFission)))
isCNF: Strategy = named("isCNF", not_(topDown(mapFusion)))

#: strategies one after the other, the data flow made explicit between them: the papers' `a ;; b`
followedBy: Sequencing = thenKeeping(DFNF)
