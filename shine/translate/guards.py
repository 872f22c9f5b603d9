"""Chooses between two values by a condition on indices, for guarded reads. Independent of primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rise.indices import left_open
from rise.naturals import Nat, const
from rise.scalars import SCALARS, is_complex
from rise.types import ArrayType, FragmentType, IndexType, PairType, ScalarType, Type, VectorType
from shine.imperative.errors import fail
from shine.imperative.nodes import (
    I64,
    Assign,
    Block,
    Condition,
    Constant,
    Guarded,
    If,
    Index,
    Load,
    Operation,
    Value,
    scalar_of,
)
from shine.imperative.walk import enclosed
from shine.translate.context import Context
from shine.translate.memory import copy, nested, place_at, reader_at
from shine.translate.paths import Path
from shine.translate.trampoline import Task, done
from shine.translate.values import (
    ArrayReader,
    IndexReader,
    PairReader,
    Reader,
    ScalarReader,
    element,
    half,
    rows,
)

Thunk: TypeAlias = Callable[[], Task[Reader]]
Computed: TypeAlias = tuple[Block, Reader]


def condition(*below: tuple[Nat, Nat]) -> Condition | None:
    """The condition that a < b for all pairs, without pairs for which it always holds; None if it never holds
    for one.
    """
    pairs = left_open(below)
    return None if pairs is None else Condition(pairs)


def choose(
    cx: Context, t: Type, condition: Condition | None, yes: Thunk, no: Thunk, path: Path
) -> Task[Reader]:
    """`yes` if the condition holds (None: it never does), otherwise `no`; only the chosen one is evaluated."""
    reader: Reader
    condition = None if condition is None else cx.undecided(condition)
    shape = rows(t)
    if condition is None:
        reader = yield no()
    elif not condition.below:
        reader = yield yes()
    elif shape is not None:
        reader = _choose_array(cx, shape[1], condition, yes, no, path)
    elif isinstance(t, PairType):
        reader = _choose_pair(cx, t, condition, yes, no, path)
    else:
        reader = yield _choose_scalar(cx, t, condition, yes, no, path)
    return reader


def _choose_array(
    cx: Context, inner: Type, condition: Condition, yes: Thunk, no: Thunk, path: Path
) -> ArrayReader:
    def at(choice: Thunk, i: Nat) -> Thunk:
        def task() -> Task[Reader]:
            array: Reader = yield choice()
            value: Reader = yield element(array, i)
            return value

        return task

    return ArrayReader(lambda i: choose(cx, inner, condition, at(yes, i), at(no, i), path))


def _choose_pair(
    cx: Context, t: PairType, condition: Condition, yes: Thunk, no: Thunk, path: Path
) -> PairReader:
    def part(choice: Thunk, which: int) -> Thunk:
        def task() -> Task[Reader]:
            pair: Reader = yield choice()
            value: Reader = yield half(pair, which)
            return value

        return task

    return PairReader(
        lambda: choose(cx, t.first, condition, part(yes, 0), part(no, 0), path),
        lambda: choose(cx, t.second, condition, part(yes, 1), part(no, 1), path),
    )


def _choose_scalar(
    cx: Context, t: Type, condition: Condition, yes: Thunk, no: Thunk, path: Path
) -> Task[Reader]:
    both: tuple[Computed, Computed] = yield computed(cx, t, yes, no, path)
    return either(cx, t, condition, *both, path)


def computed(cx: Context, t: Type, yes: Thunk, no: Thunk, path: Path) -> Task[tuple[Computed, Computed]]:
    """Two numbers or vectors, each evaluated once, with the statements that must run before it."""
    refuse_fragment(t, path)
    cx.open()
    reader: Reader = yield yes()
    block = cx.close()
    cx.open()
    other: Reader = yield no()
    return (block, reader), (cx.close(), other)


def either(
    cx: Context, t: Type, condition: Condition, yes: Computed, no: Computed, path: Path
) -> IndexReader | ScalarReader:
    """One of two numbers or vectors, by a condition; the statements of the other one do not run."""
    (block, reader), (other_block, other) = yes, no
    value, depth = _value(reader)
    other_value, other_depth = _value(other)
    if block.statements or other_block.statements:
        chosen = _branches(cx, t, condition, (block, value), (other_block, other_value), path)
        depth = 0
    else:
        chosen = Guarded(condition, value, other_value, value.type)
        depth = 1 + max(depth, other_depth)
    if isinstance(t, IndexType):
        return IndexReader(cx.define_index(chosen, t.size, path))
    return nested(cx, chosen, depth, path)


def branch(cx: Context, t: Type, condition: Condition, yes: Thunk, no: Thunk, path: Path) -> Task[Reader]:
    """One of two values without arrays, by a condition; all of the chosen value is computed under the condition."""
    cells = cx.allocate(t, "Local", "chosen", path)
    place = place_at(cx, t, cells, path)
    for choice, guards in ((yes, [condition]), (no, negated(condition))):
        cx.open()
        value: Reader = yield choice()
        yield copy(cx, value, place, t, path)
        filled = cx.close()
        cx.emit(*(If(guard, filled, path.origin) for guard in guards))
    return reader_at(cx, t, cells, path)


def element_or_zero(cx: Context, xs: Reader, array: ArrayType, index: Nat, path: Path) -> Task[Reader]:
    """The element at an index, or zero if the index was converted from a number although the array is empty. The call
    fails in this case, but until then, nothing outside of the array may be read.
    """
    t = array.element
    if array.size not in cx.perhaps_empty:
        found: Reader = yield element(xs, index)
        return found
    found = yield choose(
        cx,
        t,
        condition((const(0), array.size)),
        lambda: element(xs, index),
        lambda: done(zero(t, path)),
        path,
    )
    return found


def where_elements(cx: Context, size: Nat, body: Callable[[], Task[None]], path: Path) -> Task[None]:
    """Emit a store at an index, under a guard if the index may have been converted from a number for an empty array."""
    pairs = ((const(0), size),) if size in cx.perhaps_empty else ()
    yield cx.when(Condition(pairs), path, body)


def zero(t: Type, path: Path) -> Reader:
    """A reader of zeros of a type."""
    match t:
        case ArrayType(_, inner):
            return ArrayReader(lambda i: done(zero(inner, path)))
        case PairType(first, second):
            return PairReader(lambda: done(zero(first, path)), lambda: done(zero(second, path)))
        case IndexType():
            return IndexReader(const(0))
        case VectorType(_, ScalarType() as element_type):
            return ScalarReader(Operation("broadcast", (_zero_of(element_type),), t), 1)
        case ScalarType():
            return ScalarReader(_zero_of(t))
    title = f"expected an array of numbers with elements at computed indices, found elements of type {t}"
    fail("index-type", title, "promise that the array has elements: `where 1 <= n`", path.origin)


def _zero_of(t: ScalarType) -> Value:
    facts = SCALARS[t.name]
    if is_complex(t.name):
        part = Constant(0.0, ScalarType(facts.part))
        return Operation("makeComplex", (part, part), t)
    return Constant(0 if facts.dtype.kind in "biu" else 0.0, t)


def refuse_fragment(t: Type, path: Path) -> None:
    """Raise TranslationError if a fragment is chosen by a condition, or padded."""
    if isinstance(t, FragmentType):
        title = "expected matrices for a choice or padding, found fragments"
        fail(
            "fragment-choice", title, "apply the condition before asFragment, or after asMatrix", path.origin
        )


def _value(reader: Reader) -> tuple[Value, int]:
    match reader:
        case ScalarReader(value, depth):
            return value, depth
        case IndexReader(natural):
            return Index(natural, I64), 0
    raise AssertionError(f"{reader!r} is no number")


def _branches(
    cx: Context,
    t: Type,
    condition: Condition,
    yes: tuple[Block, Value],
    no: tuple[Block, Value],
    path: Path,
) -> Value:
    """One of two values; the statements that compute it run under the condition that chooses it."""
    ((buffer, _),) = cx.allocate(t, "Local", "chosen", path)
    zero = const(0)
    for branch, (block, value) in ((condition, yes), (None, no)):
        assign = Assign(buffer, zero, value, True, path.origin)
        filled = Block((*block.statements, assign))
        cx.refuse_deep(1 + max(len(around) for _, around in enclosed(filled)), path)
        for guard in [branch] if branch is not None else negated(condition):
            cx.emit(If(guard, filled, path.origin))
    lanes = t.size.constant if isinstance(t, VectorType) else 1
    assert lanes is not None
    return Load(buffer, zero, lanes, True, t if isinstance(t, VectorType) else scalar_of(t))


def negated(condition: Condition) -> list[Condition]:
    """Mutually exclusive conditions, one of which holds if and only if the given one does not."""
    alternatives: list[Condition] = []
    before: tuple[tuple[Nat, Nat], ...] = ()
    for a, b in condition.below:
        alternatives.append(Condition((*before, (b, a + 1))))
        before = (*before, (a, b))
    return alternatives
