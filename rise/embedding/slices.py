"""Slices in brackets: their bounds, backward ones, and those that move in a loop."""

from __future__ import annotations

from rise.dsl.printer import TypeNode
from rise.embedding import trace as t
from rise.embedding.blends import shifted
from rise.embedding.elementwise import element
from rise.embedding.loop_numbers import variables
from rise.embedding.operands import Size, Weak
from rise.embedding.places import refuse
from rise.embedding.shapes import (
    backwards,
    drop,
    every,
    split,
    take,
    windows,
)
from rise.embedding.trace import Part, Trace, piped, viewed
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative, linear_in, maximum, minimum
from rise.text.nat_printer import show_nat
from rise.types import ArrayType


def sliced(xs: Part, cut: slice) -> Part:
    """`xs[cut]`: some elements along the first axis."""
    size = xs.shape[0]
    step = 1 if cut.step is None else cut.step
    if isinstance(step, bool) or not isinstance(step, int) or step == 0:
        title = f"expected an integer other than 0 as a step, found {item_text(step)}"
        refuse("index", title, "the length of the result is part of its type: write `x[::2]` or `x[::-1]`")
    if step < 0:
        return _backwards(xs, cut, step)
    window = window_of(cut)
    if window is not None:
        return _window(xs, *window)
    first, last = bounds(cut, size)
    xs = take(drop(xs, first), last - first)
    return xs if step == 1 else every(xs, step)


def window_of(cut: slice) -> tuple[Nat, Nat] | None:
    """The first index and the length of a slice that moves in a loop and keeps its length, which is not negative; None
    for others.
    """
    moving = next((each for each in (cut.start, cut.stop) if isinstance(each, Size) and each.changes), None)
    start, stop = _known_bound(cut.start), _known_bound(cut.stop)
    if moving is None or start is None or stop is None or cut.step not in (None, 1):
        return None
    if _is_negative(start) != _is_negative(stop):
        return None
    length, trace = stop - start, moving.scope.trace
    if not is_nonnegative(start) and not _is_negative(start) and _is_negative(_first(start, trace)):
        return None
    is_length = is_nonnegative(length) or length in trace.lengths
    return (start, length) if is_length and not variables(length, trace) else None


def _is_negative(bound: Nat) -> bool:
    """Whether a bound is negative, so that it counts from the end."""
    return is_nonnegative(const(-1) - bound)


def counted_from_start(given: Size, size: Nat) -> Nat:
    """A bound of a slice that changes in a loop, as numpy reads it: a negative one counts from the end, and one beyond
    either end of the axis is that end.
    """
    bound, promised = given.nat, given.scope.trace.facts
    if is_nonnegative(bound):
        rest = size - bound  # bounds in the same form have the same lengths
        is_inside = is_nonnegative(rest) or any(
            is_nonnegative(rest - (more - less)) for less, more in promised
        )
        return bound if is_inside else size - maximum(const(0), rest)
    is_before = const(1) if _is_negative(bound) else minimum(maximum(const(0) - bound, const(0)), const(1))
    found = bound + size * is_before
    return found if is_nonnegative(found) else maximum(const(0), found)


def _first(bound: Nat, trace: Trace) -> Nat:
    """A bound in the first iterations of the loops that it changes in."""
    return substitute_naturals(bound, {variable: const(0) for variable in variables(bound, trace)})


def _known_bound(given: object) -> Nat | None:
    """A bound of a slice that counts from the start; None for others."""
    if isinstance(given, Size):
        return given.nat
    return const(given) if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else None


def _window(xs: Part, start: Nat, length: Nat) -> Part:
    """The elements of a slice that moves in a loop: a window of the array if possible, otherwise elements taken one by
    one.

    A call checks that the windows exist. Otherwise, elements outside of the array are zeros.
    """
    size, trace = xs.shape[0], xs.trace
    if _is_negative(start):
        start = start + size
    atoms = variables(start, trace)
    linear = linear_in(start, atoms[0]) if len(atoms) == 1 else None
    step = None if linear is None else linear[0].constant
    if linear is not None and isinstance(step, int) and step > 0 and atoms[0].upper is not None:
        low, used = linear[1], (atoms[0].upper - 1) * step + length
        spare = size - low - used
        is_inside = is_nonnegative(low) and is_nonnegative(spare)
        may_be_inside = not is_nonnegative(const(-1) - low) and not is_nonnegative(const(-1) - spare)
        if is_inside or (may_be_inside and not trace.conditions and not trace.is_of_data(spare)):
            part = take(drop(xs, low), used)
            part = (
                split(part, length) if length == const(step) else _windows(part, length, step, atoms[0].upper)
            )
            i = trace.loops[atoms[0]]
            return viewed(element(part), piped("idx", i.syntax, part.syntax), i, part)
    return shifted(xs, length, 1, start)


