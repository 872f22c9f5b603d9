"""Checks of a strategy when it is built: parts that never fit, never fail, never fire, or never end.

Knows the strategies, and no language. Every warning is sound: what it says can never happen does not happen for any
program.
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
from elevate.analysis.termination import always_end, rewrites_of, strategies_in
from elevate.combinators import IfThenElse, Named, Not, Repeat, Try
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, LChoice, Seq, Strategy, definition_of, expected_strategy, parts
from elevate.term import show_term
from elevate.traversals import AllBottomup, AllTopdown, Downup, Downup2, Normalize

MOST: Final = 2000
"""How many strategies inside one are looked at."""
OURS: Final = "elevate."
"""How the modules begin whose strategies are looked into."""
SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Warning_:
    """What is odd about a part of a strategy."""

    code: str
    title: str
    strategy: Strategy
    """The part."""
    culprit: Strategy
    """What of it never fails, never succeeds, or circles."""
    hint: str
    notes: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    """The names around the part, outermost first."""

    @property
    def diagnostic(self) -> Diagnostic:
        """The warning as the command line shows it."""
        where = (f"in {' > '.join(self.inside)}",) if self.inside else ()
        return Diagnostic(self.code, self.title, hint=self.hint, notes=(*self.notes, *where))

    def __str__(self) -> str:
        return self.diagnostic.render().replace("error[", "warning[", 1)


def warnings_of(strategy: Strategy, *, strict: bool = False) -> tuple[Warning_, ...]:
    """What is odd about a strategy. Looks at it once; `strict` raises StrategyError with the first warning."""
    found = _warnings(expected_strategy(strategy))
    if strict and found:
        raise StrategyError(found[0].diagnostic)
    return found


def info(strategy: Strategy) -> Info:
    """Whether a strategy fails, leaves the term unchanged, or runs for ever; never, may, or always."""
    return Checker().info(expected_strategy(strategy))


@lru_cache(maxsize=256)
def _warnings(strategy: Strategy) -> tuple[Warning_, ...]:
    checker = Checker()
    found: dict[tuple[str, Strategy], Warning_] = {}
    seen: set[Strategy] = set()
    waiting: list[tuple[Strategy, tuple[str, ...]]] = [(strategy, ())]
    while waiting and len(seen) < MOST:
        one, inside = waiting.pop()
        if one in seen or isinstance(one, Rule | Predicate):
            continue
        seen.add(one)
        if isinstance(one, Named):
            waiting.append((one.body, (*inside, show_term(one, SHOWN))))
            continue
        for warning in checker.look(one):
            found.setdefault((warning.code, warning.strategy), replace(warning, inside=inside))
        inner = list(strategies_in(parts(one)))
        body = None if inner and type(one).__module__.startswith(OURS) else definition_of(one)
        waiting += [(each, inside) for each in reversed([*inner, *([] if body is None else [body])])]
    return tuple(found.values())


class Checker:
    """Looks at one strategy after the other, not inside them."""

    def __init__(self) -> None:
        self.survey = Survey()
        self.outcomes = Outcomes(self.survey)
        self.needs = Needs(self.survey)

    def info(self, s: Strategy) -> Info:
        """What is known of a strategy, shapes taken into account."""
        it = self.survey.of(s)
        return replace(it, fails=ALWAYS) if it.fails is MAY and self.never_succeeds(s) else it

    def never_fails(self, s: Strategy) -> bool:
        """Whether a strategy never fails."""
        return self.survey.of(s).fails is NEVER

    def never_succeeds(self, s: Strategy) -> bool:
        """Whether a strategy never succeeds."""
        return not self.outcomes.of(s) or not shapes_at_most(self.needs.needed(s))

    def look(self, s: Strategy) -> Iterator[Warning_]:
        """What is odd about a strategy itself."""
        match s:
            case Seq(several):
                yield from self.misfits(s, several)
            case LChoice(alternatives):
                yield from self.dead_branches(s, alternatives)
            case IfThenElse(condition, _, otherwise) if self.never_fails(condition):
                title = f"the last branch of `{shown(s)}` is never tried: `{shown(condition)}` never fails"
                yield Warning_(
                    "dead-branch", title, s, otherwise, "write the condition and the first branch as a `seq`"
                )
            case Try(inner) if self.never_fails(inner):
                title = f"`{shown(s)}` tries what never fails"
                yield Warning_("useless-try", title, s, inner, f"write `{shown(inner)}`")
            case Not(inner) if self.never_fails(inner):
                title = f"`{shown(s)}` always fails: `{shown(inner)}` never fails"
                yield Warning_(
                    "always-fails", title, s, inner, "negate a strategy that can fail, such as a rule"
                )
            case Repeat(inner) | Normalize(inner):
                yield from self.endless(s, inner)
            case AllTopdown() | AllBottomup() | Downup() | Downup2() if self.needs.needed(s) == FALSE:
                if not any(isinstance(one, Fail) for one in strategies_in(parts(s))):
                    yield self.needs_everywhere(s)

    def misfits(self, whole: Strategy, several: Sequence[Strategy]) -> Iterator[Warning_]:
        """Parts of a sequence that never succeed after the parts before them."""
        if any(isinstance(part, Fail) for part in several):
            return  # it is meant to fail
        given = ALL
        befores: list[Strategy | None] = [None, *several]
        for before, part in zip(befores, several, strict=False):
            made = self.outcomes.of(part, given)
            inner = part.inner if isinstance(part, Try) else None
            useless = inner is not None and self.outcomes.of(inner) and not self.outcomes.of(inner, given)
            if given != ALL and before is not None and (useless or (not made and self.outcomes.of(part))):
                culprit = inner if useless and inner is not None else part
                need = either(map(Is, shapes_at_most(self.needs.needed(culprit))))
                fact = "never changes anything" if useless else "always fails"
                title = f"`{shown(part)}` {fact} after `{shown(before)}` in `{shown(whole)}`"
                notes = (
                    f"`{shown(before)}` gives `{either(map(Is, given))}`",
                    f"`{shown(culprit)}` needs `{need}`",
                )
                hint = "drop the part, or move it by a traversal such as `topDown` to where it fits"
                yield Warning_("never-fits", title, whole, culprit, hint, notes)
            elif not made and self.outcomes.of(part):
                return
            given = made
            if not given:
                return
        if self.never_succeeds(whole) and not any(self.never_succeeds(part) for part in several):
            title = f"`{shown(whole)}` always fails: no program is what its parts need one after the other"
            needs = tuple(f"`{shown(part)}` needs `{self.needs.needed(part)}`" for part in several)
            yield Warning_(
                "never-fits", title, whole, whole, "look at what each part makes of the program", needs
            )

    def dead_branches(self, whole: Strategy, alternatives: Sequence[Strategy]) -> Iterator[Warning_]:
        """Alternatives that are never tried, or always fail where they are tried."""
        taken: list[Condition] = []
        for number, one in enumerate(alternatives):
            if isinstance(one, Fail):
                continue
            before = alternatives[:number]
            sure = next((other for other in before if self.never_fails(other)), None)
            takes = shapes_at_least(either(taken))
            wants = shapes_at_most(self.needs.needed(one))
            fact = "never succeeds" if sure is None else "is never tried"
            if sure is not None:
                note = f"`{shown(sure)}` before it never fails"
            elif one in before:
                note = "it stands there before, and fails again"
            elif wants and all(any(covers(wide, shape) for wide in takes) for shape in wants):
                note = f"what it needs, `{either(map(Is, wants))}`, the alternatives before it take"
            else:
                taken.append(self.needs.enough(one, TRUE))
                continue
            title = f"`{shown(one)}` {fact} in `{shown(whole)}`"
            yield Warning_("dead-branch", title, whole, one, "put it first, or drop it", (note,))

    def endless(self, whole: Strategy, inner: Strategy) -> Iterator[Warning_]:
        """A repetition that cannot end, or whose rules make what they match again."""
        it = self.survey.of(inner)
        if it.fails is NEVER:
            title = f"`{shown(whole)}` never ends: `{shown(inner)}` never fails"
            hint = "repeat what fails where nothing is left to do: drop a `try_`"
            yield Warning_("never-ends", title, whole, inner, hint)
        elif it.fails is not ALWAYS and it.unchanged is ALWAYS:
            title = f"`{shown(whole)}` never ends where `{shown(inner)}` succeeds, since that changes nothing"
            yield Warning_("never-ends", title, whole, inner, "seq a rule that fires to the predicate")
        elif isinstance(whole, Normalize):
            circle = _circle(inner)
            if circle:
                names = " and ".join(f"`{shown(rule)}`" for rule in circle)
                title = f"`{shown(whole)}` may never end: {names} match again what they make"
                hint = "drop one of these rules, or apply them by `topDown` or `repeatNTimes`"
                notes = tuple(f"`{rule}` makes `{one.right}` of `{one.left}`" for rule, one in circle.items())
                yield Warning_("may-not-end", title, whole, inner, hint, notes)

    def needs_everywhere(self, s: Strategy) -> Warning_:
        """A strategy that is to succeed at all places and does not at leaves."""
        title = (
            f"`{shown(s)}` always fails: it must succeed at every place, and what has no children never fits"
        )
        needs = tuple(f"`{shown(one)}` needs `{self.needs.needed(one)}`" for one in strategies_in(parts(s)))
        return Warning_("always-fails", title, s, s, "try it: `tryAll(s)`, or `allTopdown(try_(s))`", needs)


def _circle(inner: Strategy) -> dict[Rule, Rewrite]:
    """Rules of a choice that make, wherever they fire, what one of them matches; empty where there are none."""
    rules = _alternatives(inner)
    if not rules or always_end(frozenset(rules)):
        return {}
    exact = {
        rule: found[0]
        for rule in rules
        if (found := rewrites_of(rule)) and len(found) == 1 and found[0].exact
    }
    feeds = {
        rule: [other for other, next_ in exact.items() if _makes(one, next_)] for rule, one in exact.items()
    }
    for start in exact:
        circle = _path(feeds, start)
        if circle:
            return {rule: exact[rule] for rule in circle}
    return {}


def _makes(first: Rewrite, second: Rewrite) -> bool:
    """Whether what a rewrite makes always holds a term that another matches."""
    return any(covers(second.left, part) for part in parts_of(first.right))


def _path(feeds: dict[Rule, list[Rule]], start: Rule) -> list[Rule]:
    """The shortest way along `feeds` from a rule back to it."""
    paths = [[start]]
    seen: set[Rule] = set()
    for path in paths:
        for after in feeds[path[-1]]:
            if after == start:
                return path
            if after not in seen:
                seen.add(after)
                paths.append([*path, after])
    return []


def _alternatives(strategy: Strategy) -> list[Rule]:
    """The rules of a choice of rules; none where there is something else in it."""
    if isinstance(strategy, Rule):
        return [strategy]
    if isinstance(strategy, Named):
        return _alternatives(strategy.body)
    if not isinstance(strategy, LChoice):
        return []
    return [one for one in strategy.alternatives if isinstance(one, Rule)]


def shown(strategy: Strategy) -> str:
    """A strategy on one line."""
    return show_term(strategy, SHOWN)
