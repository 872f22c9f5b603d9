"""Inputs at the edges of types: many inputs of a program at once, as rows of arrays.

Independent of rules and primitives.

The first rows are plain numbers, then ties, then numbers for which docs/semantics.md specifies every bit: both zeros,
infinities, NaN, subnormals, huge and tiny numbers, the ends of the ranges of integers, and random bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from rise.complex_numbers import joined
from rise.natural_values import evaluate_natural
from rise.scalars import SCALARS
from rise.types import ArrayType, FragmentType, IndexType, PairType, ScalarType, Type, VectorType
from rise.values import map_leaves

PLAIN_ROWS: Final = 2
"""The number of rows with plain numbers, which is also the number of rows with ties."""
ROWS: Final = 14
"""The number of inputs of a program with arrays."""
ROUGH_ROW: Final = 8
"""The row with floats of similar sizes, whose sums are rounded differently in different orders."""
CONSTANT_ROWS: Final = 11
"""The first row with arrays of equal floats, whose sums may be -0.0, infinite or NaN."""
CONSTANTS: Final = (-0.0, -0.0, 1.0, 1.0, np.inf, np.nan)
MOST_ROWS: Final = 400
"""The maximum number of inputs of a program whose parameters are all numbers, without random ones."""
RANDOM_ROWS: Final = 64
"""The number of inputs of such a program with random bits, and of those with random numbers of moderate size."""
WHOLE: Final = (0, 1, 2, 3, -1, -2, -3)
"""Integers whose sums and products are exact in any order."""


class NoRowsError(Exception):
    """Raised if there are no arrays of values of a type."""


def rows(types: Sequence[Type], is_whole: bool, seed: int) -> tuple[int, list[Any]]:
    """Inputs for parameters of these types: their number, and for each parameter an array of its values, or a pair of
    arrays.

    With `is_whole`, floats are small integers and NaN. Raises NoRowsError for types without such arrays.
    """
    random = np.random.default_rng(seed)
    shapes = [axes(t) for t in types]
    scalars = [leaf for leaf in shapes if not leaf[0]]
    if types and len(scalars) == len(types) and all(isinstance(t, ScalarType) for t in types):
        return _combinations([t for t in types if isinstance(t, ScalarType)], is_whole, random)
    return ROWS, [_value(t, (), is_whole, random, 1 + 100 * place) for place, t in enumerate(types)]


def numbered(t: Type, first: int, around: tuple[int, ...] = ()) -> Any:
    """A value whose numbers are consecutive, from `first` on. Raises NoRowsError for types without numbers."""
    sizes, leaf = axes(t)
    shape = (*around, *sizes)
    numbers = np.asarray(first + np.arange(np.prod(shape, dtype=np.int64)).reshape(shape))
    match leaf:
        case PairType(left, right):
            return numbered(left, first, shape), numbered(right, first + 500, shape)
        case IndexType(size):
            return numbers % max(1, size.constant or 0)
        case ScalarType("bool"):
            return numbers % 2 == 0
        case ScalarType(name):
            return numbers.astype(SCALARS[name].dtype)
    raise NoRowsError


def rough(value: Any, seed: int) -> Any:
    """A value with random floats from 0.1 to 1 in place of its own; other numbers stay."""
    random = np.random.default_rng(seed)

    def floats(xs: Any) -> Any:
        is_float = np.asarray(xs).dtype.kind == "f"
        return random.uniform(0.1, 1.0, np.shape(xs)).astype(xs.dtype) if is_float else xs

    return map_leaves(floats, value)


def axes(t: Type) -> tuple[list[int], Type]:
    """The shape and the element type of an array. Vectors and fragments are treated as arrays."""
    sizes: list[int] = []
    while True:
        match t:
            case ArrayType(size, element) | VectorType(size, element):
                sizes.append(int(evaluate_natural(size, {})))
            case FragmentType(height, width, _, element):
                sizes += [int(evaluate_natural(height, {})), int(evaluate_natural(width, {}))]
            case _:
                return sizes, t
        t = element


def _combinations(
    types: list[ScalarType], is_whole: bool, random: np.random.Generator
) -> tuple[int, list[Any]]:
    """All combinations of edges, or random ones if there are too many, followed by random ones."""
    pools = [pool(t.name, is_whole) for t in types]
    count = prod(len(each) for each in pools)
    if count <= MOST_ROWS:
        chosen = [np.array(column) for column in zip(*product(*(range(len(p)) for p in pools)), strict=True)]
    else:
        chosen = [random.integers(0, len(each), MOST_ROWS) for each in pools]
        first = np.arange(min(map(len, pools)))
        chosen = [np.concatenate([first, column]) for column in chosen]  # first, edges of the same rank
    values = [each[column] for each, column in zip(pools, chosen, strict=True)]
    more = 0 if is_whole else RANDOM_ROWS
    values = [
        np.concatenate([value, _random_bits(t.name, (more,), random), _moderate(t.name, more, random)])
        for t, value in zip(types, values, strict=True)
    ]
    return len(values[0]), values


def _value(t: Type, around: tuple[int, ...], is_whole: bool, random: np.random.Generator, first: int) -> Any:
    sizes, leaf = axes(t)
    shape = (*around, *sizes)
    match leaf:
        case PairType(left, right):
            return (
                _value(left, shape, is_whole, random, first),
                _value(right, shape, is_whole, random, first + 37),
            )
        case IndexType(size):
            limit = int(evaluate_natural(size, {}))
            if limit < 1 and 0 not in shape:
                raise NoRowsError
            made = random.integers(0, max(1, limit), (ROWS, *shape), dtype=np.int64)
            made[0] = np.arange(made[0].size, dtype=np.int64).reshape(shape) % max(1, limit)
            return made
        case ScalarType(name):
            return _numbers(name, shape, is_whole, random, first)
    raise NoRowsError


def _numbers(
    name: str, shape: tuple[int, ...], is_whole: bool, random: np.random.Generator, first: int
) -> NDArray[Any]:
    """The rows of an array of scalars."""
    dtype, part = SCALARS[name].dtype, SCALARS[name].part
    if part:
        return joined(*(_numbers(part, shape, is_whole, random, first + at) for at in (0, 13)), dtype=dtype)
    if name == "bool":
        return random.integers(0, 2, (ROWS, *shape)) > 0
    edges, count = pool(name, is_whole), int(np.prod(shape, dtype=np.int64))
    made = np.empty((ROWS, *shape), dtype)
    spread = 7 if is_whole else 29
    for row in range(ROWS):
        if row < PLAIN_ROWS:
            numbers = (np.arange(count) * (1 + 2 * row) + first) % spread + (not is_whole)
            numbers = numbers - (spread // 2 if row and not name.startswith("u") else 0)
            values: NDArray[Any] = numbers.astype(dtype)
        elif row < 2 * PLAIN_ROWS:
            few = random.choice(len(edges), 2)
            values = edges[random.choice(few, count)]
        elif row == ROUGH_ROW and SCALARS[name].is_float and not is_whole:
            values = random.uniform(0.1, 1.0, count)
        elif row >= CONSTANT_ROWS and SCALARS[name].is_float and not is_whole:
            values = np.full(count, random.choice(CONSTANTS))
        elif row % 3 == 0 and not is_whole:
            values = _random_bits(name, (count,), random)
        elif row % 3 == 1:
            special = random.integers(0, len(edges), count)
            values = np.where(random.random(count) < 0.3, edges[special], edges[random.integers(1, 5, count)])
        else:
            values = edges[random.integers(0, len(edges), count)]
        made[row] = values.astype(dtype).reshape(shape)
    return made


def _random_bits(name: str, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[Any]:
    """Numbers with random bits: all exponents of floats are equally likely."""
    dtype, part = SCALARS[name].dtype, SCALARS[name].part
    if part:
        return joined(*(_random_bits(part, shape, random) for _ in range(2)), dtype=dtype)
    if name == "bool":
        return random.integers(0, 2, shape) > 0
    bits = random.bytes(prod(shape) * dtype.itemsize)
    return np.frombuffer(bits, np.dtype(f"u{dtype.itemsize}")).view(dtype).reshape(shape)


def _moderate(name: str, count: int, random: np.random.Generator) -> NDArray[Any]:
    """Random numbers of moderate size, of which functions of floats have a finite result that is rounded; bits for
    other types.
    """
    dtype = SCALARS[name].dtype
    if not SCALARS[name].is_float or SCALARS[name].part:
        return _random_bits(name, (count,), random)
    return random.uniform(-8, 8, count).astype(dtype)


def pool(name: str, is_whole: bool) -> NDArray[Any]:
    """The edges of a scalar type, the plainest first. With `is_whole`, they are small integers, and NaN of floats: sums
    of large integers that are cast to floats cancel.
    """
    dtype, part = SCALARS[name].dtype, SCALARS[name].part
    if part:  # pairs of different edges, and of equal ones
        parts = pool(part, is_whole)
        return joined(
            np.concatenate([parts, parts]), np.concatenate([np.roll(parts, -2), parts]), dtype=dtype
        )
    if name == "bool":
        return np.array([False, True])
    if not SCALARS[name].is_float:
        ends = np.iinfo(dtype)
        low, high = int(ends.min), int(ends.max)
        if is_whole:
            return np.array([one for one in WHOLE if low <= one], dtype)
        small = [one for one in (1, 2, 3, 0, -1, -2, 7) if low <= one]
        return np.array([*small, high, low, high - 1, low + 1, high // 2, high // 2 + 1], dtype)
    if is_whole:
        return np.array([*WHOLE, np.nan], dtype)
    facts: Any = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]  # it has no types
    numbers = [1.0, 0.5, 2.0, -1.0, 0.0, -0.0, np.inf, -np.inf, np.nan, 3.0, -2.5, 0.1]
    edges = [facts.max, facts.min, facts.tiny, -facts.tiny, facts.smallest_subnormal, facts.eps]
    return np.array([*numbers, *map(float, edges)]).astype(dtype)
