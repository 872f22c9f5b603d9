"""Arrays with a part that is shifted, or replaced by elements of another array, at positions that change in loops.

Independent of slices and assignments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rise.dsl.printer import Application, ImplicitApplication, TextPiece, TypeNode
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.elementwise import element
from rise.embedding.loop_numbers import integer
from rise.embedding.trace import Part, apply, computed, function, piped, viewed
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative
from rise.types import BOOL, I64, IndexType

#: the index of the first valid element of an axis, and the index after the last one
Span: TypeAlias = tuple[Nat, Nat]


def shifted(xs: Part, size: Nat, sign: int, offset: Nat) -> Part:
    """The array whose element p is element `sign * p + offset` of `xs`, or zero if there is no such element."""
    padded = sh.padded(xs, const(0), const(1), sh.zeros(xs))
    at = IndexType(padded.shape[0])

    def body(p: Part) -> Part:
        place = computed(I64, apply("indexAsInt", p.syntax), p)
        if sign < 0:
            place = op.NEG.write(place)
        place = op.ADD.write(place, integer(offset, xs.trace))
        to = Application(
            ImplicitApplication(TextPiece("toIndex"), (TypeNode(padded.shape[0]),)), (place.syntax,)
        )
        index = computed(at, to, place)
        return viewed(element(padded), piped("idx", index.syntax, padded.syntax), index, padded)

    index = IndexType(size)
    f = function(xs.trace, ["p"], [index], body, [TypeNode(index)])
    return computed(t.array_of([size], t.result_of(f)), apply("generate", f.syntax), f, xs)


def blend(yes: Part, no: Part, spans: Sequence[Span | None]) -> Part:
    """The valid elements of `yes`, and all other elements from `no`."""
    if not any(spans):
        return yes
    size, trace = yes.shape[0], yes.trace
    index = IndexType(size)

    def body(p: Part) -> Part:
        rows = [viewed(element(xs), piped("idx", p.syntax, xs.syntax), p, xs) for xs in (yes, no)]
        inner = blend(rows[0], rows[1], spans[1:])
        condition = _counts(p, spans[0], size)
        return inner if condition is None else chosen(condition, inner, rows[1])

    f = function(trace, ["p"], [index], body, [TypeNode(index)])
    return computed(yes.type, apply("generate", f.syntax), f, yes, no)


def _counts(p: Part, span: Span | None, size: Nat) -> Part | None:
    """Whether the element at an index is valid; None if all are."""
    if span is None:
        return None
    place = computed(I64, apply("indexAsInt", p.syntax), p)
    tests: list[Part] = []
    if not is_nonnegative(const(0) - span[0]):
        low = integer(span[0], p.trace)
        tests.append(computed(BOOL, apply("le", low.syntax, place.syntax), low, place))
    if not is_nonnegative(span[1] - size):
        high = integer(span[1], p.trace)
        tests.append(computed(BOOL, apply("lt", place.syntax, high.syntax), place, high))
    if len(tests) < 2:
        return tests[0] if tests else None
    return computed(BOOL, apply("and", tests[0].syntax, tests[1].syntax), *tests)


def chosen(condition: Part, yes: Part, no: Part) -> Part:
    """One of two arrays, chosen by a condition; for arrays, element by element."""
    if not yes.shape:
        operands = (condition, yes, no)
        return computed(yes.type, apply("select", *(operand.syntax for operand in operands)), *operands)
    index = IndexType(yes.shape[0])

    def choose(k: Part) -> Part:
        return chosen(
            condition, *(viewed(element(xs), piped("idx", k.syntax, xs.syntax), k, xs) for xs in (yes, no))
        )

    f = function(condition.trace, ["k"], [index], choose, [TypeNode(index)])
    return computed(yes.type, apply("generate", f.syntax), f, yes, no, condition)
