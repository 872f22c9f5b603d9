"""Primitives for sorting, and for searching in sorted arrays. Independent of translations.

NaN come last, in their order, and -0 is equal to 0. Equal elements stay in their order, so the result is unique.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import Level, PrimitiveRecord
from rise.values import Data, Leaf, map_leaves, take_along

_SORT: Final = "{n: nat} -> {t: ord} -> n.t -> n.t"
_ARGSORT: Final = "{n: nat} -> {t: ord} -> n.t -> n.idx[n]"
#: the cost of sorting: the number of passes over the array, times the cost of each pass
_COST: Final = 16


def _order(at: At, xs: Leaf) -> Leaf:
    """The indices that sort the elements along the first axis in ascending order."""
    numbers = xs if xs.dtype.kind in "iuf" else xs.astype(np.float32)  # bf16
    return np.argsort(numbers, axis=0, kind="stable").astype(np.int64)


def _sorted(at: At, xs: Leaf) -> Leaf:
    return np.take_along_axis(xs, _order(at, xs), axis=0)


def _partition_point(at: At, f: Function, xs: Data) -> Steps:
    """A search in steps of decreasing powers of two, so that the result is unique even if the function breaks its
    promise.
    """
    point: Leaf = np.zeros((1,) * at.depth, np.int64)
    for step in reversed(range(at.n.bit_length())):
        index = point + ((1 << step) - 1)
        is_inside = index < at.n
        valid = np.where(is_inside, index, 0)[None]
        x = map_leaves(lambda leaf, valid=valid: take_along(leaf, valid, at.depth)[0], xs)
        holds: Any = yield at.call(f, x)
        point = np.where(holds & is_inside, index + 1, point)
    return point


def _record(
    name: str,
    scheme: str,
    doc: str,
    meaning: Callable[[At, Leaf], Leaf],
    law: str,
    level: Level,
    *,
    example: str,
    lowers_to: tuple[str, ...] = (),
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name, scheme, level, doc, meaning, law, lowers_to, example=example, traits=("sorts",), cost=_COST
    )


ORDERS: Final = (
    _record(
        "sort",
        _SORT,
        "The elements in ascending order: NaNs last, -0 equal to 0, and equal elements in their order.",
        _sorted,
        "sort xs = gather (argsort xs) xs",
        "high",
        lowers_to=("sortSeq",),
        example="sort([5, 2, 9, 2])",
    ),
    _record(
        "sortSeq",
        _SORT,
        "`sort` by one thread, in time that is linear in the length.",
        _sorted,
        "sortSeq xs = sort xs",
        "low",
        example="sortSeq([5, 2, 9, 2])",
    ),
    _record(
        "argsort",
        _ARGSORT,
        "The indices of the elements in ascending order: NaNs last, -0 equal to 0, and equal elements in their order.",
        _order,
        "gather (argsort xs) xs = sort xs",
        "high",
        lowers_to=("argsortSeq",),
        example="argsort([5, 2, 9, 2])",
    ),
    _record(
        "argsortSeq",
        _ARGSORT,
        "`argsort` by one thread, in time that is linear in the length.",
        _order,
        "argsortSeq xs = argsort xs",
        "low",
        example="argsortSeq([5, 2, 9, 2])",
    ),
    PrimitiveRecord(
        "partitionPoint",
        "{n: nat} -> {t: data} -> (t -> bool) -> n.t -> idx[1+n]",
        "low",
        "The number of elements before the first for which a function is false, by binary search.",
        _partition_point,
        "partitionPoint (fun(x => x < (0 : i32))) xs = partitionPoint (fun(x => x <= (-1 : i32))) xs",
        example="partitionPoint(fun(x => x < 5), [1, 3, 5, 9])",
        traits=("computes",),
        promise="its function is false for all elements after one for which it is false",
    ),
)
