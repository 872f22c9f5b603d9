"""Lowers by position: what is written becomes loops; what is read is computed on demand or stored in memory.

A term is in *write* position where its result fills a place, and in *read* position where its elements are asked for.
`write` and `read` walk a term together, as acceptor and continuation translation do in DPIA ("Strategy Preserving
Compilation for Parallel Functional Code", 2017, section 4), but choose only where loops and memory stand.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final

from elevate import Strategy, all_, child, id_, try_, where
from rise.primitives import PROJECTIONS, applied, has_trait, lookup, operands_of, with_trait
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, Var, spine
from rise.types import ArrayType, DepPairType, FragmentType, Space
from strategies.lowering.levels import GLOBAL, LOCAL, SHARED, Levels
from strategies.lowering.rows import isAppliedRowMap, isMatch, isRowLoop, match_body, row_body
from strategies.lowering.scatters import isKept, isReordered, isScattered, isTransposedScans, isUpdated
from strategies.rules.argmin_argmax import argmaxAsReduce, argminAsReduce
from strategies.rules.lowering import (
    copy,
    etaAbstraction,
    etaAbstractionFold,
    holdsArray,
    reduceToReduceSeq,
    scanToScanSeq,
    toMemLocal,
)
from strategies.rules.normal_forms import writeOut
from strategies.rules.permutations import scatterAddToSeq
from strategies.rules.staging import toMemGlobal, toMemShared
from strategies.vocabulary.traversals import (
    isApplication,
    isAppliedMap,
    isAppliedReduce,
    isAppliedScan,
    isFunction,
)

#: views of one array through which a place can be filled
UNARY_FUNCTIONS: Final[frozenset[Hashable]] = frozenset(
    (name, 0) for name in with_trait("writable") if operands_of(name) == 1
)
#: what computes an array, or a value by a loop
COMPUTING: Final = with_trait("computes")
#: what reads an element of its argument more than once
REREADING: Final = with_trait("rereads")
#: what fills a fragment, or a matrix from one
FRAGMENTS: Final = applied(with_trait("fragments"))
#: the loops that maps become
LOOPING_MAPS: Final = with_trait("maps", "loops")
#: how a value is kept in each memory
TO_MEMORY: Final[Mapping[Space, Strategy]] = {LOCAL: toMemLocal, SHARED: toMemShared, GLOBAL: toMemGlobal}


def isCall(e: Expr) -> bool:
    """A function called on the spot: `let`."""
    return isinstance(e, App) and isinstance(e.fun, Lam)


def isLowered(e: Expr) -> bool:
    """A loop that is there already."""
    return head(e) in LOOPING_MAPS


def isWritable(e: Expr) -> bool:
    """A view through which a place can be filled."""
    return has_trait(head(e), "writable")


def isStored(e: Expr) -> bool:
    """What is put in memory: `toMem(a, xs)`."""
    return e.root == ("toMem", 1)


def isPlain(e: Expr) -> bool:
    """A value without arrays."""
    return not holdsArray(e.type)


def isLeaf(e: Expr) -> bool:
    """A variable, a literal, a primitive by itself."""
    return isinstance(e, Var | Bound | Literal | Primitive)


def isRereading(e: Expr) -> bool:
    """What reads an element of its argument again."""
    return head(e) in REREADING


def isChosenPair(e: Expr) -> bool:
    """A choice between dependent pairs that are there: each is taken apart where it is chosen, and none is copied."""
    if e.root != ("select", 3) or not isinstance(e.type, DepPairType):
        return False
    _, *pairs = (one for one in spine(e)[1] if isinstance(one, Expr))
    return all(isChosenPair(one) or not isComputed(one) for one in pairs)


def isComputed(e: Expr) -> bool:
    """An array that is computed, not only looked at in another order."""
    if not holdsArray(e.type):
        return False
    stack = [e]
    while stack:
        node = stack.pop()
        if head(node) == "toMem":
            continue
        if isinstance(node, Primitive) and not isViewPrimitive(node.name):
            return True
        stack.extend(node.children)
    return False


def isFragmentWork(e: Expr) -> bool:
    """What fills a fragment, or a matrix from one."""
    return e.root in FRAGMENTS


#: what computes its last two operands only where they are asked for
DEFERRED: Final = (("select", 3), ("pair", 2))


def isDeferred(e: Expr) -> bool:
    """Two arrays, or one of two, none of which is computed before an element is asked for."""
    return e.root in DEFERRED and holdsArray(e.type)


def isViewPrimitive(name: str) -> bool:
    """A primitive that computes nothing by itself."""
    record = lookup(name)
    return name == "map" or (record is not None and record.level == "view")


def isViewFunction(e: Expr) -> bool:
    """A function that moves no data: `join`, `split(4)`, `map(transpose)`, `fun(x => join(transpose(x)))`."""
    waiting = [e]
    while waiting:
        function = waiting.pop()
        if function.root == ("map", 1):
            waiting.append(function.children[1])
        elif isinstance(function, Lam):
            inner = function.body
            while isinstance(inner, App):
                waiting.append(inner.fun)
                inner = inner.arg
            if inner is function.body or not (isinstance(inner, Bound) and inner.index == 0):
                return False
        elif function.root not in UNARY_FUNCTIONS:
            return False
    return True


def isViewMap(e: Expr) -> bool:
    """A map that only rearranges each element, in a way that a place can be rearranged too."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Expr) and isViewFunction(function)


