"""Checks the arguments that rules are made from, and looks for likely typos in equations. Knows no rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Final

import rise
from elevate import Diagnostic, FloatClass, StrategyError
from rise.diagnostics import did_you_mean
from rise.primitives import PRIMITIVES
from rise.terms import App, Expr, Var
from strategies.equations.compiled import Compiled
from strategies.equations.mismatches import shown_term

SHORTEST_TYPO: Final = 3  # letters of a name that may be a primitive's, misspelt


def check_made(equation: object, why: object, float_class: object) -> None:
    """Refuse what a rule is not made of. Whether the equation reads is seen when it is used first."""
    if not isinstance(float_class, FloatClass):
        title = f"expected one of elevate's FloatClass for `float_class`, found {float_class!r}"
        hint = f"write {', '.join(f'FloatClass.{one.name}' for one in FloatClass)}"
        if isinstance(float_class, str) and float_class.upper() in FloatClass.__members__:
            hint = f"write FloatClass.{float_class.upper()}"
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    for name, text in (("the equation", equation), ("`why`", why)):
        if not isinstance(text, str):
            title = f"expected a text for {name}, found a {type(text).__name__}"
            hint = 'as rule("map f (map g xs) = map (f . g) xs", why="Walk the array once.")'
            raise StrategyError(Diagnostic("rule", title, hint=hint))


def likely_typos(compiled: Compiled) -> list[str]:
    """What may be wrong with names of an equation: a metavariable that is applied, called almost as a primitive."""
    applied: dict[str, None] = {}
    stack: list[Expr] = [compiled.right, compiled.left]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and isinstance(node.fun, Var):
            applied[node.fun.name] = None
        stack.extend(node.children)
    said = [(name, did_you_mean(name, PRIMITIVES)) for name in applied if len(name) >= SHORTEST_TYPO]
    return [f"`{name}` is a metavariable; {hint}" for name, hint in said if hint]


def checked(
    by: Callable[[Any], Expr | None], roots: frozenset[Hashable] | None
) -> Callable[[Any], Expr | None]:
    """A function from a term of these roots to the right side, or None; a type that changes, or a variable, the engine
    tells of."""

    def attempt(term: Any) -> Expr | None:
        if roots is not None and term.root not in roots:
            return None
        made: Any = by(term)
        if made is not None and not isinstance(made, Expr):
            raise TypeError(f"expected a term of type {term.type}, found {shown_term(made)}")
        return made

    return attempt


def of_rule(diagnostic: rise.Diagnostic, name: str) -> rise.Diagnostic:
    """What is wrong with the equation of a rule, with the rule's name and without the marks of metavariables."""
    labels = tuple(replace(one, text=_unmarked(one.text)) for one in diagnostic.labels)
    notes = (in_rule(name), *map(_unmarked, diagnostic.notes))
    return replace(diagnostic, title=_unmarked(diagnostic.title), labels=labels, notes=notes)


def in_rule(name: str) -> str:
    """Where a mistake is."""
    return f"in the equation of the rule {name}"


def _unmarked(text: str) -> str:
    return re.sub(r"\?(?=\w)", "", text)
