"""Prefetches the next row of a matrix while a row is processed.

Independent of targets; does not change the computation.

Only loops over rows inside `prefetchRows` are changed.

If a row is traversed several times, processors read ahead only in the first traversal, and memory is idle later. So the
traversal with the most computation prefetches the next row, and the row of the result if a later traversal stores it.
A traversal may be under a condition, as in rows that are searched in one way if they are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from rise.hardware import DEFAULT, Processor
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const, nat
from rise.primitives import PRIMITIVES
from rise.quotients import floor_quotient, is_nonnegative, linear_in, positive_part
from rise.records import dataclass
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
from shine.imperative.walk import loads, map_outermost, values

#: numbers between two prefetches of a traversal: as many as an iteration of the loops that strategies build processes
STEP_NUMBERS: Final = DEFAULT.neighbours
#: numbers in a strip of a row, each of which is added to a separate sum
STRIPS: Final = (DEFAULT.line_words, STEP_NUMBERS)
MIN_ROW_NUMBERS: Final = 256  # in a row that is worth prefetching
#: the costs of operations that take longer than an addition
COSTS: Final = {record.name: record.cost for record in PRIMITIVES.values() if record.cost > 1}


@dataclass(frozen=True, slots=True)
class RowLoop:
    """A loop over the columns of a row: its place in the body of the loop over rows, as positions in the blocks of
    conditions and last in its own; its own body, and, if it is a nest of two loops, the index of the inner one; `step`
    is the number of columns that one iteration of the outer one covers.
    """

    place: tuple[int, ...]
    loop: For
    body: Block
    inner: NatVar | None
    step: int

    @property
    def cost(self) -> int:
        """The cost of one column."""
        return sum(_cost(value) for value in self.values())

    def values(self) -> Iterator[Value]:
        """The values that are computed for one column."""
        for statement in self.body.statements:
            if isinstance(statement, Assign | Define):
                yield statement.value

    def start(self, index: Nat) -> Nat | None:
        """The index of the first column if columns are consecutive elements; otherwise None."""
        along = linear_in(index, self.inner or self.loop.index)
        if along is None or along[0].constant != 1:
            return None
        if self.inner is None:
            return along[1]
        down = linear_in(along[1], self.loop.index)
        return down[1] if down is not None and down[0].constant == self.step else None


def prefetch_rows(procedure: Procedure, machine: Processor = DEFAULT) -> Procedure:
    """The procedure with prefetches of rows, by cache lines of the processor's length."""
    return replace(procedure, body=map_outermost(procedure.body, partial(_in_rows, machine)))


def _in_rows(machine: Processor, statement: Statement) -> tuple[For] | None:
    """A loop over rows that may be changed, with prefetches; None for other statements."""
    if not isinstance(statement, For) or "prefetch_rows" not in statement.allowed:
        return None
    changed = _with_rows(statement, machine)
    return None if changed is None else (changed,)


def _with_rows(loop: For, machine: Processor) -> For | None:
    """A loop over rows with prefetches of the next row. None if rows are traversed once, or are close together."""
    passes = _passes(loop.body, ())
    turn = loop.index
    if loop.kind not in ("seq", "parallel") or len(passes) < 2 or not _run_often(loop, passes):
        return None
    longest = max(passes, key=lambda row_pass: row_pass.cost)
    next_rows = [
        (buffer, substitute_naturals(at, {turn: nat(turn) + 1}), False) for buffer, at in _read(passes, turn)
    ]
    result_rows = (
        [(buffer, at, True) for buffer, at in _written(passes, turn)]
        if longest.place < passes[-1].place
        else []
    )
    if not next_rows:
        return None
    rows = list(dict.fromkeys([*next_rows, *result_rows]))
    return replace(loop, body=_with(loop.body, longest.place, _prefetching(longest, rows, machine)))


def _run_often(loop: For, passes: Sequence[RowLoop]) -> bool:
    """Whether passes under a condition, if there are any, are expected to run for most rows, and read them again.

    A parallel loop runs over rows of the program. A loop inside of one may run over blocks of a row that is searched,
    most of which are skipped.
    """
    if all(len(row_pass.place) == 1 for row_pass in passes):
        return True
    read = [at for row_pass in passes for at in dict.fromkeys(_read([row_pass], loop.index))]
    return loop.kind == "parallel" and len(set(read)) < len(read)


def _with(block: Block, place: tuple[int, ...], statements: Sequence[Statement]) -> Block:
    """A block with other statements at a place."""
    position, *inside = place
    found = block.statements[position]
    if inside:
        assert isinstance(found, If), found
        statements = (replace(found, body=_with(found.body, tuple(inside), statements)),)
    return Block((*block.statements[:position], *statements, *block.statements[position + 1 :]))


