"""The space of contractions of two tensors on CPUs: roles of operands, order of subscripts, method, tiles, threads."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from elevate import Strategy
from rise.hardware import Processor
from strategies.contractions import inPackedTiles
from strategies.costs.contractions import BLOCKS
from strategies.parts.contraction_phases import COLUMNS, METHODS, STEPS
from strategies.spaces.holes import choose, space

#: the method and the tiles that the model chooses
MODEL: Final = "model"
OWN: Final = "own"
#: strategies that are kept, since candidates that differ in later decisions share them
MAX_CANDIDATES: Final = 4096


@space
def contractions(machine: Processor) -> Strategy:
    """A contraction of two tensors: every phase of `strategies.parts.contraction_phases` has its choices.

    Programs that are no such contraction have no candidates.
    """
    method = choose("method", (MODEL, *METHODS))
    vectors = rows = height = depth = None
    if method != MODEL:
        vectors = choose("vectors", (1, 2, 4))
        fewest = range(1, machine.registers)
        rows = choose("rows", fewest, where=lambda rows: (rows + 1) * vectors < machine.registers)
    if method == BLOCKS:
        height = rows * choose("tiles", (2, 4, 8, 16, 32))
    if method == STEPS:
        depth = choose("depth", (64, 128, 256, 512))
    columns_of = choose("columns_of", (OWN, *COLUMNS))
    rows_turned = choose("rows_turned", (False, True))
    columns_turned = choose("columns_turned", (False, True))
    return _contraction(
        rows,
        None if vectors is None else vectors * machine.lanes,
        height,
        None if method == MODEL else method,
        machine,
        depth,
        None if columns_of == OWN else columns_of,
        rows_turned,
        columns_turned,
        choose("parallel", (True, False)),
    )


@lru_cache(maxsize=MAX_CANDIDATES)
def _contraction(
    rows: int | None,
    columns: int | None,
    height: int | None,
    method: str | None,
    machine: Processor,
    depth: int | None,
    columns_of: str | None,
    rows_turned: bool,
    columns_turned: bool,
    parallel: bool,
) -> Strategy:
    return inPackedTiles(
        rows, columns, height, method, machine, depth, columns_of, rows_turned, columns_turned, parallel
    )
