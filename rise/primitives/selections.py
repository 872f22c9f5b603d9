"""Indices of the least and the greatest element: argmin and argmax, and the steps of their loops.

Independent of loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rise.meanings import At
from rise.primitives.record import PrimitiveRecord
from rise.values import Data, Leaf, map_leaves

_SCHEME: Final = "{n: nat} -> {t: ord} -> (1+n).t -> idx[1+n]"
_STEP: Final = "{s: data} -> {t: ord} -> (s, t) -> (s, t) -> (s, t)"


def _first(where: Callable[..., np.intp | Leaf]) -> Callable[[At, Leaf], Leaf]:
    def meaning(at: At, xs: Leaf) -> Leaf:
        numbers = xs if xs.dtype.kind in "iuf" else xs.astype(np.float32)  # bf16
        return np.asarray(where(numbers, axis=0), np.int64)

    return meaning


def _better(stays: np.ufunc) -> Callable[[At, Any, Any], Data]:
    def meaning(at: At, p: Any, q: Any) -> Data:
        takes = (p[1] == p[1]) & ~stays(p[1], q[1])
        return map_leaves(lambda a, b: np.asarray(np.where(takes, b, a)), p, q)

    return meaning


def _record(name: str, what: str, where: Callable[..., np.intp | Leaf], *, example: str) -> PrimitiveRecord:
    doc = (
        f"The index of the {what} element: the first one if there are several, the first NaN if there is one."
    )
    law = f"{name} (map neg (xs : (1 + n).f32)) = {'argmax' if name == 'argmin' else 'argmin'} xs"
    lowers_to = ("reduceSeq", "reduceSeqUnroll")
    return PrimitiveRecord(
        name, _SCHEME, "high", doc, _first(where), law, lowers_to, example=example, traits=("selects",)
    )


def _step(name: str, what: str, stays: np.ufunc, *, example: str) -> PrimitiveRecord:
    doc = f"The pair with the {what} second element: the first pair if they are equal, the first NaN if there is one."
    law = f"{name} p ({name} p q) = {name} p q"
    return PrimitiveRecord(name, _STEP, "low", doc, _better(stays), law, example=example, traits=("chooses",))


SELECTIONS: Final = (
    _record("argmin", "least", np.argmin, example="argmin([5, 2, 9, 2])"),
    _record("argmax", "greatest", np.argmax, example="argmax([5, 9, 2, 9])"),
    _step("lesserPair", "lesser", np.less_equal, example="lesserPair(pair(0, 7), pair(1, 5))"),
    _step("greaterPair", "greater", np.greater_equal, example="greaterPair(pair(0, 7), pair(1, 5))"),
)
