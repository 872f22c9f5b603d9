"""The iterables of loops: ranges of symbolic sizes, arrays, several of these at once. Independent of loop bodies."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from rise.embedding.lengths import refuse_shapes, shape_text
from rise.embedding.loop_numbers import end_of, variables
from rise.embedding.operands import Size
from rise.embedding.operands import counted as counted_size
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import SymbolicSize, nat_of, size
from rise.embedding.trace import Part, Trace, scalar_name, shown
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import Value, wrap
from rise.naturals import Nat, const
from rise.quotients import ceiling_quotient, is_nonnegative
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import I64, IndexType, Type


@dataclass(frozen=True, slots=True)
class Turns:
    """The iterations of a loop: their number, and the value of the loop's variable in each."""

    count: Nat
    item: Callable[[Any], Any]
    trace: Trace
    runs: Callable[[Any], Any] | None = (
        None  # whether the loop runs the body for an item; None if it always does
    )
    starts: Callable[[], Any] | None = None  # whether the loop has an iteration; None if nothing needs to ask
    is_long: bool = False  # whether it stays a loop if the number of iterations is known
    is_tried: bool = False  # whether it is unrolled if its iterations differ in more than values of arrays
    sized: Callable[[Type, Callable[[Nat], Part]], Part] | None = (
        None  # the value of a type that a body computes for the count, if data determine it
    )

    def __iter__(self) -> NoReturn:
        title = "expected a `for` statement over a symbolic size, found another loop over it"
        refuse(
            "symbolic-loop", title, "write a `for` statement, or use `generate(f, n)` for a list of values"
        )

    def __len__(self) -> NoReturn:
        iter(self)
        raise AssertionError


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where a slice starts along an axis of a length: an i64, or None for the first element."""

    place: Value | None
    length: Nat

    @property
    def key(self) -> tuple[int, Nat]:
        """Equal for slices of axes of the same length that start at the same place."""
        return (0 if self.place is None else id(self.place.part.syntax)), self.length

    def moved(self, at: Any) -> Any:
        """The index of the element at a position of the slice: a size, if both are sizes."""
        if self.place is None:
            return at
        size = self.place.part.trace.as_sizes.get(id(self.place.part.syntax))
        if size is None or not isinstance(at, SymbolicSize):
            return self.place + at
        return SymbolicSize(size + at.nat, at.scope)


@dataclass(frozen=True, slots=True)
class DataRange:
    """A range of which a bound depends on data, and the value of the loop's variable for each number in it."""

    start: Any
    stop: Any
    step: Any  # an integer other than 0, or one that depends on data
    item: Callable[[Any], Any] = lambda number: number
    is_ended: bool = False  # by the flag of a `break`, which the loop carries
    starts: tuple[Start, ...] = ()  # those of the slices over whose elements it runs

    def reaches(self, number: Any, stop: Any) -> Any:
        """Whether a number is before the end of the range."""
        if isinstance(self.step, int):
            return number < stop if self.step > 0 else number > stop
        return ((self.step > 0) & (number < stop)) | ((self.step < 0) & (number > stop))

    def __iter__(self) -> NoReturn:
        title = (
            "expected a `for` statement over a range whose bounds depend on data, found another loop over it"
        )
        refuse(
            "symbolic-loop",
            title,
            "write a `for` statement, or run the maximum number of iterations, and skip some",
        )

    def __len__(self) -> NoReturn:
        iter(self)
        raise AssertionError


def is_symbolic(given: Any) -> bool:
    """Whether a value is known only when the program runs."""
    return isinstance(given, Value | SymbolicSize | Turns)


def counted(*bounds: Any) -> Any:
    """`range`, of sizes."""
    if not any(is_symbolic(bound) for bound in bounds):
        return range(*bounds)
    for bound in bounds:
        if nat_of(bound) is None and not _is_whole(bound):
            found = f"a value of type {shown(bound.part.type)}" if isinstance(bound, Value) else repr(bound)
            title = f"expected integers as the bounds of a loop, found {found}"
            refuse("symbolic-loop", title, "convert it: `range(int(count))`")
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if step == 0 if isinstance(step, int) else not is_symbolic(step):
        title = f"expected an integer other than 0 as the step of a loop, found {step}"
        refuse("symbolic-loop", title, "write `range(0, n, 2)`")
    if any(isinstance(bound, Value) for bound in (start, stop, step)):
        return DataRange(start, stop, step)
    if isinstance(step, SymbolicSize):
        return _by_size(start, stop, step)
    scope = next(bound.scope for bound in bounds if isinstance(bound, SymbolicSize))
    first, last = nat_of(start), nat_of(stop)
    assert first is not None and last is not None
    trace = scope.trace
    if not variables(first, trace) and not variables(last, trace):
        distance = last - first if step > 0 else first - last
        return Turns(ceiling_quotient(distance, abs(step)), lambda i: start + step * i, trace)
    low, high = (first, last) if step > 0 else (last + 1, first + 1)
    least, most = end_of(low, trace, -1), end_of(high, trace, 1)
    if least is None or most is None:
        return DataRange(_number(start), _number(stop), step)
    if abs(step) > 1:
        count = ceiling_quotient(most - least, abs(step))
        reaches = operator.lt if step > 0 else operator.gt
        return Turns(
            count,
            lambda i: start + step * i,
            trace,
            lambda i: reaches(i, stop),
            lambda: reaches(start, stop),
        )
    least, most = _wide_enough(least, most)
    lower, upper = size(low, trace.root), size(high, trace.root)
    ends = size(least, trace.root), size(most, trace.root)

    def runs(i: Any) -> Any:
        above, below = i >= lower, i < upper
        return above & below if above is not True and below is not True else below if above is True else above

    item = (lambda i: ends[0] + i) if step > 0 else (lambda i: ends[1] - 1 - i)
    return Turns(most - least, item, trace, runs, lambda: lower < upper)


