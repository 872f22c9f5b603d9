"""Finds the naturals that a text prints several times in a block, each worth a variable: sums over loop indices, and
functions of such sums.

Independent of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import lru_cache
from typing import Final, TypeAlias

from rise.naturals import Nat, NatVar, nat
from rise.quotients import NatCall
from rise.text.remainders import in_remainders
from shine.imperative.naturals_text import sides, varies, zero_remainder
from shine.imperative.nodes import (
    Assign,
    AtomicUpdate,
    Block,
    Condition,
    DefineIndex,
    For,
    Guarded,
    If,
    Index,
    Load,
    Statement,
)
from shine.imperative.statements import opposite
from shine.imperative.walk import body_of, everything, value_of, values

MIN_OPERATORS: Final = 2  # in a natural that gets a variable
MIN_PRINTED_OPERATORS: Final = 6  # in all of its places: three times two, or two times three
MAX_NAMES: Final = 8  # of one block
MAX_USES: Final = 2000  # in a block; longer ones are not searched
#: the statement of a block that prints a natural, or the place in it
_Unit: TypeAlias = tuple[int, int]


def shared_naturals(statements: Sequence[Statement], is_known: Callable[[Nat], bool]) -> dict[int, list[Nat]]:
    """The naturals to name before each statement of a block, in order; those for which `is_known` holds have names
    already.

    A natural is named in the innermost block that prints it in two places. The body of a loop or a condition is a
    single place, since it can name what it prints twice itself.
    """
    uses: dict[Nat, dict[_Unit, None]] = {}
    for at, statement in enumerate(statements):
        is_else = at > 0 and opposite(statements, at - 1) is statement
        for number, natural in enumerate(() if is_else else _naturals_of(statement), 1):
            uses.setdefault(natural, {})[at, number] = None
        inner = body_of(statement)
        for natural in () if inner is None else _outer_naturals(statement, inner):
            uses.setdefault(natural, {})[at, 0] = None
    named: dict[Nat, int] = {}

    def is_named(a: Nat) -> bool:
        return a in named or is_known(a)

    while len(named) < MAX_NAMES and sum(map(len, uses.values())) <= MAX_USES:
        places: dict[Nat, dict[_Unit, None]] = {}
        for natural, units in uses.items():
            for part in parts(natural, is_named):
                places.setdefault(part, {}).update(units)
        worthwhile = {
            part: units
            for part, units in places.items()
            if len(units) > 1 and operators(part) * len(units) >= MIN_PRINTED_OPERATORS
        }
        if not worthwhile:
            break
        largest = max(worthwhile, key=lambda a: (operators(a), len(worthwhile[a])))
        first = min(at for at, _ in worthwhile[largest])
        named[largest] = first
        for operand in _operands(largest):
            uses.setdefault(operand, {})[first, -1 - len(named)] = None
    found: dict[int, list[Nat]] = {}
    for natural, at in reversed(named.items()):  # inner naturals come first
        found.setdefault(at, []).append(natural)
    return found


def parts(a: Nat, is_named: Callable[[Nat], bool]) -> Iterator[Nat]:
    """The printed parts of a natural that may have a name: the natural and the functions in it, if they vary in loops,
    but nothing inside a named part. Parts of sums are excluded, since compilers treat addresses differently if their
    sums are split.
    """
    waiting = [a]
    while waiting:
        a = in_remainders(waiting.pop())
        if not varies(a) or is_named(a):
            continue
        if operators(a) >= MIN_OPERATORS:
            yield a
        waiting += _operands(a)


@lru_cache(maxsize=1 << 13)
def operators(a: Nat) -> int:
    """The approximate number of operators in the text of a natural; an added number is free, as in an address."""
    terms = [(monomial, coefficient) for monomial, coefficient in a.terms if monomial]
    count = max(len(terms) - 1, 0)
    for monomial, coefficient in terms:
        count += sum(abs(e) if isinstance(e, int) else 1 for _, e in monomial) - 1
        count += abs(coefficient) != 1
        for base, _ in monomial:
            if isinstance(base, NatCall):
                count += 1 + sum(operators(argument) for argument in base.args)
    return count


def _operands(a: Nat) -> tuple[Nat, ...]:
    """The naturals printed inside a natural: functions, or the arguments of a function."""
    call = _call(a)
    if call is not None:
        return call.args
    return tuple(nat(base) for monomial, _ in a.terms for base, _ in monomial if isinstance(base, NatCall))


def _call(a: Nat) -> NatCall | None:
    """The function whose value a natural is; None for other naturals."""
    match a.terms:
        case ((((NatCall() as call, 1),), 1),):
            return call
        case _:
            return None


def _naturals_of(statement: Statement) -> Iterator[Nat]:
    """The naturals that a statement itself prints, one for each place."""
    match statement:
        case Assign(buffer=buffer, index=index) | AtomicUpdate(buffer=buffer, index=index):
            if buffer.size.constant != 1:
                yield index
        case If(condition=condition):
            yield from _sides(condition)
        case _:
            pass
    value = value_of(statement)
    for part in () if value is None else values(value):
        match part:
            case Load(buffer=buffer, index=index) if buffer.size.constant != 1:
                yield index
            case Index(value=index):
                yield index
            case Guarded(condition=condition):
                yield from _sides(condition)
            case _:
                pass


def _sides(condition: Condition) -> Iterator[Nat]:
    """The naturals that a condition compares."""
    for a, b in condition.below:
        if (b - a).constant is None:
            remainder = zero_remainder(b - a)
            yield from sides(a, b) if remainder is None else (remainder,)


def _outer_naturals(statement: Statement, inner: Block) -> list[Nat]:
    """The naturals printed inside a statement whose variables are all defined outside of it."""
    inside: Set[NatVar] = {statement.index} if isinstance(statement, For) else set()
    nested = [one for one, _ in everything(inner)]
    inside |= {one.index for one in nested if isinstance(one, For)}
    inside |= {one.name for one in nested if isinstance(one, DefineIndex)}
    outer: list[Nat] = []

    def is_outer(a: Nat) -> bool:
        if a.free & inside or operators(a) < MIN_OPERATORS:
            return False
        outer.append(a)
        return True

    for one in nested:
        for natural in _naturals_of(one):
            for _ in parts(natural, is_outer):
                pass  # only the bindings that it finds outside are needed
    return outer
