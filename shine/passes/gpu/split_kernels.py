"""Splits a procedure into kernels: one for each loop over the grid, and single-block kernels for the rest.

Warps and threads in several dimensions are in different kernels, since a block has the threads of one of them.

Kernels run one after another, and each can read what earlier ones stored in global memory. So arrays that one kernel
writes and a later one reads are in global memory, whatever memory the program names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from rise.naturals import NatVar
from rise.records import dataclass
from rise.types import FragmentType
from shine.imperative.accesses import accesses
from shine.imperative.errors import fail
from shine.imperative.levels import GRID, level_of, spreads, works_on_fragments
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    Define,
    DefineIndex,
    For,
    Local,
    Procedure,
    Statement,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import all_values, statements


@dataclass(slots=True)
class Part:
    """The statements of one future kernel, by their positions in the procedure's body."""

    positions: list[int] = field(default_factory=list)
    spreads: bool = False
    has_warps: bool = False
    has_rows: bool = False


def split_kernels(procedure: Procedure) -> tuple[list[Block], tuple[Buffer, ...]]:
    """The bodies of the kernels, in order, and the buffers in global memory between them."""
    body = procedure.body.statements
    _refuse_loops_of_grids(procedure.body)
    parts: list[Part] = []
    for position, statement in enumerate(body):
        if name_of(statement):
            continue  # it is repeated in the kernels that use it
        is_spread, (has_warps, has_rows) = spreads(statement), _threads_of(statement)
        if (
            is_spread
            or not parts
            or parts[-1].spreads
            or (has_warps and parts[-1].has_rows)
            or (has_rows and parts[-1].has_warps)
        ):
            parts.append(Part(spreads=is_spread))
        parts[-1].positions.append(position)
        parts[-1].has_warps |= has_warps
        parts[-1].has_rows |= has_rows
    kernel_positions = [_with_definitions(part.positions, body) for part in parts]
    shared_buffers = _between([[body[at] for at in part] for part in kernel_positions], body)
    global_buffers = {buffer.name: replace(buffer, space="Global") for buffer in shared_buffers}

    def global_cell(cell: Cell) -> Cell:
        return replace(cell, buffer=global_buffers.get(cell.buffer.name, cell.buffer))

    bodies = []
    for positions in kernel_positions:
        candidates = [body[at] for at in positions]
        kernel_statements = [
            statement
            for statement in candidates
            if not (isinstance(statement, Allocate) and statement.buffer.name in global_buffers)
        ]
        bodies.append(rewrite_block(Block(tuple(kernel_statements)), Parts(cell=global_cell)))
    return bodies, tuple(global_buffers.values())


def _threads_of(statement: Statement) -> tuple[bool, bool]:
    """Whether a statement needs warps, and whether it needs threads in several dimensions."""
    inside = [one for one, _ in statements(Block((statement,)))]
    levels = [level for one in inside if isinstance(one, For) and (level := level_of(one)) is not None]
    has_warps = any(level.name in ("warp", "lane") for level in levels) or any(
        map(works_on_fragments, inside)
    )
    return has_warps, any(level.name == "threads" and level.dimension > 0 for level in levels)


def name_of(statement: Statement) -> str:
    """The name that a definition or an allocation introduces; "" for other statements."""
    match statement:
        case Define(local):
            return local.name
        case DefineIndex(name):
            return name.name
        case Allocate(buffer):
            return buffer.name
    return ""


def _refuse_loops_of_grids(body: Block) -> None:
    """Raise TranslationError if the whole grid would have to wait inside a loop."""
    for statement, loops in statements(body):
        if isinstance(statement, For) and (level := level_of(statement)) is not None and level.name in GRID:
            for loop in loops:
                if level_of(loop) is None:
                    title = "expected loops over blocks outside sequential loops, found one inside a sequential loop"
                    hint = "blocks cannot wait for each other in a kernel: put the sequential loop inside the map"
                    fail("levels", title, hint, loop.origin)


def _with_definitions(positions: list[int], body: Sequence[Statement]) -> list[int]:
    """The positions of a kernel's statements and of the earlier definitions that they use."""
    definition_at = {name: at for at, statement in enumerate(body) if (name := name_of(statement))}
    included = set(positions)
    waiting = sorted(_used([body[at] for at in positions]))
    while waiting:
        at = definition_at.get(waiting.pop())
        if at is None or at in included:
            continue
        included.add(at)
        _refuse_changed(body[at], body[at + 1 : min(positions)])
        waiting += sorted(_used([body[at]]))
    return sorted(included)


def _refuse_changed(definition: Statement, after: Sequence[Statement]) -> None:
    """Raise TranslationError if a source of a definition is overwritten before a later kernel would read it again."""
    if isinstance(definition, Allocate):
        return
    reads = {access.buffer.name for access in accesses(Block((definition,)))}
    written = {access.buffer.name for access in accesses(Block(tuple(after))) if access.is_store}
    if reads & written:
        title = f"expected {name_of(definition)} unchanged for a later kernel, found that what it reads is overwritten"
        fail("between-kernels", title, "store it with toMem(Global)", definition.origin)


def _used(body: Iterable[Statement]) -> set[str]:
    """The names of buffers, variables and indices that statements use."""
    block = Block(tuple(body))
    names = {access.buffer.name for access in accesses(block)}

    def natural(a: object) -> object:
        names.update(v.name for v in a.free if isinstance(v, NatVar))  # type: ignore[attr-defined]  # a Nat
        return a

    rewrite_block(block, Parts(natural=natural))  # type: ignore[arg-type]  # its result has its argument's type
    names.update(part.name for part in all_values(block) if isinstance(part, Local))
    return names


def _between(kernels: list[list[Statement]], body: Sequence[Statement]) -> list[Buffer]:
    """The buffers that more than one kernel touches, or that the program puts in global memory."""
    buffers: list[Buffer] = []
    for statement in body:
        if not isinstance(statement, Allocate):
            continue
        buffer = statement.buffer
        users = sum(statement in kernel for kernel in kernels)
        if users > 1 and (buffer.space == "Shared" or isinstance(buffer.element, FragmentType)):
            subject = "an array in shared memory" if buffer.space == "Shared" else "a fragment"
            title = f"expected {subject} to be used by one kernel, found {buffer.name} in {users}"
            fail("between-kernels", title, "store it with toMem(Global)", statement.origin)
        if users > 1 or (users and buffer.space == "Global"):
            buffers.append(buffer)
    return buffers
