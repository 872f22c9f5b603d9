"""Barriers are where they are needed, and nowhere else: threads are run to see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from rise.diagnostics import RiseError
from shine.gpu import GpuKernel
from shine.passes.gpu.conflicts import proved_apart
from shine.passes.gpu.effects import Around, effects_of
from shine.passes.gpu.place_barriers import place_barriers
from shine.passes.gpu.touched import common_elements
from tests.examples import examples
from tests.shine.gpu_barrier_kernels import (
    BUFFERS,
    FLAT,
    SQUARE,
    WARPS,
    Shape,
    barriers,
    changed,
    everywhere,
    kernels,
    race,
    run,
)

SHAPES = pytest.mark.parametrize("shape", [FLAT, SQUARE, WARPS], ids=["flat", "square", "warps"])


def placed(made: GpuKernel) -> GpuKernel:
    """With barriers; discards kernels in which no barrier can be."""
    try:
        return place_barriers(made)
    except RiseError:
        assume(False)
        raise


def check_needed(made: GpuKernel) -> None:
    """Every barrier prevents a race, and so does its strength."""
    for barrier in barriers(made.body):
        for less in (None, replace(barrier, scope="warp")):
            if less != barrier:
                weaker = replace(made, body=changed(made.body, barrier, less))
                assert race(run(weaker, *BUFFERS)) is not None, barrier


@SHAPES
def test_no_two_threads_race(shape: Shape) -> None:
    @settings(max_examples=examples(40))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        assert race(run(placed(made), *BUFFERS)) is None

    law()


@SHAPES
def test_every_barrier_is_needed(shape: Shape) -> None:
    @settings(max_examples=examples(25))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        found = placed(made)
        check_needed(found)
        assert place_barriers(found) == found

    law()


@SHAPES
def test_what_is_refused_no_barrier_could_help(shape: Shape) -> None:
    @settings(max_examples=examples(25))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        try:
            place_barriers(made)
        except RiseError:
            assert race(run(everywhere(made), *BUFFERS)) is not None

    law()


@given(kernels(FLAT))
def test_what_is_proved_is_so(made: GpuKernel) -> None:
    around = Around(frozenset({"s", "t"}))
    effects = [effect for one in made.body.statements for effect in effects_of(one, around)]
    for one in effects:
        for other in effects:
            found = common_elements(one, other, made.launch)
            assert found is not None
            proved = proved_apart(one, other, made.launch)
            assert not found[0] or proved is not None
            assert not found[1] or proved == "block"
