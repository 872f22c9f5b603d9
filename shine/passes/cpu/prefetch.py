"""Inserts prefetches of memory that loops will need. Independent of targets; does not change the computation.

Processors do not predict three access patterns: the rows of a result, far apart, to which a tile in registers will be
written; the rows that the next tile reads, for which its first products wait; and a panel of columns that is copied,
whose rows are on different pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from rise.hardware import DEFAULT, Processor
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import floor_quotient, linear_in
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
    omission,
)
from shine.imperative.walk import loads, map_outermost, statements

MORE_THAN_A_TILE: Final = 1 << 20  # bytes: more than any tile in registers
MAX_COUNT: Final = 4096  # iterations of a loop over a row of a tile
MIN_SUM_ITERATIONS: Final = 64  # of a sum that is long enough to hide prefetches
COPY_DISTANCE: Final = 8  # rows between a copied row and the prefetched one
MIN_ROW_STRIDE: Final = 1024  # bytes between rows that processors do not predict


def prefetch(procedure: Procedure, machine: Processor = DEFAULT) -> Procedure:
    """The procedure with the prefetches that the processor's record asks for, by cache lines of its length."""
    return replace(procedure, body=map_outermost(procedure.body, partial(_with_prefetches, machine)))


def _with_prefetches(machine: Processor, statement: Statement) -> tuple[Statement] | None:
    """A loop over copies or tiles with prefetches; None for other statements."""
    if isinstance(statement, For) and statement.allowed:
        wanted = frozenset(kind for kind in machine.prefetches if omission(kind) not in statement.allowed)
        machine = replace(machine, prefetches=wanted)
    match statement:
        case For(body=Block((For() as inner,))) if prefetches := list(_of_copy(statement, inner, machine)):
            return (replace(statement, body=Block((*prefetches, inner))),)
        case For(kind="seq", body=body) if (tile := _tile(statement.index, body, machine)) is not None:
            return (replace(statement, body=tile),)
        case _:
            return None


def _register_bytes(machine: Processor) -> int:
    """The bytes of a tile that may be in registers: twice those of all registers, as compilers keep parts of a tile."""
    return 2 * machine.registers * max(machine.vector_bits, SCALARS["f64"].bits) // 8


def _tile(turn: NatVar, block: Block, machine: Processor) -> Block | None:
    """The body of a loop over tiles, with prefetches: sums in registers that are then stored. None for other bodies."""
    most = _register_bytes(machine)
    tiles = {
        statement.buffer
        for statement in block.statements
        if isinstance(statement, Allocate)
        and _bytes(statement.buffer) * (statement.buffer.size.constant or most + 1) <= most
    }
    if not tiles:
        return None
    for at, sums in enumerate(block.statements):
        match sums:
            case For(index=k, count=count, kind="seq", body=body) if (
                count.constant is None or count.constant >= MIN_SUM_ITERATIONS
            ):
                pass
            case _:
                continue
        results = block.statements[at + 1 :]
        stored = list(_stored(sums.body))
        if not results or not stored or not all(store.buffer in tiles and _is_sum(store) for store in stored):
            continue
        before = [
            line
            for result in results
            if "results" in machine.prefetches
            for line in _of_stores(result, tiles, machine)
        ]
        lines = [
            line
            for statement in body.statements
            if "rows" in machine.prefetches
            for line in _of_rows(statement, k, turn)
        ]
        if before or lines:
            per_line = machine.line // _bytes(stored[0].buffer)
            position = nat(k) - floor_quotient(nat(k), per_line) * per_line
            prefetches = (
                [If(Condition(((position, const(1)),)), Block(tuple(lines)), sums.origin)] if lines else []
            )
            new_sums = replace(sums, body=Block((*prefetches, *body.statements)))
            return Block((*block.statements[:at], *before, new_sums, *results))
    return None


