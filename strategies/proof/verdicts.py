"""Verdicts on rules: what is proved of an equation for all sizes, by what, and what is left open."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from rise.checker import check, implied
from rise.facts import Facts
from rise.naturals import const, nat
from rise.terms import Fact
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.proof.statements import NotStatedError, statement_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one equation of a rule, for all sizes, types and inputs.

    - `is_proved`: both sides have one type, the right side computes what the left side does wherever that is specified,
      and it demands nothing of sizes that neither the left side nor the rule demands.
    - `uses`: what the proof rests on besides computing: lemmas about folds, cases, promises of primitives.
    - `demands`: what the right side demands of sizes and the left side does not: what the rule states in its `demands`,
      and that a size which a family is given is not 0.
    - `reason`: why it is not proved. It may hold nevertheless.
    - `seconds`: how long the proof took.
    """

    rule: str
    equation: str
    is_proved: bool
    uses: tuple[str, ...] = ()
    demands: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0


def prove(rule: EquationRule | RuleFamily) -> tuple[Verdict, ...]:
    """The verdicts on a rule's equations, from left to right; a family is proved for all sizes of its parameters.

    Raises RiseError or StrategyError if an equation is wrong.

    >>> from strategies.rules.fusion import mapFusion
    >>> [(verdict.rule, verdict.is_proved) for verdict in prove(mapFusion)]
    [('mapFusion', True)]
    """
    one = rule.rule if isinstance(rule, RuleFamily) else rule
    if one.by is not None:
        reason = "a function computes its right side"
        return (Verdict(one.name, one.equation, False, reason=reason),)
    parameters = rule.parameters if isinstance(rule, RuleFamily) else ()
    return tuple(_proved(form, one.name, parameters) for form in one.forms)


def _proved(form: EquationRule, name: str, parameters: tuple[str, ...]) -> Verdict:
    start = perf_counter()
    try:
        statement = statement_of(form, parameters)
    except NotStatedError as error:
        return Verdict(name, form.written, False, reason=str(error))
    answer = check(statement.left, statement.right)
    stated = Facts(tuple(Fact("<=", const(1), nat(size)) for size in statement.parameters))
    demands = tuple(one.condition for one in answer.demands)
    unstated = [
        one.condition
        for one in answer.demands
        if one.condition not in form.demands and not implied(one, stated)
    ]
    reason = answer.reason
    if answer.is_checked and unstated:
        reason = f"its right side demands that {' and '.join(unstated)}, which its left side does not"
    is_proved = answer.is_checked and not unstated
    return Verdict(name, form.written, is_proved, answer.uses, demands, reason, perf_counter() - start)
