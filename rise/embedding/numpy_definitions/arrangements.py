"""numpy functions that join, repeat, split and rotate arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rise.embedding.places import refuse


def atleast_1d(a: Any) -> Any:
    """`np.atleast_1d` of one array."""
    return a if a.ndim else a.reshape(1)


def atleast_2d(a: Any) -> Any:
    """`np.atleast_2d` of one array."""
    return a if a.ndim > 1 else atleast_1d(a)[None, :]


def atleast_3d(a: Any) -> Any:
    """`np.atleast_3d` of one array."""
    return a if a.ndim > 2 else a[:, :, None] if a.ndim == 2 else atleast_1d(a)[None, :, None]


def matrix_transpose(x: Any) -> Any:
    """`np.matrix_transpose`: swaps the last two axes."""
    return np.swapaxes(x, -1, -2)


def unstack(x: Any, *, axis: int = 0) -> tuple[Any, ...]:
    """`np.unstack` along an axis of known length."""
    rows = np.moveaxis(x, axis, 0)
    return tuple([rows[number] for number in range(rows.shape[0])])


def shape(a: Any) -> Any:
    """`np.shape`."""
    return a.shape


def ndim(a: Any) -> Any:
    """`np.ndim`."""
    return a.ndim


def size(a: Any, axis: int | None = None) -> Any:
    """`np.size`."""
    return a.size if axis is None else a.shape[axis]


def astype(x: Any, dtype: Any) -> Any:
    """`np.astype`."""
    return x.astype(dtype)


def column_stack(tup: Any) -> Any:
    """`np.column_stack`."""
    if not isinstance(tup, list | tuple):
        return np.concatenate(tup, axis=1) if tup.ndim > 2 else tup.T
    return np.concatenate([a if a.ndim > 1 else a[:, None] for a in tup], axis=1)


def columns_joined(items: tuple[Any, ...]) -> Any:
    """`np.c_[items]`: arrays of one axis are columns."""
    return np.concatenate([one[:, None] if one.ndim == 1 else one for one in _joined(items, 2)], axis=-1)


def rows_joined(items: tuple[Any, ...]) -> Any:
    """`np.r_[items]`: concatenates numbers, slices and arrays."""
    return np.concatenate(_joined(items, 1))


def open_grid(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """`np.ogrid[items]`: an array for each slice, along an axis of its own."""
    last = len(items) - 1
    return tuple(
        _item(one)[(None,) * k + (slice(None),) + (None,) * (last - k)] for k, one in enumerate(items)
    )


def full_grid(items: tuple[Any, ...]) -> Any:
    """`np.mgrid[items]`: the coordinates of all points of a grid, one array for each slice."""
    return np.stack(np.meshgrid(*[_item(one) for one in items], indexing="ij"))


def _joined(items: tuple[Any, ...], rank: int) -> list[Any]:
    """The arrays that items of `np.r_` and `np.c_` represent; numbers get the necessary number of axes."""
    return [_item(one).reshape(*(1,) * rank) if _item(one).ndim == 0 else _item(one) for one in items]


def _item(item: Any) -> Any:
    if isinstance(item, str):
        refuse(
            "unsupported",
            f"expected arrays and numbers, found {item!r}",
            "write `np.concatenate(..., axis=...)`",
        )
    if isinstance(item, slice):
        if isinstance(item.step, complex):
            return np.linspace(item.start, item.stop, int(abs(item.step)))
        return np.arange(
            0 if item.start is None else item.start, item.stop, 1 if item.step is None else item.step
        )
    return np.array(item)


def dstack(tup: Sequence[Any]) -> Any:
    """`np.dstack`."""
    return np.concatenate([a if a.ndim > 2 else atleast_2d(a)[:, :, None] for a in tup], axis=2)


def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """`np.append`."""
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis=axis)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`np.insert` of one element, or one row, before a known position."""
    if type(obj) is not int:
        refuse(
            "unsupported", f"expected a Python number as the place, found {obj!r}", "join the parts yourself"
        )
    rows = np.ravel(arr) if axis is None else np.moveaxis(arr, axis, 0)
    _check_place(obj, rows.shape[0], rows.shape[0])
    row = np.broadcast_to(np.zeros_like(rows[:1]) + values, rows[:1].shape).astype(rows.dtype)
    joined = np.concatenate((rows[:obj], row, rows[obj:]))
    return joined if axis is None else np.moveaxis(joined, 0, axis)


def delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    """`np.delete` of one element, or one row, at a known position, or of those that a mask selects."""
    if getattr(obj, "dtype", None) == np.bool_ and (axis == 0 or (axis is None and arr.ndim == 1)):
        return arr[~obj]
    if type(obj) is not int:
        refuse(
            "unsupported", f"expected a Python number as the place, found {obj!r}", "join the parts yourself"
        )
    rows = np.ravel(arr) if axis is None else np.moveaxis(arr, axis, 0)
    _check_place(obj, rows.shape[0], rows.shape[0] - 1)
    rest = rows[:-1] if obj == -1 else np.concatenate((rows[:obj], rows[obj + 1 :]))
    return rest if axis is None else np.moveaxis(rest, 0, axis)


def _check_place(place: int, count: Any, last: Any) -> None:
    """Refuse a position that a known number of elements does not have."""
    if type(count) is int and not -count <= place <= last:
        title = f"expected a place from {-count} to {last}, found {place}"
        refuse("index-out-of-range", title, "places start at 0; -1 is that of the last element")


def trim_zeros(filt: Any, trim: str = "fb") -> Any:
    """`np.trim_zeros` of an array with one axis."""
    others = filt != 0
    start = np.where(np.any(others), np.argmax(others), len(filt)) if "f" in trim.lower() else 0
    end = (
        np.where(np.any(others), len(filt) - np.argmax(others[::-1]), start)
        if "b" in trim.lower()
        else len(filt)
    )
    return filt[start:end]


def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    """`np.rot90`."""
    first, second = axes
    match k % 4:
        case 1:
            return np.swapaxes(np.flip(m, second), first, second)
        case 2:
            return np.flip(np.flip(m, first), second)
        case 3:
            return np.flip(np.swapaxes(m, first, second), second)
    return m


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """`np.split` into a number of equal parts, or before known positions."""
    rows = np.moveaxis(ary, axis, 0)
    if isinstance(indices_or_sections, list | tuple):
        ends = [0, *indices_or_sections, rows.shape[0]]
        parts = [rows[begin:end] for begin, end in pairwise(ends)]
    else:
        count = indices_or_sections
        cut = rows.reshape(count, -1, *rows.shape[1:])
        parts = [cut[number] for number in range(count)]
    return tuple(np.moveaxis(part, 0, axis) for part in parts)


def tile(A: Any, reps: Any) -> Any:
    """`np.tile`, along as many axes as `reps` has numbers, which are the last ones if the array has more."""
    times = reps if isinstance(reps, list | tuple) else (reps,)
    tiled = A.reshape(*(1,) * (len(times) - A.ndim), *A.shape) if len(times) > A.ndim else A
    for offset, count in enumerate(reversed(times)):
        axis = tiled.ndim - 1 - offset
        before, length, after = tiled.shape[:axis], tiled.shape[axis], tiled.shape[axis + 1 :]
        one = tiled.reshape(*before, 1, length, *after)
        again = np.broadcast_to(one, (*before, count, length, *after))  # in the order of memory
        tiled = again.reshape(*before, count * length, *after)
    return tiled.copy()


