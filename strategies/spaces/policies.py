"""Policies: which candidate of a space to evaluate next. Independent of programs; does not evaluate candidates.

A policy answers `ask` with a leaf of the tree, or None if it wants no other; `tell` reports the result of one. Random
choices use a generator that the search creates for each question, so that an interrupted search continues in the same
way.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import count
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.records import dataclass
from strategies.spaces.holes import Decisions
from strategies.spaces.tree import Prefix, Tree

DEFAULT_POLICY: Final = "tag"
BEST_RESULTS: Final = 10  # the results that TAG considers good
SURENESS: Final = 1.0  # delta of TAG: smaller explores more
EXPLORATION: Final = math.sqrt(2)  # of UCT
LEAST_WEIGHT: Final = 1e-9
BOUND_MARGIN: Final = 1.02  # bounds this close do not tell which candidate is faster
Pick = Callable[[Tree, Sequence[Prefix], Random], Prefix]


class Policy(Protocol):
    """An order of search."""

    @property
    def prunes(self) -> bool:
        """Whether it omits candidates that, according to bounds, are no faster than the best."""
        ...

    def ask(self, tree: Tree, random: Random) -> Decisions | None:
        """The decisions of the next candidate, which the tree then gives to no one else; None if it wants no other."""
        ...

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Receive the result of a candidate, after the tree has: its seconds, or None if it is dead."""
        ...


@dataclass(slots=True)
class Descent:
    """Descends from the root to a leaf, choosing among live prefixes by `pick`; starts again if none is live."""

    pick: Pick
    prunes: bool

    def ask(self, tree: Tree, random: Random) -> Decisions | None:
        """The leaf that the descent reaches."""
        return descend(tree, tree.root, self.pick, self.prunes, random)

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Do nothing: the tree stores all results."""


@dataclass(slots=True)
class BranchAndBound:
    """Takes any of the prefixes with almost the least bound: once the best is no slower than all bounds, no better one
    is left. In order, candidates that differ only in what bounds do not see would follow each other.
    """

    prunes: bool = True
    _waiting: list[tuple[int, float, int, Prefix]] = field(default_factory=list)
    _numbers: count[int] = field(default_factory=count)

    def ask(self, tree: Tree, random: Random) -> Decisions | None:
        """The leaf with the least bound."""
        found = self._next(tree, random)
        if found is None and tree.is_live(tree.root, prunes=True):
            # the queue lacks what was cut before a result refuted the bounds
            self._push(tree.root, random)
            found = self._next(tree, random)
        return found

    def _next(self, tree: Tree, random: Random) -> Decisions | None:
        while self._waiting:
            *_, prefix = heapq.heappop(self._waiting)
            if not tree.is_live(prefix, prunes=True):
                continue
            if prefix.is_leaf:
                return tree.take(prefix)
            for child in tree.live(prefix, prunes=True):
                self._push(child, random)
        return None

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Do nothing: the tree stores all results."""

    def _push(self, prefix: Prefix, random: Random) -> None:
        bound = float(prefix.bound.time)
        step = math.floor(math.log(bound) / math.log(BOUND_MARGIN)) if bound > 0 else -sys.maxsize
        heapq.heappush(self._waiting, (step, random.random(), next(self._numbers), prefix))


