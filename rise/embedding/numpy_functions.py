"""numpy's functions on symbolic values, as a table. Depends on their parameters, but not on the public classes.

One subject: which parameters they take, and the part of the language that computes each. The functions take and return
`Part`s instead of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.diagnostics import did_you_mean
from rise.embedding import complex_words as cw
from rise.embedding import matrices, modes, orders, rearrangements
from rise.embedding import reductions as r
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.contractions import einsum
from rise.embedding.elementwise import counted_beside, elementwise, first, select, with_elements
from rise.embedding.lengths import refuse_shapes, shape_text
from rise.embedding.operand_types import beside_number
from rise.embedding.operands import Operand, Size, check_operand, converted, size_of
from rise.embedding.places import refuse
from rise.embedding.scalars import DIV, MAX, MIN, MUL, POW, UFUNCS, power, power_for
from rise.embedding.trace import Part
from rise.naturals import Nat, const, exact_quotient
from rise.scalars import SCALARS
from rise.types import BOOL, F64, ScalarType, Type

Axis = int | tuple[int, ...] | None


def reduction(fold: r.Fold) -> Callable[..., Part]:
    """A reduction with numpy's parameters."""

    def function(
        xs: Part,
        axis: Axis = None,
        dtype: object = None,
        *,
        keepdims: bool = False,
        initial: Operand | None = None,
        where: Operand = True,
    ) -> Part:
        if dtype is not None:
            xs = with_elements(xs, type_of(dtype))
        else:
            xs = r.widened(fold, xs)
        given = r.is_true(xs) if fold in (r.ALL, r.ANY) else xs
        return r.reduced(fold, given, axis, keepdims, mask_of(where, xs), initial)

    return function


def mask_of(where: Operand, xs: Part) -> Part | None:
    """The argument `where` of a reduction of an array; None if it selects everything."""
    return None if where is True else converted(where, BOOL, xs.scope)


def place(name: str) -> Callable[..., Part]:
    """`np.argmin` or `np.argmax`."""

    def function(xs: Part, axis: int | None = None, *, keepdims: bool = False) -> Part:
        return r.placed(name, xs, axis, keepdims)

    return function


def mean(
    xs: Part, axis: Axis = None, dtype: object = None, *, keepdims: bool = False, where: Operand = True
) -> Part:
    """`np.mean`."""
    return r.mean(_computed_in(dtype, xs), axis, keepdims, mask_of(where, xs))


def variance(
    xs: Part,
    axis: Axis = None,
    dtype: object = None,
    *,
    ddof: int = 0,
    keepdims: bool = False,
    where: Operand = True,
) -> Part:
    """`np.var`."""
    return r.variance(_computed_in(dtype, xs), axis, keepdims, ddof, mask_of(where, xs))


def deviation(
    xs: Part,
    axis: Axis = None,
    dtype: object = None,
    *,
    ddof: int = 0,
    keepdims: bool = False,
    where: Operand = True,
) -> Part:
    """`np.std`."""
    return r.deviation(_computed_in(dtype, xs), axis, keepdims, ddof, mask_of(where, xs))


def _computed_in(dtype: object, xs: Part) -> Part:
    """The array in the type in which its mean is computed, which is also that of the mean."""
    if dtype is None:
        return xs
    wanted = type_of(dtype)
    name = t.scalar_name(wanted)
    if "inexact" not in SCALARS[name].classes:
        refuse("type-mismatch", f"expected a type with fractions as `dtype`, found {name}", "use np.float64")
    return with_elements(xs, wanted)


def clip(
    xs: Part, a_min: Operand | None = None, a_max: Operand | None = None, **more: Operand | None
) -> Part:
    """`np.clip`."""
    low, high = more.get("min", a_min), more.get("max", a_max)
    result = xs if low is None else elementwise(MAX, xs, low)
    return result if high is None else elementwise(MIN, result, high)


def dot(xs: Operand, ys: Operand) -> Part:
    """`np.dot`: `@`, or `*` if one is a scalar."""
    if not isinstance(xs, Part) or not isinstance(ys, Part) or not xs.shape or not ys.shape:
        return elementwise(MUL, xs, ys)
    return r.product(xs, ys)


