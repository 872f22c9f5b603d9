"""Matrix products in tiles of blocks and threads, with a block's tile of each factor in shared memory and sums in
registers.

Applies to any nest of two loops around a sum of products, independent of what it reads, how its result is used, and of
instructions.
"""

from __future__ import annotations

from typing import Final

from elevate import Strategy, id_, named, normalize, topDown, where
from strategies.lowering.levels import SEQ, block_level, thread_level
from strategies.parts.nests import (
    isolateReductions,
    liftReduction,
    reduceInOrder,
    tileNest,
    tileReduction,
)
from strategies.parts.parameters import (
    MAX_VECTOR_LENGTH,
    check_divisors,
    check_powers,
    check_sizes,
    check_switches,
    check_threads,
)
from strategies.parts.products import (
    appliesReduceSeq,
    called,
    inLoop,
    isNest,
    liftLoop,
    padNest,
    padReduction,
)
from strategies.rules.lowering import copy, toMemLocal
from strategies.rules.matrix_products import mulAddToFma
from strategies.rules.staging import nameFirst, nameSecond, vectorsOf
from strategies.rules.vectors import vectorizeAlignedAfter
from strategies.vocabulary.traversals import argument, body, mapped

#: the levels that run the loops of a tiled product, outermost first: blocks, then threads, then each thread
#: sequentially
TILE_LEVELS: Final = (block_level(1), block_level(0), thread_level(1), thread_level(0), SEQ)
#: like `TILE_LEVELS`, for a batch of products
BATCH_LEVELS: Final = (block_level(2), *TILE_LEVELS)


@named
def keepOperands(vector: int = 1) -> Strategy:
    """Load the operands of each step of the innermost loop into a thread's registers before multiplying: `vector`
    numbers at once, or the largest half, quarter and so on of this that divides the numbers of an operand.
    """
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    numbers: Strategy = copy
    for power in range(1, vector.bit_length()):
        numbers = vectorizeAlignedAfter(1 << power) >> argument(copy) | numbers
    inRegisters = argument(numbers >> toMemLocal)
    return inLoop(nameFirst >> inRegisters >> called(nameSecond >> inRegisters))


@named
def threadTiles(
    rows: int,
    columns: int,
    depth: int,
    thread_rows: int,
    thread_columns: int,
    edges: int = 1,
    empty: bool = False,
) -> Strategy:
    """Cut a product into tiles of rows x columns for blocks, and of thread_rows x thread_columns for their threads.

    The loop over steps of `depth` summands is outside of the loops over threads. With `edges`, tiles may overrun;
    without, sizes must be multiples of the tiles. `empty` is that of `padNest`. Raises StrategyError if the tiles do
    not fit into each other or into a block.
    """
    check_sizes(rows=rows, columns=columns, depth=depth, thread_rows=thread_rows)
    check_sizes(thread_columns=thread_columns)
    check_divisors(("thread_rows", thread_rows, 1, "rows", rows))
    check_divisors(("thread_columns", thread_columns, 1, "columns", columns))
    check_switches(edges=edges, empty=empty)
    check_threads(rows, columns, thread_rows, thread_columns)
    return (
        (topDown(padNest(rows, columns, empty)) if edges else id_)
        >> topDown(isNest >> tileNest(rows, columns))
        >> topDown(isNest >> tileNest(thread_rows, thread_columns))
        >> isolateReductions
        >> reduceInOrder
        >> (padReduction(depth) if edges else id_)
        >> tileReduction(depth)
        >> topDown(liftReduction)
        >> topDown(liftLoop)
        >> topDown(liftLoop)
        >> normalize(mulAddToFma)
    )


@named
def storeResults(vector: int) -> Strategy:
    """Store the results of a thread `vector` at once, which divides their number in a row."""
    check_powers(1, MAX_VECTOR_LENGTH, vector=vector)
    ofThread = vectorsOf(vector) >> argument(copy)
    ofRow = copy >> mapped(body(ofThread))
    return topDown(where(appliesReduceSeq) >> copy >> mapped(body(ofRow))) if vector > 1 else id_


def stagedTiles(left: Strategy, right: Strategy, vector: int = 1) -> Strategy:
    """Store what each step of a tiled product reads: both operands by the given strategies, and each thread's part of
    them in registers, loaded `vector` numbers at once.
    """
    first = nameFirst >> argument(left)
    second = nameSecond >> argument(right)
    return inLoop(keepOperands(vector) >> first >> called(second))