def _of_stores(statement: Statement, tiles: set[Buffer], machine: Processor) -> Iterator[Statement]:
    """Prefetch the memory to which a nest of loops stores numbers of the tiles."""
    match statement:
        case For(index, count, _, Block((Assign() as stored,)), origin) if _is_whole(count):
            if stored.buffer.space == "Global" and any(load.buffer in tiles for load in loads(stored.value)):
                yield from _by_lines(index, count, stored.buffer, stored.index, True, origin, machine)
        case For(body=Block((For() as inner,))) if _is_whole(statement.count):
            for prefetch_statement in _of_stores(inner, tiles, machine):
                yield replace(statement, body=Block((prefetch_statement,)))
        case _:
            pass


def _of_rows(statement: Statement, k: NatVar, turn: NatVar) -> Iterator[Statement]:
    """Prefetch the numbers that the sum reads one by one in the next iteration of the loop over tiles."""
    match statement:
        case For(index, count, _, Block((For(index=lane, body=Block((Assign(value=value),))),)), origin):
            if not _is_whole(count):
                return
            for load in loads(value):
                slopes = [linear_in(load.index, variable) for variable in (k, turn, lane)]
                if load.buffer.space != "Global" or load.lanes != 1 or None in slopes:
                    continue
                along, down, across = (slope[0].constant if slope else None for slope in slopes)
                if along == 1 and down != 0 and across == 0:
                    following = substitute_naturals(load.index, {turn: nat(turn) + 1})
                    body = Block((Prefetch(load.buffer, following, False, origin),))
                    yield For(index, count, "unroll", body, origin)
        case _:
            pass


def _of_copy(outer: For, inner: For, machine: Processor) -> Iterator[Statement]:
    """Prefetch the row some iterations ahead, in copies of rows that are far apart."""
    match inner:
        case For(index, count, _, Block((Assign(value=Load(buffer, at, 1)),)), origin) if _is_whole(count):
            along, down = linear_in(at, index), linear_in(at, outer.index)
            if (
                "copies" not in machine.prefetches
                or outer.kind != "seq"
                or buffer.space != "Global"
                or along is None
                or down is None
            ):
                return
            if along[0].constant == 1 and _is_far(down[0], buffer):
                following = substitute_naturals(at, {outer.index: nat(outer.index) + COPY_DISTANCE})
                yield from _by_lines(index, count, buffer, following, False, origin, machine)
        case _:
            pass


def _by_lines(
    index: NatVar,
    count: Nat,
    buffer: Buffer,
    at: Nat,
    stores: bool,
    origin: Origin,
    machine: Processor,
) -> Iterator[Statement]:
    """Prefetch a run of numbers, one cache line at a time."""
    slope = linear_in(at, index)
    per_line, numbers = machine.line // _bytes(buffer), count.constant
    if slope is None or slope[0].constant != 1 or numbers is None or numbers % per_line:
        return
    line = NatVar(index.name, const(numbers // per_line))
    at = substitute_naturals(at, {index: nat(line) * per_line})
    body = Block((Prefetch(buffer, at, stores, origin),))
    yield For(line, const(numbers // per_line), "unroll", body, origin)


def _is_whole(count: Nat) -> bool:
    """Whether a loop's count is a known, small number."""
    return count.constant is not None and 0 < count.constant <= MAX_COUNT


def _is_far(step: Nat, buffer: Buffer) -> bool:
    """Whether a loop traverses memory in large steps."""
    return step.constant is None or abs(step.constant) * _bytes(buffer) >= MIN_ROW_STRIDE


def _bytes(buffer: Buffer) -> int:
    """The bytes of an element, or a large number if it is not a scalar."""
    return (
        SCALARS[buffer.element.name].bits // 8 if isinstance(buffer.element, ScalarType) else MORE_THAN_A_TILE
    )


def _stored(block: Block) -> Iterator[Assign]:
    """All assignments in a block."""
    return (statement for statement, _ in statements(block) if isinstance(statement, Assign))


def _is_sum(store: Assign) -> bool:
    """Whether the stored value is computed from the buffer that it is stored to."""
    return any(load.buffer is store.buffer for load in loads(store.value))
