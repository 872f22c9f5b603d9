"""The public interface of slices whose bounds change in a loop, and of elements selected by masks.

Implements Python's operators and numpy's protocols. One subject: one class, and what creates its values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, Final, NoReturn

import numpy as np

from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import spans as s
from rise.embedding.alternatives import instead
from rise.embedding.bounded_results import compress
from rise.embedding.cells import Cell
from rise.embedding.conversions import inner
from rise.embedding.creators import by_numpys_names, check_arguments
from rise.embedding.data_slices import FUNCTIONS, OF_ELEMENTS, DataSlice, of_elements
from rise.embedding.elementwise import elementwise, with_elements
from rise.embedding.indexing import Item
from rise.embedding.matrices import counting
from rise.embedding.numpy_definitions import NUMPY_DEFINITIONS
from rise.embedding.operands import Operation, Size
from rise.embedding.places import here, refuse
from rise.embedding.ranges import is_symbolic
from rise.embedding.stores import assign
from rise.embedding.symbolic_sizes import nat_of, size
from rise.embedding.trace import Part
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import METHODS, SELECTIONS, Value, wrap
from rise.naturals import const
from rise.records import dataclass
from rise.types import BOOL, I64

_HINT = (
    "such slices support arithmetic, functions of single elements, sums, means, variances, medians, minima, maxima,"
    " `@`, loops, single elements, `[:, None]`, `.T`, `[::-1]` and assignment; use whole axes for other operations"
)
#: definitions that compute from such slices what they compute from arrays
_BY_DEFINITION: Final = (np.average, np.count_nonzero, np.ptp)
#: functions of the sorted elements, and the same functions of arrays without their NaN
_WITHOUT_NAN: Final[dict[Any, Any]] = {
    np.median: np.nanmedian,
    np.quantile: np.nanquantile,
    np.percentile: np.nanpercentile,
}


#: functions that compute in a given type
WITH_DTYPE: Final = frozenset((np.sum, np.prod, np.mean, np.var, np.std, np.cumsum, np.cumprod))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpannedValue(SpannedSymbol):
    """A slice whose bounds change in a loop. If it is a view of an array, it has the array's cell and the items by
    which assignments to the slice become assignments to the array; `items` is None if there are none.
    """

    cell: Cell | None = None
    items: tuple[Item, ...] | None = None
    own: Cell | None = None  # of the array with whole axes, if it was computed; then it is not a view
    axis: int | None = None  # for `np.nonzero(mask)[axis]`: the axis
    maker: Callable[..., Any] | None = None  # the numpy function whose result this is

    @property
    def chosen(self) -> tuple[Part, int] | None:
        mask = None if self.axis is None else self.spanned.mask
        return None if mask is None or self.axis is None else (mask, self.axis)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__
        if method == "__call__" and not options and name == "matmul":
            return _given(s.product(*_operands(inputs)))
        if method == "__call__" and not options and name in op.UFUNCS:
            return _given(s.combined(op.UFUNCS[name], *_operands(inputs)))
        if method == "__call__" and not options:
            return _each(ufunc, *inputs)
        _unsupported(f"np.{name}")

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        function = s.FUNCTIONS.get(func)
        if function is not None:
            args, kwargs = by_numpys_names(func, function, args, kwargs)
            dtype = kwargs.pop("dtype", None) if func in WITH_DTYPE else None
            if dtype is not None:
                return func(args[0].astype(dtype), *args[1:], **kwargs).astype(dtype)
        if func in (np.argmin, np.argmax) and self.spanned.mask is not None:
            function = None
        if function is not None:
            check_arguments(function, f"np.{func.__name__}", args, kwargs)
            return _given(function(*_operands(args), **kwargs))
        if func is np.take and len(args) == 2 and not kwargs:
            return args[0][args[1]]
        if func in OF_ELEMENTS:
            return _each(lambda *each: func(*each, **kwargs), *args)
        if func in _BY_DEFINITION:
            check_arguments(NUMPY_DEFINITIONS[func], f"np.{func.__name__}", args, kwargs)
            return NUMPY_DEFINITIONS[func](*args, **kwargs)
        if (
            func is np.sort
            and len(args) == 1
            and not kwargs
            and self.ndim == 1
            and self.spanned.mask is not None
        ):
            return _sorted(self)
        if func in _WITHOUT_NAN:
            return _ordered(func, *args, **kwargs)
        if func in FUNCTIONS and args and args[0] is self:
            return self.entries.__array_function__(func, types, (self.entries, *args[1:]), kwargs)
        _unsupported(f"np.{func.__name__}", "" if self.maker is None else instead(self.maker))

    def __getitem__(self, items: Any) -> Any:
        mask = self.spanned.mask
        if mask is not None and isinstance(items, slice) and items != slice(None):
            return self.entries[items]
        if mask is not None and isinstance(items, SpannedValue) and items.spanned.part.element == BOOL:
            if items.spanned.mask is not mask or len(items.spanned.part.shape) != len(mask.shape):
                _unsupported("elements of another mask")
            return _given(s.selected(self.spanned.part, elementwise(op.AND, mask, items.spanned.part)))
        if isinstance(items, slice) and items == slice(None, None, -1):
            return SpannedValue(lambda: s.backwards(self.spanned), here(), self.cell)
        given = items if isinstance(items, tuple) else (items,)
        if all(item is None or (isinstance(item, slice) and item == slice(None)) for item in given):
            return SpannedValue(lambda: s.with_axes(self.spanned, list(given)), here(), self.cell)
        if len(given) == 1 and (isinstance(given[0], int) or is_symbolic(given[0])):
            end = _end_of(self.spanned, given[0])
            return self.entries[given[0]] if end is None else end
        _unsupported("this index")

    @property
    def entries(self) -> DataSlice:
        """The elements, or rows, one after the other: those of a mask are copied to the beginning of an array."""
        if self.padded is not None:
            copied, number = self.padded
            return of_elements(number, copied.__getitem__, nat_of(copied.shape[0]))
        found = self.spanned
        if found.spans[0] is None or any(found.spans[1:]):
            _unsupported("single elements")
        low, count = (size(length, found.part.trace.root) for length in (found.spans[0][0], found.shape[0]))
        xs = wrap(found.part)
        return of_elements(count.value(), lambda at: xs[low + at], found.part.shape[0])

    def made_by(self, maker: Callable[..., Any]) -> SpannedValue:
        return replace(self, maker=maker)

    @property
    def padded(self) -> tuple[Any, Any] | None:
        found = self.spanned
        if found.mask is None:
            return None
        rows, mask = found.part, sh.flat(found.mask)
        for _ in found.mask.shape[1:]:
            rows = sh.join(rows)
        return compress(wrap(mask), wrap(rows), size(mask.shape[0], mask.trace.root), False), self.shape[0]

    @property
    def looped(self) -> Any:
        return self.entries.turns

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements."""
        return wrap(self.spanned.part).dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        found = self.spanned
        return len(found.part.shape) - (0 if found.mask is None else len(found.mask.shape) - 1)

    def astype(self, dtype: Any) -> Any:
        """The elements converted."""
        return _each(lambda each: each.astype(dtype), self)

    @property
    def T(self) -> Any:
        """`x.T`, a view."""
        return SpannedValue(lambda: s.transposed(self.spanned), here(), self.cell)

    def __setitem__(self, items: Any, value: Any) -> None:
        found, root = self.spanned, self.spanned.part.trace.root
        if found.mask is not None or found.spans[0] is None or any(found.spans[1:]):
            _unsupported("an assignment to elements")
        if isinstance(items, bool) or (nat_of(items) is None and not isinstance(items, int)):
            _unsupported("an assignment to several elements")
        given = const(items) if isinstance(items, int) else nat_of(items)
        is_from_end = isinstance(items, int) and items < 0
        at = Size(found.spans[0][is_from_end] + given, root)
        part = value.part if isinstance(value, Value) else inner(value, root)
        if self.own is not None:
            assign(self.own, [at], part)
        elif self.cell is not None and self.items is not None:
            assign(self.cell, [at if s.has_span([item]) else item for item in self.items], part)
        else:
            _unsupported("an assignment to this view")

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and other == 2:
            return _given(s.combined(op.MUL, self.spanned, self.spanned))
        return _power(self, other)

    def __rpow__(self, other: Any) -> Any:
        return _power(other, self)

    def __matmul__(self, other: Any) -> Any:
        return _given(s.product(*_operands((self, other))))

    def __rmatmul__(self, other: Any) -> Any:
        return _given(s.product(*_operands((other, self))))

    def __neg__(self) -> Any:
        return _given(s.combined(op.NEG, self.spanned))

    def __abs__(self) -> Any:
        return _given(s.combined(op.ABS, self.spanned))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The number of valid elements along each axis; for a mask, first the number of rows or elements in it."""
        found = self.spanned
        if found.mask is not None:
            count, rest = (
                r.reduced(r.SUM, with_elements(found.mask, I64), None),
                found.shape[len(found.mask.shape) :],
            )
            return (wrap(count), *(size(length, found.part.trace.root) for length in rest))
        return tuple(size(length, found.part.trace.root) for length in found.shape)

    @property
    def size(self) -> Any:
        """The number of valid elements."""
        return prod(self.shape)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        method = METHODS.get(name)
        if method is None or method not in s.FUNCTIONS.keys() | FUNCTIONS.keys() | OF_ELEMENTS:
            _unsupported(f"`{name}`")
        return lambda *arguments, **named: self.__array_function__(method, (), (self, *arguments), named)

    def __iter__(self) -> NoReturn:
        _unsupported("loops")

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it never returns
        _unsupported("truth values")

    def __repr__(self) -> str:
        return "<slice whose bounds change in a loop>"


def _binary(operation: Operation, is_reflected: bool = False) -> Callable[[SpannedValue, Any], Any]:
    def method(self: SpannedValue, other: Any) -> Any:
        operands = _operands((other, self) if is_reflected else (self, other))
        return _given(s.combined(operation, *operands))

    return method


def _power(base: Any, exponent: Any) -> Any:
    """`base ** exponent`, of integers if both are."""
    operands = _operands((base, exponent))
    found = op.power_for(*(one.part if isinstance(one, s.Spanned) else one for one in operands))
    return _given(s.combined(found, *operands))


def _in_place(operation: Operation) -> Callable[[SpannedValue, Any], Any]:
    def method(self: SpannedValue, other: Any) -> Any:
        new = s.combined(operation, *_operands((self, other)))
        if self.cell is None:
            return _given(new)
        if self.items is None:
            _unsupported("an assignment to this view")
        assign(self.cell, s.whole_items(list(self.items)), s.blended(self.spanned, new))
        return self

    return method


for _name, _operation in {
    "add__": op.ADD, "sub__": op.SUB, "mul__": op.MUL, "truediv__": op.DIV, "mod__": op.MOD,
    "floordiv__": op.FLOOR_DIV, "and__": op.AND, "or__": op.OR,
}.items():  # fmt: skip
    setattr(SpannedValue, f"__{_name}", _binary(_operation))
    setattr(SpannedValue, f"__r{_name}", _binary(_operation, is_reflected=True))
    setattr(SpannedValue, f"__i{_name}", _in_place(_operation))
setattr(SpannedValue, "__ipow__", _in_place(op.POW))  # noqa: B010  # like the others
for _name, _operation in {
    "__lt__": op.LT, "__le__": op.LE, "__gt__": op.GT, "__ge__": op.GE, "__eq__": op.EQ, "__ne__": op.NE,
}.items():  # fmt: skip
    setattr(SpannedValue, _name, _binary(_operation))


def _operands(values: tuple[Any, ...]) -> list[Any]:
    scope = next(each.spanned.part.scope for each in values if isinstance(each, SpannedSymbol))
    return [each.spanned if isinstance(each, SpannedSymbol) else inner(each, scope) for each in values]


def _each(function: Callable[..., Any], *operands: Any) -> Any:
    """A function of arrays, element by element, of the elements of such slices and of other values."""
    is_array = [isinstance(each, SpannedSymbol | Value | np.ndarray) for each in operands]

    def of_parts(*parts: Part) -> Part:
        arrays = iter(parts)
        result = function(*(wrap(next(arrays)) if is_part else each for each, is_part in given))
        return inner(result, parts[0].scope)  # type: ignore[no-any-return]  # a function of arrays returns one

    given = list(zip(operands, is_array, strict=True))
    return _given(s.applied(of_parts, *_operands(tuple(each for each, is_part in given if is_part))))


def _sorted(xs: SpannedValue) -> DataSlice:
    """`np.sort` of the elements that a mask selects: they come before the greatest number in place of all others."""
    array, chosen = wrap(xs.spanned.part), wrap(s.valid(xs.spanned))
    kind = array.dtype.kind
    greatest: Any = np.nan if kind == "f" else True if kind == "b" else np.iinfo(array.dtype).max
    ordered = np.sort(np.ravel(np.where(chosen, array, greatest)))
    return of_elements(xs.shape[0], ordered.__getitem__, nat_of(ordered.shape[0]))


def _ordered(function: Callable[..., Any], xs: SpannedValue, *arguments: Any, **named: Any) -> Any:
    """A function of the sorted elements: of the array with NaN in place of all others."""
    if xs.ndim > 1 or named.keys() & {"axis", "keepdims"}:
        _unsupported(f"np.{function.__name__} along an axis")
    found = xs.spanned
    array, chosen = wrap(found.part), wrap(s.valid(found))
    is_float = array.dtype.kind == "f"
    filled = np.where(chosen, array if is_float else array.astype("f64"), np.nan)
    result = _WITHOUT_NAN[function](np.ravel(filled), *arguments, **named)
    return np.where(np.any(chosen & np.isnan(array)), np.nan, result) if is_float else result


def _end_of(xs: s.Spanned, index: Any) -> Any:
    """The first or the last element that a mask selects from an array with one axis, found by a search; None for other
    ones. If the mask selects none, the index is outside of the array.
    """
    is_end = isinstance(index, int) and index in (0, -1)
    if xs.mask is None or len(xs.part.shape) > 1 or not is_end:
        return None
    array, mask = wrap(xs.part), wrap(xs.mask)
    place = np.argmax(mask if index == 0 else mask[::-1]).astype("i64")
    found = place if index == 0 else size(xs.part.shape[0] - 1, xs.part.trace.root) - place
    return array[np.where(np.any(mask), found, size(xs.part.shape[0], xs.part.trace.root).value())]


def _given(result: Part | s.Spanned) -> Any:
    if not isinstance(result, s.Spanned):
        return wrap(result)
    own = Cell(result.part)
    return SpannedValue(lambda: replace(result, part=own.part), here(), own=own)


def _unsupported(what: str, hint: str = "") -> NoReturn:
    title = f"programs do not support {what} of a slice whose bounds change in a loop, or of a mask"
    refuse("unsupported", title, hint or _HINT)


def _taken(self: Value, items: list[Item]) -> Any:
    if s.is_selection(items):
        mask = items[0]
        assert isinstance(mask, Part)
        return _given(s.selected(self.part, mask))
    view = SpannedValue(lambda: s.spanned(self.part, items), here(), self.cell, tuple(items))
    _ = view.spanned  # the items are checked where they are written
    return view


def _assigned(self: Value, items: list[Item], value: Any) -> None:
    if isinstance(value, SpannedValue) and value.cell is self.cell and value.items == tuple(items):
        return  # `x[i:] += y` has changed it already
    mask = items[0] if s.is_selection(items) else None
    old = s.selected(self.part, mask) if isinstance(mask, Part) else s.spanned(self.part, items)
    given = value.spanned if isinstance(value, SpannedSymbol) else inner(value, self.part.scope)
    assign(self.cell, [] if mask is not None else s.whole_items(items), s.blended(old, given))


def _nonzero(self: Value) -> tuple[Any, ...]:
    mask = r.is_true(self.part)
    if not mask.shape:
        refuse("shape-mismatch", "expected an array, found a number", "choose by `np.where(condition, x, y)`")
    grids = [_places_along(axis, mask) for axis in range(len(mask.shape))]
    chosen = [s.selected(grid, mask) for grid in grids]
    return tuple(
        SpannedValue(lambda one=one: one, here(), axis=axis, maker=np.nonzero)  # type: ignore[misc]  # mypy has no type for defaults
        for axis, one in enumerate(chosen)
    )


def _rows_of_nonzero(x: Value) -> SpannedValue:
    """`np.argwhere`: a row of indices for each element that is not zero."""
    mask = r.is_true(x.part)
    grids = [_places_along(axis, mask) for axis in range(len(mask.shape))]
    rows = inner(np.stack([wrap(grid) for grid in grids], axis=-1), mask.scope)
    return SpannedValue(lambda: s.selected(rows, mask), here())


def _compressed(condition: Any, a: Any, axis: int | None = None) -> Any:
    """`np.compress`, along the first axis, or of an array with one axis."""
    if axis != 0 and np.ndim(a) > 1:
        refuse(
            "unsupported", "expected the first axis to select along, found another one", "transpose the array"
        )
    given = np.asarray(condition) if isinstance(condition, list | tuple) else condition
    return a[given != 0 if given.dtype != np.bool_ else given]


def _made_by(maker: Callable[..., Any], function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """The result of a function that selects by a mask, with the numpy function that it implements."""
    check_arguments(function, f"np.{maker.__name__}", given, named)
    found = function(*given, **named)
    return found.made_by(maker) if isinstance(found, SpannedSymbol) else found


def _places_along(axis: int, xs: Part) -> Part:
    """The index of each element along an axis."""
    line = counting(xs.shape[axis], xs.trace)
    rows = sh.under(1, lambda place: sh.repeated(place, xs.shape[axis + 1 :]), line)
    return sh.repeated(rows, xs.shape[:axis])


# These methods create such slices. They are assigned here instead of defined in `Value`, to avoid an import cycle.
Value.spanned = _taken  # type: ignore[method-assign]  # declared in `Value`, see above
Value.assign_spanned = _assigned  # type: ignore[method-assign]  # declared in `Value`, see above
Value.nonzero = _nonzero  # type: ignore[method-assign]  # declared in `Value`, see above
SELECTIONS.update(
    {
        function: partial(_made_by, function, found)
        for function, found in (
            (np.nonzero, lambda a: a.nonzero()),
            (np.flatnonzero, lambda a: np.ravel(a).nonzero()[0]),
            (np.argwhere, _rows_of_nonzero),
            (np.compress, _compressed),
            (np.extract, lambda condition, arr: _compressed(np.ravel(condition), np.ravel(arr))),
        )
    }
)
