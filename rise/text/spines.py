"""How applications are taken apart for printing: heads with their items, and stages of pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rise.terms import App, DepApp, DepLam, Expr, Lam, Primitive
from rise.text.operators import is_array_literal
from rise.types import Argument, ArrayType, DepFunType, FragmentType, FunType, Type


@dataclass(frozen=True, slots=True)
class Implicit:
    """An argument for an implicit dependent parameter: it stands in braces."""

    argument: Argument


#: what a head is applied to
Item: TypeAlias = Expr | Argument | Implicit


def applied(e: Expr) -> tuple[Expr, list[Item]]:
    """The head of nested applications, and what it is applied to, in order."""
    items: list[Item] = []
    while isinstance(e, App | DepApp):
        if isinstance(e, App):
            items.append(e.arg)
        else:
            taken = e.fun.type
            is_implicit = isinstance(taken, DepFunType) and taken.implicit
            items.append(Implicit(e.argument) if is_implicit else e.argument)
        e = e.fun
    items.reverse()
    return e, items


def is_stage(head: Expr, items: Sequence[Item]) -> bool:
    """Whether an application may stand behind `|>`: it takes one array at the end, or is a pattern.

    `zip(xs, ys)` and `[xs, ys]` treat their arrays alike, so they start a pipeline; `map(f, xs)` and
    `reduceSeq(f, init, xs)` walk through the last one.
    """
    values = [item for item in items if isinstance(item, Expr)]
    if not values or values[-1] is not items[-1]:
        return False
    if isinstance(head, Lam) and len(items) == 1:
        return True
    if not is_array(values[-1].type) or (
        isinstance(head, Primitive) and is_array_literal(head.name, len(items))
    ):
        return False
    return isinstance(values[0].type, FunType) or not any(is_array(value.type) for value in values[:-1])


def takes_function(items: Sequence[Item]) -> bool:
    """Whether one of the items is a function that is written out."""
    return any(isinstance(item, Lam | DepLam) for item in items)


def is_array(t: Type) -> bool:
    """Whether values of the type are walked through."""
    return isinstance(t, ArrayType | FragmentType)
