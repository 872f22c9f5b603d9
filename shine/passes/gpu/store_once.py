"""Lets one thread execute stores that several threads would repeat. Independent of barriers and targets.

Every thread of a block runs the statements outside of loops over threads. This is correct for a thread's own variables
and memory, but a store to memory that other threads can access must be executed once. So it is put into a loop of one
iteration for each dimension of the block (for global memory, also of the grid) that no enclosing loop covers. Loops
that store to another element in each iteration, such as a copy of an array, are divided among the threads instead.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from rise.indices import disjoint
from rise.naturals import NatVar, const
from rise.records import dataclass
from shine.imperative.accesses import lanes_in
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
    Load,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.statements import names_of
from shine.imperative.walk import rebuilt, statements, values, with_body

SHARED_SPACES: Final = frozenset({"Shared", "Global"})
#: the levels of which only the first unit must run a statement
Missing: TypeAlias = tuple[Level, ...]
#: the indices of loops that threads divide among them, with the dimension of these threads
Division: TypeAlias = tuple[tuple[NatVar, Level], ...]


@dataclass(frozen=True, slots=True)
class Once:
    """A kernel's launch, and the names in use."""

    launch: Launch
    names: Names


def store_once(kernel: GpuKernel) -> GpuKernel:
    """The kernel in which no two threads repeat a store."""
    once = Once(kernel.launch, names_of(kernel.body))
    return replace(kernel, body=_block(once, kernel.body, frozenset(), together=True))


def _block(once: Once, block: Block, around: frozenset[Level], together: bool) -> Block:
    """The block inside loops over the levels `around`. If `together`, all threads of a block run it, so that they can
    wait for each other.
    """
    statements: list[Statement] = []
    for missing, group in groupby(block.statements, lambda statement: _missing(once, statement, around)):
        run = tuple(group)
        if not missing:
            statements += (_inside(once, statement, around, together) for statement in run)
            continue
        divisions = [(together and _division(missing, statement), statement) for statement in run]
        for divided, same in groupby(divisions, itemgetter(0)):
            if divided:
                statements += (_by_all(once, missing, divided, statement) for _, statement in same)
            else:
                statements.append(_by_first(once, missing, Block(tuple(statement for _, statement in same))))
    return rebuilt(block, statements)


def _inside(once: Once, statement: Statement, around: frozenset[Level], together: bool) -> Statement:
    """The statement, with the stores inside it executed once."""
    match statement:
        case For(kind=Level() as level, body=body):
            return with_body(
                statement, _block(once, body, around | {level}, together and level.name == "block")
            )
        case For(body=body):
            return with_body(statement, _block(once, body, around, together))
        case If(body=body):
            return with_body(statement, _block(once, body, around, together=False))
        case _:
            return statement


def _division(missing: Missing, statement: Statement) -> Division:
    """The loops of a nest whose iterations threads can run independently, with the dimension of threads for each, from
    the innermost loop outwards: each iteration stores to another element, and reads none of these.
    """
    levels = [level for level in missing if level.name == "threads"]
    nest: list[For] = []
    while isinstance(statement, For) and len(statement.body.statements) == 1:
        nest.append(statement)
        (statement,) = statement.body.statements
    if not nest or not isinstance(statement, Assign):
        return ()
    buffer, index, lanes = statement.buffer, statement.index, lanes_in(statement.value)
    reads = (part for part in values(statement.value) if isinstance(part, Load | Exchange))
    if any(isinstance(part, Exchange) or part.buffer.name == buffer.name for part in reads):
        return ()
    found: list[tuple[NatVar, Level]] = []
    for at, loop in reversed(list(enumerate(nest))):
        inner = [other.index for other in nest if other is not loop]
        if len(found) == len(levels) or any(loop.index in other.count.free for other in nest[at + 1 :]):
            break
        if loop.count != const(1) and disjoint(index, lanes, index, lanes, loop.index, inner):
            found.append((loop.index, levels[len(found)]))
    return tuple(found)


def _by_all(once: Once, missing: Missing, divided: Division, nest: Statement) -> Statement:
    """A nest of loops, some of which are divided among threads; the first unit of the other levels runs it."""

    def by_threads(statement: Statement) -> Statement:
        if not isinstance(statement, For):
            return statement
        (inner,) = statement.body.statements
        loop = with_body(statement, Block((by_threads(inner),)))
        return replace(loop, kind=dict(divided).get(statement.index, statement.kind))

    used = {level for _, level in divided}
    others = tuple(level for level in missing if level not in used)
    made = by_threads(nest)
    return _by_first(once, others, Block((made,))) if others else made


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
