"""Vectors out of scalars and scalars out of vectors, as values. Knows no terms and no statements.

Values are nested as deep as `memory.DEEPEST_VALUE` at most, so functions on them recurse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rise.naturals import Atom, Nat, NatLike, NatVar, const
from rise.quotients import substitute_naturals
from rise.types import ScalarType, VectorType
from shine.imperative import Buffer, Condition, Constant, Guarded, Index, Load, Local, Operation, Value
from shine.translate.indices import is_multiple, lane_index
from shine.translate.values import I64

#: what is done on vectors lane by lane; of other functions, done on scalars, a vector is made
_LANE_BY_LANE: Final = frozenset(
    [
        "add",
        "sub",
        "mul",
        "div",
        "mod",
        "neg",
        "abs",
        "min",
        "max",
        "fma",
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "tanh",
        "pow",
        "cast",
    ]
)


def loads(value: Value) -> Iterator[Load]:
    """All loads in a value."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case Load() as load:
                yield load
            case Operation(_, arguments):
                waiting += arguments
            case Guarded(_, inner, otherwise):
                waiting += (inner, otherwise)
            case _:
                pass


def is_temporary(buffer: Buffer) -> bool:
    """Whether the program itself allocates the buffer: then it starts at a multiple of any vector's size."""
    return buffer.origin != ()


def vector_of(value: Value, lane: NatVar, aligned: bool) -> Value:
    """The vector of a scalar's values at all lanes."""
    assert lane.upper is not None and lane.upper.constant is not None
    count = lane.upper.constant
    scalar = value.type
    assert isinstance(scalar, ScalarType)
    t = VectorType(lane.upper, scalar)
    if not mentions(value, lane):
        return Operation("broadcast", (value,), t)
    match value:
        case Load(buffer, index):
            start = lane_index(index, lane)
            if start is not None:
                is_aligned = (aligned or is_temporary(buffer)) and is_multiple(start, lane.upper)
                return Load(buffer, start, count, is_aligned, t)
        case Operation(name, arguments) if name in _LANE_BY_LANE:
            return Operation(name, tuple(vector_of(one, lane, aligned) for one in arguments), t)
        case Guarded(condition, inner, otherwise) if not _in_condition(condition, lane):
            return Guarded(condition, vector_of(inner, lane, aligned), vector_of(otherwise, lane, aligned), t)
        case _:
            pass
    return Operation("vector", tuple(at_lane(value, lane, number) for number in range(count)), t)


def mentions(value: Value, lane: NatVar) -> bool:
    """Whether a value depends on the lane."""
    match value:
        case Load(_, index):
            return lane in index.free
        case Index(natural):
            return lane in natural.free
        case Operation(_, arguments):
            return any(mentions(one, lane) for one in arguments)
        case Guarded(condition, inner, otherwise):
            return _in_condition(condition, lane) or mentions(inner, lane) or mentions(otherwise, lane)
        case Constant() | Local():
            return False


def _in_condition(condition: Condition, lane: NatVar) -> bool:
    return any(lane in a.free or lane in b.free for a, b in condition.below)


def at_lane(value: Value, lane: NatVar, number: int) -> Value:
    """The value at one lane."""
    known: dict[Atom, NatLike] = {lane: const(number)}

    def put(a: Nat) -> Nat:
        return substitute_naturals(a, known) if lane in a.free else a

    match value:
        case Load(buffer, index, lanes, aligned, t):
            return Load(buffer, put(index), lanes, aligned, t)
        case Index(natural, t):
            return Index(put(natural), t)
        case Operation(name, arguments, t):
            return Operation(name, tuple(at_lane(one, lane, number) for one in arguments), t)
        case Guarded(Condition(below), inner, otherwise, t):
            condition = Condition(tuple((put(a), put(b)) for a, b in below))
            return Guarded(condition, at_lane(inner, lane, number), at_lane(otherwise, lane, number), t)
        case Constant() | Local():
            return value


def lane_of(value: Value, lane: Nat) -> Value:
    """One lane of a vector."""
    t = value.type
    assert isinstance(t, VectorType) and isinstance(t.element, ScalarType), value
    scalar = t.element
    match value:
        case Load(buffer, index):
            return Load(buffer, index + lane, 1, True, scalar)
        case Operation("broadcast", (inner,)):
            return inner
        case Operation("vector", arguments) if lane.constant is not None:
            return arguments[lane.constant]
        case Operation(name, arguments) if name in _LANE_BY_LANE:
            return Operation(name, tuple(lane_of(one, lane) for one in arguments), scalar)
        case Operation("select", (condition, yes, no)):
            return Operation("select", (condition, lane_of(yes, lane), lane_of(no, lane)), scalar)
        case Guarded(condition, inner, otherwise):
            return Guarded(condition, lane_of(inner, lane), lane_of(otherwise, lane), scalar)
        case _:
            return Operation("lane", (value, Index(lane, I64)), scalar)
