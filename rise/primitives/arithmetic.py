"""Arithmetic on scalars and vectors: one record per operation. Independent of arrays.

Each operation rounds once, in its own type; integers wrap; division truncates, as in C; `min` and `max` keep NaN.
Operations on complex numbers are fixed sequences of operations on their parts (`rise.complex_numbers`).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import numpy as np

from rise.arguments.mismatches import holds_dependent_pair
from rise.arguments.sizes import dtype_of
from rise.complex_numbers import product
from rise.diagnostics import Diagnostic
from rise.meanings import At, ByName, Elementwise, Force, SomeOfEachError
from rise.primitives.record import Floats, Meaning, PrimitiveRecord, Relation
from rise.primitives.related_types import refuse_unrelated
from rise.primitives.traits import Trait
from rise.rounding import convert, fma, is_integral
from rise.values import Data, Leaf, map_leaves

_UNARY: Final = "{t: num} -> t -> t"
_BINARY: Final = "{t: num} -> t -> t -> t"
_ANY_UNARY: Final = "{t: ring} -> t -> t"
_ANY_BINARY: Final = "{t: ring} -> t -> t -> t"
_COMPARISON: Final = "{t: ord} -> t -> t -> bool"
_EQUALITY: Final = "{t: comparable} -> t -> t -> bool"


def _divide(at: At, a: Leaf, b: Leaf) -> Leaf:
    if not is_integral(a.dtype):
        return np.asarray(np.divide(a, b))
    b = nonzero(at, b)
    # The remainder has the sign of a, and a minus it is a multiple of b.
    return np.asarray(np.floor_divide(np.subtract(a, np.fmod(a, b)), b))


def _remainder(at: At, a: Leaf, b: Leaf) -> Leaf:
    return np.asarray(np.fmod(a, nonzero(at, b) if is_integral(a.dtype) else b))


def nonzero(at: At, divisor: Leaf) -> Leaf:
    """A divisor with each 0 replaced by 1. A 0 whose quotient is used is an error."""
    is_zero = divisor == 0
    hint = "divide by a number that is never 0, or choose with `if` before dividing"
    at.check(is_zero, "division-by-zero", "expected a divisor other than 0, found 0", hint)
    return np.asarray(np.where(is_zero, np.ones((), divisor.dtype), divisor))


def _cast(at: At, x: Leaf) -> Leaf:
    refuse_unrelated("conversion", (at.t, at.s))
    return convert(x, dtype_of(at.t))


def _bit_cast(at: At, x: Leaf) -> Leaf:
    refuse_unrelated("same width", (at.t, at.s))
    return x.view(dtype_of(at.t))


def _select(at: At, condition: Any, yes: Any, no: Any) -> Generator[Force, Any, Data | Force]:
    chosen = yield at.force(condition)
    if np.all(chosen):
        return at.force(yes)
    if not np.any(chosen):
        return at.force(no)
    if holds_dependent_pair(at.t):
        title = (
            "expected `if` to choose the same dependent pair for all elements of an array, found both chosen"
        )
        hint = "apply `dmatch` in each branch: `if c then dmatch(p, f) else dmatch(q, f)`"
        raise SomeOfEachError(Diagnostic("dependent-pair", title, hint=hint))
    a = yield at.force(yes, where=chosen)
    b = yield at.force(no, where=np.logical_not(chosen))
    return map_leaves(lambda x, y: np.asarray(np.where(chosen, x, y)), a, b)


def _low(
    name: str,
    scheme: str,
    doc: str,
    meaning: Meaning,
    law: str = "",
    *,
    example: str = "",
    words: str = "",
    traits: tuple[Trait, ...] = (),
    operator: str = "",
    neutral: int | None = None,
    spellings: tuple[str, ...] = (),
    cost: int = 1,
    result: str = "",
    result_at_zero: str = "",
    relation: Relation = "",
) -> PrimitiveRecord:
    rounds = any(
        number_class in scheme
        for number_class in ("ring", "comparable", "inexact", "num", "ord", "floating", "complex")
    )
    floats: Floats = "exact" if rounds else ""
    return PrimitiveRecord(
        name,
        scheme,
        "low",
        doc,
        meaning,
        law,
        words=words,
        example=example,
        float_class=floats,
        traits=traits,
        operator=operator,
        neutral=neutral,
        spellings=spellings,
        cost=cost,
        result=result,
        result_at_zero=result_at_zero,
        relation=relation,
    )


def _total(ufunc: np.ufunc) -> Elementwise:
    return Elementwise(ufunc, commutes=True)


ARITHMETIC: Final = (
    _low(
        "add",
        _ANY_BINARY,
        "The sum.",
        _total(np.add),
        "add a b = add b a",
        example="add(2, 3)",
        traits=("atomic",),
        operator="+",
        neutral=0,
        spellings=("plus",),
        result="sum",
    ),
    _low(
        "sub",
        _ANY_BINARY,
        "The difference.",
        Elementwise(np.subtract),
        "sub a b = add a (neg b)",
        example="sub(2, 3)",
        operator="-",
        result="difference",
    ),
    _low(
        "mul",
        _ANY_BINARY,
        "The product.",
        Elementwise(np.multiply, commutes=True, of_complex=product),
        "mul a b = mul b a",
        example="mul(2, 3)",
        operator="*",
        neutral=1,
        spellings=("mult",),
        traits=("multiplies",),
        result="product",
    ),
    _low(
        "div",
        _ANY_BINARY,
        "The quotient. Integer division truncates; integer division by zero is an error.",
        _divide,
        example="div(-7, 2)",
        words="For integers, `add (mul b (div a b)) (mod a b)` is `a`.",
        traits=("divides",),
        operator="/",
        cost=8,
        result="quotient",
    ),
    _low(
        "mod",
        _BINARY,
        "The remainder of division that rounds towards zero, as C's `%` and `fmod`.",
        _remainder,
        example="mod(-7, 2)",
        law="mod (mod a b) b = mod a b",
        traits=("divides",),
        operator="%",
        result="remainder",
    ),
    _low(
        "neg",
        _ANY_UNARY,
        "The negative; unsigned integers wrap.",
        Elementwise(np.negative),
        "neg (neg a) = a",
        example="neg(5)",
        traits=("unrounded",),
        operator="-",
        result="minus",
    ),
    _low(
        "abs",
        _UNARY,
        "The absolute value; the least integer stays the same.",
        Elementwise(np.absolute),
        "abs (abs a) = abs a",
        example="abs(-5)",
        traits=("unrounded",),
        result="magnitude",
    ),
    _low(
        "min",
        _BINARY,
        "The smaller; NaN if one is NaN.",
        _total(np.minimum),
        "min a b = min b a",
        example="min(2, 3)",
        traits=("atomic", "chooses", "unrounded"),
        result="minimum",
    ),
    _low(
        "max",
        _BINARY,
        "The larger; NaN if one is NaN.",
        _total(np.maximum),
        "max a b = max b a",
        example="max(2, 3)",
        traits=("atomic", "chooses", "unrounded"),
        result="maximum",
    ),
    _low(
        "fma",
        "{t: inexact} -> t -> t -> t -> t",
        "`a * b + c`, rounded once. Each part of a complex number is rounded twice: once for each product.",
        lambda at, a, b, c: fma(a, b, c),
        "fma a b c = fma (neg a) (neg b) c",
        example="fma(2.0, 3.0, 4.0)",
        traits=("multiplies",),
        result="sum",
    ),
    _low(
        "lt",
        _COMPARISON,
        "Whether a < b.",
        Elementwise(np.less),
        "lt a b = gt b a",
        example="lt(2, 3)",
        operator="<",
        result="is_less",
        result_at_zero="is_negative",
    ),
    _low(
        "le",
        _COMPARISON,
        "Whether a <= b.",
        Elementwise(np.less_equal),
        "le a b = ge b a",
        example="le(3, 3)",
        operator="<=",
        result="is_at_most",
    ),
    _low(
        "gt",
        _COMPARISON,
        "Whether a > b.",
        Elementwise(np.greater),
        "gt a b = lt b a",
        example="gt(2, 3)",
        operator=">",
        result="is_greater",
        result_at_zero="is_positive",
    ),
    _low(
        "ge",
        _COMPARISON,
        "Whether a >= b.",
        Elementwise(np.greater_equal),
        "ge a b = le b a",
        example="ge(3, 3)",
        operator=">=",
        result="is_at_least",
    ),
    _low(
        "eq",
        _EQUALITY,
        "Whether a and b are equal; NaN equals nothing.",
        Elementwise(np.equal),
        "eq a b = eq b a",
        example="eq(nan, nan)",
        operator="==",
        result="is_equal",
        result_at_zero="is_zero",
    ),
    _low(
        "ne",
        _EQUALITY,
        "Whether a and b differ.",
        Elementwise(np.not_equal),
        "ne a b = not (eq a b)",
        example="ne(2, 3)",
        operator="!=",
        result="differs",
    ),
    _low(
        "and",
        "bool -> bool -> bool",
        "Whether both hold.",
        _total(np.logical_and),
        "and a b = and b a",
        example="and(true, false)",
        operator="&&",
        neutral=1,
        result="all",
    ),
    _low(
        "or",
        "bool -> bool -> bool",
        "Whether at least one holds.",
        _total(np.logical_or),
        "or a b = or b a",
        example="or(true, false)",
        operator="||",
        neutral=0,
        result="any",
    ),
    _low(
        "not",
        "bool -> bool",
        "Whether a does not hold.",
        Elementwise(np.logical_not),
        "not (not a) = a",
        example="not(true)",
        operator="!",
        result="opposite",
    ),
    _low(
        "select",
        "{t: data} -> bool -> t -> t -> t",
        "The second argument if the first is true, else the third. The other one is not evaluated.",
        ByName(_select),
        "select c x x = x",
        example="select(true, 2, div(1, 0))",
        traits=("unrounded",),
        result="choice",
    ),
    _low(
        "cast",
        "{t: castable} -> {s: castable} -> s -> t",
        "The nearest number of type t. Floats are truncated to integers and saturate, NaN becomes 0; integers wrap.",
        _cast,
        relation="conversion",
        example="cast{i8}(300.7)",
        words="A cast to the type of the argument is the argument.",
    ),
    PrimitiveRecord(
        "bitCast",
        "{t: num} -> {s: num} -> s -> t",
        "low",
        "The number of type t with the same bits; both types have the same width.",
        _bit_cast,
        relation="same width",
        example="bitCast{u32}(1.5)",
        traits=("unrounded",),
        words="A bitCast to another type and back gives the same bits.",
    ),
)
