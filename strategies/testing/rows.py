"""Runs two programs on many inputs at once, and finds the first input for which their results differ.

Independent of rules.

The programs are mapped over the inputs; if that is impossible, or one of them fails on some input, each input is run
separately. If the first program fails on an input, nothing is required of the second.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

import rise
from elevate import FloatClass
from rise.naturals import const
from rise.primitives import has_trait
from rise.records import dataclass
from rise.terms import App, Expr, Lam, Primitive, Var, abstract
from rise.testing.comparison import Likeness, differing, same
from rise.testing.edges import NoRowsError, rows
from rise.types import ArrayType, FunType, Type, is_data
from strategies.equations.builder import primitive_at
from strategies.testing.values import TOLERANCE, UNSPECIFIED_VIEWS, inputs


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which two programs differ, and their results."""

    arguments: list[Any]
    before: Any
    after: Any


def likeness(before: Expr, after: Expr, float_class: FloatClass) -> Likeness:
    """How similar the results of two programs must be."""
    names = _primitives(before) | _primitives(after)
    return Likeness(
        TOLERANCE.get(float_class, 0.0),
        any(has_trait(name, "chooses") or name == "clamp" for name in names),
        bool(names & UNSPECIFIED_VIEWS),
        "cast" in names,
    )


@lru_cache(maxsize=1 << 8)
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


class Runs:
    """The results of a program on many inputs, for comparison with those of programs of the same type."""

    def __init__(self, program: Expr, float_class: FloatClass, seed: int = 0) -> None:
        self.program = program
        self.float_class = float_class
        self.seed = seed
        self.count = 0
        self.arguments: list[Any] = []
        self.expected: Any = None
        self._alone: list[tuple[list[Any], Any]] | None = None
        types = parameters_of(program.type)
        try:
            if types:
                self.count, self.arguments = rows(types, float_class > FloatClass.EXACT, seed)
                self.expected = _all_at_once(program, self.count, self.arguments)
        except NoRowsError:
            pass

    def against(self, other: Expr) -> tuple[int, Difference | None]:
        """The number of inputs for which this program has a result, and the first for which that of `other` differs."""
        alike = likeness(self.program, other, self.float_class)
        if self.expected is not None:
            actual = _all_at_once(other, self.count, self.arguments)
            if actual is not None:
                found_rows = differing(self.expected, actual, alike, self.count)
                if not found_rows:
                    return self.count, None
                return _compared(self._run([_row(self.arguments, found_rows[0])]), other, alike)
        if self._alone is None:
            self._alone = self._run(self._inputs())
        return _compared(self._alone, other, alike)

    def _inputs(self) -> list[list[Any]]:
        if not self.count:
            is_whole = self.float_class > FloatClass.EXACT
            return [inputs(self.program.type, is_whole, self.seed + k) for k in range(2)]
        chosen = range(0, self.count, max(1, self.count // 40))
        return [_row(self.arguments, row) for row in chosen]

    def _run(self, all_arguments: list[list[Any]]) -> list[tuple[list[Any], Any]]:
        """The inputs for which the program has a result, each with the result."""
        found: list[tuple[list[Any], Any]] = []
        for arguments in all_arguments:
            with suppress(rise.RiseError):
                found.append((arguments, rise.evaluate(self.program, *arguments)))
        return found


def difference(
    before: Expr, after: Expr, float_class: FloatClass, seed: int = 0
) -> tuple[int, Difference | None]:
    """The number of inputs for which the first program has a result, and the first for which the second's differs."""
    return Runs(before, float_class, seed).against(after)


def _compared(
    expected: list[tuple[list[Any], Any]], other: Expr, alike: Likeness
) -> tuple[int, Difference | None]:
    for place, (arguments, result) in enumerate(expected):
        try:
            actual: Any = rise.evaluate(other, *arguments)
        except rise.RiseError as error:
            actual = error
        if isinstance(actual, rise.RiseError) or not same(result, actual, alike):
            return place + 1, Difference(arguments, result, actual)
    return len(expected), None


def parameters_of(t: Type) -> list[Type]:
    """The types of the parameters of a function type."""
    found: list[Type] = []
    while isinstance(t, FunType):
        found.append(t.parameter)
        t = t.result
    return found


def _row(values: Any, row: int) -> Any:
    if isinstance(values, tuple | list):
        return type(values)(_row(one, row) for one in values)
    return values[row]


def _all_at_once(e: Expr, count: int, arguments: list[Any]) -> Any:
    """The results for all inputs; None if one fails, or if such results cannot be elements of an array."""
    mapped = over_rows(e, count)
    if mapped is None:
        return None
    try:
        return rise.evaluate(mapped, *arguments)
    except rise.RiseError:
        return None


def over_rows(e: Expr, count: int) -> Expr | None:
    """A program mapped over arrays of its arguments; None if such arguments cannot be elements of an array."""
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
