"""Attention in tiles of queries, with a block of threads for each tile, and blocks of keys and values in shared memory.

In each step, all threads of a block copy the next keys and values, compute their scores with all queries of the tile,
and add weighted values to the sums in their registers. A row of threads processes several queries; each of its threads
processes every `threads`-th key and column. Independent of instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from elevate import ExplainedPredicate, Strategy, child, id_, named, normalize, repeat, topDown, try_, where
from rise.hardware import ARCHITECTURES
from rise.naturals import Nat
from rise.nodes import postorder
from rise.records import dataclass
from rise.terms import App, Expr, Lam, spine
from rise.types import ArrayType, PairType, Type
from strategies.attention import ReturnsKnownRows, nameScores, weighsRows
from strategies.gpu import isLaunchable
from strategies.lowering.levels import SEQ, block_level, thread_level
from strategies.lowering.positions import Write, fold_body
from strategies.parts.machine_tiles import WORD
from strategies.parts.nests import (
    Parameters,
    isolateReductions,
    liftReduction,
    push,
    reduceInOrder,
    tidy,
)
from strategies.parts.parameters import (
    LANES,
    MAX_VECTOR_LENGTH,
    check_divisors,
    check_powers,
    check_sizes,
    check_switches,
    check_threads,
    listed,
)
from strategies.parts.products import appliesReduceSeq, called, isBatchOfProducts
from strategies.parts.staging import isMatrixOfNumbers, stage
from strategies.rules.conversions import convertBeforeColumns, convertSecond, isConversion, nameUnconverted
from strategies.rules.functions import betaReduction, pairEta
from strategies.rules.fusion import mapFusion, reduceSeqMapFusion, zipMapSnd
from strategies.rules.gpu import mapToMapThreads
from strategies.rules.gpu_reductions import stripMap
from strategies.rules.let_floating import betaPair, narrowZip
from strategies.rules.lowering import mapToMapSeq, toMemLocal
from strategies.rules.matrix_products import mulAddToFma
from strategies.rules.movement import (
    joinStrips,
    padMap,
    padNothing,
    padZip,
    splitJoin,
    splitJoinPadded,
    splitZip,
    transposeMapInner,
)
from strategies.rules.padding import padConverted, padMapMasked
from strategies.rules.reductions import liftReduceSeq, sumOnto
from strategies.rules.sharing import callWithin
from strategies.rules.softmax import onlineSoftmaxBlocks, onlineSoftmaxBlocksDivided, roundWeights
from strategies.rules.staging import nameElement, nameMatrix, nameSecond
from strategies.rules.zips import mapOutsidePair, nameForAll, stateOfArrays, unzipNamed
from strategies.vocabulary.traversals import argument, body, mapped

#: registers of a thread that may hold sums and scores; the others hold operands and indices
MAX_SUMS: Final = 160
MAX_SHARED: Final = max(one.shared for one in ARCHITECTURES.values())


def isWeighedRows(e: Expr) -> bool:
    """A map that names a row of scores, and sums rows with the weights of a softmax of these scores."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    if not isinstance(function, Lam) or not isinstance(call := function.body, App):
        return False
    rules = (onlineSoftmaxBlocks(1), onlineSoftmaxBlocksDivided(1))
    return isinstance(call.fun, Lam) and any(found.apply(call.fun.body) is not None for found in rules)


def isNamedReduction(e: Expr) -> bool:
    """A call that names the result of a reduction."""
    return isinstance(e, App) and isinstance(e.fun, Lam) and appliesReduceSeq(e.arg)


def isCallOfConverted(e: Expr) -> bool:
    """A call with a converted array."""
    if not isinstance(e, App) or not isinstance(e.fun, Lam) or e.arg.root != ("map", 2):
        return False
    function = spine(e.arg)[1][0]
    return isinstance(function, Expr) and isConversion(function)


def firstPart(s: Strategy) -> Strategy:
    """Apply a strategy to the first component of a pair."""
    return child(0)(child(1)(s))


def secondPart(s: Strategy) -> Strategy:
    """Apply a strategy to the second component of a pair."""
    return child(1)(s)


#: compute what a map names for all of its elements first, in a separate map, and then the rest of its body
nameFirstPart: Strategy = named(
    "nameFirstPart", nameForAll >> argument(tidy) >> called(mapped(body(tidy)) >> try_(narrowZip))
)


@named
def inTwoArrays() -> Strategy:
    """Turn a map that computes pairs into a computation of a pair of arrays."""
    return mapOutsidePair.inv >> firstPart(try_(narrowZip)) >> secondPart(try_(narrowZip))


