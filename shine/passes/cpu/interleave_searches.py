"""Runs the searches of adjacent iterations in step, with the loop over lanes innermost. Independent of targets.

Only loops inside `unrollAndJam` are changed.

Each step of a binary search reads an element at an index that the step before has computed, so that a processor spends
most of its time waiting: for a comparison, for memory, or for a branch that it predicted wrongly. The searches of
different iterations do not wait for each other. So `LANES` iterations take each step together: their states are in an
array, and the loop over lanes becomes vector instructions that gather elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from rise.hardware import DEFAULT
from rise.naturals import Atom, Nat, NatVar, const, nat
from rise.quotients import floor_quotient, linear_in, positive_part
from rise.records import dataclass
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    DefineIndex,
    For,
    If,
    Index,
    Load,
    Local,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, rewrite, substitution
from shine.imperative.walk import loads, map_outermost, statements, value_of, values

#: iterations whose searches run in step: as many as other loops process together
LANES: Final = DEFAULT.neighbours


def interleave_searches(procedure: Procedure) -> Procedure:
    """The procedure with searches of adjacent iterations running in step."""
    return replace(procedure, body=map_outermost(procedure.body, _interleaved))


def _interleaved(statement: Statement) -> list[Statement] | None:
    """The blocks of iterations of a loop that may be changed, and the remaining ones; None for other statements."""
    match statement:
        case For(kind="seq" | "parallel", allowed=allowed) as loop if "unroll_and_jam" in allowed:
            few = loop.count.constant is not None and loop.count.constant < LANES
            searches = None if few else _searches(loop)
            return None if searches is None else searches.in_blocks()
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Searches:
    """A loop, each iteration of which runs one inner loop: statements before it, and after it. The iterations have
    their own buffers. `same` are numbers that do not depend on the iteration.
    """

    loop: For
    same: tuple[DefineIndex, ...]
    before: tuple[Statement, ...]
    inner: For
    after: tuple[Statement, ...]
    own: frozenset[Buffer]

    def in_blocks(self) -> list[Statement]:
        """Blocks of iterations that run in step, and the remaining iterations."""
        loop = self.loop
        count = positive_part(loop.count)
        blocks = floor_quotient(count, LANES)
        block = NatVar(f"{loop.index.name}_block", blocks)
        result: list[Statement] = [*self.same]
        if blocks.constant != 0:
            body = self._in_step(nat(block) * LANES)
            result.append(replace(loop, index=block, count=blocks, body=body))
        left = count - blocks * LANES
        if left.constant != 0:
            rest = NatVar(loop.index.name, left)
            moved = substitution({loop.index: nat(rest) + blocks * LANES})
            each = (*self.before, self.inner, *self.after)
            body = Block(tuple(rewrite(one, moved) for one in each))
            result.append(replace(loop, kind="seq", worth=None, index=rest, count=left, body=body))
        return result

    def _in_step(self, first: Nat) -> Block:
        """`LANES` iterations from a first one."""
        loop, origin = self.loop, self.loop.origin
        lane = NatVar(loop.index.name, const(LANES))
        wide = {one: replace(one, size=const(LANES)) for one in self.own}

        def cell(one: Cell) -> Cell:
            return replace(one, buffer=wide[one.buffer], index=nat(lane)) if one.buffer in wide else one

        moved = substitution({loop.index: first + lane})

        def in_lanes(each: Sequence[Statement]) -> For:
            body = Block(tuple(rewrite(one, replace(moved, cell=cell)) for one in each))
            return replace(loop, index=lane, count=const(LANES), kind="seq", worth=None, body=body)

        begin = [one for one in self.before if not isinstance(one, Allocate)]
        definitions = [one for one in begin if isinstance(one, Define | DefineIndex)]
        common = _common(self.inner.body.statements, {loop.index, *_names(definitions)}, _locals(definitions))
        step = [one for one in self.inner.body.statements if one not in common]
        return Block(
            (
                *(Allocate(wide[one.buffer], origin) for one in self.before if isinstance(one, Allocate)),
                in_lanes(_needed(begin)),
                replace(self.inner, body=Block((*common, in_lanes(_needed([*definitions, *step]))))),
                *([in_lanes(_needed([*definitions, *self.after]))] if self.after else []),
            )
        )


def _searches(loop: For) -> _Searches | None:
    """The parts of a loop whose iterations can run in step; None if they cannot, or need not."""
    each = loop.body.statements
    inner = [one for one in each if isinstance(one, For)]
    if len(inner) != 1 or inner[0].kind != "seq":
        return None
    at = each.index(inner[0])
    same = _common(each[:at], {loop.index}, set())
    before = tuple(one for one in each[:at] if one not in same)
    after = each[at + 1 :]
    own = frozenset(one.buffer for one in before if isinstance(one, Allocate))
    if any(one.size.constant != 1 or not isinstance(one.element, ScalarType) for one in own):
        return None
    found = _Searches(loop, same, before, inner[0], after, own)
    return found if _is_search(inner[0], own) and _are_apart(found) else None


def _are_apart(found: _Searches) -> bool:
    """Whether no iteration depends on another one, and what is defined before the inner loop can be computed again."""
    loop, inner = found.loop, found.inner
    simple = (*found.before, *found.after)
    steps = [one for one, _ in statements(inner.body)]
    if not all(isinstance(one, Assign | Define | DefineIndex | Allocate) for one in simple):
        return False
    if not all(isinstance(one, Assign | Define | DefineIndex | If) for one in steps):
        return False
    changing = [one for one in (*simple, *steps) if isinstance(one, Define)]
    if not all(isinstance(one.local.type, ScalarType) for one in changing):
        return False
    first = [one for one in found.before if isinstance(one, Define | DefineIndex)]
    if any(load.buffer in found.own for one in first for load in loads(one.value)):
        return False
    if loop.index in inner.count.free or not inner.count.free.isdisjoint(_names(first)):
        return False
    begun = [one.buffer for one in (*found.before, *steps) if isinstance(one, Assign)]
    if any(buffer not in found.own for buffer in begun):
        return False
    last = [one for one in found.after if isinstance(one, Assign) and one.buffer not in found.own]
    stored = {one.buffer for one in last}
    read = {load.buffer for one in (*simple, *steps) for load in _loads(one)}
    if not stored.isdisjoint(read):
        return False
    return loop.kind == "parallel" or all(_is_next(one.index, loop.index) for one in last)


def _is_next(index: Nat, turn: NatVar) -> bool:
    """Whether the next iteration stores to the next element."""
    slope = linear_in(index, turn)
    return slope is not None and slope[0].constant == 1


def _is_search(inner: For, own: frozenset[Buffer]) -> bool:
    """Whether a step reads an element at an index that depends on the steps before."""
    moving: set[NatVar] = set()
    for one, _ in statements(inner.body):
        if isinstance(one, DefineIndex) and _depends(one.value, own, moving):
            moving.add(one.name)
        if any(not load.index.free.isdisjoint(moving) for load in _loads(one)):
            return True
    return False


def _depends(value: Value, own: frozenset[Buffer], moving: set[NatVar]) -> bool:
    return any(load.buffer in own for load in loads(value)) or any(
        not one.value.free.isdisjoint(moving) for one in values(value) if isinstance(one, Index)
    )


def _common(each: Iterable[Statement], varying: set[NatVar], local: set[str]) -> tuple[DefineIndex, ...]:
    """The numbers among some statements that depend on no memory, and on none of these variables."""
    found: list[DefineIndex] = []
    varying, local = set(varying), set(local)
    for statement in each:
        if isinstance(statement, Define):
            local.add(statement.local.name)
        if not isinstance(statement, DefineIndex):
            continue
        parts = list(values(statement.value))
        fixed = not any(loads(statement.value)) and not any(
            (isinstance(part, Index) and not part.value.free.isdisjoint(varying))
            or (isinstance(part, Local) and part.name in local)
            for part in parts
        )
        if fixed:
            found.append(statement)
        else:
            varying.add(statement.name)
    return tuple(found)


def _names(each: Iterable[Statement]) -> set[NatVar]:
    return {one.name for one in each if isinstance(one, DefineIndex)}


def _locals(each: Iterable[Statement]) -> set[str]:
    return {one.local.name for one in each if isinstance(one, Define)}


def _loads(statement: Statement) -> Iterator[Load]:
    value = value_of(statement)
    return iter(()) if value is None else loads(value)


def _needed(each: Sequence[Statement]) -> list[Statement]:
    """The statements without definitions that no later one uses."""
    needed: list[Statement] = []
    used: set[str] = set()
    free: set[Atom] = set()
    for statement in reversed(each):
        if isinstance(statement, Define) and statement.local.name not in used:
            continue
        if isinstance(statement, DefineIndex) and statement.name not in free:
            continue
        needed.append(statement)
        free |= _free(statement)
        for one, _ in statements(Block((statement,))):
            value = value_of(one)
            used |= {part.name for part in values(value) if isinstance(part, Local)} if value else set()
    return needed[::-1]


def _free(statement: Statement) -> set[Atom]:
    """The variables in the naturals of a statement."""
    found: set[Atom] = set()

    def note(a: Nat) -> Nat:
        found.update(a.free)
        return a

    rewrite(statement, Parts(natural=note))
    return found
