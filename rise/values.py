"""Values in the evaluation of a program: arrays with batch axes, and pairs of them. Depends on numpy, but not on terms.

Note [Batches]
A value is evaluated for many elements at once. At depth d its arrays have, after the axes of its own type, d
batch axes, one for each enclosing map, the innermost map's first: the elements of `n.m.f32` under two maps of
sizes p (outer) and q have shape (n, m, q, p). A batch axis on which a value does not depend has length 1. So

- functions of leading axes work at every depth unchanged: `split` is `xs.reshape(m, n, *xs.shape[1:])`;
- scalars at the same depth broadcast as in numpy: `add` is `np.add`;
- a map over scalars moves no data: its axis becomes a batch axis;
- a value from outside is lifted by inserting axes of length 1 between its own axes and its batch axes.

An array of pairs is a pair of arrays, at any nesting, so `zip` and `unzip` do nothing. A vector's axis and
the two of a fragment follow the order of the type, like an array's.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rise.diagnostics import Diagnostic, RiseError, bytes_text
from rise.records import dataclass

Leaf: TypeAlias = NDArray[Any]
Data: TypeAlias = "Leaf | tuple[Data, Data] | Rows"

MAX_RANK: Final = 64  # numpy's limit
#: the values of unspecified elements: each byte of an integer, a floating-point number, a truth value
POISON: Final = (0xA5, float("nan"), False)
#: how numpy's messages begin if it cannot even count an array's bytes
_TOO_LARGE_MESSAGES: Final = (
    "Maximum allowed size exceeded",
    "array is too big",
    "Maximum allowed dimension",
)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A dependent array without pairs: its elements, each with all batch axes. An array of pairs is a pair of these."""

    items: tuple[Leaf | Rows, ...]


def truth(x: Leaf) -> Leaf:
    """An array with its truth values as 0 and 1: in a caller's array they may be any bytes, and all but 0 are true."""
    return np.asarray(x.view(np.uint8) != 0) if x.dtype == np.bool_ else x


def map_leaves(function: Callable[..., Leaf], *values: Data) -> Data:
    """Apply a function to the arrays of values with the same structure. Iterative, since pairs may be deeply nested."""
    if not isinstance(values[0], tuple | Rows):
        return function(*values)
    results: list[Data] = []
    work: list[tuple[Any, ...] | int | None] = [values]
    while work:
        trees = work.pop()
        if trees is None:
            second, first = results.pop(), results.pop()
            results.append((first, second))
        elif isinstance(trees, int):
            items: tuple[Any, ...] = tuple(results[len(results) - trees :])
            del results[len(results) - trees :]
            results.append(Rows(items))
        elif isinstance(trees[0], Rows):
            work.append(len(trees[0].items))
            work += reversed(list(zip(*(t.items for t in trees), strict=True)))
        elif isinstance(trees[0], tuple):
            work += [None, tuple(t[1] for t in trees), tuple(t[0] for t in trees)]
        else:
            results.append(function(*trees))
    return results[0]


def leaves(value: Data) -> list[Leaf]:
    """The arrays of a value, in order."""
    arrays: list[Leaf] = []
    work = [value]
    while work:
        tree = work.pop()
        if isinstance(tree, tuple):
            work += [tree[1], tree[0]]
        elif isinstance(tree, Rows):
            work += reversed(tree.items)
        else:
            arrays.append(tree)
    return arrays


def lift(value: Data, depth: int, to: int) -> Data:
    """A value at a greater depth."""
    return map_leaves(lambda leaf: _widen(leaf, depth, to), value)


def spread(xs: Data, depth: int) -> Data:
    """The elements of an array: its first axis becomes the innermost batch axis."""
    return map_leaves(lambda leaf: _move(leaf, 0, leaf.ndim - 1 - depth), xs)


def collect(ys: Data, size: int, depth: int) -> Data:
    """The array of elements: the innermost batch axis becomes the first axis, `size` long."""

    def collected(leaf: Leaf) -> Leaf:
        own_axes = leaf.ndim - 1 - depth
        if leaf.shape[own_axes] != size:
            leaf = np.broadcast_to(leaf, (*leaf.shape[:own_axes], size, *leaf.shape[own_axes + 1 :]))
        return _move(leaf, own_axes, 0)

    return map_leaves(collected, ys)


def element(xs: Data, index: int) -> Data:
    """The element of an array at an index."""
    return map_leaves(lambda leaf: leaf[index], xs)


