"""Arithmetic on scalars and vectors: one record per operation. Knows no arrays.

Each operation rounds once, in its own type; integers wrap; division truncates, as in C; `min`, `max` keep
NaN.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import numpy as np

from rise.meanings import At, ByName, Elementwise, Force
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.rounding import convert, fma, is_integral
from rise.sizes import dtype_of
from rise.values import Data, Leaf, map_leaves

_UNARY: Final = "{t: num} -> t -> t"
_BINARY: Final = "{t: num} -> t -> t -> t"
_COMPARISON: Final = "{t: ord} -> t -> t -> bool"


def _divide(at: At, a: Leaf, b: Leaf) -> Leaf:
    if not is_integral(a.dtype):
        return np.asarray(np.divide(a, b))
    b = nonzero(at, b)
    # The remainder has the sign of a, and a minus it is a multiple of b.
    return np.asarray(np.floor_divide(np.subtract(a, np.fmod(a, b)), b))


def _remainder(at: At, a: Leaf, b: Leaf) -> Leaf:
    return np.asarray(np.fmod(a, nonzero(at, b) if is_integral(a.dtype) else b))


def nonzero(at: At, divisor: Leaf) -> Leaf:
    """A divisor, which must not be 0 where its quotient is used; there 1 stands for it."""
    is_zero = divisor == 0
    hint = "divide by a number that is never 0, or choose with `if` before dividing"
    at.check(is_zero, "division-by-zero", "expected a divisor other than 0, found 0", hint)
    return np.asarray(np.where(is_zero, np.ones((), divisor.dtype), divisor))


def _cast(at: At, x: Leaf) -> Leaf:
    return convert(x, dtype_of(at.t))


def _select(at: At, condition: Any, yes: Any, no: Any) -> Generator[Force, Any, Data | Force]:
    chosen = yield at.force(condition)
    if np.all(chosen):
        return at.force(yes)
    if not np.any(chosen):
        return at.force(no)
    a = yield at.force(yes, where=chosen)
    b = yield at.force(no, where=np.logical_not(chosen))
    return map_leaves(lambda x, y: np.asarray(np.where(chosen, x, y)), a, b)


def _low(name: str, scheme: str, doc: str, meaning: Meaning, law: str = "") -> PrimitiveRecord:
    return PrimitiveRecord(name, scheme, "low", doc, meaning, law)


def _total(ufunc: np.ufunc) -> Elementwise:
    return Elementwise(ufunc, commutes=True)


ARITHMETIC: Final = (
    _low("add", _BINARY, "The sum.", _total(np.add), "add a b = add b a"),
    _low("sub", _BINARY, "The difference.", Elementwise(np.subtract), "sub a b = add a (neg b)"),
    _low("mul", _BINARY, "The product.", _total(np.multiply), "mul a b = mul b a"),
    _low("div", _BINARY, "The quotient. Integers truncate; by zero is an error.", _divide),
    _low(
        "mod",
        _BINARY,
        "What is left of a after taking b a whole number of times, towards zero: C's `%` and `fmod`.",
        _remainder,
    ),
    _low("neg", _UNARY, "The negative; unsigned integers wrap.", Elementwise(np.negative), "neg (neg a) = a"),
    _low(
        "abs",
        _UNARY,
        "The magnitude; the least integer stays.",
        Elementwise(np.absolute),
        "abs (abs a) = abs a",
    ),
    _low("min", _BINARY, "The smaller; NaN if one is NaN.", _total(np.minimum), "min a b = min b a"),
    _low("max", _BINARY, "The larger; NaN if one is NaN.", _total(np.maximum), "max a b = max b a"),
    _low(
        "fma",
        "{t: floating} -> t -> t -> t -> t",
        "`a * b + c`, rounded once.",
        lambda at, a, b, c: fma(a, b, c),
        "fma a b c = fma b a c",
    ),
    _low("lt", _COMPARISON, "Whether a < b.", Elementwise(np.less), "lt a b = gt b a"),
    _low("le", _COMPARISON, "Whether a <= b.", Elementwise(np.less_equal), "le a b = ge b a"),
    _low("gt", _COMPARISON, "Whether a > b.", Elementwise(np.greater), "gt a b = lt b a"),
    _low("ge", _COMPARISON, "Whether a >= b.", Elementwise(np.greater_equal), "ge a b = le b a"),
    _low(
        "eq",
        _COMPARISON,
        "Whether a and b are equal; NaN equals nothing.",
        Elementwise(np.equal),
        "eq a b = eq b a",
    ),
    _low("ne", _COMPARISON, "Whether a and b differ.", Elementwise(np.not_equal), "ne a b = not (eq a b)"),
    _low("and", "bool -> bool -> bool", "Whether both hold.", _total(np.logical_and), "and a b = and b a"),
    _low(
        "or", "bool -> bool -> bool", "Whether at least one holds.", _total(np.logical_or), "or a b = or b a"
    ),
    _low("not", "bool -> bool", "Whether a does not hold.", Elementwise(np.logical_not), "not (not a) = a"),
    _low(
        "select",
        "{t: data} -> bool -> t -> t -> t",
        "The second argument where the first holds, else the third. What is not chosen is not evaluated.",
        ByName(_select),
        "select c x x = x",
    ),
    _low(
        "cast",
        "{t: num} -> {s: num} -> s -> t",
        "The nearest number of type t. Floats to integers truncate and saturate, NaN is 0; integers wrap.",
        _cast,
    ),
    _low("indexAsInt", "{n: nat} -> idx[n] -> i64", "An index as a number.", lambda at, i: i),
)
