"""Translates fragments: matrices that a warp holds, their products, and functions of their elements.

The hardware determines which thread holds which element, so a fragment is loaded from memory and stored to memory as a
whole: the matrix in memory must have rows or columns with a fixed stride.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from rise.naturals import Nat, NatVar, nat
from rise.programs.foreign import Foreign
from rise.quotients import linear_in
from rise.terms import Lam
from rise.types import ArrayType, FragmentType, Type
from shine.imperative.errors import fail
from shine.imperative.nodes import (
    Buffer,
    FillFragment,
    Load,
    LoadFragment,
    Local,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    StoreFragment,
    scalar_of,
)
from shine.translate.core import Call, Known, Operand, Term, Translation, Translator, read
from shine.translate.memory import element_of
from shine.translate.paths import Path
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import (
    CellPlace,
    FragmentPlace,
    FragmentReader,
    Place,
    Reader,
    ScalarReader,
    element,
)

LOADED_FROM: Final = ("Global", "Shared")
#: in registers, each lane keeps the numbers that it holds
STORED_TO: Final = (*LOADED_FROM, "Local")


def fragment_of(t: Type) -> FragmentType:
    """Assert that a type is a fragment type, and return it."""
    assert isinstance(t, FragmentType), t
    return t


def piece_in(place: Place, path: Path) -> Piece:
    """The piece to which a fragment is written."""
    if not isinstance(place, FragmentPlace):
        title = "expected an unconditional fragment, found one under a condition"
        fail(
            "fragment-choice", title, "apply the condition before asFragment, or after asMatrix", path.origin
        )
    return place.piece


def piece_of(tr: Translator, operand: Operand) -> Task[Piece]:
    """The piece of an operand that is a fragment."""
    reader: Reader = yield read(tr, operand)
    assert isinstance(reader, FragmentReader), reader
    return reader.piece


def corner(t: ArrayType) -> tuple[NatVar, NatVar]:
    """Variables for a row and a column of a matrix."""
    assert isinstance(t.element, ArrayType), t
    return NatVar("row", t.size), NatVar("column", t.element.size)


def matrix_at(
    buffer: Buffer, index: Nat, i: NatVar, j: NatVar, path: Path, spaces: Collection[str]
) -> Matrix:
    """The matrix whose element (i, j) is at an index of a buffer, which must be in one of the memory spaces."""
    by_row = linear_in(index, i)
    by_column = None if by_row is None else linear_in(by_row[1], j)
    if by_row is not None and by_column is not None and buffer.space in spaces:
        (down, _), (along, start) = by_row, by_column
        is_fixed = (
            start.free.isdisjoint((i, j)) and down.free.isdisjoint((i, j)) and along.free.isdisjoint((i, j))
        )
        if is_fixed and (along.constant == 1 or down.constant == 1):
            by_rows = along.constant == 1
            return Matrix(buffer, start, down if by_rows else along, by_rows)
    title = "expected a matrix in memory whose rows or columns have a fixed stride"
    fail(
        "fragment-memory", title, "store it that way: toMem(Shared, ...), copied by the threads", path.origin
    )


def write_loaded(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Load a fragment from a matrix in memory."""
    t = call.parameters[-1]
    assert isinstance(t, ArrayType), t
    i, j = corner(t)
    rows: Reader = yield read(tr, call.last)
    row: Reader = yield element(rows, nat(i))
    tr.open()
    number: Reader = yield element(row, nat(j))
    computed = bool(tr.close().statements)
    if computed or not isinstance(number, ScalarReader) or not isinstance(number.value, Load):
        title = "expected a matrix in memory to load a fragment from, found one that is computed or padded"
        fail(
            "fragment-memory",
            title,
            "store it first: toMem(Shared, ...), copied by the threads",
            call.path.origin,
        )
    load = number.value
    source = matrix_at(load.buffer, load.index, i, j, call.path, LOADED_FROM)
    tr.emit(LoadFragment(piece_in(place, call.path), source, call.path.origin))


def write_stored(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Store an accumulator as a matrix in memory."""
    assert isinstance(call.type, ArrayType), call.type
    i, j = corner(call.type)
    source: Piece = yield piece_of(tr, call.last)
    row: Place = yield element_of(place, nat(i))
    cell: Place = yield element_of(row, nat(j))
    if not isinstance(cell, CellPlace):
        title = "expected a place in memory for a whole fragment, found one that drops a part of it"
        fail(
            "fragment-memory",
            title,
            "store to toMem(Shared, ...) first, and copy from there",
            call.path.origin,
        )
    target = matrix_at(cell.buffer, cell.index, i, j, call.path, STORED_TO)
    tr.emit(StoreFragment(target, source, call.path.origin))


def write_filled(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Fill a fragment with one number."""
    number: Reader = yield read(tr, call.last)
    value = tr.define(as_scalar(number).value, "fill", call.path)
    tr.emit(FillFragment(piece_in(place, call.path), value, call.path.origin))


def write_elementwise(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Apply a function to the elements at each position."""
    function, *operands = call.operands
    sources: list[Piece] = []
    parameters: list[Local] = []
    names = parameter_names(function)
    for operand in operands:
        piece: Piece = yield piece_of(tr, operand)
        sources.append(piece)
        name = names[len(parameters)] if len(parameters) < len(names) else "number"
        parameters.append(Local(tr.names.fresh(name), scalar_of(piece.type.element)))
    tr.open()
    numbers = [Known(ScalarReader(local), local.type) for local in parameters]
    result: Reader = yield read(tr, function, *numbers)
    value = as_scalar(result).value
    body = tr.close()
    target = piece_in(place, call.path)
    tr.emit(MapFragment(target, tuple(sources), tuple(parameters), body, value, call.path.origin))


def parameter_names(function: Operand) -> list[str]:
    """The names of a function's parameters."""
    names: list[str] = []
    e = function.expr if isinstance(function, Term) else None
    while isinstance(e, Lam):
        names.append(e.name)
        e = e.body
    return names


def write_product(tr: Translator, call: Call, place: Place, foreign: Foreign | None = None) -> Task[None]:
    """Write the sum of an accumulator and a product, computed by an instruction or by a foreign function."""
    pieces: list[Piece] = []
    for operand in call.operands:
        piece: Piece = yield piece_of(tr, operand)
        pieces.append(piece)
    left, right, addend = pieces
    tr.emit(MultiplyAdd(piece_in(place, call.path), left, right, addend, call.path.origin, foreign))


FRAGMENTS: Final = (
    Translation("asFragmentA", "read -> write", write=write_loaded),
    Translation("asFragmentB", "read -> write", write=write_loaded),
    Translation("asFragmentAcc", "read -> write", write=write_loaded),
    Translation("asMatrix", "read -> write", write=write_stored),
    Translation("generateFragment", "read -> write", write=write_filled),
    Translation("mapFragment", "(read -> read) -> read -> write", write=write_elementwise),
    Translation("zipFragment", "(read -> read -> read) -> read -> read -> write", write=write_elementwise),
    Translation("tensorMatMulAdd", "read -> read -> read -> write", write=write_product),
)
