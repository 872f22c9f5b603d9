"""Chooses the blocks and threads of a kernel: one for each iteration of its loops over levels, within limits.

Block dimensions are numbers; grid dimensions may depend on sizes. If a loop has more iterations than the launch has
units, each unit runs several. If loops over the threads of a block differ, those with most of the work determine the
number of threads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, prod
from typing import Final

from rise.hardware import ARCHITECTURES
from rise.naturals import Nat, NatVar, const
from rise.quotients import NatCall, ceiling_quotient, maximum, minimum
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import LANES, Launch
from shine.imperative.levels import level_loops, level_of, works_on_fragments
from shine.imperative.nodes import Block, DefineIndex, For, Level, LevelName
from shine.imperative.walk import statements

#: a loop with less than 1/8 of the greatest work may leave threads idle, or give them several iterations
MAX_WORK_RATIO: Final = 8
ASSUMED_ITERATIONS: Final = 64  # of a loop whose count is symbolic
MAX_THREADS: Final = min(one.block_threads for one in ARCHITECTURES.values())
#: limits of the threads of a block along each dimension, on every architecture
MAX_THREADS_ALONG: Final = tuple(map(min, *(one.block for one in ARCHITECTURES.values())))
#: limit of the blocks along dimensions 1 and 2, on every architecture
MAX_BLOCKS_ALONG: Final = min(min(one.grid[1:]) for one in ARCHITECTURES.values())
#: threads of a block along each dimension for symbolic sizes, by the number of dimensions
DEFAULT_THREADS: Final = {1: (256, 1, 1), 2: (32, 8, 1), 3: (32, 4, 2)}


def choose_launch(body: Block) -> Launch:
    """The launch of a kernel, from its loops over levels."""
    counts: dict[Level, list[Nat]] = {}
    work = work_in_loops(body)
    max_work: dict[Level, int] = {}
    for loop, level in level_loops(body):
        max_work[level] = max(work[loop], max_work.get(level, 0))
    for loop, level in level_loops(body):
        if level.name != "threads" or work[loop] * MAX_WORK_RATIO >= max_work[level]:
            counts.setdefault(level, []).append(loop.count)
    warps = warps_of(body, counts)
    if warps is not None:
        block = (LANES * prod(warps), 1, 1)
        if block[0] > MAX_THREADS:
            origin = next(loop.origin for loop, level in level_loops(body) if level.name == "warp")
            title = f"expected at most {MAX_THREADS // LANES} warps in a block, found {prod(warps)}"
            fail("block-size", title, "map over fewer warps, each with a larger tile", origin)
    else:
        block = threads_of(counts)
    read = {each.name for each, _ in statements(body) if isinstance(each, DefineIndex)}
    outside = {level: [_at_most(count, read) for count in found] for level, found in counts.items()}
    grid = [blocks_along(d, outside, block[d]) for d in range(3)]
    return Launch((grid[0], grid[1], grid[2]), block, warps, lanes_of(body))


def work_in_loops(body: Block) -> dict[For, int]:
    """An estimate of the number of statements that an iteration of each loop runs."""
    work: dict[For, int] = {}
    for statement, loops in statements(body):
        times = 1
        for loop in loops:
            if level_of(loop) is None:
                times *= loop.count.constant or ASSUMED_ITERATIONS
        if isinstance(statement, For):
            work.setdefault(statement, 0)
        else:
            work.update((loop, work[loop] + times) for loop in loops)
    return work


def warps_of(body: Block, counts: dict[Level, list[Nat]]) -> tuple[int, int, int] | None:
    """The warps of a block along each dimension; None if the kernel uses no warps, lanes or fragments."""
    has_warps = any(level.name in ("warp", "lane") for level in counts)
    has_fragments = any(works_on_fragments(statement) for statement, _ in statements(body))
    if not has_warps and not has_fragments:
        return None
    warps = [1, 1, 1]
    threads = counts.get(Level("threads", 0), [])
    if threads and not has_fragments and not any(level.name == "warp" for level in counts):
        warps[0] = ceil(threads_along(threads, DEFAULT_THREADS[1][0], is_global=False) / LANES)
    for loop, level in level_loops(body):
        if level.name != "warp":
            continue
        count = loop.count.constant
        if count is None:
            title = f"expected a known number of warps, found {show_nat(loop.count)}"
            fail(
                "block-size", title, "split the array first: a block has a fixed number of warps", loop.origin
            )
        warps[level.dimension] = max(warps[level.dimension], count)
    return warps[0], warps[1], warps[2]


def lanes_of(body: Block) -> tuple[int, int, int]:
    """The lanes of a warp along each dimension: as many as there are iterations along dimensions 2 and 1, rounded up to
    a power of two, and the remaining lanes along dimension 0.
    """
    lanes = [1, 1, 1]
    for loop, level in level_loops(body):
        if level.name != "lane" or level.dimension == 0:
            continue
        count = loop.count.constant
        if count is None or count > LANES:
            title = f"expected at most {LANES} lanes along dimension {level.dimension}, found {show_nat(loop.count)}"
            fail("block-size", title, "split the array first: a warp has 32 lanes", loop.origin)
        lanes[level.dimension] = max(lanes[level.dimension], 1 << max(count - 1, 0).bit_length())
        if prod(lanes) > LANES:
            title = f"expected at most {LANES} lanes along dimensions 1 and 2, found {prod(lanes)}"
            fail("block-size", title, "give each lane a larger tile", loop.origin)
    return LANES // prod(lanes), lanes[1], lanes[2]


def threads_of(counts: dict[Level, list[Nat]]) -> tuple[int, int, int]:
    """The threads of a block along each dimension: as many as there are iterations, if that is a number."""
    counts_along: dict[int, list[Nat]] = {}
    for level, level_counts in counts.items():
        if level.name in ("threads", "global"):
            counts_along.setdefault(level.dimension, []).extend(level_counts)
    defaults = DEFAULT_THREADS[max(1, len(counts_along))]
    default_along = dict(zip(sorted(counts_along), defaults, strict=False))
    global_dimensions = {level.dimension for level in counts if level.name == "global"}
    block = [1, 1, 1]
    for d, level_counts in counts_along.items():
        block[d] = min(
            MAX_THREADS_ALONG[d], threads_along(level_counts, default_along[d], d in global_dimensions)
        )
    while prod(block) > MAX_THREADS:
        widest = block.index(max(block))
        block[widest] = (block[widest] + 1) // 2
    return block[0], block[1], block[2]


def threads_along(counts: Sequence[Nat], default: int, is_global: bool) -> int:
    """The threads of a block along a dimension."""
    constants = [count.constant for count in counts]
    max_count = max((one for one in constants if one is not None), default=0)
    if is_global or None in constants or max_count > MAX_THREADS:
        rounded = (max_count + LANES - 1) // LANES * LANES
        return (
            default if None in constants else max(1, min(default, rounded if default >= LANES else max_count))
        )
    return max(1, max_count)


def blocks_along(d: int, counts: dict[Level, list[Nat]], threads: int) -> Nat:
    """The blocks of the grid along a dimension, for numbers of iterations that do not depend on loops."""
    block_count: Nat | None = None
    names: tuple[LevelName, ...] = ("block", "global")
    for name in names:
        for count in counts.get(Level(name, d), ()):
            blocks = ceiling_quotient(count, const(threads)) if name == "global" else count
            block_count = (
                blocks if block_count is None or block_count is blocks else maximum(block_count, blocks)
            )
    if block_count is None:
        return const(1)
    constant = block_count.constant
    if d == 0 or (constant is not None and constant <= MAX_BLOCKS_ALONG):
        return block_count
    return minimum(block_count, const(MAX_BLOCKS_ALONG))


def _at_most(count: Nat, read: Collection[NatVar]) -> Nat:
    """A number of iterations that depends neither on enclosing loops nor on indices that are `read` in them: an upper
    bound of the length of rows, or otherwise one, since each unit runs as many iterations as there are.
    """
    names = [name for name in count.free if isinstance(name, NatVar)]
    if not any(name.upper is not None or name in read for name in names):
        return count
    match count.terms:
        case ((((NatCall("min", args), 1),), 1),):
            return const(min((int(size.constant) for size in args if size.constant is not None), default=1))
    return const(1)
