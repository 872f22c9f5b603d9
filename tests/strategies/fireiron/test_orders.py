"""Units in another order, or with tiles in strides, below other tiles and copies: each keeps its sums."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from shine.front.derivation import derive
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


#: permutations that undo themselves: two groups of two parts, or two bits that change places
EXCHANGED: Final[dict[str, Schedule]] = {
    "columns": SUMS.tile(Strided((4, 16), (4, 8))).to(Thread).done,
    "rows": SUMS.tile(Strided((2, 8), (2, 16))).to(Thread).done,
    "units": SUMS.tile(8, 8).to(Thread).swizzle(0, 2, 1, 3).done,
}


@pytest.mark.parametrize("name", some(EXCHANGED, 2))
def test_a_function_of_sums_is_computed_in_their_order(name: str, cache: Path) -> None:
    """It would be computed in another order if the permutation that restores the result were moved inside of it."""
    positive = rise.parse("""fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
      max(zip(row, column) |> map(mul) |> reduce(add, 0.0), 0.0))))))""").main
    program = derive(EXCHANGED[name].strategy(), rise.specialise(positive, M=32, N=32, K=16)).result
    kernel = shine.compile(program, target="cuda-sim", check=True, cache=str(cache))
    random = np.random.default_rng(0)
    a, b = (random.integers(-3, 4, shape).astype(np.float32) for shape in ((32, 16), (16, 32)))
    np.testing.assert_array_equal(kernel(a, b), np.maximum(a @ b, 0))
