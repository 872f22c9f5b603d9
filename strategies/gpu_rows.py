"""Rows of known length on GPUs: a block reads each row once, and keeps it in the registers of its threads.

Depends on what reads rows and on levels of threads, but not on what is computed. The numbers of a row belong to threads
in turns of as many numbers as one access moves; every loop over the row distributes them in the same way.
"""

from __future__ import annotations

from typing import Any, Final

from elevate import Directed, Predicate, Strategy, alltd, child, id_, named, normalize, not_, where
from elevate.directed_strategies import Orders
from rise.hardware import ARCHITECTURES
from rise.nodes import postorder
from rise.primitives import PROJECTIONS, applied
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import App, Bound, Expr, Lam, Var, has_primitive, spine
from rise.types import BOOL, ArrayType, ScalarType, Type
from strategies.equations.rule import RuleFamily
from strategies.fireiron.limits import REGISTER_BYTES
from strategies.lowering.levels import SEQ, thread_level
from strategies.lowering.positions import Write, function_body
from strategies.lowering.predicates import isCall, isPlain, isStored
from strategies.parts.memory import nameSubterm
from strategies.parts.nests import reduceInOrder, simplifyAroundCopies
from strategies.parts.parameters import LANES, MAX_BLOCK_THREADS, MAX_VECTOR_LENGTH, check_powers
from strategies.parts.reduction_trees import reduceStripsInBlock
from strategies.rules.functions import arrayInside
from strategies.rules.fusion import mapFusion, mapIdentity
from strategies.rules.gpu import mapToMapLane, mapToMapWarp
from strategies.rules.gpu_kernels import notStored
from strategies.rules.gpu_reductions import stripMap
from strategies.rules.indexing import idxGenerate, idxMap
from strategies.rules.lowering import copy, mapToMapSeqUnroll, reciprocal, recomputed, toMemLocal
from strategies.rules.movement import padNothing, splitJoin, takeAll
from strategies.rules.padding import padMapped, padMappedEmpty
from strategies.rules.sharing import callWithin
from strategies.rules.stencils import padEmptyNothing
from strategies.rules.vectors import vectorizeAlignedAfter
from strategies.vocabulary.traversals import argument, isAppliedMap, isAppliedZip

#: bytes that one instruction moves, on every architecture
ACCESS_BYTES: Final = 16
#: numbers of a row for each thread, if the row is long enough for a warp
ITEMS: Final = 16
#: registers of a thread that may hold rows; the other half is for everything else
THREAD_REGISTERS: Final = min(one.thread_registers for one in ARCHITECTURES.values()) // 2
BLOCK_REGISTERS: Final = min(one.block_registers for one in ARCHITECTURES.values()) // 2
PROJECTED: Final = applied(PROJECTIONS)


def holdsNumbers(t: Type) -> bool:
    """An array of numbers."""
    return isinstance(t, ArrayType) and isinstance(t.element, ScalarType) and t.element != BOOL


def isArrayOfRow(e: Expr) -> bool:
    """A variable, or a part of a variable that is a pair, that is an array of numbers."""
    part = e
    while part.root in PROJECTED and isinstance(part, App):
        part = part.arg
    return isinstance(part, Bound | Var) and holdsNumbers(e.type)


def isOfSingleNumbers(e: Expr) -> bool:
    """A function of numbers that reads no array."""
    return not any(isinstance(node, Expr) and isinstance(node.type, ArrayType) for node in postorder(e))


def isReadInPlace(e: Expr) -> bool:
    """An array, each element of which is computed from the elements in the same place of arrays of a row."""
    arguments = [part for part in spine(e)[1] if isinstance(part, Expr)]
    if isAppliedMap.holds(e):
        return isOfSingleNumbers(arguments[0]) and isReadInPlace(arguments[1])
    if isAppliedZip.holds(e):
        return all(map(isReadInPlace, arguments))
    return isOfSingleNumbers(arguments[0]) if e.root == ("generate", 1) else isArrayOfRow(e)


def isPairOfArrays(e: Expr) -> bool:
    """`pair xs ys`."""
    return e.root == ("pair", 2)


