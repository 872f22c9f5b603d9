"""Lowers by position: what is written becomes loops; what is read is computed on demand or stored in memory.

A term is in *write* position if its result is written to memory, and in *read* position if its elements are read.
`Write` and `Read` traverse a term together, like acceptor and continuation translation in DPIA ("Strategy Preserving
Compilation for Parallel Functional Code", 2017, section 4), but only choose the places of loops and memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elevate import Strategy, all_, child, id_, try_, where
from rise.records import dataclass
from rise.types import Space
from strategies.lowering.levels import GLOBAL, LOCAL, SHARED, Levels
from strategies.lowering.predicates import (
    DEFERRED,
    FRAGMENTS,
    isCall,
    isChoiceOfLoops,
    isChosenPair,
    isComputed,
    isComputedPair,
    isDeferred,
    isFragmentWork,
    isIterate,
    isIterateWhile,
    isLeaf,
    isLowered,
    isOfFragments,
    isPartOfLoop,
    isPartOfVariable,
    isPlain,
    isRead,
    isReadAgain,
    isRereading,
    isShortened,
    isStored,
    isViewMap,
    isWritable,
)
from strategies.lowering.rows import (
    isAppliedRowMap,
    isMatch,
    isRowLoop,
    isSized,
    match_body,
    row_body,
    sized_body,
)
from strategies.lowering.scatters import (
    isKept,
    isOrdered,
    isReordered,
    isScattered,
    isUpdated,
    takesRowsApart,
)
from strategies.rules.argmin_argmax import argmaxAsReduce, argminAsReduce
from strategies.rules.compression import compressToCompressSeq
from strategies.rules.lowering import (
    copy,
    etaAbstraction,
    etaAbstractionFold,
    nameWhole,
    reduceToReduceSeq,
    scanToScanSeq,
    toMemLocal,
)
from strategies.rules.normal_forms import writeOut
from strategies.rules.orders import argsortToArgsortSeq, sortToSortSeq
from strategies.rules.permutations import scatterAddToSeq
from strategies.rules.staging import toMemGlobal, toMemShared
from strategies.vocabulary.traversals import (
    isApplication,
    isAppliedMap,
    isAppliedReduce,
    isAppliedScan,
    isFunction,
)

#: the rules that store a value in each memory
TO_MEMORY: Final[Mapping[Space, Strategy]] = {LOCAL: toMemLocal, SHARED: toMemShared, GLOBAL: toMemGlobal}


def function_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a map's function: `map (fun(x => HERE)) xs`."""
    return child(0)(child(1)(child(0)(s)))


def fold_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a reduction's function: `reduceSeq (fun(acc, x => HERE)) i xs`."""
    return child(0)(child(0)(child(1)(child(0)(child(0)(s)))))


def fold(levels: Levels, continues: bool = False) -> Strategy:
    """Lower the parts of `reduceSeq f i xs` or `scanSeq f i xs`. If `continues`, it continues an outer reduction: it
    starts with the accumulator of that reduction, without a copy.
    """
    step = fold_body(Write(inside_loop(levels), accumulates=True))
    start = where(isPartOfVariable) | Write(levels) if continues else Write(levels)
    return step >> child(0)(child(1)(start)) >> child(1)(Read(levels))


def turns(levels: Levels) -> Strategy:
    """Lower the parts of `iterateWhile k p f x`."""
    inside = inside_loop(levels)
    step, condition = Write(inside, accumulates=True), Read(inside)
    return child(0)(child(1)(step) >> child(0)(child(1)(condition))) >> child(1)(Write(levels))


def inside_loop(levels: Levels) -> Levels:
    """The levels inside a sequential loop: those that start threads stay outside of it."""
    while len(levels) > 1 and levels[0].starts_threads:
        levels = levels[1:]
    return levels


def memory(levels: Levels) -> Strategy:
    """Store what loops of the first level compute in memory that its readers can access: later kernels, other threads,
    or the same thread.
    """
    return TO_MEMORY[levels[0].space]


def summing(levels: Levels) -> Strategy:
    """Lower `scatterAdd is xs ys`: by atomic updates if the threads of a grid start here, otherwise by one thread."""
    outer = levels[0]
    is_processor = outer.starts_threads and outer.space == LOCAL
    alone = levels if is_processor else levels[-1:]  # on a CPU other threads may compute what one adds
    by_one_thread = scatterAddToSeq >> Given(Read(alone)) >> child(1)(Write(alone))
    if outer.sum_rule is None:
        return by_one_thread
    atomic = outer.sum_rule >> Given(Read(levels)) >> child(1)(Write(levels))
    return where(isUpdated) >> atomic | by_one_thread


def ordering(levels: Levels) -> Strategy:
    """Lower a sort or a compression for one thread. If threads start here, they compute its arrays first."""
    once = Operands(Read(levels[-1:]))
    given = where(isReadAgain) >> once | Operands(Keep(levels)) if levels[0].starts_threads else once
    return where(isOrdered) >> try_(sortToSortSeq | argsortToArgsortSeq | compressToCompressSeq) >> given


def below(levels: Levels) -> Levels:
    """The levels inside a loop of the first level; the last level is for all inner loops."""
    return levels[1:] or levels


@dataclass(frozen=True, slots=True)
class Operands(Strategy):
    """Apply a strategy to every operand of a primitive."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return isApplication >> child(1)(self.inner) >> child(0)(self) | id_


@dataclass(frozen=True, slots=True)
class Given(Strategy):
    """Apply a strategy to every operand of a primitive except the last one, which is written."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return isApplication >> child(0)(Operands(self.inner))


