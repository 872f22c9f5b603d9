"""Translates arithmetic, and vectors made from arrays. Independent of loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rise.arguments.ragged_arrays import part_of
from rise.naturals import Nat, const, nat
from rise.primitives import PRIMITIVES, with_trait
from rise.primitives.index_numbers import NEAREST
from rise.primitives.related_types import unrelated
from rise.quotients import floor_quotient, maximum, remainder
from rise.terms import has_primitive
from rise.types import DepArrayType, IndexType, PairType, Type, VectorType, type_at
from shine.imperative.errors import fail
from shine.imperative.nodes import (
    I64,
    Allocate,
    Block,
    Condition,
    Define,
    DefineIndex,
    Guarded,
    If,
    Index,
    Operation,
    Statement,
    Value,
)
from shine.imperative.vectors import lane_of, vector_of
from shine.imperative.walk import enclosed, loads
from shine.translate.access import holds_array
from shine.translate.choices import Choice
from shine.translate.core import Call, Operand, Term, Translation, Translator, read, write
from shine.translate.guards import Computed, Thunk, branch, computed, either, negated, zero
from shine.translate.layout import lanes_of
from shine.translate.memory import nested, operation
from shine.translate.paths import Path
from shine.translate.places import place_view
from shine.translate.trampoline import Task
from shine.translate.values import (
    ArrayReader,
    IndexReader,
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
    """Evaluate the arguments from left to right, then apply the operation."""
    mismatch = unrelated(PRIMITIVES[call.name].relation, call.implicits)
    if mismatch is not None:
        fail(mismatch.code, mismatch.title, mismatch.hint, call.path.origin)
    arguments: list[ScalarReader] = []
    for operand in call.operands:
        argument: Reader = yield read(tr, operand)
        arguments.append(as_scalar(argument))
    return operation(tr, call.name, tuple(arguments), call.type, call.path)


def read_select(tr: Translator, call: Call) -> Task[Reader]:
    """One of two values; arrays and pairs are selected by component."""
    condition: Reader = yield read(tr, call.operands[0])
    chosen = as_scalar(condition)
    if holds_array(call.type) or isinstance(call.type, PairType):
        chosen = ScalarReader(tr.define(chosen.value, "choice", call.path))
    yes, no = call.operands[1:]
    result: Reader
    if isinstance(call.type, PairType) and not holds_array(call.type) and (_loops(yes) or _loops(no)):
        holds = as_condition(tr, chosen, call.path)
        result = yield branch(tr, call.type, holds, lambda: read(tr, yes), lambda: read(tr, no), call.path)
    else:
        result = yield select(tr, call.type, chosen, lambda: read(tr, yes), lambda: read(tr, no), call.path)
    return result


def write_select(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Fill the place with the value that the condition selects."""
    condition: Reader = yield read(tr, call.operands[0])
    holds = as_condition(tr, as_scalar(condition), call.path)
    yield tr.when(holds, call.path, lambda: write(tr, place, call.operands[1]))
    for guard in negated(holds):
        yield tr.when(guard, call.path, lambda: write(tr, place, call.operands[2]))


def _loops(operand: Operand) -> bool:
    """Whether a value is computed by a loop."""
    if not isinstance(operand, Term):
        return False
    return has_primitive(operand.expr, *_LOOPS)


def as_condition(tr: Translator, chosen: ScalarReader, path: Path) -> Condition:
    """A truth value as a condition on naturals."""
    number = Operation("select", (chosen.value, Index(const(1), I64), Index(const(0), I64)), I64)
    return Condition(((const(0), tr.define_index(number, const(2), path)),))


def select(
    tr: Translator, t: Type, condition: ScalarReader, yes: Thunk, no: Thunk, path: Path
) -> Task[Reader]:
    """A value that a condition selects; statements of the other value that may fail do not run."""
    shape = rows(t)
    if shape is not None:
        yes_value: Reader = yield only_if(tr, condition, True, yes, path)
        no_value: Reader = yield only_if(tr, condition, False, no, path)
        inner = shape[1]
        return ArrayReader(
            lambda i: select(
                tr, inner, condition, lambda: element(yes_value, i), lambda: element(no_value, i), path
            )
        )
    if isinstance(t, DepArrayType):
        yes_value = yield only_if(tr, condition, True, yes, path)
        no_value = yield only_if(tr, condition, False, no, path)
        return _select_rows(tr, t, condition, yes_value, no_value, path)
    if isinstance(t, PairType):
        yes_value = yield only_if(tr, condition, True, yes, path)
        no_value = yield only_if(tr, condition, False, no, path)
        first, second = t.first, t.second
        return PairReader(
            lambda: select(tr, first, condition, lambda: half(yes_value, 0), lambda: half(no_value, 0), path),
            lambda: select(
                tr, second, condition, lambda: half(yes_value, 1), lambda: half(no_value, 1), path
            ),
        )
    branches: tuple[Computed, Computed] = yield computed(tr, t, yes, no, path)
    (yes_block, yes_value), (no_block, no_value) = branches
    if isinstance(t, IndexType) or yes_block.statements or no_block.statements:
        return either(tr, t, as_condition(tr, condition, path), *branches, path)
    return operation(tr, "select", (condition, as_scalar(yes_value), as_scalar(no_value)), t, path)