def isComputedInPlace(e: Expr) -> bool:
    """What a program computes from rows: numbers by reductions, and arrays element by element, in any order."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        arguments = [part for part in spine(node)[1] if isinstance(part, Expr)]
        match node:
            case App(Lam() as function, value):
                waiting += [function.body, value]
            case _ if isStored(node) or isPairOfArrays(node):
                waiting += arguments
            case _ if node.root == ("reduce", 3):
                if not (isReadInPlace(arguments[2]) and all(map(isOfSingleNumbers, arguments[:2]))):
                    return False
            case _ if isPlain(node):
                waiting += arguments
            case _ if not (isAppliedMap.holds(node) and isReadInPlace(node) and holdsNumbers(node.type)):
                return False
    return True


def number_types(e: Expr) -> frozenset[Type]:
    """The types of the arrays of numbers in what a program computes from rows."""
    return frozenset(node.type for node in postorder(e) if isinstance(node, Expr) and holdsNumbers(node.type))


def count_kept(e: Expr) -> int:
    """The number of arrays that a row consists of, and of those that are stored for it."""
    found: set[object] = set()
    waiting = [(e, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isStored(node):
            found.add(node)
        if isArrayOfRow(node):
            found |= _variable(node, depth)
            continue
        waiting += [(part, depth + isinstance(node, Lam)) for part in node.children]
    return len(found)


def _variable(e: Expr, depth: int) -> set[object]:
    """A variable, or a part of one, that is bound outside of a row, at a place inside of `depth` functions."""
    path: list[object] = []
    while isinstance(e, App):
        path.append(e.root)
        e = e.arg
    if isinstance(e, Bound):
        return {(e.index - depth, *path)} if e.index >= depth else set()
    return {(e, *path)}


def shape_for(e: Expr, threads: int) -> tuple[int, int] | None:
    """The threads of a block, at most `threads`, and the numbers in an access, for what a program computes from a row;
    None if it does more than that, or if registers do not hold the row.
    """
    if not isComputedInPlace(e):
        return None
    types = number_types(e)
    sizes = {t.size.constant for t in types if isinstance(t, ArrayType)}
    elements = (t.element for t in types if isinstance(t, ArrayType))
    bits = [SCALARS[str(t)].bits for t in elements]
    if len(sizes) != 1 or (size := sizes.pop()) is None or size < LANES:
        return None
    count = int(size)
    used = LANES
    while used < threads and 2 * ITEMS * used <= count * 4 // 3:
        used *= 2
    vector = max(1, ACCESS_BYTES * 8 // max(bits))
    while vector > 1 and (count % vector or count // vector < used):
        vector //= 2
    turns = -(-count // (used * vector))
    registers = count_kept(e) * turns * vector * max(1, max(bits) // (REGISTER_BYTES * 8))
    fits = registers <= THREAD_REGISTERS and registers * used <= BLOCK_REGISTERS
    return (used, vector) if fits else None


#: mark each array of a row, so that it can be named
markArrays: Strategy = named("markArrays", alltd(where(isArrayOfRow) >> recomputed))


def isMarked(e: Expr) -> bool:
    """A value that is marked to be named."""
    return e.root == ("recompute", 1)


hasMark: Predicate = where(isMarked)


@dataclass(frozen=True, slots=True)
class NameMarked(Strategy):
    """Name all marked values that mention nothing of what is inside the term, apply a strategy to each, and remove the
    marks; never fails.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        return nameSubterm(hasMark) >> argument(recomputed.inv >> self.inner) >> child(0)(
            child(0)(self)
        ) | normalize(recomputed.inv)


@dataclass(frozen=True, slots=True)
class EachArray(Strategy):
    """Apply strategies to the arrays that a row stores, and to those that it writes; fails if one of them does."""

    stored: Strategy
    written: Strategy

    def unfold(self) -> Strategy:
        value = where(isStored) >> self.stored | not_(where(isStored))
        return (
            where(isCall) >> child(0)(child(0)(self)) >> child(1)(value)
            | where(isPlain)
            | where(isPairOfArrays) >> child(1)(self) >> child(0)(child(1)(self))
            | not_(where(isCall)) >> self.written
        )


