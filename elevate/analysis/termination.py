"""Termination: measures of terms that every firing decreases. Depends on shapes, but not on languages.

A measure counts all nodes, or the leaves with a given root, in a whole program, so a firing anywhere changes it by as
much as the rule changes its redex.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from elevate.analysis.shapes import Built, Hole, Rewrite, Shape, Shaped, cut, parts_of
from elevate.combinators import Not, Repeat
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, definition_of, parts, strategies_of
from elevate.traversals import All, Child, One, Position, Skip, Some

MAX_STRATEGIES: Final = 2000
"""How many strategies inside one are inspected."""
SIZE: Final = "the size"
"""The measure that counts all nodes; any other measure is the root of the leaves that it counts."""


@lru_cache(maxsize=2048)
def rewrites_of(rule: Rule) -> tuple[Rewrite, ...] | None:
    """The shapes that a rule declares, or those of its roots; None if it declares neither."""
    if isinstance(rule, Shaped):
        declared = rule.shapes()
        if declared is not None:
            return tuple(
                Rewrite(cut(rewrite.left), cut(rewrite.right), rewrite.exact) for rewrite in declared
            )
    return None if rule.roots is None else tuple(Rewrite(Built(root), Hole()) for root in rule.roots)


@lru_cache(maxsize=1 << 13)
def rules_of(strategy: Strategy) -> frozenset[Rule] | None:
    """All rules that a strategy may fire; None if they are not known."""
    rules: set[Rule] = set()
    seen: set[Strategy] = set()
    waiting: list[Strategy] = [strategy]
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        if len(seen) > MAX_STRATEGIES:
            return None
        if isinstance(part, Rule):
            rules.add(part)
            continue
        inside = _inside(part)
        if inside is None:
            return None
        waiting += inside
    return frozenset(rules)


@lru_cache(maxsize=1 << 13)
def _inside(strategy: Strategy) -> tuple[Strategy, ...] | None:
    """The arguments of a strategy, and its definition; None if it has neither that nor a known meaning."""
    body = definition_of(strategy)
    if body is None and not isinstance(strategy, PRIMITIVES):
        return None
    return (*strategies_of(parts(strategy)), *([body] if body is not None else []))


PRIMITIVES: Final = (Predicate, Id, Fail, Seq, LChoice, Not, Repeat, All, One, Some, Child, Position, Skip)
"""The strategies without a definition whose meaning is known."""


@dataclass(frozen=True, slots=True)
class Weight:
    """The measure of a shape: a constant, and how often the measure of each hole is added."""

    constant: int
    holes: Counter[str]


def weight(shape: Shape, measure: Hashable, is_right: bool) -> Weight | None:
    """A bound of the measure of a shape, upper for a right side, lower for a left side; None if there is none."""
    constant = 0
    holes: Counter[str] = Counter()
    for part in parts_of(shape):
        match part:
            case Hole("", ()):
                if is_right:
                    return None
            case Hole(""):
                constant += measure == SIZE
            case Hole(name):
                holes[name] += 1
            case Built(root, children):
                if children is None and is_right:
                    return None
                if measure == SIZE or (children == () and (root == measure or (is_right and root is None))):
                    constant += 1
    return Weight(constant, holes)


@lru_cache(maxsize=1 << 14)
def change(rewrite: Rewrite, measure: Hashable) -> int | None:
    """An upper bound of how much a firing increases a measure; None if there is none."""
    left, right = weight(rewrite.left, measure, False), weight(rewrite.right, measure, True)
    if left is None or right is None or any(count > left.holes[name] for name, count in right.holes.items()):
        return None
    dropped = sum((left.holes - right.holes).values())
    return right.constant - left.constant - (dropped if measure == SIZE else 0)


@lru_cache(maxsize=1024)
def always_end(rules: frozenset[Rule]) -> bool:
    """Whether a lexicographic order of measures shows that the rules cannot fire forever, at any place."""
    rewrites: list[Rewrite] = []
    for rule in rules:
        rewrites_of_rule = rewrites_of(rule)
        if rewrites_of_rule is None:
            return False
        rewrites += rewrites_of_rule
    measures = _measures(rewrites)
    while rewrites:
        for measure in measures:
            changes = [change(rewrite, measure) for rewrite in rewrites]
            if all(amount is not None and amount <= 0 for amount in changes) and any(changes):
                rewrites = [rewrite for rewrite, amount in zip(rewrites, changes, strict=True) if amount == 0]
                break
        else:
            return False
    return True


def _measures(rewrites: Sequence[Rewrite]) -> list[Hashable]:
    measures: dict[Hashable, None] = {SIZE: None}
    for rewrite in rewrites:
        for part in parts_of(rewrite.left):
            if isinstance(part, Built) and part.children == () and part.root is not None:
                measures[part.root] = None
    return list(measures)


def never_grow(rules: frozenset[Rule] | None) -> bool:
    """Whether no firing makes a program larger."""
    for rule in rules or ():
        changes = [change(rewrite, SIZE) for rewrite in rewrites_of(rule) or (Rewrite(Hole(), Hole()),)]
        if any(amount is None or amount > 0 for amount in changes):
            return False
    return rules is not None
