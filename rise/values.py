"""Values while a program is evaluated: arrays with batch axes, pairs of them. Knows numpy, no terms.

Note [Batches]
A value is evaluated for many elements at once. At depth d its arrays have, behind the axes of its own type, d
batch axes, one for each enclosing map, the innermost map's first: the elements of `n.m.f32` under two maps of
sizes p (outer) and q have shape (n, m, q, p). A batch axis on which a value does not depend has length 1. So

- what works on leading axes works at every depth unchanged: `split` is `xs.reshape(m, n, *xs.shape[1:])`;
- scalars at one depth broadcast as numpy does it: `add` is `np.add`;
- a map over scalars moves nothing, its axis just becomes a batch axis;
- a value from outside is lifted by inserting axes of length 1 between its own axes and its batch axes.

An array of pairs is a pair of arrays, at any nesting, so `zip` and `unzip` do nothing. A vector's axis and
the two of a fragment stand in the order of the type, like an array's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rise.diagnostics import Diagnostic, RiseError, bytes_text

Leaf: TypeAlias = NDArray[Any]
Data: TypeAlias = "Leaf | tuple[Data, Data] | Rows"

HIGHEST_RANK: Final = 64  # numpy's
#: what stands where nothing is specified: each byte of an integer, a floating-point number, a truth value
POISON: Final = (0xA5, float("nan"), False)
#: how numpy begins to say that it cannot even count an array's bytes
_TOO_LARGE: Final = ("Maximum allowed size exceeded", "array is too big", "Maximum allowed dimension")


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A dependent array of no pairs: its elements, each with all batch axes. One of pairs is a pair of these."""

    items: tuple[Leaf | Rows, ...]


def truth(x: Leaf) -> Leaf:
    """An array whose truth values are 0 and 1: those of a caller may be any bytes, of which all but 0 are true."""
    return np.asarray(x.view(np.uint8) != 0) if x.dtype == np.bool_ else x


def map_leaves(function: Callable[..., Leaf], *values: Data) -> Data:
    """Apply a function to the arrays of values of one structure. Iterative: pairs may be nested deeply."""
    if not isinstance(values[0], tuple | Rows):
        return function(*values)
    done: list[Data] = []
    work: list[tuple[Any, ...] | int | None] = [values]
    while work:
        trees = work.pop()
        if trees is None:
            second, first = done.pop(), done.pop()
            done.append((first, second))
        elif isinstance(trees, int):
            items: tuple[Any, ...] = tuple(done[len(done) - trees :])
            del done[len(done) - trees :]
            done.append(Rows(items))
        elif isinstance(trees[0], Rows):
            work.append(len(trees[0].items))
            work += reversed(list(zip(*(t.items for t in trees), strict=True)))
        elif isinstance(trees[0], tuple):
            work += [None, tuple(t[1] for t in trees), tuple(t[0] for t in trees)]
        else:
            done.append(function(*trees))
    return done[0]


def leaves(value: Data) -> list[Leaf]:
    """The arrays of a value, in order."""
    found: list[Leaf] = []
    work = [value]
    while work:
        tree = work.pop()
        if isinstance(tree, tuple):
            work += [tree[1], tree[0]]
        elif isinstance(tree, Rows):
            work += reversed(tree.items)
        else:
            found.append(tree)
    return found


def lift(value: Data, depth: int, to: int) -> Data:
    """A value of one depth at a greater one."""
    return map_leaves(lambda leaf: _widen(leaf, depth, to), value)


def spread(xs: Data, depth: int) -> Data:
    """The elements of an array: its first axis becomes the innermost batch axis."""
    return map_leaves(lambda leaf: _move(leaf, 0, leaf.ndim - 1 - depth), xs)


def collect(ys: Data, size: int, depth: int) -> Data:
    """The array of elements: the innermost batch axis becomes the first axis, `size` long."""

    def collected(leaf: Leaf) -> Leaf:
        own = leaf.ndim - 1 - depth
        if leaf.shape[own] != size:
            leaf = np.broadcast_to(leaf, (*leaf.shape[:own], size, *leaf.shape[own + 1 :]))
        return _move(leaf, own, 0)

    return map_leaves(collected, ys)


def element(xs: Data, index: int) -> Data:
    """The element of an array at one place."""
    return map_leaves(lambda leaf: leaf[index], xs)


