"""The public interface of slices whose bounds change in a loop, and of elements selected by masks.

Implements Python's operators and numpy's protocols.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NoReturn

import numpy as np

from rise.embedding import reductions as r
from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import spans as s
from rise.embedding.cells import Cell
from rise.embedding.conversions import SpannedSymbol, inner
from rise.embedding.elementwise import with_elements
from rise.embedding.indexing import Item
from rise.embedding.matrices import counting
from rise.embedding.operands import Operation
from rise.embedding.places import here, refuse
from rise.embedding.stores import assign
from rise.embedding.symbolic_sizes import size
from rise.embedding.trace import Part
from rise.embedding.values import METHODS, Value, wrap
from rise.records import dataclass
from rise.types import I64

_HINT = (
    "such slices support arithmetic, sums, means, minima, maxima, `@`, `[:, None]`, `.T`, `[::-1]` and assignment;"
    " use whole axes for other operations"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpannedValue(SpannedSymbol):
    """A slice whose bounds change in a loop. If it is a view of an array, it has the array's cell and the items by
    which assignments to the slice become assignments to the array; `items` is None if there are none.
    """

    cell: Cell | None = None
    items: tuple[Item, ...] | None = None
    axis: int | None = None  # for `np.nonzero(mask)[axis]`: the axis

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
        _unsupported(f"np.{name}")

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        function = s.FUNCTIONS.get(func)
        if function is None:
            _unsupported(f"np.{func.__name__}")
        return _given(function(*_operands(args), **kwargs))

    def __getitem__(self, items: Any) -> Any:
        if isinstance(items, slice) and items == slice(None, None, -1):
            return SpannedValue(lambda: s.backwards(self.spanned), here(), self.cell)
        given = items if isinstance(items, tuple) else (items,)
        if all(item is None or item == slice(None) for item in given):
            return SpannedValue(lambda: s.with_axes(self.spanned, list(given)), here(), self.cell)
        _unsupported("this index")

    @property
    def T(self) -> Any:
        """`x.T`, a view."""
        return SpannedValue(lambda: s.transposed(self.spanned), here(), self.cell)

    def __setitem__(self, items: Any, value: Any) -> NoReturn:
        _unsupported("an assignment to an element")

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, int) and other == 2:
            return _given(s.combined(op.MUL, self.spanned, self.spanned))
        return _given(s.combined(op.POW, *_operands((self, other))))

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
        if method is None or method not in s.FUNCTIONS:
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


def _given(result: Part | s.Spanned) -> Any:
    return SpannedValue(lambda: result, here()) if isinstance(result, s.Spanned) else wrap(result)


def _unsupported(what: str) -> NoReturn:
    refuse(
        "unsupported",
        f"programs do not support {what} of a slice whose bounds change in a loop, or of a mask",
        _HINT,
    )


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
        SpannedValue(lambda one=one: one, here(), axis=axis)  # type: ignore[misc]  # mypy has no type for defaults
        for axis, one in enumerate(chosen)
    )


def _places_along(axis: int, xs: Part) -> Part:
    """The index of each element along an axis."""
    line = counting(xs.shape[axis], xs.trace)
    rows = sh.under(1, lambda place: sh.repeated(place, xs.shape[axis + 1 :]), line)
    return sh.repeated(rows, xs.shape[:axis])


# These methods create such slices. They are assigned here instead of defined in `Value`, to avoid an import cycle.
Value.spanned = _taken  # type: ignore[method-assign]  # declared in `Value`, see above
Value.assign_spanned = _assigned  # type: ignore[method-assign]  # declared in `Value`, see above
Value.nonzero = _nonzero  # type: ignore[method-assign]  # declared in `Value`, see above
