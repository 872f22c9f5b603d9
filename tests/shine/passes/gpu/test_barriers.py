"""Barriers are where they are needed, and nowhere else: threads are run to see it."""

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


def copying(block: Block) -> Block:
    """The block where what was set is copied, asynchronously, from global memory."""
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
    """The block without each of its waits in turn."""
    for position, one in enumerate(block.statements):
        before, after = block.statements[:position], block.statements[position + 1 :]
        if isinstance(one, AwaitCopies):
            yield Block((*before, *after))
        elif isinstance(one, For):
            yield from (
                Block((*before, replace(one, body=body), *after)) for body in without_one_wait(one.body)
            )


@SHAPES
def test_no_copy_comes_too_late(shape: Shape) -> None:
    """And no wait is for nothing, but where elements differ that no proof tells apart."""
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
