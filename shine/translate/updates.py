"""Translates steps of loops: stores to the accumulator, in place or through a second accumulator. Independent of loops.

`shine.imperative.updates` decides what may be overwritten.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from rise.terms import Expr, Lam, Primitive, Var
from rise.types import PairType, Type
from shine.imperative.early_loads import few_loads, fewest, load_early
from shine.imperative.masks import without_masked
from shine.imperative.nodes import Allocate, Block, Buffer, Load
from shine.imperative.updates import only_changes, overwritten
from shine.translate.access import holds_array
from shine.translate.accumulators import (
    components_of,
    starts_in_place,
)
from shine.translate.core import (
    Known,
    LoopState,
    Operand,
    Spine,
    Term,
    Translator,
    Variables,
    calls_at_size,
    enter,
    read,
    unwind,
    write,
)
from shine.translate.layout import Cells, count_leaves
from shine.translate.loop_states import Stored, inner_state, loop_of, run_loop
from shine.translate.memory import copy, half_of, place_at, reader_at, share
from shine.translate.next_parts import (
    Rule,
    Selectors,
    StatePart,
    buffers_of,
    loop_from_start,
    named_part,
    overlap,
    parts_of_state,
    read_parts,
)
from shine.translate.paths import Path
from shine.translate.trampoline import Task, done
from shine.translate.values import GuardedPlace, PairPlace, PairReader, Place, Reader, half


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
        rule = Rule(outer, frozenset(after), {state: ()}, {})
        while isinstance(operand, Term):
            spine = unwind(operand, rest)
            if isinstance(spine.head, Primitive | Var) and not calls_at_size(spine.head):
                break
            looped: tuple[Known, Expr] | None = yield _named_loop(tr, spine, operand.variables, parts, rule)
            if looped is not None:
                known, body = looped
                operand, rest = Term(body, (known, operand.variables), spine.path.child(0)), ()
                continue
            found = named_part(spine, operand.variables, parts, rule)
            if found is not None:
                part, stored, body = found
                is_stored: bool = yield _is_updated_in_place(tr, stored, part, path)
                if is_stored:
                    known = Known(part.current, part.type)
                    rule.views[known] = part.selectors
                    operand, rest = Term(body, (known, operand.variables), spine.path.child(0)), ()
                    continue
            yield _read_first(tr, spine, operand.variables, rule)
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


def _read_first(tr: Translator, spine: Spine, variables: Variables, rule: Rule) -> Task[None]:
    """Read a number that a function names from the accumulator, even if it is used once: it may be used after the
    element that it is, or that it is computed from, is overwritten.
    """
    match spine.head, spine.arguments:
        case Lam(name, parameter), [Term() as argument, *_] if not holds_array(parameter):
            if read_parts(argument.expr, 0, argument.variables, rule) != set():
                reader: Reader = yield read(tr, replace(argument, name=name, called=name))
                path = argument.path
                spine.arguments[0] = Known((yield share(tr, reader, parameter, name, path)), parameter)


def _named_loop(
    tr: Translator, spine: Spine, variables: Variables, parts: list[StatePart], rule: Rule
) -> Task[tuple[Known, Expr] | None]:
    """If a function first names the last state of a loop, of which some parts start from parts of the accumulator and
    may be updated there: emits the loop, and returns its last state and the body after it.
    """
    match spine.head, spine.arguments:
        case Lam(_, _, body), [Term() as argument]:
            found = yield loop_of(tr, argument)
        case _:
            return None
    if found is None or tr.is_gpu:
        return None
    call, start = found
    later = read_parts(body, 1, variables, rule)
    kept = [
        part
        for part in parts
        if later is not None and not any(overlap(part.selectors, each) for each in later)
    ]
    tr.open()
    stored, current = yield _parts_in_place(tr, start, kept)
    if not stored:
        tr.close()
        return None
    last: LoopState = yield run_loop(tr, call, start, stored)
    block, again = _changes(tr, frozenset(name for part in current.values() for name in part.names))
    if again:
        return None
    tr.emit(*block.statements)
    known = Known(_with_parts(last.current, current), call.type)
    rule.loops[known] = {selectors: part.selectors for selectors, part in current.items()}
    return known, body


def _parts_in_place(
    tr: Translator, start: Term, parts: list[StatePart]
) -> Task[tuple[dict[Selectors, Stored], dict[Selectors, StatePart]]]:
    """The parts of a loop's start value that are parts of the accumulator, as parts of the loop's state, and of the
    accumulator.
    """
    stored: dict[Selectors, Stored] = {}
    current: dict[Selectors, StatePart] = {}
    waiting: list[tuple[Term, Selectors]] = [(start, ())]
    while waiting:
        operand, selectors = waiting.pop()
        components = components_of(operand)
        if components is not None:
            waiting += [(each, (*selectors, which)) for which, each in enumerate(components)]
            continue
        for part in parts:
            if part.type != operand.expr.type or part in current.values():
                continue
            buffers: dict[str, Buffer] = yield starts_in_place(tr, operand, part.place, part.type)
            if buffers:
                stored[selectors] = Stored(*inner_state(tr, part.place, buffers, part.type, "result"))
                current[selectors] = part
                break
    return stored, current


def _with_parts(reader: Reader, parts: Mapping[Selectors, StatePart], at: Selectors = ()) -> Reader:
    """A value with some parts read from the accumulator."""
    if at in parts:
        return parts[at].current
    if not isinstance(reader, PairReader):
        return reader

    def component(which: int) -> Task[Reader]:
        value: Reader = yield half(reader, which)
        return _with_parts(value, parts, (*at, which))

    return PairReader(lambda: component(0), lambda: component(1))


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

    def suffice(some: Collection[Load]) -> bool:
        nonlocal changed
        with_them = load_early(block, {load: early[load] for load in some}, tr.names.fresh)
        if overwritten(with_them, names, tr.merged) != left:
            return False
        changed = with_them
        return True

    fewest(early, suffice)
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
    if again < names:
        tr.open()
        following = tr.allocate_state(t, "next", path)
        mixed: tuple[Place, Reader, frozenset[str]]
        if cells:
            mixed = _with_cells(tr, t, cells, following, again, path)
        else:
            mixed = yield _with_parts_of(tr, t, place, current, following, again, path)
        yield write(tr, mixed[0], operand, *rest)
        block = only_changes(_allocating(tr.close(), mixed[2], following), names, tr.locals, tr.names.fresh)
        if not overwritten(block, names - again, tr.merged):
            tr.open()
            yield copy(tr, mixed[1], place, t, path)
            copies = only_changes(tr.close(), names, tr.locals, tr.names.fresh)
            tr.emit(*block.statements, *copies.statements)
            return
    following = tr.allocate_state(t, "next", path)
    yield write(tr, place_at(tr, t, following, path), operand, *rest)
    yield copy(tr, reader_at(tr, t, following, path), place, t, path)


def _with_cells(
    tr: Translator, t: Type, cells: Cells, following: Cells, again: frozenset[str], path: Path
) -> tuple[Place, Reader, frozenset[str]]:
    """The accumulator with new buffers in place of those that are read again: its place, its value, its buffers."""
    mixed = tuple(new if old[0].name in again else old for old, new in zip(cells, following, strict=True))
    names = frozenset(buffer.name for buffer, _ in mixed)
    return place_at(tr, t, mixed, path), reader_at(tr, t, mixed, path), names


def _with_parts_of(
    tr: Translator,
    t: Type,
    place: Place,
    current: Reader,
    following: Cells,
    again: frozenset[str],
    path: Path,
) -> Task[tuple[Place, Reader, frozenset[str]]]:
    """The same for an accumulator in any place, whose parts are replaced as a whole."""
    names: frozenset[str] = yield buffers_of(place, t)
    if not names & again:
        return place, current, names
    if not isinstance(t, PairType):
        new = frozenset(buffer.name for buffer, _ in following)
        return place_at(tr, t, following, path), reader_at(tr, t, following, path), new
    count = count_leaves(t.first)
    parts: list[tuple[Place, Reader, frozenset[str]]] = []
    for which, (part, cells) in enumerate(((t.first, following[:count]), (t.second, following[count:]))):
        target: Place = yield half_of(place, which)
        value: Reader = yield half(current, which)
        mixed: tuple[Place, Reader, frozenset[str]] = yield _with_parts_of(
            tr, part, target, value, cells, again, path
        )
        parts.append(mixed)
    (first, first_value, its_names), (second, second_value, more_names) = parts
    return (
        PairPlace(lambda: done(first), lambda: done(second)),
        PairReader(lambda: done(first_value), lambda: done(second_value)),
        its_names | more_names,
    )


def _allocating(block: Block, used: frozenset[str], allocated: Cells) -> Block:
    """The block without allocations of unused buffers."""
    unused = {buffer.name for buffer, _ in allocated} - used
    return Block(
        tuple(
            statement
            for statement in block.statements
            if not (isinstance(statement, Allocate) and statement.buffer.name in unused)
        )
    )
