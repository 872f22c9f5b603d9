"""The space of products on GPUs: its candidates compute the product, and no bound is above an estimate."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
import pytest

import rise
import shine
from rise.hardware import DEFAULT, device
from shine.front.tuner.candidates import random_arguments
from shine.front.tuner.device_estimates import kernel_time
from strategies.spaces import Leaf, Open, replay
from strategies.spaces.gpu_products import (
    FRAGMENTS,
    INSTRUCTIONS,
    PIPELINED,
    PRODUCT_UNITS,
    SHARED_SUMS,
    THREADS,
    blocks_bound,
    gpu_product,
)
from strategies.spaces.holes import Decisions
from strategies.spaces.models import Setting
from tests.examples import THOROUGH
from tests.strategies.fireiron.products import HALF, SINGLE

A100: Final = device("A100-SXM4-40GB")
SIZES: Final = {"M": 64, "N": 128, "K": 64}
COUNT: Final = 10 if THOROUGH else 2
#: what a kernel of each kind has
TEXT: Final = {
    THREADS: "__shared__",
    PIPELINED: "__shared__",
    FRAGMENTS: "wmma::mma_sync",
    INSTRUCTIONS: "mma.sync",
    SHARED_SUMS: "mma.sync",
}


def any_leaf(units: str, random: Random) -> tuple[list[Decisions], Leaf]:
    """A random candidate that applies to the product, with its prefixes."""
    program = SINGLE if units in (THREADS, PIPELINED) else HALF
    while True:
        prefixes: list[Decisions] = [{}]
        found = replay(gpu_product, {"units": units})
        while isinstance(found, Open):
            prefixes.append(found.partial)
            found = replay(gpu_product, {**found.partial, found.choice: random.choice(found.domain)})
        if isinstance(found, Leaf):
            leaf = replay(gpu_product, found.decisions, program, SIZES)
            if isinstance(leaf, Leaf):
                return [*prefixes, leaf.decisions], leaf


@pytest.mark.parametrize("units", PRODUCT_UNITS)
def test_candidates_compute_the_product_and_are_above_their_bounds(units: str) -> None:
    random = Random(units)
    at = Setting(SINGLE if units in (THREADS, PIPELINED) else HALF, SIZES, DEFAULT, 1, A100)
    for _ in range(COUNT):
        prefixes, leaf = any_leaf(units, random)
        assert leaf.term is not None
        kernel = shine.compile(leaf.term, target="cuda-sim")
        assert TEXT[units] in kernel.source
        a, b = random_arguments(kernel, 0)
        wanted = a.astype(np.float64) @ b.astype(np.float64)
        np.testing.assert_allclose(kernel(a, b), wanted, rtol=2e-2, atol=1e-2)
        bounds = [float(blocks_bound(at, made).time) for made in prefixes]
        assert bounds[0] > 0 and bounds == sorted(bounds)
        assert bounds[-1] <= float(kernel_time(kernel, [a, b], A100).time)


def test_stages_and_layouts_are_choices() -> None:
    """Asynchronous copies, padded rows, vectors, and warps that share a sum."""
    random, made = Random(0), {}
    for units in PRODUCT_UNITS:
        for _ in range(20):
            found = replay(gpu_product, {"units": units})
            while isinstance(found, Open):
                made.setdefault((units, found.choice), set()).update(found.domain)
                found = replay(gpu_product, {**found.partial, found.choice: random.choice(found.domain)})
    assert made[PIPELINED, "stages"] == {1, 2, 3, 4} and made[INSTRUCTIONS, "stages"] == {1, 2, 3}
    assert made[THREADS, "room"] == {0, 4} and made[SHARED_SUMS, "room"] == {0, 8}
    assert made[SHARED_SUMS, "warps"] == {2, 4} and made[FRAGMENTS, "depth"] == {16, 32, 64}


def test_blocks_share_multiprocessors() -> None:
    """One block more than there are multiprocessors takes as long as two rounds."""
    tiles: Decisions = {"units": THREADS, "rows": 16, "columns": 16}
    full, more = (
        blocks_bound(Setting(SINGLE, {"M": 16, "N": 16 * count, "K": 64}, DEFAULT, 1, A100), tiles)
        for count in (A100.multiprocessors, A100.multiprocessors + 1)
    )
    assert full.why == more.why == "multiply-add units"
    assert float(more.time) == pytest.approx(2 * float(full.time))


def test_the_space_is_searched_without_a_device() -> None:
    found = shine.tune(
        rise.specialise(HALF), gpu_product, SIZES, shine.Budget(evaluations=4), target="cuda-sim", device=A100
    )
    assert found.wrong == () and all(
        row.bound <= row.result.seconds * (1 + 1e-9) for row in found.rows if row.result.seconds
    )
