"""Traversals: where in a program a strategy is applied. Terms are accessed only through their children.

The order is the order of `children`. Only the one-level traversals descend; all others are defined by
them, so another order of children needs only another `one`, `some` and `all_`. What these do is defined in
`elevate/engine/reference.py`; `elevate/engine/children.py` compiles them, and `search.py` compiles whole searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from elevate.argument_checks import expected_count
from elevate.combinators import Named, Repeat, Try
from elevate.rules import isEqualTo
from elevate.strategy import Strategy, Traversal, expected_strategy
from elevate.term import Term
from elevate.tracebacks import ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class All(Strategy):
    """Apply to every child; fails if one of these fails, and so succeeds on a leaf."""

    inner: Strategy
    spelling: ClassVar[str] = "all_"


@dataclass(frozen=True, slots=True)
class One(Strategy):
    """Apply to the first child at which it succeeds; fails if there is none, and so on a leaf."""

    inner: Strategy


@dataclass(frozen=True, slots=True)
class Some(Strategy):
    """Apply to every child at which it succeeds; fails if there is none, and so on a leaf."""

    inner: Strategy


@dataclass(frozen=True, slots=True)
class Child(Strategy):
    """Apply to the child at an index; fails if there is no such child."""

    index: int
    inner: Strategy
    curried: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Position(Strategy):
    """Apply at the n-th place, counted from 0 at the root, parents first; fails if there is none."""

    n: int
    inner: Strategy
    curried: ClassVar[bool] = True
    traverses: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Skip(Strategy):
    """Skip n places at which the strategy succeeds, parents first, and apply it at the next one."""

    n: int
    inner: Strategy
    curried: ClassVar[bool] = True
    traverses: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class TopDown(Strategy):
    """Apply at the first place where it succeeds, parents first."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.inner | One(self)


@dataclass(frozen=True, slots=True)
class BottomUp(Strategy):
    """Apply at the first place where it succeeds, children first."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return One(self) | self.inner


@dataclass(frozen=True, slots=True)
class AllTopdown(Strategy):
    """Apply everywhere, parents first; fails if it fails at one place."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.inner >> All(self)


@dataclass(frozen=True, slots=True)
class AllBottomup(Strategy):
    """Apply everywhere, children first; fails if it fails at one place."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return All(self) >> self.inner


@dataclass(frozen=True, slots=True)
class Downup(Strategy):
    """Apply everywhere on the way down and again on the way up."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.inner >> All(self) >> self.inner


@dataclass(frozen=True, slots=True)
class Downup2(Strategy):
    """Apply one strategy everywhere on the way down and another on the way up."""

    down: Strategy
    up: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.down >> All(self) >> self.up


@dataclass(frozen=True, slots=True)
class TryAll(Strategy):
    """Try everywhere once, children first. Never fails.

    The paper writes `all(tryAll(try s)) ; try s`; the inner `try` makes no difference.
    """

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return All(self) >> Try(self.inner)


@dataclass(frozen=True, slots=True)
class Alltd(Strategy):
    """Apply at the topmost possible place of every branch. Never fails, as `all_` succeeds on a leaf."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.inner | All(self)


@dataclass(frozen=True, slots=True)
class Sometd(Strategy):
    """Apply at the topmost possible place of every branch; fails if there is none."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return self.inner | Some(self)


@dataclass(frozen=True, slots=True)
class Somebu(Strategy):
    """Apply at the lowest possible place of every branch; fails if there is none."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return Some(self) | self.inner


@dataclass(frozen=True, slots=True)
class Normalize(Strategy):
    """Apply at the first place, parents first, until it applies nowhere. Never fails."""

    inner: Strategy
    traverses: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return Repeat(TopDown(self.inner))


@dataclass(frozen=True, slots=True)
class NormalizeBottomup(Strategy):
    """Apply everywhere, children first, until it applies nowhere. Never fails.

    Stratego's `innermost`: when the strategy is applied at a term, all children are in normal form, and of its result
    only the new parts are visited. Where `normalize` fires at a parent again after each change of a child, this fires
    once; the results are equal if the order of firings does not determine the normal form.
    """

    inner: Strategy

    def unfold(self) -> Strategy:
        return All(self) >> Try(self.inner >> self)


@dataclass(frozen=True, slots=True)
class Outermost(Strategy):
    """Apply at the first place, parents first, where the condition succeeds, after its rewrites."""

    condition: Strategy
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return TopDown(self.condition >> self.inner)


@dataclass(frozen=True, slots=True)
class Innermost(Strategy):
    """Apply at the first place, children first, where the condition succeeds, after its rewrites."""

    condition: Strategy
    inner: Strategy
    curried: ClassVar[bool] = True

    def unfold(self) -> Strategy:
        return BottomUp(self.condition >> self.inner)


@ends_at_the_users_line
def outermost(condition: Strategy) -> Traversal:
    """The first place, parents first, where a condition succeeds: `outermost(isMap)(s)`."""
    found = expected_strategy(condition)
    return lambda inner: Outermost(found, inner)


@ends_at_the_users_line
def innermost(condition: Strategy) -> Traversal:
    """The first place, children first, where a condition succeeds: `innermost(isMap)(s)`."""
    found = expected_strategy(condition)
    return lambda inner: Innermost(found, inner)


@ends_at_the_users_line
def contains(term: Term) -> Strategy:
    """Succeed without a change if a term occurs anywhere."""
    return Named("contains", (term,), TopDown(isEqualTo(term)))


@ends_at_the_users_line
def child(index: int) -> Traversal:
    """Apply a strategy to the child at an index: `child(1)(s)`."""
    count = expected_count(index, "the index of a child")
    return lambda inner: Child(count, inner)


@ends_at_the_users_line
def position(n: int) -> Traversal:
    """Apply a strategy at the n-th place: `position(3)(s)`."""
    count = expected_count(n, "the number of a place")
    return lambda inner: Position(count, inner)


@ends_at_the_users_line
def skip(n: int) -> Traversal:
    """Skip n places at which a strategy succeeds: `skip(1)(s)` applies it at the second."""
    count = expected_count(n, "a number of places")
    return lambda inner: Skip(count, inner)


all_ = All
one = One
some = Some
topDown = TopDown
bottomUp = BottomUp
allTopdown = AllTopdown
allBottomup = AllBottomup
downup = Downup
downup2 = Downup2
tryAll = TryAll
alltd = Alltd
sometd = Sometd
somebu = Somebu
normalize = Normalize
normalizeBottomup = NormalizeBottomup
