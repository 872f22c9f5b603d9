"""Expands literals of vectors and tuples, as syntax, and names the primitives of ranges. Independent of types.

They expand to primitives, even if variables of the text have the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rise.text import syntax as s
from rise.text.trees import Span

ALL_INDICES: Final = "generate"  # of a range that starts at 0, from the function that returns its argument
LATER_INDICES: Final = "drop"  # than the first ones


def vector(literal: s.VectorLiteral) -> s.Expr:
    """The vector of an array's elements.

    >>> from rise.text.reader import read_expression
    >>> vector(read_expression("vec[a, b]")).fun
    Apply(PrimitiveName('idx'), Number('0', None, 0, False))
    """
    span, array = literal.span, literal.array
    cut = s.Apply(span, s.PrimitiveName(span, "asVector"), _number(span, len(array.elements)))
    first = s.Apply(span, s.PrimitiveName(span, "idx"), _number(span, 0))
    return s.Apply(span, first, s.Apply(span, cut, array))


def nested_pairs(span: Span, items: Sequence[s.Expr]) -> s.Expr:
    """A tuple as pairs.

    >>> from rise.text.reader import read_expression
    >>> nested_pairs(read_expression("(a, b, c)").span, read_expression("(a, b, c)").items).arg
    Apply(Apply(PrimitiveName('pair'), Name('b')), Name('c'))
    """
    *firsts, pairs = items
    for first in reversed(firsts):
        inside = Span(first.span.start, span.end)
        pairs = s.Apply(inside, s.Apply(first.span, s.PrimitiveName(first.span, "pair"), first), pairs)
    return pairs


def _number(span: Span, value: int) -> s.Number:
    return s.Number(span, str(value), None, Fraction(value), False)
