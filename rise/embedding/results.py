"""The results of a program: what its function returns, and the new values of parameters that it assigns to.

A program has no effects. The new values are results after those that the function returns; the kernel of such a program
writes them to the caller's arrays. Independent of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rise.embedding.places import parameter, refuse
from rise.embedding.trace import Part
from rise.embedding.trees import children_of, filled, layout_of, leaves_of, rebuilt
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import Value
from rise.records import dataclass
from rise.types import ArrayType, PairType, Type


@dataclass(frozen=True, slots=True)
class WithUpdates:
    """The layout of the results of a program with new values of parameters after what its function returns."""

    returned: Any


class Counted(NamedTuple):
    """A result whose length depends on data: the program returns an array that begins with its elements, and is long
    enough for any data, and their number. What is after them is unspecified.
    """

    elements: Any
    number: Any

    def cut(self) -> Any:
        """The elements; in an array of their own if they are less than half of the array of numpy."""
        elements = self.elements[: int(self.number)]
        is_small = isinstance(elements, np.ndarray) and 2 * len(elements) < len(self.elements)
        return elements.copy() if is_small else elements


def with_counts(result: Any) -> Any:
    """The results of a function, with the number of elements of those whose length depends on data."""
    leaves = leaves_of(result)
    if not any(isinstance(leaf, SpannedSymbol) for leaf in leaves):
        return result
    return filled(layout_of(result), map(_counted, leaves))


def _counted(leaf: Any) -> Any:
    padded = leaf.padded if isinstance(leaf, SpannedSymbol) else None
    return leaf if padded is None else Counted(*padded)


def with_updates(
    function: Callable[..., Any],
    result: Any,
    arguments: Sequence[Any],
    given: Sequence[Part],
    is_updating: bool,
) -> tuple[Any, Any, tuple[tuple[int, int], ...]]:
    """All results of a function: what it returns, or the arrays that it changed if it returns nothing, and, if calls
    update arrays, the new values of other parameters. With their layout, and the places of the updates.
    """
    changed = changed_parameters(arguments, given)
    result = with_counts(result)
    if result is None:
        result = tuple(changed.values()) if len(changed) > 1 else next(iter(changed.values()), None)
    if result is None:
        title = "expected a function that returns a value, found one that returns None"
        hint = "end it with `return`, or assign to the elements of a parameter"
        refuse("no-value", title, hint, at=parameter(function, ""))
    layout = layout_of(result)
    if not is_updating:
        return result, layout, ()
    others, places = update_places(result, changed)
    return ((result, *others), WithUpdates(layout), places) if others else (result, layout, places)


def changed_parameters(arguments: Sequence[Any], given: Sequence[Part]) -> dict[int, Value]:
    """The arrays that a function was given and assigned to, by their positions; `given` are their first values."""
    return {
        place: argument
        for place, (argument, part) in enumerate(zip(arguments, given, strict=True))
        if isinstance(argument, Value) and argument.part is not part
    }


def update_places(result: Any, changed: dict[int, Value]) -> tuple[list[Value], tuple[tuple[int, int], ...]]:
    """The new values of parameters that are not among the results that a function returns; and for each of `changed`,
    the position of its array among those of all results, and of the parameter.
    """
    others: list[Value] = []
    updates: list[tuple[int, int]] = []
    places: dict[int, int] = {}  # of values that are returned, by identity
    end = 0
    for leaf in leaves_of(result):
        places.setdefault(id(leaf), end)
        end += _array_count(leaf.part.type) if isinstance(leaf, Value) else 1
    for position, value in changed.items():
        if not isinstance(value.part.type, ArrayType):
            continue
        place = places.get(id(value))
        if place is None:
            others.append(value)
            place, end = end, end + 1
        updates.append((place, position))
    return others, tuple(updates)


def as_returned(layout: Any, result: Any) -> Any:
    """The results of a program, which are nested pairs, as its function returns them.

    >>> as_returned((None, None, {"a": None, "b": None, "c": ()}), (1, (2, (3, 4))))
    (1, 2, {'a': 3, 'b': 4, 'c': ()})
    """
    if layout is None:
        return result
    if isinstance(layout, WithUpdates):
        return as_returned(layout.returned, result[0])
    results: list[Any] = []
    if type(layout) is tuple and layout.count(None) == len(layout):  # by far the most frequent case
        for _ in layout[1:]:
            first, result = result
            results.append(first)
        return (*results, result)
    children = children_of(layout)
    left = sum(bool(leaves_of(child)) for child in children)
    for child in children:
        if not leaves_of(child):
            results.append(child)
            continue
        left -= 1
        first, result = result if left else (result, None)
        results.append(as_returned(child, first))
    found = rebuilt(layout, results)
    return found.cut() if isinstance(found, Counted) else found


def _array_count(t: Type) -> int:
    """The number of arrays and numbers of a type."""
    match t:
        case PairType(first, second):
            return _array_count(first) + _array_count(second)
        case ArrayType(_, element):
            return _array_count(element)
    return 1
