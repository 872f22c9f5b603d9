"""Verdicts on rules: what is proved about an equation for all sizes, how, and what remains open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from time import perf_counter
from typing import Any

from elevate import FloatClass
from elevate.argument_checks import expected
from rise.checker import Answer, Operator, check, implied
from rise.facts import Facts
from rise.naturals import const, nat
from rise.records import dataclass
from rise.terms import Fact
from rise.tracebacks import ends_at_the_users_line
from strategies.equations.laws import Form, cases_of
from strategies.equations.rounding import introduced_reassociation
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.proof.instances import at_each_type
from strategies.proof.operators import operators_of
from strategies.proof.statements import NotStatedError, Statement, statement_of, written_out


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one equation of a rule, for all sizes, types and inputs.

    - `is_proved`: both sides have the same type, the right side computes the same as the left side wherever that is
      specified, and every requirement of the right side on sizes is one of the left side or of the rule.
    - `uses`: what the proof uses besides evaluation: lemmas about folds, case distinctions, promises of primitives.
    - `laws`: the laws of operations that the proof needs and that the rule's conditions, or its float class, allow.
    - `demands`: the requirements of the right side on sizes that the left side does not have: those in the rule's
      `demands`, and that parameters of a family are not 0.
    - `reason`: why it is not proved. The rule may be correct nevertheless.
    - `seconds`: how long the proof took.
    - `types`: the scalar types at which it is proved, if not for all types at once.
    - `counterexample`: code that evaluates both sides on numbers for which they differ; empty if none was found.
    """

    rule: str
    equation: str
    is_proved: bool
    uses: tuple[str, ...] = ()
    laws: str = ""
    demands: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0
    types: tuple[str, ...] = ()
    counterexample: str = ""


@ends_at_the_users_line
def prove(rule: EquationRule | RuleFamily, scalars: bool = False) -> tuple[Verdict, ...]:
    """The verdicts on a rule's equations, from left to right; a family is proved for all sizes of its parameters.

    With `scalars`, an equation that is not proved for all types is tried at each type of numbers, with laws of their
    arithmetic: by Z3, if it is installed, and by all numbers of types of at most 16 bits.

    Raises RiseError or StrategyError if an equation is wrong.

    >>> from strategies.rules.fusion import mapFusion
    >>> [(verdict.rule, verdict.is_proved) for verdict in prove(mapFusion)]
    [('mapFusion', True)]
    """
    one = rule.rule if isinstance(rule, RuleFamily) else rule
    hint = 'make a rule from the equation: prove(rule("map id xs = xs", why="..."))'
    one = expected(one, EquationRule, "a rule or a family of rules", "rule", hint)
    if one.by is not None:
        reason = "a function computes its right side"
        return (Verdict(one.name, one.equation, False, reason=reason),)
    parameters = rule.parameters if isinstance(rule, RuleFamily) else ()
    return tuple(_proved(form, one.name, parameters, scalars) for form in one.forms)


def _proved(form: EquationRule, name: str, parameters: tuple[str, ...], scalars: bool) -> Verdict:
    start = perf_counter()
    added = introduced_reassociation(form.compiled.left, form.compiled.right)
    if added and form.float_class < FloatClass.REASSOCIATING:
        reason = f"it is {form.float_class}, but `{added[0]}` on its right side adds in any order"
        return Verdict(name, form.written, False, reason=reason)
    try:
        statement = statement_of(form, parameters)
    except NotStatedError as error:
        return Verdict(name, form.written, False, reason=str(error))
    answer, laws = _check(form, statement), ""
    if not answer:
        answer, laws = _by_laws(form, parameters, answer)
    types, counterexample = (), ""  # type: tuple[str, ...], str
    if not answer and scalars:
        found = at_each_type(statement, form.float_class >= FloatClass.CONTRACTING)
        if found is not None and (found.proved or found.counterexample):
            answer, types, laws = found.answer, found.proved, ""
            counterexample = found.counterexample if form.float_class is FloatClass.EXACT else ""
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
    seconds = perf_counter() - start
    return Verdict(
        name,
        form.written,
        is_proved,
        answer.uses,
        laws,
        demands,
        reason,
        seconds,
        types=types,
        counterexample=counterexample,
    )


def _check(form: EquationRule, statement: Statement, operators: tuple[Operator, ...] = ()) -> Answer:
    contracts = form.float_class >= FloatClass.CONTRACTING
    return check(statement.left, statement.right, operators, contracts)


def _by_laws(form: EquationRule, parameters: tuple[str, ...], plain: Answer) -> tuple[Answer, str]:
    """The answer under the laws that the rule's conditions ensure, and a description of these; all cases must hold."""
    reorders = form.float_class >= FloatClass.REASSOCIATING
    answers: list[Answer] = []
    laws: list[str] = []
    conditions: tuple[Callable[..., Any], ...]
    conditions = (*form.where, *(part for _, part in form.compute), *(part for _, part in form.of))
    for case in product(*(cases_of(condition) for condition in conditions)):
        ensured = [law for part in case for law in part]
        forms = tuple(dict.fromkeys(law for law in ensured if isinstance(law, Form)))
        statement = statement_of(written_out(form, forms), parameters)
        found = {one.name: one for one in operators_of(statement.left, statement.right)} if reorders else {}
        found.update({law.name: law for law in ensured if isinstance(law, Operator)})
        operators = tuple(one for one in found.values() if reorders or not one.associates)
        if not operators and not forms:
            return (replace(plain, reason=f"in a case without laws {plain.reason}") if answers else plain), ""
        answer = _check(form, statement, operators)
        listed = ", ".join(map(str, (*forms, *operators)))
        if not answer:
            return replace(answer, reason=f"where {listed}: {answer.reason}"), ""
        answers.append(answer)
        laws.append(listed)
    uses = {use for answer in answers for use in answer.uses if not any(use in law for law in laws)}
    return replace(answers[0], uses=tuple(sorted(uses))), "; or ".join(laws)