def isPartOfVariable(e: Expr) -> bool:
    """A variable or a part of one."""
    while isinstance(e, App) and head(e) in PROJECTIONS:
        e = e.arg
    return isinstance(e, Bound | Var)


def isOfFragments(e: Expr) -> bool:
    """An array of fragments, or one fragment."""
    t = e.type
    while isinstance(t, ArrayType):
        t = t.element
    return isinstance(t, FragmentType)


def isRead(e: Expr) -> bool:
    """What does not fill a place by itself, so that it is copied there."""
    shaped = (
        isFunction.holds,
        isCall,
        isAppliedMap.holds,
        isLowered,
        isIterate,
        isAppliedScan.holds,
        isAppliedRowMap,
        isRowLoop,
    )
    fills = (*shaped, isFragmentWork, isWritable, isScattered, isReordered)
    return not any(holds(e) for holds in fills)


def isIterate(e: Expr) -> bool:
    """`iterate k f xs`."""
    return e.root == ("iterate", 2)


def hasLoop(e: Expr) -> bool:
    """Whether some pattern in a term runs a loop."""
    stack = [e]
    while stack:
        node = stack.pop()
        if isinstance(node, Primitive) and node.name in COMPUTING:
            return True
        stack.extend(node.children)
    return False


def head(e: Expr) -> str:
    """The name of the primitive that a term applies; empty for other terms."""
    return e.root[0] if isinstance(e.root, tuple) else ""


def function_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a map's function: `map (fun(x => HERE)) xs`."""
    return child(0)(child(1)(child(0)(s)))


def fold_body(s: Strategy) -> Strategy:
    """Apply a strategy to the body of a reduction's function: `reduceSeq (fun(acc, x => HERE)) i xs`."""
    return child(0)(child(0)(child(1)(child(0)(child(0)(s)))))


def fold(levels: Levels, goes_on: bool = False) -> Strategy:
    """Lower the parts of `reduceSeq f i xs` or `scanSeq f i xs`. One that goes on where another is starts from a
    variable as it is.
    """
    step = fold_body(Write(inside_loop(levels), accumulates=True))
    start = where(isPartOfVariable) | Write(levels) if goes_on else Write(levels)
    return step >> child(0)(child(1)(start)) >> child(1)(Read(levels))


def inside_loop(levels: Levels) -> Levels:
    """The levels inside a sequential loop: what starts threads stays outside of it."""
    while len(levels) > 1 and levels[0].starts_threads:
        levels = levels[1:]
    return levels


def memory(levels: Levels) -> Strategy:
    """Store what is computed by loops of the first level: for other kernels, for other threads, or for this one."""
    return TO_MEMORY[levels[0].space]


def summing(levels: Levels) -> Strategy:
    """Lower `scatterAdd is xs ys`: by undivided updates where the threads of a grid start here, else by one thread."""
    outer = levels[0]
    is_processor = outer.starts_threads and outer.space == LOCAL
    alone = levels if is_processor else levels[-1:]  # what a processor's one thread adds, others may compute
    by_one = scatterAddToSeq >> Given(Read(alone)) >> child(1)(Write(alone))
    if outer.sum_rule is None:
        return by_one
    undivided = outer.sum_rule >> Given(Read(levels)) >> child(1)(Write(levels))
    return where(isUpdated) >> undivided | by_one


def below(levels: Levels) -> Levels:
    """The levels inside a loop: the last one is for all the rest."""
    return levels[1:] or levels