@named
def blocksOfKeys(rows: int, keys: int, rounded: int = 0) -> Strategy:
    """Compute sums with the weights of a softmax for tiles of `rows` queries, `keys` keys and values per step.

    Both tiles may overrun. Each step reads a block of keys and values. It names the scores of all queries of a tile,
    their maxima, factors for earlier sums, and weights; its state is an array of sums and an array of totals and
    maxima. With `rounded`, weights are rounded to f16.
    """
    check_sizes(rows=rows, keys=keys)
    check_switches(rounded=rounded)
    online = onlineSoftmaxBlocks(keys) | onlineSoftmaxBlocksDivided(keys)
    narrow = topDown(roundWeights) >> topDown(nameUnconverted) if rounded else id_
    padded = normalize(padZip | padMap | padNothing | splitZip)
    masked = normalize(padMapMasked | padZip | padMap) >> push
    unconverted = try_(topDown(padConverted) >> topDown(transposeMapInner) >> push)
    read = argument(masked >> unconverted) >> repeat(reduceSeqMapFusion)
    inline = normalize(where(isCallOfConverted) >> betaReduction)
    together = liftReduceSeq >> read >> fold_body(inline) >> stateOfArrays
    named_parts = nameFirstPart >> called(nameFirstPart >> called(nameFirstPart >> called(nameFirstPart)))
    inOneMap = (
        repeat(betaReduction)
        >> argument(zipMapSnd)
        >> mapFusion
        >> mapped(body(tidy >> inline))
        >> try_(narrowZip)
    )
    step = argument(inOneMap >> named_parts) >> normalize(unzipNamed) >> topDown(inTwoArrays())
    start = child(0)(child(1)(inTwoArrays()))
    return (
        nameScores
        >> try_(topDown(convertSecond) >> topDown(convertBeforeColumns))
        >> where(
            weighsRows, why=lambda e: "no sums of rows found that are weighted by a softmax of scores of f32"
        )
        >> topDown(where(isWeighedRows) >> splitJoinPadded(rows))
        >> padded
        >> topDown(
            where(isWeighedRows)
            >> mapped(body(called(online) >> betaReduction >> narrow))
            >> nameForAll
            >> argument(together)
            >> callWithin
            >> called(betaReduction >> tidy)
        )
        >> topDown(where(isNamedReduction) >> argument(fold_body(step) >> start))
    )


@named
def rowsOfThreads(rows: int, inside: Strategy = id_) -> Strategy:
    """Lower a map over queries: each row of threads processes `rows` of them, one after the other."""
    each = mapToMapSeq >> mapped(body(inside))
    return splitJoin(rows) >> argument(mapToMapThreads(1) >> mapped(body(each)))


@named
def tileOfThreads(rows: int, threads: int) -> Strategy:
    """Cut a nest of two maps for threads: each computes `rows` adjacent rows, and every `threads`-th column of these.

    The loop of a sum inside the nest becomes the outermost loop of a thread. Raises StrategyError for numbers below 1.
    """
    check_sizes(rows=rows, threads=threads)
    strips = mapped(body(topDown(stripMap(threads)))) >> joinStrips >> argument(argument(push))
    return (
        topDown(splitJoin(rows) >> argument(push >> mapped(body(strips))))
        >> isolateReductions
        >> reduceInOrder
        >> try_(topDown(liftReduction))
        >> normalize(mulAddToFma)
    )


