"""What stands where in a kernel: statements with the loops around them. Knows no launch and no target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

from shine.imperative.nodes import (
    Block,
    FillFragment,
    For,
    FragmentStatement,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Statement,
    StoreFragment,
)
from shine.imperative.walk import statements

#: the levels that spread over the whole grid
GRID: Final = frozenset({"block", "global"})


def level_of(loop: For) -> Level | None:
    """The level that a loop runs on; None for sequential ones."""
    return loop.kind if isinstance(loop.kind, Level) else None


def level_loops(block: Block) -> Iterator[tuple[For, Level]]:
    """The loops over levels, in order."""
    for statement, _ in statements(block):
        if isinstance(statement, For) and isinstance(statement.kind, Level):
            yield statement, statement.kind


def works_on_fragments(statement: Statement) -> TypeGuard[FragmentStatement]:
    """Whether the lanes of a warp do a statement together."""
    return isinstance(statement, LoadFragment | StoreFragment | FillFragment | MultiplyAdd | MapFragment)


def spreads(statement: Statement) -> bool:
    """Whether a statement runs on the whole grid."""
    return any(level.name in GRID for _, level in level_loops(Block((statement,))))
