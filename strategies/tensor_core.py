"""From a high-level matrix product to fragments of tensor cores, by small rules (GPGPU 2022, section 5).

The program may scale, add a matrix or a vector, read transposed operands: what surrounds the products is moved out of
the way first, and comes back as an epilogue on fragments.
"""

from __future__ import annotations

from elevate import Strategy, named, normalize, topDown
from strategies.lowering import Write
from strategies.nests import reduceInOrder, separate, tidy, tileNest, tileReduction
from strategies.rules.gpu import mapToMapBlock
from strategies.rules.lowering import mapToMapSeq
from strategies.rules.tensor_cores import (
    constantFragment,
    fragmentLoop,
    mapFragmentOut,
    tileProductAdd,
    zipFragmentOut,
)

#: tiles become fragments, and what is done with them happens in fragments too; fails where there is no product
toFragments: Strategy = named(
    "toFragments",
    topDown(tileProductAdd)
    >> normalize(tileProductAdd | fragmentLoop | constantFragment | zipFragmentOut | mapFragmentOut)
    >> tidy,
)


@named
def tensorCore(rows: int = 16, columns: int = 16, depth: int = 16) -> Strategy:
    """From a matrix product, with whatever surrounds it, to one warp's fragments for each tile of the result.

    The program's loops are two maps around a reduction of products; it may scale, add a matrix or a vector, and read
    operands transposed. The tile must be a shape that the machine's instructions have. `rise.obligations` tells which
    sizes the tile must divide.
    """
    return (
        tileNest(rows, columns)
        >> separate
        >> reduceInOrder
        >> tileReduction(depth)
        >> toFragments
        >> Write((mapToMapBlock(1), mapToMapBlock(0), mapToMapSeq))
    )