@dataclass(frozen=True, slots=True)
class Write(Strategy):
    """Lower a term whose result is written to a place.

    The first of `levels` lowers the outermost maps, the next the maps inside these, and the last all further ones. In
    the body of a reduction (`accumulates`), an inner reduction to an array, or a part of the last state of an inner
    loop, is not copied: it continues in the accumulator of the outer one.
    """

    levels: Levels
    accumulates: bool = False

    def unfold(self) -> Strategy:
        outer, inner = self.levels[0], below(self.levels)
        into, reading = Write(inner, self.accumulates), Read(self.levels)
        repeated = Write(inside_loop(self.levels), self.accumulates)
        lowered = where(isLowered, depth=0) >> function_body(into) >> child(1)(reading)
        loop = try_(etaAbstraction) >> outer.map_rule >> function_body(into) >> child(1)(reading)
        call = where(isCall) >> child(0)(child(0)(self)) >> child(1)(Keep(self.levels))
        scan = isAppliedScan >> try_(scanToScanSeq) >> try_(etaAbstractionFold) >> fold(self.levels)
        reduction = try_(reduceToReduceSeq) >> try_(etaAbstractionFold) >> fold(self.levels, self.accumulates)
        choice = child(1)(self) >> child(0)(child(1)(self) >> child(0)(child(1)(reading)))
        continued = isAppliedReduce >> reduction | where(isPartOfLoop) >> reading
        copyOfParts = where(isComputedPair) >> nameWhole >> child(0)(child(0)(copy >> self))
        return (
            isFunction >> child(0)(self)
            | writeOut >> child(0)(self)
            | call
            | where(isShortened) >> copy >> self
            | where(isViewMap, roots=[("map", 2)]) >> child(1)(self)
            | isAppliedMap >> loop
            | lowered
            | where(isAppliedRowMap) >> outer.row_rule >> row_body(into) >> child(1)(reading)
            | where(isRowLoop) >> row_body(into) >> child(1)(reading)
            | where(isMatch) >> match_body(self) >> child(0)(child(1)(reading))
            | where(isSized) >> sized_body(self) >> child(0)(child(1)(reading))
            | where(isPlain) >> reading
            | where(isChoiceOfLoops, roots=[("select", 3)]) >> choice
            | where(isIterate, roots=[("iterate", 2)]) >> child(0)(child(1)(repeated)) >> child(1)(reading)
            | where(isIterateWhile, roots=[("iterateWhile", 3)]) >> turns(self.levels)
            | scan
            | ordering(self.levels)
            | where(isFragmentWork, roots=FRAGMENTS) >> Operands(reading)
            | where(isWritable) >> Operands(self)
            | where(isReordered) >> Given(reading) >> child(1)(self)
            | summing(self.levels)
            | where(isScattered) >> Given(reading) >> child(1)(self)
            | (continued if self.accumulates else isAppliedReduce >> where(isOfFragments) >> reduction)
            | where(isRead) >> reading >> (copyOfParts | copy >> self)
        )


@dataclass(frozen=True, slots=True)
class Read(Strategy):
    """Lower a term whose elements are read once each. `levels` lower arrays that are stored outside of all loops."""

    levels: Levels

    def unfold(self) -> Strategy:
        into, keep, store = Write(self.levels), Keep(self.levels), memory(self.levels)
        later = Read(below(self.levels))
        call = where(isCall) >> child(0)(child(0)(self)) >> child(1)(keep)
        onDemand = try_(etaAbstraction) >> function_body(Read(below(self.levels))) >> child(1)(self)
        reduction = try_(reduceToReduceSeq) >> try_(etaAbstractionFold) >> fold(self.levels)
        return (
            where(isLeaf)
            | isFunction >> child(0)(Read(below(self.levels)))
            | call
            | where(isMatch) >> match_body(self) >> child(0)(child(1)(where(isChosenPair) >> self | keep))
            | where(isSized) >> sized_body(self) >> child(0)(child(1)(keep))
            | where(isKept) >> child(0)(child(1)(into)) >> child(1)(self)
            | (argminAsReduce | argmaxAsReduce) >> self
            | where(takesRowsApart) >> child(1)(into >> store)
            | isAppliedMap >> onDemand
            | isAppliedReduce >> reduction
            | where(isAppliedRowMap) >> into >> store
            | isAppliedScan >> into >> store
            | where(isIterate, roots=[("iterate", 2)]) >> into >> store
            | where(isIterateWhile, roots=[("iterateWhile", 3)]) >> turns(self.levels)
            | (where(isScattered) | where(isOrdered)) >> into >> store
            | where(isFragmentWork, roots=FRAGMENTS) >> into >> toMemLocal
            | where(isStored, roots=[("toMem", 1)]) >> child(1)(into)
            | where(isDeferred, roots=DEFERRED)
            >> child(1)(later)
            >> child(0)(child(1)(later) >> child(0)(self))
            | where(isRereading) >> (where(isReadAgain) >> all_(self) | all_(keep))
            | all_(self)
        )


@dataclass(frozen=True, slots=True)
class Keep(Strategy):
    """Lower a term whose elements may be read many times, so that computed arrays are stored."""

    levels: Levels

    def unfold(self) -> Strategy:
        store = where(isComputed) >> Write(self.levels) >> memory(self.levels)
        sized = where(isSized) >> sized_body(self) >> child(0)(child(1)(self))
        return sized | where(isComputedPair) >> Read(self.levels) | store | Read(self.levels)
