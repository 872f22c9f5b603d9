"""Congruences, focuses and tests. Terms are accessed only through their roots and children.

A congruence has a strategy for each child of a node with a given root. A focus has a name and applies one strategy at
a fixed path, which may be several levels down.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from elevate.combinators import Not
from elevate.rules import Predicate
from elevate.strategy import CHOICE, Strategy, Traversal, expected_strategy, id_, seq
from elevate.term import Path
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import Child


@dataclass(frozen=True, slots=True)
class HasRoot(Predicate):
    """Holds for terms with one root."""

    label: Hashable

    @property
    def roots(self) -> frozenset[Hashable]:
        return frozenset([self.label])

    @property
    def depth(self) -> int:
        return 0

    def holds(self, term: Any) -> bool:
        return bool(term.root == self.label)


@dataclass(frozen=True, slots=True)
class Holding(Strategy):
    """Succeed if a strategy does, and discard its rewrites."""

    inner: Strategy
    spelling: ClassVar[str] = "test"

    def unfold(self) -> Strategy:
        return Not(Not(self.inner))


@dataclass(frozen=True, slots=True)
class Congruence(Strategy):
    """Apply to each child of a term with a root the strategy of its position; fails at other roots, or if one fails.

    Further children, for which no strategy is given, stay as they are.
    """

    label: Hashable
    parts: tuple[Strategy, ...]

    def unfold(self) -> Strategy:
        below = (Child(index, part) for index, part in enumerate(self.parts) if part != id_)
        return seq(HasRoot(self.label), *below)

    def show(self, binding: int = CHOICE) -> str:
        return f"congruence({', '.join([repr(self.label), *(part.show() for part in self.parts)])})"


@dataclass(frozen=True, slots=True)
class Focus(Strategy):
    """Apply to the subterm at a path if a condition holds; prints as `name(inner)`, or `name(parameters)(inner)`.

    The condition must change nothing and must not depend on that subterm: then
    `focus(f >> g) = focus(f) >> focus(g)`, see `elevate.meta`.
    """

    name: str
    parameters: tuple[object, ...]
    condition: Strategy
    path: Path
    inner: Strategy

    def unfold(self) -> Strategy:
        inner = self.inner
        for index in reversed(self.path):
            inner = Child(index, inner)
        return self.condition >> inner

    def show(self, binding: int = CHOICE) -> str:
        parameters = ", ".join(
            parameter.show() if isinstance(parameter, Strategy) else str(parameter)
            for parameter in self.parameters
        )
        head = f"{self.name}({parameters})" if parameters else self.name
        return f"{head}({self.inner.show()})"


@ends_at_the_users_line
def congruence(root: Hashable, *parts: Strategy) -> Strategy:
    """Apply to each child of a term with a root the strategy of its position.

    >>> from elevate.toy import dropG, fToG, tree
    >>> congruence(("p", 2), fToG, dropG)(tree("p", tree("f", "a"), tree("g", "b"))).program
    p(g(a), b)
    """
    return Congruence(root, parts)


@ends_at_the_users_line
def congruences(root: Hashable) -> Callable[..., Strategy]:
    """The congruence of a root, as a function of strategies: `onPair = congruences(("p", 2))`, then `onPair(s, t)`."""
    return lambda *parts: Congruence(root, parts)


@ends_at_the_users_line
def focus(name: str, condition: Strategy, path: Path, *parameters: object) -> Traversal:
    """A named subterm of terms for which a condition holds: `body = focus("body", isLambda, (0,))`, then `body(s)`."""
    expected_strategy(condition)
    return lambda inner: Focus(name, parameters, condition, path, inner)


test = Holding
