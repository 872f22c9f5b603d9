"""Random schedules of all kinds: each one that can be written derives, is read from its text, and computes the same."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from elevate import Diagnostic, StrategyError
from strategies.fireiron import (
    CA,
    FR,
    GL,
    RF,
    SH,
    A,
    Block,
    Chain,
    ColMajor,
    Contract,
    Core,
    Kernel,
    Lane,
    Map,
    MatMul,
    Reduce,
    Schedule,
    Thread,
    Vector,
    Warp,
    read_schedule,
)
from strategies.fireiron.specs import Unit
from strategies.fireiron.steps import FirstStep
from tests.examples import some
from tests.strategies.fireiron.kinds import CASES, Case, assert_same
from tests.strategies.fireiron.test_chains import CHAINS

#: schedules without steps, with cases that have their programs
STARTS: Final[dict[Schedule, str]] = {
    Map("n,n->n"): "threads",
    Map("ij,j->ij"): "a row for all rows",
    Map("ij,i->ij"): "a number for each row",
    Map("ij->ji"): "a matrix by columns",
    Reduce: "a row for each thread",
    Reduce("M", 32): "a row for each warp",
    Reduce("k->"): "a whole array, in two kernels",
    Contract("abk,cdk->acbd"): "letters of rows and columns",
    MatMul: "a product",
    Chain: "sums of the first product in registers",
    Chain("M", "N", "K", 32): "all rows of a block",
    Chain("A @ (B @ C)"): "a part of a right factor in each iteration",
    Reduce("lmk->lm"): "rows of a batch",
    Map("bij->bji"): "transposed matrices",
}
ALL: Final = CASES | CHAINS
SIZES: Final = {"M": 64, "N": 64, "K": 64, "A": 8, "B": 8, "C": 8, "D": 8, "L": 32}
PARTS: Final = (1, 2, 4, 8, 16, 32)
MOST_STEPS: Final = 12


def tiled(schedule: Schedule, shape: tuple[int, ...], unit: Unit) -> Schedule:
    return schedule.tile(*shape).to(unit)


def tiled_by_columns(schedule: Schedule, shape: tuple[int, ...], unit: Unit) -> Schedule:
    return tiled(schedule, shape, unit).layout(ColMajor)


def split(schedule: Schedule, unit: Unit, *depths: int) -> Schedule:
    return schedule.split(*depths).to(unit)


def unrolled(schedule: Schedule, depth: int) -> Schedule:
    return schedule.split(depth).unroll


def steps(schedule: Schedule) -> Iterator[Callable[[], Schedule]]:
    """Steps, of which some may not fit. Blocks and cores come first."""
    spec = schedule.residual
    units = [unit for unit in (Block, Core, Warp, Thread, Lane, Vector) if unit.name in spec.unit.inside]
    for shape, unit in product(product(PARTS, repeat=len(spec.shape)), units):
        if shape:
            yield partial(tiled, schedule, shape, unit)
            yield partial(tiled_by_columns, schedule, shape, unit)
    for depth, unit in product(PARTS, units):
        yield partial(split, schedule, unit, depth)
    if spec.unit is Kernel:
        return
    for shape in product(PARTS, repeat=len(spec.shape)):
        yield partial(schedule.tile, *shape)
    for depth in PARTS:
        yield partial(unrolled, schedule, depth)
    for depth, unit in product(PARTS, units):
        yield partial(split, schedule, unit, depth, 2 * depth)
    for _, operand, location in product(range(8), spec.kind.names[:-1], (SH, RF, CA)):
        yield partial(schedule.load, operand, location)
    for _ in range(8):
        yield lambda: schedule.epilog(RF)
        yield lambda: schedule.done


def products(schedule: Schedule, choose: random.Random) -> Iterator[Callable[[], Schedule]]:
    """A schedule of the first product of a chain, for its sizes and its unit."""
    spec = schedule.residual
    start = MatMul(*FirstStep(GL, ()).start(spec).sizes)
    start = start.by(spec.unit) if spec.unit in (Block, Core, Thread, Lane) else start
    location = {Kernel: GL, Block: SH, Core: CA, Thread: RF, Lane: RF}.get(spec.unit)
    if location is None:
        return
    first = finished(start, choose)
    if first is not None:
        yield partial(schedule.first, location, first)


def finished(schedule: Schedule, choose: random.Random) -> Schedule | None:
    """A schedule with random steps up to its end; None if it does not end soon."""
    for _ in range(MOST_STEPS):
        options = list(steps(schedule))
        choose.shuffle(options)
        if schedule.residual.kind.is_chain and choose.random() < 0.5:
            options = [*products(schedule, choose), *options]
        for option in options:
            try:
                schedule = option()
                break
            except StrategyError:
                continue
        if str(schedule).endswith(".done") and not schedule.residual.kind.is_chain:
            return schedule
    return None


def random_schedule(seed: int) -> tuple[Schedule, Case]:
    """A finished schedule with a case that has its program."""
    choose = random.Random(seed)
    while True:
        start = choose.choice(list(STARTS))
        schedule = finished(start, choose)
        if schedule is not None:
            return schedule, ALL[STARTS[start]]


@pytest.mark.parametrize("seed", some(range(12), 5))
def test_a_random_schedule_computes_what_numpy_computes(seed: int, cache: Path) -> None:
    schedule, case = random_schedule(seed)
    assert read_schedule(str(schedule)) == schedule
    known = {
        axis: size for axis, size in SIZES.items() if f"{axis}." in case.program or f"{axis}:" in case.program
    }
    target = "openmp" if "Core" in str(schedule) else "cuda-sim"
    assert_same(Case(schedule, case.program, (known,), case.expected, (), target), cache)


#: steps without sizes, as a hint lists them
LISTED: Final = re.compile(r"(load\(\w, \w+\)|epilog\(\w+\)|mma\(\d+, \d+, \d+\)|mmaTile|done)(?=,|$)")


@pytest.mark.parametrize("seed", some(range(12), 5, 1))
def test_each_step_that_a_hint_lists_is_accepted(seed: int) -> None:
    """At each point of a schedule, also where sums are in fragments."""
    schedule, _ = random_schedule(seed)
    warps = (
        MatMul.tile(64, 64)
        .to(Block)
        .epilog(FR)
        .split(16)
        .load(A, SH)
        .tile(32, 16)
        .to(Warp)
        .mma(16, 8, 8)
        .done
    )
    offered = 0
    for whole in (schedule, warps):
        for count in range(len(whole.steps)):
            begun = replace(whole, steps=whole.steps[:count])
            hint = begun.with_steps(Diagnostic("schedule", "the next step")).hint
            listed = LISTED.findall(hint.partition("steps that fit here: ")[2])
            assert all(str(read_schedule(f"{begun}.{step}")) == f"{begun}.{step}" for step in listed), begun
            offered += len(listed)
    assert offered > len(warps.steps)
