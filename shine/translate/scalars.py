"""Translations of arithmetic, and of vectors made from arrays. Knows no loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.arguments.ragged import part_of
from rise.naturals import Nat, NatVar, const, nat
from rise.nodes import postorder
from rise.primitives import PRIMITIVES, with_trait
from rise.primitives.widths import widths_differ
from rise.quotients import floor_quotient, remainder
from rise.terms import Primitive
from rise.types import DepArrayType, IndexType, PairType, Type, VectorType, type_at
from shine.imperative.errors import fail
from shine.imperative.nodes import I64, Condition, Index, Operation, Value
from shine.imperative.vectors import lane_of, vector_of
from shine.imperative.walk import loads
from shine.translate.access import holds_array
from shine.translate.core import Call, Operand, Term, Translation, Translator, read, write
from shine.translate.guards import Computed, Thunk, branch, computed, either, negated
from shine.translate.layout import lanes_of
from shine.translate.memory import nested, operation
from shine.translate.paths import Path
from shine.translate.places import place_view
from shine.translate.trampoline import Task
from shine.translate.values import (
    ArrayReader,
    PairReader,
    Place,
    Reader,
    ScalarReader,
    as_index,
    element,
    half,
    rows,
)
from shine.translate.views import array_of

_LOOPS: Final = with_trait("loops") | {"toMem"}


def as_scalar(reader: Reader) -> ScalarReader:
    """The reader of a number or a vector."""
    assert isinstance(reader, ScalarReader), reader
    return reader


def read_operation(tr: Translator, call: Call) -> Task[Reader]:
    """Arguments from the left, then the operation."""
    wrong = widths_differ(call.implicits) if PRIMITIVES[call.name].same_width else None
    if wrong is not None:
        fail(wrong.code, wrong.title, wrong.hint, call.path.origin)
    arguments: list[ScalarReader] = []
    for operand in call.operands:
        argument: Reader = yield read(tr, operand)
        arguments.append(as_scalar(argument))
    return operation(tr, call.name, tuple(arguments), call.type, call.path)


def read_select(tr: Translator, call: Call) -> Task[Reader]:
    """The one or the other value; of arrays and pairs their parts."""
    condition: Reader = yield read(tr, call.operands[0])
    chosen = as_scalar(condition)
    if holds_array(call.type) or isinstance(call.type, PairType):
        chosen = ScalarReader(tr.define(chosen.value, "choice", call.path))
    yes, no = call.operands[1:]
    found: Reader
    if isinstance(call.type, PairType) and not holds_array(call.type) and (_loops(yes) or _loops(no)):
        holds = _as_condition(tr, chosen, call.path)
        found = yield branch(tr, call.type, holds, lambda: read(tr, yes), lambda: read(tr, no), call.path)
    else:
        found = yield select(tr, call.type, chosen, lambda: read(tr, yes), lambda: read(tr, no), call.path)
    return found


def write_select(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Fill the place by the one or the other, each where the condition chooses it."""
    condition: Reader = yield read(tr, call.operands[0])
    holds = _as_condition(tr, as_scalar(condition), call.path)
    yield tr.when(holds, call.path, lambda: write(tr, place, call.operands[1]))
    for guard in negated(holds):
        yield tr.when(guard, call.path, lambda: write(tr, place, call.operands[2]))


def _loops(operand: Operand) -> bool:
    """Whether a value is computed by a loop."""
    if not isinstance(operand, Term):
        return False
    return any(isinstance(node, Primitive) and node.name in _LOOPS for node in postorder(operand.expr))


def _as_condition(tr: Translator, chosen: ScalarReader, path: Path) -> Condition:
    """The truth of a value, as naturals say it."""
    number = Operation("select", (chosen.value, Index(const(1), I64), Index(const(0), I64)), I64)
    return Condition(((const(0), tr.define_index(number, const(2), path)),))


def select(
    tr: Translator, t: Type, condition: ScalarReader, yes: Thunk, no: Thunk, path: Path
) -> Task[Reader]:
    """A value that a condition selects; what is not chosen is not evaluated."""
    shape = rows(t)
    if shape is not None:
        one: Reader = yield yes()
        two: Reader = yield no()
        inner = shape[1]
        return ArrayReader(
            lambda i: select(tr, inner, condition, lambda: element(one, i), lambda: element(two, i), path)
        )
    if isinstance(t, DepArrayType):
        one = yield yes()
        two = yield no()
        return _select_rows(tr, t, condition, one, two, path)
    if isinstance(t, PairType):
        one = yield yes()
        two = yield no()
        first, second = t.first, t.second
        return PairReader(
            lambda: select(tr, first, condition, lambda: half(one, 0), lambda: half(two, 0), path),
            lambda: select(tr, second, condition, lambda: half(one, 1), lambda: half(two, 1), path),
        )
    both: tuple[Computed, Computed] = yield computed(tr, t, yes, no, path)
    (before, one), (before_other, two) = both
    if isinstance(t, IndexType) or before.statements or before_other.statements:
        return either(tr, t, _as_condition(tr, condition, path), *both, path)
    return operation(tr, "select", (condition, as_scalar(one), as_scalar(two)), t, path)


