"""Reductions of an array by the threads of a block: in parts, whose results a tree combines.

Independent of instructions, and of what else a program computes. A tree of lanes exchanges values in registers, if the
operation is commutative; a tree in shared memory keeps the order of the elements.
"""

from __future__ import annotations

from elevate import Strategy, id_, named, try_
from strategies.lowering.positions import function_body
from strategies.parts.nests import reduceInOrder, tidy
from strategies.parts.parameters import LANES, MAX_BLOCK_THREADS, check_powers, check_sizes
from strategies.rules.fusion import mapFusion
from strategies.rules.gpu import mapToMapLane, mapToMapThreads, mapToMapWarp
from strategies.rules.gpu_reductions import (
    padCstNothing,
    reduceFlagged,
    reduceHalves,
    reduceOne,
    reducePadded,
    reducePaddedInto,
    reducePairs,
    reduceParts,
    reducePartsInto,
    reduceTurns,
    startFromNone,
    startOutside,
)
from strategies.rules.lowering import reduceToReduceSeq, toMemLocal
from strategies.rules.movement import splitMap
from strategies.rules.reductions import stripReduce
from strategies.rules.staging import toMemShared
from strategies.vocabulary.traversals import argument

#: one lane per element, in registers
byLanes: Strategy = named("byLanes", mapToMapLane(0) >> toMemLocal)
#: one thread per part, which reduces it from the first element to the last
partByThread: Strategy = named("partByThread", mapToMapThreads(0) >> function_body(reduceInOrder))
#: one lane per part
partByLane: Strategy = named("partByLane", mapToMapLane(0) >> function_body(reduceInOrder) >> toMemLocal)


@named
def treeOfLanes(count: int) -> Strategy:
    """Reduce the values of `count` lanes, a power of two: each step combines the upper half with the lower half."""
    check_powers(1, LANES, count=count)
    steps: Strategy = id_
    while count > 1:
        count //= 2
        steps = steps >> reduceHalves(count) >> argument(byLanes)
    return steps >> (reduceOne | reduceToReduceSeq)


@named
def treeInShared(count: int) -> Strategy:
    """Reduce `count` values in shared memory, a power of two: each step combines adjacent values, in order.

    The reader of the result combines the last two.
    """
    check_powers(1, MAX_BLOCK_THREADS, count=count)
    steps: Strategy = id_
    while count > 2:
        count //= 2
        steps = steps >> reducePairs >> argument(mapToMapThreads(0) >> toMemShared)
    return steps >> reduceToReduceSeq


@named
def treeOfWarps(threads: int) -> Strategy:
    """Combine the reductions of the strips of all threads of a block: first those of a warp's lanes, then the warps."""
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    if threads == LANES:
        return argument(partByLane) >> treeOfLanes(LANES)
    warps = reduceParts(LANES) >> argument(argument(splitMap) >> mapFusion >> tidy)
    lanes = argument(partByLane) >> treeOfLanes(LANES)
    warp = mapToMapWarp(0) >> function_body(lanes) >> toMemShared
    return warps >> argument(warp) >> treeOfLanes(threads // LANES)


@named
def reduceByWarps(threads: int) -> Strategy:
    """Reduce an array by the threads of a block: each thread reduces a strip, then the lanes of each warp, then the
    warps.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    strips = try_(reducePadded(threads) >> argument(try_(padCstNothing))) >> stripReduce(threads)
    return strips >> treeOfWarps(threads)


@named
def reduceInOrderByThreads(threads: int) -> Strategy:
    """Reduce an array by the threads of a block: each thread reduces consecutive elements; a tree combines the results
    in order.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    whole = reducePadded(threads) >> argument(padCstNothing)
    padded = whole | reducePaddedInto(threads)
    parts = reducePartsInto(threads) >> argument(partByThread >> toMemShared)
    return padded >> parts >> treeInShared(threads)


#: pair elements with flags that mark them as present, so that a reduction can start from none; unpack its result
optional: Strategy = named("optional", reduceFlagged >> argument(startFromNone))


@named
def reduceInBlock(threads: int) -> Strategy:
    """Reduce an array by the threads of a block, a power of two from 32 on."""
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    inParts = reduceByWarps(threads) | reduceInOrderByThreads(threads)
    return inParts | startOutside >> argument(inParts) | optional >> argument(argument(inParts))


@named
def reduceStripsInBlock(threads: int, vector: int) -> Strategy:
    """Reduce an array by the threads of a block, `vector` consecutive elements for each thread in a turn; fails for
    operations that are not commutative.
    """
    check_powers(LANES, MAX_BLOCK_THREADS, threads=threads)
    check_sizes(vector=vector)
    whole = argument(argument(argument(argument(try_(padCstNothing)))))
    turns = reduceTurns(threads, vector) >> whole >> treeOfWarps(threads)
    return turns | startOutside >> argument(turns)
