"""Why a strategy failed: the attempt, run again by the reference engine and told as a tree.

Knows the strategies, and of a rule its `mismatch`; knows no language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from elevate.combinators import Named, Not, Repeat, Try
from elevate.diagnostics import StrategyError
from elevate.engine.divergence import FUEL
from elevate.engine.reference import Blame, Done, Watch, answer
from elevate.expected import expected
from elevate.observers import Observer
from elevate.result import FailureTree
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Failure, Id, LChoice, Seq, Strategy, parts
from elevate.term import Path, Place, Term, path_of, place_of, replaced, show_term, surroundings, within
from elevate.trace import Fired, Step
from elevate.traversals import All, Child, Normalize, One, Some, TryAll

NEAREST = 3
"""How many near misses a traversal shows."""
LOOKED_AT = 100_000
"""How many attempts of a traversal are looked at for the nearest ones."""
UNFOLDED = 40
"""How many definitions deep an account goes before it looks for near misses instead."""
MOST_CHILDREN = 8
"""How many children of a node are accounted for."""
PRECONDITION = "matches, and a precondition does not hold"
"""What is said of a rule whose shape is right and whose condition is not met."""
SHOWN = 160
"""How many characters of a term are shown."""

Seen: TypeAlias = tuple[Place, Term]
"""A place, and the program in which it was seen, from where the traversal began."""


def explain(failure: Failure) -> FailureTree:
    """Run a failed attempt again, and say why it failed."""
    hint = "a strategy that does not apply gives one: `explain(strategy(program))`"
    failure = expected(failure, Failure, "a failure", "no-failure", hint)
    return why(failure.attempt, failure.given, (), ())


def why(strategy: Strategy, term: Term, path: Path, around: tuple[Term, ...], level: int = 0) -> FailureTree:
    """Why a strategy fails on a term that stands at a path, inside the terms around it."""

    def tree(reason: str, *parts: FailureTree, expected: str = "", found: str = "") -> FailureTree:
        program = None if parts else whole(term, path, around)
        said = show_term(strategy), path, reason, expected, found, parts
        return FailureTree(*said, defined=strategy.place, program=program)

    def shown() -> str:
        return show_term(within(term, around))

    def below(index: int, inner: Strategy) -> FailureTree:
        return why(inner, term.children[index], (*path, index), (*around, term), level)

    match strategy:
        case Rule():
            return rule_tree(strategy, term, path, around)
        case Predicate():
            objection = strategy.objection(term)
            return tree(objection) if objection else tree("does not hold", found=shown())
        case Fail():
            return tree("always fails")
        case Seq(parts):
            before = 0
            for number, part in enumerate(parts, start=1):
                done = answer(part, term, Watch(FUEL), place_of(path))
                if isinstance(done, Blame):
                    return tree(after(number, len(parts), before), why(part, term, path, around, level))
                term, before = done.term, before + len(done.steps)
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case LChoice(parts):
            return tree("every alternative failed", *(why(part, term, path, around, level) for part in parts))
        case Not(inner):
            return tree(f"{inner} succeeds here, and must fail", found=shown())
        case Child(index, inner):
            if not 0 <= index < len(term.children):
                return tree(f"there is no child {index}, only {len(term.children)}", found=shown())
            return tree(f"child {index} failed", below(index, inner))
        case All(inner):
            for index, child in enumerate(term.children):
                if isinstance(answer(inner, child, Watch(FUEL), place_of((*path, index))), Blame):
                    return tree(f"child {index} failed", below(index, inner))
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case One(inner) | Some(inner):
            if not term.children:
                return tree("there are no children", found=shown())
            count = len(term.children)
            return tree(
                f"none of {count} children succeeded",
                *(below(index, inner) for index in range(min(count, MOST_CHILDREN))),
            )
        case _:
            body = strategy.unfold()
            if body is None or strategy.traverses or level > UNFOLDED:
                return traversal_tree(strategy, term, path, around)
            inside = why(body, term, path, around, level + 1)
            if isinstance(strategy, Named) and inside.path == path:
                return replace(
                    inside, strategy=show_term(strategy), defined=strategy.place
                )  # a name says what its body is
            return inside if str(body) == str(strategy) else tree(f"stands for {show_term(body)}", inside)


def after(number: int, count: int, steps: int) -> str:
    """What a sequence says of the part that failed."""
    so_far = "" if not steps else " after 1 step" if steps == 1 else f" after {steps} steps"
    return f"part {number} of {count} failed{so_far}"


def rule_tree(rule: Rule, term: Term, path: Path, around: tuple[Term, ...]) -> FailureTree:
    """Which part of a rule's left-hand side did not match."""
    named = within(term, around)
    told = named if rule.apply(named) is None else term  # a rule may tell variables apart by their kind
    miss = rule.mismatch(told)
    is_whole = not miss.path and bool(miss.found)
    tried_on = "" if is_whole or not path else show_term(named, SHOWN)
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
        program=whole(term, path, around),
    )


