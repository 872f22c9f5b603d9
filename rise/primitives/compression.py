"""Primitives that keep the elements for which a condition holds, in an array of a stated length.

Independent of loops.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.meanings import At
from rise.primitives.record import Level, PrimitiveRecord
from rise.values import Data, Leaf, integers, map_leaves, take_along

_SCHEME: Final = "(m: nat) -> {n: nat} -> {t: data} -> n.bool -> t -> n.t -> m.t"
_DOC: Final = "then, if there are fewer, a fill value. Further elements are dropped."


def _compressed(at: At, mask: Leaf, fill: Data, xs: Data) -> Data:
    """The true elements come first in a stable order of the mask."""
    if at.n == 0:
        return map_leaves(lambda value: np.broadcast_to(value, (at.m, *value.shape)), fill)
    places = integers(0, at.m)
    chosen = np.argsort(~mask, axis=0, kind="stable").astype(np.int64)[np.minimum(places, at.n - 1)]
    is_there = places.reshape(-1, *(1,) * at.depth) < np.count_nonzero(mask, axis=0)

    def leaf_of(value: Leaf, leaf: Leaf) -> Leaf:
        own = leaf.ndim - 1 - at.depth
        condition = is_there.reshape(at.m, *(1,) * own, *is_there.shape[1:])
        return np.where(condition, take_along(leaf, chosen, at.depth), value)

    return map_leaves(leaf_of, fill, xs)


def _record(
    name: str, level: Level, doc: str, law: str, example: str, lowers_to: tuple[str, ...] = ()
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name, _SCHEME, level, doc, _compressed, law, lowers_to, example=example, traits=("compresses",)
    )


COMPRESSION: Final = (
    _record(
        "compress",
        "high",
        f"The first m elements at which an array of truth values is true, in order; {_DOC}",
        "compress n (map (fun(x => true)) xs) c xs = xs",
        "compress(4, [true, false, true], 0, [5, 6, 7])",
        ("compressSeq",),
    ),
    _record(
        "compressSeq",
        "low",
        "`compress` by one thread, without a branch on an element.",
        "compressSeq m bs c xs = compress m bs c xs",
        "compressSeq(1, [true, false, true], 0, [5, 6, 7])",
    ),
)
