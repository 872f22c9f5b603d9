"""Recognises matrix products in programs that are not lowered: what is summed, of which arrays. Knows no costs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rise.nodes import postorder
from rise.primitives import has_trait
from rise.terms import App, Expr, Lam, mention, spine
from rise.types import ArrayType


@lru_cache(maxsize=1 << 12)
def reads_rows(body: Expr) -> bool:
    """Whether the innermost variable of a body is a row of a factor of a matrix product, or holds such rows."""
    stack = [(body, 0, False)]
    while stack:
        node, depth, repeats = stack.pop()
        if not node.mentions & mention(depth):
            continue
        if repeats and any(one.mentions & mention(depth) for one in factors_of(node)):
            return True
        is_map = node.root == ("map", 2)
        if is_map and node.children[1].mentions & mention(depth) and _is_factor(node.children[0].children[1]):
            return True
        for child in node.children:
            stack.append((child, depth + isinstance(node, Lam), repeats or is_map))
    return False


@lru_cache(maxsize=1 << 12)
def _is_factor(function: Expr) -> bool:
    """Whether a function's argument is a row of a factor: products of its numbers are summed inside of a loop."""
    if not isinstance(function, Lam):
        return False
    stack = [(function.body, 0)]
    while stack:
        node, depth = stack.pop()
        if node.mentions & mention(depth):
            if any(
                one.mentions & mention(depth) and isinstance(one.type, ArrayType) for one in factors_of(node)
            ):
                return True
            stack.extend((child, depth + isinstance(node, Lam)) for child in node.children)
    return False


def is_product(v: Expr) -> bool:
    """A matrix product, whatever is done with its numbers."""
    function = spine(v)[1][0] if v.root == ("map", 2) else None
    return isinstance(function, Lam) and is_row_of_product(function.body)


def is_row_of_product(v: Expr) -> bool:
    """A map, perhaps around others, that computes sums of products."""
    return v.root == ("map", 2) and any(isinstance(e, Expr) and bool(factors_of(e)) for e in postorder(v))


def is_sum_of_products(e: Expr) -> bool:
    """A reduction to a number of two arrays side by side."""
    return not isinstance(e.type, ArrayType) and bool(factors_of(e))


def has_sums_of_products(e: Expr) -> bool:
    """A term that computes more than one sum of products, each an element of a matrix product."""
    found: set[Expr] = set()
    stack = [e]
    while stack and len(found) < 2:
        node = stack.pop()
        if is_sum_of_products(node):
            found.add(node)
        elif node.root != ("map", 2):
            stack.extend(node.children)
    return len(found) > 1


def factors_of(e: Expr) -> tuple[Expr, ...]:
    """The two arrays that a reduction takes side by side; none where it does not."""
    head = head_of(e)
    if not has_trait(head, "reduces") or not isinstance(e, App):
        return ()
    xs: Any = e.arg
    while isinstance(xs, App) and xs.root == ("map", 2):
        xs = xs.arg
    return (xs.children[0].children[1], xs.children[1]) if xs.root == ("zip", 2) else ()


def head_of(e: Expr) -> str:
    """The name of the primitive that a term applies; empty for other terms."""
    return e.root[0] if isinstance(e.root, tuple) else ""
