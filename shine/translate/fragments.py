"""Translations of fragments where there are no tensor cores: matrices in temporaries, products as loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.naturals import Nat
from rise.types import FragmentType, Type
from shine.imperative import Assign, Load, Operation, Value
from shine.translate.core import Call, Known, Translation, Translator, read, write
from shine.translate.memory import copy, element_of, store
from shine.translate.paths import Path
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import Place, Reader, ScalarReader, element, scalar_of


def fragment_of(t: Type) -> FragmentType:
    """The type of a fragment."""
    assert isinstance(t, FragmentType), t
    return t


def cell_of(place: Place, i: Nat, j: Nat) -> Task[Place]:
    """The place of one number."""
    row: Place = yield element_of(place, i)
    cell: Place = yield element_of(row, j)
    return cell


def number_at(reader: Reader, i: Nat, j: Nat) -> Task[Reader]:
    """One number."""
    row: Reader = yield element(reader, i)
    number: Reader = yield element(row, j)
    return number


def for_each_number(
    tr: Translator, t: FragmentType, path: Path, one: Callable[[Nat, Nat], Task[None]]
) -> Task[None]:
    """Loops over rows and columns."""

    def row(i: Nat) -> Task[None]:
        yield tr.loop("seq", t.columns, "column", path, lambda j: one(i, j))

    yield tr.loop("seq", t.rows, "row", path, row)


def write_copy(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Loads and stores of a fragment copy it."""
    source: Reader = yield read(tr, call.last)
    yield copy(tr, source, place, call.type, call.path)


def write_filled(tr: Translator, call: Call, place: Place) -> Task[None]:
    """The same number everywhere."""
    t = fragment_of(call.type)
    number: Reader = yield read(tr, call.last)
    value = ScalarReader(tr.define(as_scalar(number).value, "fill", call.path))

    def one(i: Nat, j: Nat) -> Task[None]:
        cell: Place = yield cell_of(place, i, j)
        yield store(tr, cell, value, t.element, call.path)

    yield for_each_number(tr, t, call.path, one)


def write_elementwise(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A function of the numbers at the same place."""
    t = fragment_of(call.type)
    function, *operands = call.operands
    sources: list[Reader] = []
    for operand in operands:
        source: Reader = yield read(tr, operand)
        sources.append(source)

    def one(i: Nat, j: Nat) -> Task[None]:
        numbers: list[Known] = []
        for source in sources:
            number: Reader = yield number_at(source, i, j)
            numbers.append(Known(number, t.element))
        cell: Place = yield cell_of(place, i, j)
        yield write(tr, cell, function, *numbers)

    yield for_each_number(tr, t, call.path, one)


def write_product(tr: Translator, call: Call, place: Place) -> Task[None]:
    """The accumulator plus a product: sums run along k from the first, in the accumulator's type."""
    t = fragment_of(call.type)
    scalar = scalar_of(t.element)
    readers: list[Reader] = []
    for operand in call.operands:
        reader: Reader = yield read(tr, operand)
        readers.append(reader)
    a, b, c = readers

    def one(i: Nat, j: Nat) -> Task[None]:
        ((buffer, zero),) = tr.allocate(scalar, "Local", "sum", call.path)
        total = Load(buffer, zero, 1, True, scalar)
        start: Reader = yield number_at(c, i, j)
        tr.emit(Assign(buffer, zero, as_scalar(start).value, True, call.path.origin))

        def step(k: Nat) -> Task[None]:
            left: Reader = yield number_at(a, i, k)
            right: Reader = yield number_at(b, k, j)
            factors = tuple(converted(as_scalar(one).value) for one in (left, right))
            product = Operation("mul", factors, scalar)
            tr.emit(Assign(buffer, zero, Operation("add", (total, product), scalar), True, call.path.origin))

        yield tr.loop("seq", t.depth, "k", call.path, step)
        cell: Place = yield cell_of(place, i, j)
        yield store(tr, cell, ScalarReader(total), t.element, call.path)

    def converted(value: Value) -> Value:
        return value if value.type == scalar else Operation("cast", (value,), scalar)

    yield for_each_number(tr, t, call.path, one)


FRAGMENTS: Final = (
    *(
        Translation(name, "read -> write", write=write_copy)
        for name in ("asFragmentA", "asFragmentB", "asFragmentAcc")
    ),
    Translation("asMatrix", "read -> write", write=write_copy),
    Translation("generateFragment", "read -> write", write=write_filled),
    Translation("mapFragment", "(read -> read) -> read -> write", write=write_elementwise),
    Translation("zipFragment", "(read -> read -> read) -> read -> read -> write", write=write_elementwise),
    Translation("tensorMatMulAdd", "read -> read -> read -> write", write=write_product),
)
