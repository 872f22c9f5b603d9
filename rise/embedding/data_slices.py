"""Slices whose bounds depend on data, `x[start[i]:start[i + 1]]`, and what is computed from their elements.

The length of an array is part of its type, so such a slice cannot be an array. It is a number of elements and a
function from positions to them: reductions, assignments and `for` statements are loops over the positions, and
arithmetic composes functions. An array of the program indexed by such a slice is one, too.

One subject: such slices, with Python's operators and numpy's protocols.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, Final, NoReturn

import numpy as np

from rise.embedding import reductions as r
from rise.embedding.conversions import has_step, inner, is_by_data
from rise.embedding.creators import by_numpys_names, check_arguments
from rise.embedding.elementwise import elementwise, select, with_elements
from rise.embedding.operands import converted
from rise.embedding.places import here, refuse
from rise.embedding.python_numbers import number
from rise.embedding.ranges import DataRange, Start, is_symbolic
from rise.embedding.shapes import repeated
from rise.embedding.statements import Statements
from rise.embedding.symbolic_sizes import SymbolicSize, nat_of
from rise.embedding.trace import Part, Trace, scalar_name
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import METHODS, Value, wrap
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import BOOL, F64, I64, IndexType, Type, wide

#: an index outside of all arrays, to which a position may be added
INDEX_BEYOND_ALL: Final = 1 << 62
Elements = Callable[[Any], Any]
"""The element of a slice at a position, which is an i64 that counts from 0."""


_SUPPORTED: Final = (
    "such slices support arithmetic, numpy's functions of single elements, sums, products, means, minima, maxima and"
    " their places, `@`, `len`, `for` statements, assignment, and indexing other arrays"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DataSlice(SpannedSymbol):
    """A number of elements, an i64, and the elements: `taken()` returns the function that computes them from the
    current contents of arrays. `put` assigns the element at a position, if this is a view of the array that `items` of
    `base` are.
    """

    count: Value
    put: Callable[[Any, Any], None] | None = None
    base: Value | None = None
    items: tuple[Any, ...] = ()
    starts: tuple[Start, ...] = ()
    """Those of the slices from which it is computed."""
    most: Nat | None = None
    """A size that the number of elements does not exceed, if one is known."""

    @property
    def elements(self) -> Elements:
        """The current elements."""
        return self.taken()  # type: ignore[no-any-return]  # as the class says

    @property
    def trace(self) -> Trace:
        """The program that is being built."""
        return self.count.part.trace

    @property
    def spanned(self) -> NoReturn:
        _unsupported("this")

    @property
    def turns(self) -> DataRange:
        return DataRange(0, self.count, 1, lambda at: self.elements(at), starts=self.starts)

    @property
    def padded(self) -> tuple[Any, Any] | None:
        if self.most is None:
            return None
        first = self.first.part
        zero = False if first.element == BOOL else 0
        array = wrap(repeated(number(zero, first.element, first.scope), [self.most, *first.shape]))
        array[: self.count] = self
        return array, self.count

    @property
    def entries(self) -> DataSlice:
        return self

    @property
    def first(self) -> Any:
        """The first element, whose type is that of all."""
        return self.elements(_integer(0, self.trace))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The number of elements, and the sizes of an element."""
        return (self.count, *self.first.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """The number of elements in all axes."""
        return prod(self.shape[1:], start=self.count)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements."""
        return self.first.dtype  # type: ignore[no-any-return]  # of a `Value`

    def astype(self, dtype: Any) -> DataSlice:
        """The elements converted."""
        return _each(lambda e: e.astype(dtype), self)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            _unsupported(f"np.{ufunc.__name__}.{method}" if method != "__call__" else f"np.{ufunc.__name__}")
        return _product(*inputs) if ufunc is np.matmul else _each(ufunc, *inputs)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        if func in OF_ELEMENTS:
            return _each(lambda *each: func(*each, **kwargs), *args)
        function = FUNCTIONS.get(func)
        if function is None:
            _unsupported(f"np.{func.__name__}")
        args, kwargs = by_numpys_names(func, function, args, kwargs)
        check_arguments(function, f"np.{func.__name__}", args, kwargs)
        return function(*args, **kwargs)

    def __getitem__(self, items: Any) -> Any:
        given = items if isinstance(items, tuple) else (items,)
        if isinstance(given[0], slice) and given[0] == slice(None):
            rest = given[1:]
            return _each(lambda e: e[rest], self) if rest else self
        if len(given) == 1 and (isinstance(given[0], int) or is_symbolic(given[0])):
            return self.elements(_checked(given[0], self.count, self.trace))
        if len(given) == 1 and isinstance(given[0], slice) and (cut := self._cut(given[0])) is not None:
            return cut
        _unsupported("this index")

    def _cut(self, part: slice) -> DataSlice | None:
        """The elements of a slice without a step, or all from the last one on; None for other steps."""
        if part == slice(None, None, -1):
            last = self.count - 1
            return DataSlice(lambda: lambda at: self.elements(last - at), here(), self.count, most=self.most)
        if has_step(part):
            return None
        start = _position(part.start, self.count, self.trace, 0)
        stop = _position(part.stop, self.count, self.trace, self.count)
        count = np.maximum(stop - start, 0)
        return DataSlice(lambda: lambda at: self.elements(start + at), here(), count, most=self.most)

    def __setitem__(self, items: Any, value: Any) -> None:
        if self.put is None:
            _unsupported("an assignment to elements")
        if items is Ellipsis or (isinstance(items, slice) and items == slice(None)):
            _assign_all(self.count, self.starts, self.put, value, self.ndim - 1)
        elif isinstance(items, int) or is_symbolic(items):
            self.put(_position(items, self.count, self.trace), value)
        else:
            _unsupported("an assignment to this index")

    def __matmul__(self, other: Any) -> Any:
        return _product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _product(other, self)

    def __neg__(self) -> Any:
        return _each(operator.neg, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _each(operator.abs, self)

    def __invert__(self) -> Any:
        return _each(operator.invert, self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        method = METHODS.get(name)
        if method is None or method not in FUNCTIONS.keys() | OF_ELEMENTS:
            _unsupported(f"`{name}`")
        return lambda *arguments, **named: self.__array_function__(method, (), (self, *arguments), named)

    def __iter__(self) -> NoReturn:
        _unsupported("this loop")

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it never returns
        _unsupported("truth values")

    def __repr__(self) -> str:
        return "<slice whose bounds depend on data>"


def _operator(name: str, is_reflected: bool) -> Callable[[DataSlice, Any], Any]:
    function = getattr(operator, name)
    return lambda self, other: _each(function, *((other, self) if is_reflected else (self, other)))


def _in_place(name: str) -> Callable[[DataSlice, Any], Any]:
    """`s += y` and the like: an assignment to the elements of a view; otherwise a new slice."""
    function = getattr(operator, name)

    def method(self: DataSlice, other: Any) -> Any:
        new = _each(function, self, other)
        if self.put is None:
            return new
        self[:] = new
        return self

    return method


for _name in (
    "__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__and__", "__or__",
    "__xor__", "__lshift__", "__rshift__",
):  # fmt: skip
    setattr(DataSlice, _name, _operator(_name, is_reflected=False))
    setattr(DataSlice, _name.replace("__", "__r", 1), _operator(_name, is_reflected=True))
    setattr(DataSlice, _name.replace("__", "__i", 1), _in_place(_name))
for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
    setattr(DataSlice, _name, _operator(_name, is_reflected=False))


def _each(function: Callable[..., Any], *operands: Any) -> DataSlice:
    """A function of the elements of slices, which have the same length, and of other values."""
    count = next(each.count for each in operands if isinstance(each, DataSlice))
    ats = [each.elements if isinstance(each, DataSlice) else partial(_same, each) for each in operands]
    ranks = {each.ndim for each in operands if isinstance(each, DataSlice)}
    others = [np.ndim(each) for each in operands if isinstance(each, Value | np.ndarray)]
    if len(ranks) > 1 or any(rank >= min(ranks) for rank in others):
        title = "expected slices with the same number of axes, and other operands with fewer, found others"
        refuse(
            "shape-mismatch", title, "add axes to a slice by `x[:, None]`; index arrays by the same bounds"
        )

    def element(at: Any) -> Any:
        return function(*(one(at) for one in ats))

    most = next(
        (each.most for each in operands if isinstance(each, DataSlice) and each.most is not None), None
    )
    return replace(of_elements(count, element, most), starts=_starts_of(*operands))


def _starts_of(*operands: Any) -> tuple[Start, ...]:
    """Where the slices among some operands start, each once."""
    slices = [each for each in operands if isinstance(each, DataSlice)]
    return tuple({one.key: one for each in slices for one in each.starts}.values())


def _same(given: Any, at: Any) -> Any:
    return given


def of_elements(count: Value, element: Elements, most: Nat | None = None) -> DataSlice:
    """The slice with a number of elements, an i64, which is at most `most`, and a function that computes the element at
    a position.
    """
    return DataSlice(lambda: element, here(), count, most=most)


# Reductions


def _folded(
    xs: DataSlice, names: Sequence[str], starts: Sequence[Any], step: Callable[..., tuple[Any, ...]]
) -> tuple[Any, ...]:
    """The last state of a loop over the elements; a step gets an element, its position and the state."""
    elements = xs.elements
    thunks = [partial(_same, start, None) for start in starts]
    positions = DataRange(0, xs.count, 1, starts=xs.starts)

    def body(at: Any, *state: Any) -> tuple[Any, ...]:
        return step(elements(at), at, *state)

    result: tuple[Any, ...] = Statements(xs.trace).loop(
        positions, body, names, thunks, "", False, False, False
    )
    return result


def _reduced(
    fold: r.Fold,
    xs: DataSlice,
    axis: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    dtype: Any = None,
) -> Any:
    """The elements combined; those of rows are, too, unless `axis` is 0."""
    if keepdims:
        _unsupported("`keepdims`")
    if dtype is not None:
        xs = xs.astype(dtype)
    axis = _axis(xs, axis)
    if axis not in (0, None):
        return _each(lambda e: wrap(r.reduced(fold, r.widened(fold, e.part), axis - 1)), xs)
    first = _prepared(fold, xs.first.part)
    if axis is None and first.shape:
        xs, first = _each(lambda e: wrap(r.reduced(fold, e.part, None)), xs), r.reduced(fold, first, None)
    kept, used = first.element, wide(first.element)
    start = repeated(number(fold.start_of(kept), used, first.scope), first.shape)

    def step(e: Any, _: Any, total: Any) -> tuple[Any]:
        new = with_elements(_prepared(fold, e.part), used)
        return (wrap(elementwise(fold.operation, total.part, new)),)

    [total] = _folded(xs, ["total"], [wrap(start)], step)
    total = wrap(with_elements(total.part, kept))
    return (
        total
        if initial is None
        else wrap(elementwise(fold.operation, total.part, inner(initial, first.scope)))
    )


def _prepared(fold: r.Fold, e: Part) -> Part:
    """An element as numpy combines it: integers are added in 64 bits, truth values counted."""
    if fold in (r.ALL, r.ANY):
        return r.is_true(e)
    return r.widened(fold, r.counts(e)) if fold in (r.SUM, r.PRODUCT) else e


def _axis(xs: DataSlice, axis: Any) -> int | None:
    """An axis as a nonnegative number; None for all, or for the only one."""
    rank = xs.ndim
    if axis is None:
        return 0 if rank == 1 else None
    if isinstance(axis, bool) or not isinstance(axis, int) or not -rank <= axis < rank:
        refuse("axis", f"expected an axis from {-rank} to {rank - 1}, found {axis}", "the slice is axis 0")
    return axis % rank


def _mean(xs: DataSlice, axis: Any = None) -> Any:
    """The sum divided by the number of elements, in f64 for integers; that of 16-bit floats is rounded once."""
    element, axis = xs.first.part.element, _axis(xs, axis)
    wide_xs = xs.astype(_in_floats(element))
    count = xs.count if axis == 0 else xs.size if axis is None else xs.shape[axis]
    total = _reduced(r.SUM, wide_xs, axis)
    divided = total / (count.astype(total.dtype) if isinstance(count, Value) else count)
    return divided.astype(scalar_name(element)) if _is_inexact(element) else divided


def _variance(xs: DataSlice, axis: Any = None, ddof: int = 0) -> Any:
    """The mean of the squared differences from the mean."""
    if xs.ndim > 1:
        _unsupported("a variance of rows")
    element = xs.first.part.element
    given = xs.astype(_in_floats(element))
    mean = _mean(given)
    squares = _each(lambda e: wrap(elementwise(r.SQUARED, (e - mean).part)), given)
    total = _reduced(r.SUM, squares, axis)
    divided = total / (xs.count - ddof).astype(total.dtype)
    return divided.astype(scalar_name(element)) if _is_inexact(element) else divided


def _in_floats(element: Type) -> str:
    """The type in which a mean of elements is computed."""
    return scalar_name(wide(element) if _is_inexact(element) else F64)


def _is_inexact(element: Type) -> bool:
    name = scalar_name(element)
    return name in SCALARS and not {"floating", "complex"}.isdisjoint(SCALARS[name].classes)


def _placed(is_better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The place of the first element that no other is better than; NaN is better than all."""

    def function(xs: DataSlice, axis: Any = None) -> Any:
        if xs.ndim > 1:
            _unsupported("places in rows")

        def step(e: Any, at: Any, best: Any, place: Any) -> tuple[Any, Any]:
            better = is_better(e, best)
            if _is_inexact(e.part.element):
                better |= (e != e) & (best == best)
            chosen = wrap(select(better.part, e.part, best.part))
            position = at.value() if isinstance(at, SymbolicSize) else at
            return chosen, wrap(select(better.part, position.part, place.part))

        zero = _integer(0, xs.trace)
        return _folded(xs, ["best", "place"], [xs.elements(zero), zero], step)[1]

    return function


def _differences(xs: DataSlice) -> DataSlice:
    """The difference of each element and the next one."""
    elements = xs.elements
    return of_elements(np.maximum(xs.count - 1, 0), lambda at: elements(at + 1) - elements(at), xs.most)


def _norm(xs: DataSlice) -> Any:
    """The square root of the sum of squares."""
    given = xs if _is_inexact(xs.first.part.element) else xs.astype("f64")
    return np.sqrt(_reduced(r.SUM, _each(lambda e: wrap(elementwise(r.SQUARED, e.part)), given)))


def _product(left: Any, right: Any) -> Any:
    """`@`: of a slice with a slice, the sum of the products of elements, or of the rows of the second times elements of
    the first; of rows with an array, the slice of their products.
    """
    if not isinstance(left, DataSlice) or (left.ndim > 1 and not isinstance(right, DataSlice)):
        if isinstance(left, DataSlice):
            return _each(lambda row: row @ right, left)
        _unsupported("`@` with an array on its left")
    if not isinstance(right, DataSlice) or left.ndim > 1:
        _unsupported("this `@`")
    weights = _each(lambda e: e[(None,) * (right.ndim - 1)], left) if right.ndim > 1 else left
    total = _reduced(r.SUM, _each(operator.mul, weights, right), 0)
    return total.astype(_each(operator.mul, weights, right).dtype)


def _unsupported(what: str) -> NoReturn:
    refuse(
        "unsupported", f"programs do not support {what} of a slice whose bounds depend on data", _SUPPORTED
    )


#: functions of single elements that are no ufuncs
OF_ELEMENTS: Final = frozenset(
    (
        np.where,
        np.clip,
        np.round,
        np.real,
        np.imag,
        np.nan_to_num,
        np.copy,
        np.zeros_like,
        np.ones_like,
        np.full_like,
    )
)
FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {
    np.sum: partial(_reduced, r.SUM),
    np.prod: partial(_reduced, r.PRODUCT),
    np.max: partial(_reduced, r.GREATEST),
    np.min: partial(_reduced, r.LEAST),
    np.any: partial(_reduced, r.ANY),
    np.all: partial(_reduced, r.ALL),
    np.mean: _mean,
    np.var: _variance,
    np.std: lambda xs, axis=None, ddof=0: np.sqrt(_variance(xs, axis, ddof)),
    np.count_nonzero: lambda xs: _reduced(r.SUM, _each(lambda e: wrap(r.is_true(e.part)), xs)),
    np.argmax: _placed(operator.gt),
    np.argmin: _placed(operator.lt),
    np.diff: _differences,
    np.linalg.norm: _norm,
    np.dot: _product,
    np.vdot: _product,
    np.inner: _product,
}


# Slices of arrays


def _integer(value: int, trace: Trace) -> Value:
    return wrap(number(value, I64, trace.root))


def _taken(self: Value, items: tuple[Any, ...]) -> DataSlice:
    """`x[items]`, where an item is a slice whose bounds depend on data, which makes it a view, or such a slice of
    indices, which makes it a copy.
    """
    count, place, starts, most = _places(self, items)
    if any(isinstance(item, DataSlice) for item in items):
        taken = replace(of_elements(count, _elements(wrap(self.part), items, place), most), starts=starts)
    else:

        def put(at: Any, value: Any) -> None:
            self[_at(items, place(at))] = value

        taken = DataSlice(
            lambda: _elements(wrap(self.part), items, place), here(), count, put, self, items, starts, most
        )
    _ = taken.first  # the items are checked where they are written
    return taken


def _assigned(self: Value, items: tuple[Any, ...], value: Any) -> None:
    """`x[items] = value`."""
    if isinstance(value, DataSlice) and value.base is not None and value.base.cell is self.cell:
        if len(items) == len(value.items) and all(map(operator.is_, _bounds(items), _bounds(value.items))):
            return  # `x[a:b] += y` has changed it already
    count, place, starts, _ = _places(self, items)
    rank = self[_at(items, place(_integer(0, self.part.trace)))].ndim
    _assign_all(count, starts, lambda at, one: self.__setitem__(_at(items, place(at)), one), value, rank)


def _bounds(items: tuple[Any, ...]) -> list[Any]:
    """The items, with the bounds of slices."""
    return [
        one for item in items for one in ((item.start, item.stop) if isinstance(item, slice) else (item,))
    ]


def _assign_all(
    count: Value, starts: tuple[Start, ...], put: Callable[[Any, Any], None], value: Any, rank: int
) -> None:
    """Assign to all elements, which have this many axes: a loop over the positions."""
    trace = count.part.trace
    if isinstance(value, DataSlice):
        at = value.elements
    elif np.ndim(value) > rank:
        at = wrap(inner(value, trace.root)).__getitem__
    else:
        at = partial(_same, value)

    def body(position: Any) -> tuple[()]:
        put(position, at(position))
        return ()

    others = _starts_of(value)
    positions = DataRange(0, count, 1, starts=tuple({one.key: one for one in (*starts, *others)}.values()))
    Statements(trace).loop(positions, body, [], [], "", False, True, False)


def _places(self: Value, items: tuple[Any, ...]) -> tuple[Value, Elements, tuple[Start, ...], Nat | None]:
    """The number of elements that items choose, the index of each along the axis of the slice, where it starts, and the
    most elements that it can have.
    """
    trace, places = self.part.trace, [place for place, item in enumerate(items) if is_by_data((item,))]
    [number] = places if len(places) == 1 else [None]
    if number is None or any(not isinstance(item, int | Value | SymbolicSize) for item in items[:number]):
        title = "expected one slice whose bounds depend on data, after numbers, found another index"
        refuse(
            "index",
            title,
            "index the axes before it by numbers, as in a loop over them; or transpose the array",
        )
    chosen = items[number]
    if isinstance(chosen, DataSlice):
        return chosen.count, chosen.elements, chosen.starts, chosen.most
    size = self[items[:number]].shape[0] if number else self.shape[0]
    length, whole = _as_i64(size, trace), nat_of(size)
    assert whole is not None, "the length of an axis is a size"
    if not has_step(chosen):
        start = Start(_position(chosen.start, length, trace), whole)
        stop = _position(chosen.stop, length, trace, length)
        count = stop if start.place is None else np.maximum(stop - start.place, 0)
        return count, start.moved, (start,), whole
    return *_stepped(chosen, length, trace), (), whole


def _stepped(chosen: slice, length: Value, trace: Trace) -> tuple[Value, Elements]:
    """The number of elements of a slice with a step, and the index of each. If the step is 0, there is one element, the
    index of which makes the call fail.
    """
    given = chosen.step
    if isinstance(given, Value):
        is_step = not given.shape and _is_integral(given)
    else:
        is_step = isinstance(given, SymbolicSize) or (isinstance(given, int | np.integer) and given != 0)
    if not is_step:
        title = f"expected an integer other than 0 as the step of a slice, found {given!r}"
        refuse("index", title, "convert it: `int(x)`")
    step: Any = _as_i64(given, trace)
    sign = _sign(given)
    is_back: Any = step < 0 if sign is None else sign < 0

    def by_direction(back: Any, forth: Any) -> Any:
        if sign is None:
            return np.where(is_back, back, forth)
        return back if is_back else forth

    low, high = by_direction(-1, 0), by_direction(length - 1, length)
    start = _position(chosen.start, length, trace, by_direction(high, low), low, high)
    stop = _position(chosen.stop, length, trace, by_direction(low, high), low, high)
    distance, width = np.maximum(by_direction(start - stop, stop - start), 0), by_direction(-step, step)
    if sign is not None:
        return (distance + width - 1) // width, lambda at: start + at * step
    count: Any = np.where(step == 0, 1, (distance + width - 1) // np.maximum(width, 1))
    return count, lambda at: np.where(step == 0, INDEX_BEYOND_ALL, start + at * step)


def _sign(step: Any) -> int | None:
    """The sign of a step; None if it is not known."""
    if isinstance(step, Value):
        return None
    if isinstance(step, SymbolicSize):
        return 1 if is_nonnegative(step.nat - 1) else -1 if is_nonnegative(const(-1) - step.nat) else None
    return 1 if step > 0 else -1


def _position(
    bound: Any, length: Value, trace: Trace, otherwise: Any = None, low: Any = 0, high: Any = None
) -> Any:
    """A bound of a slice, or what it is by default, as numpy reads it: negative ones count from the end, and those
    outside of `low` and `high`, by default those of a slice without a step, are moved inside.
    """
    if bound is None:
        return otherwise
    if isinstance(bound, Value) and (bound.shape or not _is_integral(bound)):
        title = f"expected integers as bounds of a slice, found {bound!r}"
        refuse("index", title, "convert it: `int(x)`")
    is_index = isinstance(bound, Value) and isinstance(bound.part.type, IndexType)
    given: Any = _as_i64(bound, trace)
    if not is_index and not (isinstance(bound, int) and bound >= 0):
        given = np.maximum(np.where(given < 0, given + length, given), low)
    return np.minimum(given, length if high is None else high)


def _checked(index: Any, length: Value, trace: Trace) -> Value:
    """The position of an index, negative ones from the end; one outside of the slice is outside of every array, so that
    the call fails, as indexing arrays does.
    """
    given: Any = _as_i64(index, trace)
    place = np.where(given < 0, given + length, given)
    return wrap(inner(np.where((place >= 0) & (place < length), place, INDEX_BEYOND_ALL), trace.root))


def _as_i64(given: Any, trace: Trace) -> Value:
    if isinstance(given, Value):
        return given.astype("i64")  # type: ignore[no-any-return]  # of a value
    return wrap(converted(inner(given, trace.root), I64, trace.root))


def _is_integral(bound: Value) -> bool:
    return isinstance(bound.part.type, IndexType) or bound.dtype.kind in "iu"


def _elements(xs: Value, items: tuple[Any, ...], place: Elements) -> Elements:
    return lambda at: xs[_at(items, place(at))]


def _at(items: tuple[Any, ...], place: Any) -> tuple[Any, ...]:
    """The items with an index in place of the slice."""
    return tuple(place if is_by_data((item,)) else item for item in items)


# These methods create such slices. They are assigned here instead of defined in `Value`, to avoid an import cycle.
Value.by_data = _taken  # type: ignore[method-assign]  # declared in `Value`, see above
Value.assign_by_data = _assigned  # type: ignore[method-assign]  # declared in `Value`, see above