@dataclass(frozen=True, slots=True)
class Operands(Strategy):
    """Apply a strategy to every operand of a primitive."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return isApplication >> child(1)(self.inner) >> child(0)(self) | id_


@dataclass(frozen=True, slots=True)
class Given(Strategy):
    """Apply a strategy to every operand of a primitive but the last, which is written."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return isApplication >> child(0)(Operands(self.inner))


@dataclass(frozen=True, slots=True)
class Write(Strategy):
    """Lower a term whose result fills a place.

    `levels` lower the maps: the first one those met first, the next one the maps inside these, the last one the rest.
    In the body of a reduction (`accumulates`) an inner one that gives an array is not copied: it goes on where the
    outer one is.
    """

    levels: Levels
    accumulates: bool = False

    def unfold(self) -> Strategy:
        outer, inner = self.levels[0], below(self.levels)
        into, reading = Write(inner, self.accumulates), Read(self.levels)
        lowered = where(isLowered, depth=0) >> function_body(into) >> child(1)(reading)
        loop = try_(etaAbstraction) >> outer.map_rule >> function_body(into) >> child(1)(reading)
        call = where(isCall) >> child(0)(child(0)(self)) >> child(1)(Keep(self.levels))
        scan = isAppliedScan >> try_(scanToScanSeq) >> try_(etaAbstractionFold) >> fold(self.levels)
        reduction = try_(reduceToReduceSeq) >> try_(etaAbstractionFold) >> fold(self.levels, self.accumulates)
        return (
            isFunction >> child(0)(self)
            | writeOut >> child(0)(self)
            | call
            | where(isViewMap, roots=[("map", 2)]) >> child(1)(self)
            | isAppliedMap >> loop
            | lowered
            | where(isAppliedRowMap) >> outer.row_rule >> row_body(into) >> child(1)(reading)
            | where(isRowLoop) >> row_body(into) >> child(1)(reading)
            | where(isMatch) >> match_body(self) >> child(0)(child(1)(reading))
            | where(isPlain) >> reading
            | where(isIterate, roots=[("iterate", 2)]) >> child(0)(child(1)(into)) >> child(1)(reading)
            | scan
            | where(isFragmentWork, roots=FRAGMENTS) >> Operands(reading)
            | where(isWritable) >> Operands(self)
            | where(isReordered) >> Given(reading) >> child(1)(self)
            | summing(self.levels)
            | where(isScattered) >> Given(reading) >> child(1)(self)
            | (isAppliedReduce if self.accumulates else isAppliedReduce >> where(isOfFragments)) >> reduction
            | where(isRead) >> reading >> copy >> self
        )


@dataclass(frozen=True, slots=True)
class Read(Strategy):
    """Lower a term whose elements are asked for, each once. `levels` lower what is stored outside of all loops."""

    levels: Levels

    def unfold(self) -> Strategy:
        into, kept, store = Write(self.levels), Keep(self.levels), memory(self.levels)
        later = Read(below(self.levels))
        call = where(isCall) >> child(0)(child(0)(self)) >> child(1)(kept)
        onDemand = try_(etaAbstraction) >> function_body(Read(below(self.levels))) >> child(1)(self)
        reduction = try_(reduceToReduceSeq) >> try_(etaAbstractionFold) >> fold(self.levels)
        return (
            where(isLeaf)
            | isFunction >> child(0)(Read(below(self.levels)))
            | call
            | where(isMatch) >> match_body(self) >> child(0)(child(1)(where(isChosenPair) >> self | kept))
            | where(isKept) >> child(0)(child(1)(into)) >> child(1)(self)
            | (argminAsReduce | argmaxAsReduce) >> self
            | where(isTransposedScans) >> child(1)(into >> store)
            | isAppliedMap >> onDemand
            | isAppliedReduce >> reduction
            | where(isAppliedRowMap) >> into >> store
            | isAppliedScan >> into >> store
            | where(isIterate, roots=[("iterate", 2)]) >> into >> store
            | where(isScattered) >> into >> store
            | where(isFragmentWork, roots=FRAGMENTS) >> into >> toMemLocal
            | where(isStored, roots=[("toMem", 1)]) >> child(1)(into)
            | where(isDeferred, roots=DEFERRED)
            >> child(1)(later)
            >> child(0)(child(1)(later) >> child(0)(self))
            | where(isRereading) >> all_(kept)
            | all_(self)
        )


@dataclass(frozen=True, slots=True)
class Keep(Strategy):
    """Lower a term whose elements may be asked for again and again: what is computed goes to memory."""

    levels: Levels

    def unfold(self) -> Strategy:
        return where(isComputed) >> Write(self.levels) >> memory(self.levels) | Read(self.levels)
