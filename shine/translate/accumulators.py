"""Reductions that accumulate directly in their result. Independent of primitives other than reductions.

A reduction inside another's step that starts from the outer accumulator and is written to it needs no separate array.
While it is translated, its accumulator has a different name, which distinguishes reads of the outer one; at the end of
the translation both names are merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rise.naturals import Nat, NatVar, nat
from rise.primitives import PROJECTIONS, applied, has_trait, with_trait
from rise.quotients import linear_in
from rise.terms import App, Bound, Expr, Lam, Primitive
from rise.types import FragmentType, PairType, Type, VectorType
from shine.imperative.nodes import Block, Buffer, Load, Piece, scalar_of
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.translate.core import Operand, Term, Translator, read, unwind
from shine.translate.layout import leaves_of
from shine.translate.memory import element_of, half_of
from shine.translate.trampoline import Task
from shine.translate.values import (
    ArrayPlace,
    ArrayReader,
    CellPlace,
    FragmentPlace,
    FragmentReader,
    PairPlace,
    PairReader,
    Place,
    Reader,
    ScalarReader,
    element,
    half,
    rows,
)

_REDUCTIONS: Final = applied(with_trait("reduces", "loops"))


def starts_in_place(tr: Translator, start: Operand, place: Place, t: Type) -> Task[dict[str, Buffer]]:
    """The buffers of a place, by name, if it already contains a loop's start value; otherwise none."""
    start = without_copies(start)
    buffers: dict[str, Buffer] = {}
    components = components_of(start)
    if components is not None and isinstance(t, PairType) and isinstance(place, PairPlace):
        for which, (component, part) in enumerate(zip(components, (t.first, t.second), strict=True)):
            target: Place = yield half_of(place, which)
            found: dict[str, Buffer] = yield starts_in_place(tr, component, target, part)
            if not found:
                return {}
            buffers |= found
        return buffers
    if not is_variable(start):
        return {}
    reader: Reader = yield read(tr, start)
    tr.open()  # what reading an element at any index emits is dropped
    is_same: bool = yield _is_same(reader, place, t, buffers)
    tr.close()
    return buffers if is_same else {}


def components_of(operand: Operand) -> tuple[Term, Term] | None:
    """The components of a pair that a term makes; None for other operands."""
    if not isinstance(operand, Term) or operand.expr.root != ("pair", 2):
        return None
    first, second = unwind(operand, ()).arguments
    return first, second


def without_copies(operand: Operand) -> Operand:
    """The array that an operand copies element by element; the operand itself if it is not a copy."""
    while isinstance(operand, Term) and (source := _copied(operand.expr)) is not None:
        operand = Term(source, operand.variables, operand.path.child(1), operand.name)
    return operand


def _copied(e: Expr) -> Expr | None:
    """The array that a term copies in loops, or None."""
    match e:
        case App(App(Primitive() as loop, function), source) if _is_loop(loop.name) and is_copy(function):
            return source
    return None


def _is_loop(name: str) -> bool:
    return has_trait(name, "loops") and has_trait(name, "maps")


def is_copy(function: Expr) -> bool:
    """Whether a function returns its argument, or copies it in loops.

    >>> import rise
    >>> is_copy(rise.parse("fun(x: 4.f32 => x |> mapSeq(fun(y => y)))").main)
    True
    """
    match function:
        case Lam(_, _, Bound(0)):
            return True
        case Lam(_, _, body):
            source = _copied(body)
            return isinstance(source, Bound) and source.index == 0
    return False


def is_variable(operand: Operand) -> bool:
    """Whether an operand is a variable, or a part of one."""
    if not isinstance(operand, Term):
        return True
    e = operand.expr
    while isinstance(e, App) and isinstance(e.fun, Primitive) and e.fun.name in PROJECTIONS:
        e = e.arg
    return isinstance(e, Bound)


def is_reduction(operand: Operand) -> bool:
    """Whether an operand is a reduction."""
    return isinstance(operand, Term) and operand.expr.root in _REDUCTIONS


def memory_for(place: Place, t: Type) -> Task[dict[str, Buffer]]:
    """The buffers of a place, by name, if accumulating there is as good as in a temporary: the place is in row-major
    order, like a temporary of unknown size. Otherwise none; a temporary of known size may be in registers.
    """
    buffers: dict[str, Buffer] = {}
    if any(leaf.size.constant is not None for leaf in leaves_of(t, ())):
        return buffers
    is_plain: bool = yield _is_plain(place, t, None, buffers)
    return buffers if is_plain else {}


