"""Runs a loop by vector instructions, unrolled, or on threads. Handles single loops, not nests."""

from __future__ import annotations

from elevate import Strategy, named, where
from rise.terms import Bound, Expr, Lam, spine
from strategies.parts.nests import operationsOnVectors
from strategies.parts.parameters import check_sizes
from strategies.rules.cpu import vectorOperation
from strategies.rules.lowering import mapToMapPar, mapToMapSeq, reduceSeqToUnroll
from strategies.rules.vectors import vectorizeAfter
from strategies.vocabulary.traversals import argument, isAppliedMap


def isCopyLoop(e: Expr) -> bool:
    """A map that computes nothing: `map (fun(x => x)) xs`."""
    function = spine(e)[1][0] if e.root == ("map", 2) else e
    return isinstance(function, Lam) and isinstance(function.body, Bound) and function.body.index == 0


#: run the iterations of a loop on different threads
parallel: Strategy = mapToMapPar
#: unroll a reduction in order
unroll: Strategy = reduceSeqToUnroll


@named
def vectorize(n: int) -> Strategy:
    """Compute n numbers at once in a loop over numbers, with its arrays viewed as vectors of n.

    Applies to a map whose function computes a number by an operation of vector units, and to a map that copies numbers,
    which becomes a `mapSeq` immediately; n must divide the number of elements. Raises StrategyError if n is not a size.
    """
    check_sizes(n=n)
    copied = where(isCopyLoop) >> vectorizeAfter(n) >> argument(vectorOperation >> mapToMapSeq)
    return copied | isAppliedMap >> vectorizeAfter(n) >> argument(operationsOnVectors)
