"""Why rules cannot fire for ever: measures of terms that every firing makes smaller. Knows shapes, and no language.

A measure counts nodes, or leaves of one root, in a whole program; so a firing anywhere changes it by what the rule
does to the term at its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from elevate.analysis.shapes import Built, Hole, Rewrite, Shape, Shaped, cut, parts_of
from elevate.combinators import Not, Repeat
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, definition_of, parts
from elevate.traversals import All, Child, One, Position, Skip, Some

SEEN: Final = 2000
"""How many strategies inside one another are looked at."""
SIZE: Final = "the size"
"""The measure that counts all nodes; any other is the root of the leaves that it counts."""


@lru_cache(maxsize=2048)
def rewrites_of(rule: Rule) -> tuple[Rewrite, ...] | None:
    """What a rule says of its shapes; of one that names its roots only, that; None where nothing is known."""
    if isinstance(rule, Shaped):
        given = rule.shapes()
        if given is not None:
            return tuple(Rewrite(cut(one.left), cut(one.right), one.exact) for one in given)
    return None if rule.roots is None else tuple(Rewrite(Built(root), Hole()) for root in rule.roots)


def rules_of(strategy: Strategy) -> frozenset[Rule] | None:
    """All rules that a strategy may fire; None where that is not known."""
    found: set[Rule] = set()
    seen: set[Strategy] = set()
    waiting: list[Strategy] = [strategy]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if len(seen) > SEEN:
            return None
        if isinstance(one, Rule):
            found.add(one)
            continue
        inner = list(strategies_in(parts(one)))
        body = definition_of(one)
        if body is None and not isinstance(one, KNOWN):
            return None
        waiting += [*inner, *([body] if body is not None else [])]
    return frozenset(found)


KNOWN: Final = (Predicate, Id, Fail, Seq, LChoice, Not, Repeat, All, One, Some, Child, Position, Skip)
"""The strategies without a definition of which it is known what they do."""


def strategies_in(arguments: Iterable[object]) -> Iterator[Strategy]:
    """The strategies among the arguments of a strategy."""
    for each in arguments:
        if isinstance(each, Strategy):
            yield each
        elif isinstance(each, tuple):
            yield from strategies_in(each)


@dataclass(frozen=True, slots=True)
class Weight:
    """The measure of a shape: a constant, and how often each hole's own measure is added."""

    constant: int
    holes: Counter[str]


def weight(shape: Shape, measure: Hashable, is_right: bool) -> Weight | None:
    """The measure of a shape: on the right at most, on the left at least; None where there is no bound."""
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


def change(rewrite: Rewrite, measure: Hashable) -> int | None:
    """By how much a firing makes a measure greater, at most; None where there is no bound."""
    left, right = weight(rewrite.left, measure, False), weight(rewrite.right, measure, True)
    if left is None or right is None or any(count > left.holes[name] for name, count in right.holes.items()):
        return None
    dropped = sum((left.holes - right.holes).values())
    return right.constant - left.constant - (dropped if measure == SIZE else 0)


@lru_cache(maxsize=1024)
def always_end(rules: frozenset[Rule]) -> bool:
    """Whether measures, one after the other, show that no rule can fire for ever, wherever it fires."""
    rewrites: list[Rewrite] = []
    for rule in rules:
        found = rewrites_of(rule)
        if found is None:
            return False
        rewrites += found
    measures = _measures(rewrites)
    while rewrites:
        for measure in measures:
            changes = [change(one, measure) for one in rewrites]
            if all(by is not None and by <= 0 for by in changes) and any(changes):
                rewrites = [one for one, by in zip(rewrites, changes, strict=True) if by == 0]
                break
        else:
            return False
    return True


def _measures(rewrites: Sequence[Rewrite]) -> list[Hashable]:
    found: dict[Hashable, None] = {SIZE: None}
    for rewrite in rewrites:
        for part in parts_of(rewrite.left):
            if isinstance(part, Built) and part.children == () and part.root is not None:
                found[part.root] = None
    return list(found)


def never_grow(rules: frozenset[Rule] | None) -> bool:
    """Whether no firing makes a program larger."""
    for rule in rules or ():
        changes = [change(one, SIZE) for one in rewrites_of(rule) or (Rewrite(Hole(), Hole()),)]
        if any(by is None or by > 0 for by in changes):
            return False
    return rules is not None