def _select_rows(
    tr: Translator, t: DepArrayType, condition: ScalarReader, one: Reader, two: Reader, path: Path
) -> Reader:
    """A dependent array that a condition selects: each row, or each element where both lie behind each other."""

    def row(i: Nat) -> Task[Reader]:
        of_row = tr.measured(type_at(t.family, i), path)
        return select(tr, of_row, condition, lambda: element(one, i), lambda: element(two, i), path)

    part = part_of(t)
    if part is None or not (
        isinstance(one, ArrayReader) and one.flat and isinstance(two, ArrayReader) and two.flat
    ):
        return ArrayReader(row)
    inner, first, second = part.element, one.flat, two.flat
    return ArrayReader(row, lambda k: select(tr, inner, condition, lambda: first(k), lambda: second(k), path))


def read_index_as_int(tr: Translator, call: Call) -> Task[Reader]:
    """The natural as a number."""
    index: Reader = yield read(tr, call.last)
    return ScalarReader(Index(as_index(index), I64))


def read_broadcast(tr: Translator, call: Call) -> Task[Reader]:
    """The same number in every lane."""
    value: Reader = yield read(tr, call.last)
    return operation(tr, "broadcast", (as_scalar(value),), call.type, call.path)


def vector_type(t: Type) -> VectorType:
    """The type of a vector."""
    assert isinstance(t, VectorType), t
    return t


def read_as_vector(is_aligned: bool) -> Callable[[Translator, Call], Task[Reader]]:
    """n scalars in a row at once; what is not in a row is gathered lane by lane."""

    def read_vectors(tr: Translator, call: Call) -> Task[Reader]:
        xs: Reader = yield read(tr, call.last)
        t = vector_type(array_of(call.type).element)
        count = lanes_of(t, call.path.origin)
        lane = NatVar("lane", const(count))

        def at(i: Nat) -> Task[Reader]:
            tr.open()
            one: Reader = yield element(xs, i * count + nat(lane))
            if not tr.close().statements:
                scalar = as_scalar(one)
                vector = vector_of(tr, scalar.value, lane, is_aligned)
                if is_aligned:
                    _refuse_misaligned(vector, count, call.path)
                return nested(tr, vector, scalar.depth + 1, call.path)
            values: list[Value] = []
            for number in range(count):
                one = yield element(xs, i * count + number)
                values.append(as_scalar(one).value)
            return ScalarReader(tr.define(Operation("vector", tuple(values), t), "lanes", call.path))

        return ArrayReader(at)

    return read_vectors


def _refuse_misaligned(vector: Value, count: int, path: Path) -> None:
    for load in loads(vector):
        offset = remainder(load.index, const(count)).constant
        if load.lanes > 1 and offset is not None and offset > 0:
            fail(
                "misaligned",
                f"expected vectors at multiples of {count} elements, found one {offset} past a multiple",
                "use asVector, which needs no alignment",
                path.origin,
            )


def read_as_scalar(tr: Translator, call: Call) -> Task[Reader]:
    """One lane of a vector."""
    xs: Reader = yield read(tr, call.last)
    n = vector_type(array_of(call.parameters[0]).element).size

    def at(k: Nat) -> Task[Reader]:
        vector: Reader = yield element(xs, floor_quotient(k, n))
        scalar = as_scalar(vector)
        return ScalarReader(lane_of(scalar.value, remainder(k, n)), scalar.depth)

    return ArrayReader(at)


SCALARS: Final = (
    *(
        Translation(name, "read -> read", read=read_operation)
        for name in sorted(with_trait("lanewise") | with_trait("predicate"))
    ),
    Translation("select", "read -> a -> a -> a", read=read_select, write=write_select),
    Translation("indexAsInt", "read -> read", read=read_index_as_int),
)

VECTORS: Final = (
    Translation("vectorFromScalar", "read -> read", read=read_broadcast),
    Translation("asVector", "a -> a", read=read_as_vector(False), place=place_view),
    Translation("asVectorAligned", "a -> a", read=read_as_vector(True), place=place_view),
    Translation("asScalar", "a -> a", read=read_as_scalar, place=place_view),
)
