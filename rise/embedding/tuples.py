"""Pairs of the term as Python tuples: unpacked by assignments, and as the state of a fold.

Independent of statements.
"""

from __future__ import annotations

from typing import Any

from rise.embedding import shapes as sh
from rise.embedding.lengths import refuse_lengths
from rise.embedding.values import Value, wrap
from rise.naturals import const
from rise.text.nat_printer import show_nat
from rise.types import PairType


class Several(tuple[Any, ...]):
    """A tuple of symbolic values that a function returned. It is also a pair, whose second part is all that follows."""

    __slots__ = ()

    @property
    def first(self) -> Any:
        """The first value."""
        return self[0]

    @property
    def second(self) -> Any:
        """The second value, or the tuple of all values after the first."""
        return self[1] if len(self) == 2 else Several(self[1:])

    def __or__(self, term: Any) -> Any:
        return _paired(self) | term


def layout_of(result: Any) -> Any:
    """The layout of a function's result as nested tuples; None if it is not a tuple."""
    return tuple(map(layout_of, result)) if isinstance(result, tuple) else None


def in_layout(value: Value, layout: Any) -> Any:
    """The parts of a value, in tuples nested like a layout."""
    if layout is None:
        return value
    parts = []
    for one in layout[:-1]:
        parts.append(in_layout(value.first, one))
        value = value.second
    return Several((*parts, in_layout(value, layout[-1])))


def parts_of(value: Value, count: int) -> Any:
    """The parts of a pair, or of each pair of an array, as a tuple of this length; any other value unchanged.

    Raises RiseError for an array whose length is not known, and may be this one.
    """
    parts = []
    rest = value
    for _ in range(count - 1):
        if not isinstance(rest.part.element, PairType):
            break
        parts.append(rest.first)
        rest = rest.second
    shape = value.part.shape
    if not parts and shape and shape[0].constant is None:
        title = f"expected {count} elements to unpack, found {show_nat(shape[0])}"
        hint = f"annotate the parameter with the length {count}, or take its elements: `x[0]`"
        refuse_lengths(shape[0], const(count), title, hint)
    return (*parts, rest) if parts else value


def _paired(values: Several) -> Value:
    *firsts, last = (_paired(one) if isinstance(one, Several) else one for one in values)
    pair = last.part
    for first in reversed(firsts):
        pair = sh.paired(first.part, pair)
    return wrap(pair)
