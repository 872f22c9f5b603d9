"""Static analysis of whether a strategy can fail, leave a term unchanged, or run forever.

Depends on the strategies and the shapes of rules, but not on languages. Each answer is sound: `never` and `always` hold
for every term, and `may` claims nothing.
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
    NormalizeBottomup,
    One,
    Position,
    Skip,
    Some,
    Somebu,
    Sometd,
    TopDown,
    TryAll,
)

MAX_DEPTH: Final = 100
"""How many levels of nested strategies an analysis inspects; it assumes nothing about deeper ones."""
MAX_STRATEGIES: Final = 8000
"""How many strategies an analysis inspects."""


class Answer(StrEnum):
    """Whether something happens."""

    NEVER = "never"
    MAY = "may"
    ALWAYS = "always"


NEVER, MAY, ALWAYS = Answer.NEVER, Answer.MAY, Answer.ALWAYS


@dataclass(frozen=True, slots=True)
class Info:
    """What is known about a strategy."""

    fails: Answer
    """Whether it fails; `always` if it never succeeds."""
    unchanged: Answer
    """Whether a success leaves the term unchanged."""
    diverges: Answer
    """Whether it runs forever, which raises StrategyError; `always` if it never returns."""

    def __str__(self) -> str:
        return (
            f"fails: {self.fails}, leaves the term unchanged: {self.unchanged}, runs forever: {self.diverges}"
        )


UNKNOWN: Final = Info(MAY, MAY, MAY)


@lru_cache(maxsize=4096)
def structure(strategy: Strategy) -> Info:
    """What the structure of a strategy implies, regardless of how its rules interact."""
    return Survey().of(strategy)


class Survey:
    """Analyses a strategy and its parts, each once."""

    def __init__(self) -> None:
        self.known: dict[Strategy, Info] = {}
        self.level = 0

    def of(self, s: Strategy) -> Info:
        """What is known about a strategy; nothing while its own definition is analysed."""
        info = self.known.get(s)
        if info is not None:
            return info
        if self.level > MAX_DEPTH or len(self.known) > MAX_STRATEGIES:
            return UNKNOWN
        self.known[s] = UNKNOWN
        self.level += 1
        info = self.known[s] = self.analysed(s)
        self.level -= 1
        return info

    def analysed(self, s: Strategy) -> Info:
        """What is known about a strategy from its parts."""
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
                info = self.of(inner)
                fails = {ALWAYS: NEVER, MAY: MAY, NEVER: ALWAYS}[info.fails]
                return Info(fails, ALWAYS, info.diverges)
            case Repeat(inner):
                return self.repetition(inner)
            case RepeatNTimes(n, inner):
                return self.of(seq(*[inner] * min(n, 2)))
            case Child(_, inner) | One(inner) | Some(inner):
                info = self.of(inner)
                return Info(
                    ALWAYS if info.fails is ALWAYS else MAY, info.unchanged, at_most_may(info.diverges)
                )
            case All(inner):
                info = self.of(inner)
                fails = NEVER if info.fails is NEVER else MAY
                return Info(fails, ALWAYS if keeps(info) else MAY, at_most_may(info.diverges))
            case Position(n, inner) | Skip(n, inner):
                info = self.of(inner)
                fails = info.fails if n == 0 or info.fails is ALWAYS else MAY
                return Info(fails, info.unchanged, info.diverges if n == 0 else at_most_may(info.diverges))
            case TopDown(inner) | Sometd(inner):
                return self.of(inner)
            case BottomUp(inner) | Somebu(inner):
                return self.of(inner)  # a leaf comes first: a strategy that always diverges does so there
            case AllTopdown(inner):
                return self.everywhere(inner, inner, self.descends(inner))
            case Downup(inner):
                return self.everywhere(inner, inner, self.descends(inner))
            case Downup2(down, up):
                return self.everywhere(down, up, self.descends(down))
            case AllBottomup(inner):
                return self.everywhere(inner, inner, NEVER)
            case TryAll(inner) | Alltd(inner):
                info = self.of(inner)
                return Info(NEVER, ALWAYS if keeps(info) else MAY, info.diverges)
            case Normalize(inner) | NormalizeBottomup(inner):
                return self.repetition(inner)
            case _:
                body = definition_of(s)
                return UNKNOWN if body is None else self.of(body)

    def sequence(self, whole: Strategy, parts: Iterable[Strategy]) -> Info:
        """Strategies in sequence."""
        infos = [self.of(part) for part in parts]
        changing = [info for info in infos if info.unchanged is not ALWAYS]
        if not changing:
            unchanged = ALWAYS
        elif all(info.unchanged is MAY for info in changing):
            unchanged = MAY
        else:  # one change is not undone by itself, nor several by rules that only decrease a measure
            unchanged = NEVER if len(changing) == 1 or ends(whole) else MAY
        diverges = NEVER
        for info in infos:
            if info.diverges is not NEVER:
                diverges = info.diverges if diverges is NEVER else MAY
                break
            if info.fails is not NEVER:
                diverges = MAY if any(later.diverges is not NEVER for later in infos) else NEVER
                break
        return Info(all_of([info.fails for info in infos]), unchanged, diverges)

    def choice(self, alternatives: Iterable[Strategy]) -> Info:
        """The first strategy that succeeds."""
        reached: list[Info] = [Info(ALWAYS, ALWAYS, NEVER)]
        for alternative in alternatives:
            reached.append(self.of(alternative))
            if reached[-1].fails is NEVER:
                break
        fails = reached[-1].fails
        if fails is not NEVER and any(info.fails is not ALWAYS for info in reached):
            fails = MAY
        changes = {info.unchanged for info in reached if info.fails is not ALWAYS}
        unchanged = changes.pop() if len(changes) == 1 else MAY if changes else ALWAYS
        diverges = NEVER if all(info.diverges is NEVER for info in reached) else MAY
        first = reached[min(1, len(reached) - 1)]
        return Info(fails, unchanged, ALWAYS if first.diverges is ALWAYS else diverges)

    def repetition(self, inner: Strategy) -> Info:
        """A strategy applied until it fails, at the root or anywhere: the same is known about both."""
        info = self.of(inner)
        unchanged = ALWAYS if keeps(info) else MAY
        if info.fails is NEVER or info.diverges is ALWAYS:
            return Info(NEVER, unchanged, ALWAYS)
        stops = info.fails is ALWAYS or (info.unchanged is NEVER and ends(inner))
        return Info(NEVER, unchanged, NEVER if stops and info.diverges is NEVER else MAY)

    def everywhere(self, first: Strategy, second: Strategy, descends: Answer) -> Info:
        """A traversal of all nodes, with one strategy on the way down and one on the way up."""
        down, up = self.of(first), self.of(second)
        fails = all_of([down.fails, up.fails])
        unchanged = ALWAYS if keeps(down) and keeps(up) else MAY
        safe = down.diverges is NEVER and up.diverges is NEVER and descends is NEVER
        return Info(fails, unchanged, NEVER if safe else MAY)

    def descends(self, down: Strategy) -> Answer:
        """Whether a strategy may build new terms below itself forever, which it then visits."""
        return NEVER if self.of(down).unchanged is ALWAYS or never_grow(rules_of(down)) else MAY


def of_rule(rule: Rule) -> Info:
    """What the shapes of a rule imply."""
    rewrites = rewrites_of(rule)
    if rewrites is None:
        return Info(MAY, MAY, NEVER)
    if not rewrites:
        return Info(ALWAYS, ALWAYS, NEVER)
    total = any(rewrite.exact and isinstance(rewrite.left, Hole) for rewrite in rewrites)
    changes = ends(rule) or not any(unify(rewrite.left, rewrite.right) for rewrite in rewrites)
    return Info(NEVER if total else MAY, NEVER if changes else MAY, NEVER)


def ends(strategy: Strategy) -> bool:
    """Whether the rules of a strategy cannot fire forever, at any place."""
    rules = rules_of(strategy)
    return rules is not None and always_end(rules)


def keeps(info: Info) -> bool:
    """Whether every success leaves the term unchanged."""
    return info.unchanged is ALWAYS or info.fails is ALWAYS


def at_most_may(answer: Answer) -> Answer:
    """The answer for a strategy that is applied only in some cases."""
    return NEVER if answer is NEVER else MAY


def all_of(fails: Iterable[Answer]) -> Answer:
    """Whether a combination fails that requires all of several strategies to succeed."""
    answers = set(fails)
    return ALWAYS if ALWAYS in answers else NEVER if answers <= {NEVER} else MAY
