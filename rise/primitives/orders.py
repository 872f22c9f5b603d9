"""Primitives that put numbers in ascending order: sort, argsort, and their loops. Knows no algorithm.

NaN come last, in their order, and -0 is equal to 0. What is equal stays in its order, so that there is one answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from rise.meanings import At
from rise.primitives.record import Level, PrimitiveRecord
from rise.values import Leaf

_SORT: Final = "{n: nat} -> {t: ord} -> n.t -> n.t"
_ARGSORT: Final = "{n: nat} -> {t: ord} -> n.t -> n.idx[n]"
#: passes over the array, and what each takes
_COST: Final = 16


def _order(at: At, xs: Leaf) -> Leaf:
    """The indices of the elements along the first axis, in ascending order of these."""
    numbers = xs if xs.dtype.kind in "iuf" else xs.astype(np.float32)  # bf16
    return np.argsort(numbers, axis=0, kind="stable").astype(np.int64)


def _sorted(at: At, xs: Leaf) -> Leaf:
    return np.take_along_axis(xs, _order(at, xs), axis=0)


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
        "The elements in ascending order: NaN last, -0 as equal to 0, and what is equal in its order.",
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
        "The indices of the elements in ascending order: NaN last, -0 as equal to 0, and what is equal in its order.",
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
)
