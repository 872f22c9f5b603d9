"""When one term can stand in the place of another, whatever is around it. Knows no primitive."""

from __future__ import annotations

from typing import Any

from rise.nodes import Node

Breach = tuple[str, str, str]
"""What a rewrite did, as it follows on the name of the rule; what was expected; what was found."""
TOLD_APART = 62
"""Functions outwards whose variables `mentions` tells apart."""


def breach(term: Any, other: Any) -> Breach | None:
    """Why `other` cannot stand where a term stands: it is of another type, or has variables that the term has not.

    Sizes, as a family of rules puts in, may be new; variables of terms may not.
    """
    if not isinstance(other, Node) or not hasattr(other, "children"):
        return "answers no term", f"a term of type {term.type}", repr(other)
    found: Any = other
    if found.type is not term.type and found.type != term.type:
        return "changes the type", str(term.type), str(found.type)
    if found.loose > term.loose or (
        found.mentions & ~term.mentions and term.loose < TOLD_APART and found.loose < TOLD_APART
    ):
        expected = "only variables of functions that stand in what it rewrites"
        return "captures a variable", expected, str(found)
    if found.dep_loose > term.dep_loose:
        return "captures a size or a type", "only those that stand in what it rewrites", str(found)
    if found.free is not term.free and not found.free <= term.free:
        new = sorted(variable.name for variable in found.free - term.free if hasattr(variable, "children"))
        if new:
            return "makes up a variable", "only variables that stand in what it rewrites", ", ".join(new)
    return None
