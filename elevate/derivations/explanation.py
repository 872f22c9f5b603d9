"""Explains why a strategy failed: runs the attempt again in the reference engine and reports it as a tree.

Depends on the strategies and the `mismatch` of rules, but not on languages.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from elevate.argument_checks import expected
from elevate.combinators import Named, Not, Repeat, Try
from elevate.diagnostics import StrategyError
from elevate.engine.divergence import FUEL
from elevate.engine.reference import Blame, Done, Watch, answer
from elevate.observers import Observer
from elevate.result import FailureTree
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Failure, Id, LChoice, Seq, Strategy, parts, strategies_of
from elevate.term import Path, Place, Term, path_of, place_of, replaced, show_term, surroundings, within
from elevate.trace import Fired, Step, Steps
from elevate.tracebacks import ends_at_the_users_line
from elevate.traversals import All, Child, Normalize, NormalizeBottomup, One, Some, TryAll

MAX_NEAR_MISSES = 3
"""How many near misses of a traversal are shown."""
MAX_ATTEMPTS = 100_000
"""How many attempts of a traversal are searched for the nearest ones."""
MAX_UNFOLDINGS = 40
"""How many nested definitions are explained before near misses are reported instead."""
MAX_CHILDREN = 8
"""How many children of a node are explained."""
PRECONDITION = "matches, but a precondition does not hold"
"""The reason for a rule whose shape matches and whose condition does not hold."""
MAX_SHOWN_CHARACTERS = 160
"""How many characters of a term are shown."""

NO_STEPS: Final = Steps()
"""Before the first step of an attempt."""

Occurrence: TypeAlias = tuple[Place, Term, Steps]
"""A place, the program at that time, from where the traversal began, and the traversal's steps until then."""


@ends_at_the_users_line
def explain(failure: Failure) -> FailureTree:
    """Run a failed attempt again, and explain why it failed."""
    hint = "pass the result of a strategy that does not apply: `explain(strategy(program))`"
    failure = expected(failure, Failure, "a failure", "no-failure", hint)
    return why(failure.attempt, failure.given, (), ())


def why(
    strategy: Strategy,
    term: Term,
    path: Path,
    around: tuple[Term, ...],
    level: int = 0,
    before: Steps = NO_STEPS,
) -> FailureTree:
    """Why a strategy fails on a term at a path, inside the enclosing terms `around`, after the steps `before`."""

    def tree(reason: str, *parts: FailureTree, expected: str = "", found: str = "") -> FailureTree:
        program = None if parts else enclosing_program(term, path, around)
        shown = show_term(strategy)
        place = strategy.place
        return FailureTree(
            shown, path, reason, expected, found, parts, defined=place, program=program, steps=before
        )

    def shown_program() -> str:
        return show_term(within(term, around))

    def below(index: int, inner: Strategy) -> FailureTree:
        return why(inner, term.children[index], (*path, index), (*around, term), level, before)

    match strategy:
        case Rule():
            return rule_tree(strategy, term, path, around, before)
        case Predicate():
            objection = strategy.objection(term)
            found = tree(objection) if objection else tree("does not hold", found=shown_program())
            focus = strategy.focus(term)
            return replace(found, hint=strategy.remedy(term), focus=(*path, *focus) if focus else ())
        case Fail():
            return tree("always fails")
        case Seq(parts):
            steps = 0
            for number, part in enumerate(parts, start=1):
                done = answer(part, term, Watch(FUEL), place_of(path))
                if isinstance(done, Blame):
                    reason = after(number, len(parts), steps)
                    return tree(reason, why(part, term, path, around, level, before))
                term, steps, before = done.term, steps + len(done.steps), before + done.steps
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case LChoice(parts):
            return tree(
                "every alternative failed", *(why(part, term, path, around, level, before) for part in parts)
            )
        case Not(inner):
            return tree(f"{inner} succeeds here, but must fail", found=shown_program())
        case Child(index, inner):
            if not 0 <= index < len(term.children):
                return tree(f"there is no child {index}, only {len(term.children)}", found=shown_program())
            return tree(f"child {index} failed", below(index, inner))
        case All(inner):
            for index, child in enumerate(term.children):
                if isinstance(answer(inner, child, Watch(FUEL), place_of((*path, index))), Blame):
                    return tree(f"child {index} failed", below(index, inner))
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case One(inner) | Some(inner):
            if not term.children:
                return tree("there are no children", found=shown_program())
            count = len(term.children)
            return tree(
                f"none of {count} children succeeded",
                *(below(index, inner) for index in range(min(count, MAX_CHILDREN))),
            )
        case _:
            body = strategy.unfold()
            if body is None or strategy.traverses or level > MAX_UNFOLDINGS:
                return traversal_tree(strategy, term, path, around, before)
            inside = why(body, term, path, around, level + 1, before)
            if isinstance(strategy, Named) and inside.path == path:
                return replace(
                    inside, strategy=show_term(strategy), defined=strategy.place
                )  # the name replaces its body
            return inside if str(body) == str(strategy) else tree(f"is short for {show_term(body)}", inside)


def after(number: int, count: int, steps: int) -> str:
    """The reason of a sequence: which part failed."""
    so_far = "" if not steps else " after 1 step" if steps == 1 else f" after {steps} steps"
    return f"part {number} of {count} failed{so_far}"


