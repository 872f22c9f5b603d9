"""Lets a number that is copied into a variable at its end be computed in that variable. Knows no target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
from shine.imperative.walk import everything, value_of, values


def join_temporaries(procedure: Procedure) -> Procedure:
    """The procedure without temporaries of one number whose only use is to be copied into another one, `y = x`, while
    nothing reads or writes that one: it is used in their place.
    """
    return replace(procedure, body=_joined(procedure.body, frozenset()))


def join_registers(kernel: GpuKernel) -> GpuKernel:
    """The same for the numbers of a thread."""
    return replace(kernel, body=_joined(kernel.body, frozenset()))


def _joined(block: Block, visible: frozenset[Buffer]) -> Block:
    """A block inside of which these temporaries of the same thread are visible."""
    statements = list(block.statements)
    at = 0
    while at < len(statements):
        match statements[at]:
            case Allocate(buffer) if _is_number(buffer):
                end = _copy(statements, at, visible)
                if end is None:
                    visible |= {buffer}
                else:
                    copy = statements[end]
                    assert isinstance(copy, Assign), copy
                    inside = _replaced(statements[at + 1 : end], buffer, copy.buffer)
                    statements[at : end + 1] = inside
                    continue
            case For(kind="parallel" | "simd", body=body) as loop:
                statements[at] = replace(loop, body=_joined(body, frozenset()))
            case For(body=body) | If(body=body) as outer:
                statements[at] = replace(outer, body=_joined(body, visible))
            case _:
                pass
        at += 1
    return Block(tuple(statements))


def _is_number(buffer: Buffer) -> bool:
    return buffer.space == "Local" and buffer.size.constant == 1


def _copy(statements: Sequence[Statement], at: int, visible: frozenset[Buffer]) -> int | None:
    """Where the temporary that is allocated here is copied into a visible one, which could be used in its place."""
    allocation = statements[at]
    assert isinstance(allocation, Allocate), allocation
    temporary = allocation.buffer
    for end in range(at + 1, len(statements)):
        match statements[end]:
            case Assign(buffer=target, value=Load(source, _, 1)) if source == temporary and target in visible:
                used = set(map(_buffer, accesses(Block(tuple(statements[at + 1 : end])))))
                later = set(map(_buffer, accesses(Block(tuple(statements[end + 1 :])))))
                is_free = target not in used and temporary not in later and temporary != target
                is_alike = target.element == temporary.element
                is_sent = _is_sent(temporary, statements[at + 1 : end])
                return end if is_free and is_alike and not is_sent else None
            case _:
                pass
    return None


def _buffer(access: tuple[Buffer, object]) -> Buffer:
    return access[0]


def _is_sent(buffer: Buffer, statements: Sequence[Statement]) -> bool:
    """Whether other threads read a temporary."""
    found = (value_of(statement) for statement, _ in everything(Block(tuple(statements))))
    return any(
        isinstance(part, Exchange) and part.buffer == buffer
        for value in found
        if value is not None
        for part in values(value)
    )


def _replaced(statements: Sequence[Statement], buffer: Buffer, target: Buffer) -> list[Statement]:
    """The statements with another temporary in the place of one."""

    def moved(cell: Cell) -> Cell:
        return replace(cell, buffer=target) if cell.buffer == buffer else cell

    return list(rewrite_block(Block(tuple(statements)), Parts(cell=moved)).statements)
