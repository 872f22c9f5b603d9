"""Why a strategy failed: the attempt, run again by the reference engine and told as a tree.

Knows the strategies, and of a rule its `mismatch`; knows no language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from elevate.combinators import Named, Not, Repeat, Try
from elevate.diagnostics import StrategyError
from elevate.divergence import FUEL
from elevate.observers import Observer
from elevate.reference import Blame, Done, Watch, answer
from elevate.result import FailureTree
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Failure, Id, LChoice, Seq, Strategy, parts
from elevate.term import Path, Place, Term, path_of, place_of, show_path, show_term
from elevate.trace import Fired
from elevate.traversals import All, Child, Normalize, One, Some, TryAll

NEAREST = 3
"""How many near misses a traversal shows."""
LOOKED_AT = 100_000
"""How many attempts of a traversal are looked at for the nearest ones."""
UNFOLDED = 40
"""How many definitions deep an account goes before it looks for near misses instead."""


def explain(failure: Failure) -> FailureTree:
    """Run a failed attempt again, and say why it failed."""
    return why(failure.attempt, failure.given, ())


def why(strategy: Strategy, term: Term, path: Path, level: int = 0) -> FailureTree:
    """Why a strategy fails on a term that stands at a path."""

    def tree(reason: str, *parts: FailureTree, expected: str = "", found: str = "") -> FailureTree:
        return FailureTree(show_term(strategy), path, reason, expected, found, parts)

    match strategy:
        case Rule():
            return rule_tree(strategy, term, path)
        case Predicate():
            return tree("does not hold", found=show_term(term))
        case Fail():
            return tree("always fails")
        case Seq(parts):
            before = 0
            for number, part in enumerate(parts, start=1):
                done = answer(part, term, Watch(FUEL), place_of(path))
                if isinstance(done, Blame):
                    return tree(after(number, len(parts), before), why(part, term, path, level))
                term, before = done.term, before + len(done.steps)
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case LChoice(parts):
            return tree("every alternative failed", *(why(part, term, path, level) for part in parts))
        case Not(inner):
            return tree(f"{inner} succeeds here, and must fail", found=show_term(term))
        case Child(index, inner):
            if not 0 <= index < len(term.children):
                return tree(f"there is no child {index}, only {len(term.children)}", found=show_term(term))
            return tree(f"child {index} failed", why(inner, term.children[index], (*path, index), level))
        case All(inner):
            for index, child in enumerate(term.children):
                if isinstance(answer(inner, child, Watch(FUEL), place_of((*path, index))), Blame):
                    return tree(f"child {index} failed", why(inner, child, (*path, index), level))
            raise AssertionError(f"{strategy} does not fail on {term!r}")
        case One(inner) | Some(inner):
            if not term.children:
                return tree("there are no children", found=show_term(term))
            children = enumerate(term.children)
            below = [why(inner, child, (*path, index), level) for index, child in islice(children, 8)]
            return tree(f"none of {len(term.children)} children succeeded", *below)
        case _:
            body = strategy.unfold()
            if body is None or strategy.traverses or level > UNFOLDED:
                return traversal_tree(strategy, term, path)
            inside = why(body, term, path, level + 1)
            if isinstance(strategy, Named) and inside.path == path:
                return replace(inside, strategy=show_term(strategy))  # a name says what its body is
            return inside if str(body) == str(strategy) else tree(f"stands for {show_term(body)}", inside)


def after(number: int, count: int, steps: int) -> str:
    """What a sequence says of the part that failed."""
    so_far = "" if not steps else " after 1 step" if steps == 1 else f" after {steps} steps"
    return f"part {number} of {count} failed{so_far}"


def rule_tree(rule: Rule, term: Term, path: Path) -> FailureTree:
    """Which part of a rule's left-hand side did not match."""
    miss = rule.mismatch(term)
    place = (*path, *miss.path)
    reason = "does not match" if place == path else f"does not match at {show_path(place)}"
    return FailureTree(rule.name, path, reason, miss.expected, miss.found)


def traversal_tree(strategy: Strategy, term: Term, path: Path) -> FailureTree:
    """Which attempts of a traversal came nearest: most of the pattern matched, then first in order."""
    seen = Attempts()
    try:
        found = answer(strategy, term, Watch(FUEL, [seen]), place_of(path))
        assert not isinstance(found, Done), f"{strategy} does not fail on {term!r}"
    except (EnoughSeenError, StrategyError):
        pass  # what was seen so far serves; the attempt that is explained did end
    tried: list[tuple[int, Rule, Term, Place]] = []
    needed = needed_rules(strategy)
    for (rule, redex), place in seen.places.items():
        if rule.apply(redex) is None and (not needed or rule in needed):
            tried.append((rule.mismatch(redex).matched, rule, redex, place))
    tried.sort(key=lambda attempt: -attempt[0])
    if not tried:
        return FailureTree(show_term(strategy), path, "no rule was tried", found=show_term(term))
    near = [attempt for attempt in tried if attempt[0]] or tried  # what matched nowhere is not near
    nearest = [rule_tree(rule, redex, path_of(place)) for _, rule, redex, place in near[:NEAREST]]
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
    """The first place of each rule and term that was tried."""

    places: dict[tuple[Rule, Term], Place] = field(default_factory=dict)
    count: int = 0

    def attempted(self, rule: Fired, term: Term, place: Place) -> None:
        assert isinstance(rule, Rule), rule
        self.places.setdefault((rule, term), place)
        self.count += 1
        if self.count >= LOOKED_AT:
            raise EnoughSeenError
