"""Direct code of the one-place combinators and one-level traversals. Knows a term by its children only.

Every function takes compiled parts that have the direct form, and makes a call. `blamed` is the strategy
to blame where the whole decides.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from elevate.diagnostics import StrategyError
from elevate.engine.divergence import raised
from elevate.engine.endless import TermWatch
from elevate.engine.machine import Call, Code, Machine
from elevate.rules import Predicate, Rule, Where
from elevate.strategy import Strategy
from elevate.term import Place, Term, path_of, with_child


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


def repeat_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Apply until it fails; a term met before raises."""

    def call(term: Term, place: Place) -> Term | None:
        watch = TermWatch(machine.log, term, machine.lasting)
        while (result := inner(term, place)) is not None:
            term = result
            watch.check(term, blamed)
        return term

    return call


def all_call(machine: Machine, inner: Call) -> Call:
    """Every child."""
    log = machine.log

    def call(term: Term, place: Place) -> Term | None:
        mark = len(log)
        children = term.children
        rewritten: list[Term] = []
        for index, child in enumerate(children):
            machine.visits += 1
            result = inner(child, (place, index))
            if result is None:
                machine.discard(mark)
                return None
            rewritten.append(result)
        return rebuilt(term, children, rewritten)

    return call


def rebuilt(term: Term, children: tuple[Term, ...], rewritten: list[Term]) -> Term:
    """The term over rewritten children, itself where none changed."""
    if any(new is not old for new, old in zip(rewritten, children, strict=True)):
        return term.rebuild(tuple(rewritten))
    return term


def one_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """The first child that succeeds."""

    def call(term: Term, place: Place) -> Term | None:
        for index, child in enumerate(term.children):
            machine.visits += 1
            result = inner(child, (place, index))
            if result is not None:
                return with_child(term, index, result)
        machine.blame = (blamed, place)
        return None

    return call


def some_call(machine: Machine, inner: Call, blamed: Strategy) -> Call:
    """Every child that succeeds, at least one."""

    def call(term: Term, place: Place) -> Term | None:
        children = term.children
        machine.visits += len(children)
        results = [inner(child, (place, index)) for index, child in enumerate(children)]
        if all(result is None for result in results):
            machine.blame = (blamed, place)
            return None
        rewritten = [old if new is None else new for new, old in zip(results, children, strict=True)]
        return rebuilt(term, children, rewritten)

    return call


def child_call(machine: Machine, index: int, inner: Call, blamed: Strategy) -> Call:
    """One child by its index."""

    def call(term: Term, place: Place) -> Term | None:
        children = term.children
        if not 0 <= index < len(children):
            machine.blame = (blamed, place)
            return None
        machine.visits += 1
        result = inner(children[index], (place, index))
        return None if result is None else with_child(term, index, result)

    return call