def inner(xs: Part, ys: Part) -> Part:
    """`np.inner`: sums over the last axes of both."""
    return r.product(xs, transpose(ys))


def vdot(xs: Part, ys: Part) -> Part:
    """`np.vdot`."""
    return r.inner(elementwise(UFUNCS["conjugate"], sh.flat(xs)), sh.flat(ys))


def transpose(xs: Part, axes: Sequence[int] | int | None = None, *more: int) -> Part:
    """`np.transpose`; as a method it also takes the axes as separate arguments."""
    axes = (axes, *more) if isinstance(axes, int) else axes
    rank = len(xs.shape)
    order = list(reversed(range(rank))) if axes is None else [r.axis_of(xs, axis) for axis in axes]
    if sorted(order) != list(range(rank)):
        refuse(
            "axis", f"expected each of {rank} axes once, found {tuple(axes or ())}", "give every axis once"
        )
    return sh.permuted(xs, order)


def swapaxes(xs: Part, axis1: int, axis2: int) -> Part:
    """`np.swapaxes`."""
    order = list(range(len(xs.shape)))
    first_axis, second_axis = r.axis_of(xs, axis1), r.axis_of(xs, axis2)
    order[first_axis], order[second_axis] = order[second_axis], order[first_axis]
    return sh.permuted(xs, order)


def reshape(xs: Part, shape: Any = None, *more: Any) -> Part:
    """`np.reshape`; one size may be -1."""
    given = [shape, *more] if more or not isinstance(shape, tuple | list) else list(shape)
    total, known = const(1), const(1)
    for size in xs.shape:
        total = total * size
    sizes = [None if isinstance(size, int) and size == -1 else size_of(size) for size in given]
    for wanted in sizes:
        known = known if wanted is None else known * wanted
    if sizes.count(None) > 1:
        refuse("shape-mismatch", "expected at most one size of -1, found several", "write the other sizes")
    return sh.reshaped(xs, [exact_quotient(total, known) if size is None else size for size in sizes])


def ravel(xs: Part) -> Part:
    """`np.ravel`."""
    return sh.flat(xs) if xs.shape else sh.stacked([xs])


def expand_dims(xs: Part, axis: int | Sequence[int]) -> Part:
    """`np.expand_dims`."""
    axes = [axis] if isinstance(axis, int) else list(axis)
    rank = len(xs.shape) + len(axes)
    for place in sorted(place % rank for place in axes):
        xs = sh.under(place, lambda row: sh.repeated(row, [const(1)]), xs)
    return xs


def squeeze(xs: Part, axis: Axis = None) -> Part:
    """`np.squeeze`. If lengths of axes depend on sizes, a call checks that dropped axes have length 1, and, unless axes
    are given, that all others do not.
    """
    axes = [a for a in r.axes_of(xs, axis) if sh.is_dropped(xs, a, is_named=axis is not None)]
    for dropped in reversed(axes):
        xs = sh.under(dropped, first, xs)
    return xs


def broadcast_to(xs: Part, shape: Any) -> Part:
    """`np.broadcast_to`, which adds leading axes, and repeats axes of length 1."""
    sizes = [size_of(size) for size in (shape if isinstance(shape, tuple | list) else (shape,))]
    added = len(sizes) - len(xs.shape)
    for axis, (has, wants) in enumerate(zip(xs.shape, sizes[max(added, 0) :], strict=False)):
        if has == const(1) != wants:
            xs = sh.under(axis, partial(_repeated_first, wants), xs)
    if added < 0 or tuple(sizes[added:]) != xs.shape:
        title = f"expected a shape that ends with {shape_text(xs.shape)}, found {shape_text(sizes)}"
        refuse_shapes(tuple(sizes[max(added, 0) :]), xs.shape, title, "reshape the array first")
    return sh.repeated(xs, sizes[:added])


def _repeated_first(size: Nat, row: Part) -> Part:
    return sh.repeated(first(row), [size])


def windows(xs: Part, window_shape: Any, axis: Any = None) -> Part:
    """`np.lib.stride_tricks.sliding_window_view`."""
    sizes = [
        size_of(size)
        for size in (window_shape if isinstance(window_shape, tuple | list) else (window_shape,))
    ]
    axes = r.axes_of(xs, axis)
    if len(sizes) != len(axes):
        refuse(
            "shape-mismatch",
            f"expected windows of {len(axes)} axes, found {len(sizes)}",
            "choose the axes with `axis=`",
        )
    return sh.windows_of(xs, sizes, axes)


