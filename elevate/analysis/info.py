"""What is known of a strategy before it runs: can it fail, can it leave a term as it is, can it run for ever.

Knows the strategies and the shapes of rules, and no language. Each answer is sound: `never` and `always` hold for
every term, `may` claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from elevate.analysis.shapes import Hole, unify
from elevate.analysis.termination import always_end, never_grow, rewrites_of, rules_of
from elevate.combinators import Not, Repeat, RepeatNTimes
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, definition_of, seq
from elevate.traversals import (
    All,
    AllBottomup,
    Alltd,
    AllTopdown,
    BottomUp,
    Child,
    Downup,
    Downup2,
    Normalize,
    One,
    Position,
    Skip,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
)

DEEPEST: Final = 100
"""How many strategies deep an analysis goes; what is below may do anything."""
LONGEST: Final = 4000
"""How many strategies an analysis looks at."""


class Answer(StrEnum):
    """Whether something happens."""

    NEVER = "never"
    MAY = "may"
    ALWAYS = "always"


NEVER, MAY, ALWAYS = Answer.NEVER, Answer.MAY, Answer.ALWAYS


@dataclass(frozen=True, slots=True)
class Info:
    """What is known of a strategy."""

    fails: Answer
    """Whether it fails; `always`: it never succeeds."""
    unchanged: Answer
    """Whether a success leaves the term as it was."""
    diverges: Answer
    """Whether it runs for ever, which raises StrategyError; `always`: it never gives a result."""

    def __str__(self) -> str:
        return (
            f"fails: {self.fails}, leaves the term as it is: {self.unchanged}, runs for ever: {self.diverges}"
        )


UNKNOWN: Final = Info(MAY, MAY, MAY)


@lru_cache(maxsize=4096)
def structure(strategy: Strategy) -> Info:
    """What the definition of a strategy says of it, whatever its rules make of each other's results."""
    return Survey().of(strategy)


