"""Cut a procedure into kernels: what runs on the whole grid is one, what stands between is one for a single block.

Kernels run one after the other, and each sees what those before it stored in global memory. So what one kernel writes
and a later one reads lies there, whatever memory the program names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rise.naturals import NatVar
from rise.types import FragmentType
from shine.imperative.accesses import accesses
from shine.imperative.errors import fail
from shine.imperative.levels import GRID, level_of, spreads
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
from shine.imperative.walk import statements, value_of, values


@dataclass(slots=True)
class Part:
    """The statements of one kernel to be: those at the positions of the procedure's body."""

    positions: list[int] = field(default_factory=list)
    spreads: bool = False


def split_kernels(procedure: Procedure) -> tuple[list[Block], tuple[Buffer, ...]]:
    """The bodies of the kernels, in order, and the buffers in global memory between them."""
    body = procedure.body.statements
    _refuse_loops_of_grids(procedure.body)
    parts: list[Part] = []
    for position, statement in enumerate(body):
        if name_of(statement):
            continue  # it goes where it is used
        alone = spreads(statement)
        if alone or not parts or parts[-1].spreads:
            parts.append(Part(spreads=alone))
        parts[-1].positions.append(position)
    kept = [_with_definitions(part.positions, body) for part in parts]
    between = _between([[body[at] for at in part] for part in kept], body)
    moved = {buffer.name: replace(buffer, space="Global") for buffer in between}

    def global_cell(cell: Cell) -> Cell:
        return replace(cell, buffer=moved.get(cell.buffer.name, cell.buffer))

    bodies = []
    for positions in kept:
        statements_of = [body[at] for at in positions]
        inside = [
            one for one in statements_of if not (isinstance(one, Allocate) and one.buffer.name in moved)
        ]
        bodies.append(rewrite_block(Block(tuple(inside)), Parts(cell=global_cell)))
    return bodies, tuple(moved.values())


def name_of(statement: Statement) -> str:
    """What a definition or an allocation names; nothing for other statements."""
    match statement:
        case Define(local):
            return local.name
        case DefineIndex(name):
            return name.name
        case Allocate(buffer):
            return buffer.name
    return ""


def _refuse_loops_of_grids(body: Block) -> None:
    """Raise a diagnostic where the whole grid would have to wait inside of a loop."""
    for statement, loops in statements(body):
        if isinstance(statement, For) and (level := level_of(statement)) is not None and level.name in GRID:
            for loop in loops:
                if level_of(loop) is None:
                    title = "expected loops over blocks outside of sequential ones, found them inside of one"
                    hint = "blocks cannot wait for each other in a kernel: put the sequential loop inside of the map"
                    fail("levels", title, hint, loop.origin)


def _with_definitions(positions: list[int], body: Sequence[Statement]) -> list[int]:
    """The positions of a kernel's statements, with those before where names are defined that it uses."""
    named = {name: at for at, one in enumerate(body) if (name := name_of(one))}
    kept = set(positions)
    waiting = sorted(_used([body[at] for at in positions]))
    while waiting:
        at = named.get(waiting.pop())
        if at is None or at in kept:
            continue
        kept.add(at)
        _refuse_changed(body[at], body[at + 1 : min(positions)])
        waiting += sorted(_used([body[at]]))
    return sorted(kept)


def _refuse_changed(definition: Statement, after: Sequence[Statement]) -> None:
    """Raise a diagnostic where what a definition reads is overwritten before a later kernel would read it again."""
    if isinstance(definition, Allocate):
        return
    reads = {access.buffer.name for access in accesses(Block((definition,)))}
    written = {access.buffer.name for access in accesses(Block(tuple(after))) if access.is_store}
    if reads & written:
        title = f"expected {name_of(definition)} to be kept for a later kernel, found that what it reads is overwritten"
        fail("between-kernels", title, "store it with toMem(Global)", definition.origin)


def _used(body: Iterable[Statement]) -> set[str]:
    """The names of buffers, variables and indices that statements use."""
    block = Block(tuple(body))
    found = {access.buffer.name for access in accesses(block)}

    def natural(a: object) -> object:
        found.update(one.name for one in a.free if isinstance(one, NatVar))  # type: ignore[attr-defined]  # a Nat
        return a

    rewrite_block(block, Parts(natural=natural))  # type: ignore[arg-type]  # it gives what it takes
    for statement, _ in statements(block):
        value = value_of(statement)
        found.update(() if value is None else (one.name for one in values(value) if isinstance(one, Local)))
    return found


def _between(kernels: list[list[Statement]], body: Sequence[Statement]) -> list[Buffer]:
    """The buffers that more than one kernel touches, or that the program puts in global memory."""
    found: list[Buffer] = []
    for statement in body:
        if not isinstance(statement, Allocate):
            continue
        buffer = statement.buffer
        users = sum(statement in kernel for kernel in kernels)
        if users > 1 and (buffer.space == "Shared" or isinstance(buffer.element, FragmentType)):
            what = "an array in shared memory" if buffer.space == "Shared" else "a fragment"
            title = f"expected {what} to be used by one kernel, found {buffer.name} in {users}"
            fail("between-kernels", title, "store it with toMem(Global)", statement.origin)
        if users > 1 or (users and buffer.space == "Global"):
            found.append(buffer)
    return found
