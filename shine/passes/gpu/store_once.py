"""Lets one thread execute stores that several threads would repeat. Independent of barriers and targets.

Every thread of a block runs the statements outside of loops over threads. This is correct for a thread's own variables
and memory, but a store to memory that other threads can access must be executed once. So it is put into a loop of one
iteration for each dimension of the block (for global memory, also of the grid) that no enclosing loop covers.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Final, TypeAlias

from rise.naturals import NatVar, const
from rise.records import dataclass
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.names import Names
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Define,
    DefineIndex,
    Exchange,
    For,
    If,
    Level,
    LevelName,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.statements import names_of
from shine.imperative.walk import rebuilt, statements, values, with_body

SHARED_SPACES: Final = frozenset({"Shared", "Global"})
#: the levels of which only the first unit must run a statement
Missing: TypeAlias = tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Once:
    """A kernel's launch, and the names in use."""

    launch: Launch
    names: Names


def store_once(kernel: GpuKernel) -> GpuKernel:
    """The kernel in which no two threads repeat a store."""
    once = Once(kernel.launch, names_of(kernel.body))
    return replace(kernel, body=_block(once, kernel.body, frozenset()))


def _block(once: Once, block: Block, around: frozenset[Level]) -> Block:
    """The block inside loops over the levels `around`."""
    statements: list[Statement] = []
    for missing, group in groupby(block.statements, lambda statement: _missing(once, statement, around)):
        run = tuple(group)
        if missing:
            statements.append(_by_first(once, missing, Block(run)))
        else:
            statements += (_inside(once, statement, around) for statement in run)
    return rebuilt(block, statements)


def _inside(once: Once, statement: Statement, around: frozenset[Level]) -> Statement:
    """The statement, with the stores inside it executed once."""
    match statement:
        case For(kind=Level() as level, body=body):
            return with_body(statement, _block(once, body, around | {level}))
        case For(body=body) | If(body=body):
            return with_body(statement, _block(once, body, around))
        case _:
            return statement


def _missing(once: Once, statement: Statement, around: frozenset[Level]) -> Missing:
    """The levels over which a statement is repeated, if it only stores; otherwise none."""
    missing: dict[Missing, None] = {}
    own_buffers: set[str] = set()
    for inner, _ in statements(Block((statement,))):
        match inner:
            case Assign(buffer=buffer) | AtomicUpdate(buffer=buffer) if buffer.space in SHARED_SPACES:
                missing[repeated_over(once.launch, around, buffer.space)] = None
            case Assign(buffer=buffer) | AtomicUpdate(buffer=buffer) if buffer.name in own_buffers:
                pass
            case StoreFragment(target=matrix):
                missing[repeated_over(once.launch, around, matrix.buffer.space, by_warps=True)] = None
            case For(kind=kind) if not isinstance(kind, Level):
                pass
            case If():
                pass
            case Allocate(buffer):
                own_buffers.add(buffer.name)
            case Define(_, value) | DefineIndex(_, value) if not _has_exchange(value):
                pass
            case _:
                return ()
    return next(iter(missing)) if len(missing) == 1 else ()


def _has_exchange(value: Value) -> bool:
    """Whether all lanes participate in computing a value."""
    return any(isinstance(part, Exchange) for part in values(value))


def repeated_over(launch: Launch, around: frozenset[Level], space: str, by_warps: bool = False) -> Missing:
    """The levels of which several units repeat a store inside loops over other levels, if they share the memory: the
    threads of a block, or its warps for cooperative stores; and the blocks of the grid for global memory.
    """
    missing = [
        Level("block", d)
        for d in range(3)
        if space == "Global" and launch.grid[d].constant != 1 and around.isdisjoint(_along(d, "block"))
    ]
    if launch.warps is None:
        missing += [
            Level("threads", d)
            for d in range(3)
            if launch.block[d] > 1 and around.isdisjoint(_along(d, "threads"))
        ]
    elif around.isdisjoint(_along(0, "threads")):
        warps = [d for d in range(3) if launch.warps[d] > 1 and Level("warp", d) not in around]
        if by_warps or any(level.name in ("warp", "lane") for level in around):
            missing += [Level("warp", d) for d in warps]
            lanes = [d for d in range(3) if launch.lanes[d] > 1 and not by_warps]
            missing += [Level("lane", d) for d in lanes if Level("lane", d) not in around]
        else:
            missing.append(Level("threads", 0))
    return tuple(missing)


def _along(dimension: int, name: LevelName) -> frozenset[Level]:
    """A level, and the level of the whole grid, along a dimension."""
    return frozenset({Level(name, dimension), Level("global", dimension)})


def _by_first(once: Once, missing: Missing, body: Block) -> For:
    """The body, run by the first unit of each level."""
    origin = body.statements[0].origin
    for level in reversed(missing):
        index = NatVar(once.names.fresh("once"), const(1))
        body = Block((For(index, const(1), level, body, origin),))
    (loop,) = body.statements
    assert isinstance(loop, For)
    return loop