def _is_plain(place: Place, t: Type, last: NatVar | None, buffers: dict[str, Buffer]) -> Task[bool]:
    """Whether the elements at `last`, the index of the last axis, are next to each other in each buffer."""
    shape = rows(t)
    match place:
        case ArrayPlace() if shape is not None:
            i = _any_index(shape)
            target: Place = yield element_of(place, nat(i))
            is_plain: bool = yield _is_plain(target, shape[1], i, buffers)
            return is_plain
        case PairPlace() if isinstance(t, PairType):
            for which, part in enumerate((t.first, t.second)):
                target = yield half_of(place, which)
                is_plain = yield _is_plain(target, part, last, buffers)
                if not is_plain:
                    return False
            return True
        case CellPlace(buffer, index) if buffer.name not in buffers:
            buffers[buffer.name] = buffer
            linear = None if last is None else linear_in(index, last)
            return linear is not None and linear[0].constant == 1
    return False


def _any_index(shape: tuple[Nat, Type]) -> NatVar:
    """A variable for the index of an axis. Its name depends on the number of inner axes, so that it is unique in the
    type.
    """
    depth, inner = 0, rows(shape[1])
    while inner is not None:
        depth, inner = depth + 1, rows(inner[1])
    return NatVar(f"any{depth}", shape[0])


def _is_same(reader: Reader, place: Place, t: Type, buffers: dict[str, Buffer]) -> Task[bool]:
    """Whether a value is read from exactly this place. Adds the buffers of the place to `buffers`."""
    shape = rows(t)
    if shape is not None and isinstance(place, ArrayPlace):
        i = _any_index(shape)
        value_at_i: Reader = yield element(reader, nat(i))
        target: Place = yield element_of(place, nat(i))
        is_same: bool = yield _is_same(value_at_i, target, shape[1], buffers)
        return is_same
    match t, reader, place:
        case PairType(), PairReader(), PairPlace():
            for which, part in enumerate((t.first, t.second)):
                value: Reader = yield half(reader, which)
                target = yield half_of(place, which)
                is_same = yield _is_same(value, target, part, buffers)
                if not is_same:
                    return False
            return True
        case FragmentType(), FragmentReader(piece), FragmentPlace(target_piece) if piece == target_piece:
            buffers[piece.buffer.name] = piece.buffer
            return True
        case _, ScalarReader(Load(buffer, index, 1)), CellPlace(target_buffer, target_index) if (
            buffer,
            index,
        ) == (target_buffer, target_index):
            buffers[buffer.name] = buffer
            return True
    return False


def with_buffers(place: Place, names: Mapping[str, Buffer]) -> Place:
    """The place, with its buffers replaced by name."""
    match place:
        case ArrayPlace(element):

            def at(i: Any) -> Task[Place]:
                target: Place = yield element(i)
                return with_buffers(target, names)

            return ArrayPlace(at)
        case PairPlace(first, second):

            def part(find: Any) -> Task[Place]:
                target: Place = yield find()
                return with_buffers(target, names)

            return PairPlace(lambda: part(first), lambda: part(second))
        case FragmentPlace(Piece(buffer, index)):
            return FragmentPlace(Piece(names[buffer.name], index))
        case CellPlace(buffer, index):
            return CellPlace(names[buffer.name], index)
    raise AssertionError(f"{place!r} is no place of an accumulator")


def reader_of(place: Place, t: Type) -> Reader:
    """The value stored in a place."""
    shape = rows(t)
    match place:
        case ArrayPlace(element) if shape is not None:
            inner = shape[1]

            def at(i: Any) -> Task[Reader]:
                target: Place = yield element(i)
                return reader_of(target, inner)

            return ArrayReader(at)
        case PairPlace(first, second) if isinstance(t, PairType):

            def part(find: Any, part_type: Type) -> Task[Reader]:
                target: Place = yield find()
                return reader_of(target, part_type)

            return PairReader(lambda: part(first, t.first), lambda: part(second, t.second))
        case FragmentPlace(piece):
            return FragmentReader(piece)
        case CellPlace(buffer, index) if not isinstance(t, VectorType):
            return ScalarReader(Load(buffer, index, 1, True, scalar_of(t)))
    raise AssertionError(f"{place!r} is no place of an accumulator")


def merge_names(body: Block, names: Mapping[str, Buffer]) -> Block:
    """The statements with inner accumulators replaced by the outer ones that `names` gives."""
    if not names:
        return body

    def outer(cell: Cell) -> Cell:
        buffer = cell.buffer
        while buffer.name in names:
            buffer = names[buffer.name]
        return cell if buffer is cell.buffer else replace(cell, buffer=buffer)

    return rewrite_block(body, Parts(cell=outer))
