"""Loops over known ranges whose iterations are alike: these become loops of the program, others are unrolled.

The term of an unrolled loop repeats its body, which takes long to compile if each iteration assigns to parts of arrays
that the next one reads. The body of a loop must have no other effect than on arrays: this is checked where it runs.
Independent of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from rise.embedding.cells import recorded
from rise.embedding.definitions import definition_of
from rise.embedding.iterations import Iteration, SlowLoopError, unrolled
from rise.embedding.loop_numbers import variables
from rise.embedding.loops import GrownError, UnlikeTurnsError, loop
from rise.embedding.python_functions import REPLACED
from rise.embedding.ranges import Turns
from rise.embedding.trace import Trace
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import Value
from rise.naturals import const
from rise.quotients import is_nonnegative

#: the errors for which a loop is unrolled, where those of the user are raised again
NOT_ALIKE: Final = (Exception,)
#: the iterations before a loop in which numbers become arrays: in the second one, those that depend on others
MOST_BEFORE: Final = 2
#: functions of Python that have no effects
_PURE: Final = frozenset([abs, bool, isinstance, round, sum, tuple])
#: functions of numpy that change their first argument
_CHANGING: Final = frozenset([np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask])


def ends_of_alike(
    iterable: Any,
    body: Callable[..., Any],
    names: Sequence[str],
    values: tuple[Any, ...],
    trace: Trace,
    assigns: bool,
) -> tuple[Any, ...] | None:
    """The values of names after a loop whose body does not read its variable; None if it is to be unrolled: because its
    iterations are not alike, or, if it assigns to no parts of arrays, because they can be computed together.
    """
    if trace.unroll is None or not isinstance(iterable, range) or len(iterable) <= trace.unroll:
        return None
    runs: list[Iteration] = []

    def watched(*given: Any) -> Any:
        before = len(trace.known)
        results = body(*given)
        runs.append(Iteration(trace, before, len(trace.known), len(trace.scopes) - 1))
        return results

    turns = Turns(const(len(iterable)), partial(number_in, iterable), trace, is_long=True, is_tried=True)
    with trial(trace) as undo:
        try:
            ends = loop(turns, watched, names, values, "")
            if not assigns and runs[-1].is_fast_unrolled(len(iterable)):
                raise UnlikeTurnsError
            return ends
        except NOT_ALIKE:
            undo()
            return None


def unrolled_or_kept(
    items: Iterable[Any],
    body: Callable[..., Any],
    names: Sequence[str],
    values: tuple[Any, ...],
    target: str,
    trace: Trace,
    item: Callable[[Any], Any] | None,
) -> tuple[Any, ...]:
    """The values of names after a loop over known items, which is unrolled. If that would take long to compile, and
    `item` returns the item for a number that is not known, it stays a loop. Raises LongLoopError if it cannot, and is
    too long.
    """
    if item is None or trace.unroll is None or not isinstance(items, Sized):
        return unrolled(items, body, values, trace)
    with recorded(trace) as undo:
        try:
            return unrolled(items, body, values, trace, is_tried=True)
        except SlowLoopError:
            undo()
    for before in range(min(len(items), 2)):  # the first may change types, as in `total = 0`
        with trial(trace) as undo:
            try:
                now = unrolled(islice(items, before), body, values, trace)
                place = partial(_after, before, item) if before else item
                turns = Turns(const(len(items) - before), place, trace, is_long=True, is_tried=True)
                return loop(turns, body, names, now, target)
            except NOT_ALIKE:
                undo()
    return unrolled(items, body, values, trace)


def loop_of_arrays(
    turns: Turns, body: Callable[..., Any], names: Sequence[str], values: tuple[Any, ...], target: str
) -> tuple[Any, ...]:
    """The values of names after a loop over a symbolic range. If its first iterations replace a number by an array, as
    after `total = 0`, they are before the loop, and a call checks that there are so many.
    """
    trace, count = turns.trace, turns.count
    for before in range(MOST_BEFORE + 1):
        rest = (
            turns
            if not before
            else replace(turns, count=count - before, item=partial(_after, before, turns.item))
        )
        with recorded(trace) as undo:
            try:
                return loop(rest, body, names, values, target)
            except GrownError:
                if (
                    before == MOST_BEFORE
                    or turns.runs is not None
                    or trace.conditions
                    or variables(count, trace)
                ):
                    raise
                undo()
        if not is_nonnegative(count - before - 1):
            trace.promise_at_most(const(before + 1), count)
        values = unrolled([turns.item(before)], body, values, trace)
    raise AssertionError(turns)


def _after(before: int, item: Callable[[Any], Any], place: Any) -> Any:
    """The item at a place after the first ones."""
    return item(place + before)


def number_in(items: range, place: Any) -> Any:
    """A number of a range, at a place that is not known."""
    return items.start + items.step * place


@contextmanager
def trial(trace: Trace) -> Iterator[Callable[[], None]]:
    """Run statements that may have to be undone, by the function that this returns. They may change nothing else."""
    trace.tried.append(None)
    try:
        with recorded(trace) as undo:
            yield undo
    finally:
        trace.tried.pop()


def items_of(iterable: Any, trace: Trace) -> Any:
    """What an inner loop runs over. Raises an error for an iterator, which has other values in each turn of a loop
    around that is tried.
    """
    if trace.tried and isinstance(iterable, Iterator):
        raise UnlikeTurnsError
    return iterable


def repeatable(given: Any, trace: Trace) -> Any:
    """A function that is called. Raises an error if, in a loop around that is tried, it may return something else in
    each turn, or have effects.
    """
    if trace.tried and not _is_repeatable(given):
        raise UnlikeTurnsError
    return given


def _is_repeatable(given: Any) -> bool:
    owner = getattr(given, "__self__", None)
    module = getattr(given, "__module__", None) or ""
    match given:
        case FunctionType() if not module.startswith("numpy"):
            return definition_of(given.__code__) is not None  # its own calls are checked when it runs
        case type():
            return issubclass(given, np.generic) or given in REPLACED or given in _PURE
    if isinstance(owner, Value | SpannedSymbol | np.ufunc) or isinstance(given, np.ufunc):
        return True
    try:
        is_known = given in REPLACED or given in _PURE
    except TypeError:  # it has no hash
        return False
    is_function = owner is None or isinstance(
        owner, ModuleType
    )  # the owner of a function that is written in C
    is_numpys = module.startswith("numpy") and not module.startswith("numpy.random") and is_function
    return is_known or (is_numpys and given not in _CHANGING)
