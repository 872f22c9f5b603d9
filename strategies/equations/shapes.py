"""The shapes of both sides of an equation, for checking strategies before they run.

Depends on equations, but not on rules.

A shape says which primitives and functions are at which places, but nothing about types. See Note [Sure to match].
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from elevate.analysis.shapes import Built, Hole, Rewrite, Shape, built, is_cut
from rise.diagnostics import RiseError
from rise.inference.equations import elaborate_equation
from rise.naturals import Nat, variable_of
from rise.nodes import Node
from rise.terms import App, Bound, DepApp, Expr, Literal, Var
from rise.types import TypeVar
from strategies.equations.compilation import Compiled
from strategies.equations.patterns import Parts, context_of, parts_of

NO_NAMES: Final[frozenset[str]] = frozenset()


def rewrites(compiled: Compiled, left: str, given: frozenset[Node], asks: bool) -> tuple[Rewrite, ...]:
    """The shapes of both sides of an equation; `left` is the text of its left side.

    `given`: the sizes that are already chosen. `asks`: whether there are conditions besides the pattern.
    """
    read_back = frozenset(function.name for function in compiled.functions)
    for context in compiled.contexts:  # the terms in its holes may be anywhere
        read_back |= {context.name}.union(*(hole.variables for hole in context.holes))
    names = [
        {term.name for term in side.free if isinstance(term, Var)} for side in (compiled.left, compiled.right)
    ]
    read_back |= names[1] - names[0]  # computed terms
    before = shape_of(compiled.left, read_back)
    sure = not (asks or compiled.needs or compiled.functions or given & compiled.left.free)
    exact = sure and not is_cut(before) and always_matches(compiled, left)
    return (Rewrite(before, built_shape(compiled.right, read_back), exact),)


def shape_of(pattern: Expr, unnamed: frozenset[str] = NO_NAMES) -> Shape:
    """The shape of the terms that a pattern matches. Recursive, since patterns are small."""
    match pattern:
        case Var(name, _):
            return Hole() if name in unnamed else Hole(name)
        case App() if context_of(pattern) is not None:
            return Hole()
        case App() | DepApp():
            return built(root_of(pattern), tuple(shape_of(child, unnamed) for child in pattern.children))
        case _:
            return Built(pattern.root, tuple(shape_of(child, unnamed) for child in pattern.children))


def built_shape(template: Expr, unnamed: frozenset[str] = NO_NAMES) -> Shape:
    """The shape of the terms that a template builds, in which calls of metavariables may be substituted."""
    match template:
        case Var(name, _):
            return Hole() if name in unnamed else Hole(name)
        case App() if context_of(template) is not None:
            return Hole()
        case App(fun, arg):
            parts = (built_shape(fun, unnamed), built_shape(arg, unnamed))
            may_be_name = isinstance(arg, Bound | Var) or _is_call(arg)
            return Hole("", parts) if _is_call(template) and may_be_name else built(root_of(template), parts)
        case _:
            children = tuple(built_shape(child, unnamed) for child in template.children)
            return built(root_of(template), children)


def root_of(pattern: Expr) -> Any:
    """The root of all terms that a pattern matches; None if that depends on the metavariable at the head."""
    return None if isinstance(pattern, App | DepApp) and isinstance(head_of(pattern), Var) else pattern.root


def head_of(pattern: Expr) -> Expr:
    """The head of an application: the function without its arguments."""
    while isinstance(pattern, App | DepApp):
        pattern = pattern.fun
    return pattern


def _is_call(template: Expr) -> bool:
    return isinstance(template, App) and isinstance(head_of(template), Var)


def always_matches(compiled: Compiled, left: str) -> bool:
    """Whether a pattern matches every term of its shape: see Note [Sure to match]."""
    pattern = compiled.left
    parts = parts_of(pattern, compiled.matcher.may_mention)
    names = [name for name, *_ in parts.variables]
    if len(set(names)) < len(names) or any(hidden for *_, hidden in parts.variables) or parts.literals:
        return False
    if any(isinstance(node, Bound | Literal) or root_of(node) is None for node in _nodes(pattern)):
        return False
    if ":" in left or any(not isinstance(asked, Nat) for asked, _, _ in parts.types):
        return False
    return _is_principal(parts, compiled, left)


def _is_principal(parts: Parts, compiled: Compiled, left: str) -> bool:
    """Whether every term with the shape of a pattern has the types that the pattern requires."""
    alone = _alone(left)
    if alone is None:
        return False
    there: dict[Any, Any] = {}
    back: dict[Any, Any] = {}
    for asked, asked_alone in zip(
        _asked(parts), _asked(parts_of(alone, compiled.matcher.may_mention)), strict=True
    ):
        if (
            _variable(asked) is None
            or _variable(asked_alone) is None
            or getattr(asked, "kind", "") != getattr(asked_alone, "kind", "")
        ):
            return False
        if (
            there.setdefault(asked, asked_alone) != asked_alone
            or back.setdefault(asked_alone, asked) != asked
        ):
            return False
    return True


@cache
def _alone(left: str) -> Expr | None:
    """A left side by itself, with its principal type."""
    try:
        return elaborate_equation(f"{left} = {left}")[0]
    except RiseError:
        return None


def _asked(parts: Parts) -> Iterator[Any]:
    yield from (pattern for pattern, _, _ in parts.types)
    for implicits, _ in parts.primitives:
        yield from implicits


def _variable(pattern: Any) -> Any:
    if isinstance(pattern, Nat):
        return variable_of(pattern)
    return pattern if isinstance(pattern, TypeVar) else None


def _nodes(pattern: Expr) -> Iterator[Expr]:
    stack = [pattern]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children)


# Note [Sure to match]
# A strategy is known to succeed on a shape only if the rule fires on every term of that shape. A pattern requires more
# than a shape: metavariables must not mention certain binders, all occurrences of a metavariable must be equal,
# literals must be equal, and types and sizes must match. Types match automatically if the equation requires no types
# that the left side would not have by itself, without the types that are written after colons: terms are typed, so each
# is an instance of the left side's principal type, as long as only variables are compared, and those of types are
# parameters of primitives, whose classes hold anyway. A pattern that requires more is not sure to match; whether it
# does is seen at run time.
