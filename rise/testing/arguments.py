"""Draws valid sizes and arguments for a program, from a seed. Independent of Hypothesis.

Arguments have the form that `rise.evaluate` and kernels accept.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from rise.analysis.obligations import Obligation, check_obligations, obligations
from rise.arguments.ragged_arrays import halves_of, lengths_at, part_of
from rise.complex_numbers import joined
from rise.diagnostics import RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, NatVar, const
from rise.nodes import postorder
from rise.programs.heads import open_head, specialise
from rise.records import dataclass
from rise.scalars import SCALARS, SIZE_FUNCTION
from rise.terms import Expr
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    VectorType,
    type_at,
)

#: the sizes to draw from: all small ones, and those near multiples of the sizes of vectors, warps and tiles
SIZES: Final = (
    *range(13),
    15,
    16,
    17,
    20,
    21,
    24,
    29,
    31,
    32,
    33,
    36,
    37,
    40,
    45,
    47,
    48,
    60,
    61,
    63,
    64,
    65,
    77,
    95,
    96,
    97,
    100,
    125,
    127,
    128,
    129,
    157,
    160,
    189,
    192,
    250,
    253,
    256,
    257,
)
#: the default limit on elements of an array in a program
MAX_ELEMENTS: Final = 1 << 13
_TRIES: Final = 200
_MAX_ROW_LENGTH: Final = 12  # the exclusive limit of row lengths that are given by functions of sizes
_ARRAYS: Final = (ArrayType, PairType, DepArrayType, VectorType)


@dataclass(frozen=True, slots=True)
class Call:
    """Sizes by name, and arguments."""

    sizes: Mapping[str, Any]
    arguments: tuple[Any, ...]


def calls(e: Expr, count: int, seed: int, is_odd: bool = False, most: int = MAX_ELEMENTS) -> Iterator[Call]:
    """Up to `count` calls of a closed, monomorphic program at different sizes, starting with small ones.

    There are none if no sizes were found for which all arrays have at most `most` elements.
    """
    rng = random.Random(seed)
    seen: set[str] = set()
    for number in range(count):
        sizes = _sizes(e, rng, most, is_least=number == 0)
        if sizes is None:
            continue
        key = str(sizes)
        if key in seen and sizes:
            continue
        seen.add(key)
        fixed = specialise(e, **sizes) if sizes else e
        value_rng = np.random.default_rng(rng.getrandbits(32))
        yield Call(sizes, tuple(value(t, value_rng, is_odd) for t in parameters(fixed)))
        if not sizes:
            is_odd = not is_odd


def parameters(e: Expr) -> Iterator[Type]:
    """The types of the arguments of a term."""
    t: Any = e.type
    while isinstance(t, FunType):
        yield t.parameter
        t = t.result


@dataclass(frozen=True, slots=True)
class _Needs:
    """The constraints on sizes: obligations, the types of all data, and the types of the arguments."""

    obligations: tuple[Obligation, ...]
    types: tuple[Type, ...]
    parameters: tuple[Type, ...]
    variables: Mapping[str, NatVar]

    def fit(self, sizes: Mapping[str, Any], most: int) -> bool:
        """Whether all obligations hold, each argument has values, and no array is larger."""
        numbers = {name: size for name, size in sizes.items() if name in self.variables}
        if check_obligations(list(self.obligations), numbers):
            return False
        values: dict[Atom, int] = {self.variables[name]: size for name, size in numbers.items()}
        try:
            is_small = all(0 <= _count(t, values) <= most for t in self.types)
            return is_small and all(_has_values(t, values) for t in self.parameters)
        except (RiseError, ZeroDivisionError):
            return False


def _sizes(e: Expr, rng: random.Random, most: int, is_least: bool) -> dict[str, Any] | None:
    head = open_head(e)
    variables = {b.name: b.variable for b in head.binders if isinstance(b.variable, NatVar)}
    functions = [b.name for b in head.binders if b.kind == SIZE_FUNCTION]
    types = tuple(t for t in _types_of(head.body) if t.free <= set(variables.values()))
    given = tuple(b.type for b in head.binders if b.type is not None)
    needs = _Needs(tuple(obligations(e)), types, given, variables)
    for attempt in range(_TRIES if variables else 1):
        pool = SIZES[: attempt // 12 + 1] if is_least else SIZES
        sizes: dict[str, Any] = {name: rng.choice(pool) for name in variables}
        if needs.fit(sizes, most):
            count = max(sizes.values(), default=0) + 1
            for name in functions:
                sizes[name] = [rng.choice((0, 1, rng.randrange(_MAX_ROW_LENGTH))) for _ in range(count)]
            return sizes
    return None


def _types_of(e: Expr) -> set[Type]:
    """The types of all data in a term, without types that contain a size that the term binds."""
    types = {node.type for node in postorder(e) if isinstance(node, Expr)}
    return {t for t in types if isinstance(t, _ARRAYS) and not t.dep_loose}


def _count(t: Type, values: Mapping[Atom, int]) -> int:
    """The number of scalars in a value; negative if it is not a natural number."""
    match t:
        case PairType(first, second):
            return _count(first, values) + _count(second, values)
        case ArrayType(size, element) | VectorType(size, element):
            length = evaluate_natural(size, values)
            return int(length) * _count(element, values) if isinstance(length, int) else -1
        case DepArrayType(size, family):
            rows = int(evaluate_natural(size, values))
            return sum(_count(type_at(family, const(i)), values) for i in range(rows))
    return 1


def _has_values(t: Type, values: Mapping[Atom, int]) -> bool:
    """Whether a type has values, which indices below 0 have not."""
    match t:
        case PairType(first, second):
            return _has_values(first, values) and _has_values(second, values)
        case ArrayType(size, element) | VectorType(size, element):
            return evaluate_natural(size, values) == 0 or _has_values(element, values)
        case IndexType(size):
            return evaluate_natural(size, values) != 0
    return True


def value(t: Type, rng: np.random.Generator, is_odd: bool = False, shape: tuple[int, ...] = ()) -> Any:
    """A value of a type over known sizes. Floating-point numbers are small multiples of 1/4, which every type can
    represent, so that short sums are exact. With `is_odd`, numbers are arbitrary, including infinities and NaN.
    """
    match t:
        case PairType(first, second):
            return value(first, rng, is_odd, shape), value(second, rng, is_odd, shape)
        case DepPairType(family):
            number = int(rng.integers(0, 5))
            return number, value(type_at(family, const(number)), rng, is_odd)
        case DepArrayType():
            return _rows(t, rng, is_odd)
        case ArrayType(size, element) | VectorType(size, element):
            assert size.constant is not None, f"{t!r} has a size that is not known"
            return value(element, rng, is_odd, (*shape, size.constant))
        case IndexType(size):
            assert size.constant is not None, f"{t!r} has a size that is not known"
            return rng.integers(0, max(size.constant, 1), shape).astype(np.int64)
        case ScalarType("bool"):
            return rng.integers(0, 2, shape).astype(np.bool_)
        case ScalarType(name):
            return _odd(name, rng, shape) if is_odd else _small(name, rng, shape)
    raise AssertionError(f"{t!r} is no type of an argument")


def _rows(t: DepArrayType, rng: np.random.Generator, is_odd: bool) -> Any:
    halves = halves_of(t)
    if halves is not None:
        return tuple(value(half, rng, is_odd) for half in halves)
    part, count = part_of(t), t.size.constant
    assert part is not None and count is not None, t
    return [
        value(ArrayType(const(n), part.element), rng, is_odd) for n in lengths_at(part.lengths, count, {})
    ]


def _small(name: str, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    facts = SCALARS[name]
    if facts.part:
        return joined(*(_small(facts.part, rng, shape) for _ in range(2)), dtype=facts.dtype)
    whole = rng.integers(0 if name.startswith("u") else -8, 9, shape)
    return np.asarray(whole / 4 if facts.is_float else whole).astype(facts.dtype)


def _odd(name: str, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    """Random bits, mixed with limits, infinities, zeros of both signs, and NaN."""
    facts = SCALARS[name]
    if facts.part:
        return joined(*(_odd(facts.part, rng, shape) for _ in range(2)), dtype=facts.dtype)
    bits = rng.integers(0, 256, (*shape, facts.bits // 8), dtype=np.uint8)
    anything = bits.view(facts.dtype).reshape(shape)
    if facts.is_float:
        edges = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]).astype(facts.dtype)
    else:
        low = 0 if name.startswith("u") else -(1 << (facts.bits - 1))
        edges = np.array([low, low + 1, 0, 1, low + (1 << facts.bits) - 1], facts.dtype)
    return np.where(rng.random(shape) < 0.5, anything, rng.choice(edges, shape)).astype(facts.dtype)
