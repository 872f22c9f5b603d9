"""Units in another order, or with tiles in strides, below other tiles and copies: each keeps its sums."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from strategies.fireiron import RF, SH, A, B, Block, Lane, MatMul, Move, Schedule, Strided, Thread, Warp
from tests.examples import some
from tests.strategies.fireiron.products import assert_product, simulated

SUMS: Final = MatMul.tile(32, 32).to(Block).epilog(RF).split(8)
STAGED: Final = Move.stage(SH).tile(1, 4).to(Thread).vector
SCHEDULES: Final[dict[str, Schedule]] = {
    "threads below a copy of a tile": (
        SUMS.tile(16, 16).load(B, SH).tile(4, 4).to(Thread).swizzle(2, 0, 1, 3).done
    ),
    "lanes below copies of a warp": (
        SUMS.tile(8, 16)
        .to(Warp)
        .swizzle(2, 0, 1)
        .load(A, SH)
        .load(B, SH)
        .tile(2, 2)
        .to(Lane)
        .swizzle(4, 3, 2, 1, 0)
        .split(4)
        .done
    ),
    "threads below copies between three tilings": (
        SUMS.tile(16, 32)
        .split(2)
        .unroll.load(B, SH)
        .tile(2, 16)
        .load(A, SH)
        .split(1)
        .tile(1, 4)
        .to(Thread)
        .swizzle(1, 2, 0)
        .done
    ),
    "a stride of a whole tile below a copy, with sums through shared memory": (
        MatMul.tile(32, 16)
        .to(Block)
        .epilog(RF, store=STAGED)
        .split(16)
        .tile(32, 16)
        .unroll.load(B, SH)
        .align(8)
        .tile(Strided((1, 32), (2, 16)))
        .to(Thread)
        .done
    ),
}


@pytest.mark.parametrize("name", some(SCHEDULES, 2))
def test_units_in_another_order_keep_their_sums(name: str, cache: Path) -> None:
    assert_product(simulated(SCHEDULES[name], 64, 32, 32, cache), 64, 32, 32, "float32")
