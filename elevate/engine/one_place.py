"""The combinators that stay at one place, compiled: rules, predicates, sequence, choice, `not_`, `repeat`.

Knows a term by its children only. Each has two forms, one behind the other. The direct form, `..._call`, takes parts
whose calls are ready, and is a function. The deferred form, `..._start`, is a generator, for parts of which one may
call itself down the term: a part whose code is ready is asked on the spot, and a definition that calls itself is
asked through the machine. `blamed` is the strategy to blame where the whole decides. What each combinator means is
in `reference`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from elevate.diagnostics import StrategyError
from elevate.engine.divergence import raised
from elevate.engine.endless import TermWatch
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.rules import Predicate, Rule, Where
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of


def rule_call(machine: Machine, rule: Rule, blamed: Strategy) -> Call:
    """Try a rule, and write its firing down."""
    apply = rule.prepared()
    fired = machine.fired

    def call(term: Term, place: Place) -> Term | None:
        machine.attempts += 1
        try:
            contractum = apply(term)
        except StrategyError:
            raise
        except Exception as error:  # whatever a rule raises: told with the rule and the place
            raise raised(rule, path_of(place), term, error, machine.log) from error
        if contractum is None:
            machine.blame = (blamed, place)
            return None
        fired(rule, place, term, contractum)
        return contractum

    def observed(term: Term, place: Place) -> Term | None:
        for observer in machine.observers:
            observer.attempted(rule, term, place)
        contractum = call(term, place)
        for observer in machine.observers:
            observer.settled(rule, contractum is not None)
        return contractum

    return observed if machine.observers else call


def asking(predicate: Predicate) -> Callable[[Any], bool]:
    """The question that a predicate asks of a term with one of its roots."""
    return predicate.function if isinstance(predicate, Where) else predicate.holds


def predicate_call(machine: Machine, predicate: Predicate, blamed: Strategy) -> Call:
    """Ask a predicate."""
    holds = asking(predicate)

    def call(term: Term, place: Place) -> Term | None:
        try:
            if holds(term):
                return term
        except StrategyError:
            raise
        except Exception as error:  # the same of a predicate
            raise raised(predicate, path_of(place), term, error) from error
        machine.blame = (blamed, place)
        return None

    return call


def id_call(term: Term, place: Place) -> Term | None:
    """Succeed."""
    return term


def fail_call(machine: Machine, blamed: Strategy) -> Call:
    """Fail."""

    def call(term: Term, place: Place) -> Term | None:
        machine.blame = (blamed, place)
        return None

    return call


def seq_call(machine: Machine, parts: Sequence[Call]) -> Call:
    """One after the other; what was fired before a failure is discarded."""
    log = machine.log

    def call(term: Term, place: Place) -> Term | None:
        mark = len(log)
        here: Term | None = term
        for part in parts:
            here = part(here, place)  # type: ignore[arg-type]  # None leaves the loop below
            if here is None:
                if len(log) > mark:
                    machine.discard(mark)
                return None
        return here

    return call


def asked_seq_call(parts: Sequence[Call]) -> Call:
    """One after the other, only the last of which may fire: a failure leaves nothing to discard."""
    first, *others = parts

    def call(term: Term, place: Place) -> Term | None:
        here = first(term, place)
        for part in others:
            if here is None:
                return None
            here = part(here, place)
        return here

    return call


def seq_start(machine: Machine, parts: Sequence[Code]) -> Start:
    """One after the other; what was fired before a failure is discarded."""
    steps = [(part.call, part.start, part) for part in parts]
    log = machine.log

    def start(term: Term, place: Place) -> Asking:
        mark = len(log)
        for call, within, part in steps:
            result: Term | None
            if call is not None:
                result = call(term, place)
            elif within is not None:
                result = yield from within(term, place)
            else:
                result = yield part, term, place
            if result is None:
                if len(log) > mark:
                    machine.discard(mark)
                return None
            term = result
        return term

    return start


def choice_call(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Call:
    """The first that succeeds; alternatives that need another root are not tried."""
    known: set[Hashable] = set().union(*(code.roots for code in alternatives if code.roots is not None))
    anywhere = first_call(machine, [code for code in alternatives if code.roots is None], blamed)
    table = {
        root: first_call(
            machine, [code for code in alternatives if code.roots is None or root in code.roots], blamed
        )
        for root in known
    }
    find = table.get

    def call(term: Term, place: Place) -> Term | None:
        return find(term.root, anywhere)(term, place)

    return call


def first_call(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Call:
    """The first of some alternatives that succeeds, all of them tried; rules without a call in between."""
    if machine.observers or not all(isinstance(code.strategy, Rule) for code in alternatives):
        ways = [(code.guard, code.rest or code.call, code.call) for code in alternatives]

        def call(term: Term, place: Place) -> Term | None:
            for guard, rest, whole in ways:
                if guard is not None:
                    try:
                        if not guard(term):
                            continue
                    except Exception:  # asked again, it raises again, and is told of
                        rest = whole
                result = rest(term, place)  # type: ignore[misc]  # all of them are direct
                if result is not None:
                    return result
            machine.blame = (blamed, place)
            return None

        return call
    rules = [
        (code.strategy, code.strategy.prepared()) for code in alternatives if isinstance(code.strategy, Rule)
    ]
    fired = machine.fired

    def first(term: Term, place: Place) -> Term | None:
        for rule, apply in rules:
            machine.attempts += 1
            try:
                contractum = apply(term)
            except StrategyError:
                raise
            except Exception as error:  # whatever a rule raises
                raise raised(rule, path_of(place), term, error, machine.log) from error
            if contractum is not None:
                fired(rule, place, term, contractum)
                return contractum
        machine.blame = (blamed, place)
        return None

    return first


def choice_start(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Start:
    """The first that succeeds."""
    known: set[Hashable] = set().union(*(code.roots for code in alternatives if code.roots is not None))
    every = [(code.roots, (code.call, code.start, code)) for code in alternatives]
    anywhere = [ways for roots, ways in every if roots is None]
    table = {root: [ways for roots, ways in every if roots is None or root in roots] for root in known}

    def start(term: Term, place: Place) -> Asking:
        for call, within, code in table.get(term.root, anywhere):
            if call is not None:
                result = call(term, place)
            elif within is not None:
                result = yield from within(term, place)
            else:
                result = yield code, term, place
            if result is not None:
                return result
        machine.blame = (blamed, place)
        return None

    return start


def not_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Succeed where the strategy fails."""
    log = machine.log

    def call(term: Term, place: Place) -> Term | None:
        mark = len(log)
        if inner(term, place) is None:
            return term
        machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return call


def not_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Succeed where the strategy fails."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        if within is None:
            result = yield inner, term, place
        else:
            result = yield from within(term, place)
        if result is None:
            return term
        machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def repeat_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Apply until it fails; a term met before raises."""

    def call(term: Term, place: Place) -> Term | None:
        watch = TermWatch(machine.log, term, machine.lasting)
        while (result := inner(term, place)) is not None:
            term = result
            watch.check(term, blamed)
        return term

    return call


def repeat_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply until it fails; a term met before raises."""

    within = inner.start

    def start(term: Term, place: Place) -> Asking:
        watch = TermWatch(machine.log, term, machine.lasting)
        while True:
            if within is None:
                result = yield inner, term, place
            else:
                result = yield from within(term, place)
            if result is None:
                return term
            term = result
            watch.check(term, blamed)

    return start
