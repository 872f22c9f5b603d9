"""Checks the arguments that rules are made from. Independent of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

import rise
from elevate import Diagnostic, FloatClass, StrategyError
from rise.terms import Expr
from strategies.equations.mismatches import shown_term


def check_arguments(equation: object, why: object, float_class: object) -> None:
    """Refuse arguments of the wrong type. Whether the equation is correct is seen when it is compiled."""
    if not isinstance(float_class, FloatClass):
        title = f"expected one of elevate's FloatClass for `float_class`, found {float_class!r}"
        hint = f"write {', '.join(f'FloatClass.{each.name}' for each in FloatClass)}"
        if isinstance(float_class, str) and float_class.upper() in FloatClass.__members__:
            hint = f"write FloatClass.{float_class.upper()}"
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    for name, text in (("the equation", equation), ("`why`", why)):
        if not isinstance(text, str):
            title = f"expected a string for {name}, found a {type(text).__name__}"
            hint = 'for example rule("map f (map g xs) = map (f . g) xs", why="Walk the array once.")'
            raise StrategyError(Diagnostic("rule", title, hint=hint))


def checked(
    by: Callable[[Any], Expr | None], roots: frozenset[Hashable] | None
) -> Callable[[Any], Expr | None]:
    """`by` for terms with these roots; raises TypeError for a result that is not a term.

    The engine checks the type and the variables of the result.
    """

    def attempt(term: Any) -> Expr | None:
        if roots is not None and term.root not in roots:
            return None
        result: Any = by(term)
        if result is not None and not isinstance(result, Expr):
            raise TypeError(f"expected a term of type {term.type}, found {shown_term(result)}")
        return result

    return attempt


def of_rule(diagnostic: rise.Diagnostic, name: str) -> rise.Diagnostic:
    """A diagnostic about the equation of a rule, with the rule's name and without the marks of metavariables."""
    labels = tuple(replace(label, text=_unmarked(label.text)) for label in diagnostic.labels)
    notes = (in_rule(name), *map(_unmarked, diagnostic.notes))
    return replace(diagnostic, title=_unmarked(diagnostic.title), labels=labels, notes=notes)


def in_rule(name: str) -> str:
    """The note that names the rule of a wrong equation."""
    return f"in the equation of the rule {name}"


def _unmarked(text: str) -> str:
    return re.sub(r"\?(?=\w)", "", text)