def only_if(tr: Translator, condition: ScalarReader, holds: bool, value: Thunk, path: Path) -> Task[Reader]:
    """An array or a pair that is read only if a condition holds, or only if it does not (`holds`). If a statement that
    computes it may fail, they run only then; otherwise always, which costs no branch.
    """
    around = tr.choices.inner
    choice = tr.choices.inner = Choice(condition.value, holds, around)
    tr.open()
    reader: Reader = yield value()
    tr.choices.inner = around
    if choice.local is None and not any(map(tr.choices.may_fail, tr.scope.statements)):
        tr.merge()
        return reader
    block = tr.close()
    is_read = choice.is_read(tr.names)
    tr.emit(Define(is_read, choice.defined(tr.names), path.origin))
    guard = as_condition(tr, ScalarReader(is_read), path)
    for statement in block.statements:
        guarded = statement
        if id(statement) not in tr.choices.guarded:
            guarded = _guarded(tr, statement, guard, path)
            tr.choices.guarded[id(guarded)] = guarded
        tr.emit(guarded)
    return reader


def _guarded(tr: Translator, statement: Statement, condition: Condition, path: Path) -> Statement:
    """A statement that runs only if a condition holds, but defines and allocates the same."""
    match statement:
        case Define(value=value) | DefineIndex(value=value):
            unused = as_scalar(zero(value.type, path)).value
            return replace(statement, value=Guarded(condition, value, unused, value.type))
        case Allocate():
            return statement
    filled = Block((statement,))
    tr.refuse_deep(1 + max(len(around) for _, around in enclosed(filled)), path)
    return If(condition, filled, path.origin)


def _select_rows(
    tr: Translator, t: DepArrayType, condition: ScalarReader, yes_value: Reader, no_value: Reader, path: Path
) -> Reader:
    """A dependent array that a condition selects: by row, or by element where both have flat elements."""

    def row(i: Nat) -> Task[Reader]:
        of_row = tr.measured(type_at(t.family, i), path)
        return select(
            tr, of_row, condition, lambda: element(yes_value, i), lambda: element(no_value, i), path
        )

    part = part_of(t)
    if part is None or not (
        isinstance(yes_value, ArrayReader)
        and yes_value.flat
        and isinstance(no_value, ArrayReader)
        and no_value.flat
    ):
        return ArrayReader(row)
    inner, first, second = part.element, yes_value.flat, no_value.flat
    return ArrayReader(row, lambda k: select(tr, inner, condition, lambda: first(k), lambda: second(k), path))


def read_index_as_int(tr: Translator, call: Call) -> Task[Reader]:
    """The natural as a number."""
    index: Reader = yield read(tr, call.last)
    return ScalarReader(Index(as_index(index), I64))


def read_to_index(tr: Translator, call: Call) -> Task[Reader]:
    """A number as a natural. The operation that converts it to an index reports a failure if it is out of range."""
    number: Reader = yield read(tr, call.last)
    assert isinstance(call.type, IndexType), call
    size, value = call.type.size, as_scalar(number).value
    if call.name == NEAREST and tr.knows(const(0), size):  # which cannot fail
        least = Operation("min", (value, Index(size - 1, I64)), I64)
        made = Operation("max", (least, Index(const(0), I64)), I64)
    else:
        limit = call.implicits[0]
        assert isinstance(limit, Nat), limit
        made = Operation(call.name, (value, Index(limit, I64)), I64)
    below = size
    if not tr.knows(const(0), size):
        tr.perhaps_empty.add(size)
        below = maximum(size, const(1))  # 0 although the array has no elements: a guard of it stays
    return IndexReader(tr.define_index(made, below, call.path))


def read_broadcast(tr: Translator, call: Call) -> Task[Reader]:
    """The same number in every lane."""
    value: Reader = yield read(tr, call.last)
    return operation(tr, "broadcast", (as_scalar(value),), call.type, call.path)


def vector_type(t: Type) -> VectorType:
    """The type of a vector."""
    assert isinstance(t, VectorType), t
    return t


def read_as_vector(is_aligned: bool) -> Callable[[Translator, Call], Task[Reader]]:
    """Load n consecutive scalars at once; other elements are gathered lane by lane."""

    def read_vectors(tr: Translator, call: Call) -> Task[Reader]:
        xs: Reader = yield read(tr, call.last)
        t = vector_type(array_of(call.type).element)
        count = lanes_of(t, call.path.origin)

        def at(i: Nat) -> Task[Reader]:
            lane = tr.lane_of_next(count)
            tr.vectors += 1
            tr.open()
            lane_reader: Reader = yield element(xs, i * count + nat(lane))
            tr.vectors -= 1
            if not tr.close().statements:
                scalar = as_scalar(lane_reader)
                vector = vector_of(tr, scalar.value, lane, is_aligned)
                if is_aligned:
                    _refuse_misaligned(vector, count, call.path)
                return nested(tr, vector, scalar.depth + 1, call.path)
            values: list[Value] = []
            for number in range(count):
                lane_reader = yield element(xs, i * count + number)
                values.append(as_scalar(lane_reader).value)
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
    *(Translation(name, "read -> read", read=read_to_index) for name in sorted(with_trait("indexes"))),
)

VECTORS: Final = (
    Translation("vectorFromScalar", "read -> read", read=read_broadcast),
    Translation("asVector", "a -> a", read=read_as_vector(False), place=place_view),
    Translation("asVectorAligned", "a -> a", read=read_as_vector(True), place=place_view),
    Translation("asScalar", "a -> a", read=read_as_scalar, place=place_view),
)
