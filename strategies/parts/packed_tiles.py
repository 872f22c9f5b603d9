"""Matrix products in register tiles that read packed copies of both factors, in blocks that fit caches.

Either the right factor is copied as a whole, in panels of columns, and a block of rows of the left factor is copied by
the thread that works on it, and stays in the cache while it is multiplied by all panels (`packedTiles`). Or the left
factor is copied as a whole and stays in the cache, and a panel of the right factor is copied by the thread that works
on it (`packedPanels`), so that no copy of the right factor goes to memory. Copies are in the order in which tiles read
them. Sizes are arbitrary: remaining rows form a smaller block, and the last tiles may overrun, in which case the excess
is computed and dropped. Depends on vectors and memory, but not on threads.
"""

from __future__ import annotations

from elevate import Strategy, child, id_, lChoice, named, normalize, topDown, try_
from strategies.parts.memory import nameSubterm
from strategies.parts.nests import align
from strategies.parts.parameters import check_multiples, check_sizes
from strategies.parts.products import called, isNest
from strategies.parts.register_tiles import inWholeBlocks, sideBySide, store, swapProductLoops
from strategies.parts.turned_blocks import turned, turnedBlocks
from strategies.rules.functions import betaReduction
from strategies.rules.lowering import copy, toMemLocal
from strategies.rules.matrix_products import packOperand
from strategies.rules.movement import splitJoin, splitJoinPadded, splitJoinRest
from strategies.rules.shapes import idxOnlyBlock, joinOneRow
from strategies.vocabulary.traversals import argument, body, mapped

#: store blocks in the order in which tiles read them
keepBlocks: Strategy = named("keepBlocks", nameSubterm(turnedBlocks) >> store)


#: read the turned blocks of a padded loop over tiles; tiles of one row never overrun, so they have no excess to drop
turnedTiles: Strategy = named("turnedTiles", argument(argument(turned) | turned))


def _downPanels(columns: int, tiles: Strategy, turn: Strategy = id_) -> Strategy:
    """Compute a nest in panels of columns, one after another; `tiles` cuts a panel into tiles, and `turn` is applied to
    the loop over panels.
    """
    inPanel = isNest >> swapProductLoops >> topDown(tiles)
    panels = splitJoinPadded(columns) >> align >> topDown(inPanel) >> turn
    return isNest >> swapProductLoops >> topDown(panels)


#: store the part of the right factor that a panel reads, in the order in which its tiles read it
packPanel: Strategy = named("packPanel", topDown(packOperand >> argument(copy >> toMemLocal)))
_packs: Strategy = topDown(keepBlocks)
#: after `blockLoops`: store all panels of the right factor before, and each block of the left factor
packBlocks: Strategy = named("packBlocks", keepBlocks >> called(inWholeBlocks(_packs) >> argument(_packs)))
#: after `panelLoops` or `rowPanelLoops`: store the left factor before, and the right one panel by panel or row by row
packLeftAndPanels: Strategy = named(
    "packLeftAndPanels", keepBlocks >> called(lChoice(_packs >> try_(packPanel), packPanel))
)
#: compute the only whole block without a loop over blocks, so that threads compute its panels instead; never fails
onlyBlock: Strategy = named(
    "onlyBlock",
    try_(child(0)(argument(joinOneRow >> try_(betaReduction) >> normalize(idxOnlyBlock)))),
)


@named
def blockLoops(rows: int, columns: int, height: int) -> Strategy:
    """The loops of a matrix product in tiles of rows x columns: blocks of `height` rows, panels of columns, tiles.

    `height` is a multiple of `rows`. Tiles read the factors as they are; `packBlocks` stores them.
    """
    check_sizes(rows=rows, columns=columns, height=height)
    check_multiples(("height", height, "rows", rows))

    def tiled(cut: Strategy, turn: Strategy) -> Strategy:
        """Tile a block of rows, down all panels."""
        return _downPanels(columns, cut >> align >> sideBySide >> turn, topDown(turned))

    remainder = argument(tiled(splitJoinPadded(rows), turnedTiles))
    return (
        isNest
        >> splitJoinRest(height)
        >> inWholeBlocks(align >> topDown(tiled(splitJoin(rows), argument(turned))))
        >> remainder
    )


def _paddedTiles(rows: int) -> Strategy:
    """Cut a panel into tiles, the last of which may overrun."""
    return splitJoinPadded(rows) >> align >> sideBySide >> turnedTiles


@named
def panelLoops(rows: int, columns: int) -> Strategy:
    """The loops of a matrix product in tiles of rows x columns: panels of columns, then tiles.

    Tiles read the factors as they are; `packLeftAndPanels` stores both, and `packPanel` only the right one.
    """
    check_sizes(rows=rows, columns=columns)
    return _downPanels(columns, _paddedTiles(rows))


@named
def rowPanelLoops(rows: int, columns: int, row: int) -> Strategy:
    """Like `panelLoops`, if the columns are those of rows of `row` columns each, one after the other.

    No panel spans two rows, so that columns of a panel are as adjacent as those of a row. `packLeftAndPanels` stores
    both factors.
    """
    check_sizes(rows=rows, columns=columns, row=row)
    inPanel = isNest >> swapProductLoops >> topDown(_paddedTiles(rows))
    whole = inWholeBlocks(align >> topDown(inPanel) >> topDown(turned))
    cut = splitJoinRest(columns) >> whole >> argument(topDown(inPanel))
    return isNest >> swapProductLoops >> topDown(splitJoin(row) >> argument(mapped(body(cut))))


@named
def packedTiles(rows: int, columns: int, height: int) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that read packed factors, in blocks of `height` rows.

    `height` is a multiple of `rows`. The order of summation does not change.
    """
    return blockLoops(rows, columns, height) >> packBlocks >> called(onlyBlock)


@named
def packedPanels(rows: int, columns: int, row: int = 0) -> Strategy:
    """Compute a matrix product in tiles of rows x columns that read packed factors: the left factor is packed as a
    whole before, and a panel of the right factor by the thread that computes the panel's columns.

    If the columns are those of rows of `row` columns each, one after the other, a thread packs a row instead. The order
    of summation does not change.
    """
    check_sizes(0, row=row)
    loops = rowPanelLoops(rows, columns, row) if row else panelLoops(rows, columns)
    return loops >> packLeftAndPanels
