"""Attention on tensor cores, with a block for each tile of queries, and 16 of these queries for each of its warps.

In each step all threads of a block copy the next keys and values to shared memory. A warp multiplies its queries by the
keys; its lanes turn scores into weights, in shared memory that belongs to the warp; the products of weights and values
are added to sums, which stay in fragments. Depends on one instruction, by its shape.
"""

from __future__ import annotations

from math import lcm
from typing import Any, ClassVar, Final

from elevate import ExplainedPredicate, Strategy, child, named, normalize, repeat, topDown, where
from rise.nodes import postorder
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import Expr, spine
from rise.text.type_printer import show_type
from rise.types import ScalarType
from strategies.attention import ReturnsKnownRows
from strategies.attention_tiles import (
    MAX_SHARED,
    blocksOfKeys,
    firstPart,
    isCallOfConverted,
    isMapOverTiles,
    isNamedReduction,
    keepQueries,
    matrices_read,
    secondPart,
)
from strategies.fireiron.places import cancelFragments, cancelTiles
from strategies.gpu import isLaunchable
from strategies.lowering.levels import SEQ, block_level, warp_level
from strategies.lowering.positions import Write, fold_body
from strategies.parts.fragments import (
    columnOut,
    epilogueByLanes,
    epilogueInFragments,
    isStoredTile,
    multiplyFragments,
)
from strategies.parts.machine_tiles import WORD
from strategies.parts.nests import (
    Parameters,
    isolateReductions,
    push,
    reduceInOrder,
    tidy,
    tileNest,
    tileReduction,
)
from strategies.parts.parameters import (
    MAX_VECTOR_LENGTH,
    check_multiples,
    check_powers,
    check_sizes,
    check_warps,
)
from strategies.parts.products import called, inLoop, isBatchOfProducts, isNest, liftLoop
from strategies.parts.staging import asynchronousCopies, stage
from strategies.rules.accumulators import fragmentsOfFirst
from strategies.rules.functions import betaReduction
from strategies.rules.fusion import mapFissionZip, mapFusion
from strategies.rules.gpu import mapToMapLane, mapToMapWarp
from strategies.rules.lowering import mapToMapSeqUnroll, toMemLocal
from strategies.rules.movement import splitJoin
from strategies.rules.reductions import liftReduceSeqFrom, splitReduceSeq, sumOnto
from strategies.rules.sharing import callWithin
from strategies.rules.softmax import roundedPowerOfTwo
from strategies.rules.staging import nameMatrix, nameSecond, padRows, toMemShared
from strategies.rules.tensor_cores import constantFragment, nameLoad, nameLoadedArray, storeTogether
from strategies.rules.zips import zipSwap
from strategies.vocabulary.traversals import argument, body, mapped

#: rows, columns and depth of the instruction for both products
SHAPE: Final = (16, 8, 16)
M, N, K = SHAPE
#: bytes of a number of queries, keys, values and weights, and of a score
HALF: Final = SCALARS["f16"].bits // 8
F16: Final = ScalarType("f16")
#: numbers by which rows of scores are padded, so that the rows that lanes read at the same time begin in different
#: banks
SCORES_ROOM: Final = 2


@dataclass(frozen=True, slots=True)
class HasRowsOfInstructions(ExplainedPredicate):
    """Holds for a program that reduces blocks of keys and values whose types and row lengths fit the instruction."""

    rows: int
    keys: int
    vector: int
    room: int
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """What does not fit, and what would; None if everything fits."""
        reductions = (node for node in postorder(term) if isinstance(node, Expr) and isNamedReduction(node))
        found = next(([*matrices_read(node)] for node in reductions), [])
        if len(found) != 2:
            return (
                f"expected scores that are computed from rows of keys, found {len(found)} matrices in a step",
                "choose `strategies.attention_tiles:queryTiles`",
            )
        for what, (_, number) in zip(("keys", "values"), found, strict=True):
            if number != F16:
                return (
                    f"expected {what} of f16, found {show_type(number)}: tensor cores take f16 here",
                    "convert them by `cast{f16}`, or choose `strategies.attention_tiles:queryTiles`",
                )
        for what, (size, _) in zip(("keys", "values"), found, strict=True):
            if size.constant is None:
                return (
                    f"expected rows of {what} of a known length, found rows of unknown length",
                    "fix their length by `rise.specialise`, for example `D=64, E=64`",
                )
        depth, width = (int(size.constant or 0) for size, _ in found)
        for what, length, least in (("keys", depth, K), ("values", width, N)):
            multiple = lcm(least, self.vector)
            if length % multiple:
                return (
                    f"expected rows of {what} whose length is a multiple of {multiple}, found {length}",
                    "pad them with zeros, or choose `strategies.attention_tiles:queryTiles`",
                )
        bytes_found = self._shared(depth, width)
        if bytes_found > MAX_SHARED:
            return (
                f"expected tiles of at most {MAX_SHARED} bytes in shared memory, found {bytes_found}",
                "make `rows` or `keys` smaller",
            )
        return None

    def _shared(self, depth: int, width: int) -> int:
        """The bytes of queries, keys, values, weights, scores and factors."""
        halves = (self.rows + self.keys) * (depth + self.room) + self.keys * (width + self.room)
        halves += self.rows * (self.keys + self.room)
        return HALF * halves + WORD * self.rows * (self.keys + SCORES_ROOM + 1)


def isMapBesideMatrix(e: Expr) -> bool:
    """A map over the zip of an array and a matrix made from a fragment."""
    both = spine(e)[1][1] if e.root == ("map", 2) else None
    if not isinstance(both, Expr) or both.root != ("zip", 2):
        return False
    second = spine(both)[1][1]
    return isinstance(second, Expr) and isStoredTile(second)


