"""Scoped bindings in strategies: names for terms that a pattern matched, or for a subterm that was found.

A name means the same term wherever the strategy is applied: below binders, its variables are shifted, and a term that
mentions a binder has no name outside of it. Depends on patterns, but not on primitives.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from elevate import Predicate, Strategy, Traversal, id_
from elevate.scopes import Binders, bindFound
from elevate.scopes import bind as bind_in
from rise.records import dataclass
from rise.terms import DepLam, Expr, Lam, occurs, shift
from rise.types import shift_dependent
from strategies.equations.compilation import compile_equation
from strategies.equations.matcher import Bindings, Matcher, NoMatch


@dataclass(frozen=True, slots=True)
class RiseBinders:
    """Moves terms below functions, and out of them."""

    def is_closed(self, term: Any) -> bool:
        return bool(term.loose == 0 and term.dep_loose == 0)

    def inward(self, term: Any, node: Any) -> Any:
        match node:
            case Lam():
                return shift(term, 1)
            case DepLam():
                return shift_dependent(term, 1)
        return term

    def outward(self, term: Any, node: Any) -> Any:
        match node:
            case Lam():
                return None if occurs(term) else shift(term, -1)
            case DepLam():
                return term if term.dep_loose == 0 else None
        return term


BINDERS: Final = RiseBinders()


@dataclass(frozen=True, slots=True)
class Matches(Predicate):
    """Holds for terms that a pattern matches, such as `map f (map g xs)`: free names match any term."""

    pattern: str

    @property
    def roots(self) -> frozenset[Any] | None:
        return compile_equation(f"{self.pattern} = {self.pattern}").dispatch.roots

    @property
    def depth(self) -> int | None:
        return compile_equation(f"{self.pattern} = {self.pattern}").dispatch.depth

    def holds(self, term: Any) -> bool:
        return matched(self.pattern, term) is not None


@dataclass(frozen=True, slots=True)
class Variables:
    """Finds the terms of the variables of a pattern; variables below its binders are not named."""

    pattern: str

    def find(self, term: Any, binders: Binders) -> Mapping[str, Expr] | None:
        found = matched(self.pattern, term)
        if found is None:
            return None
        return {name: part for name, (part, around) in found.terms.items() if not around}

    def __repr__(self) -> str:
        return repr(self.pattern)


def matched(pattern: str, term: Expr) -> Bindings | None:
    """The bindings of a pattern's variables; None if it does not match."""
    matcher = _matcher(pattern)
    if not matcher.fits(term):
        return None
    try:
        return matcher.match(term, {})
    except NoMatch:
        return None


@cache
def _matcher(pattern: str) -> Matcher:
    return compile_equation(f"{pattern} = {pattern}").matcher


def matches(pattern: str) -> Matches:
    """Succeed without a change if a pattern matches: `matches("map f (map g xs)")`."""
    return Matches(pattern)


def matching(pattern: str) -> Traversal:
    """Name the terms of the variables of a pattern in a strategy: `matching("zip xs ys")(s)`.

    In the strategy, `isBound("xs")` tests for that term, and `rewriteBound("xs", "ys")` is the rule that replaces one
    by the other.
    """
    return bindFound(Variables(pattern), BINDERS)


def bind(name: str, what: Strategy = id_) -> Traversal:
    """Name the first subterm on which a strategy succeeds, by default the whole: `bind("x", isAppliedMap)(s)`."""
    return bind_in(name, what, binders=BINDERS)
