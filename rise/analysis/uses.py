"""The uses of a function's variable: one, several, or some in an inner function, which may run many times."""

from __future__ import annotations

from typing import Final

from rise.primitives import applied, with_trait
from rise.terms import App, Bound, Expr, Lam
from rise.types import DepFunType, FunType

#: functions that take the elements of their last argument in order
TAKING: Final = applied(with_trait("takes"))


def is_used_often(body: Expr) -> bool:
    """Whether a function's variable is used more than once, or inside an inner function, which may run many times."""
    waiting: list[tuple[Expr, int, bool]] = [(body, 0, False)]
    is_used = False
    while waiting:
        e, index, repeated = waiting.pop()
        if e.loose <= index:
            continue
        if isinstance(e, Bound):
            if e.index == index:
                if is_used or repeated:
                    return True
                is_used = True
            continue
        inner = index + 1 if isinstance(e, Lam) else index
        for child in e.children:
            is_function = (
                isinstance(e, App) and child is e.arg and isinstance(child.type, FunType | DepFunType)
            )
            waiting.append((child, inner, repeated or is_function))
    return False


def takes_once(function: Expr | None) -> bool:
    """Whether a function takes each element of its array once, in order."""
    if not isinstance(function, Lam) or is_used_often(function.body):
        return False
    waiting = [function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, App):
            if node.root in TAKING and isinstance(node.arg, Bound) and not node.arg.index:
                return True
            waiting += node.children
    return False
