"""Builds vector values from scalar values, and lanes from vectors. Independent of terms and statements.

The nesting depth of values is bounded, so functions on them are recursive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from rise.indices import is_multiple, lane_index
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const
from rise.primitives import with_trait
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import (
    I64,
    Buffer,
    Condition,
    Constant,
    Exchange,
    Guarded,
    Index,
    Load,
    Local,
    Operation,
    Value,
    ValueType,
)
from shine.imperative.rewrite import rewrite_value, substitution
from shine.imperative.walk import values

#: the operation that marks a value that may be copied asynchronously; it is lanewise on vectors
COPY: Final = "globalToShared"
_BY_LANES: Final = with_trait("lanewise") | {COPY}


def lanes_of(t: ValueType) -> int:
    """The number of lanes of a type: 1 for scalars."""
    if isinstance(t, ScalarType):
        return 1
    lanes = t.size.constant
    assert lanes is not None, f"the vector size {t.size!r} is not known"
    return lanes


def is_temporary(buffer: Buffer) -> bool:
    """Whether the program allocates a buffer, which is then aligned for all vectors."""
    return buffer.origin != ()


class Alignment(Protocol):
    """The known facts about alignment."""

    @property
    def divisors(self) -> Mapping[NatVar, int]:
        """Known divisors of sizes."""
        ...

    def is_aligned(self, buffer: Buffer, index: Nat, lanes: int) -> bool:
        """Whether a vector of `lanes` lanes at an index is aligned to its size."""
        ...


def vector_of(alignment: Alignment, value: Value, lane: NatVar, aligned: bool) -> Value:
    """The vector of a scalar value at all lanes."""
    assert lane.upper is not None and lane.upper.constant is not None
    count = lane.upper.constant
    scalar = value.type
    assert isinstance(scalar, ScalarType)
    t = VectorType(lane.upper, scalar)
    if not mentions(value, lane):
        return Operation("broadcast", (value,), t)
    match value:
        case Load(buffer, index):
            start = lane_index(index, lane) or first_of_neighbours(index, lane, count)
            if start is not None:
                promised = aligned and is_multiple(start, lane.upper, alignment.divisors)
                is_aligned = promised or alignment.is_aligned(buffer, start, count)
                return Load(buffer, start, count, is_aligned, t)
        case Operation(name, arguments) if name in _BY_LANES:
            return Operation(
                name, tuple(vector_of(alignment, argument, lane, aligned) for argument in arguments), t
            )
        case Guarded(condition, inner, otherwise) if (
            whole := for_all(alignment, condition, lane)
        ) is not None:
            yes, no = (vector_of(alignment, part, lane, aligned) for part in (inner, otherwise))
            return Guarded(whole, yes, no, t)
        case _:
            pass
    return Operation("vector", tuple(at_lane(value, lane, number) for number in range(count)), t)


def first_of_neighbours(index: Nat, lane: NatVar, count: int) -> Nat | None:
    """The index at the first lane, if those at the other lanes follow it; None otherwise. Quotients in an index may be
    the same at all lanes, which is known once the lane is a number.
    """
    indices = [substitute_naturals(index, {lane: const(number)}) for number in range(count)]
    first = indices[0]
    return first if indices == [first + number for number in range(count)] else None


def mentions(value: Value, lane: NatVar) -> bool:
    """Whether a value depends on the lane."""
    return any(_itself_mentions(part, lane) for part in values(value))


def _itself_mentions(value: Value, lane: NatVar) -> bool:
    match value:
        case Load(_, index) | Index(index):
            return lane in index.free
        case Guarded(condition):
            return _in_condition(condition, lane)
        case Exchange(_, index, source):
            return lane in index.free or lane in source.free
        case Constant() | Local() | Operation():
            return False


def for_all(alignment: Alignment, condition: Condition, lane: NatVar) -> Condition | None:
    """The condition without the lane if it is the same for all lanes, as `8 * i + lane < n` if 8 divides n; or None."""
    assert lane.upper is not None
    pairs: list[tuple[Nat, Nat]] = []
    for a, b in condition.below:
        if lane in a.free:
            start = lane_index(a, lane)
            if start is None or lane in b.free:
                return None
            if not all(is_multiple(end, lane.upper, alignment.divisors) for end in (start, b)):
                return None
            a = start
        elif lane in b.free:
            return None
        pairs.append((a, b))
    return Condition(tuple(pairs))


def _in_condition(condition: Condition, lane: NatVar) -> bool:
    return any(lane in a.free or lane in b.free for a, b in condition.below)


def at_lane(value: Value, lane: NatVar, number: int) -> Value:
    """The value at one lane."""
    return rewrite_value(value, substitution({lane: const(number)}))


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
        case Operation(name, arguments) if name in _BY_LANES:
            return Operation(name, tuple(lane_of(argument, lane) for argument in arguments), scalar)
        case Operation("select", (condition, yes, no)):
            return Operation("select", (condition, lane_of(yes, lane), lane_of(no, lane)), scalar)
        case Guarded(condition, inner, otherwise):
            return Guarded(condition, lane_of(inner, lane), lane_of(otherwise, lane), scalar)
        case _:
            return Operation("lane", (value, Index(lane, I64)), scalar)
