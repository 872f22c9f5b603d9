"""The rounding that an equation changes by the primitives it introduces. Independent of rules."""

from __future__ import annotations

from rise.nodes import postorder
from rise.primitives import lookup
from rise.terms import Expr, Primitive


def introduced_reassociation(left: Expr, right: Expr) -> tuple[str, ...]:
    """The primitives of the right side that add in any order, if the left side has none: then the equation
    reassociates, although `evaluate` adds from the left.
    """
    return () if _any_order(left) else tuple(sorted(_any_order(right)))


def _any_order(e: Expr) -> set[str]:
    records = (lookup(node.name) for node in postorder(e) if isinstance(node, Primitive))
    return {one.name for one in records if one is not None and one.float_class == "reassociating"}
