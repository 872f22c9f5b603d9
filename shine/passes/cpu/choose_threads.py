"""Chooses where parallel loops run: on all threads, or on one if they are short. Independent of targets.

A team of threads takes a microsecond to start, and 15 if its threads are asleep. So a loop with little work runs on the
thread that reaches it. Work is counted in additions, like the costs of primitives; if it depends on sizes, the loop
gets a condition. The iterations and their order do not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Final

from rise.naturals import ZERO, Atom, Nat, NatVar, const, power
from rise.primitives import lookup
from rise.quotients import ends_of, linear_in
from shine.imperative.accesses import lanes_in
from shine.imperative.nodes import (
    Allocate,
    Block,
    Condition,
    For,
    Load,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.walk import body_of, map_outermost, map_statements, value_of, values

#: the number of additions that is worth a team of threads: they take one microsecond with vector instructions, twenty
#: without
WORTH_A_TEAM: Final = 65_536
#: a loop of so many iterations ends by a condition on data, after an unknown number of them; it counts as a short one
ENDLESS: Final = 1 << 40
USUAL_ITERATIONS: Final = 16


def choose_threads(procedure: Procedure) -> Procedure:
    """The procedure with short parallel loops on one thread, and conditions on those that are short for some sizes."""
    return replace(procedure, body=map_outermost(procedure.body, partial(_chosen, procedure)))


def _chosen(procedure: Procedure, statement: Statement) -> Iterable[Statement] | None:
    """A parallel loop with the decision about where it runs; None for other statements."""
    if not isinstance(statement, For) or statement.kind != "parallel":
        return None
    work = _work(statement)
    if work is None or not work.free <= set(procedure.sizes):
        return (statement,)
    if work.constant is None:
        return (replace(statement, worth=_at_least(work, WORTH_A_TEAM)),)
    if work.constant >= WORTH_A_TEAM:
        return (statement,)
    return map_statements(Block((statement,)), _alone).statements


def _alone(statement: Statement) -> tuple[Statement]:
    """A loop without threads."""
    if isinstance(statement, For) and statement.kind == "parallel":
        return (replace(statement, kind="seq"),)
    return (statement,)


def _at_least(work: Nat, least: int) -> Condition:
    """The condition that there is at least this much work. Constant work does not count, and a single product is
    compared without its factor.
    """
    growing = Nat(tuple(term for term in work.terms if term[0]))
    match growing.terms:
        case ((monomial, coefficient),) if coefficient > 0:
            growing, least = Nat(((monomial, 1),)), ceil(least / Fraction(coefficient))
    return Condition(((const(least - 1), growing),))


def _work(statement: Statement) -> Nat | None:
    """The approximate number of additions of a statement, including both branches of a condition. None if it is
    unknown.
    """
    if isinstance(statement, Allocate):
        return ZERO
    body = body_of(statement)
    inside = ZERO if body is None else _sum(body)
    if isinstance(statement, For):
        most = None if inside is None else _most(inside, statement.index, statement.count)
        known = statement.count.constant
        count = const(USUAL_ITERATIONS) if known is not None and known >= ENDLESS else statement.count
        return None if most is None else count * most
    value = value_of(statement)
    return None if inside is None else inside + 1 + (0 if value is None else sum(map(_cost, values(value))))


def _cost(part: Value) -> int:
    """The additions of a part of a value by itself, one for each lane of a vector."""
    match part:
        case Operation(name):
            record = lookup(name)
            return lanes_in(part) * (1 if record is None else record.cost)
        case Load():
            return part.lanes
        case _:
            return 0


def _most(work: Nat, turn: NatVar, turns: Nat) -> Nat | None:
    """An upper bound on the work of each iteration. None if it depends on the iteration in an unsupported way."""
    total = ZERO
    for monomial, coefficient in work.terms:
        part = Nat(((monomial, coefficient),))
        if turn not in part.free:
            total += part
            continue
        slope = linear_in(part, turn)
        if slope is not None:  # a subtracted part is least in the first iteration
            total += slope[0] * turns if coefficient > 0 else ZERO
            continue
        product = const(coefficient)
        for base, exponent in monomial:
            factor = power(base, exponent)
            if turn in factor.free:
                ends = ends_of(base)[1] if isinstance(base, Atom) and exponent == 1 else ()
                known = next((end for end in ends if turn not in end.free), None)
                if known is None:
                    return None
                factor = known
            product *= factor
        total += product
    return total


def _sum(block: Block) -> Nat | None:
    total = ZERO
    for statement in block.statements:
        work = _work(statement)
        if work is None:
            return None
        total += work
    return total
