"""The order of axes in memory: that of a new result, by the letters of numpy, and those in which kernels take arrays
whose axes are permuted. Independent of kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from rise.diagnostics import Label
from rise.einsum.specs import Spec, read_spec
from rise.scalars import SCALARS

ORDERS: Final = ("C", "F", "A", "K")
#: an order of axes, or None if they are in order
Axes: TypeAlias = tuple[int, ...] | None
T = TypeVar("T")


def array_in_order(
    text: str, arrays: Sequence[np.ndarray[Any, Any]], order: Any, shape: tuple[int, ...], scalar: str
) -> np.ndarray[Any, Any]:
    """An array for the result, in an order of numpy: rows first (C), columns first (F), columns first if all operands
    are stored so (A), or in the order of the operands as far as possible (K). Raises RiseError for other orders.
    """
    spec, dtype = read_spec(text, [one.ndim for one in arrays]), SCALARS[scalar].dtype
    if not isinstance(order, str) or order not in ORDERS:
        title = f"expected {', '.join(ORDERS[:-1])} or {ORDERS[-1]} as `order`, found {order!r:.60}"
        spec.refuse("einsum-order", title, 'omit it, or for example order="F"', Label(0, max(1, len(text))))
    if order == "K":
        return _as_operands(spec, arrays, dtype)
    is_columns = order == "F" or (order == "A" and all(one.flags.fnc for one in arrays))
    return np.empty(shape, dtype, order="F" if is_columns else "C")


def _as_operands(spec: Spec, arrays: Sequence[Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array for a result whose axes are in the order of those of the operands in memory, as numpy allocates it."""
    letters = spec.result + "".join(
        c for c in dict.fromkeys("".join(one.letters for one in spec.operands)) if c not in spec.result
    )
    views = [_diagonals(one, term.letters) for one, term in zip(arrays, spec.operands, strict=True)]
    own = [range(len(spec.result))] + [range(view.ndim) for view, _ in views]
    axes = [
        [places[names.index(c)] if c in names else -1 for c in letters]
        for names, places in zip([spec.result, *(names for _, names in views)], own, strict=True)
    ]
    flags: Any = [["readwrite", "allocate"], *[["readonly"]] * len(views)]
    found = np.nditer(
        [None, *(view for view, _ in views)],
        ["reduce_ok", "delay_bufalloc", "buffered", "zerosize_ok", "refs_ok"],
        flags,
        op_dtypes=[dtype, *(view.dtype for view, _ in views)],
        op_axes=axes,
        order="K",
    )
    result: np.ndarray[Any, Any] = found.operands[0]
    return result


def _diagonals(array: np.ndarray[Any, Any], letters: str) -> tuple[np.ndarray[Any, Any], str]:
    """A view of an array in which each letter is one axis, and its letters."""
    unique = "".join(dict.fromkeys(letters))
    if unique == letters:
        return array, letters
    numbers = [unique.index(c) for c in letters]
    return np.einsum(array, numbers, [*range(len(unique))]), unique


def axes_in_memory(array: Any) -> Axes:
    """The axes of an array from the largest distance between elements to the smallest, if it is contiguous in this
    order and not in its own; None for other arrays, and for what are no arrays.

    >>> axes_in_memory(np.empty((2, 3, 4)).transpose(2, 0, 1))
    (1, 2, 0)
    """
    if type(array) is not np.ndarray or array.flags.c_contiguous:
        return None
    strides = array.strides
    axes = tuple(sorted(range(len(strides)), key=lambda axis: -strides[axis]))
    return axes if array.transpose(axes).flags.c_contiguous else None


def in_order(one: Sequence[T], axes: Axes) -> tuple[T, ...]:
    """What belongs to axes, such as their sizes or letters, in an order of these.

    >>> in_order("abc", (1, 2, 0))
    ('b', 'c', 'a')
    """
    return tuple(one) if axes is None else tuple(one[axis] for axis in axes)
