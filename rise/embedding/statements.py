"""The runtime of rewritten functions: loops, branches, truth values, and Python functions that reject symbolic values.

Does what Python does if all values are known, and calls `rise.embedding.loops` otherwise.

One subject: the functions that a rewritten function calls, one for each kind of statement or expression.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import repeat, takewhile
from os import path, sep
from types import CodeType, FunctionType
from typing import Any, Final

import numpy as np

from rise.diagnostics import RiseError
from rise.embedding import numpy_definitions, ranges
from rise.embedding.alike_turns import (
    NOT_ALIKE,
    ends_of_alike,
    items_of,
    loop_of_arrays,
    number_in,
    repeatable,
    trial,
    unrolled_or_kept,
)
from rise.embedding.array_likes import has_symbol, is_symbolic, leaves
from rise.embedding.brackets import Joining, Places, Table
from rise.embedding.cells import recorded
from rise.embedding.comprehensions import Generated
from rise.embedding.computed_indices import as_index
from rise.embedding.control_flow import ENDLESS, LAST_FLAG, TURN, ended_by, is_end
from rise.embedding.conversions import WeakSymbol, as_part, constant, inner
from rise.embedding.creators import ALWAYS, CREATORS, check_arguments, created
from rise.embedding.data_sizes import UnknownSizeError, with_size
from rise.embedding.elementwise import select
from rise.embedding.iterations import MAX_UNROLLED, unrolled
from rise.embedding.lengths import refuse_shapes
from rise.embedding.loops import UnlikeTurnsError, check_leaf, loop
from rise.embedding.numpy_definitions import (
    GRIDS,
    JOINED,
    MATH_DEFINITIONS,
    METHODS_OF_UFUNCS,
    NUMPY_DEFINITIONS,
    VECTORIZED,
)
from rise.embedding.numpy_functions import FUNCTIONS, type_of
from rise.embedding.operands import Size, Unassigned, converted, shown_name
from rise.embedding.places import here, refuse
from rise.embedding.python_functions import CONTAINERS, REPLACED, ROUNDING, changes_owner
from rise.embedding.python_numbers import number
from rise.embedding.rearrangements import JOINING, LISTING
from rise.embedding.rearrangements import listed as array_of
from rise.embedding.reductions import FOLDS
from rise.embedding.rewritten_functions import rewritten
from rise.embedding.states import is_same, is_weak, part_of
from rise.embedding.symbolic_sizes import SymbolicSize, nat_of
from rise.embedding.trace import Part, Trace, all_of, apply, computed, scalar_name, shown
from rise.embedding.tuples import parts_of
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import METHODS, Value, with_arrays, wrap
from rise.indices import greatest
from rise.naturals import Nat, const
from rise.primitives.index_numbers import NEAREST
from rise.quotients import is_nonnegative, minimum
from rise.records import dataclass
from rise.types import BOOL, I64, Type

#: the iterations of a `while` whose test is known
KNOWN: Final = object()
#: the numpy functions for which a size is an array
OF_ARRAYS: Final = frozenset(METHODS.values())
#: the directory of numpy functions that are rewritten as functions of users are
DEFINED_IN: Final = path.dirname(numpy_definitions.__file__)
_OURS: Final = (path.dirname(path.dirname(__file__)) + sep, f"{sep}numpy{sep}")


@dataclass(frozen=True, slots=True, eq=False)
class Statements:
    """The functions that replace statements, for one program."""

    trace: Trace
    made: set[CodeType] = field(default_factory=set)  # code that has been rewritten already
    outside: list[Any] = field(default_factory=list)  # arrays of modules and enclosing functions
    seeded: list[Any] = field(default_factory=list)  # random number generators that the function seeds

    def loop(
        self,
        iterable: Any,
        body: Callable[..., Any],
        names: Sequence[str],
        thunks: Sequence[Callable[[], Any]],
        target: str,
        may_be_alike: bool,
        assigns: bool,
        is_statement: bool = True,
    ) -> Any:
        """A `for` statement, or another loop: the values of the names after it. It does not read its variable if
        `may_be_alike`.
        """
        self.trace.statements.append(here() if is_statement else None)
        try:
            return self._loop(iterable, body, names, _values(names, thunks), target, may_be_alike, assigns)
        finally:
            self.trace.statements.pop()

    def _loop(
        self,
        iterable: Any,
        body: Callable[..., Any],
        names: Sequence[str],
        values: tuple[Any, ...],
        target: str,
        may_be_alike: bool,
        assigns: bool,
    ) -> Any:
        ends = ends_of_alike(iterable, body, names, values, self.trace, assigns) if may_be_alike else None
        if ends is not None:
            return ends
        data_range = ranges.data_range_of(iterable)
        if data_range is not None:
            return self._over_data(data_range, body, names, values, target)
        if iterable is KNOWN:
            return self._while_known(body, names, values)
        turns = ranges.turns_of(iterable)
        if turns is None:
            items = items_of(iterable, self.trace)
            item = functools.partial(number_in, items) if isinstance(items, range) else None
            return unrolled_or_kept(items, body, names, values, target, self.trace, item)
        if turns.runs is not None:
            body = self._guarded(body, turns.runs, names)
        if turns.count.constant is not None and not turns.is_long:
            items = [*map(turns.item, range(int(turns.count.constant)))]
            return unrolled_or_kept(items, body, names, values, target, self.trace, turns.item)
        return loop_of_arrays(turns, body, names, values, target)

    def _while_known(
        self, body: Callable[..., Any], names: Sequence[str], values: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """The values of the names after a `while` whose test is known before its first iteration. It is unrolled if the
        test is known before the second one, too; otherwise the run that shows this is the loop's first one.
        """
        ended = ended_by(TURN, names, range(len(names)))
        assert ended is not None, "the test of a `while` sets its flag"
        is_first = True

        def turn_on_data(_: Any, *state: Any) -> Any:
            nonlocal is_first
            after = body(None, *state)
            if not is_first or not isinstance(after[ended], bool):
                return after
            is_first = False
            if after[ended] or self._tests_known(body, after):
                raise UnlikeTurnsError
            return (*after[:ended], wrap(number(False, BOOL, self.trace.root)), *after[ended + 1 :])

        with trial(self.trace) as undo:
            try:
                return loop(self.bounded(ENDLESS), turn_on_data, names, values, TURN)
            except NOT_ALIKE:
                undo()
        if not self._stays_known(body, values, ended):
            return loop(self.bounded(ENDLESS), body, names, values, TURN, names[ended])
        now = values

        def turn(_: Any, *state: Any) -> tuple[Any, ...]:
            nonlocal now
            now = tuple(body(None, *state))
            return now

        last = unrolled(takewhile(lambda _: now[ended] is False, repeat(None)), turn, values, self.trace)
        return last if last[ended] is True else loop(self.bounded(ENDLESS), body, names, last, TURN)

    def _tests_known(self, body: Callable[..., Any], values: tuple[Any, ...]) -> bool:
        """Whether the test of an iteration of a `while` is known, given the values of the names before it. What the
        iteration changes is undone.
        """
        with recorded(self.trace) as undo:
            self.trace.needs_test = True
            try:
                body(None, *values)
            except UnlikeTurnsError:
                return False
            finally:
                self.trace.needs_test = False
                undo()
        return True

    def _stays_known(self, body: Callable[..., Any], values: tuple[Any, ...], ended: int) -> bool:
        """Whether the flag of a `while` is known after two iterations, which are undone."""
        with trial(self.trace) as undo:
            try:
                once = body(None, *values)
                self.trace.needs_test = True
                return once[ended] is True or isinstance(body(None, *once)[ended], bool)
            except NOT_ALIKE:
                return False
            finally:
                self.trace.needs_test = False
                undo()

    def _over_data(
        self,
        turns: ranges.DataRange,
        body: Callable[..., Any],
        names: Sequence[str],
        values: tuple[Any, ...],
        target: str,
    ) -> Any:
        """The values of the names after a loop over a range that depends on data, which is a `while` that counts. A
        `while` with such a range also ends once its own flag is set.
        """
        if isinstance(turns.step, int) and not turns.is_ended and not any(map(is_end, names)):
            with recorded(self.trace) as undo:
                try:
                    return loop(self._sized(turns), body, names, values, target)
                except (UnknownSizeError, RiseError):
                    undo()
        reaches = turns.reaches
        start = turns.start.astype("i64") if isinstance(turns.start, Value) else turns.start
        all_names = [*names, "at", LAST_FLAG]
        ended = ended_by(TURN if turns.is_ended else target, names, range(len(names)))

        def step(_: Any, *state: Any) -> Any:
            at = state[-2]
            goes_on = self.going(reaches(at, turns.stop))
            if ended is not None:
                goes_on = self.both(self.negated(state[ended]), functools.partial(_itself, goes_on))

            def turn(*now: Any) -> Any:
                return (*body(turns.item(at), *now[:-2]), at + turns.step, False)

            thunks = [functools.partial(_itself, each) for each in state]
            return self.branch(goes_on, turn, lambda *now: (*now[:-1], True), all_names, thunks)

        return loop(self.bounded(ENDLESS), step, all_names, (*values, start, False), TURN)[:-2]

    def _sized(self, turns: ranges.DataRange) -> ranges.Turns:
        """The iterations of a range whose bounds depend on data, the number of which is a size: none in a branch that
        is not taken.
        """
        distance = turns.stop - turns.start if turns.step > 0 else turns.start - turns.stop
        width = abs(turns.step)
        count: Any = distance if width == 1 else (distance + width - 1) // width
        condition = all_of(self.trace.conditions)
        if condition is not None:
            count = np.where(wrap(condition), count, 0)
        number = part_of(count, self.trace.root, I64)

        def sized(t: Type, body: Callable[[Nat], Part]) -> Part:
            return _with_sizes(turns.starts, [], number, t, body)

        return ranges.Turns(
            const(0), lambda i: turns.item(turns.start + turns.step * i), self.trace, sized=sized
        )

    def going(self, test: Any) -> Any:
        """Whether a `while` without a bound has another iteration: none in a branch that is not taken, where it might
        never end.
        """
        if self.trace.needs_test:
            self.trace.needs_test = False
            if isinstance(_truth(test), Part):
                raise UnlikeTurnsError
        condition = all_of(self.trace.conditions)
        return test if condition is None else self.both(wrap(condition), lambda: test)

    def ending(self, iterable: Any) -> Any:
        """What a loop with a `break` and inner loops runs over: if the number of iterations is symbolic, a range that
        ends with the flag of the `break`, since the inner loops of later iterations would run, too.
        """
        turns = ranges.turns_of(iterable)
        if turns is None or turns.runs is not None or turns.count.constant is not None:
            found = ranges.data_range_of(iterable)
            return iterable if found is None else replace(found, is_ended=True)
        count = wrap(converted(Size(turns.count, self.trace.root), I64, self.trace.root))
        zero = wrap(number(0, I64, self.trace.root))
        return ranges.DataRange(zero, count, 1, turns.item, is_ended=True)

    def generated(
        self,
        iterable: Any,
        value: Callable[..., Any],
        test: Callable[..., Any] | None,
        is_nested: bool,
        count: int,
    ) -> Generated:
        """A generator expression; an item is unpacked to `count` values if `count` is not 0."""

        def unpacking(f: Callable[..., Any]) -> Callable[[Any], Any]:
            return (lambda item: f(*self.parts(item, count))) if count else f

        return Generated(iterable, unpacking(value), test and unpacking(test), is_nested, self)

    def listed(self, given: Generated) -> Any:
        """A list comprehension."""
        return given.listed()

    def bounded(self, count: Any, test: Callable[[], Any] | None = None) -> Any:
        """The iterations of a `while` statement, at most `count`; `test` is its test, if it has no counter."""
        if test is not None and not self.trace.conditions:
            with suppress(RiseError):  # the loop reports it, unless it carries what is compared
                if isinstance(test(), bool | np.bool_):
                    return KNOWN
        turns = ranges.counted(count)
        if isinstance(turns, range):
            return ranges.Turns(const(len(turns)), lambda i: i, self.trace, None, is_long=True)
        return turns

    def parts(self, value: Any, count: int) -> Any:
        """The value that `a, b, c = value` unpacks: a pair in a pair becomes a tuple of three, as it is outside of a
        program.
        """
        return parts_of(value, count) if isinstance(value, Value) else value

    def _guarded(
        self, body: Callable[..., Any], runs: Callable[[Any], Any], names: Sequence[str]
    ) -> Callable[..., Any]:
        """A body that only runs in some iterations."""

        def guarded(item: Any, *values: Any) -> Any:
            thunks = [lambda value=value: value for value in values]
            return self.branch(runs(item), lambda *v: body(item, *v), lambda *v: v, names, thunks)

        return guarded

    def branch(
        self,
        condition: Any,
        yes: Callable[..., Any],
        no: Callable[..., Any],
        names: Sequence[str],
        thunks: Sequence[Callable[[], Any]],
    ) -> Any:
        """An `if` statement. Returns the values of the names after it."""
        values = _values(names, thunks)
        test = _truth(condition)
        if not isinstance(test, Part):
            return (yes if test else no)(*values)
        sides = self._sides(test, lambda: yes(*values), lambda: no(*values))
        return tuple(_merged(test, a, b, name) for a, b, name in zip(*sides, names, strict=True))

    def returned(
        self,
        condition: Any,
        yes: Callable[..., Any],
        no: Callable[..., Any],
        names: Sequence[str],
        thunks: Sequence[Callable[[], Any]],
    ) -> Any:
        """An `if` statement both sides of which end the function. Returns the function's result."""
        values = _values(names, thunks)
        return self.chosen(condition, lambda: yes(*values), lambda: no(*values))

    def chosen(self, condition: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        """`yes if condition else no`."""
        test = _truth(condition)
        if not isinstance(test, Part):
            return yes() if test else no()
        return _merged(test, *self._sides(test, yes, no), "__result")

    def _sides(self, test: Part, yes: Callable[[], Any], no: Callable[[], Any]) -> tuple[Any, Any]:
        """The results of both sides of a branch. A side assigns to elements only if it is taken."""
        return self.trace.where(test, yes), self.trace.where(_not(test), no)

    def both(self, left: Any, right: Callable[[], Any]) -> Any:
        """`left and right()`."""
        test = _truth(left)
        if not isinstance(test, Part):
            return right() if test else left
        return wrap(select(test, _as_bool(_truth(self.trace.where(test, right)), test), False))

    def either(self, left: Any, right: Callable[[], Any]) -> Any:
        """`left or right()`."""
        test = _truth(left)
        if not isinstance(test, Part):
            return left if test else right()
        return wrap(select(test, True, _as_bool(_truth(self.trace.where(_not(test), right)), test)))

    def value_of_both(self, left: Any, right: Callable[[], Any]) -> Any:
        """The value of `left and right()`, which is one of the two."""
        test = _truth(left)
        if not isinstance(test, Part):
            return right() if test else left
        return self._value_of(test, self.trace.where(test, right), left)

    def value_of_either(self, left: Any, right: Callable[[], Any]) -> Any:
        """The value of `left or right()`, which is one of the two."""
        test = _truth(left)
        if not isinstance(test, Part):
            return left if test else right()
        return self._value_of(test, left, self.trace.where(_not(test), right))

    def _value_of(self, test: Part, yes: Any, no: Any) -> Any:
        """One of two values; a truth value beside a number is one."""
        are_truths = [_is_truth(one) for one in (yes, no)]
        if all(are_truths):
            return wrap(select(test, *(_as_bool(_truth(one), test) for one in (yes, no))))
        if any(are_truths):
            truth, other = (yes, no) if are_truths[0] else (no, yes)
            number = (
                int(truth) if not isinstance(truth, Value) else truth.astype(getattr(other, "dtype", I64))
            )
            yes, no = (number, other) if are_truths[0] else (other, number)
        return _merged(test, yes, no, "__result")

    def contained(self, item: Any, container: Any) -> Any:
        """`item in container`."""
        if isinstance(container, Value):
            return (container == item).any()
        if not is_symbolic(item) and not has_symbol(container if isinstance(container, list | tuple) else []):
            return item in container
        if isinstance(container, np.ndarray):
            return (item == container).any()
        items = list(container)
        if isinstance(container, range) and len(container) > 1:
            is_between = (item >= min(container)) & (item <= max(container))
            return is_between & ((item - container.start) % container.step == 0)
        found: Any = False
        for each in items:
            found = self.either(found, functools.partial(operator.eq, item, each))
        return found

    def negated(self, given: Any) -> Any:
        """`not given`."""
        test = _truth(given)
        return wrap(_not(test)) if isinstance(test, Part) else not test

    def changed(self, given: Any) -> Any:
        """The object that an assignment to an attribute changes."""
        if not isinstance(given, Value | SpannedSymbol):
            self._refuse_change(given)
        return given

    def places(self, given: Any) -> Any:
        """The object that an assignment to elements changes."""
        if any(given is one for one in self.outside):
            title = (
                "expected an array of the program, found one from outside of the function, which would change once, "
                "while the program is built"
            )
            refuse("assignment", title, "pass it as a parameter, and return it; or assign to a copy")
        if isinstance(given, Value):
            return Places(given, self)
        changed = self.changed(given)
        return Table(changed, self.trace) if isinstance(changed, np.ndarray) else changed

    def own(self, given: Any, place: tuple[int, int]) -> Any:
        """What a call returned, assigned at a place to a name whose elements the function assigns. A known array stays
        one unless the program changes it.
        """
        if not isinstance(given, np.ndarray) or any(given is one for one in self.outside):
            return given
        if place in self.trace.own:
            return wrap(constant(given, self.trace.root))
        self.trace.arrays.append((given, place))
        return given

    def joining(self, given: Any) -> Any:
        """`np.c_`, `np.mgrid` or the like, or another object with such a name."""
        return Joining(given, self) if any(given is one for one in (*JOINED, *GRIDS)) else given

    def indexed(self, given: Any) -> Any:
        """The object of which brackets choose elements."""
        return Table(given, self.trace) if isinstance(given, np.ndarray | list | tuple) else given

    def added(self, given: Any, value: Any) -> Any:
        """The value of `name += value`, which changes the object itself if it is a list."""
        if isinstance(given, CONTAINERS):
            self._refuse_change(given)
        return value

    def _refuse_change(self, given: Any) -> None:
        """Raise RiseError if it depends on data whether, or how often, a Python value changes, or if the statement is
        only tried, since the change could not be undone.
        """
        if self.trace.loops or self.trace.conditions or self.trace.tried:
            self.trace.change_known(given)
            kind = type(given).__name__
            title = f"expected arrays and numbers to change in a loop or branch, found a Python {kind}"
            hint = "create an array first, `y = np.zeros(n)`, and assign to its elements"
            refuse("symbolic-loop", title, hint)

    def asserted(self, test: Any) -> Any:
        """The condition of an `assert`. Raises RiseError if it depends on data, since kernels raise no exceptions."""
        if isinstance(_truth(test), Part):
            title = "expected a known truth value to assert, found one that depends on data"
            refuse("unsupported", title, "check it before the call; `where=` states conditions on sizes")
        return test

    def raised(self, error: Callable[[], Any]) -> Any:
        """The exception of a `raise` statement. Raises RiseError if it depends on data whether the statement runs."""
        if self.trace.loops or self.trace.conditions:
            title = "expected a value on each side of a branch on data, found an error that is raised"
            refuse(
                "unsupported", title, "check it before the call, or return a value that represents the error"
            )
        return error()

    def function(self, given: Any) -> Any:
        """A function that accepts symbolic values, in place of one of Python, numpy or the user that does not."""
        if isinstance(given, np.vectorize):
            return functools.partial(self._vectorized, given)
        try:
            replaced = REPLACED.get(repeatable(given, self.trace))
        except TypeError:  # the function has no hash
            return given
        if replaced is not None:
            return replaced
        owner = getattr(given, "__self__", None)
        if changes_owner(given):
            self._refuse_change(owner)
        if _is_random(type(owner)) and not any(owner is one for one in self.seeded):
            title = f"expected a value that is determined by the arguments, found a random one, of `{given.__name__}`"
            hint = (
                "draw it before the call, and pass it as an argument; here it would be the same in every call"
            )
            refuse("unsupported", title, hint)
        if _is_random(given):
            return lambda *arguments, **named: self._generator(given(*arguments, **named), arguments or named)
        if given in NUMPY_DEFINITIONS:
            return self._written(given, NUMPY_DEFINITIONS[given])
        if given in MATH_DEFINITIONS:
            return self._written(given, MATH_DEFINITIONS[given])
        if getattr(given, "__module__", None) == "math":
            return functools.partial(self._of_math, given)
        if given in LISTING:
            return lambda *arguments, **named: self._listed(given, arguments, named)
        if given is bool or (isinstance(given, type) and issubclass(given, np.generic)):
            return functools.partial(self._scalar, given)
        if isinstance(owner, np.ufunc) and given.__name__ in METHODS_OF_UFUNCS:
            if (
                owner in NUMPY_DEFINITIONS
                or given.__name__ == "reduceat"
                or (given.__name__ != "outer" and owner.__name__ not in FOLDS)
            ):
                return self._written(given, METHODS_OF_UFUNCS[given.__name__], owner)
        if given in CREATORS:
            return lambda *arguments, **named: self._created(given, arguments, named)
        if isinstance(given, np.ufunc) or (getattr(given, "__module__", None) or "").startswith("numpy"):
            return functools.partial(self._of_numpy, given)
        return self.of_user(given)

    def _generator(self, made: Any, seed: Any) -> Any:
        """A random number generator; with a seed, its numbers are the same in every call."""
        if seed:
            self.seeded.append(made)
        return made

    def _written(self, given: Any, function: Callable[..., Any], *owner: np.ufunc) -> Callable[..., Any]:
        """A numpy function that is defined by a loop, or a method of `owner`; numpy's own function if all arguments are
        known.
        """
        package = "math" if given in MATH_DEFINITIONS else "np"
        name = ".".join([package, *(one.__name__ for one in owner), given.__name__])

        def call(*arguments: Any, **named: Any) -> Any:
            if not any(map(has_symbol, [*arguments, *named.values()])):
                return given(*arguments, **named)
            check_arguments(function, name, (*owner, *arguments), named, len(owner))
            if given not in MATH_DEFINITIONS:
                arguments, named = with_arrays(function, (*owner, *arguments), named)
                arguments = arguments[len(owner) :]
            assert isinstance(function, FunctionType)
            is_of_numbers = isinstance(given, np.ufunc) and not any(
                isinstance(one, Value) for one in arguments
            )
            if is_of_numbers or given in MATH_DEFINITIONS:
                arguments = tuple(self._numbered(one) for one in arguments)
            run = rewritten(function, self) or function
            found = self.trace.keeping_loops(MAX_UNROLLED, lambda: run(*owner, *arguments, **named))
            return found.made_by(given) if isinstance(found, SpannedSymbol) else found

        return call

    def _vectorized(self, given: np.vectorize, *arguments: Any, **named: Any) -> Any:
        """The result of a function made by `np.vectorize`."""
        if not any(map(has_symbol, [*arguments, *named.values()])):
            return given(*arguments, **named)
        if given.signature is not None or given.excluded:
            title = "expected `np.vectorize` of a function of elements, found one with a signature or excluded names"
            refuse("unsupported", title, "write a loop, or use `np.apply_along_axis`")
        assert isinstance(VECTORIZED, FunctionType)
        run = rewritten(VECTORIZED, self) or VECTORIZED
        return self.trace.keeping_loops(
            MAX_UNROLLED, lambda: run(given.pyfunc, arguments, named, (given.otypes or [None])[0])
        )

    def _numbered(self, given: Any) -> Any:
        """An argument for a function of arrays: a size as an i64, and a float computed from sizes in the type of
        floats.
        """
        if not isinstance(given, SymbolicSize | WeakSymbol):
            return given
        wanted = I64 if isinstance(given, SymbolicSize) else self.trace.floating
        return wrap(converted(inner(given, self.trace.root), wanted, self.trace.root))

    def _listed(self, given: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The result of `np.array`, or of a function like it, of a list or of an array. A memory layout, which `order`
        asks for, is no part of an array's type.
        """
        if arguments and isinstance(arguments[0], SpannedSymbol):
            return _copied(*arguments, **named)
        if not arguments or not any(map(has_symbol, arguments)):
            return given(*arguments, **named)
        options = dict(zip(("dtype", "order"), arguments[1:], strict=False)) | named
        if isinstance(arguments[0], Value) and is_kept(given, arguments[0], options):
            return arguments[0]
        if unread := sorted(options.keys() - {"dtype", "order", "copy", "ndmin"}):
            title = f"expected `dtype`, `order`, `copy` or `ndmin`, found `{unread[0]}`"
            refuse("unsupported", title, f"omit `{unread[0]}`: the array is one of the program")
        part = array_of(inner(arguments[0], self.trace.root))
        for _ in range(options.get("ndmin", given is np.ascontiguousarray) - np.ndim(wrap(part))):
            part = array_of([part])
        made = wrap(part)
        dtype = options.get("dtype")
        return made.copy() if dtype is None else made.astype(dtype)

    def _of_numpy(self, given: Any, *arguments: Any, **named: Any) -> Any:
        """The result of a numpy function, whose arguments may be lists. numpy sees symbolic values among the arguments
        only, and would make an array of objects of those in lists.
        """
        if not has_symbol([*arguments, *named.values()]):
            return given(*arguments, **named)
        if isinstance(given, np.ufunc) or given in FUNCTIONS:
            arguments, named = with_arrays(FUNCTIONS.get(given, given), arguments, named)
        if given in OF_ARRAYS:
            arguments = (*map(self._numbered, arguments[:1]), *arguments[1:])
        direct = [*arguments, *named.values()]
        if given in JOINING and arguments and isinstance(arguments[0], Value):  # numpy would iterate over it
            return arguments[0].__array_function__(given, (), arguments, named)
        values = [one for one in leaves(direct) if isinstance(one, Value)]
        if not values and given in FUNCTIONS and isinstance(arguments[0], np.ndarray | int | float):
            arguments = (wrap(constant(np.asarray(arguments[0]), self.trace.root)), *arguments[1:])
        elif values and not any(isinstance(one, Value | SpannedSymbol) for one in direct):
            return values[0].__array_function__(given, (), arguments, named)
        return given(*arguments, **named)

    def _of_math(self, given: Any, *arguments: Any, **named: Any) -> Any:
        """The result of a function of `math` that symbolic values do not support, unless they round themselves."""
        if any(map(has_symbol, arguments)) and given not in (math.prod, *ROUNDING):
            title = f"programs do not support `math.{given.__name__}` of values that are not known yet"
            refuse("unsupported", title, "compute it before the call, and pass the result as an argument")
        return given(*arguments, **named)

    def _scalar(self, kind: type, *arguments: Any) -> Any:
        """The result of a type that is called: `np.float32(x[i])`, `np.int64(n)`, `bool(x[i])`."""
        if len(arguments) != 1 or not has_symbol(arguments[0]):
            return kind(*arguments)
        given = arguments[0]
        if kind is bool and not is_symbolic(given):
            return bool(given)
        if isinstance(given, SymbolicSize) and issubclass(kind, np.integer | np.inexact):
            return wrap(converted(inner(given, self.trace.root), type_of(kind), self.trace.root))
        if isinstance(given, list | tuple):
            return self._listed(np.array, arguments, {"dtype": kind})
        return self._numbered(given).astype(kind)

    def _created(self, creator: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The result of a numpy function of numbers and sizes: an array of the program, or a numpy array if all are
        known.
        """
        if creator not in ALWAYS and not any(map(is_symbolic, [*arguments, *named.values()])):
            return creator(*arguments, **named)
        if creator is np.arange and len(arguments) <= 2 and named.keys() <= {"dtype"}:
            between = self._between(*((0, *arguments)[-2:]), **named)
            if between is not None:
                return between
        root = self.trace.root
        plain = {name: value if name == "dtype" else inner(value, root) for name, value in named.items()}
        return wrap(created(creator, self.trace, inner(arguments, root), plain))

    def _between(self, start: Any, stop: Any, dtype: Any = None) -> Any:
        """`np.arange` of numbers of which one changes in a loop, and which are not negative: a slice, whose bounds
        change, of the numbers below the largest `stop`. None for others.
        """
        root = self.trace.root
        first, last = (nat_of(each) for each in (start, stop))
        if first is None or last is None or not any(Size(each, root).changes for each in (first, last)):
            return None
        end = Size(greatest(last), root)
        if end.changes or not is_nonnegative(first):
            return None
        return wrap(created(np.arange, self.trace, (end,), {"dtype": dtype}))[start:stop]

    def of_user(self, given: Any) -> Any:
        """A user's function with its statements rewritten; other values unchanged. A function with a cache is read
        without the cache, which would pass symbolic values of one program to another. So is a function that is compiled
        when called.
        """
        is_function = isinstance(getattr(given, "__wrapped__", None), FunctionType)
        if isinstance(given, _Cached) or (is_function and getattr(type(given), "is_read_through", False)):
            given = given.__wrapped__
        if not isinstance(given, FunctionType) or given.__code__ in self.made:
            return given
        file = given.__code__.co_filename
        is_ours = file.startswith(_OURS[0]) and not file.startswith(DEFINED_IN)
        if is_ours or _OURS[1] in file:
            return given
        return rewritten(given, self) or given


#: the class of functions decorated by `functools.cache` or `lru_cache`
_Cached: Final = type(functools.cache(lambda: None))


def _is_random(given: Any) -> bool:
    """Whether a class or a function belongs to a module of random number generators."""
    module = getattr(given, "__module__", None) or ""
    return module == "random" or module.startswith("numpy.random")


def _values(names: Sequence[str], thunks: Sequence[Callable[[], Any]]) -> tuple[Any, ...]:
    return tuple(_value(name, thunk) for name, thunk in zip(names, thunks, strict=True))


def _itself(given: Any) -> Any:
    return given


def _value(name: str, thunk: Callable[[], Any]) -> Any:
    try:
        return thunk()
    except NameError:
        return Unassigned(name)


def _truth(given: Any) -> Any:
    """A truth value: a Python one, or a part of the term."""
    if isinstance(given, SymbolicSize) and given.changes:
        given = given != 0
    if not isinstance(given, Value):
        return bool(given)
    part = given.part
    if part.type == BOOL:
        return part
    if part.shape or not scalar_name(part.type):
        title = f"expected one truth value, found {shown(part.type)}"
        refuse(
            "symbolic-branch", title, "combine truth values by `.all()` or `.any()`, or choose by `np.where`"
        )
    return (given != 0).part


def _is_truth(given: Any) -> bool:
    return isinstance(given, bool) or (isinstance(given, Value) and given.part.type == BOOL)


def _with_sizes(
    starts: Sequence[ranges.Start], lengths: list[Nat], count: Part, t: Type, body: Callable[[Nat], Part]
) -> Part:
    """The value of a body in which the starts of slices, and their number of elements, are sizes. No slice is longer
    than the rest of its axis, and `lengths` are such rests.
    """
    if not starts:
        most = functools.reduce(minimum, lengths) + 1 if lengths else const(ENDLESS)
        return with_size("count", as_index(NEAREST, most, count), t, body)
    first, *others = starts
    if first.place is None:
        return _with_sizes(others, [*lengths, first.length], count, t, body)
    start, trace = first.place.part, count.trace

    def at_start(size: Nat) -> Part:
        trace.as_sizes[id(start.syntax)] = size
        try:
            return _with_sizes(others, [*lengths, first.length - size], count, t, body)
        finally:
            del trace.as_sizes[id(start.syntax)]

    return with_size("start", as_index(NEAREST, first.length + 1, start), t, at_start)


def _as_bool(given: Any, like: Part) -> Any:
    return given if isinstance(given, Part) else number(bool(given), BOOL, like.scope)


def _merged(test: Part, yes: Any, no: Any, name: str) -> Any:
    """The value of a name after a branch."""
    if is_same(yes, no):
        return yes
    if isinstance(yes, Unassigned) or isinstance(no, Unassigned):
        return no if isinstance(yes, Unassigned) else yes
    if isinstance(yes, tuple) and isinstance(no, tuple) and len(yes) == len(no):
        return tuple(_merged(test, a, b, name) for a, b in zip(yes, no, strict=True))
    for side in (yes, no):
        if side is None:
            title = "expected a value on both sides of a branch on data, found none on one side"
            refuse("symbolic-branch", title, "return a value, or assign one, on both sides")
        check_leaf(side, name)
    parts = [inner(side, test.scope) if is_weak(side) else as_part(side, test.scope) for side in (yes, no)]
    if all(is_weak(side) for side in (yes, no)):
        typed = [part_of(side, test.scope) for side in (yes, no)]
        if typed[0].type == I64 and typed[1].type == I64:
            parts = list(typed)
    shapes = [part.shape if isinstance(part, Part) else () for part in parts]
    if shapes[0] != shapes[1]:
        title = (
            f"expected arrays of the same shape on both sides of a branch, found others in {shown_name(name)}"
        )
        refuse_shapes(shapes[0], shapes[1], title, "a name has the same type after both sides")
    result = wrap(select(test, *parts))
    result.cell.is_merged = bool(result.cell.now.shape)
    return result


def _not(test: Part) -> Part:
    return computed(BOOL, apply("not", test.syntax), test)


def _copied(xs: Any, dtype: Any = None) -> Any:
    """`np.array` of elements whose number depends on data, or changes in a loop."""
    return np.copy(xs) if dtype is None else np.copy(xs.astype(dtype))


def is_kept(function: Any, array: Value, options: dict[str, Any]) -> bool:
    """Whether a function like `np.asarray` returns the array itself, without a copy."""
    dtype, order = options.get("dtype"), options.get("order") or "K"
    order = "C" if function is np.ascontiguousarray else order
    return (
        not (options.get("copy", True) if function is np.array else options.get("copy", False))
        and (dtype is None or type_of(dtype) == array.cell.element)
        and 0 < array.ndim >= options.get("ndmin", 0)
        and (order in "KA" or (array.cell.is_contiguous if order == "C" else array.ndim == 1))
    )
