"""Proves equations at each scalar type of their numbers: by Z3, or by enumeration of the numbers of narrow types.

An input for which both sides differ is evaluated, so that it is certain that the equation is wrong.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from rise.checker import Answer, check
from rise.inference.schemes import substitute_names
from rise.nodes import Node
from rise.programs.scalar_comparison import counterexample, enumerated
from rise.records import dataclass
from rise.scalars import SCALARS, kind_classes
from rise.terms import Expr, Var
from rise.types import ScalarType, TypeVar
from strategies.proof.scalars import ABSENT, Solver, has_solver
from strategies.proof.statements import Statement

#: more instances are not tried, of an equation with several types of numbers
MAX_INSTANCES: Final = 200
BY_ENUMERATION: Final = "all numbers"


@dataclass(frozen=True, slots=True)
class Instances:
    """What is proved of an equation at each scalar type.

    - `proved`, `still_open`: the types of its numbers, as text; several in the order of the equation's types.
    - `answer`: that of the last instance, with all that was used; its reason is that of the first open one.
    - `counterexample`: code that evaluates both sides on an input for which they differ.
    """

    proved: tuple[str, ...]
    still_open: tuple[str, ...]
    answer: Answer
    counterexample: str = ""


def at_each_type(statement: Statement, contracts: bool) -> Instances | None:
    """The instances of an equation at scalar types; None if it is not about numbers, or has too many instances."""
    variables = [one for one in _type_variables(statement) if kind_classes(one.kind) - {"data"}]
    choices = [[t for t in SCALARS if kind_classes(one.kind) <= SCALARS[t].classes] for one in variables]
    instances = list(product(*choices))
    if len(instances) > MAX_INSTANCES or not _has_numbers(statement):
        return None
    proved: list[str] = []
    still_open: list[str] = []
    uses: set[str] = set()
    answer, reason = Answer(False), ""
    for types in instances:
        values: dict[Node, Any] = dict(zip(variables, map(ScalarType, types), strict=True))
        left, right = (substitute_names(side, values) for side in (statement.left, statement.right))
        label = ", ".join(types) or ", ".join(sorted(_scalars_of(left)))
        solver = Solver()
        answer = check(left, right, (), contracts, others=(solver.lemma,))
        models = solver.models[::-1]
        if not answer:
            found = enumerated(left, right)
            if found is True:
                answer = Answer(True, (BY_ENUMERATION,))
            elif found:
                models = [dict(found)]
        if answer:
            proved.append(label)
            uses.update(answer.uses)
            continue
        for inputs in models:
            text = counterexample(left, right, inputs)
            if text:
                return Instances(tuple(proved), (label,), Answer(False, reason=f"wrong at {label}"), text)
        still_open.append(label)
        reason = reason or f"at {label} {answer.reason}{'' if has_solver() else f'; {ABSENT}'}"
    if still_open:
        return Instances(tuple(proved), tuple(still_open), Answer(False, reason=reason))
    return Instances(tuple(proved), (), Answer(True, tuple(sorted(uses)), answer.demands))


def _type_variables(statement: Statement) -> list[TypeVar]:
    free = statement.left.free | statement.right.free
    return sorted((one for one in free if isinstance(one, TypeVar)), key=lambda one: one.name)


def _has_numbers(statement: Statement) -> bool:
    return bool(_type_variables(statement) or _scalars_of(statement.left))


def _scalars_of(e: Expr) -> set[str]:
    return {one.given.name for one in e.free if isinstance(one, Var) and isinstance(one.given, ScalarType)}