def type_of(given: object) -> Type:
    """A scalar type, from its name, a numpy type or a RISE type."""
    if isinstance(given, Type):
        return given
    if isinstance(given, str) and given in ("i8", "u8"):
        wide = np.dtype(given).name
        title = f"expected the name of one type, found {given!r}, which has 8 bits in programs and 8 bytes in numpy"
        refuse("type-mismatch", title, f"write `np.{wide}`, or `np.{wide[:-2]}8`")
    if isinstance(given, str) and given in SCALARS:
        return ScalarType(given)
    try:
        dtype = np.dtype(given)  # type: ignore[call-overload]  # any value of the user's
        wanted = dtype.name if dtype.isnative else dtype.str
    except TypeError:  # numpy does not know the types of ml_dtypes by name
        wanted = str(given)
    for name, facts in SCALARS.items():
        if facts.dtype.name == wanted:
            return ScalarType(name)
    hint = did_you_mean(wanted, [facts.dtype.name for facts in SCALARS.values()])
    hint = hint or f"use one of {', '.join(SCALARS)}"
    refuse("type-mismatch", f"expected a scalar type, found {given!r}", hint)


def full_like(xs: Part, fill_value: Operand, dtype: object = None) -> Part:
    """`np.full_like`."""
    wanted = counted_beside(xs, fill_value).element if dtype is None else type_of(dtype)
    check_operand(fill_value)
    if t.scalar_name(wanted) == "bool" and isinstance(fill_value, int | float):
        fill_value = bool(fill_value)
    if isinstance(fill_value, Part) and fill_value.shape:
        return broadcast_to(with_elements(fill_value, wanted), [Size(size, xs.scope) for size in xs.shape])
    return sh.repeated(converted(fill_value, wanted, xs.scope), xs.shape)


def scan(fold: r.Fold) -> Callable[..., Part]:
    """A scan with numpy's parameters."""

    def function(xs: Part, axis: int | None = None, dtype: object = None) -> Part:
        xs = r.widened(fold, xs) if dtype is None else with_elements(xs, type_of(dtype))
        return r.scanned(fold, sh.flat(xs) if axis is None else xs, 0 if axis is None else axis)

    return function


def raised(xs: Operand, exponent: Operand) -> Part:
    """`**`, with numpy's special cases for some constant exponents."""
    if isinstance(xs, Part) and isinstance(exponent, int | float) and not isinstance(exponent, bool):
        name = {0.5: "sqrt", -1: "reciprocal"}.get(exponent)
        if name is not None and t.scalar_name(xs.element).startswith(("f", "bf", "c")):
            return elementwise(UFUNCS[name], xs)
        xs = with_elements(xs, beside_number(xs.element, exponent))
        if exponent in (0, 1, 2) or (isinstance(exponent, int) and 0 <= exponent <= 16):
            return elementwise(power_of(int(exponent)), xs)
    return elementwise(power_for(xs, exponent), xs, exponent)


def power_of(exponent: int) -> Any:
    """The operation that raises to an integer power."""
    return type(POW)("**", "ring", lambda x: power(x, exponent))


def real(val: Part) -> Part:
    """`np.real`."""
    return elementwise(type(POW)("real", "ring", cw.real), val) if cw.has_complex(val) else val


def imaginary(val: Part) -> Part:
    """`np.imag`."""
    return elementwise(type(POW)("imag", "ring", cw.imaginary), val)


def angle(z: Part, deg: bool = False) -> Part:
    """`np.angle`, in radians or degrees."""
    found = r.floating(lambda given: elementwise(type(POW)("angle", "inexact", cw.angle), given), z)
    return elementwise(MUL, found, 180 / np.pi) if deg else found