class Survey:
    """One look at a strategy and all that is inside it."""

    def __init__(self) -> None:
        self.known: dict[Strategy, Info] = {}
        self.level = 0

    def of(self, s: Strategy) -> Info:
        """What is known of a strategy; of one inside its own definition nothing is taken for granted."""
        found = self.known.get(s)
        if found is not None:
            return found
        if self.level > DEEPEST or len(self.known) > LONGEST:
            return UNKNOWN
        self.known[s] = UNKNOWN
        self.level += 1
        found = self.known[s] = self.look(s)
        self.level -= 1
        return found

    def look(self, s: Strategy) -> Info:
        """What is known of a strategy by what it is made of."""
        match s:
            case Rule():
                return of_rule(s)
            case Predicate():
                return Info(MAY, ALWAYS, NEVER)
            case Id():
                return Info(NEVER, ALWAYS, NEVER)
            case Fail():
                return Info(ALWAYS, ALWAYS, NEVER)
            case Seq(parts):
                return self.sequence(s, parts)
            case LChoice(alternatives):
                return self.choice(alternatives)
            case Not(inner):
                it = self.of(inner)
                fails = {ALWAYS: NEVER, MAY: MAY, NEVER: ALWAYS}[it.fails]
                return Info(fails, ALWAYS, it.diverges)
            case Repeat(inner):
                return self.repetition(inner)
            case RepeatNTimes(n, inner):
                return self.of(seq(*[inner] * min(n, 2)))
            case Child(_, inner) | One(inner) | Some(inner):
                it = self.of(inner)
                return Info(ALWAYS if it.fails is ALWAYS else MAY, it.unchanged, at_most_may(it.diverges))
            case All(inner):
                it = self.of(inner)
                fails = NEVER if it.fails is NEVER else MAY
                return Info(fails, ALWAYS if keeps(it) else MAY, at_most_may(it.diverges))
            case Position(n, inner) | Skip(n, inner):
                it = self.of(inner)
                fails = it.fails if n == 0 or it.fails is ALWAYS else MAY
                return Info(fails, it.unchanged, it.diverges if n == 0 else at_most_may(it.diverges))
            case TopDown(inner) | Sometd(inner):
                return self.of(inner)
            case BottomUp(inner) | Somebu(inner):
                return self.of(inner)  # a leaf is met first: what always runs for ever does so there
            case AllTopdown(inner):
                return self.everywhere(inner, inner, self.descends(inner))
            case Downup(inner):
                return self.everywhere(inner, inner, self.descends(inner))
            case Downup2(down, up):
                return self.everywhere(down, up, self.descends(down))
            case AllBottomup(inner):
                return self.everywhere(inner, inner, NEVER)
            case TryAll(inner) | Alltd(inner):
                it = self.of(inner)
                return Info(NEVER, ALWAYS if keeps(it) else MAY, it.diverges)
            case Normalize(inner):
                return self.repetition(inner)
            case _:
                body = definition_of(s)
                return UNKNOWN if body is None else self.of(body)

    def sequence(self, whole: Strategy, parts: Iterable[Strategy]) -> Info:
        """One after the other."""
        each = [self.of(part) for part in parts]
        changing = [one for one in each if one.unchanged is not ALWAYS]
        if not changing:
            unchanged = ALWAYS
        elif all(one.unchanged is MAY for one in changing):
            unchanged = MAY
        else:  # one that changes the term is not undone by itself, nor by rules that only make it smaller
            unchanged = NEVER if len(changing) == 1 or ends(whole) else MAY
        diverges = NEVER
        for one in each:
            if one.diverges is not NEVER:
                diverges = one.diverges if diverges is NEVER else MAY
                break
            if one.fails is not NEVER:
                diverges = MAY if any(other.diverges is not NEVER for other in each) else NEVER
                break
        return Info(all_of([one.fails for one in each]), unchanged, diverges)

    def choice(self, alternatives: Iterable[Strategy]) -> Info:
        """The first that succeeds."""
        reached: list[Info] = [Info(ALWAYS, ALWAYS, NEVER)]
        for one in alternatives:
            reached.append(self.of(one))
            if reached[-1].fails is NEVER:
                break
        fails = reached[-1].fails
        if fails is not NEVER and any(one.fails is not ALWAYS for one in reached):
            fails = MAY
        changes = {one.unchanged for one in reached if one.fails is not ALWAYS}
        unchanged = changes.pop() if len(changes) == 1 else MAY if changes else ALWAYS
        diverges = NEVER if all(one.diverges is NEVER for one in reached) else MAY
        first = reached[min(1, len(reached) - 1)]
        return Info(fails, unchanged, ALWAYS if first.diverges is ALWAYS else diverges)

    def repetition(self, inner: Strategy) -> Info:
        """As often as it succeeds; at the root or, the same for all that is known, anywhere."""
        it = self.of(inner)
        unchanged = ALWAYS if keeps(it) else MAY
        if it.fails is NEVER or it.diverges is ALWAYS:
            return Info(NEVER, unchanged, ALWAYS)
        stops = it.fails is ALWAYS or (it.unchanged is NEVER and ends(inner))
        return Info(NEVER, unchanged, NEVER if stops and it.diverges is NEVER else MAY)

    def everywhere(self, first: Strategy, second: Strategy, descends: Answer) -> Info:
        """At a node and at all below it, by one strategy on the way down and one on the way up."""
        one, other = self.of(first), self.of(second)
        fails = all_of([one.fails, other.fails])
        unchanged = ALWAYS if keeps(one) and keeps(other) else MAY
        safe = one.diverges is NEVER and other.diverges is NEVER and descends is NEVER
        return Info(fails, unchanged, NEVER if safe else MAY)

    def descends(self, down: Strategy) -> Answer:
        """Whether a strategy may build below itself what it then comes to, without end."""
        return NEVER if self.of(down).unchanged is ALWAYS or never_grow(rules_of(down)) else MAY


def of_rule(rule: Rule) -> Info:
    """What a rule's shapes say of it."""
    rewrites = rewrites_of(rule)
    if rewrites is None:
        return Info(MAY, MAY, NEVER)
    if not rewrites:
        return Info(ALWAYS, ALWAYS, NEVER)
    total = any(one.exact and isinstance(one.left, Hole) for one in rewrites)
    changes = ends(rule) or not any(unify(one.left, one.right) for one in rewrites)
    return Info(NEVER if total else MAY, NEVER if changes else MAY, NEVER)


def ends(strategy: Strategy) -> bool:
    """Whether the rules of a strategy cannot fire for ever, wherever they fire."""
    rules = rules_of(strategy)
    return rules is not None and always_end(rules)


def keeps(it: Info) -> bool:
    """Whether the term is the same after each success."""
    return it.unchanged is ALWAYS or it.fails is ALWAYS


def at_most_may(answer: Answer) -> Answer:
    """Of something that happens in some cases only."""
    return NEVER if answer is NEVER else MAY


def all_of(fails: Iterable[Answer]) -> Answer:
    """Whether something fails that needs several successes."""
    several = set(fails)
    return ALWAYS if ALWAYS in several else NEVER if several <= {NEVER} else MAY