@named
def inTurns(threads: int, pad: RuleFamily, item: Strategy, store: Strategy = id_) -> Strategy:
    """Run a map by the threads of a block, one element for each thread in a turn, and apply `item` to the lowered loop
    of a thread. `pad` adds the elements that the last turn lacks, and `store` is applied to all results.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    lanes = mapToMapLane(0) >> function_body(mapToMapSeqUnroll >> item)
    warps = splitJoin(LANES) >> argument(mapToMapWarp(0) >> function_body(lanes) >> store)
    cut = stripMap(threads) >> argument(argument(warps if threads > LANES else lanes >> store))
    return cut | pad(threads) >> argument(cut)


@named
def ofVectors(threads: int, vector: int, pad: RuleFamily, item: Strategy, store: Strategy = id_) -> Strategy:
    """Run a map by the threads of a block, `vector` elements for each thread in a turn, and apply `item` to the map of
    these. The other parameters are those of `inTurns`.
    """
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    return splitJoin(vector) >> argument(inTurns(threads, pad, function_body(item), store))


@named
def loadRow(threads: int, vector: int) -> Strategy:
    """Copy an array to the registers of a block's threads, `vector` numbers at a time."""
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    if vector == 1:
        return copy >> inTurns(threads, padMapped, id_, toMemLocal)
    access = mapIdentity >> vectorizeAlignedAfter(vector) >> argument(copy >> mapToMapSeqUnroll)
    return copy >> ofVectors(threads, vector, padMapped, access, toMemLocal)


@named
def keepRow(threads: int, vector: int) -> Strategy:
    """Compute a stored array in the registers of the threads that have the numbers from which it is computed."""
    if vector == 1:
        return notStored >> inTurns(threads, padMappedEmpty, id_, toMemLocal)
    return notStored >> ofVectors(threads, vector, padMappedEmpty, mapToMapSeqUnroll, toMemLocal)


@named
def writeRow(threads: int, vector: int) -> Strategy:
    """Compute an array, and write `vector` numbers at a time."""
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    if vector == 1:
        return inTurns(threads, padMappedEmpty, id_)
    write = vectorizeAlignedAfter(vector) >> argument(copy >> mapToMapSeqUnroll)
    return ofVectors(threads, vector, padMappedEmpty, mapToMapSeqUnroll >> toMemLocal >> write)


#: multiply by reciprocals of numbers that are the same for all elements of a map
byReciprocals: Strategy = named("byReciprocals", alltd(reciprocal) >> NameMarked(id_))


@named
def rowInRegisters(threads: int, vector: int) -> Strategy:
    """Compute what a program computes from a row by the threads of a block, which read the row once, `vector` numbers
    at a time, and keep it in registers.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    reductions = alltd(reduceStripsInBlock(threads, vector))
    return (
        EachArray(child(1)(byReciprocals), byReciprocals)
        >> markArrays
        >> NameMarked(loadRow(threads, vector))
        >> reductions
        >> EachArray(keepRow(threads, vector), writeRow(threads, vector))
        >> where(hasNoReduction)
        >> normalize(takeAll | padNothing | padEmptyNothing)
        >> reduceInOrder
        >> Write((thread_level(0), SEQ))
    )


def hasNoReduction(e: Expr) -> bool:
    """A program in which all reductions are distributed over threads, or lowered to loops of one thread."""
    return not has_primitive(e, "reduce")


#: name numbers outside of the loops that depend on them, and read no element of an array that is known otherwise
openRow: Strategy = named(
    "openRow", normalize(arrayInside | idxMap | idxGenerate | mapFusion | simplifyAroundCopies | callWithin)
)


@dataclass(frozen=True, slots=True)
class OnRow(Directed):
    """Compute what a program computes from a row of known length by the threads of a block, at most `threads`, if their
    registers hold the row; otherwise it fails.
    """

    threads: int

    def orders(self, term: Any) -> Orders:
        if (opened := (yield openRow, ())) is None:
            return False
        assert isinstance(opened.term, Expr)
        shape = shape_for(opened.term, self.threads)
        return shape is not None and (yield rowInRegisters(*shape), ()) is not None