def round_off(xs: Part, decimals: int = 0) -> Part:
    """`np.round`."""
    name = t.scalar_name(xs.element)
    if SCALARS[name].part:
        title = f"`round` expected real numbers, found {name}"
        refuse("type-mismatch", title, "round the parts: `np.round(x.real) + 1j * np.round(x.imag)`")
    if "floating" not in SCALARS[name].classes:
        is_rounded = decimals < 0 and "integral" in SCALARS[name].classes
        return with_elements(round_off(with_elements(xs, F64), decimals), xs.element) if is_rounded else xs
    scale = 10.0 ** abs(decimals)
    there, back = (MUL, DIV) if decimals > 0 else (DIV, MUL)
    rounded = elementwise(UFUNCS["rint"], elementwise(there, xs, scale) if decimals else xs)
    return elementwise(back, rounded, scale) if decimals else rounded


def where(condition: Operand, *choices: Operand) -> Part:
    """`np.where` of a condition and two values."""
    if len(choices) != 2:
        title = "`np.where` expected a condition and two values, found the condition and one"
        refuse("unsupported", title, "write both: `np.where(condition, x, 0)`")
    return select(r.is_true(condition) if isinstance(condition, Part) else condition, *choices)


FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = MappingProxyType(
    {
        np.sum: reduction(r.SUM),
        np.prod: reduction(r.PRODUCT),
        np.max: reduction(r.GREATEST),
        np.amax: reduction(r.GREATEST),
        np.min: reduction(r.LEAST),
        np.amin: reduction(r.LEAST),
        np.argmin: place("argmin"),
        np.argmax: place("argmax"),
        np.all: reduction(r.ALL),
        np.any: reduction(r.ANY),
        np.mean: mean,
        np.var: variance,
        np.std: deviation,
        np.linalg.norm: matrices.norm,
        np.cumsum: scan(r.SUM),
        np.cumprod: scan(r.PRODUCT),
        np.clip: clip,
        np.real: real,
        np.imag: imaginary,
        np.angle: angle,
        np.dot: dot,
        np.vdot: vdot,
        np.inner: inner,
        np.einsum: einsum,
        np.outer: lambda a, b: r.outer(MUL, a, b),
        np.where: where,
        np.transpose: transpose,
        np.swapaxes: swapaxes,
        np.moveaxis: rearrangements.moveaxis,
        np.reshape: reshape,
        np.ravel: ravel,
        np.expand_dims: expand_dims,
        np.squeeze: squeeze,
        np.broadcast_to: broadcast_to,
        np.concatenate: rearrangements.concatenate,
        np.stack: rearrangements.stack,
        np.roll: rearrangements.roll,
        np.pad: rearrangements.pad,
        np.lib.stride_tricks.sliding_window_view: windows,
        np.hstack: rearrangements.hstack,
        np.vstack: rearrangements.vstack,
        np.flip: rearrangements.flip,
        np.flipud: lambda m: rearrangements.flip(m, 0),
        np.fliplr: lambda m: rearrangements.flip(m, 1),
        np.diff: rearrangements.diff,
        np.repeat: rearrangements.repeat,
        np.copy: lambda a: a,
        np.full_like: full_like,
        np.zeros_like: lambda a, dtype=None: full_like(a, 0, dtype),
        np.empty_like: lambda a, dtype=None: full_like(a, 0, dtype),
        np.ones_like: lambda a, dtype=None: full_like(a, 1, dtype),
        np.round: round_off,
        np.around: round_off,
        np.tril: matrices.tril,
        np.triu: matrices.triu,
        np.diagonal: matrices.diagonal,
        np.trace: matrices.traced,
        np.sort: orders.sort,
        np.argsort: orders.argsort,
        np.partition: orders.partition,
        np.argpartition: orders.argpartition,
        np.lexsort: orders.lexsort,
        np.take: modes.take,
        np.choose: modes.choose,
        np.take_along_axis: orders.take_along_axis,
        np.searchsorted: orders.searchsorted,
        np.cov: matrices.covariance,
    }
)

#: the functions that return a view of their array, in numpy without a copy
VIEWS: Final = frozenset(
    {
        np.transpose,
        np.swapaxes,
        np.moveaxis,
        np.real,
        np.imag,
        np.reshape,
        np.ravel,
        np.expand_dims,
        np.squeeze,
        np.broadcast_to,
        np.flip,
        np.flipud,
        np.fliplr,
        np.diagonal,
        np.lib.stride_tricks.sliding_window_view,
    }
)
#: the views that list the elements in the same order
RESHAPED: Final = frozenset({np.reshape, np.ravel, np.expand_dims, np.squeeze})
