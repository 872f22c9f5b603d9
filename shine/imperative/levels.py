"""What stands where in a kernel: statements with the loops around them. Knows no launch and no target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

from shine.imperative.nodes import (
    Block,
    FillFragment,
    For,
    FragmentStatement,
    If,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Statement,
    StoreFragment,
)

#: the levels that spread over the whole grid
GRID: Final = frozenset({"block", "global"})


def statements(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements of a block, in order, each with the loops around it from the outside in."""
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(one, ()) for one in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        match statement:
            case For(body=body):
                waiting += [(one, (*loops, statement)) for one in reversed(body.statements)]
            case If(body=body):
                waiting += [(one, loops) for one in reversed(body.statements)]
            case _:
                pass


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
