"""Finite domains of open decisions, and propagation of constraints between them. Independent of programs.

As in Telamon (Beaugnon et al.), a decision restricts one domain, and propagation restricts all others: a value is
removed if no constraint could hold with it. Values are only ever removed, so the order of decisions does not matter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from rise.records import dataclass

#: a value of a decision: a size, or the name of a kind, an order or a memory
Answer: TypeAlias = str | int
#: the values that each decision may still have, by its name
Domains: TypeAlias = Mapping[str, tuple[Answer, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """A condition on some decisions.

    `may_hold` says whether it may still hold for some values of these domains. It must be true if there are such
    values, and exact if every domain has one value; with fewer values, it must not become true again. The condition
    holds if one of the decisions of `unless_one` is 1, so that it removes nothing while two of them may be.
    """

    names: tuple[str, ...]
    may_hold: Callable[[Domains], bool]
    why: str
    unless_one: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Domains without a solution: the decision that has no value left, and the constraint that removed the last one."""

    name: str
    why: str


def relation(names: Iterable[str], holds: Callable[..., bool], why: str) -> Constraint:
    """A condition on the values of a few decisions, which are tried in all combinations."""
    of = tuple(names)
    return Constraint(of, lambda domains: any(holds(*one) for one in product(*(domains[n] for n in of))), why)


def propagate(
    domains: Domains, constraints: Iterable[Constraint], changed: str | None = None
) -> Domains | Conflict:
    """Remove values with which a constraint cannot hold, until there are none.

    With `changed`, only that domain differs from the result of an earlier propagation.
    """
    every = tuple(constraints)
    left = dict(domains)
    waiting = deque(one for one in every if changed is None or changed in one.names)
    queued = set(waiting)
    while waiting:
        constraint = waiting.popleft()
        queued.discard(constraint)
        if sum(1 in left[name] for name in constraint.unless_one) > 1:
            continue
        seen = {name: left[name] for name in constraint.names}
        is_open = [name for name in constraint.names if len(left[name]) > 1]
        if not is_open and not constraint.may_hold(seen):
            return Conflict(constraint.names[0], constraint.why)
        for name in is_open:
            fitting = tuple(value for value in left[name] if constraint.may_hold({**seen, name: (value,)}))
            if not fitting:
                return Conflict(name, constraint.why)
            if len(fitting) < len(left[name]):
                left[name] = seen[name] = fitting
                again = [one for one in every if name in one.names and one not in queued]
                waiting.extend(again)
                queued.update(again)
    return MappingProxyType(left)


def decide(
    domains: Domains, constraints: Iterable[Constraint], name: str, value: Answer
) -> Domains | Conflict:
    """Decide one value, and propagate."""
    if value not in domains[name]:
        return Conflict(name, f"{value} was excluded by earlier decisions")
    return propagate({**domains, name: (value,)}, constraints, name)


def is_decided(domains: Domains) -> bool:
    """Whether every domain has one value."""
    return all(len(values) == 1 for values in domains.values())
