"""The loops and memories of a kind of machine, from which an open program chooses. Independent of programs."""

from __future__ import annotations

from typing import Final

from rise.records import dataclass
from strategies.fireiron.specs import Block, Core, Unit
from strategies.spaces.open_programs.nests import LoopKind

GLOBAL, SHARED, REGISTERS, BOTH = "global", "shared", "registers", "shared and registers"
CACHE, CACHE_BY_COLUMNS = "cache", "cache by columns"
#: layouts of copies in shared memory: by rows or columns, with or without room for a number after each
ROWS, COLUMNS, PADDED_ROWS, PADDED_COLUMNS = "rows", "columns", "padded rows", "padded columns"
SUMS: Final = "memory of sums"


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The loops of a kind of machine: its outermost unit, the kinds of loops over axes of the result and over sums, by
    place, and the memories of operands with the layouts of copies that units share.
    """

    unit: Unit
    result: tuple[tuple[LoopKind, ...], ...]
    sums: tuple[tuple[LoopKind, ...], ...]
    memories: tuple[str, ...]
    layouts: tuple[str, ...] = ()


OF_GPU: Final = Hierarchy(
    Block,
    (
        (LoopKind.BLOCK, LoopKind.SEQUENTIAL),
        (LoopKind.WARP, LoopKind.THREAD, LoopKind.SEQUENTIAL),
        (LoopKind.LANE, LoopKind.SEQUENTIAL),
        (LoopKind.SEQUENTIAL, LoopKind.UNROLLED),
    ),
    ((LoopKind.SEQUENTIAL,), (LoopKind.SEQUENTIAL, LoopKind.UNROLLED)),
    (GLOBAL, SHARED, REGISTERS, BOTH),
    (ROWS, COLUMNS, PADDED_ROWS, PADDED_COLUMNS),
)
OF_PROCESSOR: Final = Hierarchy(
    Core,
    (
        (LoopKind.CORE, LoopKind.SEQUENTIAL),
        (LoopKind.SEQUENTIAL, LoopKind.UNROLLED),
        (LoopKind.SEQUENTIAL, LoopKind.UNROLLED, LoopKind.VECTOR),
    ),
    ((LoopKind.SEQUENTIAL,), (LoopKind.SEQUENTIAL, LoopKind.UNROLLED)),
    (GLOBAL, CACHE, CACHE_BY_COLUMNS),
)


def memory_of(operand: str) -> str:
    """The name of the decision about the memory of an operand."""
    return f"memory of {operand}"


def layout_of(operand: str) -> str:
    """The name of the decision about the layout of a copy that units share."""
    return f"layout of {operand}"