_keepLoads = nameLoadedArray >> argument(toMemLocal)
#: load the left factor of a row of products once, and then all right factors
loadOnce: Strategy = named(
    "loadOnce",
    inLoop(nameLoad >> argument(toMemLocal))
    >> normalize(mapped(body(nameLoad)) >> mapFissionZip >> tidy)
    >> inLoop(called(_keepLoads)),
)
#: read a matrix from a fragment before the array that it is zipped with
matrixFirst: Strategy = named(
    "matrixFirst", where(isMapBesideMatrix) >> argument(zipSwap) >> mapFusion >> tidy
)
#: one lane per query
queriesOfLanes: Strategy = named(
    "queriesOfLanes",
    splitJoin(M) >> argument(mapToMapWarp(0) >> mapped(body(mapToMapLane(0)))),
)
_neighbours = splitJoin(2) >> argument(mapToMapLane(0) >> mapped(body(storeTogether(2))))
#: each warp processes one query after the other, and each of its lanes two adjacent keys
keysOfLanes: Strategy = named(
    "keysOfLanes",
    splitJoin(M) >> argument(mapToMapWarp(0) >> mapped(body(mapToMapSeqUnroll >> mapped(body(_neighbours))))),
)
#: compute scores of queries and keys in fragments, and functions of each score on lanes
scoresInFragments: Strategy = named(
    "scoresInFragments",
    topDown(isNest >> tileNest(M, N))
    >> isolateReductions
    >> reduceInOrder
    >> tileReduction(K)
    >> multiplyFragments
    >> topDown(liftLoop)
    >> loadOnce
    >> epilogueByLanes(M, N, K),
)
_steps = mapped(body(mapped(body(splitReduceSeq(K))) >> push >> liftReduceSeqFrom >> push))
#: scale sums in fragments by rows, and add the products of weights and values
sumsInFragments: Strategy = named(
    "sumsInFragments",
    normalize(sumOnto)
    >> reduceInOrder
    >> push
    >> normalize(where(isCallOfConverted) >> betaReduction)
    >> push
    >> cancelTiles
    >> topDown(isNest >> _steps >> liftReduceSeqFrom >> push)
    >> multiplyFragments
    >> cancelFragments
    >> topDown(matrixFirst >> columnOut)
    >> epilogueInFragments
    >> cancelFragments
    >> topDown(liftReduceSeqFrom >> push)
    >> loadOnce,
)
_call = child(0)(child(1)(betaReduction) >> betaReduction) >> betaReduction
_inStep = argument(_call) >> repeat(topDown(callWithin)) >> tidy
#: keep the sums of a reduction of blocks of keys, the first component of its state, in fragments
keepSums: Strategy = named(
    "keepSums",
    argument(
        fragmentsOfFirst(M, N, K) >> argument(fold_body(_inStep) >> child(0)(child(1)(betaReduction >> tidy)))
    )
    >> callWithin
    >> called(betaReduction >> tidy),
)
#: divide sums in the registers of lanes, and store the sums that are in range
quotientsByLanes: Strategy = named(
    "quotientsByLanes",
    tileNest(M, N) >> cancelTiles >> topDown(matrixFirst) >> epilogueByLanes(M, N, K, edges=1),
)


@named
def queryWarps(rows: int = 64, keys: int = 64, vector: int = 8, room: int = 8) -> Strategy:
    """Lower attention on f16 to one kernel on tensor cores, by `mma.sync`; numbers of queries and keys may be symbolic.

    A block computes `rows` queries, of which each warp has 16, in steps of `keys` keys and values. All threads copy
    these to shared memory asynchronously, `vector` numbers at once, into rows padded by `room` numbers. Scores and sums
    are f32; weights are rounded to f16. The lengths of rows of keys and values must be known multiples of 16 and 8.
    Raises StrategyError if the tiles do not fit the instruction or a block.
    """
    check_sizes(rows=rows, keys=keys)
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    check_sizes(0, room=room)
    check_multiples(("rows", rows, "the rows of a product", M), ("keys", keys, "the depth of a product", K))
    check_multiples(("room", room, "16 bytes of f16", 8))
    check_warps(rows, keys, M, keys)
    copied = stage(False, vector, room)
    state = firstPart(sumsInFragments) >> secondPart(queriesOfLanes)
    weighted = argument(keysOfLanes >> toMemShared >> padRows(room)) >> called(state)
    factors = argument(queriesOfLanes >> toMemShared) >> called(weighted)
    maxima = argument(queriesOfLanes >> toMemLocal) >> called(factors)
    scores = argument(scoresInFragments >> toMemShared >> padRows(SCORES_ROOM)) >> called(maxima)
    step = nameSecond >> argument(copied) >> called(nameMatrix >> argument(copied) >> called(scores))
    zeros = firstPart(push >> normalize(betaReduction) >> normalize(constantFragment))
    start = child(0)(child(1)(zeros >> secondPart(queriesOfLanes)))
    inTile = keepSums >> argument(fold_body(step) >> start) >> called(quotientsByLanes)
    levels = (block_level(0), warp_level(0), SEQ)
    return (
        Parameters()
        >> ReturnsKnownRows()
        >> blocksOfKeys(rows, keys, rounded=1)
        >> normalize(roundedPowerOfTwo)
        >> HasRowsOfInstructions(rows, keys, vector, room)
        >> topDown(where(isMapOverTiles) >> mapped(body(inTile)) >> keepQueries(copied))
        >> (where(isBatchOfProducts) >> Write((block_level(1), *levels)) | Write(levels))
        >> asynchronousCopies
        >> isLaunchable
    )
