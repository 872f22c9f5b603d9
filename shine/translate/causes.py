"""Finds the computation of a variable that is read where a value must be written. Independent of translations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rise.primitives import PRIMITIVES
from rise.terms import App, Bound, Expr, Lam, Primitive, spine
from shine.imperative.nodes import Origin

LET: Final = "let"


def high_behind(e: Expr, origin: Origin, is_view: Callable[[str], bool]) -> str | None:
    """The high-level primitive that computes the variable at a path, looking through views, or None."""
    value = value_at(e, origin)
    while value is not None:
        head, arguments = spine(value)
        if not isinstance(head, Primitive):
            return None
        if head.name in PRIMITIVES and PRIMITIVES[head.name].level == "high":
            return head.name
        last = arguments[-1] if arguments and is_view(head.name) else None
        value = last if isinstance(last, Expr) else None
    return None


def value_at(e: Expr, origin: Origin) -> Expr | None:
    """The value that an application or a `let` gives to the variable at a path."""
    values: list[Expr | None] = []
    value: Expr | None = None  # of the next function's parameter
    for step in origin:
        match e:
            case App(_, arg) if step == 0:
                value = arg
            case App(App(Primitive(name), arg), Lam()) if name == LET:
                value = arg
            case Lam():
                values.append(value)
                value = None
            case _:
                value = None
        e = e.children[step]
    return values[-1 - e.index] if isinstance(e, Bound) and e.index < len(values) else None
