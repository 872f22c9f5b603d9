"""Normal forms of programs: BENF, DFNF, RNF and CNF of the paper (ICFP 2020, section 4.2), and how to maintain them.

A strategy that matches `map (fun(x => ...)) xs` needs every map in that form. For each form there is a strategy that
establishes it, without changing programs that already have it, and a predicate that checks for it. Depends on the
patterns map and reduce, but not on targets.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from elevate import Strategy, child, id_, named, normalize, not_, repeat, topDown, try_, where
from elevate.normal_forms import Sequencing, thenKeeping
from rise.records import dataclass
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

#: the patterns whose functions are eta-expanded, with the numbers of parameters of these functions
WRITTEN_OUT: Final = {"map": 1} | dict.fromkeys(FOLDS, 2)

isFunctionOfMap: Final = Applied("isFunctionOfMap", frozenset({("map", 1)}))
isFunctionOfReduce: Final = Applied("isFunctionOfReduce", frozenset((name, 1) for name in FOLDS))


@partial(
    where,
    roots=[(name, count) for name, wanted in WRITTEN_OUT.items() for count in range(1, wanted + 1)],
    depth=0,
)
def isPartialPattern(e: Expr) -> bool:
    """A map or a reduction that has its function, but not all of its arguments."""
    return isinstance(e.root, tuple) and 1 <= e.root[1] <= WRITTEN_OUT.get(e.root[0], 0)


@partial(where, roots=["Lam"])
def isWrittenOut(e: Expr) -> bool:
    """A function that is eta-expanded only because a pattern in it needs all of its arguments."""
    return isinstance(e, Lam) and isinstance(e.body, App) and isPartialPattern.holds(e.body.fun)


@dataclass(frozen=True, slots=True)
class WrittenOutOperands(Strategy):
    """Eta-expand the operands of an application; functions of map and reduce get all of their parameters."""

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
    """Eta-expand the functions of map and reduce in a beta-normal term, and eta-reduce all others.

    `parameters`: the number of parameters that the term itself must have.
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


#: beta-eta normal form: no beta redex and no eta redex
BENF: Strategy = named("BENF", normalize(etaReduction | betaReduction))
#: data-flow normal form: BENF, but functions of map and reduce are eta-expanded, and both have all of their arguments
DFNF: Strategy = named("DFNF", normalize(betaReduction) >> WrittenOut())
#: rewrite normal form: DFNF in which every map has one operation
RNF: Strategy = named("RNF", DFNF >> repeat(topDown(mapLastFission) >> DFNF))
#: code-generation normal form: no map reads the result of another map
CNF: Strategy = named("CNF", normalize(mapFusion))


def hasDFNF(e: Expr) -> bool:
    """Whether the data flow of a program is explicit, as after DFNF."""
    waiting: list[tuple[Expr, int, bool]] = [
        (e, 0, False)
    ]  # a term, the number of parameters that it needs, whether it is applied
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
    """The number of parameters to which the argument of a term must be eta-expanded."""
    return WRITTEN_OUT.get(fun.name, 0) if isinstance(fun, Primitive) else 0


def _calls_only(inner: Expr) -> bool:
    """Whether this is the body of a function that only calls another (an eta redex)."""
    match inner:
        case App(fun, Bound(0, _)):
            return not occurs(fun)
    return False


#: succeed on programs in BENF
isBENF: Strategy = named("isBENF", not_(topDown(etaReduction | betaReduction)))
#: succeed on programs in DFNF
isDFNF: Strategy = named("isDFNF", where(hasDFNF))
#: succeed on programs in RNF
isRNF: Strategy = named("isRNF", where(hasDFNF) >> not_(topDown(mapLastFission)))
#: succeed on programs in CNF
isCNF: Strategy = named("isCNF", not_(topDown(mapFusion)))

#: strategies in sequence, with the data flow made explicit between them: the papers' `a ;; b`
followedBy: Sequencing = thenKeeping(DFNF)
