"""Runs two programs on many inputs at once, and finds the first input for which their results differ. Knows no rule.

The programs are mapped over the inputs; where they cannot be, or one of them fails on some input, each input is run
by itself. An input on which the first program fails promises nothing of the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import rise
from elevate import FloatClass
from rise.naturals import const
from rise.primitives import has_trait
from rise.terms import App, Expr, Lam, Primitive, Var, abstract
from rise.testing.alike import Likeness, differing, same
from rise.testing.edges import NoRowsError, rows
from rise.types import ArrayType, FunType, Type, is_data
from strategies.equations.builder import primitive_at
from strategies.testing.values import TOLERANCE, UNSPECIFIED_VIEWS, inputs


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which two programs differ, and what they give for it."""

    arguments: list[Any]
    before: Any
    after: Any


def likeness(before: Expr, after: Expr, float_class: FloatClass) -> Likeness:
    """How alike the results of two programs must be."""
    names = _primitives(before) | _primitives(after)
    return Likeness(
        TOLERANCE.get(float_class, 0.0),
        any(has_trait(name, "chooses") or name == "clamp" for name in names),
        bool(names & UNSPECIFIED_VIEWS),
        "cast" in names,
    )


def _primitives(e: Expr) -> frozenset[str]:
    names: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [e]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Primitive):
            names.add(node.name)
        waiting.extend(node.children)
    return frozenset(names)


def difference(
    before: Expr, after: Expr, float_class: FloatClass, seed: int = 0
) -> tuple[int, Difference | None]:
    """On how many inputs the first program has a result, and the first input on which that of the other differs."""
    alike = likeness(before, after, float_class)
    is_whole = float_class > FloatClass.EXACT
    types = parameters_of(before.type)
    try:
        count, arguments = rows(types, is_whole, seed)
        if not types:
            raise NoRowsError
    except NoRowsError:
        return _one_by_one(before, after, [inputs(before.type, is_whole, seed + k) for k in range(2)], alike)
    expected, actual = _all_at_once(before, count, arguments), _all_at_once(after, count, arguments)
    if expected is not None and actual is not None:
        found_rows = differing(expected, actual, alike, count)
        if not found_rows:
            return count, None
        found = _row(arguments, found_rows[0])
        return _one_by_one(before, after, [found], alike)
    chosen = range(0, count, max(1, count // 40))
    return _one_by_one(before, after, [_row(arguments, row) for row in chosen], alike)


def parameters_of(t: Type) -> list[Type]:
    """The types of the parameters of a function type."""
    found: list[Type] = []
    while isinstance(t, FunType):
        found.append(t.parameter)
        t = t.result
    return found


def _one_by_one(
    before: Expr, after: Expr, all_arguments: list[list[Any]], alike: Likeness
) -> tuple[int, Difference | None]:
    tested = 0
    for arguments in all_arguments:
        try:
            expected = rise.evaluate(before, *arguments)
        except rise.RiseError:
            continue
        tested += 1
        try:
            actual: Any = rise.evaluate(after, *arguments)
        except rise.RiseError as error:
            return tested, Difference(arguments, expected, error)
        if not same(expected, actual, alike):
            return tested, Difference(arguments, expected, actual)
    return tested, None


def _row(values: Any, row: int) -> Any:
    if isinstance(values, tuple | list):
        return type(values)(_row(one, row) for one in values)
    return values[row]


def _all_at_once(e: Expr, count: int, arguments: list[Any]) -> Any:
    """The results for all inputs; None if one fails, or if there is no array of such results."""
    mapped = over_rows(e, count)
    if mapped is None:
        return None
    try:
        return rise.evaluate(mapped, *arguments)
    except rise.RiseError:
        return None


def over_rows(e: Expr, count: int) -> Expr | None:
    """A program mapped over arrays of its arguments; None if there are no such arrays."""
    types, size = parameters_of(e.type), const(count)
    result = e.type
    while isinstance(result, FunType):
        result = result.result
    if not types or not all(map(is_data, (*types, result))):
        return None
    arrays = [Var(f"rows{place}", ArrayType(size, t)) for place, t in enumerate(types)]
    zipped: Expr = arrays[-1]
    for array, t in zip(reversed(arrays[:-1]), reversed(types[:-1]), strict=True):
        assert isinstance(zipped.type, ArrayType)
        zipped = _call("zip", (size, t, zipped.type.element), array, zipped)
    assert isinstance(zipped.type, ArrayType)
    whole = Var("row", zipped.type.element)
    body: Expr = e
    rest: Expr = whole
    for place, t in enumerate(types):
        if place == len(types) - 1:
            body = App(body, rest)
        else:
            assert not isinstance(rest.type, FunType)
            pair = (t, rest.type.second)  # type: ignore[attr-defined]  # a pair of this and what remains
            body, rest = App(body, _call("fst", pair, rest)), _call("snd", pair, rest)
    function = Lam("row", whole.given, abstract(body, whole).body)
    mapped = _call("map", (size, whole.given, result), function, zipped)
    for array in reversed(arrays):
        mapped = abstract(mapped, array)
    return mapped


def _call(name: str, implicits: tuple[Any, ...], *arguments: Expr) -> Expr:
    e: Expr = primitive_at(name, implicits)
    for argument in arguments:
        e = App(e, argument)
    return e
