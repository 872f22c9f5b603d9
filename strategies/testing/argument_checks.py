"""Checks the arguments of `check`, before a rule is tested. Independent of particular rules."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st

import rise
from elevate import Diagnostic, FloatClass, StrategyError
from strategies.equations.rounding import introduced_reassociation
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.refutations import WrongError, refuse


def law_of(rule: EquationRule | RuleFamily) -> EquationRule:
    """The rule of a family, or a rule itself."""
    return rule.rule if isinstance(rule, RuleFamily) else rule


def check_arguments(rule: object, examples: object, given_programs: object, generator: object) -> None:
    """Raise StrategyError for arguments of other types."""
    title, hint = "", ""
    if not isinstance(rule, EquationRule | RuleFamily):
        title = f"expected a rule or a family of rules, found a {type(rule).__name__}"
        hint = 'make a rule from the equation: check(rule("map id xs = xs", why="..."))'
    elif type(examples) is not int or examples < 1:
        title = f"expected a number of examples, an integer >= 1, found {examples!r}"
        hint = "omit it: check(rule)"
    elif not isinstance(given_programs, Sequence) or not all(map(_is_closed, given_programs)):
        title = "expected closed programs without free sizes as `given_programs`"
        hint = "specialise them: [rise.specialise(program, n=4)]"
    elif generator is not None and not isinstance(generator, st.SearchStrategy):
        title = (
            f"expected a Hypothesis strategy of programs as `generator`, found a {type(generator).__name__}"
        )
        hint = "for example generator=strategies.testing.programs()"
    if title:
        raise StrategyError(Diagnostic("rule", title, hint=hint))


def check_float_class(rule: EquationRule) -> None:
    """Raise the error for a rule that introduces an operation in any order and is of a stricter class: `evaluate`
    computes in order, so no instance shows it.
    """
    for form in rule.forms if rule.by is None else ():
        added = introduced_reassociation(form.compiled.left, form.compiled.right)
        if added and form.float_class < FloatClass.REASSOCIATING:
            title = f"{form.name} is {form.float_class}, but `{added[0]}` on its right side adds in any order"
            refuse(form, WrongError(title, hint="give it a class: float_class=FloatClass.REASSOCIATING"))


def _is_closed(program: object) -> bool:
    return isinstance(program, rise.Expr) and not program.free
