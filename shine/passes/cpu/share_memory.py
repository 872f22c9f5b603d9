"""Keeps the values of temporary arrays in the memory of others that are no longer needed.

An array takes over the memory of another of the same length, if no element of that is loaded after it was overwritten.
So a chain of steps `u = f(u)` needs two arrays, or one if each element of the next is computed from the same element;
and a step that changes only some elements of an array copies none. The last of these arrays is the result itself, if it
is as long. The analysis is that of updates in place.

An array of another length takes over the memory of one that was used before, which becomes as long as the longer one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from rise.natural_values import evaluate_natural
from rise.naturals import Nat
from rise.quotients import is_nonnegative, maximum
from rise.records import dataclass
from shine.imperative.accesses import accesses
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    DefineIndex,
    For,
    If,
    Local,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.updates import may_share, only_changes
from shine.imperative.walk import definitions

#: arrays with fewer elements are on the stack, or so small that their memory costs nothing
LEAST_ELEMENTS: Final = 1 << 10
#: the value of every size in such a comparison
TYPICAL_SIZE: Final = 1 << 12
#: how many arrays whose memory may be free are considered for an array
MOST_CANDIDATES: Final = 8


def share_memory(procedure: Procedure) -> Procedure:
    """The procedure with fewer temporary arrays."""
    facts = [check.subject for check in procedure.checks if check.relation == "<="]
    updated = {update.output for update in procedure.updates if update.in_place}
    results = [one for place, one in enumerate(procedure.output.buffers) if place not in updated]
    return replace(procedure, body=_shared(procedure.body, facts, results))


def _shared(block: Block, facts: Sequence[Nat], results: Sequence[Buffer] = ()) -> Block:
    statements = [
        replace(statement, body=_shared(statement.body, facts))
        if isinstance(statement, For | If)
        else statement
        for statement in block.statements
    ]
    own = [one.buffer for one in statements if isinstance(one, Allocate) and _is_large(one.buffer)]
    if len(own) + len(results) < 2 or not own:
        return Block(tuple(statements))
    sharing = _Sharing(statements, own, results, definitions(block), facts)
    return sharing.block()


def _is_large(buffer: Buffer) -> bool:
    try:
        length = evaluate_natural(buffer.size, dict.fromkeys(buffer.size.free, TYPICAL_SIZE))
    except (ArithmeticError, KeyError):
        return True
    return length >= LEAST_ELEMENTS


@dataclass(eq=False)
class _Sharing:
    """The statements of a block, with the arrays that are allocated in it, and the results of the procedure."""

    statements: list[Statement]
    own: Sequence[Buffer]
    results: Sequence[Buffer]
    known: Mapping[Local, Value]
    facts: Sequence[Nat]

    def __post_init__(self) -> None:
        self._steps = [Block((statement,)) for statement in self.statements]
        self._uses: dict[Buffer, list[int]] = {buffer: [] for buffer in (*self.own, *self.results)}
        self._vectors: set[Buffer] = set()
        for at, step in enumerate(self._steps):
            found = [access for access in accesses(step) if access.buffer in self._uses]
            self._vectors |= {access.buffer for access in found if access.lanes > 1}
            for buffer in {access.buffer for access in found}:
                self._uses[buffer].append(at)

    def block(self) -> Block:
        """The block in which each array has the memory of the last other one that is free, if there is one."""
        used = sorted(
            (buffer for buffer in self.own if self._uses[buffer]), key=lambda one: self._uses[one][0]
        )
        kept: list[Buffer] = []
        for buffer in used:
            free = self._free(kept, buffer)
            if free is not None:
                self._move(buffer, free)
                continue
            dead = self._dead(kept, buffer)
            if dead is None:
                kept.append(buffer)
            else:
                kept[kept.index(dead)] = self._join(buffer, dead)
        for result in self.results:
            scalars = [one for one in kept if one not in self._vectors]  # a result need not be aligned
            free = self._free(scalars, result) if self._uses[result] else None
            if free is not None:
                kept.remove(free)
                self._move(free, result)
        gone = set(used) - set(kept)
        return Block(
            tuple(
                statement
                for step in self._steps
                for statement in step.statements
                if not (isinstance(statement, Allocate) and statement.buffer in gone)
            )
        )

    def _free(self, arrays: Sequence[Buffer], buffer: Buffer) -> Buffer | None:
        """An array in whose memory another one may be stored, of some that were used before."""
        alike = [one for one in reversed(arrays) if _are_alike(one, buffer)][:MOST_CANDIDATES]
        return next((one for one in alike if self._is_free(one, buffer)), None)

    def _dead(self, arrays: Sequence[Buffer], buffer: Buffer) -> Buffer | None:
        """An array of another length whose last element was loaded before another array is first used; preferably one
        that is known to be long enough.
        """
        if any(isinstance(one, DefineIndex) and one.name in buffer.size.free for one in self.statements):
            return None  # the length may not be known where the other array is allocated
        first = self._uses[buffer][0]
        dead = [
            one
            for one in arrays
            if _are_alike(one, replace(buffer, size=one.size)) and self._uses[one][-1] < first
        ]
        long = (one for one in dead if is_nonnegative(one.size - buffer.size))
        return next(long, dead[0] if dead else None)

    def _join(self, buffer: Buffer, other: Buffer) -> Buffer:
        """Replace two arrays, of which one is used after the other, by one that is as long as the longer of them."""
        longest = replace(other, size=maximum(other.size, buffer.size))
        uses = sorted({*self._uses.pop(buffer), *self._uses.pop(other)})

        def moved(cell: Cell) -> Cell:
            return replace(cell, buffer=longest) if cell.buffer in (buffer, other) else cell

        for at in uses:
            self._steps[at] = rewrite_block(self._steps[at], Parts(cell=moved))
        for at, step in enumerate(self._steps):
            if any(isinstance(one, Allocate) and one.buffer == other for one in step.statements):
                self._steps[at] = Block((Allocate(longest, step.statements[0].origin),))
        if {buffer, other} & self._vectors:
            self._vectors.add(longest)
        self._uses[longest] = uses
        return longest

    def _is_free(self, one: Buffer, buffer: Buffer) -> bool:
        first, last = self._uses[buffer][0], self._uses[one][-1]
        if last < first:
            return True
        both = Block(tuple(part for step in self._steps[first : last + 1] for part in step.statements))
        return may_share(both, buffer, one, self.facts)

    def _move(self, buffer: Buffer, other: Buffer) -> None:
        """Replace an array by another one."""

        def moved(cell: Cell) -> Cell:
            return replace(cell, buffer=other) if cell.buffer == buffer else cell

        for at in self._uses[buffer]:
            step = rewrite_block(self._steps[at], Parts(cell=moved))
            self._steps[at] = only_changes(step, {other.name}, self.known)
        self._uses[other] = sorted({*self._uses[other], *self._uses.pop(buffer)})


def _are_alike(one: Buffer, other: Buffer) -> bool:
    """Whether an array fits exactly into the memory of another one."""
    return replace(one, name=other.name, origin=other.origin, space=other.space) == other