@dataclass(slots=True)
class Bandit:
    """A bandit at each prefix whose children all have results: the child with the greatest `score` is tried next. Among
    children without results, and below them, those with almost the least bound are equally likely. Telamon's weights,
    which are those of `by_bound`, hardly distinguish bounds that are a few percent apart.
    """

    score: Callable[[Tree, Prefix, Sequence[Prefix]], Callable[[Prefix], float]]
    prunes: bool = True

    def ask(self, tree: Tree, random: Random) -> Decisions | None:
        """The leaf to which the bandits lead."""
        while tree.is_live(tree.root, prunes=True):
            prefix = tree.root
            while not prefix.is_leaf:
                children = tree.live(prefix, prunes=True)
                fresh = [child for child in children if not child.visits]
                if fresh:
                    found = descend(tree, near_least(tree, fresh, random), near_least, True, random)
                    if found is not None:
                        return found
                    break
                if not children:
                    _cut_off(tree, prefix)
                    break
                prefix = max(children, key=self.score(tree, prefix, children))
            else:
                return tree.take(prefix)
        return None

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Do nothing: the tree stores all results."""


def descend(tree: Tree, start: Prefix, pick: Pick, prunes: bool, random: Random) -> Decisions | None:
    """A leaf below a prefix; None if none is live."""
    while tree.is_live(start, prunes):
        prefix = start
        while not prefix.is_leaf:
            children = tree.live(prefix, prunes)
            if not children:
                _cut_off(tree, prefix)
                break
            prefix = pick(tree, children, random)
        else:
            return tree.take(prefix)
    return None


def first(tree: Tree, prefixes: Sequence[Prefix], random: Random) -> Prefix:
    """Pick the first one, in the order of the domain."""
    return prefixes[0]


def any_of(tree: Tree, prefixes: Sequence[Prefix], random: Random) -> Prefix:
    """Pick each one with the same probability."""
    return random.choice(prefixes)


def near_least(tree: Tree, prefixes: Sequence[Prefix], random: Random) -> Prefix:
    """Pick one of those whose bounds are almost the least, each with the same probability."""
    least = min(float(prefix.bound.time) for prefix in prefixes)
    return random.choice([prefix for prefix in prefixes if float(prefix.bound.time) <= BOUND_MARGIN * least])


def by_bound(tree: Tree, prefixes: Sequence[Prefix], random: Random) -> Prefix:
    """Pick those with lower bounds b more often: with weight 1 - b/best, or 1/b without a best time and if the bounds
    are refuted.
    """
    bounds = [float(prefix.bound.time) for prefix in prefixes]
    if tree.best is None or tree.is_refuted:
        weights = [1 / bound if bound > 0 else 1.0 for bound in bounds]
    else:
        weights = [max(LEAST_WEIGHT, 1 - bound / tree.best) for bound in bounds]
    return random.choices(prefixes, weights)[0]


def tag_score(tree: Tree, parent: Prefix, children: Sequence[Prefix]) -> Callable[[Prefix], float]:
    """TAG (de Mesmay et al., ICML 2009): an optimistic fraction of a child's results that are among the best few."""
    times = sorted(time for child in children for time in child.times)[:BEST_RESULTS]
    threshold = times[-1] if times else math.inf
    visits = sum(child.visits for child in children)
    alpha = max(0.0, math.log(2 * visits * len(children) / SURENESS))

    def score(child: Prefix) -> float:
        good = sum(time <= threshold for time in child.times)
        return (good + alpha + math.sqrt(alpha * (2 * good + alpha))) / child.visits

    return score


def uct_score(tree: Tree, parent: Prefix, children: Sequence[Prefix]) -> Callable[[Prefix], float]:
    """UCT: the mean of best/time, which is 0 for dead candidates, plus a bonus for rarely visited children."""
    visits = sum(child.visits for child in children)

    def score(child: Prefix) -> float:
        reward = sum((tree.best or 0.0) / time for time in child.times if time) / child.visits
        return reward + EXPLORATION * math.sqrt(math.log(visits) / child.visits)

    return score


def policy_of(name: Any, others: Mapping[str, Callable[[], Policy]] = MappingProxyType({})) -> Policy:
    """A policy by its name, in its initial state. Raises RiseError for unknown names."""
    known = {**POLICIES, **others}
    if not isinstance(name, str) or name not in known:
        title = f"expected a policy, found {name!r:.40}"
        hint = (did_you_mean(name, known) if isinstance(name, str) else "") or f"there are {', '.join(known)}"
        raise RiseError(Diagnostic("unknown-policy", title, hint=hint))
    return known[name]()


def _cut_off(tree: Tree, prefix: Prefix) -> None:
    """Cut a prefix below which nothing is live, by raising its bound to the least of those below, which are cut."""
    open_ones = [child.bound for child in tree.below(prefix) if not child.is_closed]
    if open_ones:
        prefix.bound = prefix.bound.at_least(min(open_ones, key=lambda bound: bound.time))


#: policies by name, each as a function that creates it in its initial state
POLICIES: Final[Mapping[str, Callable[[], Policy]]] = MappingProxyType(
    {
        "exhaustive": lambda: Descent(first, prunes=False),
        "random": lambda: Descent(any_of, prunes=False),
        "bound": lambda: Descent(by_bound, prunes=True),
        "bnb": BranchAndBound,
        "tag": lambda: Bandit(tag_score),
        "uct": lambda: Bandit(uct_score),
    }
)