def _by_size(start: Any, stop: Any, step: SymbolicSize) -> Turns | DataRange:
    """A range whose step is a size. A call checks that it is not 0."""
    first, last, trace = nat_of(start), nat_of(stop), step.scope.trace
    assert first is not None and last is not None
    if not is_nonnegative(step.nat) or any(variables(each, trace) for each in (first, last, step.nat)):
        return DataRange(_number(start), _number(stop), _number(step))
    trace.promise_at_most(const(1), step.nat)
    return Turns(ceiling_quotient(last - first, step.nat), lambda i: start + step * i, trace)


def _number(given: Any) -> Any:
    """A size as a number of the program."""
    if not isinstance(given, SymbolicSize):
        return given
    return wrap(counted_size(Size(given.nat, given.scope), I64))


def _is_whole(bound: Any) -> bool:
    """Whether a bound is an integer of the program."""
    if not isinstance(bound, Value) or bound.shape:
        return False
    facts = SCALARS.get(scalar_name(bound.part.type))
    return isinstance(bound.part.type, IndexType) or (facts is not None and "integral" in facts.classes)


def _wide_enough(least: Nat, most: Nat) -> tuple[Nat, Nat]:
    """Ends of a range that is never negative for any sizes: `least` and `most`, or each at most one further out."""
    for low, high in ((least, most), (least - 1, most), (least, most + 1), (least - 1, most + 1)):
        if is_nonnegative(high - low) and (low == least or is_nonnegative(low)):
            return low, high
    return least, most


def length(given: Any) -> Any:
    """`len`, of arrays."""
    if isinstance(given, Value):
        if not given.cell.now.shape:
            refuse(
                "type-mismatch",
                f"expected an array, found {shown(given.cell.now.type)}",
                "only arrays have a length",
            )
        return given.shape[0]
    if isinstance(given, SpannedSymbol):
        return given.shape[0]
    if isinstance(given, Turns):
        _check_even(given)
        return size(given.count, given.trace.root)
    return len(given)


def data_range_of(given: Any) -> DataRange | None:
    """The range of a loop over a value if its length depends on data; None for others."""
    if isinstance(given, DataRange):
        return given
    return given.looped if isinstance(given, SpannedSymbol) else None


def turns_of(given: Any) -> Turns | None:
    """The iterations of a loop over a value; None if Python can run the loop."""
    if isinstance(given, Turns):
        return given
    if isinstance(given, Value):
        if not given.cell.now.shape:
            title = f"expected an array to loop over, found {shown(given.cell.now.type)}"
            refuse("symbolic-loop", title, "loop over `range(n)`")
        return Turns(given.cell.now.shape[0], lambda i: given[i], given.cell.now.trace)
    return None


def enumerated(given: Any, start: Any = 0) -> Any:
    """`enumerate`."""
    turns = turns_of(given)
    if isinstance(given, SpannedSymbol) and (found := given.looped) is not None:
        return DataRange(found.start, found.stop, found.step, lambda i: (start + i, found.item(i)))
    if turns is None:
        return enumerate(given, start)
    _check_even(turns)
    return Turns(turns.count, lambda i: (start + i, turns.item(i)), turns.trace)


def zipped(*given: Any, strict: bool = False) -> Any:
    """`zip`, of arrays of the same length."""
    slices = [each.looped for each in given if isinstance(each, SpannedSymbol)]
    if slices:
        if len(slices) < len(given):
            title = "expected only slices whose bounds depend on data, found something else among them"
            refuse("symbolic-loop", title, "slice the arrays by the same bounds")
        return DataRange(slices[0].start, slices[0].stop, 1, lambda i: tuple(each.item(i) for each in slices))
    turns = [turns_of(each) for each in given]
    symbolic = [each for each in turns if each is not None]
    if not symbolic:
        return zip(*given, strict=strict)
    for each in symbolic:
        _check_even(each)
    count, trace = symbolic[0].count, symbolic[0].trace
    for each, one in zip(given, turns, strict=True):
        found = const(len(each)) if one is None else one.count
        if found != count:
            title = (
                f"expected arrays of the same length, found {shape_text((count,))} and {shape_text((found,))}"
            )
            hint = "use the same name for equal sizes in the annotations"
            refuse_shapes((count,), (found,), title, hint)
    if len(symbolic) < len(turns):
        refuse(
            "symbolic-loop", "expected only arrays, found a list among them", "convert the list to an array"
        )
    return Turns(count, lambda i: tuple(each.item(i) for each in symbolic), trace)


def _check_even(turns: Turns) -> None:
    """Refuse a range whose bounds change in a loop, since its iterations have to be counted."""
    if turns.runs is not None:
        title = (
            "expected a range whose bounds do not depend on enclosing loops, found one whose bounds change"
        )
        refuse("symbolic-loop", title, "write `for i in range(...)`, and count in the loop")


def backwards(given: Any) -> Any:
    """`reversed`."""
    turns = turns_of(given)
    if turns is None:
        return reversed(given)
    last = size(turns.count - 1, turns.trace.root)
    return Turns(turns.count, lambda i: turns.item(last - i), turns.trace, turns.runs, turns.starts)
