"""Compiled combinators that apply at one place: rules, predicates, sequence, choice, `not_`, `repeat`.

Terms are accessed only through their children. Each combinator has two forms, next to each other. The direct form,
`..._call`, is a function over parts that are direct. The deferred form, `..._start`, is a generator, for parts that may
be recursive definitions: a part whose code is ready is called at once, a recursive definition through the machine.
`blamed` is the strategy to blame if the whole fails. `reference` defines what each combinator means.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from elevate.diagnostics import StrategyError
from elevate.engine.divergence import raised
from elevate.engine.machine import Asking, Call, Code, Machine, Start
from elevate.engine.nontermination import TermWatch
from elevate.rules import Predicate, Rule, Where
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of


def rule_call(machine: Machine, rule: Rule, blamed: Strategy) -> Call:
    """Try a rule, and log its firing."""
    apply = rule.prepared()
    fired = machine.fired

    def call(term: Term, place: Place) -> Term | None:
        machine.attempts += 1
        try:
            contractum = apply(term)
        except StrategyError:
            raise
        except Exception as error:  # reported with the rule and the place
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


def test_of(predicate: Predicate) -> Callable[[Any], bool]:
    """The test of a predicate, for terms with one of its roots."""
    return predicate.function if isinstance(predicate, Where) else predicate.holds


def predicate_call(machine: Machine, predicate: Predicate, blamed: Strategy) -> Call:
    """Test a predicate."""
    holds = test_of(predicate)

    def call(term: Term, place: Place) -> Term | None:
        try:
            if holds(term):
                return term
        except StrategyError:
            raise
        except Exception as error:  # reported as for a rule
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
    """Apply parts in sequence; firings before a failure are discarded."""
    log = machine.log

    def call(term: Term, place: Place) -> Term | None:
        mark = len(log)
        current: Term | None = term
        for part in parts:
            current = part(current, place)  # type: ignore[arg-type]  # None leaves the loop below
            if current is None:
                if len(log) > mark:
                    machine.discard(mark)
                return None
        return current

    return call


def guarded_seq_call(parts: Sequence[Call]) -> Call:
    """Apply parts in sequence, only the last of which may fire, so that a failure discards nothing."""
    first, *rest = parts

    def call(term: Term, place: Place) -> Term | None:
        current = first(term, place)
        for part in rest:
            if current is None:
                return None
            current = part(current, place)
        return current

    return call


def seq_start(machine: Machine, parts: Sequence[Code]) -> Start:
    """Apply parts in sequence; firings before a failure are discarded."""
    steps = [(part.call, part.start, part) for part in parts]
    log = machine.log

    def start(term: Term, place: Place) -> Asking:
        mark = len(log)
        for call, start_part, part in steps:
            result: Term | None
            if call is not None:
                result = call(term, place)
            elif start_part is not None:
                result = yield from start_part(term, place)
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
    """Apply the first alternative that succeeds; those that need another root are not tried."""
    roots: set[Hashable] = set().union(*(code.roots for code in alternatives if code.roots is not None))
    anywhere = first_call(machine, [code for code in alternatives if code.roots is None], blamed)
    table = {
        root: first_call(
            machine, [code for code in alternatives if code.roots is None or root in code.roots], blamed
        )
        for root in roots
    }
    find = table.get

    def call(term: Term, place: Place) -> Term | None:
        return find(term.root, anywhere)(term, place)

    return call


def first_call(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Call:
    """Apply the first alternative that succeeds, trying each; rules are tried without an extra call."""
    if machine.observers or not all(isinstance(code.strategy, Rule) for code in alternatives):
        forms = [(code.guard, code.rest or code.call, code.call) for code in alternatives]

        def call(term: Term, place: Place) -> Term | None:
            for guard, rest, whole in forms:
                if guard is not None:
                    try:
                        if not guard(term):
                            continue
                    except Exception:  # the whole raises it again, and reports it
                        rest = whole
                result = rest(term, place)  # type: ignore[misc]  # all are direct
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
            except Exception as error:  # reported with the rule and the place
                raise raised(rule, path_of(place), term, error, machine.log) from error
            if contractum is not None:
                fired(rule, place, term, contractum)
                return contractum
        machine.blame = (blamed, place)
        return None

    return first


def choice_start(machine: Machine, alternatives: Sequence[Code], blamed: Strategy) -> Start:
    """Apply the first alternative that succeeds."""
    known: set[Hashable] = set().union(*(code.roots for code in alternatives if code.roots is not None))
    forms = [(code.roots, (code.call, code.start, code)) for code in alternatives]
    anywhere = [form for roots, form in forms if roots is None]
    table = {root: [form for roots, form in forms if roots is None or root in roots] for root in known}

    def start(term: Term, place: Place) -> Asking:
        for call, start_alternative, code in table.get(term.root, anywhere):
            if call is not None:
                result = call(term, place)
            elif start_alternative is not None:
                result = yield from start_alternative(term, place)
            else:
                result = yield code, term, place
            if result is not None:
                return result
        machine.blame = (blamed, place)
        return None

    return start


def not_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Succeed if the strategy fails."""
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
    """Succeed if the strategy fails."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        mark = len(machine.log)
        if start_inner is None:
            result = yield inner, term, place
        else:
            result = yield from start_inner(term, place)
        if result is None:
            return term
        machine.discard(mark)
        machine.blame = (blamed, place)
        return None

    return start


def repeat_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Apply until it fails; raises StrategyError for a cycle."""

    def call(term: Term, place: Place) -> Term | None:
        watch = TermWatch(machine.log, term, machine.reports_growth)
        while (result := inner(term, place)) is not None:
            term = result
            watch.check(term, blamed)
        return term

    return call


def repeat_start(machine: Machine, inner: Code, blamed: Strategy) -> Start:
    """Apply until it fails; raises StrategyError for a cycle."""

    start_inner = inner.start

    def start(term: Term, place: Place) -> Asking:
        watch = TermWatch(machine.log, term, machine.reports_growth)
        while True:
            if start_inner is None:
                result = yield inner, term, place
            else:
                result = yield from start_inner(term, place)
            if result is None:
                return term
            term = result
            watch.check(term, blamed)

    return start
