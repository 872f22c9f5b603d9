"""Translates `scatter`, `reorder` and `scatterAdd`, which move elements to computed indices. Independent of targets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeGuard

from rise.diagnostics import RiseError
from rise.inference.schemes import instantiate_primitive
from rise.naturals import Nat, NatVar, const, nat
from rise.primitives import PRIMITIVES
from rise.programs.evaluation import evaluate
from rise.terms import apply
from rise.types import FunType, IndexType, ScalarType
from shine.imperative.errors import fail
from shine.imperative.nodes import Assign, AtomicUpdate, Load, LoopKind, Operation
from shine.translate.core import Call, Known, Operand, Term, Translation, Translator, read, write
from shine.translate.distinct_indices import Function, require_distinct, require_inverse
from shine.translate.guards import where_elements
from shine.translate.levels import level_of
from shine.translate.memory import copy, element_of, place_at, reader_at, store
from shine.translate.scalars import as_scalar
from shine.translate.trampoline import Task
from shine.translate.values import (
    ArrayPlace,
    ArrayReader,
    CellPlace,
    IndexReader,
    Place,
    Reader,
    ScalarReader,
    as_index,
    element,
)
from shine.translate.views import array_of


def place_scatter(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """Element k is written to the k-th index."""
    array = array_of(call.parameters[0])
    indices: Reader = yield read(tr, call.operands[0])
    meaning = partial(_elements, call.operands[0])
    yield require_distinct(tr, lambda k: element(indices, k), array.size, call.path, meaning)
    return ArrayPlace(lambda k: _place_at(place, lambda k: element(indices, k), k))


def _place_at(place: Place, function: Function, k: Nat) -> Task[Place]:
    """The place at the index that an injective function returns."""
    index: Reader = yield function(k)
    target: Place = yield element_of(place, as_index(index))
    return target


def _of_index(tr: Translator, function: Operand, size: Nat) -> Function:
    return lambda i: read(tr, function, Known(IndexReader(i), IndexType(size)))


def _elements(indices: Operand, count: int) -> list[int] | None:
    """The elements of an array that no variable determines."""
    if not _is_closed(indices):
        return None
    try:
        return [int(index) for index in evaluate(indices.expr)]
    except RiseError:
        return None


def _results(function: Operand, count: int) -> list[int] | None:
    """The results, for the indices below a number, of a function that no other variable determines."""
    if not _is_closed(function):
        return None
    assert isinstance(function.expr.type, FunType)
    generate = instantiate_primitive(PRIMITIVES["generate"], (const(count), function.expr.type.result))
    try:
        return [int(index) for index in evaluate(apply(generate, function.expr))]
    except RiseError:
        return None


def _is_closed(operand: Operand) -> TypeGuard[Term]:
    """A term without free variables and sizes."""
    return isinstance(operand, Term) and not (
        operand.expr.free or operand.expr.loose or operand.expr.dep_loose
    )


def read_reorder(tr: Translator, call: Call) -> Task[Reader]:
    """Element i is the argument's element f(i)."""
    f, inverse, operand = call.operands
    size = array_of(call.type).size
    forward = _of_index(tr, f, size)
    meanings = partial(_results, f), partial(_results, inverse)
    yield require_inverse(tr, forward, _of_index(tr, inverse, size), size, call.path, meanings)
    xs: Reader = yield read(tr, operand)

    def at(i: Nat) -> Task[Reader]:
        index: Reader = yield forward(i)
        value: Reader = yield element(xs, as_index(index))
        return value

    return ArrayReader(at)


