"""`places` and `meaning` of a view's record agree about where operands are written. Independent of primitives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
from rise.inference.schemes import sizes_of
from rise.naturals import const
from rise.primitives import PRIMITIVES
from rise.primitives.record import Half, Way
from rise.terms import App, DepApp, Expr, Var, abstract
from rise.testing.schemes import instance, shapes_of
from rise.types import I32, ArrayType, DepArrayType, PairType, Type, VectorType, type_at

PLACED = [record.name for record in PRIMITIVES.values() if record.places]


@pytest.mark.parametrize("name", PLACED)
@given(st.data())
def test_a_number_is_written_where_the_view_shows_it(name: str, data: st.DataObject) -> None:
    record = PRIMITIVES[name]
    *_, shape = shapes_of(record)

    def drawn(kind: str) -> Any:
        return const(data.draw(st.integers(0, 4))) if kind == "nat" else I32

    found = instance(shape, None, drawn)
    assert found is not None
    term: Expr = found.primitive
    dependent = [
        one for one, is_value in zip(found.arguments, found.takes_value, strict=True) if not is_value
    ]
    for one in dependent:
        term = DepApp(term, one)
    operands = [
        Var(f"x{k}", one)
        for k, one in enumerate(t for t in found.arguments if isinstance(t, Type))
        if one not in dependent
    ]
    for operand in operands:
        term = App(term, operand)
    result = term.type
    for operand in reversed(operands):
        term = abstract(term, operand)
    values = [numbered(operand.given, 100 * k + 1) for k, operand in enumerate(operands)]
    view = rise.evaluate(term, *values)
    at = sizes_of(record, found.primitive.implicits, dependent)
    for place, operand, value in zip(record.places, operands, values, strict=True):
        for steps in ways(operand.given):
            outer, inner = steps[: place.depth], steps[place.depth :]
            if place.below is not None:
                low, high = place.below(at, *outer)
                if not low.constant < high.constant:
                    continue
            there = (*place.way(at, *outer), *inner)
            assert looked_up(view, result, there) == looked_up(value, operand.given, steps)


def ways(t: Type) -> Iterator[Way]:
    """All paths to the numbers in a value."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            for i in range(size.constant or 0):
                yield from ((const(i), *rest) for rest in ways(element))
        case DepArrayType(size, family):
            for i in range(size.constant or 0):
                yield from ((const(i), *rest) for rest in ways(type_at(family, const(i))))
        case PairType(first, second):
            yield from ((Half(0), *rest) for rest in ways(first))
            yield from ((Half(1), *rest) for rest in ways(second))
        case _:
            yield ()


def numbered(t: Type, start: int, shape: tuple[int, ...] = ()) -> Any:
    """A value of a type in which all numbers differ."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return numbered(element, start, (*shape, size.constant or 0))
        case DepArrayType(size, family):
            rows = range(size.constant or 0)
            return [numbered(type_at(family, const(i)), start + 10 * i) for i in rows]
        case PairType(first, second):
            return numbered(first, start, shape), numbered(second, start + 50, shape)
    dtype = np.int32 if t == I32 else np.float32
    return np.arange(start, start + int(np.prod(shape, dtype=int)), dtype=dtype).reshape(shape)


def looked_up(value: Any, t: Type, steps: Way) -> Any:
    """The number at the end of a path; an array of pairs is a pair of arrays."""
    indices: list[int] = []
    for step in steps:
        if isinstance(step, Half):
            value = [row[step.which] for row in value] if isinstance(value, list) else value[step.which]
        else:
            assert step.constant is not None
            indices.append(step.constant)
    for index in indices:
        value = value[index]
    return value
