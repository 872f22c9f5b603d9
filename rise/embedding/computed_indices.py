"""Indexing by numbers that are known only at run time, with numpy's checks. Independent of brackets.

Negative numbers count from the end. Numbers that are not an index of the axis are an error, unless they occur in a
branch that is not taken: both sides of a branch are computed.
"""

from __future__ import annotations

from rise.dsl.printer import Application, ImplicitApplication, Syntax, TextPiece, TypeNode
from rise.embedding.elementwise import element
from rise.embedding.loop_numbers import integer
from rise.embedding.places import here
from rise.embedding.shapes import padded, zeros
from rise.embedding.trace import Part, all_of, apply, computed, piped, viewed
from rise.naturals import Nat, const
from rise.primitives.index_numbers import FROM_EITHER_END, NEAREST
from rise.quotients import is_nonnegative
from rise.types import BOOL, I64, IndexType


def element_inside(xs: Part, number: Part) -> Part:
    """The element at an i64 that is certainly an index."""
    return _element(xs, as_index(NEAREST, xs.shape[0], number))


def element_at_number(xs: Part, number: Part) -> Part:
    """The element at an i64; zero if the element is not used and the number is not an index."""
    if not _conditions(number):
        return _element(xs, as_index(FROM_EITHER_END, xs.shape[0], number))
    with_zero = padded(xs, const(0), const(1), zeros(xs))
    return _element(with_zero, as_index(NEAREST, with_zero.shape[0], place_of(number, xs.shape[0])))


def place_of(number: Part, size: Nat) -> Part:
    """An i64 as an index of an axis that counts from the start, again as an i64; the size of the axis if the index is
    not used.
    """
    place = apply("indexAsInt", _applied(FROM_EITHER_END, size, number))
    condition = all_of(_conditions(number))
    if condition is None:
        return computed(I64, place, number)
    end = integer(size, number.trace)
    # the index is not named, since it would then be computed even if it is not used
    return computed(I64, apply("select", condition.syntax, place, end.syntax), condition, number, end)


def _conditions(number: Part) -> list[Part]:
    """The conditions under which an index is used: the enclosing branches are taken, and the enclosing loops in which
    it does not change have an iteration.
    """
    trace = number.trace
    conditions = list(trace.conditions)
    depth = max(part.scope.depth for part in (number, *conditions))
    for variable, index in trace.loops.items():
        if (
            index.scope.depth > depth
            and variable.upper is not None
            and not is_nonnegative(variable.upper - 1)
        ):
            zero, count = integer(const(0), trace), integer(variable.upper, trace)
            conditions.append(computed(BOOL, apply("lt", zero.syntax, count.syntax), zero, count))
    return conditions


def _element(xs: Part, place: Part) -> Part:
    return viewed(element(xs), piped("idx", place.syntax, xs.syntax), place, xs)


def as_index(form: str, size: Nat, number: Part) -> Part:
    """An i64 as an index of an axis, by a form of `toIndex`."""
    return computed(IndexType(size), _applied(form, size, number), number)


def _applied(form: str, size: Nat, number: Part) -> Syntax:
    if form == FROM_EITHER_END:
        number.trace.indexed[here()] = None
    return Application(ImplicitApplication(TextPiece(form), (TypeNode(size),)), (number.syntax,))
