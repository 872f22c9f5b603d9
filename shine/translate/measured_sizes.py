"""Rebuilds the types of primitives that are applied to measured sizes. Independent of translations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rise.nodes import Node
from rise.terms import DepApp, Expr, Primitive
from rise.types import DepFunType, Type


def measured_head(node: Node, measure: Callable[[Any], Any]) -> Expr | None:
    """A primitive applied to sizes so that its result has the measured type. None if nothing changes.

    `partition{len}(n)` takes `sum(n, len).t`, which does not occur in the primitive, whose own n is bound.
    """
    if not isinstance(node, DepApp) or node.dep_loose:
        return None
    arguments: list[Any] = []
    head: Expr = node
    while isinstance(head, DepApp):
        arguments.append(head.argument)
        head = head.fun
    t: Type = measure(node.type)
    if t is node.type or not isinstance(head, Primitive):
        return None
    binders: list[DepFunType] = []
    inner: Any = head.given
    for _ in arguments:
        assert isinstance(inner, DepFunType), inner
        binders.append(inner)
        inner = inner.result
    for binder in reversed(binders):
        t = DepFunType(binder.name, binder.kind, binder.implicit, t)
    rebuilt: Expr = Primitive(head.name, tuple(map(measure, head.implicits)), t)
    for argument in reversed(arguments):
        rebuilt = DepApp(rebuilt, measure(argument))
    return rebuilt
