"""Expands literals: vectors and tuples as syntax, ranges as drafts. Independent of the rules for other syntax.

They expand to primitives, even if variables of the text have the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rise.inference import draft as d
from rise.inference.elaboration import Elaboration, Typed
from rise.inference.sizes import read_natural
from rise.inference.uses import Uses
from rise.text import syntax as s
from rise.text.trees import Span
from rise.types import FunType, IndexType

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


def indices(work: Elaboration, uses: Uses, literal: s.Range) -> Typed:
    """The indices below the end of a range, without those before its start. The sizes determine all types."""
    end, start = read_natural(work.scope, literal.end), read_natural(work.scope, literal.start)
    count = end - start
    if count.constant is not None and count.constant < 0:
        title = "expected a range that ends at or after its start, found one that ends before it"
        work.scope.fail("range", title, literal.span, "", "write `[start..end)` with start <= end")
    index = IndexType(end)
    i, _ = work.add(d.Local(work.depth, work.depth + 1, index), index)
    identity, _ = work.add(d.Function("i", index, i), FunType(index, index))
    all_indices, t = uses.applied(ALL_INDICES, (end, index), identity)
    match literal.start:
        case s.Number(_, _, None, 0, False):
            return all_indices, t
    return uses.applied(LATER_INDICES, (count, index), all_indices, start)


def _number(span: Span, value: int) -> s.Number:
    return s.Number(span, str(value), None, Fraction(value), False)
