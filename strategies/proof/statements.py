"""The two sides of a rule as closed terms: metavariables become inputs. Independent of proofs.

A metavariable that may mention variables of functions around it becomes an input that is applied to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rise.inference.equations import metavariable
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, nat
from rise.nodes import Node
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Var, apply
from rise.types import FunType, Type
from strategies.equations.mismatches import readable_names
from strategies.equations.rule import EquationRule


class NotStatedError(Exception):
    """An equation that has no closed sides, with the reason."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Both sides of an equation over inputs, in the direction in which the rule rewrites.

    `parameters` are the sizes that a family is given.
    """

    left: Expr
    right: Expr
    parameters: tuple[Nat, ...]


def statement_of(rule: EquationRule, parameters: tuple[str, ...] = ()) -> Statement:
    """What a rule with one equation claims; `parameters` are those of its family.

    Raises NotStatedError, and what compiling the equation raises.
    """
    compiled = rule.compiled
    left, right = rule.compiled.left, rule.compiled.right
    if rule.is_inverse and compiled.functions:  # the sides as they are written: bodies are not read back
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
    """The input for a metavariable, applied to the variables that it may mention, by their names in order."""
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