def vsplit(ary: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """`np.vsplit`."""
    return split(ary, indices_or_sections, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """`np.hsplit`."""
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def dsplit(ary: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """`np.dsplit`."""
    return split(ary, indices_or_sections, 2)


def meshgrid(*xi: Any, indexing: str = "xy", sparse: bool = False) -> tuple[Any, ...]:
    """`np.meshgrid`."""
    rank = len(xi)
    order = [1, 0, *range(2, rank)] if indexing == "xy" and rank > 1 else list(range(rank))
    lengths = [len(xi[number]) for number in order]
    grids: list[Any] = []
    for number, x in enumerate(xi):
        place = order.index(number)
        line = x.reshape(*(1,) * place, x.shape[0], *(1,) * (rank - 1 - place))
        grids = [*grids, line.copy() if sparse else np.broadcast_to(line, tuple(lengths)).copy()]
    return tuple(grids)


def diag(v: Any, k: int = 0) -> Any:
    """`np.diag`: a matrix with a diagonal, or the diagonal of a matrix."""
    if v.ndim == 2:
        return np.diagonal(v, k)
    whole = np.where(np.eye(v.shape[0], dtype=np.bool_), v, np.zeros_like(v))
    above, below = max(k, 0), max(-k, 0)
    return np.pad(whole, ((below, above), (above, below))) if k else whole


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """`np.select`."""
    found = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        found = np.where(condition, choice, found)
    return found


def ediff1d(ary: Any) -> Any:
    """`np.ediff1d`."""
    return np.diff(np.ravel(ary))


def unpackbits(a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Any:
    """`np.unpackbits` of u8: the bits of each number, the highest first, or with "little" the lowest first."""
    if bitorder not in ("big", "little"):
        refuse(
            "unsupported", f"expected the order 'big' or 'little', found {bitorder!r}", "write one of them"
        )
    places = np.array(range(8) if bitorder == "little" else range(7, -1, -1), dtype=np.uint8)
    rows = np.ravel(a)[:, None] if axis is None else np.moveaxis(a, axis, -1)[..., None]
    bits = (rows >> places) & 1
    bits = bits.reshape(-1) if axis is None else bits.reshape(*bits.shape[:-2], -1)
    bits = bits if count is None else bits[..., :count]
    return bits if axis is None else np.moveaxis(bits, -1, axis)


def diagflat(v: Any) -> Any:
    """`np.diagflat`: a matrix with the elements of v on its diagonal."""
    return diag(np.ravel(v))


def copyto(dst: Any, src: Any, *, where: Any = True) -> None:
    """`np.copyto` without `casting`."""
    dst[...] = src if where is True else np.where(where, src, dst)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """`np.putmask` with one value, or one for each element."""
    a[...] = np.where(mask, values, a)


def put(a: Any, ind: Any, v: Any) -> None:
    """`np.put` without `mode`, with one value, or one for each index."""
    flat = np.array(a.reshape(-1))
    flat[ind] = v
    a[...] = flat.reshape(a.shape)


def fill_diagonal(a: Any, val: Any) -> None:
    """`np.fill_diagonal` of a matrix, with one number, or one number for each row."""
    if a.ndim != 2:
        refuse(
            "unsupported",
            f"expected a matrix, found an array of {a.ndim} axes",
            "write a loop over the matrices",
        )
    a[:] = np.where(
        np.eye(a.shape[0], a.shape[1], dtype=np.bool_),
        val if getattr(val, "ndim", 0) == 0 else val[:, None],
        a,
    )


def block(arrays: Any) -> Any:
    """`np.block` of nested lists: the innermost ones are joined along the last axis."""
    depth, rank = _depth(arrays), max(_ranks(arrays))
    return _block(arrays, depth, max(depth, rank))


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _ranks(arrays: Any) -> list[int]:
    return [rank for one in arrays for rank in _ranks(one)] if isinstance(arrays, list) else [arrays.ndim]


def _block(arrays: Any, depth: int, rank: int) -> Any:
    if depth == 0:
        return arrays.reshape(*(1,) * (rank - arrays.ndim), *arrays.shape)
    return np.concatenate([_block(one, depth - 1, rank) for one in arrays], axis=-depth)


def broadcast_arrays(*args: Any) -> tuple[Any, ...]:
    """`np.broadcast_arrays`."""
    zeros: Any = sum(np.zeros_like(one, dtype=np.int8) for one in args)
    return tuple(np.broadcast_to(one, zeros.shape) for one in args)


def unravel_index(indices: Any, shape: Sequence[Any]) -> tuple[Any, ...]:
    """`np.unravel_index` in C order, for indices inside of the shape."""
    places: list[Any] = []
    for length in reversed(shape if isinstance(shape, tuple | list) else (shape,)):
        places = [*places, indices % length]
        indices = indices // length
    return tuple(reversed(places))


def ravel_multi_index(multi_index: Sequence[Any], dims: Sequence[Any]) -> Any:
    """`np.ravel_multi_index` in C order, for indices inside of the shape."""
    place = multi_index[0]
    for index, length in zip(multi_index[1:], dims[1:], strict=True):
        place = place * length + index
    return place