def whole(term: Term, path: Path, around: tuple[Term, ...]) -> Term | None:
    """The program in which a term stands at a path, inside the terms around it; None where these do not reach up."""
    if len(around) != len(path):
        return None
    return replaced(around[0], path, term) if around else term


def traversal_tree(strategy: Strategy, term: Term, path: Path, around: tuple[Term, ...]) -> FailureTree:
    """Which attempts of a traversal came nearest: most of the pattern matched, then first in order."""
    seen = Attempts(path, [term])
    try:
        found = answer(strategy, term, Watch(FUEL, [seen]), place_of(path))
        assert not isinstance(found, Done), f"{strategy} does not fail on {term!r}"
    except (EnoughSeenError, StrategyError):
        pass  # what was seen so far serves; the attempt that is explained did end
    tried: list[tuple[int, Rule, Term, Seen]] = []
    needed = needed_rules(strategy)
    for (rule, redex), first in seen.first.items():
        if rule.apply(redex) is None and (not needed or rule in needed):
            tried.append((rule.mismatch(redex).matched, rule, redex, first))
    tried.sort(key=lambda attempt: -attempt[0])
    if not tried:
        wanted = sorted({rule.mismatch(term).expected for rule in needed})
        expected = " or ".join(wanted[:NEAREST]) + (" or others" if len(wanted) > NEAREST else "")
        reason = "nothing here begins as a rule that it needs" if wanted else "no rule was tried"
        return FailureTree(show_term(strategy), path, reason, expected, show_term(within(term, around)))
    near = [attempt for attempt in tried if attempt[0]] or tried  # what matched nowhere is not near
    nearest: list[FailureTree] = []
    for _, rule, redex, (place, program) in near[:NEAREST]:
        whole = path_of(place)
        between = surroundings(program, whole[len(path) :])
        nearest.append(rule_tree(rule, redex, whole, (*around, *between)))
    count = "the only attempt" if len(tried) == 1 else f"the nearest of {len(tried)} attempts"
    reason = f"{count} that did not match:"
    return FailureTree(show_term(strategy), path, reason, parts=tuple(nearest))


def needed_rules(strategy: Strategy) -> set[Rule]:
    """The rules of a strategy but for those inside a part that never fails: these are not to blame."""
    found: set[Rule] = set()
    seen: set[Strategy] = set()
    waiting = [strategy]
    while waiting:
        one = waiting.pop()
        if one in seen or isinstance(one, Try | Repeat | Normalize | TryAll) or len(seen) > LOOKED_AT:
            continue
        seen.add(one)
        match one:
            case Rule():
                found.add(one)
            case LChoice(alternatives) if any(isinstance(each, Id) for each in alternatives):
                continue
            case _:
                body = one.unfold()
                waiting += [body] if body is not None else strategies_in(parts(one))
    return found


def strategies_in(arguments: Iterable[object]) -> Iterator[Strategy]:
    """The strategies among the arguments of a strategy."""
    for each in arguments:
        if isinstance(each, Strategy):
            yield each
        elif isinstance(each, tuple):
            yield from strategies_in(each)


class EnoughSeenError(Exception):
    """Enough attempts were looked at."""


@dataclass
class Attempts(Observer):
    """Where each rule and term was tried first, in a traversal of the term at `start`."""

    start: Path
    programs: list[Term]
    """That term, and what each firing that stands made of it."""
    first: dict[tuple[Rule, Term], Seen] = field(default_factory=dict)
    count: int = 0

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        assert isinstance(rule, Rule), rule
        self.first.setdefault((rule, term), (place, self.programs[-1]))
        self.count += 1
        if self.count >= LOOKED_AT:
            raise EnoughSeenError

    def fired(self, step: Step) -> None:
        program, path = self.programs[-1], step.path[len(self.start) :]
        self.programs.append(replaced(program, path, step.contractum))

    def discarded(self, count: int) -> None:
        del self.programs[len(self.programs) - count :]
