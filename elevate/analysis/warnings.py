"""Warnings about strategies: parts that never fit, never fail, never fire, or never terminate.

Depends on the strategies, but not on languages. Every warning is sound: what it claims never to happen does not happen
for any program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from elevate.analysis.conditions import FALSE, TRUE, Condition, Is, either, shapes_at_least, shapes_at_most
from elevate.analysis.info import ALWAYS, MAY, NEVER, Info, Survey
from elevate.analysis.outcomes import Outcomes
from elevate.analysis.requirements import Needs
from elevate.analysis.shapes import ALL, Rewrite, covers, parts_of
from elevate.analysis.termination import always_end, rewrites_of
from elevate.combinators import IfThenElse, Named, Not, Repeat, Try
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.rules import Predicate, Rule
from elevate.strategy import (
    Fail,
    LChoice,
    Seq,
    Strategy,
    definition_of,
    expected_strategy,
    parts,
    strategies_of,
)
from elevate.term import show_term
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import AllBottomup, AllTopdown, Downup, Downup2, Normalize, NormalizeBottomup

MAX_STRATEGIES: Final = 2000
"""How many strategies inside one are checked."""
OWN_PACKAGE: Final = "elevate."
"""The prefix of the modules whose strategies are not unfolded if they have parts."""
MAX_SHOWN_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True)
class Warning_:
    """A likely mistake in a part of a strategy."""

    code: str
    title: str
    strategy: Strategy
    """The part."""
    culprit: Strategy
    """Its subpart that never fails, never succeeds, or cycles."""
    hint: str
    notes: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    """The names of the enclosing strategies, outermost first."""

    @property
    def diagnostic(self) -> Diagnostic:
        """The warning as the command line shows it."""
        where = (f"in {' > '.join(self.inside)}",) if self.inside else ()
        return Diagnostic(self.code, self.title, hint=self.hint, notes=(*self.notes, *where))

    def __str__(self) -> str:
        return self.diagnostic.render().replace("error[", "warning[", 1)


@ends_at_the_users_line
def warnings_of(strategy: Strategy, *, strict: bool = False) -> tuple[Warning_, ...]:
    """The warnings about a strategy and its parts. `strict` raises StrategyError with the first one."""
    warnings = _warnings(expected_strategy(strategy))
    if strict and warnings:
        raise StrategyError(warnings[0].diagnostic)
    return warnings


@ends_at_the_users_line
def info(strategy: Strategy) -> Info:
    """Whether a strategy fails, leaves the term unchanged, or runs forever; never, may, or always."""
    return Checker().info(expected_strategy(strategy))


@lru_cache(maxsize=256)
def _warnings(strategy: Strategy) -> tuple[Warning_, ...]:
    checker = Checker()
    warnings: dict[tuple[str, Strategy], Warning_] = {}
    seen: set[Strategy] = set()
    found: list[tuple[Strategy, tuple[str, ...]]] = []
    waiting: list[tuple[Strategy, tuple[str, ...]]] = [(strategy, ())]
    while waiting and len(seen) < MAX_STRATEGIES:
        part, inside = waiting.pop()
        if part in seen or isinstance(part, Rule | Predicate):
            continue
        seen.add(part)
        if isinstance(part, Named):
            waiting.append((part.body, (*inside, show_term(part, MAX_SHOWN_CHARACTERS))))
            continue
        found.append((part, inside))
        subparts = list(strategies_of(parts(part)))
        body = None if subparts and type(part).__module__.startswith(OWN_PACKAGE) else definition_of(part)
        subparts += [] if body is None else [body]
        waiting += [(subpart, inside) for subpart in reversed(subparts)]
    # Parts come first: what is known about a large strategy may use up the limit of what is remembered.
    of_parts = [[*checker.check(part)] for part, _ in reversed(found)][::-1]
    for (_, inside), of_part in zip(found, of_parts, strict=True):
        for warning in of_part:
            warnings.setdefault((warning.code, warning.strategy), replace(warning, inside=inside))
    return tuple(warnings.values())


class Checker:
    """Checks single strategies, not their parts."""

    def __init__(self) -> None:
        self.survey = Survey()
        self.outcomes = Outcomes(self.survey)
        self.needs = Needs(self.survey)

    def info(self, s: Strategy) -> Info:
        """What is known about a strategy, taking shapes into account."""
        known = self.survey.of(s)
        return replace(known, fails=ALWAYS) if known.fails is MAY and self.never_succeeds(s) else known

    def never_fails(self, s: Strategy) -> bool:
        """Whether a strategy never fails."""
        return self.survey.of(s).fails is NEVER

    def never_succeeds(self, s: Strategy) -> bool:
        """Whether a strategy never succeeds."""
        return not self.outcomes.of(s) or not shapes_at_most(self.needs.needed(s))

    def check(self, s: Strategy) -> Iterator[Warning_]:
        """The warnings about a strategy itself."""
        match s:
            case Seq(steps):
                yield from self.misfits(s, steps)
            case LChoice(alternatives):
                yield from self.dead_branches(s, alternatives)
            case IfThenElse(condition, _, otherwise) if self.never_fails(condition):
                title = f"the last branch of `{shown(s)}` is never tried: `{shown(condition)}` never fails"
                yield Warning_(
                    "dead-branch", title, s, otherwise, "write the condition and the first branch as a `seq`"
                )
            case Try(inner) if self.never_fails(inner):
                title = f"`{shown(s)}` is redundant: `{shown(inner)}` never fails"
                yield Warning_("useless-try", title, s, inner, f"write `{shown(inner)}`")
            case Not(inner) if self.never_fails(inner):
                title = f"`{shown(s)}` always fails: `{shown(inner)}` never fails"
                yield Warning_(
                    "always-fails", title, s, inner, "negate a strategy that can fail, such as a rule"
                )
            case Repeat(inner) | Normalize(inner) | NormalizeBottomup(inner):
                yield from self.endless(s, inner)
            case AllTopdown() | AllBottomup() | Downup() | Downup2() if self.needs.needed(s) == FALSE:
                if not any(isinstance(part, Fail) for part in strategies_of(parts(s))):
                    yield self.needs_everywhere(s)

    def misfits(self, whole: Strategy, steps: Sequence[Strategy]) -> Iterator[Warning_]:
        """Parts of a sequence that never succeed after the parts before them."""
        if any(isinstance(part, Fail) for part in steps):
            return  # meant to fail
        given = ALL
        predecessors: list[Strategy | None] = [None, *steps]
        for before, part in zip(predecessors, steps, strict=False):
            results = self.outcomes.of(part, given)
            inner = part.inner if isinstance(part, Try) else None
            useless = inner is not None and self.outcomes.of(inner) and not self.outcomes.of(inner, given)
            if given != ALL and before is not None and (useless or (not results and self.outcomes.of(part))):
                culprit = inner if useless and inner is not None else part
                need = either(map(Is, shapes_at_most(self.needs.needed(culprit))))
                fact = "never changes anything" if useless else "always fails"
                title = f"`{shown(part)}` {fact} after `{shown(before)}` in `{shown(whole)}`"
                notes = (
                    f"`{shown(before)}` gives `{either(map(Is, given))}`",
                    f"`{shown(culprit)}` needs `{need}`",
                )
                hint = "remove the part, or apply it where it fits by a traversal such as `topDown`"
                yield Warning_("never-fits", title, whole, culprit, hint, notes)
            elif not results and self.outcomes.of(part):
                return
            given = results
            if not given:
                return
        if self.never_succeeds(whole) and not any(self.never_succeeds(part) for part in steps):
            title = f"`{shown(whole)}` always fails: no program satisfies what its parts need in sequence"
            needs = tuple(f"`{shown(part)}` needs `{self.needs.needed(part)}`" for part in steps)
            yield Warning_(
                "never-fits", title, whole, whole, "check what each part does to the program", needs
            )

    def dead_branches(self, whole: Strategy, alternatives: Sequence[Strategy]) -> Iterator[Warning_]:
        """Alternatives that are never tried, or always fail where they are tried."""
        conditions: list[Condition] = []
        for number, alternative in enumerate(alternatives):
            if isinstance(alternative, Fail):
                continue
            earlier = alternatives[:number]
            infallible = next((previous for previous in earlier if self.never_fails(previous)), None)
            covered = shapes_at_least(either(conditions))
            needed = shapes_at_most(self.needs.needed(alternative))
            fact = "never succeeds" if infallible is None else "is never tried"
            if infallible is not None:
                note = f"`{shown(infallible)}` before it never fails"
            elif alternative in earlier:
                note = "the same strategy before it has failed already"
            elif needed and all(any(covers(other, shape) for other in covered) for shape in needed):
                note = f"the alternatives before it succeed on all that it needs, `{either(map(Is, needed))}`"
            else:
                conditions.append(self.needs.enough(alternative, TRUE))
                continue
            title = f"`{shown(alternative)}` {fact} in `{shown(whole)}`"
            yield Warning_(
                "dead-branch", title, whole, alternative, "move it to the front, or remove it", (note,)
            )

    def endless(self, whole: Strategy, inner: Strategy) -> Iterator[Warning_]:
        """A repetition that cannot end, or whose rules match their own results."""
        known = self.survey.of(inner)
        if known.fails is NEVER:
            title = f"`{shown(whole)}` never ends: `{shown(inner)}` never fails"
            hint = "repeat a strategy that fails when nothing is left to do: remove a `try_`"
            yield Warning_("never-ends", title, whole, inner, hint)
        elif known.fails is not ALWAYS and known.unchanged is ALWAYS:
            title = f"`{shown(whole)}` never ends where `{shown(inner)}` succeeds, since it changes nothing"
            yield Warning_("never-ends", title, whole, inner, "add a rule that fires after the predicate")
        elif isinstance(whole, Normalize | NormalizeBottomup):
            cycle = _cycle(inner)
            if cycle:
                names = " and ".join(f"`{shown(rule)}`" for rule in cycle)
                title = f"`{shown(whole)}` may never end: the results of {names} match again"
                hint = "remove one of these rules, or apply them by `topDown` or `repeatNTimes`"
                notes = tuple(
                    f"`{rule}` rewrites `{rewrite.left}` to `{rewrite.right}`"
                    for rule, rewrite in cycle.items()
                )
                yield Warning_("may-not-end", title, whole, inner, hint, notes)

    def needs_everywhere(self, s: Strategy) -> Warning_:
        """The warning for a strategy that must succeed everywhere and fails at leaves."""
        title = f"`{shown(s)}` always fails: it must succeed at every node, but fails at leaves"
        needs = tuple(
            f"`{shown(part)}` needs `{self.needs.needed(part)}`" for part in strategies_of(parts(s))
        )
        return Warning_("always-fails", title, s, s, "use `tryAll(s)`, or `allTopdown(try_(s))`", needs)


def _cycle(inner: Strategy) -> dict[Rule, Rewrite]:
    """A cycle of rules in a choice, the result of each always matched by the next; empty if there is none."""
    rules = _alternatives(inner)
    if not rules or always_end(frozenset(rules)):
        return {}
    exact = {
        rule: rewrites[0]
        for rule in rules
        if (rewrites := rewrites_of(rule)) and len(rewrites) == 1 and rewrites[0].exact
    }
    feeds = {
        rule: [other for other, successor in exact.items() if _feeds(rewrite, successor)]
        for rule, rewrite in exact.items()
    }
    for start in exact:
        cycle = _path(feeds, start)
        if cycle:
            return {rule: exact[rule] for rule in cycle}
    return {}


def _feeds(first: Rewrite, second: Rewrite) -> bool:
    """Whether the result of a rewrite always contains a term that another matches."""
    return any(covers(second.left, part) for part in parts_of(first.right))


def _path(feeds: dict[Rule, list[Rule]], start: Rule) -> list[Rule]:
    """The shortest path along `feeds` from a rule back to itself."""
    paths = [[start]]
    seen: set[Rule] = set()
    for path in paths:
        for successor in feeds[path[-1]]:
            if successor == start:
                return path
            if successor not in seen:
                seen.add(successor)
                paths.append([*path, successor])
    return []


def _alternatives(strategy: Strategy) -> list[Rule]:
    """The rules of a choice; none for a strategy of another form."""
    if isinstance(strategy, Rule):
        return [strategy]
    if isinstance(strategy, Named):
        return _alternatives(strategy.body)
    if not isinstance(strategy, LChoice):
        return []
    return [part for part in strategy.alternatives if isinstance(part, Rule)]


def shown(strategy: Strategy) -> str:
    """A strategy on one line."""
    return show_term(strategy, MAX_SHOWN_CHARACTERS)
