"""Matrix products in register tiles that read packed copies of both factors, in blocks that fit caches.

The right factor is copied once, in panels of columns. A block of rows of the left factor is copied by the thread that
works on it, in the order in which its tiles read it, and stays in the cache while it is multiplied by all panels. Sizes
are arbitrary: remaining rows form a smaller block, and the last tiles may overrun, in which case the excess is computed
and dropped. Depends on vectors and memory, but not on threads.
"""

from __future__ import annotations

from elevate import Strategy, named, topDown
from strategies.parts.memory import nameSubterm
from strategies.parts.nests import align
from strategies.parts.parameters import check_multiples, check_sizes
from strategies.parts.products import called, isNest
from strategies.parts.register_tiles import inWholeBlocks, sideBySide, store, swapProductLoops
from strategies.parts.turned_blocks import turned, turnedBlocks
from strategies.rules.movement import splitJoin, splitJoinPadded, splitJoinRest
from strategies.vocabulary.traversals import argument

#: store blocks in the order in which tiles read them
keepBlocks: Strategy = named("keepBlocks", nameSubterm(turnedBlocks) >> store)


@named
def packedTiles(rows: int, columns: int, height: int) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that read packed factors, in blocks of `height` rows.

    `height` is a multiple of `rows`. The order of summation does not change.
    """
    check_sizes(rows=rows, columns=columns, height=height)
    check_multiples(("height", height, "rows", rows))

    def tiled(cut: Strategy, turn: Strategy) -> Strategy:
        """Tile a block of rows, down all panels."""
        tiles = isNest >> swapProductLoops >> topDown(cut >> align >> sideBySide >> turn)
        panels = splitJoinPadded(columns) >> align >> topDown(tiles) >> topDown(turned)
        return isNest >> swapProductLoops >> topDown(panels)

    # tiles of one row never overrun, so their result has no excess to drop
    remainder = argument(tiled(splitJoinPadded(rows), argument(argument(turned) | turned)))
    blocks = (
        splitJoinRest(height)
        >> inWholeBlocks(align >> topDown(tiled(splitJoin(rows), argument(turned))))
        >> remainder
    )
    packs = topDown(keepBlocks)
    return isNest >> blocks >> keepBlocks >> called(inWholeBlocks(packs) >> argument(packs))
