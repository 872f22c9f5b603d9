"""The two sides of a rule as closed terms, with inputs for metavariables. Independent of proofs.

A metavariable that may mention variables of enclosing functions becomes an input that is applied to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rise.inference.equations import metavariable
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, nat
from rise.nodes import Node
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Var, apply
from rise.types import FunType, Type
from strategies.equations.laws import Form
from strategies.equations.mismatches import readable_names
from strategies.equations.rule import EquationRule


class NotStatedError(Exception):
    """The sides of an equation cannot be stated as closed terms; contains the reason."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Both sides of an equation as functions of inputs, in the direction in which the rule rewrites.

    `parameters` are the sizes that are the parameters of a family.
    """

    left: Expr
    right: Expr
    parameters: tuple[Nat, ...]


def written_out(rule: EquationRule, forms: Sequence[Form]) -> EquationRule:
    """The rule with metavariables replaced by terms of these forms, without its conditions.

    Each side becomes a function of the new metavariables. No other term may mention their names, nor those that forms
    bind, since these are different variables on each side.
    """
    equation = rule.equation
    for form in forms:
        if form.is_local:
            equation = re.sub(rf"\b{form.name}\b(?! =>)", f"({form.written})", equation)
            continue
        left, right = equation.split(" = ", 1)
        bound = re.findall(r"\w+", " ".join(re.findall(r"fun\(([^=]*)=>", form.written)))
        right = f"(fun({form.name}0 => {_renamed(right, [form.name])})) ({_renamed(form.written, bound)})"
        equation = f"(fun({form.name} => {left})) ({form.written}) = {right}"
    named = {form.name for form in forms}
    compute = tuple((name, part) for name, part in rule.compute if name not in named)
    return replace(rule, equation=equation, where=(), of=(), compute=compute) if forms else rule


def _renamed(text: str, names: Sequence[str]) -> str:
    return re.sub(rf"\b({'|'.join(names)})\b", r"\g<1>0", text) if names else text


def statement_of(rule: EquationRule, parameters: tuple[str, ...] = ()) -> Statement:
    """The statement of a rule with one equation; `parameters` are those of its family.

    Raises NotStatedError, and the errors of compiling the equation.
    """
    compiled = rule.compiled
    left, right = rule.compiled.left, rule.compiled.right
    if rule.is_inverse and compiled.functions:  # the sides as written, with calls instead of bodies
        right, left = rule.inv.compiled.left, rule.inv.compiled.right
        mentions = rule.inv.compiled.matcher.may_mention
    else:
        mentions = compiled.matcher.may_mention
    closed = [_closed(side, mentions, ()) for side in (left, right)]
    names: dict[Node, Any] = dict(readable_names(left, right))
    names.update(rule.given)
    left, right = (substitute_names(side, names) for side in closed)
    sizes = tuple(nat(names.get(metavariable(name), metavariable(name))) for name in parameters)
    return Statement(left, right, sizes)


def _closed(
    node: Expr, mentions: Mapping[str, frozenset[str]], binders: tuple[tuple[str, Type | None], ...]
) -> Expr:
    match node:
        case Var(name, given):
            return _input(name, given, mentions.get(name, frozenset()), binders)
        case App(fun, arg):
            return App(_closed(fun, mentions, binders), _closed(arg, mentions, binders))
        case DepApp(fun, argument):
            return DepApp(_closed(fun, mentions, binders), argument)
        case Lam(name, parameter, body):
            return Lam(name, parameter, _closed(body, mentions, (*binders, (name, parameter))))
        case DepLam(name, kind, implicit, facts, body):
            return DepLam(name, kind, implicit, facts, _closed(body, mentions, (*binders, (name, None))))
    return node


def _input(
    name: str, given: Type, wanted: frozenset[str], binders: tuple[tuple[str, Type | None], ...]
) -> Expr:
    """The input for a metavariable, applied to the variables that it may mention, in the order of their names."""
    places: dict[str, tuple[int, Type]] = {}
    index = 0
    for binder, parameter in reversed(binders):
        if parameter is None:
            if binder in wanted or given.dep_loose:
                raise NotStatedError(f"`{name}` depends on the size `{binder}`")
            continue
        if binder in wanted and binder not in places:
            if parameter.dep_loose:
                raise NotStatedError(f"the type of `{binder}` depends on a size")
            places[binder] = (index, parameter)
        index += 1
    variables = [places[binder] for binder in sorted(places)]
    t = given
    for _, parameter in reversed(variables):
        t = FunType(parameter, t)
    return apply(Var(name, t), *(Bound(place, parameter) for place, parameter in variables))
