"""The tree of a space: prefixes of decisions, their bounds, and the results below them.

Independent of orders of search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from strategies.lookup import cause_of
from strategies.spaces.bounds import Bound, least_of
from strategies.spaces.holes import Decisions, HoleValue, Space, SpaceError
from strategies.spaces.models import Setting, program_bound
from strategies.spaces.replay import Dead, Leaf, Open, replay, text_of

MAX_PREFIXES: Final = 20_000  # for which separate bounds are computed
MAX_TIMES: Final = 1_000  # stored at a prefix


@dataclass(slots=True, eq=False)
class Prefix:
    """A node: decisions, and what is known about the candidates with them. It is closed when none of these is left."""

    decisions: Decisions
    parent: Prefix | None
    bound: Bound
    choice: str = ""
    is_leaf: bool = False
    is_closed: bool = False
    children: list[tuple[HoleValue, Prefix]] | None = None
    visits: int = 0
    times: list[float] = field(default_factory=list)


class PrefixBounds:
    """The bound of each prefix: that of the space's model if it bounds prefixes, otherwise the least bound of the
    candidates below it; and never less than that of the program.
    """

    def __init__(self, space: Space, setting: Setting | None) -> None:
        self._space, self._setting = space, setting
        self._least = Bound(0.0, "the machine is not known") if setting is None else program_bound(setting)
        self._known: dict[str, Bound] = {}
        has_leaves = setting is not None and space.bound is not None and not space.bounds_prefixes
        self.is_complete = has_leaves and self._fill()

    def of(self, decisions: Decisions, is_leaf: bool) -> Bound:
        """The bound of a prefix that is not dead."""
        known = self._known.get(text_of(decisions)) if self.is_complete else None
        if known is not None:
            return known
        return self._of_leaf(decisions) if is_leaf or self._space.bounds_prefixes else self._least

    def _of_leaf(self, decisions: Decisions) -> Bound:
        if self._setting is None or self._space.bound is None:
            return self._least
        try:
            found = self._space.bound(self._setting, decisions)
        except RiseError:
            raise
        except Exception as error:  # the user's function may raise any exception
            title = f"calling the bound of `{self._space.name}` failed: {cause_of(error)}"
            hint = f"it fails for {text_of(decisions)}"
            raise SpaceError(Diagnostic("broken-bound", title, hint=hint)) from None
        if not isinstance(found, Bound) or not (0 <= found.time < math.inf):
            title = (
                f"expected the bound of `{self._space.name}` to be a Bound of seconds, found {found!r:.60}"
            )
            raise SpaceError(
                Diagnostic("no-bound", title, hint='for example Bound(1e-3, "memory bandwidth")')
            )
        return self._least.at_least(found)

    def _fill(self) -> bool:
        """Compute the bounds of all prefixes, from the leaves up; False if there are too many."""
        order: list[tuple[str, list[str]]] = []
        waiting: list[Decisions] = [{}]
        while waiting:
            decisions = waiting.pop()
            match replay(self._space, decisions):
                case Leaf(decisions=made):
                    leaf = self._of_leaf(made)
                    self._known[text_of(decisions)] = self._known[text_of(made)] = leaf
                case Open(choice, domain, partial):
                    below: list[Decisions] = [{**partial, choice: value} for value in domain]
                    order.append((text_of(decisions), [text_of(one) for one in below]))
                    waiting += below
                case Dead():
                    pass
            if len(order) + len(self._known) > MAX_PREFIXES:
                return False
        for text, below_texts in reversed(order):
            least = least_of(self._known[one] for one in below_texts if one in self._known)
            if least is not None:
                self._known[text] = least
        return True


class Tree:
    """The prefixes of a space that a search has seen, with its results."""

    def __init__(self, space: Space, setting: Setting | None = None) -> None:
        self.space = space
        self.bounds = PrefixBounds(space, setting)
        self.best: float | None = None
        #: the least time of a candidate divided by its bound: below 1, the bounds do not hold
        self.least_ratio = math.inf
        self.results = 0
        self.dead: list[Dead] = []
        self.root = self._prefix({}, None)

    def below(self, prefix: Prefix) -> list[Prefix]:
        """The prefixes with one more decision."""
        if prefix.children is None:
            prefix.children = []
            outcome = replay(self.space, prefix.decisions)
            assert isinstance(outcome, Open), prefix.decisions
            for value in outcome.domain:
                decisions = {**outcome.partial, outcome.choice: value}
                prefix.children.append((value, self._prefix(decisions, prefix)))
        return [child for _, child in prefix.children]

    def live(self, prefix: Prefix, prunes: bool) -> list[Prefix]:
        """The children of a prefix that are not closed and, if the search prunes, may still be faster than the best."""
        found = [child for child in self.below(prefix) if self.is_live(child, prunes)]
        if not any(not child.is_closed for child in self.below(prefix)):
            self._close(prefix)
        return found

    def is_live(self, prefix: Prefix, prunes: bool) -> bool:
        """Whether a prefix is not closed and, if the search prunes, may still be faster than the best."""
        return not prefix.is_closed and not (prunes and self.is_cut(prefix))

    def is_cut(self, prefix: Prefix) -> bool:
        """Whether nothing below a prefix can be faster than the best, unless the bounds are refuted."""
        return self.best is not None and not self.is_refuted and prefix.bound.time >= self.best

    @property
    def is_refuted(self) -> bool:
        """Whether a candidate was faster than its bound, so that the bounds do not hold for this machine."""
        return self.least_ratio < 1

    def compare(self, seconds: float, bound: float) -> None:
        """Compare a time with a bound of the same candidate."""
        if bound > 0:
            self.least_ratio = min(self.least_ratio, seconds / bound)

    def take(self, leaf: Prefix) -> Decisions:
        """Give a leaf to a search, which evaluates it; it is not given out again."""
        self._close(leaf)
        return leaf.decisions

    def tell(self, decisions: Decisions, seconds: float | None) -> None:
        """Record a result: the seconds that a candidate takes, or None if it is dead."""
        self.results += 1
        if seconds is not None and (self.best is None or seconds < self.best):
            self.best = seconds
        prefix: Prefix | None = self.find(decisions)
        if prefix is not None and prefix.is_leaf:
            self._close(prefix)
            if seconds is not None:
                self.compare(seconds, float(prefix.bound.time))
        while prefix is not None:
            prefix.visits += 1
            if seconds is not None and len(prefix.times) < MAX_TIMES:
                prefix.times.append(seconds)
            prefix = prefix.parent

    def find(self, decisions: Decisions) -> Prefix | None:
        """The leaf with these decisions, or the dead prefix of them; None if the tree has neither."""
        prefix = self.root
        while not prefix.is_leaf and (prefix.children or not prefix.is_closed):
            self.below(prefix)
            outcome = prefix.children or []
            wanted = decisions.get(prefix.choice)
            following = [child for value, child in outcome if type(value) is type(wanted) and value == wanted]
            if not following:
                return None
            prefix = following[0]
        return prefix

    def lower(self) -> Bound | None:
        """The least bound of the prefixes that are not closed; None if there are none."""
        return least_of(prefix.bound for prefix in self.frontier())

    def gap(self) -> float | None:
        """The fraction of the best time, from 0 to 1, that bounds say might still be saved; None without a best
        time, and if the bounds are refuted.
        """
        if self.best is None or self.is_refuted:
            return None
        lower = self.lower()
        if lower is None or not self.best:
            return 0.0
        return max(0.0, 1 - float(lower.time) / self.best)

    def pruned(self) -> int:
        """The number of open prefixes that are cut by their bounds."""
        return sum(self.is_cut(prefix) for prefix in self.frontier())

    def frontier(self) -> Iterator[Prefix]:
        """The prefixes that are not closed and not expanded."""
        waiting = [self.root]
        while waiting:
            prefix = waiting.pop()
            if prefix.is_closed:
                continue
            if prefix.children is None:
                yield prefix
            else:
                waiting += [child for _, child in prefix.children]

    def _prefix(self, decisions: Decisions, parent: Prefix | None) -> Prefix:
        outcome = replay(self.space, decisions)
        unknown = Bound(0.0, "")
        if isinstance(outcome, Dead):
            self.dead.append(outcome)
            return Prefix(outcome.decisions, parent, unknown, is_leaf=True, is_closed=True)
        is_leaf = isinstance(outcome, Leaf)
        bound = self.bounds.of(decisions, is_leaf)
        if parent is not None:
            bound = parent.bound.at_least(bound)
        if isinstance(outcome, Leaf):
            return Prefix(outcome.decisions, parent, bound, is_leaf=True)
        return Prefix(decisions, parent, bound, choice=outcome.choice)

    def _close(self, prefix: Prefix) -> None:
        one: Prefix | None = prefix
        while one is not None and not one.is_closed:
            if not one.is_leaf and any(not child.is_closed for _, child in one.children or ()):
                return
            one.is_closed = True
            one = one.parent