def _passes(block: Block, around: tuple[int, ...]) -> list[RowLoop]:
    """The loops over columns, in order, also those under a condition; of several conditions, those under the one with
    the most, since at most one of two alternatives holds.
    """
    under: list[RowLoop] = []
    for position, statement in enumerate(block.statements):
        if isinstance(statement, If):
            under = max(under, _passes(statement.body, (*around, position)), key=len)
    return sorted([*_loops(block, around), *under], key=lambda row_pass: row_pass.place)


def _loops(block: Block, around: tuple[int, ...]) -> Iterator[RowLoop]:
    """The loops over columns of a block itself, in order."""
    for position, statement in enumerate(block.statements):
        place = (*around, position)
        match statement:
            case For(kind="seq", count=count, body=body) if _is_plain(body) and _is_long(count, 1):
                yield RowLoop(place, statement, body, None, 1)
            case For(
                kind="seq",
                count=count,
                body=Block((For(kind="seq" | "simd", index=lane, count=lanes, body=body),)),
            ) if _is_plain(body) and lanes.constant in STRIPS and _is_long(count, lanes.constant):
                yield RowLoop(place, statement, body, lane, lanes.constant)
            case _:
                pass


def _is_plain(body: Block) -> bool:
    return all(isinstance(statement, Assign | Define) for statement in body.statements)


def _is_long(count: Nat, numbers: int) -> bool:
    """Whether a loop may cover a whole row; a remainder such as `n % 32` does not."""
    return not is_nonnegative(MIN_ROW_NUMBERS - 1 - count * numbers)


def _read(passes: Sequence[RowLoop], turn: NatVar) -> Iterator[tuple[Buffer, Nat]]:
    """The starts of rows that passes read from memory."""
    for row_pass in passes:
        for value in row_pass.values():
            for load in loads(value):
                start = row_pass.start(load.index) if load.lanes == 1 else None
                if start is not None and _is_row(load.buffer, start, turn):
                    yield load.buffer, start


def _written(passes: Sequence[RowLoop], turn: NatVar) -> Iterator[tuple[Buffer, Nat]]:
    """The starts of rows that the last pass stores."""
    for statement in passes[-1].body.statements:
        if isinstance(statement, Assign):
            start = passes[-1].start(statement.index)
            if start is not None and _is_row(statement.buffer, start, turn):
                yield statement.buffer, start


def _is_row(buffer: Buffer, start: Nat, turn: NatVar) -> bool:
    """Whether the next iteration uses a later row."""
    down = linear_in(start, turn)
    if buffer.space != "Global" or not isinstance(buffer.element, ScalarType) or down is None:
        return False
    return down[0].constant is None or down[0].constant >= MIN_ROW_NUMBERS


def _prefetching(
    row_pass: RowLoop, rows: Sequence[tuple[Buffer, Nat, bool]], machine: Processor
) -> list[Statement]:
    """A pass with prefetches before each step. One without steps gets steps of `STEP_NUMBERS` columns, and a separate
    loop for the remaining ones.
    """
    loop, origin = row_pass.loop, row_pass.loop.origin
    if row_pass.inner is not None:
        lines = _lines(rows, nat(loop.index) * row_pass.step, row_pass.step, origin, machine)
        body = Block((*lines, *loop.body.statements))
        return [replace(loop, body=body)]
    count = positive_part(loop.count)
    steps = floor_quotient(count, STEP_NUMBERS)
    block, column = NatVar(f"{loop.index.name}_step", steps), NatVar(loop.index.name, const(STEP_NUMBERS))
    shifted = substitution({loop.index: nat(block) * STEP_NUMBERS + column})
    columns = replace(loop, index=column, count=const(STEP_NUMBERS), body=rewrite_block(loop.body, shifted))
    lines = _lines(rows, nat(block) * STEP_NUMBERS, STEP_NUMBERS, origin, machine)
    body = Block((*lines, columns))
    whole = replace(loop, index=block, count=steps, body=body)
    remaining = count - steps * STEP_NUMBERS
    if remaining.constant == 0:
        return [whole]
    last = NatVar(loop.index.name, remaining)
    rest = rewrite_block(loop.body, substitution({loop.index: steps * STEP_NUMBERS + last}))
    return [whole, replace(loop, index=last, count=remaining, body=rest)]


def _lines(
    rows: Sequence[tuple[Buffer, Nat, bool]], column: Nat, count: int, origin: Origin, machine: Processor
) -> Iterator[Statement]:
    """Prefetch the cache lines of a number of elements, starting at a column."""
    for buffer, at, stores in rows:
        assert isinstance(buffer.element, ScalarType)
        numbers = machine.line * 8 // SCALARS[buffer.element.name].bits
        for offset in range(0, count, numbers):
            yield Prefetch(buffer, at + column + offset, stores, origin)


def _cost(value: Value) -> int:
    return sum(COSTS.get(part.name, 1) for part in values(value) if isinstance(part, Operation))
