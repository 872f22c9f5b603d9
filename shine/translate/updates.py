"""Translates steps of loops: stores to the accumulator, in place or through a second accumulator. Independent of loops.

`shine.imperative.updates` decides what may be overwritten.
"""

from __future__ import annotations

from typing import Any

from rise.terms import Primitive, Var
from rise.types import Type
from shine.imperative.early_loads import few_loads, load_early
from shine.imperative.masks import without_masked
from shine.imperative.nodes import Allocate, Block
from shine.imperative.updates import only_changes, overwritten
from shine.translate.access import holds_array
from shine.translate.core import Known, Operand, Term, Translator, enter, unwind, write
from shine.translate.layout import Cells
from shine.translate.memory import copy, place_at, reader_at
from shine.translate.next_parts import Rule, StatePart, loop_from_start, named_part, parts_of_state
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import GuardedPlace, Place, Reader


def update(
    tr: Translator,
    function: Operand,
    before: tuple[Any, ...],
    t: Type,
    cells: Cells,
    after: tuple[Any, ...],
    path: Path,
) -> Task[None]:
    """Store f(..., acc, ...) to the accumulator."""
    names = frozenset(buffer.name for buffer, _ in cells)
    place, current = place_at(tr, t, cells, path), reader_at(tr, t, cells, path)
    yield update_at(tr, function, before, t, place, current, names, after, path, cells)


def update_at(
    tr: Translator,
    function: Operand,
    before: tuple[Any, ...],
    t: Type,
    place: Place,
    current: Reader,
    names: frozenset[str],
    after: tuple[Any, ...],
    path: Path,
    cells: Cells = (),
) -> Task[None]:
    """Store f(..., acc, ...) to the accumulator's place. `cells` whose elements would be read after they are written,
    or all of the place, are stored through a second accumulator. If the function first names the next value of a part
    of the accumulator, and does not read the previous value after that, there are two such updates; the same holds for
    a loop that starts from the next value.
    """
    state = Known(current, t)
    operand, rest = function, (*before, state, *after)
    if not holds_array(t):
        yield write(tr, place, operand, *rest)
        return
    if not isinstance(place, GuardedPlace):
        parts: list[StatePart] = yield parts_of_state(t, place, current)
        outer = function.variables if isinstance(function, Term) else None
        rule = Rule(outer, frozenset(after), {state: ()})
        while isinstance(operand, Term):
            spine = unwind(operand, rest)
            if isinstance(spine.head, Primitive | Var):
                break
            found = named_part(spine, operand.variables, parts, rule)
            if found is not None:
                part, stored, body = found
                is_stored: bool = yield _is_updated_in_place(tr, stored, part, path)
                if is_stored:
                    known = Known(part.current, part.type)
                    rule.views[known] = part.selectors
                    operand, rest = Term(body, (known, operand.variables), spine.path.child(0)), ()
                    continue
            operand, rest = yield enter(tr, spine, operand.variables)
        whole = StatePart((), t, place, current, names)
        loop = None if rest or not isinstance(operand, Term) else loop_from_start(operand, rule)
        if loop is not None:
            start, with_start = loop
            is_stored = yield _is_updated_in_place(tr, start, whole, path)
            if is_stored:
                operand, *others = with_start(state)
                rest = tuple(others)
    yield _update_once(tr, operand, rest, t, place, current, names, path, cells)


def _is_updated_in_place(tr: Translator, operand: Operand, part: StatePart, path: Path) -> Task[bool]:
    """Store the next value of a part of the state to its place if nothing is read after it was overwritten."""
    tr.open()
    yield write(tr, part.place, operand)
    block, again = _changes(tr, part.names)
    if again:
        return False
    tr.emit(*block.statements)
    return True


def _changes(tr: Translator, names: frozenset[str]) -> tuple[Block, frozenset[str]]:
    """The statements since `open`, without those that change nothing, and the buffers with these names whose elements
    they may read after they wrote them. Masks are needed to see that `a[i:, i:] -= a[i:, :i] @ a[:i, i:]` reads none.
    """
    block = only_changes(tr.close(), names, tr.locals, tr.names.fresh)
    again = overwritten(block, names, tr.merged)
    if again and not tr.is_gpu:  # see `finished_body`
        masked = without_masked(block, tr.locals)
        fewer = overwritten(masked, names, tr.merged)
        if fewer:
            masked, fewer = _loaded_early(tr, masked, names, fewer)
        if fewer < again:
            return masked, fewer
    return block, again


def _loaded_early(
    tr: Translator, block: Block, names: frozenset[str], again: frozenset[str]
) -> tuple[Block, frozenset[str]]:
    """The block with as few early copies of elements as are needed, and the buffers that are still read again."""
    early = few_loads(block, again)
    changed = load_early(block, early, tr.names.fresh)
    left = overwritten(changed, names, tr.merged)
    if not left < again:
        return block, again
    for load in tuple(early):
        others = {other: loops for other, loops in early.items() if other is not load}
        with_others = load_early(block, others, tr.names.fresh)
        if overwritten(with_others, names, tr.merged) == left:
            changed, early = with_others, others
    return changed, left


def _update_once(
    tr: Translator,
    operand: Operand,
    rest: tuple[Any, ...],
    t: Type,
    place: Place,
    current: Reader,
    names: frozenset[str],
    path: Path,
    cells: Cells,
) -> Task[None]:
    tr.open()
    yield write(tr, place, operand, *rest)
    block, again = _changes(tr, names)
    if not again:
        tr.emit(*block.statements)
        return
    if again < names and cells:
        tr.open()
        following = tr.allocate_state(t, "next", path)
        mixed = tuple(new if old[0].name in again else old for old, new in zip(cells, following, strict=True))
        yield write(tr, place_at(tr, t, mixed, path), operand, *rest)
        block = only_changes(_allocating(tr.close(), mixed, following), names, tr.locals, tr.names.fresh)
        if not overwritten(block, names - again, tr.merged):
            tr.open()
            yield copy(tr, reader_at(tr, t, mixed, path), place, t, path)
            copies = only_changes(tr.close(), names, tr.locals, tr.names.fresh)
            tr.emit(*block.statements, *copies.statements)
            return
    following = tr.allocate_state(t, "next", path)
    yield write(tr, place_at(tr, t, following, path), operand, *rest)
    yield copy(tr, reader_at(tr, t, following, path), place, t, path)


def _allocating(block: Block, used: Cells, allocated: Cells) -> Block:
    """The block without allocations of unused buffers."""
    unused = {buffer.name for buffer, _ in allocated} - {buffer.name for buffer, _ in used}
    return Block(
        tuple(
            statement
            for statement in block.statements
            if not (isinstance(statement, Allocate) and statement.buffer.name in unused)
        )
    )
