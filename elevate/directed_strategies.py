"""Strategies that decide what to apply, and where, by earlier results. Depends only on the machine of the fast engine.

A `Directed` strategy is a generator of orders: it yields a strategy with a path, and receives what happened. Both
engines run it; they keep the terms and the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from elevate.argument_checks import check_terms, expected_path
from elevate.diagnostics import check_fields
from elevate.engine.machine import Asking, Code, Machine, Start
from elevate.strategy import CHOICE, Strategy, Traversal
from elevate.term import Path, Place, Term, path_of, place_of, replaced, subterm
from elevate.trace import Steps
from elevate.tracebacks import Checked, ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Happened(metaclass=Checked):
    """The result of an order: the whole term now, and the steps with paths from its root."""

    term: Term
    steps: Steps

    def __post_init__(self) -> None:
        check_terms(self, "term")
        check_fields(self, steps=Steps)


Orders: TypeAlias = Generator[tuple[Strategy, Path], "Happened | None", bool]
"""Yields what to apply and where; receives what happened, or None for a failure; returns whether it succeeded."""


class Directed(Strategy):
    """A strategy that yields orders. A subclass is a frozen dataclass that defines `orders`."""

    __slots__ = ()

    def orders(self, term: Any) -> Orders:
        """What to apply and where, starting with this term."""
        raise NotImplementedError  # abstract


@dataclass(frozen=True, slots=True)
class At(Directed):
    """Apply a strategy at a path; fails if there is no such place, or if it fails there."""

    path: Path
    inner: Strategy
    curried: ClassVar[bool] = True

    def orders(self, term: Any) -> Orders:
        return (yield self.inner, self.path) is not None

    def show(self, binding: int = CHOICE) -> str:
        return f'at("{".".join(map(str, self.path))}")({self.inner.show()})'


@ends_at_the_users_line
def at(path: Path | str) -> Traversal:
    """Apply a strategy at a path: `at((0, 1))(s)` or, as traces print paths, `at("0.1")(s)`.

    >>> from elevate.toy import fToG, tree
    >>> at("1")(fToG)(tree("p", tree("f", "a"), tree("f", "b"))).program
    p(f(a), g(b))
    """
    indices = expected_path(path)
    return lambda inner: At(indices, inner)


def directed_start(
    machine: Machine, compiler: Callable[[], Callable[[Strategy], Code]], strategy: Directed, blamed: Strategy
) -> Start:
    """The code of a directed strategy in the fast engine. `compiler` returns the compiler for the orders."""

    def start(term: Term, place: Place) -> Asking:
        code_of = compiler()
        base = path_of(place)
        mark = len(machine.log)
        orders = strategy.orders(term)
        happened: Happened | None = None
        while True:
            try:
                inner, path = orders.send(happened)
            except StopIteration as done:
                if done.value:
                    return term
                machine.discard(mark)
                machine.blame = (blamed, place)
                return None
            target = subterm(term, path)
            before = len(machine.log)
            result = None if target is None else (yield code_of(inner), target, place_of(path, place))
            happened = None
            if result is not None:
                term = replaced(term, path, result)
                happened = Happened(term, Steps.logged(tuple(machine.log[before:])).seen_from(base))

    return start