def map_rows(function: Callable[..., Data], *values: Data) -> Data:
    """Apply a function to the parts of values that are not pairs: arrays, and dependent arrays as a whole."""
    results: list[Data] = []
    work: list[tuple[Data, ...] | None] = [values]
    while work:
        trees = work.pop()
        if trees is None:
            second, first = results.pop(), results.pop()
            results.append((first, second))
        elif isinstance(trees[0], tuple):
            work += [None, tuple(t[1] for t in trees), tuple(t[0] for t in trees)]  # type: ignore[index]  # alike
        else:
            results.append(function(*trees))
    return results[0]


def row(xs: Data, index: int) -> Data:
    """The element of a dependent array, or of an ordinary one, at an index."""
    return map_rows(lambda part: part.items[index] if isinstance(part, Rows) else element(part, index), xs)


def rows_of(items: list[Data]) -> Data:
    """The dependent array of at least one element."""
    return map_rows(lambda *parts: Rows(parts), *items)


def concatenated(xs: Data) -> Data:
    """The rows of an array, one after the other."""

    def joined(part: Leaf | Rows) -> Data:
        if isinstance(part, Rows):
            return map_leaves(lambda *leaves: np.concatenate(agree(*leaves)), *part.items)
        return part.reshape(-1, *part.shape[2:])

    return map_rows(joined, xs)


def agree(*arrays: Leaf) -> list[Leaf]:
    """Arrays whose first axes may differ, with all other axes broadcast to the same lengths."""
    trailing = np.broadcast_shapes(*(x.shape[1:] for x in arrays))
    return [x if x.shape[1:] == trailing else np.broadcast_to(x, (x.shape[0], *trailing)) for x in arrays]


def stack(values: list[Data]) -> Data:
    """The array of at least one element."""
    return map_leaves(lambda *xs: np.stack(np.broadcast_arrays(*xs)), *values)


def take_along(xs: Leaf, indices: Leaf, depth: int) -> Leaf:
    """Elements of an array at indices that have one axis of their own and may vary along the batch axes."""
    own = xs.ndim - 1 - depth
    if indices.size == indices.shape[0]:
        return np.take(xs, indices.reshape(-1), axis=0)
    between = indices.reshape(indices.shape[0], *(1,) * own, *indices.shape[1:])
    return np.take_along_axis(xs, between, axis=0)


def poison(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Leaf:
    """An array of unspecified elements: NaN, or a conspicuous number."""
    byte, number, truth = POISON
    if dtype.kind == "b":
        return np.full(shape, truth, dtype)
    if dtype.kind in "iu":
        return np.full(shape, np.frombuffer(bytes([byte]) * dtype.itemsize, dtype)[0], dtype)
    return np.full(shape, complex(number, number) if dtype.kind == "c" else number, dtype)


def no_room(error: Exception, subject: str) -> RiseError | None:
    """The error for a numpy array that does not fit in memory; None for other errors."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if isinstance(error, MemoryError) and isinstance(shape, tuple) and isinstance(dtype, np.dtype):
        details = f" of shape {shape} of {dtype.name}: {bytes_text(prod(shape) * dtype.itemsize)}"
    elif isinstance(error, MemoryError):
        details = ""
    elif isinstance(error, ValueError) and str(error).startswith(_TOO_LARGE_MESSAGES):
        details = ", which has 2^63 bytes or more"
    else:
        return None
    title = f"there is no memory for {subject}{details}"
    return RiseError(Diagnostic("out-of-memory", title, hint="use smaller sizes"))


def integers(start: int, end: int) -> Leaf:
    """The integers from `start` up to `end` (exclusive). Raises numpy's error if they do not fit in memory.

    Near 2^63 numpy's `arange` is silently empty.
    """
    if end - start >= 1 << 60:
        raise ValueError("array is too big")
    return np.arange(start, end, dtype=np.int64)


def check_room(rows: int) -> None:
    """Raise MemoryError if the lengths of this many rows do not fit in memory."""
    try:
        np.empty(rows, np.int64)
    except ValueError:
        raise MemoryError from None


def refuse_rank(rank: int) -> None:
    """Raise RiseError for more axes than numpy supports."""
    if rank > MAX_RANK:
        title = f"expected at most {MAX_RANK} axes in an evaluation, including nested maps, found {rank}"
        hint = "evaluate an inner function alone, or `join` axes before mapping over them"
        raise RiseError(Diagnostic("rank-limit", title, hint=hint))


def _widen(leaf: Leaf, depth: int, to: int) -> Leaf:
    own_axes = leaf.ndim - depth
    refuse_rank(own_axes + to)
    shape = leaf.shape
    return leaf.reshape(shape[:own_axes] + (1,) * (to - depth) + shape[own_axes:])


def _move(leaf: Leaf, source: int, to: int) -> Leaf:
    if source == to:
        return leaf
    axes = list(range(leaf.ndim))
    axes.insert(to, axes.pop(source))
    return leaf.transpose(axes)
