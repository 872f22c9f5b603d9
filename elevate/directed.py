"""Strategies that say what to apply where, having seen what came of it. Knows no engine's insides but two.

A `Directed` strategy is a program of orders: a generator that yields a strategy with a path, and is told what
happened. Both engines run it; the terms and steps between are theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from elevate.engine.machine import Asking, Code, Machine, Start
from elevate.expected import expected_path
from elevate.strategy import CHOICE, Strategy, Traversal
from elevate.term import Path, Place, Term, path_of, place_of, replaced, subterm
from elevate.trace import Steps


@dataclass(frozen=True, slots=True)
class Happened:
    """What an order did: the whole term now, and the steps, their paths seen from it."""

    term: Term
    steps: Steps


Orders: TypeAlias = Generator[tuple[Strategy, Path], "Happened | None", bool]
"""Yields what to apply and where; is told what happened, None for a failure; answers whether all is well."""


class Directed(Strategy):
    """A strategy that gives orders. A subclass is a frozen dataclass that defines `orders`."""

    __slots__ = ()

    def orders(self, term: Any) -> Orders:
        """What to apply where, beginning with this term."""
        raise NotImplementedError  # abstract: each kind of directed strategy says its own


@dataclass(frozen=True, slots=True)
class At(Directed):
    """Apply a strategy at a path; fails where there is no such place, or where it fails."""

    path: Path
    inner: Strategy
    curried: ClassVar[bool] = True

    def orders(self, term: Any) -> Orders:
        return (yield self.inner, self.path) is not None

    def show(self, binding: int = CHOICE) -> str:
        return f'at("{".".join(map(str, self.path))}")({self.inner.show()})'


def at(path: Path | str) -> Traversal:
    """Apply a strategy at a path: `at((0, 1))(s)`, or as a trace prints it, `at("0.1")(s)`.

    >>> from elevate.toy import fToG, tree
    >>> at("1")(fToG)(tree("p", tree("f", "a"), tree("f", "b"))).program
    p(f(a), g(b))
    """
    given = expected_path(path)
    return lambda inner: At(given, inner)


def directed_start(
    machine: Machine, compiler: Callable[[], Callable[[Strategy], Code]], strategy: Directed, blamed: Strategy
) -> Start:
    """How the fast engine runs a directed strategy. `compiler` makes what compiles the orders of one run."""

    def start(term: Term, place: Place) -> Asking:
        code_of = compiler()
        base = path_of(place)
        mark = len(machine.log)
        orders = strategy.orders(term)
        happened: Happened | None = None
        while True:
            try:
                wanted, path = orders.send(happened)
            except StopIteration as done:
                if done.value:
                    return term
                machine.discard(mark)
                machine.blame = (blamed, place)
                return None
            target = subterm(term, path)
            before = len(machine.log)
            made = None if target is None else (yield code_of(wanted), target, place_of(path, place))
            happened = None
            if made is not None:
                term = replaced(term, path, made)
                happened = Happened(term, Steps.logged(tuple(machine.log[before:])).seen_from(base))

    return start
