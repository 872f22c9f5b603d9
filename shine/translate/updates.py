"""Translates steps of loops: what is stored to the accumulator, in place or through a second one. Knows no loop.

`shine.imperative.updates` decides what may be overwritten.
"""

from __future__ import annotations

from typing import Any

from rise.terms import App, Bound, Expr, Lam, Primitive, Var
from rise.types import Type
from shine.imperative.nodes import Allocate, Block
from shine.imperative.updates import only_changes, overwritten
from shine.translate.access import holds_array
from shine.translate.core import Known, Operand, Term, Translator, Variables, enter, unwind, write
from shine.translate.layout import Cells
from shine.translate.memory import copy, place_at, reader_at
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
    """Store f(..., acc, ...) to the accumulator's place; those of its `cells` whose elements would be read after they
    are written, or all of it, through a second accumulator. A function that first names a next value, and from then on
    reads no other, is two such updates.
    """
    operand, rest = function, (*before, Known(current, t), *after)
    if not holds_array(t):
        yield write(tr, place, operand, *rest)
        return
    outer = function.variables if isinstance(function, Term) else None
    while not isinstance(place, GuardedPlace):
        found: tuple[Operand | None, Operand, tuple[Any, ...]] = yield _first_update(
            tr, operand, rest, Known(current, t), outer, after
        )
        first, operand, rest = found
        if first is None:
            break
        yield _update_once(tr, first, (), t, place, current, names, path, cells)
    yield _update_once(tr, operand, rest, t, place, current, names, path, cells)


def _first_update(
    tr: Translator,
    operand: Operand,
    rest: tuple[Any, ...],
    state: Known,
    outer: Variables,
    allowed: tuple[Any, ...],
) -> Task[tuple[Operand | None, Operand, tuple[Any, ...]]]:
    """The next value of a state that an expression stores under a name, and the rest of the expression, in which that
    value is the state; no value if there is none, or if the rest reads arrays that may be views of the state before.
    """
    while isinstance(operand, Term):
        parts = unwind(operand, rest)
        match parts.head, parts.arguments:
            case ((Primitive() | Var()), _):
                break
            case Lam(_, parameter, body), [Term(App() as stored, variables, path)] if (
                stored.root == ("toMem", 1)
                and parameter == state.type
                and not _reads_arrays(body, 1, operand.variables, outer, allowed)
            ):
                first = Term(stored.arg, variables, path.child(1))
                return first, Term(body, (state, operand.variables), parts.path.child(0)), ()
        operand, rest = yield enter(tr, parts, operand.variables)
    return None, operand, rest


def _reads_arrays(
    e: Expr, own: int, variables: Variables, outer: Variables, allowed: tuple[Any, ...]
) -> bool:
    """Whether an expression, or a variable in it that stands for one, uses an array of `variables` up to `outer`, other
    than those allowed. The first `own` variables of the expression are not among them.
    """
    waiting: list[tuple[Expr, int, Variables]] = [(e, own, variables)]
    while waiting:
        part, inside, scope = waiting.pop()
        for index in _free_variables(part, inside):
            entry = scope
            for _ in range(index):
                if entry is outer or entry is None:
                    break
                entry = entry[1]
            if entry is outer or entry is None:
                continue
            match entry[0]:
                case Term(expr, its_variables):
                    waiting.append((expr, 0, its_variables))
                case Known(_, t) as known if known in allowed or not holds_array(t):
                    pass
                case _:
                    return True
    return False


def _free_variables(e: Expr, own: int) -> set[int]:
    """The indices of variables that are bound outside of an expression, and of its first ones."""
    found: set[int] = set()
    waiting = [(e, own)]
    while waiting:
        part, inside = waiting.pop()
        if part.loose <= inside:
            continue
        if isinstance(part, Bound):
            found.add(part.index - inside)
            continue
        waiting += [(child, inside + isinstance(part, Lam)) for child in part.children]
    return found


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
    block = only_changes(tr.close(), names, tr.locals, tr.names.fresh)
    again = overwritten(block, names, tr.merged)
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
    """The block without the allocations of buffers that are not used."""
    unused = {buffer.name for buffer, _ in allocated} - {buffer.name for buffer, _ in used}
    return Block(
        tuple(
            statement
            for statement in block.statements
            if not (isinstance(statement, Allocate) and statement.buffer.name in unused)
        )
    )
