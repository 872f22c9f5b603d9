"""Simplifies statements under a condition with a known result. Independent of loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rise.naturals import Atom, Nat, NatLike, const
from rise.primitives import lookup
from rise.scalars import SCALARS
from rise.types import BOOL, ScalarType
from shine.imperative.nodes import (
    I64,
    Assign,
    Block,
    Condition,
    Constant,
    Define,
    DefineIndex,
    For,
    If,
    Index,
    Load,
    Local,
    Operation,
    Statement,
    Value,
)
from shine.imperative.rewrite import rewrite, substitution
from shine.imperative.walk import map_value

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


def assuming(block: Block, holds: Callable[[Value], bool], truth: bool) -> Block:
    """The block, simplified under a test that is known to be true, or false."""
    known: dict[Local, Value] = {}

    def folded(value: Value) -> Value:
        return _folded(value, known, holds, truth)

    def within(inner: Block) -> Block:
        statements: list[Statement] = []
        indices: dict[Atom, NatLike] = {}
        for statement in inner.statements:
            if indices:
                statement = rewrite(statement, substitution(indices))
            match statement:
                case DefineIndex(name, value):
                    value = map_value(value, folded)
                    if isinstance(value, Index):
                        indices[name] = value.value
                    else:
                        statements.append(replace(statement, value=value))
                case If(condition, body) if (decided := _decided(condition)) is not None:
                    statements += within(body).statements if decided else ()
                case Define(local, value):
                    value = map_value(value, folded)
                    if isinstance(value, Constant):
                        known[local] = value
                    else:
                        statements.append(replace(statement, value=value))
                case Assign(value=value):
                    statements.append(replace(statement, value=map_value(value, folded)))
                case For(body=body) | If(body=body):
                    statements.append(replace(statement, body=within(body)))
                case _:
                    statements.append(statement)
        return Block(tuple(statements))

    return within(block)


def _folded(value: Value, known: Mapping[Local, Value], holds: Callable[[Value], bool], truth: bool) -> Value:
    """The value under a test, if its parts are simplified already; `known` are the values of locals."""
    match value:
        case Local() if value in known:
            return known[value]
        case _ if holds(value):
            return Constant(truth, BOOL)
        case Operation(name, (left, right), t) if (
            t == BOOL and (pair := naturals_of({}, left, right)) is not None
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
