"""What literals of vectors and ranges stand for, in syntax. Knows no types.

The primitives that they stand for are meant whatever a text calls its variables.
"""

from __future__ import annotations

from fractions import Fraction

from rise.text import syntax as s
from rise.text.trees import Span


def vector(literal: s.VectorLiteral) -> s.Expr:
    """The vector that an array is cut into.

    >>> from rise.text.reader import read_expression
    >>> vector(read_expression("vec[a, b]")).fun
    Apply(PrimitiveName('idx'), Number('0', None, 0, False))
    """
    span, array = literal.span, literal.array
    cut = s.Apply(span, s.PrimitiveName(span, "asVector"), _number(span, len(array.elements)))
    first = s.Apply(span, s.PrimitiveName(span, "idx"), _number(span, 0))
    return s.Apply(span, first, s.Apply(span, cut, array))


def indices(literal: s.Range) -> s.Expr:
    """The indices that `generate` counts, without those that are dropped.

    >>> from rise.text.reader import read_expression
    >>> indices(read_expression("[2..n)")).fun
    Apply(PrimitiveName('drop'), Number('2', None, 2, False))
    """
    span, start, end = literal.span, literal.start, literal.end
    below = s.TypeCall(end.span, "idx", (end,))  # type: ignore[arg-type]  # sizes are read from either syntax
    each = s.Fun(span, (s.Param(span, "i", below, False, ()),), s.Name(span, "i"))
    counted = s.Apply(span, s.PrimitiveName(span, "generate"), each)
    match start:
        case s.Number(_, _, None, 0, False):
            return counted
        case _:
            return s.Apply(span, s.Apply(span, s.PrimitiveName(span, "drop"), start), counted)


def _number(span: Span, value: int) -> s.Number:
    return s.Number(span, str(value), None, Fraction(value), False)