def rule_tree(
    rule: Rule, term: Term, path: Path, around: tuple[Term, ...], before: Steps = NO_STEPS
) -> FailureTree:
    """Which part of a rule's left-hand side did not match."""
    named = within(term, around)
    tried = named if rule.apply(named) is None else term  # naming the variables may change whether it matches
    miss = rule.mismatch(tried)
    is_whole = not miss.path and bool(miss.found)
    tried_on = "" if is_whole or not path else show_term(named, MAX_SHOWN_CHARACTERS)
    reason = PRECONDITION if miss.is_precondition and miss.reason == "does not match" else miss.reason
    return FailureTree(
        rule.name,
        path,
        reason,
        miss.expected,
        miss.found,
        (),
        tried_on,
        miss.is_precondition,
        defined=rule.place,
        program=enclosing_program(term, path, around),
        hint=miss.hint,
        focus=(*path, *miss.focus),
        steps=before,
    )


def enclosing_program(term: Term, path: Path, around: tuple[Term, ...]) -> Term | None:
    """The program that contains a term at a path, from its enclosing terms; None if some of these are missing."""
    if len(around) != len(path):
        return None
    for parent, index in zip(
        reversed(around), reversed(path), strict=True
    ):  # earlier parts changed some of these
        term = replaced(parent, (index,), term)
    return term


def traversal_tree(
    strategy: Strategy, term: Term, path: Path, around: tuple[Term, ...], before: Steps = NO_STEPS
) -> FailureTree:
    """The nearest attempts of a traversal: those that matched most of a pattern, then the first in order."""
    attempts = Attempts(path, [(term, NO_STEPS)])
    try:
        result = answer(strategy, term, Watch(FUEL, [attempts]), place_of(path))
        assert not isinstance(result, Done), f"{strategy} does not fail on {term!r}"
    except (EnoughAttemptsError, StrategyError):
        pass  # the attempts so far are used; the failed run itself did end
    misses: list[tuple[int, Rule, Term, Occurrence]] = []
    needed = needed_rules(strategy)
    for (rule, redex), first in attempts.first.items():
        if rule.apply(redex) is None and (not needed or rule in needed):
            misses.append((rule.mismatch(redex).matched, rule, redex, first))
    misses.sort(key=lambda miss: -miss[0])
    if not misses:
        candidates = sorted({rule.mismatch(term).expected for rule in needed})
        expected = " or ".join(candidates[:MAX_NEAR_MISSES]) + (
            " or others" if len(candidates) > MAX_NEAR_MISSES else ""
        )
        reason = "no term here has the root of a rule that it needs" if candidates else "no rule was tried"
        return FailureTree(show_term(strategy), path, reason, expected, show_term(within(term, around)))
    closest = [miss for miss in misses if miss[0]] or misses  # an attempt that matched nothing is not near
    nearest: list[FailureTree] = []
    for _, rule, redex, (place, program, taken) in closest[:MAX_NEAR_MISSES]:
        absolute = path_of(place)
        between = surroundings(program, absolute[len(path) :])
        nearest.append(rule_tree(rule, redex, absolute, (*around, *between), before + taken))
    count = "the only attempt" if len(misses) == 1 else f"the nearest of {len(misses)} attempts"
    reason = f"{count} that did not match:"
    return FailureTree(show_term(strategy), path, reason, parts=tuple(nearest))


def needed_rules(strategy: Strategy) -> set[Rule]:
    """The rules of a strategy except those inside a part that never fails, which cannot be the cause."""
    rules: set[Rule] = set()
    seen: set[Strategy] = set()
    waiting = [strategy]
    while waiting:
        part = waiting.pop()
        if (
            part in seen
            or isinstance(part, Try | Repeat | Normalize | NormalizeBottomup | TryAll)
            or len(seen) > MAX_ATTEMPTS
        ):
            continue
        seen.add(part)
        match part:
            case Rule():
                rules.add(part)
            case LChoice(alternatives) if any(isinstance(alternative, Id) for alternative in alternatives):
                continue
            case _:
                body = part.unfold()
                waiting += [body] if body is not None else strategies_of(parts(part))
    return rules


class EnoughAttemptsError(Exception):
    """The limit of attempts was reached."""


@dataclass
class Attempts(Observer):
    """Where each rule was first tried on each term, in a traversal of the term at `start`."""

    start: Path
    programs: list[tuple[Term, Steps]]
    """That term, and the term after each firing that was not discarded, with all steps until then."""
    first: dict[tuple[Rule, Term], Occurrence] = field(default_factory=dict)
    count: int = 0

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        assert isinstance(rule, Rule), rule
        self.first.setdefault((rule, term), (place, *self.programs[-1]))
        self.count += 1
        if self.count >= MAX_ATTEMPTS:
            raise EnoughAttemptsError

    def fired(self, step: Step) -> None:
        (program, steps), path = self.programs[-1], step.path[len(self.start) :]
        self.programs.append((replaced(program, path, step.contractum), steps + Steps((step,))))

    def discarded(self, count: int) -> None:
        del self.programs[len(self.programs) - count :]
