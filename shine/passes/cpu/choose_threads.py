"""Chooses where parallel loops run: on all threads, or on one where they are short. Independent of targets.

A team of threads takes a microsecond to start, and 15 where its threads sleep. So a loop of little work runs on the
thread that comes to it. Work is counted in additions, as the costs of primitives are; where it depends on sizes, the
loop gets a condition. Iterations, and what each of them does, stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
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
    If,
    Load,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.walk import body_of, value_of, values

#: additions that are worth a team of threads: in vectors they take a microsecond, one by one twenty
WORTH_A_TEAM: Final = 65_536


def choose_threads(procedure: Procedure) -> Procedure:
    """The procedure with short parallel loops on one thread, and conditions on those that are short for some sizes."""
    return replace(procedure, body=_block(procedure.body, procedure))


def _block(block: Block, procedure: Procedure) -> Block:
    return Block(tuple(_chosen(statement, procedure) for statement in block.statements))


def _chosen(statement: Statement, procedure: Procedure) -> Statement:
    match statement:
        case For(kind="parallel") as loop:
            work = _work(loop)
            if work is None or not work.free <= set(procedure.sizes):
                return loop
            if work.constant is not None:
                return _alone(loop) if work.constant < WORTH_A_TEAM else loop
            return replace(loop, worth=_at_least(work, WORTH_A_TEAM))
        case For(body=body) | If(body=body):
            return replace(statement, body=_block(body, procedure))
        case _:
            return statement


def _alone(statement: Statement) -> Statement:
    """A statement whose loops all run on one thread."""
    match statement:
        case For(body=body):
            kind = "seq" if statement.kind == "parallel" else statement.kind
            return replace(statement, kind=kind, body=Block(tuple(map(_alone, body.statements))))
        case If(body=body):
            return replace(statement, body=Block(tuple(map(_alone, body.statements))))
        case _:
            return statement


def _at_least(work: Nat, least: int) -> Condition:
    """Whether there is so much work. What is done once does not count, and of one product only its size."""
    growing = Nat(tuple(term for term in work.terms if term[0]))
    match growing.terms:
        case ((monomial, coefficient),) if coefficient > 0:
            growing, least = Nat(((monomial, 1),)), ceil(least / Fraction(coefficient))
    return Condition(((const(least - 1), growing),))


def _work(statement: Statement) -> Nat | None:
    """The additions of a statement, approximately: both sides of a condition count. None where they are not known."""
    if isinstance(statement, Allocate):
        return ZERO
    body = body_of(statement)
    inside = ZERO if body is None else _sum(body)
    if isinstance(statement, For):
        most = None if inside is None else _most(inside, statement.index, statement.count)
        return None if most is None else statement.count * most
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
    """A bound on the work of each of so many turns. None where it depends on the turn in another way."""
    total = ZERO
    for monomial, coefficient in work.terms:
        part = Nat(((monomial, coefficient),))
        if turn not in part.free:
            total += part
            continue
        slope = linear_in(part, turn)
        if slope is not None:  # a part that is subtracted is least in the first turn
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
