"""Reductions that accumulate where their result is wanted. Knows no primitive but reductions.

A reduction inside another's step that starts from the outer accumulator and is written to it needs no array of its own.
While it is translated, its accumulator goes by another name, so that what reads the outer one is told apart; at the end
of the translation both are one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rise.naturals import NatVar, nat
from rise.primitives import PROJECTIONS
from rise.terms import App, Bound, Primitive
from rise.types import FragmentType, PairType, Type, VectorType
from shine.imperative.nodes import Block, Buffer, Load, Piece, scalar_of
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.translate.core import Operand, Term, Translator, read
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


def starts_in_place(tr: Translator, start: Operand, place: Place, t: Type) -> Task[dict[str, Buffer]]:
    """The buffers of a place, by name, if a reduction's start value is what is there already; else none."""
    if not is_variable(start):
        return {}
    found: dict[str, Buffer] = {}
    reader: Reader = yield read(tr, start)
    same: bool = yield _is_same(reader, place, t, found)
    return found if same else {}


def is_variable(operand: Operand) -> bool:
    """Whether an operand is a variable, or a part of one."""
    if not isinstance(operand, Term):
        return True
    e = operand.expr
    while isinstance(e, App) and isinstance(e.fun, Primitive) and e.fun.name in PROJECTIONS:
        e = e.arg
    return isinstance(e, Bound)


def _is_same(reader: Reader, place: Place, t: Type, found: dict[str, Buffer]) -> Task[bool]:
    """Whether a place is where a value is read from; its buffers are added to those found."""
    shape = rows(t)
    if shape is not None and isinstance(place, ArrayPlace):
        i = NatVar("any", shape[0])
        one: Reader = yield element(reader, nat(i))
        target: Place = yield element_of(place, nat(i))
        same: bool = yield _is_same(one, target, shape[1], found)
        return same
    match t, reader, place:
        case PairType(), PairReader(), PairPlace():
            for which, part in enumerate((t.first, t.second)):
                value: Reader = yield half(reader, which)
                target = yield half_of(place, which)
                same = yield _is_same(value, target, part, found)
                if not same:
                    return False
            return True
        case FragmentType(), FragmentReader(piece), FragmentPlace(wanted) if piece == wanted:
            found[piece.buffer.name] = piece.buffer
            return True
        case _, ScalarReader(Load(buffer, index, 1)), CellPlace(into, at) if (buffer, index) == (into, at):
            found[buffer.name] = buffer
            return True
    return False


def under_other_names(place: Place, names: Mapping[str, Buffer]) -> Place:
    """The place, with other buffers for those of the names."""
    match place:
        case ArrayPlace(element):

            def at(i: Any) -> Task[Place]:
                found: Place = yield element(i)
                return under_other_names(found, names)

            return ArrayPlace(at)
        case PairPlace(first, second):

            def part(find: Any) -> Task[Place]:
                found: Place = yield find()
                return under_other_names(found, names)

            return PairPlace(lambda: part(first), lambda: part(second))
        case FragmentPlace(Piece(buffer, index)):
            return FragmentPlace(Piece(names[buffer.name], index))
        case CellPlace(buffer, index):
            return CellPlace(names[buffer.name], index)
    raise AssertionError(f"{place!r} is no place of an accumulator")


def reader_of(place: Place, t: Type) -> Reader:
    """What is in a place."""
    shape = rows(t)
    match place:
        case ArrayPlace(element) if shape is not None:
            inner = shape[1]

            def at(i: Any) -> Task[Reader]:
                found: Place = yield element(i)
                return reader_of(found, inner)

            return ArrayReader(at)
        case PairPlace(first, second) if isinstance(t, PairType):

            def part(find: Any, part_type: Type) -> Task[Reader]:
                found: Place = yield find()
                return reader_of(found, part_type)

            return PairReader(lambda: part(first, t.first), lambda: part(second, t.second))
        case FragmentPlace(piece):
            return FragmentReader(piece)
        case CellPlace(buffer, index) if not isinstance(t, VectorType):
            return ScalarReader(Load(buffer, index, 1, True, scalar_of(t)))
    raise AssertionError(f"{place!r} is no place of an accumulator")


def merge_names(body: Block, names: Mapping[str, Buffer]) -> Block:
    """The statements with one name for each accumulator: `names` has the outer one for each inner one."""
    if not names:
        return body

    def outer(cell: Cell) -> Cell:
        buffer = cell.buffer
        while buffer.name in names:
            buffer = names[buffer.name]
        return cell if buffer is cell.buffer else replace(cell, buffer=buffer)

    return rewrite_block(body, Parts(cell=outer))
