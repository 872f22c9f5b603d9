"""Inputs of cases: the layout of a type's values, and random values of each kind. Independent of programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from rise.arguments.ragged_arrays import halves_of, lengths_at, part_of
from rise.natural_values import evaluate_natural
from rise.naturals import const
from rise.scalars import SCALARS
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    type_at,
)

Layout: TypeAlias = "Axes | Paired | tuple[Layout, Layout]"

#: the number of a dependent pair
NUMBER: Final = 5


@dataclass(frozen=True, slots=True)
class Axes:
    """The layout of the numbers of a type: an array's shape, the scalar's name, and for an index its bound.

    If rows differ in length, `lengths` has the length of each, and the shape is that of all rows together.
    """

    shape: tuple[int, ...]
    scalar: str
    end: int | None = None
    lengths: tuple[int, ...] | None = None

    @property
    def rows(self) -> tuple[Axes, ...]:
        """The layout of each row, if rows differ in length."""
        rest = self.shape[1:]
        return tuple(Axes((length, *rest), self.scalar, self.end) for length in self.lengths or ())


@dataclass(frozen=True, slots=True)
class Paired:
    """A dependent pair: its number, and the layout of its value."""

    number: int
    value: Layout


def layout(t: Type, shape: tuple[int, ...] = ()) -> Layout:
    """The layout of a type's values: an array of pairs is a pair of arrays."""
    match t:
        case ArrayType(size=size, element=element):
            return layout(element, (*shape, int(evaluate_natural(size, {}))))
        case PairType(first=first, second=second):
            return layout(first, shape), layout(second, shape)
        case DepArrayType(size=size) if not shape:
            return _of_rows(t, int(evaluate_natural(size, {})))
        case DepPairType(family=family):
            return Paired(NUMBER, layout(type_at(family, const(NUMBER))))
        case IndexType(size=size):
            return Axes(shape, "i64", int(evaluate_natural(size, {})))
        case ScalarType(name=name):
            return Axes(shape, name)
    raise AssertionError(f"no case has a value of type {t}")


def _of_rows(t: DepArrayType, count: int) -> Layout:
    halves = halves_of(t)
    if halves is not None:
        return layout(halves[0]), layout(halves[1])
    part = part_of(t)
    assert part is not None, t
    lengths = tuple(lengths_at(part.lengths, count, {}))
    inner = layout(part.element, (sum(lengths),))
    assert isinstance(inner, Axes), t
    return replace(inner, lengths=lengths)


def some_input(kind: str, rng: np.random.Generator, at: Layout) -> Any:
    """Values of a kind; indices are any within bounds. Rows of different lengths are a list."""
    if isinstance(at, tuple):
        return some_input(kind, rng, at[0]), some_input(kind, rng, at[1])
    if isinstance(at, Paired):
        return at.number, some_input(kind, rng, at.value)
    if at.lengths is not None:
        return [some_input(kind, rng, row) for row in at.rows]
    if at.end is not None:
        return rng.integers(0, at.end, at.shape)
    return np.asarray(INPUTS[kind](rng, at)).astype(SCALARS[at.scalar].dtype)


def normal(rng: np.random.Generator, at: Axes) -> Any:
    if at.scalar == "bool":
        return rng.integers(0, 2, at.shape)
    return (
        rng.standard_normal(at.shape) if is_float(at) else rng.integers(*small(at), at.shape, endpoint=True)
    )


def zeros(rng: np.random.Generator, at: Axes) -> Any:
    return np.zeros(at.shape)


def negative(rng: np.random.Generator, at: Axes) -> Any:
    return -0.5 - np.abs(normal(rng, at)) if is_float(at) else rng.integers(-100, 0, at.shape)


def large(rng: np.random.Generator, at: Axes) -> Any:
    """Large magnitudes, such that products of three of them do not overflow; any integers."""
    if is_float(at):
        return normal(rng, at) * (2.0**12 if at.scalar == "f16" else 2.0**30)
    limits = np.iinfo(SCALARS[at.scalar].dtype)
    return rng.integers(limits.min, limits.max, at.shape, endpoint=True, dtype=limits.dtype)


def edges(rng: np.random.Generator, at: Axes) -> Any:
    """Integers at which operations may overflow."""
    limits = np.iinfo(SCALARS[at.scalar].dtype)
    least = [limits.min, limits.min + 1, -1] if limits.min < 0 else []
    return rng.choice(np.array([*least, 0, 1, limits.max], limits.dtype), at.shape)


def whole(rng: np.random.Generator, at: Axes) -> Any:
    """Small integers, so that nothing is rounded."""
    return rng.integers(*small(at), at.shape, endpoint=True)


def digits(rng: np.random.Generator, at: Axes) -> Any:
    """Integers so small that no product of several and no sum of many of them is rounded."""
    return rng.integers(-4 if small(at)[0] < 0 else 0, 4, at.shape, endpoint=True)


def unit(rng: np.random.Generator, at: Axes) -> Any:
    """Magnitudes from a half to 1, so that quotients stay small and systems of equations well conditioned."""
    return rng.uniform(0.5, 1.0, at.shape)


def cells(rng: np.random.Generator, at: Axes) -> Any:
    """Zeros and ones."""
    return rng.integers(0, 2, at.shape)


def nans(rng: np.random.Generator, at: Axes) -> Any:
    return np.where(rng.random(at.shape) < 0.1, np.nan, normal(rng, at))


def is_float(at: Axes) -> bool:
    return "f" in at.scalar


def small(at: Axes) -> tuple[int, int]:
    return (0 if at.scalar.startswith("u") else -100), 100


INPUTS: Final[Mapping[str, Callable[[np.random.Generator, Axes], Any]]] = {
    "random": normal,
    "zeros": zeros,
    "negative": negative,
    "large": large,
    "edges": edges,
    "whole": whole,
    "digits": digits,
    "unit": unit,
    "cells": cells,
    "nans": nans,
}