def map_rows(function: Callable[..., Data], *values: Data) -> Data:
    """Apply a function to the parts of values that are no pairs: arrays, and dependent arrays as a whole."""
    done: list[Data] = []
    work: list[tuple[Data, ...] | None] = [values]
    while work:
        trees = work.pop()
        if trees is None:
            second, first = done.pop(), done.pop()
            done.append((first, second))
        elif isinstance(trees[0], tuple):
            work += [None, tuple(t[1] for t in trees), tuple(t[0] for t in trees)]  # type: ignore[index]  # alike
        else:
            done.append(function(*trees))
    return done[0]


def row(xs: Data, index: int) -> Data:
    """The element of a dependent array, or of an ordinary one, at one place."""
    return map_rows(lambda part: part.items[index] if isinstance(part, Rows) else element(part, index), xs)


def rows_of(items: list[Data]) -> Data:
    """The dependent array of at least one element."""
    return map_rows(lambda *parts: Rows(parts), *items)


def concatenated(xs: Data) -> Data:
    """The rows of an array, all behind each other."""

    def joined(part: Leaf | Rows) -> Data:
        if isinstance(part, Rows):
            return map_leaves(lambda *leaves: np.concatenate(agree(*leaves)), *part.items)
        return part.reshape(-1, *part.shape[2:])

    return map_rows(joined, xs)


def agree(*arrays: Leaf) -> list[Leaf]:
    """Arrays whose first axes may differ, with all axes behind the first made equal by broadcasting."""
    behind = np.broadcast_shapes(*(x.shape[1:] for x in arrays))
    return [x if x.shape[1:] == behind else np.broadcast_to(x, (x.shape[0], *behind)) for x in arrays]


def stack(values: list[Data]) -> Data:
    """The array of at least one element."""
    return map_leaves(lambda *xs: np.stack(np.broadcast_arrays(*xs)), *values)


def take_along(xs: Leaf, indices: Leaf, depth: int) -> Leaf:
    """Elements of an array at indices that have one axis of their own and may differ along the batch axes."""
    own = xs.ndim - 1 - depth
    if indices.size == indices.shape[0]:
        return np.take(xs, indices.reshape(-1), axis=0)
    between = indices.reshape(indices.shape[0], *(1,) * own, *indices.shape[1:])
    return np.take_along_axis(xs, between, axis=0)


def poison(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Leaf:
    """Elements that nothing specifies: NaN, or a number that stands out."""
    byte, number, truth = POISON
    if dtype.kind == "b":
        return np.full(shape, truth, dtype)
    if dtype.kind in "iu":
        return np.full(shape, np.frombuffer(bytes([byte]) * dtype.itemsize, dtype)[0], dtype)
    return np.full(shape, number, dtype)


def no_room(error: Exception, what: str) -> RiseError | None:
    """What is said where numpy finds no memory for an array; None for other errors."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if isinstance(error, MemoryError) and isinstance(shape, tuple) and isinstance(dtype, np.dtype):
        of = f" of shape {shape} of {dtype.name}: {bytes_text(prod(shape) * dtype.itemsize)}"
    elif isinstance(error, MemoryError):
        of = ""
    elif isinstance(error, ValueError) and str(error).startswith(_TOO_LARGE):
        of = ", which has 2^63 bytes or more"
    else:
        return None
    title = f"there is no memory for {what}{of}"
    return RiseError(Diagnostic("out-of-memory", title, hint="use smaller sizes"))


def integers(start: int, end: int) -> Leaf:
    """The integers from `start` up to `end` (exclusive). Raises what numpy does where there is no memory for them.

    Near 2^63 numpy's `arange` is silently empty.
    """
    if end - start >= 1 << 60:
        raise ValueError("array is too big")
    return np.arange(start, end, dtype=np.int64)


def check_room(rows: int) -> None:
    """Raise MemoryError for more rows than there is memory to know of."""
    try:
        np.empty(rows, np.int64)
    except ValueError:
        raise MemoryError from None


def refuse_rank(rank: int) -> None:
    """Report more axes than numpy has."""
    if rank > HIGHEST_RANK:
        title = f"evaluation takes at most {HIGHEST_RANK} axes, nested maps included; this needs {rank}"
        hint = "evaluate an inner function by itself, or `join` axes before mapping over them"
        raise RiseError(Diagnostic("rank-limit", title, hint=hint))


def _widen(leaf: Leaf, depth: int, to: int) -> Leaf:
    own = leaf.ndim - depth
    refuse_rank(own + to)
    shape = leaf.shape
    return leaf.reshape(shape[:own] + (1,) * (to - depth) + shape[own:])


def _move(leaf: Leaf, source: int, to: int) -> Leaf:
    if source == to:
        return leaf
    axes = list(range(leaf.ndim))
    axes.insert(to, axes.pop(source))
    return leaf.transpose(axes)
