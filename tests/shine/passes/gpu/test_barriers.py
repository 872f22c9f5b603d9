"""Barriers are placed where they are needed, and nowhere else: threads are run to check this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from rise.diagnostics import RiseError
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Assign, AwaitCopies, Block, Constant, For, Statement
from shine.passes.gpu.accessing_threads import common_elements
from shine.passes.gpu.await_copies import await_copies
from shine.passes.gpu.conflicts import proved_apart
from shine.passes.gpu.effects import Around, effects_of
from shine.passes.gpu.keep_copies import keep_copies
from shine.passes.gpu.place_barriers import place_barriers
from tests.examples import examples
from tests.shine.passes.gpu.barrier_kernels import (
    BUFFERS,
    FLAT,
    SQUARE,
    WARPS,
    Shape,
    array,
    barriers,
    changed,
    everywhere,
    kernels,
    race,
    run,
)
from tests.shine.passes.gpu.copy_traces import early
from tests.shine.procedures import load

SHAPES = pytest.mark.parametrize("shape", [FLAT, SQUARE, WARPS], ids=["flat", "square", "warps"])


def placed(made: GpuKernel) -> GpuKernel:
    """The kernel with barriers; discards kernels in which a needed barrier is not possible."""
    try:
        return place_barriers(made)
    except RiseError:
        assume(False)
        raise


def check_needed(made: GpuKernel) -> None:
    """Check that each barrier prevents a race, and that a barrier of the warp in its place would not."""
    for barrier in barriers(made.body):
        for less in (None, replace(barrier, scope="warp")):
            if less != barrier:
                weaker = replace(made, body=changed(made.body, barrier, less))
                assert race(run(weaker, *BUFFERS)) is not None, barrier


@SHAPES
def test_no_two_threads_race(shape: Shape) -> None:
    @settings(max_examples=examples(20))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        assert race(run(placed(made), *BUFFERS)) is None

    law()


def copying(block: Block) -> Block:
    """The block in which constants are replaced by asynchronous copies from global memory."""
    made: list[Statement] = []
    for one in block.statements:
        match one:
            case For(body=body):
                made.append(replace(one, body=copying(body)))
            case Assign(value=Constant()):
                made.append(replace(one, value=load(array("x"), one.index), asynchronous=True))
            case _:
                made.append(one)
    return Block(tuple(made))


def without_one_wait(block: Block) -> Iterator[Block]:
    """The blocks without one wait, for each wait."""
    for position, one in enumerate(block.statements):
        before, after = block.statements[:position], block.statements[position + 1 :]
        if isinstance(one, AwaitCopies):
            yield Block((*before, *after))
        elif isinstance(one, For):
            yield from (
                Block((*before, replace(one, body=body), *after)) for body in without_one_wait(one.body)
            )


@SHAPES
def test_no_access_precedes_its_copy(shape: Shape) -> None:
    """Most waits are needed; the others are for elements that differ although this is not proved."""
    counts = {"missed": 0, "idle": 0}

    @settings(max_examples=examples(40))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        found = await_copies(placed(keep_copies(replace(made, body=copying(made.body)))))
        assert early(run(found, *BUFFERS)) is None
        for body in without_one_wait(found.body):
            counts["missed" if early(run(replace(found, body=body), *BUFFERS)) else "idle"] += 1

    law()
    assert counts["missed"] >= counts["idle"], counts


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
def test_no_barrier_could_help_kernels_that_are_rejected(shape: Shape) -> None:
    @settings(max_examples=examples(25))
    @given(kernels(shape))
    def law(made: GpuKernel) -> None:
        try:
            place_barriers(made)
        except RiseError:
            assert race(run(everywhere(made), *BUFFERS)) is not None

    law()


@given(kernels(FLAT))
def test_elements_that_are_proved_different_differ(made: GpuKernel) -> None:
    around = Around(frozenset({"s", "t"}))
    effects = [effect for one in made.body.statements for effect in effects_of(one, around)]
    for one in effects:
        for other in effects:
            found = common_elements(one, other, made.launch)
            assert found is not None
            proved = proved_apart(one, other, made.launch)
            assert not found[0] or proved is not None
            assert not found[1] or proved == "block"
