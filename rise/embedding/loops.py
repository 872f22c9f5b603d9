"""A loop of a symbolic number of turns as a term: its body is run once, on the values that a turn finds.

Knows what a body changes, no syntax of Python.

Note [What a loop carries]
The state of a loop has the values of the names that its body assigns and that are read afterwards, and the arrays that
it assigns to. Which arrays these are, and the types of numbers, a first run of the body finds out; the last run is the
one whose term stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rise.dsl.printer import Function, TypeNode, Variable
from rise.embedding import trace as t
from rise.embedding.cells import Cell, restore
from rise.embedding.loop_numbers import loop_variable
from rise.embedding.places import refuse
from rise.embedding.ranges import Turns
from rise.embedding.states import (
    Unassigned,
    is_value,
    is_weak,
    leaves,
    like,
    packed,
    packed_type,
    part_of,
    shown_name,
    unpacked,
    zero,
)
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, apply, computed, function, shown
from rise.embedding.values import Value, wrap
from rise.naturals import nat
from rise.types import ArrayType, IndexType, Type

#: a body's types are found after a few runs, or they grow without end
_MOST_RUNS = 8


@dataclass(slots=True)
class _Plan:
    """What is known about a loop's state: the arrays that it assigns to, and the types of the values of names.

    A value without a type is not carried: its name has the same value in each turn.
    """

    cells: list[Cell] = field(default_factory=list)
    moved: list[Cell] = field(default_factory=list)  # those of names, which other names may not use any more
    types: list[Type | None] = field(default_factory=list)


class _RunAgainError(Exception):
    """A body that changed more than was planned."""


class _FormError(Exception):
    """A name without a value, at a position, that a turn gives a tuple."""

    def __init__(self, position: int, value: tuple[Any, ...]) -> None:
        super().__init__(position)
        self.position, self.value = position, value


def loop(
    turns: Turns, body: Callable[..., Any], names: Sequence[str], values: Sequence[Any], target: str
) -> tuple[Any, ...]:
    """The values of names after a loop; arrays are changed in place."""
    trace = turns.trace
    born = next(trace.clock)
    plan = _Plan([], [], [None] * len(leaves(tuple(values))))
    for _ in range(_MOST_RUNS):
        try:
            return _run(turns, body, names, values, target, plan, born)
        except _RunAgainError:
            continue
        except _FormError as error:
            name = names[error.position]
            none = like(error.value, [Unassigned(name) for _ in leaves(error.value)])
            values = [none if place == error.position else value for place, value in enumerate(values)]
            plan = _Plan([], [], [None] * len(leaves(tuple(values))))
    title = "expected values of the same type in each turn of a loop, found types that change"
    refuse("type-mismatch", title, "convert the values: `x.astype(...)`")


def _run(
    turns: Turns,
    body: Callable[..., Any],
    names: Sequence[str],
    values: Sequence[Any],
    target: str,
    plan: _Plan,
    born: int,
) -> tuple[Any, ...]:
    trace = turns.trace
    flat = leaves(tuple(values))
    owners = [name for name, value in zip(names, values, strict=True) for _ in leaves(value)]
    carried = [position for position, each in enumerate(plan.types) if each is not None]
    types = [each for each in plan.types if each is not None] + [cell.part.type for cell in plan.cells]
    journal: dict[Cell, Part] = {}
    after: dict[int, Any] = {}
    variable = loop_variable(target or "i", turns.count, trace)

    def turn(*given: Part) -> Part:
        *state, index = given
        parts = unpacked(state[0], len(types)) if state else []
        trace.loops[variable] = index
        inside = list(flat)
        for position, part in zip(carried, parts, strict=False):
            inside[position] = wrap(part)
        for cell, part in zip(plan.cells, parts[len(carried) :], strict=True):
            cell.now = part
        item = turns.item(SymbolicSize(nat(variable), index.scope))
        results = body(item, *like(tuple(values), inside))
        return _ended(results, inside, parts, index)

    def _ended(results: tuple[Any, ...], inside: list[Any], parts: list[Part], index: Part) -> Part:
        new = _leaves_like(results, values, names)
        is_complete = True
        ended: list[Part] = []
        for position, (old, one) in enumerate(zip(inside, new, strict=True)):
            wanted = plan.types[position]
            if wanted is None:
                if is_same(old, one):
                    continue
                check_leaf(one, owners[position])
                plan.types[position] = _type_of(flat[position], one, index.scope)
                is_complete = False
                continue
            part = part_of(one, index.scope, wanted)
            if part.type != wanted:
                if not is_weak(flat[position]) and not isinstance(flat[position], Unassigned):
                    _changed_type(owners[position], wanted, part.type)
                plan.types[position] = part.type
                is_complete = False
            ended.append(part)
        for leaf, one in zip(flat, inside, strict=True):
            if (
                isinstance(leaf, Value)
                and one.cell in journal
                and leaf is not one
                and leaf.cell not in plan.moved
            ):
                plan.moved.append(leaf.cell)
                is_complete = False
        for cell in journal:
            if cell.born < born and cell not in plan.cells:
                plan.cells.append(cell)
                is_complete = False
        if not is_complete:
            raise _RunAgainError
        if not types:
            return index
        return packed([*ended, *(cell.part for cell in plan.cells)])

    before = {cell: cell.part for cell in plan.cells}
    starting = [_start(flat[position], owners[position], plan.types[position], trace) for position in carried]
    trace.journals.append(journal)
    for cell in plan.moved:
        cell.root.is_moved = True
    try:
        index = IndexType(turns.count)
        if types:
            state = packed_type(types)
            f = function(trace, ["state", target or "i"], [state, index], turn)
        else:
            function(trace, [target or "i"], [index], turn)
    finally:
        trace.journals.pop()
        trace.loops.pop(variable, None)
        restore(trace, journal | before)
    if not types:
        return tuple(values)
    start = packed([*starting, *before.values()])
    i = Variable(target or "i")
    indices = Part(
        ArrayType(turns.count, index), apply("generate", Function(((i, TypeNode(index)),), i)), trace.root
    )
    whole = computed(state, apply("reduceSeq", f.syntax, start.syntax, indices.syntax), f, start, indices)
    ends = unpacked(whole, len(types))
    for position, part in zip(carried, ends, strict=False):
        after[position] = wrap(part)
    for cell, part in zip(plan.cells, ends[len(carried) :], strict=True):
        cell.store(part)
    return tuple(like(tuple(values), [after.get(position, leaf) for position, leaf in enumerate(flat)]))


def _leaves_like(results: tuple[Any, ...], values: Sequence[Any], names: Sequence[str]) -> list[Any]:
    """The values after a turn. Raises RiseError where a tuple has another form than before the loop."""
    new: list[Any] = []
    for position, (name, before, after) in enumerate(zip(names, values, results, strict=True)):
        if isinstance(before, Unassigned) and isinstance(after, tuple):
            raise _FormError(position, after)
        found = leaves(after)
        if len(found) != len(leaves(before)):
            count = len(leaves(before))
            title = (
                f"expected {count} values in {shown_name(name)} after a turn of a loop, found {len(found)}"
            )
            refuse("type-mismatch", title, "give the name a tuple of the same length before the loop")
        new += found
    return new


def is_same(old: Any, new: Any) -> bool:
    """Whether a name has the value that it had before."""
    if isinstance(old, Value) and isinstance(new, Value):
        return old.cell is new.cell or old.part is new.part
    if old is new:
        return True
    return type(old) is type(new) and isinstance(old, bool | int | float) and repr(old) == repr(new)


def check_leaf(leaf: Any, name: str) -> None:
    """Refuse a value that is none of the term."""
    if isinstance(leaf, Unassigned):
        leaf.fail()
    if not is_value(leaf):
        found = type(leaf).__name__
        title = f"expected a number or an array in {shown_name(name)}, which a loop or branch changes, found {found}"
        refuse(
            "symbolic-loop", title, "loops carry numbers, arrays and tuples of them; lists grow by `generate`"
        )


def _type_of(before: Any, after: Any, scope: t.Scope) -> Type:
    """The type of a name in the state, from what it was before the loop and is after a turn."""
    if isinstance(before, Unassigned) or (is_weak(before) and not is_weak(after)):
        return part_of(after, scope).type
    check_leaf(before, "")
    if is_weak(before) and is_weak(after):
        types = [part_of(each, scope).type for each in (before, after)]
        return types[1] if types[0] != types[1] and isinstance(after, float) else types[0]
    return part_of(before, scope).type


def _start(before: Any, name: str, wanted: Type | None, trace: t.Trace) -> Part:
    assert wanted is not None
    if isinstance(before, Unassigned):
        return zero(wanted, trace)
    part = part_of(before, trace.root, wanted)
    if part.type != wanted:
        _changed_type(name, part.type, wanted)
    return part


def _changed_type(name: str, before: Type, after: Type) -> None:
    title = f"expected {shown(before)} in {shown_name(name)} after a turn of the loop, found {shown(after)}"
    refuse(
        "type-mismatch",
        title,
        f"{shown_name(name)} keeps its type in all turns: convert it before the loop, or in it",
    )
