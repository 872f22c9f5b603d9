"""Simplifies statements under a condition with a known result. Independent of loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.naturals import Atom, Nat, NatLike, NatVar, const
from rise.primitives import has_trait, lookup
from rise.quotients import NatCall, is_nonnegative, linear_in
from rise.scalars import SCALARS
from rise.types import BOOL, ScalarType, VectorType
from shine.imperative.nodes import (
    I64,
    Allocate,
    Assign,
    Block,
    Condition,
    Constant,
    Define,
    DefineIndex,
    For,
    Guarded,
    If,
    Index,
    Load,
    Local,
    Operation,
    Statement,
    Value,
)
from shine.imperative.rewrite import rewrite, substitution
from shine.imperative.walk import everything, map_value, values

#: integers beyond this are not combined with indices
MAX_ADDED: Final = 1 << 31
#: integers beyond this are not multiplied by indices: the product with any address fits into 64 bits
MAX_FACTOR: Final = 1 << 15


def naturals_of(known: Mapping[Local, Value], *values: Value) -> tuple[Nat, ...] | None:
    """Values that are indices, or sums or multiples of these, as naturals; None for other values. Sizes for which they
    exceed 64 bits are rejected at entry.
    """
    found: list[Nat] = []
    for value in values:
        match value:
            case Index(a, t) if t == I64:
                found.append(a)
            case Local() if (found_value := known.get(value)) is not None and (
                one := naturals_of(known, found_value)
            ) is not None:
                found += one
            case Constant(int(number), t) if t == I64 and abs(number) <= MAX_ADDED:
                found.append(const(number))
            case Operation("neg", (inner,), t) if t == I64 and (one := naturals_of(known, inner)) is not None:
                found.append(const(0) - one[0])
            case Operation("add" | "sub" as name, (left, right), t) if (
                t == I64 and (pair := naturals_of(known, left, right)) is not None
            ):
                found.append(pair[0] + pair[1] if name == "add" else pair[0] - pair[1])
            case Operation("mul", (Constant(int(factor)), other) | (other, Constant(int(factor))), t) if (
                t == I64 and abs(factor) <= MAX_FACTOR and (one := naturals_of(known, other)) is not None
            ):
                found.append(one[0] * factor)
            case _:
                return None
    return tuple(found)


def assuming(
    block: Block,
    holds: Callable[[Value], bool],
    truth: bool,
    integers: Mapping[Local, Value] = MappingProxyType({}),
) -> Block:
    """The block, simplified under a test that is known to be true, or false. `integers` are the values of variables, by
    which indices are compared.
    """
    known: dict[Local, Value] = {}

    def folded(part: Value) -> Value:
        return _folded(part, known, holds, truth, integers)

    return _simplified(block, lambda value: map_value(value, folded), known)


def with_decided_indices(block: Block, known: Mapping[Local, Value]) -> Block:
    """The block without minima and maxima of indices, and guards, that the ranges of indices decide. `known` are
    the values of integer variables.
    """

    known = with_definitions(known, block)

    def decided(value: Value) -> Value:
        if any(isinstance(part.type, VectorType) for part in values(value)):
            return value  # a vector of the first elements of an array is known by the guards of its lanes
        return map_value(value, lambda part: _decided_index(part, known))

    return _simplified(block, decided, {})


def single_definitions(block: Block) -> dict[Value, Value]:
    """The values of the variables that a block defines, without variables that have several values in it."""
    found: dict[Value, Value] = {}
    several: set[Local] = set()
    for one, _ in everything(block):
        if isinstance(one, Define) and found.setdefault(one.local, one.value) != one.value:
            several.add(one.local)
    return {local: value for local, value in found.items() if local not in several}


def with_definitions(known: Mapping[Local, Value], block: Block) -> dict[Local, Value]:
    """The known values of variables, for those that a block defines as it defines them now: they may be indices of a
    loop that was limited since, and has another index.
    """
    found: dict[Local, Value] = dict(known)
    for local, value in single_definitions(block).items():
        assert isinstance(local, Local)
        found[local] = value
    return found


def _decided_index(value: Value, known: Mapping[Local, Value]) -> Value:
    match value:
        case Operation(name, (left, right), t) if (
            t == I64 and has_trait(name, "chooses") and (pair := naturals_of(known, left, right)) is not None
        ):
            record, ordered = lookup(name), pair if _is_at_most(*pair) else pair[::-1]
            if record is not None and _is_at_most(*ordered):
                meaning: Any = record.meaning
                return Index(ordered[int(meaning(None, np.int64(0), np.int64(1)))], I64)
        case Guarded(condition, inner, otherwise):
            if all(_is_at_most(less + 1, more) for less, more in condition.below):
                return inner
            if any(_is_at_most(more, less) for less, more in condition.below):
                return otherwise
    return value


def _is_at_most(less: Nat, more: Nat) -> bool:
    """Whether one natural is at most another. A loop may have the greatest of several numbers of iterations, as one
    over a slice that may be empty, `max(0, n - k)`.
    """
    difference = more - less
    if is_nonnegative(difference):
        return True
    for variable in difference.free:
        if not isinstance(variable, NatVar) or variable.upper is None:
            continue
        linear = linear_in(difference, variable)
        match variable.upper.terms:
            case ((((NatCall("max", ends), 1),), 1),) if linear is not None and (linear[0].constant or 0) < 0:
                return all(is_nonnegative(linear[1] + linear[0] * (end - 1)) for end in ends)
    return False


def _simplified(block: Block, simplified: Callable[[Value], Value], known: dict[Local, Value]) -> Block:
    """The block with values replaced by what `simplified` returns for them. Branches that are decided then,
    and variables that are constants, which are added to `known`, or indices are replaced. Buffers keep their sizes, and
    so the variables in these.
    """
    sizes = {
        atom for one, _ in everything(block) if isinstance(one, Allocate) for atom in one.buffer.size.free
    }

    def within(inner: Block) -> Block:
        statements: list[Statement] = []
        indices: dict[Atom, NatLike] = {}
        for statement in inner.statements:
            if indices:
                statement = rewrite(statement, substitution(indices))
            match statement:
                case DefineIndex(name, value):
                    value = simplified(value)
                    if isinstance(value, Index) and name not in sizes:
                        indices[name] = value.value
                    else:
                        statements.append(replace(statement, value=value))
                case If(condition, body) if (decided := _decided(condition)) is not None:
                    statements += within(body).statements if decided else ()
                case Define(local, value):
                    value = simplified(value)
                    if isinstance(value, Constant):
                        known[local] = value
                    else:
                        statements.append(replace(statement, value=value))
                case Assign(value=value):
                    statements.append(replace(statement, value=simplified(value)))
                case For(body=body) | If(body=body):
                    statements.append(replace(statement, body=within(body)))
                case _:
                    statements.append(statement)
        return Block(tuple(statements))

    return within(block)


def _folded(
    value: Value,
    known: Mapping[Local, Value],
    holds: Callable[[Value], bool],
    truth: bool,
    integers: Mapping[Local, Value],
) -> Value:
    """The value under a test, if its parts are simplified already; `known` are the values of constant locals."""
    match value:
        case Local() if value in known:
            return known[value]
        case _ if holds(value):
            return Constant(truth, BOOL)
        case Operation(name, (left, right), t) if (
            t == BOOL and (pair := naturals_of(integers, left, right)) is not None
        ):
            return _compared(name, pair[0] - pair[1], value)
        case Operation(
            name, (Local(type=ScalarType() as t) | Load(type=ScalarType() as t) as left, right), compared
        ) if compared == BOOL and left == right and "integral" in SCALARS[t.name].classes:
            return _compared(name, const(0), value)
        case Operation("select", (Constant(chosen), yes, no)):
            return yes if chosen else no
        case Operation("and", (Constant(first), other) | (other, Constant(first))):
            return other if first else Constant(False, BOOL)
        case Operation("or", (Constant(first), other) | (other, Constant(first))):
            return Constant(True, BOOL) if first else other
        case Operation("not", (Constant(chosen),)):
            return Constant(not chosen, BOOL)
        case Operation(
            "mul", (Constant(0) as zero, Constant(other)) | (Constant(other), Constant(0) as zero)
        ):
            return zero if 0 <= other < math.inf and str(other) != "-0.0" != str(zero.value) else value
    return value


def without_decided(block: Block) -> Block:
    """The block without branches and choices that depend on no variable: comparisons of known indices, and of an
    integer with itself.
    """
    return assuming(block, lambda value: False, False)


def _compared(name: str, difference: Nat, value: Value) -> Value:
    """The result of a comparison of two indices whose difference is known, or the value itself."""
    record = lookup(name)
    if difference.constant is None or record is None:
        return value
    meaning: Any = record.meaning
    return Constant(bool(meaning(None, np.int64(difference.constant), np.int64(0))), BOOL)


def _decided(condition: Condition) -> bool | None:
    """Whether a condition holds; None if that depends on variables."""
    distances = [(more - less).constant for less, more in condition.below]
    if any(distance is not None and distance <= 0 for distance in distances):
        return False
    return None if any(distance is None for distance in distances) else True
