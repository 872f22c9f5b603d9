"""The next row of a matrix is asked for while a row is computed on. Knows no target; what is computed stays.

Loops over rows are cut for that. Only loops that the program allows to be cut so are: those inside `prefetchRows`.

Where a row is passed over several times, processors read ahead in the first pass only, and then memory rests. So the
pass that computes most asks for the row that comes next, and for the row of the result, if a later pass stores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rise.naturals import Nat, NatVar, const, nat
from rise.primitives import PRIMITIVES
from rise.quotients import floor_quotient, is_nonnegative, linear_in, substitute_naturals
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.nodes import (
    Assign,
    Block,
    Buffer,
    Define,
    For,
    If,
    Operation,
    Origin,
    Prefetch,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import rewrite_block, substitution
from shine.imperative.walk import loads, values

LINE: Final = 64  # bytes that memory gives at once
STEP: Final = 32  # numbers that a pass goes on between two times that it asks
SHORT: Final = 256  # numbers in a row that is not worth it
#: what operations cost that take longer than an addition
COSTS: Final = {one.name: one.cost for one in PRIMITIVES.values() if one.cost > 1}


@dataclass(frozen=True, slots=True)
class RowLoop:
    """A loop over the columns of a row: its place in the body, what it does for the column, and the column's number as
    its loops, one or two, count it; `step` is how many numbers lie between two turns of the first of them.
    """

    place: int
    loop: For
    body: Block
    inner: NatVar | None
    step: int

    @property
    def cost(self) -> int:
        """How much is computed for a number."""
        return sum(_cost(value) for value in self.values())

    def values(self) -> Iterator[Value]:
        """What is computed."""
        for one in self.body.statements:
            if isinstance(one, Assign | Define):
                yield one.value

    def start(self, index: Nat) -> Nat | None:
        """The index of the first column, where the next column is the next element; else None."""
        along = linear_in(index, self.inner or self.loop.index)
        if along is None or along[0].constant != 1:
            return None
        if self.inner is None:
            return along[1]
        down = linear_in(along[1], self.loop.index)
        return down[1] if down is not None and down[0].constant == self.step else None


def prefetch_rows(procedure: Procedure) -> Procedure:
    """The procedure with prefetches of rows."""
    return replace(procedure, body=_block(procedure.body))


def _block(block: Block) -> Block:
    return Block(tuple(_inside(one) for one in block.statements))


def _inside(statement: Statement) -> Statement:
    match statement:
        case For(body=body, allowed=allowed):
            found = _with_rows(statement) if "prefetch_rows" in allowed else None
            return found or replace(statement, body=_block(body))
        case If(body=body):
            return replace(statement, body=_block(body))
        case _:
            return statement


def _with_rows(loop: For) -> For | None:
    """A loop over rows that asks for the next one. None where rows are passed over once, or lie close to each other."""
    found = list(_passes(loop.body))
    if loop.kind not in ("seq", "parallel") or len(found) < 2:
        return None
    most = max(found, key=lambda one: one.cost)
    turn = loop.index
    ahead = [
        (buffer, substitute_naturals(at, {turn: nat(turn) + 1}), False) for buffer, at in _read(found, turn)
    ]
    after = (
        [(buffer, at, True) for buffer, at in _written(found, turn)] if most.place < found[-1].place else []
    )
    if not ahead:
        return None
    asked = list(dict.fromkeys([*ahead, *after]))
    statements = list(loop.body.statements)
    statements[most.place : most.place + 1] = _asking(most, asked)
    return replace(loop, body=Block(tuple(statements)))


def _passes(block: Block) -> Iterator[RowLoop]:
    """The loops over columns, in order."""
    for place, one in enumerate(block.statements):
        match one:
            case For(kind="seq", count=count, body=body) if _is_plain(body) and _is_long(count, 1):
                yield RowLoop(place, one, body, None, 1)
            case For(
                kind="seq", count=count, body=Block((For(kind="seq", index=lane, count=lanes, body=body),))
            ) if _is_plain(body) and lanes.constant == STEP and _is_long(count, STEP):
                yield RowLoop(place, one, body, lane, STEP)
            case _:
                pass


def _is_plain(body: Block) -> bool:
    return all(isinstance(one, Assign | Define) for one in body.statements)


def _is_long(count: Nat, numbers: int) -> bool:
    """Whether a loop may be over a whole row: what blocks leave of one, `n % 32`, is none."""
    return not is_nonnegative(SHORT - 1 - count * numbers)


def _read(found: Sequence[RowLoop], turn: NatVar) -> Iterator[tuple[Buffer, Nat]]:
    """Where rows begin that passes read from memory."""
    for one in found:
        for value in one.values():
            for load in loads(value):
                start = one.start(load.index) if load.lanes == 1 else None
                if start is not None and _is_row(load.buffer, start, turn):
                    yield load.buffer, start


def _written(found: Sequence[RowLoop], turn: NatVar) -> Iterator[tuple[Buffer, Nat]]:
    """Where rows begin that the last pass stores."""
    for one in found[-1].body.statements:
        if isinstance(one, Assign):
            start = found[-1].start(one.index)
            if start is not None and _is_row(one.buffer, start, turn):
                yield one.buffer, start


def _is_row(buffer: Buffer, start: Nat, turn: NatVar) -> bool:
    """Whether the next turn's row lies behind this one's."""
    down = linear_in(start, turn)
    if buffer.space != "Global" or not isinstance(buffer.element, ScalarType) or down is None:
        return False
    return down[0].constant is None or down[0].constant >= SHORT


def _asking(one: RowLoop, asked: Sequence[tuple[Buffer, Nat, bool]]) -> list[Statement]:
    """A pass that asks before each `STEP` numbers; where those do not divide the row, the rest is a pass of its own."""
    loop, origin = one.loop, one.loop.origin
    if one.inner is not None:
        body = Block((*_lines(asked, nat(loop.index) * STEP, origin), *loop.body.statements))
        return [replace(loop, body=body)]
    steps = floor_quotient(loop.count, STEP)
    block, column = NatVar(f"{loop.index.name}_step", steps), NatVar(loop.index.name, const(STEP))
    shifted = substitution({loop.index: nat(block) * STEP + column})
    columns = replace(loop, index=column, count=const(STEP), body=rewrite_block(loop.body, shifted))
    body = Block((*_lines(asked, nat(block) * STEP, origin), columns))
    whole = replace(loop, index=block, count=steps, body=body)
    left = loop.count - steps * STEP
    if left.constant == 0:
        return [whole]
    last = NatVar(loop.index.name, left)
    rest = rewrite_block(loop.body, substitution({loop.index: steps * STEP + last}))
    return [whole, replace(loop, index=last, count=left, body=rest)]


def _lines(asked: Sequence[tuple[Buffer, Nat, bool]], column: Nat, origin: Origin) -> Iterator[Statement]:
    """Ask for the lines of memory that have `STEP` numbers from a column on."""
    for buffer, at, stores in asked:
        assert isinstance(buffer.element, ScalarType)
        numbers = LINE * 8 // SCALARS[buffer.element.name].bits
        for offset in range(0, STEP, numbers):
            yield Prefetch(buffer, at + column + offset, stores, origin)


def _cost(value: Value) -> int:
    return sum(COSTS.get(one.name, 1) for one in values(value) if isinstance(one, Operation))
