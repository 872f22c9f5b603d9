"""Computes a value directly in the variable that it is copied to. Independent of targets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from rise.naturals import nat
from shine.imperative.axes import accesses
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Exchange,
    For,
    If,
    Load,
    Procedure,
    Statement,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import all_values


def join_temporaries(procedure: Procedure) -> Procedure:
    """The procedure without temporaries that are only copied into another temporary of the same known length, such as
    `y = x`, while nothing reads or writes that; it replaces them.
    """
    return replace(procedure, body=_joined(procedure.body, set(), arrays=True))


def join_registers(kernel: GpuKernel) -> GpuKernel:
    """Like `join_temporaries`, for the numbers of a thread."""
    return replace(kernel, body=_joined(kernel.body, set(), arrays=False))


def _joined(block: Block, visible: set[Buffer], arrays: bool) -> Block:
    """A block with its temporaries joined, arrays only with `arrays`; `visible` are the temporaries of the same thread
    that are visible in it.
    """
    statements, here = _joined_here(block.statements, visible, arrays)
    found: list[Statement] = []
    for statement in statements:
        match statement:
            case Allocate(buffer) if buffer in here:
                visible.add(buffer)
                found.append(statement)
            case For(kind="parallel" | "simd", body=body):
                found.append(replace(statement, body=_joined(body, set(), arrays)))
            case For(body=body) | If(body=body):
                found.append(replace(statement, body=_joined(body, visible, arrays)))
            case _:
                found.append(statement)
    visible -= here
    return Block(tuple(found))


def _joined_here(
    statements: Sequence[Statement], visible: AbstractSet[Buffer], arrays: bool
) -> tuple[list[Statement], set[Buffer]]:
    """The statements of a block without those of its own temporaries that can be joined, and the temporaries that
    remain and were not visible before.
    """
    uses = _Uses(statements)
    here: set[Buffer] = set()
    targets: dict[Buffer, Buffer] = {}
    replaced: dict[int, dict[Buffer, Buffer]] = {}
    omitted: set[int] = set()
    for at, statement in enumerate(statements):
        if not isinstance(statement, Allocate) or not _is_joined(statement.buffer, arrays):
            continue
        temporary = statement.buffer
        copies = (
            (end, targets.get(target, target)) for end, target in uses.copies.get(temporary, ()) if end > at
        )
        end, target = next((one for one in copies if one[1] in visible or one[1] in here), (at, temporary))
        if (
            temporary != target
            and (temporary.element, temporary.size) == (target.element, target.size)
            and uses.can_join(temporary, at, end, target)
        ):
            for one in uses.join(temporary, at, end, target):
                replaced.setdefault(one, {})[temporary] = target
            targets[temporary] = target
            omitted |= {at, end}
        elif temporary not in visible:
            here.add(temporary)
    kept = (
        _replaced(statement, replaced[at]) if at in replaced else statement
        for at, statement in enumerate(statements)
        if at not in omitted
    )
    return list(kept), here


class _Uses:
    """The positions in a block at which each temporary is used, in order."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.copies: dict[Buffer, list[tuple[int, Buffer]]] = {}
        self._used: dict[Buffer, list[int]] = {}
        self._sent: dict[Buffer, list[int]] = {}
        for at, statement in enumerate(statements):
            copied = _copied(statement)
            if copied is not None:
                source, target = copied
                self.copies.setdefault(source, []).append((at, target))
            alone = Block((statement,))
            for buffer in {buffer for buffer, _ in accesses(alone)}:
                self._used.setdefault(buffer, []).append(at)
            for buffer in _sent(alone):
                self._sent.setdefault(buffer, []).append(at)

    def can_join(self, temporary: Buffer, at: int, end: int, target: Buffer) -> bool:
        """Whether a temporary, which is allocated at a position and copied into a target at `end`, is not used after
        that, the target is not used before it, and no other thread reads the temporary.
        """
        is_target_free = not _between(self._used.get(target, []), at, end)
        is_sent = _between(self._sent.get(temporary, []), at, end)
        return is_target_free and self._used[temporary][-1] == end and not is_sent

    def join(self, temporary: Buffer, at: int, end: int, target: Buffer) -> Sequence[int]:
        """Replace a temporary by the target. Returns the positions at which it was used, except the copy."""
        used = _between(self._used[temporary], at, end)
        of_target = self._used[target]
        place = bisect_left(of_target, end)
        of_target[place : place + 1] = used
        return used


def _between(positions: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Those of some positions, which are in order, that are between two others."""
    return positions[bisect_right(positions, start) : bisect_left(positions, end)]


def _is_joined(buffer: Buffer, arrays: bool) -> bool:
    """Whether this is a temporary of one number or, with `arrays`, of a known number of numbers."""
    length = buffer.size.constant
    return buffer.space == "Local" and (length == 1 or (arrays and length is not None))


def _copied(statement: Statement) -> tuple[Buffer, Buffer] | None:
    """The source and the target of a copy of a whole temporary, if this is one."""
    match statement:
        case Assign(buffer=target, value=Load(source, _, 1)) if (
            source.size.constant == target.size.constant == 1
        ):
            return source, target
        case For(turn, count, "seq" | "simd", Block((Assign(target, at, Load(source, place, 1)),))):
            if at == place == nat(turn) and source.size == target.size == count:
                return source, target
    return None


def _sent(block: Block) -> set[Buffer]:
    """The temporaries that other threads read."""
    return {part.buffer for part in all_values(block) if isinstance(part, Exchange)}


def _replaced(statement: Statement, targets: Mapping[Buffer, Buffer]) -> Statement:
    """A statement with some temporaries replaced by others."""

    def moved(cell: Cell) -> Cell:
        target = targets.get(cell.buffer)
        return cell if target is None else replace(cell, buffer=target)

    (found,) = rewrite_block(Block((statement,)), Parts(cell=moved)).statements
    return found
