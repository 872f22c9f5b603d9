"""Finds loops over levels and statements on fragments in kernels. Independent of launches and targets."""

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

#: the levels whose units are distributed over the grid
GRID: Final = frozenset({"block", "global"})


def level_of(loop: For) -> Level | None:
    """The level that a loop runs on, or None."""
    return loop.kind if isinstance(loop.kind, Level) else None


def level_loops(block: Block) -> Iterator[tuple[For, Level]]:
    """The loops over levels, in order."""
    for statement, _ in statements(block):
        if isinstance(statement, For) and isinstance(statement.kind, Level):
            yield statement, statement.kind


def works_on_fragments(statement: Statement) -> TypeGuard[FragmentStatement]:
    """Whether the lanes of a warp run a statement together."""
    return isinstance(statement, LoadFragment | StoreFragment | FillFragment | MultiplyAdd | MapFragment)


def spreads(statement: Statement) -> bool:
    """Whether a statement contains a loop over the grid."""
    return any(level.name in GRID for _, level in level_loops(Block((statement,))))
