"""Levels, the hardware units that run the iterations of a loop, as records.

Depends on the rules for each level, but not on programs.

A lowering strategy takes levels from the outside in. All differences between levels are in their records.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from elevate import Strategy
from elevate.strategy import CHOICE
from rise.records import dataclass
from rise.types import Space
from strategies.equations.rule import RuleFamily
from strategies.rules.dependent import (
    depMapToDepMapBlock,
    depMapToDepMapGlobal,
    depMapToDepMapLane,
    depMapToDepMapPar,
    depMapToDepMapSeq,
    depMapToDepMapThreads,
    depMapToDepMapWarp,
)
from strategies.rules.gpu import (
    mapToMapBlock,
    mapToMapGlobal,
    mapToMapLane,
    mapToMapThreads,
    mapToMapWarp,
)
from strategies.rules.lowering import mapToMapPar, mapToMapSeq
from strategies.rules.permutations import scatterAddToGlobal

LOCAL: Final = Space("Local")
SHARED: Final = Space("Shared")
GLOBAL: Final = Space("Global")


@dataclass(frozen=True, slots=True)
class Level(Strategy):
    """A level of a machine. As a strategy, it lowers a `map` to a loop on this level, and is printed as that rule.

    - `map_rule`: lowers a `map` to a loop on this level.
    - `row_rule`: the same for a `depMap`, over rows of different lengths.
    - `space`: the memory in which iterations of such a loop store arrays that others read.
    - `starts_threads`: whether its loops start threads, so that they must not be inside a sequential loop.
    - `sum_rule`: lowers a `scatterAdd` to a loop of atomic updates; None if only one thread may add.
    """

    map_rule: Strategy
    row_rule: Strategy = depMapToDepMapSeq
    space: Space = LOCAL
    starts_threads: bool = False
    sum_rule: Strategy | None = None

    def unfold(self) -> Strategy:
        return self.map_rule

    def show(self, binding: int = CHOICE) -> str:
        return self.map_rule.show(binding)


#: from the outside in; the last level is for all loops further inside
Levels: TypeAlias = tuple[Level, ...]

#: lower a map to a sequential loop
SEQ: Final = Level(mapToMapSeq)
#: lower a map to a loop on the threads of a processor
PAR: Final = Level(mapToMapPar, depMapToDepMapPar, starts_threads=True)


def global_level(dimension: int) -> Level:
    """The threads of a whole grid."""
    rules = _rules(mapToMapGlobal, depMapToDepMapGlobal, dimension)
    return Level(*rules, GLOBAL, starts_threads=True, sum_rule=scatterAddToGlobal(0))


def block_level(dimension: int) -> Level:
    """The blocks of a grid; arrays that they store are read by later kernels."""
    return Level(*_rules(mapToMapBlock, depMapToDepMapBlock, dimension), GLOBAL, starts_threads=True)


def thread_level(dimension: int) -> Level:
    """The threads of a block."""
    return Level(*_rules(mapToMapThreads, depMapToDepMapThreads, dimension), SHARED)


def warp_level(dimension: int) -> Level:
    """The warps of a block."""
    return Level(*_rules(mapToMapWarp, depMapToDepMapWarp, dimension), SHARED)


def lane_level(dimension: int) -> Level:
    """The lanes of a warp."""
    return Level(*_rules(mapToMapLane, depMapToDepMapLane, dimension), SHARED)


def _rules(maps: RuleFamily, rows: RuleFamily, dimension: int) -> tuple[Strategy, Strategy]:
    return maps(dimension), rows(dimension)