def place_reorder(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """Element i is written to inverse(i)."""
    f, inverse, _ = call.operands
    size = array_of(call.type).size
    backward = _of_index(tr, inverse, size)
    meanings = partial(_results, f), partial(_results, inverse)
    yield require_inverse(tr, _of_index(tr, f, size), backward, size, call.path, meanings)
    return ArrayPlace(lambda i: _place_at(place, backward, i))


def write_scatter_add(tr: Translator, call: Call, place: Place) -> Task[None]:
    """A loop that adds to the elements of the place, or of a temporary if the place does not consist of cells."""
    cell: Place = yield _probe(tr, call, place)
    if isinstance(cell, CellPlace):
        yield write(tr, place, call.last)
        yield _add_all(tr, call, "seq", lambda i: element_of(place, i))
        return
    cells = tr.allocate(call.type, "Local", "sums", call.path)
    target, t = place_at(tr, call.type, cells, call.path), array_of(call.type).element
    sums = reader_at(tr, call.type, cells, call.path)
    tr.mutable.update(buffer.name for buffer, _ in cells)
    yield write(tr, target, call.last)
    indices, xs = yield _indices_and_values(tr, call)

    def add_element(k: Nat) -> Task[None]:
        index: Reader = yield element(indices, k)
        x: Reader = yield element(xs, k)

        def add() -> Task[None]:
            old: Reader = yield element(sums, as_index(index))
            new = Operation("add", (as_scalar(old).value, as_scalar(x).value), as_scalar(x).value.type)
            sum_place: Place = yield element_of(target, as_index(index))
            yield store(tr, sum_place, ScalarReader(new), t, call.path)

        yield where_elements(tr, array_of(call.type).size, add, call.path)

    yield tr.loop("seq", array_of(call.parameters[0]).size, "k", call.path, add_element)
    yield copy(tr, sums, place, call.type, call.path)


def write_atomic(level: Callable[[Call], LoopKind]) -> Callable[[Translator, Call, Place], Task[None]]:
    """A parallel loop of atomic updates."""

    def write_loop(tr: Translator, call: Call, place: Place) -> Task[None]:
        kind = level(call)
        cell: Place = yield _probe(tr, call, place)
        if not isinstance(cell, CellPlace) or not isinstance(array_of(call.type).element, ScalarType):
            title = f"expected an unguarded array of numbers for atomic updates, found parts of {call.type}, or a guard"
            hint = "store the sums first: toMem(Global, ...), or use scatterAddSeq"
            fail("atomic-type", title, hint, call.path.origin)
        yield write(tr, place, call.last)
        yield _add_all(tr, call, kind, lambda i: element_of(place, i))

    return write_loop


def _probe(tr: Translator, call: Call, place: Place) -> Task[Place]:
    """The place of an arbitrary element."""
    tr.open()
    cell: Place = yield element_of(place, nat(NatVar("any", array_of(call.type).size)))
    return cell if not tr.close().statements else place


def _indices_and_values(tr: Translator, call: Call) -> Task[tuple[Reader, Reader]]:
    indices: Reader = yield read(tr, call.operands[0])
    xs: Reader = yield read(tr, call.operands[1])
    return indices, xs


def _add_all(tr: Translator, call: Call, kind: LoopKind, place: Callable[[Nat], Task[Place]]) -> Task[None]:
    indices, xs = yield _indices_and_values(tr, call)

    def add_element(k: Nat) -> Task[None]:
        index: Reader = yield element(indices, k)
        x: Reader = yield element(xs, k)
        value = as_scalar(x).value

        def add() -> Task[None]:
            cell: Place = yield place(as_index(index))
            assert isinstance(cell, CellPlace), cell
            if kind == "seq":
                old = Load(cell.buffer, cell.index, 1, True, value.type)
                new = Operation("add", (old, value), value.type)
                tr.emit(Assign(cell.buffer, cell.index, new, True, call.path.origin))
            else:
                tr.emit(AtomicUpdate("add", cell.buffer, cell.index, value, call.path.origin))

        yield where_elements(tr, array_of(call.type).size, add, call.path)

    yield tr.loop(kind, array_of(call.parameters[0]).size, "k", call.path, add_element)


def _threads(call: Call) -> LoopKind:
    return "parallel"


_INDICES: Final = "read -> read -> write -> write"
_FUNCTIONS: Final = "(read -> read) -> (read -> read) -> a -> a"

PERMUTATIONS: Final = (
    Translation("scatter", "read -> write -> write", place=place_scatter),
    Translation("reorder", _FUNCTIONS, read=read_reorder, place=place_reorder),
    Translation("scatterAddSeq", _INDICES, write=write_scatter_add),
    Translation("scatterAddPar", _INDICES, write=write_atomic(_threads)),
    Translation("scatterAddGlobal", _INDICES, write=write_atomic(level_of)),
)
