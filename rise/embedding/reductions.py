"""Sums, extremes, matrix products, scans.

Depends on the functions and start values of reductions, but not on Python operators. One subject: what combines the
elements along axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from rise.dsl.printer import TextPiece
from rise.embedding import trace as t
from rise.embedding.complex_words import has_complex, squared
from rise.embedding.elementwise import (
    common,
    element,
    elementwise,
    first,
    map_over,
    over,
    select,
    spread,
    with_elements,
)
from rise.embedding.lengths import broadcast, refuse_lengths, shape_text
from rise.embedding.loop_numbers import variables
from rise.embedding.operand_types import complex_type
from rise.embedding.operands import Operand, Operation, Size, cast, counted
from rise.embedding.places import here, refuse
from rise.embedding.python_numbers import number
from rise.embedding.scalars import ADD, AND, BOTH, DIV, EITHER, MAX, MIN, MUL, NE, OR, SUB, UFUNCS, XOR
from rise.embedding.shapes import flat, of_length, permuted, repeated, transpose, under
from rise.embedding.slices import item_text
from rise.embedding.trace import Part, apply, computed, function, piped, scalar_name
from rise.naturals import Nat, const
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import BOOL, F64, I64, ArrayType, IndexType, ScalarType, Type, wide

U8: Final = ScalarType("u8")
U64: Final = ScalarType("u64")


@dataclass(frozen=True, slots=True)
class Fold:
    """An associative function of two values, and its start value for each scalar type."""

    operation: Operation
    name: str
    start: float | None  # None for the least or the greatest value of the type, as `is_least` says
    is_least: bool = True

    def start_of(self, type: Type) -> bool | int | float:
        """The neutral element for a scalar type."""
        name = scalar_name(type)
        if self.start is not None:
            if self.start < 0 and SCALARS[name].dtype.kind == "u":  # all bits set
                return int(np.iinfo(SCALARS[name].dtype).max)
            return bool(self.start) if name == "bool" else self.start
        if "floating" in SCALARS[name].classes:
            return -math.inf if self.is_least else math.inf
        limits = np.iinfo(SCALARS[name].dtype)
        return int(limits.min if self.is_least else limits.max)


#: the square of the absolute value
SQUARED: Final = Operation("square", "ring", squared)
SUM: Final = Fold(ADD, "add", 0)
PRODUCT: Final = Fold(MUL, "mul", 1)
GREATEST: Final = Fold(MAX, "max", None)
LEAST: Final = Fold(MIN, "min", None, False)
ALL: Final = Fold(BOTH, "and", 1)
ANY: Final = Fold(EITHER, "or", 0)
BITS_OF_ALL: Final = Fold(AND, "bitAnd", -1)
BITS_OF_ANY: Final = Fold(OR, "bitOr", 0)
BITS_OF_ODD: Final = Fold(XOR, "bitXor", 0)
FOLDS: Final = {
    "add": SUM,
    "multiply": PRODUCT,
    "maximum": GREATEST,
    "minimum": LEAST,
    "logical_and": ALL,
    "logical_or": ANY,
    "bitwise_and": BITS_OF_ALL,
    "bitwise_or": BITS_OF_ANY,
    "bitwise_xor": BITS_OF_ODD,
}


def axis_of(xs: Part, axis: Any) -> int:
    """An axis as a nonnegative number."""
    rank = len(xs.shape)
    if isinstance(axis, bool) or not isinstance(axis, int) or not -rank <= axis < rank:
        found = f"the size {item_text(axis)}" if isinstance(axis, Size) else item_text(axis)
        title = f"expected an axis from {-rank} to {rank - 1}, found {found}"
        refuse("axis", title, f"the array has the shape {shape_text(xs.shape)}")
    return axis % rank


def axes_of(xs: Part, axis: int | tuple[int, ...] | None) -> list[int]:
    """Axes as nonnegative numbers, sorted; None means all."""
    if axis is None:
        return list(range(len(xs.shape)))
    return sorted(different_axes(xs, axis))


def different_axes(xs: Part, axis: int | Sequence[int]) -> list[int]:
    """Axes as nonnegative numbers, in the given order. Raises RiseError if one occurs twice."""
    given = [axis_of(xs, number) for number in (axis if isinstance(axis, list | tuple) else (axis,))]
    twice = next((one for place, one in enumerate(given) if one in given[:place]), None)
    if twice is not None:
        title = f"expected different axes, found axis {twice} twice in {axis}"
        refuse("axis", title, "write each axis once; negative ones count from the end")
    return given


def reduced(
    fold: Fold,
    xs: Part,
    axis: int | tuple[int, ...] | None,
    keep: bool = False,
    where: Part | None = None,
    initial: Operand | None = None,
) -> Part:
    """Combine all elements along some axes: those that the mask `where` selects, and the number `initial`.

    Sums and products of 16-bit floats are computed in f32 and rounded once, as in numpy. Sums of truth values count
    them. A call checks that there are elements if the reduction is a minimum or maximum without `initial`.
    """
    if fold not in (SUM, PRODUCT):
        if fold in (GREATEST, LEAST) and initial is None:
            if where is not None:
                title = f"`{fold.name}` of the elements that a mask selects expected `initial`, found none"
                refuse("unsupported", title, "give the result for no elements, as in `initial=0`")
            _require_elements(fold, xs, axis)
        if xs.element == BOOL and fold not in (ALL, ANY):
            return is_true(_combined(fold, with_elements(xs, U8), axis, keep, where, initial))
        return _combined(fold, xs, axis, keep, where, initial)
    [xs] = common(fold.operation, [counts(xs)])
    wide_xs = with_elements(xs, wide(xs.element))
    return with_elements(_combined(fold, wide_xs, axis, keep, where, initial), xs.element)


def counts(xs: Part) -> Part:
    """Truth values as the numbers 0 and 1."""
    return with_elements(xs, I64) if xs.element == BOOL else xs


def widened(fold: Fold, xs: Part) -> Part:
    """The array that numpy adds or multiplies unless a type is given: integers as 64-bit integers, otherwise the array
    itself.
    """
    facts = SCALARS.get(scalar_name(xs.element))
    if fold not in (SUM, PRODUCT) or facts is None or "integral" not in facts.classes:
        return xs
    return with_elements(xs, U64 if facts.dtype.kind == "u" else I64)


def _require_elements(fold: Fold, xs: Part, axis: int | tuple[int, ...] | None) -> None:
    """Refuse a minimum or maximum of no elements; if the length depends on sizes, a call checks it."""
    for size in (xs.shape[one] for one in axes_of(xs, axis)):
        if size == const(0):
            title = f"`{fold.name}` expected at least one element, found none"
            refuse("size-mismatch", title, "an empty array has no minimum and no maximum")
        if size.constant is None and not is_nonnegative(size - 1) and not variables(size, xs.trace):
            xs.trace.promise_at_most(const(1), size)


def _combined(
    fold: Fold,
    xs: Part,
    axis: int | tuple[int, ...] | None,
    keep: bool,
    where: Part | None = None,
    initial: Operand | None = None,
) -> Part:
    """Combine all elements along some axes, in their own type."""
    [xs] = common(fold.operation, [xs])
    start = number(fold.start_of(xs.element), xs.element, xs.scope)
    if where is not None:
        xs = _masked(xs, where, start)

    def one_row(row: Part) -> Part:
        return computed(xs.element, piped("reduce", TextPiece(fold.name), start.syntax, row.syntax), row)

    result = along(one_row, xs, axes_of(xs, axis), keep)
    return result if initial is None else elementwise(fold.operation, result, initial)


def _masked(xs: Part, where: Part, other: Part) -> Part:
    """The array with `other` in place of the elements that a mask does not select."""
    masked = select(where, xs, other)
    if masked.shape != xs.shape:
        title = f"`where` expected a mask that fits the shape {shape_text(xs.shape)}, found {shape_text(where.shape)}"
        refuse(
            "shape-mismatch", title, "repeat the array along the other axes first, as with `np.broadcast_to`"
        )
    return masked


def placed(name: str, xs: Part, axis: int | None, keep: bool = False) -> Part:
    """The index of the least or the greatest element: of all elements, or along an axis."""
    [xs] = common(MAX, [with_elements(xs, U8) if xs.element == BOOL else xs])

    def one_row(row: Part) -> Part:
        return computed(IndexType(row.shape[0]), apply(name, row.syntax), row)

    return along(one_row, xs, axes_of(xs, axis), keep)


def along(one_row: t.Body, xs: Part, axes: list[int], keep: bool = False) -> Part:
    """Apply a function of an array with one axis along some axes, which are joined into one."""
    if not axes:
        return xs
    rank = len(xs.shape)
    others = [other for other in range(rank) if other not in axes]
    sizes = xs.shape
    rows = permuted(xs, [*others, *axes])
    result = _under(len(others), lambda row: one_row(flat(row)), rows)
    assert sizes == xs.shape
    return with_unit_axes(result, axes) if keep else result


def with_unit_axes(xs: Part, axes: Sequence[int]) -> Part:
    """The array with axes of length 1 added, which have these numbers in the result, in ascending order."""
    for axis in axes:
        xs = under(axis, lambda x: repeated(x, [const(1)]), xs, here().assigned)
    return xs


def _under(depth: int, compute: t.Body, xs: Part) -> Part:
    if depth == 0:
        return compute(xs)
    f = function(xs.trace, ["row"], [element(xs)], lambda row: _under(depth - 1, compute, row))
    return map_over(f, xs)


def floating(function: Callable[[Part], Part], xs: Part) -> Part:
    """Apply a floating-point function: in f32 to 16-bit floats, rounded once; in f64 to integers and truth values."""
    t = xs.element
    if has_complex(xs):
        return function(xs)
    if "floating" not in SCALARS[scalar_name(t)].classes:
        return function(with_elements(counts(xs), F64))
    return with_elements(function(with_elements(xs, wide(t))), t)


def mean(xs: Part, axis: int | tuple[int, ...] | None, keep: bool = False, where: Part | None = None) -> Part:
    """The sum divided by the number of elements; of those that the mask `where` selects."""
    return floating(lambda given: _mean(given, axis, keep, where), _numbers("mean", xs))


def variance(
    xs: Part,
    axis: int | tuple[int, ...] | None,
    keep: bool = False,
    less: int = 0,
    where: Part | None = None,
) -> Part:
    """The mean of the squared differences from the mean."""
    return floating(lambda given: _variance(given, axis, keep, less, where), _numbers("var", xs))


def deviation(
    xs: Part,
    axis: int | tuple[int, ...] | None,
    keep: bool = False,
    less: int = 0,
    where: Part | None = None,
) -> Part:
    """The square root of the variance."""
    root = UFUNCS["sqrt"]
    return floating(
        lambda given: elementwise(root, _variance(given, axis, keep, less, where)), _numbers("std", xs)
    )


def norm(xs: Part, axis: int | tuple[int, ...] | None, keep: bool = False) -> Part:
    """The square root of the sum of squares."""

    def root(given: Part) -> Part:
        return elementwise(UFUNCS["sqrt"], reduced(SUM, elementwise(SQUARED, given), axis, keep))

    return floating(root, _numbers("norm", xs))


def in_double(xs: Part) -> Part:
    """The array in f64, or in c128 if it is complex."""
    return with_elements(counts(xs), complex_type(F64) if has_complex(xs) else F64)


def _numbers(name: str, xs: Part) -> Part:
    """An array of numbers or of truth values."""
    [xs] = common(Operation(name, "ring", ADD.write), [counts(xs)])
    return xs


def _mean(xs: Part, axis: int | tuple[int, ...] | None, keep: bool, where: Part | None) -> Part:
    total = reduced(SUM, xs, axis, keep, where)
    return elementwise(DIV, total, _count_of(xs, axis, keep, where))


def _variance(
    xs: Part, axis: int | tuple[int, ...] | None, keep: bool, less: int, where: Part | None
) -> Part:
    differences = elementwise(SUB, xs, _mean(xs, axis, True, where))
    total = reduced(SUM, elementwise(SQUARED, differences), axis, keep, where)
    count = _count_of(xs, axis, keep, where)
    if isinstance(count, Size):
        return elementwise(DIV, total, Size(count.nat - less, xs.scope))
    return elementwise(DIV, total, elementwise(MAX, elementwise(SUB, count, less), 0) if less else count)


def _count_of(xs: Part, axis: int | tuple[int, ...] | None, keep: bool, where: Part | None) -> Size | Part:
    """The number of elements along some axes; of those that a mask selects, as an array."""
    if where is None:
        return Size(_count(xs, axis), xs.scope)
    every = repeated(number(True, BOOL, xs.scope), xs.shape)
    return reduced(SUM, every, axis, keep, where)


def _count(xs: Part, axis: int | tuple[int, ...] | None) -> Nat:
    """The number of elements along some axes."""
    count = const(1)
    for summed in axes_of(xs, axis):
        count = count * xs.shape[summed]
    return count


def scanned(fold: Fold, xs: Part, axis: int) -> Part:
    """The intermediate results of a reduction after each element, in the type of the elements, rounded each time."""
    if xs.element == BOOL and fold.operation.kind == "bits":
        return is_true(scanned(fold, with_elements(xs, U8), axis))
    [xs] = common(fold.operation, [counts(xs) if fold in (SUM, PRODUCT) else xs])
    start = number(fold.start_of(xs.element), xs.element, xs.scope)

    def one_row(row: Part) -> Part:
        return computed(row.type, piped("scan", TextPiece(fold.name), start.syntax, row.syntax), row)

    return on_rows(one_row, xs, axis)


def on_rows(one_row: t.Body, xs: Part, axis: int) -> Part:
    """Apply a function from arrays to arrays of the same length along an axis."""
    rank = len(xs.shape)
    along_axis = axis_of(xs, axis)
    others = [other for other in range(rank) if other != along_axis]
    rows = _under(len(others), one_row, permuted(xs, [*others, along_axis]))
    inverse = sorted(range(rank), key=[*others, along_axis].__getitem__)
    return permuted(rows, inverse)


def inner(xs: Part, ys: Part) -> Part:
    """The dot product of two arrays with one axis; for 16-bit floats in f32, rounded once."""
    xs, ys = common(MUL, [xs, ys])
    if xs.element == BOOL:
        return reduced(ANY, elementwise(MUL, xs, ys), None)
    wide_type = wide(xs.element)
    products = elementwise(
        Operation("*", "ring", lambda x, y: MUL.write(cast(x, wide_type), cast(y, wide_type))), xs, ys
    )
    return with_elements(reduced(SUM, products, None), xs.element)


def product(xs: Part, ys: Part) -> Part:
    """`@`: the matrix product; axes before the last two are broadcast as in numpy."""
    xs, ys = common(MUL, [xs, ys])
    if not xs.shape or not ys.shape:
        refuse("shape-mismatch", "`@` expected arrays, found a scalar", "multiply by a scalar with `*`")
    xs = of_length(xs, ys.shape[-2:][0])
    if xs.shape[-1] != ys.shape[-2:][0]:
        texts = f"{shape_text(xs.shape)} and {shape_text(ys.shape)}"
        title = f"`@` expected rows and columns of the same length, found {texts}"
        hint = "transpose one of them, `x.T`, or use the same name for equal sizes"
        refuse_lengths(xs.shape[-1], ys.shape[-2:][0], title, hint)
    if len(xs.shape) <= 2 and len(ys.shape) <= 2:
        return _matrices(xs, ys)
    sizes = broadcast([xs.shape[:-2], ys.shape[:-2]])
    lead = len(sizes)
    if len(xs.shape) < lead + 2:
        return over(lambda one: product(xs, one), [ys])
    if len(ys.shape) < lead + 2:
        return over(lambda one: product(one, ys), [xs])
    if sizes[0] not in (xs.shape[0], const(1)):
        return over(lambda one: product(first(xs), one), [ys])
    if sizes[0] not in (ys.shape[0], const(1)):
        return over(lambda one: product(one, first(ys)), [xs])
    return over(product, [xs, ys])


def _matrices(xs: Part, ys: Part) -> Part:
    if len(xs.shape) == 2:
        if len(ys.shape) == 2:
            xs.trace.products.append(None)
        return over(lambda row: _matrices(row, ys), [xs])
    if len(ys.shape) == 2:
        return over(lambda column: inner(xs, column), [transpose(ys)])
    return inner(xs, ys)


def outer(operation: Operation, xs: Part, ys: Part) -> Part:
    """An operation on all pairs of elements."""
    xs, ys = common(operation, [xs, ys])
    xs, ys = flat(xs), flat(ys)
    return over(lambda x: over(lambda y: spread(operation.write, [x, y], ()), [ys]), [xs])


def size_part(size: Nat, like: Part) -> Part:
    """A size as a scalar of the type of an array."""
    return counted(Size(size, like.scope), like.element)


def is_true(xs: Part) -> Part:
    """Whether each element differs from 0."""
    return xs if scalar_name(xs.element) == "bool" else elementwise(NE, xs, number(0, xs.element, xs.scope))


def row_of(xs: Part) -> ArrayType:
    """The type of an array."""
    assert isinstance(xs.type, ArrayType)
    return xs.type