def _windows(xs: Part, length: Nat, step: int, count: Nat) -> Part:
    """`count` windows. If this may be 0, one more window is built and dropped, whose last elements are never read."""
    if is_nonnegative(count - 1):
        return windows(xs, length, step)
    type = ArrayType(xs.shape[0] + step, element(xs))
    longer = viewed(type, piped("padEmpty", TypeNode(const(step)), xs.syntax), xs)
    return take(windows(longer, length, step), count)


def bounds(cut: slice, size: Nat) -> tuple[Nat, Nat]:
    """The first index of a slice of an axis of this size, and the index after the last."""
    known = size.constant
    if known is not None and all(bound is None or isinstance(bound, int) for bound in (cut.start, cut.stop)):
        start, stop, _ = slice(cut.start, cut.stop).indices(known)
        return const(start), const(max(start, stop))
    if _is_never_below(cut.start, cut.stop):
        return const(0), const(0)
    return _bound(cut.start, size, const(0)), _bound(cut.stop, size, size)


def _backwards(xs: Part, cut: slice, step: int) -> Part:
    """The slice from `start` down to just above `stop`, with a negative step: the elements between them, reversed."""
    first, last = span_down(cut, xs.shape[0])
    reversed_part = backwards(take(drop(xs, first), last - first))
    return reversed_part if step == -1 else every(reversed_part, -step)


def span_down(cut: slice, size: Nat) -> tuple[Nat, Nat]:
    """The range of elements that a slice with a negative step covers: its first index, and the index after the last."""
    known = size.constant
    if known is not None and all(bound is None or isinstance(bound, int) for bound in (cut.start, cut.stop)):
        start, stop, _ = cut.indices(known)
        return const(min(start, stop) + 1), const(start + 1)
    if _is_never_below(cut.stop, cut.start):
        return const(0), const(0)
    first = const(0) if cut.stop is None else _bound(cut.stop, size, size) + 1
    return first, size if cut.start is None else _bound(cut.start, size, size) + 1


def _is_never_below(first: object, last: object) -> bool:
    """Whether no index lies between two bounds, whatever the size: both are counted from the same end."""
    if not (isinstance(first, int) and isinstance(last, int)):
        return False
    return first >= last and (first < 0) == (last < 0)


def _bound(value: object, size: Nat, otherwise: Nat) -> Nat:
    match value:
        case None:
            return otherwise
        case Size():
            if value.changes:
                title = "expected a bound that is known before the loop, found one that changes in it"
                refuse("index", title, "take the whole axis, and choose elements by `np.where`")
            return fixed_bound(value, size)
        case int() if not isinstance(value, bool):
            return const(value) if value >= 0 else size + value
    title = f"expected numbers or sizes as bounds of a slice, found {item_text(value)}"
    refuse(
        "index",
        title,
        "the length of a slice is part of its type: use numbers, sizes, or sums of them",
    )


def fixed_bound(given: Size, size: Nat) -> Nat:
    """A bound of a slice that is the same in all iterations, counted from the start; a call checks that it exists."""
    bound = from_start(given, size)
    if not is_nonnegative(size - bound):  # the length may be read without the elements
        given.scope.trace.promise_at_most(bound, size)
    return bound


def from_start(given: Size, size: Nat) -> Nat:
    """A bound or an index, counted from the start of an axis. `-k` counts from the end, and a call checks that k is not
    0.
    """
    back = const(0) - given.nat
    if not is_nonnegative(back) or not back.terms:
        return given.nat
    given.scope.trace.promise_at_most(const(1), back)
    return size - back


def item_text(value: object) -> str:
    """An index for messages."""
    match value:
        case Size(nat, _):
            return show_nat(nat)
        case Part():
            return f"a value of type {t.shown(value.type)}"
        case Weak():
            return "a float computed from sizes"
        case int() | float() | str():
            return repr(value)
    return type(value).__name__
