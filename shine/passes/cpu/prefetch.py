"""Memory that loops will need is asked for ahead. Knows no target; what is computed stays.

Three places are slow where processors do not see what comes next: the rows of a result that a tile in registers will be
written to, far apart from each other; the rows that the next tile reads, of which the first products wait; and a panel
of columns that is copied, whose rows lie on pages of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import floor_quotient, linear_in, substitute_naturals
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    For,
    If,
    Load,
    Origin,
    Prefetch,
    Procedure,
    Statement,
)
from shine.imperative.walk import loads, statements

LINE: Final = 64  # bytes that memory gives at once
LARGEST_TILE: Final = 4096  # bytes that registers may hold
LONG: Final = 64  # turns of a sum for which there is time to ask for memory
AHEAD: Final = 8  # rows, in a copy
FAR: Final = 1024  # bytes between rows that processors do not see coming


def prefetch(procedure: Procedure) -> Procedure:
    """The procedure with prefetches."""
    return replace(procedure, body=_block(procedure.body))


def _block(block: Block) -> Block:
    return Block(tuple(_ahead(one) for one in block.statements))


def _ahead(statement: Statement) -> Statement:
    match statement:
        case For(body=Block((For() as inner,))) if found := list(_of_copy(statement, inner)):
            return replace(statement, body=Block((*found, inner)))
        case For(kind="seq", body=body):
            return replace(statement, body=_tile(statement.index, body) or _block(body))
        case For(body=body) | If(body=body):
            return replace(statement, body=_block(body))
        case _:
            return statement


def _tile(turn: NatVar, block: Block) -> Block | None:
    """The body of a loop over tiles: sums in registers that are then stored. None for any other body."""
    kept = {
        one.buffer
        for one in block.statements
        if isinstance(one, Allocate)
        and _bytes(one.buffer) * (one.buffer.size.constant or LARGEST_TILE) <= LARGEST_TILE
    }
    if not kept:
        return None
    for at, sums in enumerate(block.statements):
        match sums:
            case For(index=k, count=count, kind="seq", body=body) if (
                count.constant is None or count.constant >= LONG
            ):
                pass
            case _:
                continue
        results = block.statements[at + 1 :]
        stored = list(_stored(sums.body))
        if not results or not stored or not all(one.buffer in kept and _is_sum(one) for one in stored):
            continue
        before = [line for one in results for line in _of_stores(one, kept)]
        lines = [one for statement in body.statements for one in _of_rows(statement, k, turn)]
        if before or lines:
            per_line = LINE // _bytes(stored[0].buffer)
            place = nat(k) - floor_quotient(nat(k), per_line) * per_line
            asked = [If(Condition(((place, const(1)),)), Block(tuple(lines)), sums.origin)] if lines else []
            inside = replace(sums, body=Block((*asked, *body.statements)))
            return Block((*block.statements[:at], *before, inside, *results))
    return None


def _of_stores(statement: Statement, kept: set[Buffer]) -> Iterator[Statement]:
    """Ask for the memory that a nest of loops stores numbers of these buffers in."""
    match statement:
        case For(index, count, _, Block((Assign() as stored,)), origin) if _is_whole(count):
            if stored.buffer.space == "Global" and any(one.buffer in kept for one in loads(stored.value)):
                yield from _by_lines(index, count, stored.buffer, stored.index, True, origin)
        case For(body=Block((For() as inner,))) if _is_whole(statement.count):
            for one in _of_stores(inner, kept):
                yield replace(statement, body=Block((one,)))
        case _:
            pass


def _of_rows(statement: Statement, k: NatVar, turn: NatVar) -> Iterator[Statement]:
    """Ask for what the next turn of the tiles reads one by one, as the sum goes on."""
    match statement:
        case For(index, count, _, Block((For(index=lane, body=Block((Assign(value=value),))),)), origin):
            if not _is_whole(count):
                return
            for load in loads(value):
                places = [linear_in(load.index, one) for one in (k, turn, lane)]
                if load.buffer.space != "Global" or load.lanes != 1 or None in places:
                    continue
                along, down, across = (one[0].constant if one else None for one in places)
                if along == 1 and down != 0 and across == 0:
                    following = substitute_naturals(load.index, {turn: nat(turn) + 1})
                    body = Block((Prefetch(load.buffer, following, False, origin),))
                    yield For(index, count, "unroll", body, origin)
        case _:
            pass


def _of_copy(outer: For, inner: For) -> Iterator[Statement]:
    """Ask for the row some turns ahead, where rows are copied that lie far apart."""
    match inner:
        case For(index, count, _, Block((Assign(value=Load(buffer, at, 1)),)), origin) if _is_whole(count):
            along, down = linear_in(at, index), linear_in(at, outer.index)
            if outer.kind != "seq" or buffer.space != "Global" or along is None or down is None:
                return
            if along[0].constant == 1 and _is_far(down[0], buffer):
                following = substitute_naturals(at, {outer.index: nat(outer.index) + AHEAD})
                yield from _by_lines(index, count, buffer, following, False, origin)
        case _:
            pass


def _by_lines(
    index: NatVar, count: Nat, buffer: Buffer, at: Nat, stores: bool, origin: Origin
) -> Iterator[Statement]:
    """Ask for a run of numbers, a line of memory at a time."""
    slope = linear_in(at, index)
    per_line, numbers = LINE // _bytes(buffer), count.constant
    if slope is None or slope[0].constant != 1 or numbers is None or numbers % per_line:
        return
    line = NatVar(index.name, const(numbers // per_line))
    at = substitute_naturals(at, {index: nat(line) * per_line})
    body = Block((Prefetch(buffer, at, stores, origin),))
    yield For(line, const(numbers // per_line), "unroll", body, origin)


def _is_whole(count: Nat) -> bool:
    """Whether a loop's turns are known and few."""
    return count.constant is not None and 0 < count.constant <= LARGEST_TILE


def _is_far(step: Nat, buffer: Buffer) -> bool:
    """Whether a loop goes through memory in large steps."""
    return step.constant is None or abs(step.constant) * _bytes(buffer) >= FAR


def _bytes(buffer: Buffer) -> int:
    """How many bytes a number takes; a lot, where elements are no numbers."""
    return SCALARS[buffer.element.name].bits // 8 if isinstance(buffer.element, ScalarType) else LARGEST_TILE


def _stored(block: Block) -> Iterator[Assign]:
    """What is stored in a block; all of it."""
    return (one for one, _ in statements(block) if isinstance(one, Assign))


def _is_sum(one: Assign) -> bool:
    """Whether what is stored is made of what was stored there."""
    return any(load.buffer is one.buffer for load in loads(one.value))
