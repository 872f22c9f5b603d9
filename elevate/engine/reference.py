"""The reference engine: the meaning of every strategy, as plain definitions, without optimisation.

It is the oracle of the fast engine. Each definition is a generator that asks for the answers of others, so that deep
terms need a list instead of Python's stack.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from elevate.combinators import Not, Repeat
from elevate.diagnostics import StrategyError
from elevate.directed_strategies import Directed, Happened
from elevate.engine.divergence import broken, cycle, endless, excused, fuel_spent, raised, unknown
from elevate.engine.nontermination import GrowthWatch, size_of
from elevate.observers import Observer
from elevate.orders import InOrder, children_of, part_of, places_of
from elevate.rules import Predicate, Rule
from elevate.strategy import Fail, Id, LChoice, Seq, Strategy, definition_of
from elevate.term import Contracted, Path, Place, Term, path_of, place_of, replaced, subterm, with_child
from elevate.trace import Entry, Steps
from elevate.traversals import All, Child, One, Position, Skip, Some


@dataclass(frozen=True, slots=True)
class Done:
    """A success: the term, and the steps with paths in the whole program."""

    term: Term
    steps: Steps


@dataclass(frozen=True, slots=True)
class Blame:
    """A failure: the smallest part that decided, and where it was tried."""

    strategy: Strategy
    place: Place


Answer: TypeAlias = Done | Blame
Asking: TypeAlias = Generator[tuple[Strategy, Term, Place], Answer, Answer]
NONE = Steps()


def meaning(s: Strategy, t: Term, at: Place, watch: Watch) -> Asking:
    """What a strategy does to a term at a place."""
    match s:
        case Rule():
            contractum = watch.tried(s, t, at)
            return Blame(s, at) if contractum is None else Done(contractum, watch.fired(s, t, at, contractum))
        case Predicate():
            return Done(t, NONE) if watch.holds(s, t, at) else Blame(s, at)
        case Id():
            return Done(t, NONE)
        case Fail():
            return Blame(s, at)
        case Seq(parts):
            done = Done(t, NONE)
            for part in parts:
                answer = yield part, done.term, at
                if isinstance(answer, Blame):
                    return watch.discarded(done, answer)
                done = Done(answer.term, done.steps + answer.steps)
            return done
        case LChoice(parts):
            for part in parts:
                answer = yield part, t, at
                if isinstance(answer, Done):
                    return answer
            return Blame(s, at)
        case Not(inner):
            answer = yield inner, t, at
            return Done(t, NONE) if isinstance(answer, Blame) else watch.discarded(answer, Blame(s, at))
        case Repeat(inner):
            done, met = Done(t, NONE), {t: 0}
            growth = GrowthWatch(watch.fires, t, watch.reports_growth)
            while isinstance(answer := (yield inner, done.term, at), Done):
                done = Done(answer.term, done.steps + answer.steps)
                if done.term in met:
                    raise cycle(s, list(done.steps.entries())[met[done.term] :])
                met[done.term] = len(done.steps)
                if len(watch.fires) >= growth.next:
                    growth.look(s, partial(size_of, [done.term]))
            return done
        case All(inner) | InOrder(_, All(inner)):
            done = Done(t, NONE)
            for index, child, part in children_of(s, inner, t):
                answer = yield part, child, (at, index)
                if isinstance(answer, Blame):
                    return watch.discarded(done, answer)
                done = Done(with_child(done.term, index, answer.term), done.steps + answer.steps)
            return done
        case One(inner) | InOrder(_, One(inner)):
            for index, child, part in children_of(s, inner, t):
                answer = yield part, child, (at, index)
                if isinstance(answer, Done):
                    return Done(with_child(t, index, answer.term), answer.steps)
            return Blame(s, at)
        case Some(inner) | InOrder(_, Some(inner)):
            done, succeeded = Done(t, NONE), False
            for index, child, part in children_of(s, inner, t):
                answer = yield part, child, (at, index)
                if isinstance(answer, Done):
                    succeeded = True
                    done = Done(with_child(done.term, index, answer.term), done.steps + answer.steps)
            return done if succeeded else Blame(s, at)
        case Child(index, inner):
            if not 0 <= index < len(t.children):
                return Blame(s, at)
            answer = yield inner, t.children[index], (at, index)
            return answer if isinstance(answer, Blame) else put(t, (index,), answer)
        case Position(n, inner) | InOrder(_, Position(n, inner)):
            for count, (target, below) in enumerate(places_of(s, t)):
                if count == n:
                    answer = yield part_of(s, inner), target, place_of(path_of(below), at)
                    return answer if isinstance(answer, Blame) else put(t, path_of(below), answer)
            return Blame(s, at)
        case Skip(n, inner) | InOrder(_, Skip(n, inner)):
            remaining = n
            for target, below in places_of(s, t):
                answer = yield part_of(s, inner), target, place_of(path_of(below), at)
                if isinstance(answer, Done):
                    if remaining == 0:
                        return put(t, path_of(below), answer)
                    remaining -= 1
                    watch.discarded(answer, Blame(s, at))
            return Blame(s, at)
        case Directed():
            return (yield from directed(s, t, at, watch))
        case _:
            return (yield from definition(s, t, at, watch))


def definition(s: Strategy, t: Term, at: Place, watch: Watch) -> Asking:
    """What the definition of a strategy does. A failure of the whole definition is blamed on the strategy."""
    body = definition_of(s)
    if body is None:
        raise unknown(s)
    if not s.traverses:
        if (s, t) in watch.working:
            raise endless(s, path_of(at))
        watch.working.add((s, t))
    answer = yield body, t, at
    watch.working.discard((s, t))
    if isinstance(answer, Blame) and answer.place is at and answer.strategy == body:
        return Blame(s, at)
    return answer


def directed(s: Directed, t: Term, at: Place, watch: Watch) -> Asking:
    """What the orders of a directed strategy do."""
    done, base = Done(t, NONE), path_of(at)
    orders = s.orders(t)
    happened: Happened | None = None
    while True:
        try:
            strategy, path = orders.send(happened)
        except StopIteration as end:
            return done if end.value else watch.discarded(done, Blame(s, at))
        target, happened = subterm(done.term, path), None
        if target is None:
            continue
        answer = yield strategy, target, place_of(path, at)
        if isinstance(answer, Done):
            done = Done(replaced(done.term, path, answer.term), done.steps + answer.steps)
            happened = Happened(done.term, answer.steps.seen_from(base))


def put(term: Term, path: Path, answer: Done) -> Done:
    """An answer for the subterm at a path, as an answer for the term."""
    return Done(replaced(term, path, answer.term), answer.steps)


def answer(strategy: Strategy, term: Term, watch: Watch, place: Place = None) -> Answer:
    """Run the meaning of a strategy, answering the questions of its definitions."""
    waiting: list[tuple[Asking, Place]] = []
    asking = meaning(strategy, term, place, watch)
    value: Answer | None = None
    while True:
        try:
            strategy, term, below = next(asking) if value is None else asking.send(value)
        except StopIteration as done:
            value = done.value
            if not waiting:
                assert value is not None
                return value
            asking, place = waiting.pop()
            continue
        watch.visits += below is not place
        waiting.append((asking, place))
        asking, place, value = meaning(strategy, term, below, watch), below, None


class Watch:
    """The counters, observers and fuel of a run."""

    def __init__(self, fuel: int, observers: Sequence[Observer] = (), reports_growth: bool = True) -> None:
        self.fuel = fuel
        self.reports_growth = reports_growth
        self.observers = observers
        self.fires: list[Entry] = []
        self.attempts = 0
        self.visits = 0
        self.working: set[tuple[Strategy, Term]] = set()

    def tried(self, rule: Rule, term: Term, place: Place) -> Term | None:
        """The contractum of a rule on a term, or None."""
        self.attempts += 1
        for observer in self.observers:
            observer.attempted(rule, term, place)
        try:
            contractum = rule.apply(term)
        except StrategyError:
            raise
        except Exception as error:
            raise raised(rule, path_of(place), term, error, self.fires) from error
        for observer in self.observers:
            observer.settled(rule, contractum is not None)
        return contractum

    def fired(self, rule: Rule, term: Term, place: Place, contractum: Term) -> Steps:
        """Check and log a firing, and return its step."""
        breach = term.breach(contractum) if isinstance(term, Contracted) else None
        if breach is not None and not excused(rule, breach):
            raise broken(rule, path_of(place), term, contractum, breach)
        self.fires.append((rule, place, term, contractum))
        if len(self.fires) > self.fuel:
            raise fuel_spent(self.fuel, self.fires)
        steps = Steps.logged((self.fires[-1],))
        for observer in self.observers:
            observer.fired(next(iter(steps)))
        return steps

    def holds(self, predicate: Predicate, term: Term, place: Place) -> bool:
        """Whether a predicate holds of a term."""
        try:
            return predicate.holds(term)
        except StrategyError:
            raise
        except Exception as error:
            raise raised(predicate, path_of(place), term, error) from error

    def discarded(self, done: Done, blame: Blame) -> Blame:
        """Notify the observers that steps are discarded."""
        for observer in self.observers if done.steps else ():
            observer.discarded(len(done.steps))
        return blame
