"""Attention in one pass over the keys, with an online softmax: neither scores nor weights are stored.

Derived from the definition, for any names of its arrays, and whether weights or sums are divided. Does not tile.
"""

from __future__ import annotations

from typing import Any, ClassVar

from elevate import ExplainedPredicate, Strategy, named, normalize, repeat, topDown, where
from rise.naturals import Nat
from rise.nodes import postorder
from rise.records import dataclass
from rise.terms import App, DepLam, Expr, Lam, spine
from rise.types import ArrayType
from strategies.gpu import isLaunchable
from strategies.lowering.levels import SEQ, global_level
from strategies.lowering.positions import Write
from strategies.parts.launchable import keepsOwn
from strategies.parts.nests import Parameters, reduceInOrder
from strategies.rules.functions import betaReduction, gentleBeta
from strategies.rules.gpu_kernels import joins
from strategies.rules.sharing import callWithin
from strategies.rules.softmax import onlineSoftmax
from strategies.sharing import fuseShared, isCallOfElements, meet


def isReadByOneLoop(e: Expr) -> bool:
    """A call that names an array which is only read by one loop over its elements."""
    match e:
        case App(Lam(_, ArrayType(), body), _):
            return joins(body, 0)
    return False


#: name rows of scores, and compute weights where they are read
nameScores: Strategy = named(
    "nameScores",
    fuseShared
    >> repeat(
        topDown(
            where(isReadByOneLoop) >> betaReduction | where(isCallOfElements) >> betaReduction | callWithin
        )
        >> meet
    ),
)


@dataclass(frozen=True, slots=True)
class ReturnsKnownRows(ExplainedPredicate):
    """Holds for a program that returns rows of a known length."""

    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        size = _row_size(term)
        if size is not None and size.constant is not None:
            return None
        return (
            "expected a program that returns rows"
            if size is None
            else "expected rows of a known length, found rows of unknown length: threads keep their sums in registers",
            "fix the length of the rows of values by `rise.specialise`, for example `E=64`",
        )


def _row_size(e: Expr) -> Nat | None:
    """The length of the rows that a program returns."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    t, size = e.type, None
    while isinstance(t, ArrayType):
        size, t = t.size, t.element
    return size


def weighsRows(e: Expr) -> bool:
    """A program that sums rows by the weights of a softmax, and divides the sums."""
    return any(isinstance(node, Expr) and onlineSoftmax.apply(node) is not None for node in postorder(e))


def isBatch(e: Expr) -> bool:
    """A program that maps over matrices, and over the rows of each."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Lam) and function.body.root == ("map", 2)


#: compute sums with the weights of a softmax in one pass; fails if there are none
inOnePass: Strategy = named(
    "inOnePass",
    nameScores
    >> where(
        weighsRows, why=lambda e: "no sums of rows found that are weighted by a softmax of scores of f32"
    )
    >> topDown(onlineSoftmax)
    >> normalize(gentleBeta)
    >> meet,
)
#: attention with one thread per query: it streams over the keys and values, with the maximum of its scores, the sum of
#: their exponentials and the weighted sum of values in registers; rows of values must have a known length
oneThreadPerQuery: Strategy = named(
    "oneThreadPerQuery",
    Parameters()
    >> ReturnsKnownRows()
    >> inOnePass
    >> reduceInOrder
    >> (where(isBatch) >> Write((global_level(1), global_level(0), SEQ)) | Write((global_level(0), SEQ)))
    >> where(keepsOwn)
    >> isLaunchable,
)
