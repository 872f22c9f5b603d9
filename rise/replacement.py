"""Checks that a term can replace another in any context. Independent of primitives."""

from __future__ import annotations

from typing import Any

from rise.nodes import Node

Breach = tuple[str, str, str]
"""What a rewrite did wrong, as a predicate for the rule's name; what was expected; what was found."""
MAX_MENTIONS = 510
"""`mentions` distinguishes the variables of this number of enclosing functions. In a term with more functions in each
other, it may have bits of variables that the term does not mention. Without a limit, terms that are nested 100,000
levels deep would have as many bits in each.
"""


def breach(term: Any, other: Any) -> Breach | None:
    """Why `other` cannot replace a term: its type differs, or it has variables that the term does not have. None if it
    can.

    Sizes may be new, since families of rules insert them; variables of terms may not.
    """
    if not isinstance(other, Node) or not hasattr(other, "children"):
        return "does not return a term", f"a term of type {term.type}", repr(other)
    found: Any = other
    if found.type is not term.type and found.type != term.type:
        return "changes the type", str(term.type), str(found.type)
    if found.loose > term.loose or _mentions_others(found, term):
        expected = "only variables of functions that occur in the term it rewrites"
        return "captures a variable", expected, str(found)
    if found.dep_loose > term.dep_loose:
        return "captures a size or a type", "only those that occur in the term it rewrites", str(found)
    if found.free is not term.free and not found.free <= term.free:
        new = sorted(variable.name for variable in found.free - term.free if hasattr(variable, "children"))
        if new:
            return (
                "introduces a variable",
                "only variables that occur in the term it rewrites",
                ", ".join(new),
            )
    return None


def _mentions_others(found: Any, term: Any) -> bool:
    """Whether a term mentions a variable that the other one certainly does not."""
    bits = found.mentions & ~term.mentions
    if not bits or max(found.loose, term.loose) >= MAX_MENTIONS:
        return False
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Any, int]] = [(found, 0)]
    while stack:
        node, depth = stack.pop()
        if node.loose <= depth or (id(node), depth) in seen:
            continue
        seen.add((id(node), depth))
        if node.root == "Bound":
            if bits >> (node.index - depth) & 1:
                return True
            continue
        inner = depth + 1 if node.BINDER == 1 else depth
        stack.extend([(child, inner) for child in node.children])
    return False
