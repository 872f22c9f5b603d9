"""How many blocks and threads run a kernel: as many as its loops over levels have iterations, within limits.

Sizes of blocks are numbers, those of grids may depend on sizes. Where a loop has more iterations than the launch has
units, each unit does several. Where loops over the threads of a block differ, those that do most of the work say how
many threads there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod
from typing import Final

from rise.naturals import Nat, const
from rise.quotients import ceiling_quotient, maximum, minimum
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import LANES, Launch
from shine.imperative.levels import level_loops, level_of, works_on_fragments
from shine.imperative.nodes import Block, For, Level, LevelName
from shine.imperative.walk import statements

MUCH: Final = (
    8  # a loop with less than this part of the most work may leave threads idle, or give them several turns
)
LONG: Final = 64  # iterations of a loop of which the number is not known
MOST_THREADS: Final = 1024  # of a block, on every architecture
#: threads of a block along each dimension, on every architecture
MOST_ALONG: Final = (MOST_THREADS, MOST_THREADS, 64)
#: blocks along dimensions 1 and 2, on every architecture; along dimension 0 there are 2^31 - 1
MOST_BLOCKS: Final = 65535
#: threads of a block along each dimension, where a size does not say: by the number of dimensions
USUAL: Final = {1: (256, 1, 1), 2: (32, 8, 1), 3: (32, 4, 2)}


def choose_launch(body: Block) -> Launch:
    """The launch of a kernel, from the loops over levels in it."""
    counts: dict[Level, list[Nat]] = {}
    work = work_in_loops(body)
    most = {
        level: max(work[loop] for loop, one in level_loops(body) if one == level)
        for _, level in level_loops(body)
    }
    for loop, level in level_loops(body):
        if level.name != "threads" or work[loop] * MUCH >= most[level]:
            counts.setdefault(level, []).append(loop.count)
    warps = warps_of(body, counts)
    if warps is not None:
        block = (LANES * prod(warps), 1, 1)
        if block[0] > MOST_THREADS:
            origin = next(loop.origin for loop, level in level_loops(body) if level.name == "warp")
            title = f"expected at most {MOST_THREADS // LANES} warps in a block, found {prod(warps)}"
            fail("block-size", title, "map over fewer warps, each with a larger tile", origin)
    else:
        block = threads_of(counts)
    grid = [blocks_along(d, counts, block[d]) for d in range(3)]
    return Launch((grid[0], grid[1], grid[2]), block, warps)


def work_in_loops(body: Block) -> dict[For, int]:
    """How often an iteration of each loop over a level does something, roughly."""
    work: dict[For, int] = {}
    for statement, loops in statements(body):
        times = 1
        for loop in loops:
            if level_of(loop) is None:
                times *= loop.count.constant or LONG
        if isinstance(statement, For):
            work.setdefault(statement, 0)
        else:
            work.update((loop, work[loop] + times) for loop in loops)
    return work


def warps_of(body: Block, counts: dict[Level, list[Nat]]) -> tuple[int, int, int] | None:
    """The warps of a block along each dimension; None where the kernel does not speak of warps."""
    has_warps = any(level.name in ("warp", "lane") for level in counts)
    has_fragments = any(works_on_fragments(one) for one, _ in statements(body))
    if not has_warps and not has_fragments:
        return None
    found = [1, 1, 1]
    threads = counts.get(Level("threads", 0), [])
    if threads and not has_fragments and not any(level.name == "warp" for level in counts):
        found[0] = ceil(threads_along(threads, USUAL[1][0], is_global=False) / LANES)
    for loop, level in level_loops(body):
        if level.name != "warp":
            continue
        known = loop.count.constant
        if known is None:
            title = f"expected a known number of warps, found {show_nat(loop.count)}"
            fail(
                "block-size", title, "split the array first: a block has a fixed number of warps", loop.origin
            )
        found[level.dimension] = max(found[level.dimension], known)
    return found[0], found[1], found[2]


def threads_of(counts: dict[Level, list[Nat]]) -> tuple[int, int, int]:
    """The threads of a block along each dimension: as many as there is work for, where that is a number."""
    wanted: dict[int, list[Nat]] = {}
    for level, found in counts.items():
        if level.name in ("threads", "global"):
            wanted.setdefault(level.dimension, []).extend(found)
    usual = USUAL[max(1, len(wanted))]
    of_dimension = dict(zip(sorted(wanted), usual, strict=False))
    spread = {level.dimension for level in counts if level.name == "global"}
    block = [1, 1, 1]
    for d, found in wanted.items():
        block[d] = min(MOST_ALONG[d], threads_along(found, of_dimension[d], d in spread))
    while prod(block) > MOST_THREADS:
        widest = block.index(max(block))
        block[widest] = (block[widest] + 1) // 2
    return block[0], block[1], block[2]


def threads_along(counts: Sequence[Nat], usual: int, is_global: bool) -> int:
    """The threads of a block along a dimension."""
    known = [count.constant for count in counts]
    most = max((one for one in known if one is not None), default=0)
    if is_global or None in known or most > MOST_THREADS:
        rounded = (most + LANES - 1) // LANES * LANES
        return usual if None in known else max(1, min(usual, rounded if usual >= LANES else most))
    return max(1, most)


def blocks_along(d: int, counts: dict[Level, list[Nat]], threads: int) -> Nat:
    """The blocks of the grid along a dimension."""
    wanted: Nat | None = None
    names: tuple[LevelName, ...] = ("block", "global")
    for name in names:
        for count in counts.get(Level(name, d), ()):
            blocks = ceiling_quotient(count, const(threads)) if name == "global" else count
            wanted = blocks if wanted is None or wanted is blocks else maximum(wanted, blocks)
    if wanted is None:
        return const(1)
    known = wanted.constant
    if d == 0 or (known is not None and known <= MOST_BLOCKS):
        return wanted
    return minimum(wanted, const(MOST_BLOCKS))
