"""Proposes the only step of a fold that changes its value. Not trusted: the state of a check proves what it uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rise.checker.values import Choice, Equal, Value, elements_of
from rise.naturals import Nat
from rise.types import PairType, Type


def single_step(state: Any, length: Nat, step: Callable[[Value, Nat], Value], t: Type) -> Nat | None:
    """The index j of the only step that may change a value of type `t`, in which `k == j` decides; None if there is
    none.
    """
    k = state.fresh_index(length)
    value = step(state.fresh(t), k)
    while (array := elements_of(t)) is not None or isinstance(t, PairType):
        if array is not None:
            i = state.fresh_index(array[0])
            value, t = state.element(value, i), array[1](i)
        elif isinstance(t, PairType):
            value, t = value.first, t.first
    match value:
        case Choice(Equal(left, right)) if left == k:
            return right
        case Choice(Equal(left, right)) if right == k:
            return left
    return None
