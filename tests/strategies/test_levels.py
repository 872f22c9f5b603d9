"""Levels: both rules of a record create loops that run on the same units, and lowering depends on records, not on
names.
"""

from typing import Final

import pytest

import rise
from elevate import Success, where
from rise.primitives import PRIMITIVES, running_on, with_trait
from rise.terms import Expr, Primitive
from rise.types import Space
from strategies.lowering.levels import (
    GLOBAL,
    LOCAL,
    PAR,
    SEQ,
    SHARED,
    Level,
    block_level,
    global_level,
    lane_level,
    thread_level,
    warp_level,
)
from strategies.lowering.positions import Write, below, inside_loop, memory
from strategies.rules.lowering import mapToMapSeqUnroll, toMemLocal
from strategies.rules.staging import toMemGlobal, toMemShared

ON_A_GPU: Final = (global_level, block_level, thread_level, warp_level, lane_level)
LEVELS: Final = (SEQ, PAR, *(level(dimension) for level in ON_A_GPU for dimension in (0, 1, 2)))
MAP: Final = "fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)))"
ROWS: Final = "fun(xs: 6.f32 => partition{(i |-> i + 1)}(3, xs) |> depMap(fun(i: nat, row => row)))"


def loop_made(level: Level, text: str) -> str:
    """The loop that a level creates from the outermost map of a program."""
    result = Write((level, SEQ))(rise.parse(text).main)
    assert isinstance(result, Success)
    waiting: list[Expr] = [result.program]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, Primitive) and node.name in with_trait("loops"):
            return node.name
        waiting += node.children
    raise AssertionError("no loop")


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_maps_and_rows_run_on_the_same_units(level: Level) -> None:
    name, row = loop_made(level, MAP), loop_made(level, ROWS)
    assert name in with_trait("maps") and row in with_trait("rows")
    assert PRIMITIVES[name].runs_on == PRIMITIVES[row].runs_on


def test_every_kind_of_parallel_loop_has_a_level() -> None:
    assert {PRIMITIVES[loop_made(level, MAP)].runs_on for level in LEVELS} - {""} == {
        record.runs_on for record in PRIMITIVES.values() if record.runs_on
    }


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_threads_start_on_processors_grids_and_blocks(level: Level) -> None:
    assert level.starts_threads == (loop_made(level, MAP) in running_on("processor", "global", "block"))
    assert inside_loop((level, SEQ)) == ((SEQ,) if level.starts_threads else (level, SEQ))
    assert inside_loop((level,)) == (level,)
    assert below((level,)) == (level,)


@pytest.mark.parametrize(
    ("space", "rule"), [(LOCAL, toMemLocal), (SHARED, toMemShared), (GLOBAL, toMemGlobal)]
)
def test_a_level_stores_in_its_memory(space: Space, rule: object) -> None:
    assert memory((Level(mapToMapSeqUnroll, space=space),)) == rule
    assert space in {level.space for level in LEVELS}


def test_a_level_is_the_strategy_of_its_printed_name() -> None:
    assert str(block_level(1)) == "mapToMapBlock(1)"
    assert str(Write((block_level(1), SEQ))) == "write((mapToMapBlock(1), mapToMapSeq), False)"
    assert block_level(1) == block_level(1) != block_level(0)
    mixed = Level(where(lambda e: False) >> mapToMapSeqUnroll | SEQ.map_rule)
    assert loop_made(mixed, MAP) == "mapSeq"
    assert loop_made(Level(mapToMapSeqUnroll), MAP) == "mapSeqUnroll"