@dataclass(frozen=True, slots=True)
class HasTilesThatFit(ExplainedPredicate):
    """Holds for a program with a reduction over blocks of keys and values if tiles of these sizes fit a block of
    threads.
    """

    rows: int
    keys: int
    threads: int
    thread_rows: int
    vector: int
    room: int
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What does not fit, and which parameter to change; None if everything fits."""
        reductions = (node for node in postorder(term) if isinstance(node, Expr) and isNamedReduction(node))
        lengths = next(([size for size, _ in matrices_read(node)] for node in reductions), [])
        if len(lengths) < 2:
            return "expected scores that are computed from rows of keys", "choose another strategy"
        if any(size.constant is None for size in lengths):
            return (
                "expected rows of keys of a known length, found rows of unknown length: a block stores them",
                "fix the length of the rows of queries and keys by `rise.specialise`, for example `D=64`",
            )
        *depths, width = (int(size.constant or 0) for size in lengths)
        for name, divisor in (("threads", self.threads), ("vector", self.vector)):
            if width % divisor:
                powers = [power for power in (1, 2, 4, 8, 16, 32) if width % power == 0]
                return (
                    f"expected `{name}` to divide the length of rows of values, {width}, found {divisor}",
                    f"{listed(powers, 'or')} would work",
                )
        sums = self.thread_rows * (width + self.keys) // self.threads
        if sums > MAX_SUMS:
            return (
                f"expected at most {MAX_SUMS} sums and scores in the registers of a thread, found {sums}",
                "make `thread_rows` or `keys` smaller, or `threads` larger",
            )
        found, most = self._shared(self.rows, self.keys, depths, width), MAX_SHARED
        if found <= most:
            return None
        fitting = [
            f"rows={rows}, keys={keys}"
            for rows in _halves(self.rows, self.thread_rows)
            for keys in _halves(self.keys, self.threads)
            if self._shared(rows, keys, depths, width) <= most
        ]
        return (
            f"expected tiles of at most {most} bytes in shared memory, found {found}",
            f"{fitting[0]} would work"
            if fitting
            else "no tiles of such long rows fit: choose another strategy",
        )

    def _shared(self, rows: int, keys: int, depths: list[int], width: int) -> int:
        """The bytes of queries, keys, values, scores and weights."""
        padded = sum(depth + self.room for depth in depths)
        return WORD * ((rows + keys) * padded + keys * width + 2 * rows * keys)


def _halves(size: int, least: int) -> Iterator[int]:
    """A size, half of it and so on, as long as the result is a multiple of another size."""
    while size and size % least == 0:
        yield size
        size //= 2


def matrices_read(named_reduction: Expr) -> Iterator[tuple[Nat, Type]]:
    """The matrices of which a reduction reads blocks, in order: the length of rows, and the type of numbers."""
    arrays = spine(named_reduction.children[1])[1][-1]
    assert isinstance(arrays, Expr) and isinstance(arrays.type, ArrayType), named_reduction
    waiting = [arrays.type.element]
    while waiting:
        match waiting.pop(0):
            case PairType(left, right):
                waiting[:0] = [left, right]
            case ArrayType(_, ArrayType(size, number)):
                yield size, number


def isMapOverTiles(e: Expr) -> bool:
    """A map whose function names the result of a reduction over blocks."""
    function = spine(e)[1][0] if e.root == ("map", 2) else None
    return isinstance(function, Lam) and isNamedReduction(function.body)


def keepQueries(staging: Strategy) -> Strategy:
    """Store the queries of each tile by a strategy: the matrix over whose tiles a map runs, perhaps zipped."""
    fused = try_(mapFusion >> mapped(body(try_(argument(betaReduction)) >> betaReduction)))
    apart = try_(argument(pairEta.inv) >> betaPair)
    stored = argument(where(isMatrixOfNumbers) >> staging)
    return try_(fused >> nameElement >> mapped(body(apart >> (stored | called(stored)))))


@named
def queryTiles(
    rows: int = 64,
    keys: int = 64,
    threads: int = 16,
    thread_rows: int = 4,
    vector: int = 4,
    room: int = 1,
) -> Strategy:
    """Lower attention to one kernel with a block of threads for a tile of `rows` queries; lengths may be symbolic.

    In each step, all threads of a block copy `keys` keys and values to shared memory, values `vector` numbers at a
    time, keys into rows padded by `room` numbers. A thread computes scores of `thread_rows` queries with every
    `threads`-th key, and keeps the sums of these queries for every `threads`-th column of the values. The lengths of
    rows of keys and values must be known. Raises StrategyError if the tiles do not fit into each other or into a block.
    """
    check_sizes(rows=rows, keys=keys, thread_rows=thread_rows)
    check_sizes(0, room=room)
    check_powers(1, LANES, threads=threads)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_divisors(("thread_rows", thread_rows, 1, "rows", rows), ("threads", threads, 1, "keys", keys))
    check_threads(rows, keys, thread_rows, keys // threads)
    tile, each = tileOfThreads(thread_rows, threads), rowsOfThreads(thread_rows)
    along = splitJoin(threads) >> argument(mapToMapSeq >> mapped(body(mapToMapThreads(0))))
    state = firstPart(normalize(sumOnto) >> tile) >> secondPart(each)
    weighted = argument(rowsOfThreads(thread_rows, along)) >> called(state)
    inRegisters = each >> toMemLocal
    maxima_and_factors = argument(inRegisters) >> called(argument(inRegisters) >> called(weighted))
    scoresAndSums = argument(tile) >> called(maxima_and_factors)
    keepMatrix = stage(False, 1, room, threads)
    step = (
        nameSecond
        >> argument(stage(False, vector, 0, threads))
        >> called(nameMatrix >> argument(keepMatrix) >> called(scoresAndSums))
    )
    zeros = firstPart(tile) >> secondPart(each)
    inTile = argument(fold_body(step) >> child(0)(child(1)(zeros))) >> called(tile)
    levels = (block_level(0), thread_level(1), thread_level(0), SEQ)
    return (
        Parameters()
        >> ReturnsKnownRows()
        >> blocksOfKeys(rows, keys)
        >> HasTilesThatFit(rows, keys, threads, thread_rows, vector, room)
        >> topDown(where(isMapOverTiles) >> mapped(body(inTile)) >> keepQueries(keepMatrix))
        >> (where(isBatchOfProducts) >> Write((block_level(1), *levels)) | Write(levels))
        >> isLaunchable
    )
