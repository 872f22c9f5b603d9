"""Tests rules: `check` applies a rule to instances of its left side, or in programs, and evaluates both sides.

Independent of particular rules. Also contains Hypothesis strategies: `instances` of a rule's left side, closed
`programs`, and programs with a `redex` of a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

try:
    import hypothesis.strategies as st
    from hypothesis import HealthCheck, Phase, assume, given, seed, settings
    from hypothesis.errors import Unsatisfiable
except ModuleNotFoundError as absent:
    reason = "strategies.testing draws programs by hypothesis: pip install 'rise-shine[testing]'"
    raise ModuleNotFoundError(reason, name=absent.name) from None

import rise
from elevate import Diagnostic, Path, Rule, StrategyError, path_of, replaced
from elevate.term import preorder
from rise.inference.equations import metavariable
from rise.printer.terms import show_brief
from rise.terms import Var
from rise.testing import features
from rise.testing import programs as rise_programs
from rise.tracebacks import ends_at_the_users_line
from strategies.equations.compilation import Compiled, compile_equation
from strategies.equations.matcher import NoMatch
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.argument_checks import check_arguments, check_float_class, law_of
from strategies.testing.evidence import Evidence, Record
from strategies.testing.exercise import exercise, recorded
from strategies.testing.instances import Instance, instances
from strategies.testing.lint import Lint, lint
from strategies.testing.overlaps import Overlap, overlaps, undone
from strategies.testing.redexes import Redex, redex
from strategies.testing.refutations import WrongError, applied, choices, demanding, refuse, wrong
from strategies.testing.rows import Runs
from strategies.testing.size_requirements import demands, has_obligations_on_rows, holds, unstated
from strategies.testing.sweeps import swept
from strategies.testing.terms import programs

__all__ = [
    "Evidence",
    "Instance",
    "Lint",
    "Overlap",
    "Redex",
    "check",
    "check_in_program",
    "firings",
    "instances",
    "lint",
    "overlaps",
    "programs",
    "redex",
    "undone",
]

PARAMETERS = (1, 2, 3, 5)
"""Values with which the parameters of a family are tested."""
ANY_PROGRAM = st.one_of(
    programs(),
    # `iterate` makes arrays of exponential size
    rise_programs().map(lambda run: run.program).filter(lambda e: "primitive iterate" not in features(e)),
)
MOST_EXAMPLES = 40
"""The number of examples if fewer leave a part of the rule unexercised."""
MOST_SHARES = 4
"""A rule with several equations divides its examples among them; each is tested on at least one in this many."""
MOST_ATTEMPTS = 25
"""The maximum number of random instances for each requested firing; most may fail the predicates of a rule."""
MAX_PLACES = 12
"""The approximate maximum number of firings of a rule that are tested per program."""


@ends_at_the_users_line
def check(
    rule: EquationRule | RuleFamily,
    *,
    examples: int = 40,
    given_programs: Sequence[rise.Expr] = (),
    generator: st.SearchStrategy[rise.Expr] | None = None,
) -> Evidence:
    """Test the law of a rule: it fires, preserves types, introduces no free variables, and both sides compute the same.

    A rule of exact float class must keep every bit that `docs/semantics.md` specifies, and may not introduce a
    primitive that adds in any order. A right side must be valid at all sizes at which the left side is, unless the rule
    states in `demands` what it requires. A rule given by an equation is tested at all small sizes and on random
    instances of its left side, and a family with several values of its parameters; a rule `by` a function is tested on
    random instances of the left side of its equation. A rule by a function, or with a predicate, is also tested where
    it fires in random programs, and any rule where it fires in `given_programs`, closed programs without free sizes,
    and in programs from `generator`. If it fires in programs that the caller gives, coverage is not required.

    Returns the number of firings, with the coverage. Raises StrategyError with the smallest counterexample found
    (`wrong-rule`), or with what was not exercised (`little-power`).
    """
    check_arguments(rule, examples, given_programs, generator)
    check_float_class(law_of(rule))
    missing: Sequence[str] = ()
    whole = Record()
    variants = list(_variants(rule))
    for forms in variants:
        record, shares = Record(), len(forms) * min(len(variants), MOST_SHARES)
        least = max(1, examples // shares)
        is_repeated = not (law_of(rule).by or law_of(rule).of or given_programs)
        done = 0
        for count in _counts(least, max(examples, MOST_EXAMPLES) if is_repeated else least):
            attempts = MOST_ATTEMPTS * max(examples, count)
            for one in forms:
                if done and not (record.firings and any(record.missing())):
                    break  # no more are needed, or no instance out of many satisfied the conditions
                record.add(_tested(one, count - done, attempts, given_programs, generator, done))
            done = count
        about = f"of `{forms[0].written}`, " if len(law_of(rule).forms) > 1 else ""
        missing = [*missing, *(f"{about}{what}" for what in record.missing())]
        whole.add(record)
    evidence = Evidence(whole)
    evidence.missing = missing = () if whole.chosen else tuple(missing)
    if missing:
        _refuse_little_power(rule, evidence)
    return evidence


def _counts(least: int, most: int) -> Iterator[int]:
    """Numbers of examples from the least to the most, each four times the previous one."""
    while least < most:
        yield least
        least *= 4
    yield most


def _variants(rule: EquationRule | RuleFamily) -> Iterator[list[EquationRule]]:
    """The rules with one equation each that a rule consists of; for a family, grouped over several sizes."""
    if isinstance(rule, RuleFamily):
        count = len(rule.parameters)
        sizes = [tuple(PARAMETERS[(i + k) % len(PARAMETERS)] for k in range(count)) for i in range(4)]
        sizes += [(2,) * count] if count > 1 else []
        families = [rule(*each) for each in sizes]
        for forms in zip(*(one.forms for one in families), strict=True):
            yield list(forms)
    elif rule.of:
        yield [rule]
    else:
        for form in rule.forms:
            yield [form]


def _tested(
    rule: EquationRule,
    examples: int,
    attempts: int,
    given_programs: Sequence[rise.Expr],
    generator: st.SearchStrategy[rise.Expr] | None,
    after: int,
) -> Record:
    """Test a rule with one equation on examples other than the first `after` ones; returns its coverage. There are as
    many firings as `examples`, if they are found in `attempts` instances.
    """
    compiled = pattern_of(rule)
    record = Record() if compiled is None else recorded(compiled, is_by_function=rule.by is not None)

    def on_instance(instance: Instance) -> None:
        assert compiled is not None
        with suppress(rise.RiseError):
            check_instance(rule, instance, compiled, record)

    def in_program(program: rise.Expr) -> None:
        try:
            record.firings += check_in_program(rule, program)
        except rise.RiseError:
            assume(False)

    if compiled is not None:
        _run_until(
            lambda: record.firings >= examples,
            on_instance,
            instances(rule, compiled=compiled),
            examples,
            attempts,
            after,
        )
    if rule.by is None and len(rule.forms) == 1 and not after:
        record.add(swept(rule))  # afterwards: a random counterexample is easier to read
    on_instances = record.firings
    for program in given_programs:
        in_program(program)
    record.chosen = record.firings - on_instances
    if generator is not None:
        _run(in_program, generator, examples, after)
    if rule.by is not None or rule.of:
        _run(in_program, ANY_PROGRAM, examples)
    if on_instances < examples // 4 and record.firings > on_instances:
        record.fixed |= record.metavariables.keys()  # in programs, the terms of metavariables are not known
        record.branches.clear()
    return record


def _run_until(
    is_enough: Callable[[], bool],
    test: Callable[[Any], None],
    examples_of: st.SearchStrategy[Any],
    examples: int,
    attempts: int,
    after: int,
) -> None:
    """Run a test on `examples` examples other than the first `after` ones, and on more until `is_enough` holds, on at
    most `attempts` in total.

    Hypothesis by itself would try hundreds before giving up, however few examples are requested.
    """
    done, count = after, examples
    while count > 0 and (done == after or not is_enough()):
        _run(test, examples_of, count, after=done)
        done += count
        count = min(2 * count, attempts - done)


def _run(
    test: Callable[[Any], None], examples_of: st.SearchStrategy[Any], examples: int, after: int = 0
) -> None:
    """Run a test on examples other than the first `after` ones. Raises the test's error on the smallest example, which
    says all that users need: the notes of Hypothesis are about the test here.
    """
    run_examples = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    tested = given(examples_of)(test)
    try:
        with suppress(Unsatisfiable):  # no example satisfies the rule's conditions
            run_examples(seed(after)(tested) if after else tested)()
    except StrategyError as error:
        vars(error).pop("__notes__", None)
        raise


def pattern_of(rule: EquationRule) -> Compiled | None:
    """The equation of a rule; for a rule by a function, the left side of its equation, or None if that is prose."""
    if rule.by is None:
        return rule.compiled
    left = rule.equation.partition(" = ")[0]
    try:
        return compile_equation(f"{left} = {left}")
    except (rise.RiseError, StrategyError):
        return None


def check_instance(
    rule: EquationRule, instance: Instance, compiled: Compiled | None = None, record: Record | None = None
) -> bool:
    """Test a rule on one instance of its left side. Returns False if it is not an instance: a condition of the rule
    does not hold, or its sizes violate a requirement of either side.

    Raises RiseError if evaluating the left side is an error; then the rule promises nothing.
    """
    compiled = rule.compiled if compiled is None else compiled
    record = recorded(compiled) if record is None else record
    left, before = instance.left, instance.program(instance.left)
    if not holds(before):
        return False
    try:
        right = applied(rule, left)
        if right is None and (rule.by is not None or rule.of or _pattern_matches(rule, left)):
            return False
        if right is None:
            miss = rule.mismatch(left)
            raise WrongError(
                f"{rule.name} does not fire on an instance of its left side",
                f"expected {miss.expected}, found {miss.found}",
                f"on {show_brief(left)}",
            )
        _check_sides(rule, left, right)
        after = instance.program(right)
        more: tuple[str, ...] = ()
        is_valid = rule.by is not None or holds(after)
        if not is_valid:
            record.demands |= dict.fromkeys(demands(compiled.left, compiled.right))
            more = unstated(rule, after, instance.named_sizes)
            if not more:
                return False
        runs = Runs(before, rule.float_class, instance.seed)
        tested, found = runs.against(after)
        if tested and more:
            raise demanding(rule.name, more, before, after, found, instance.named_sizes)
        if found is not None:
            raise wrong(rule.name, before, after, found, instance.named_sizes)
        if not tested:
            return False
    except WrongError as error:
        refuse(rule, error, choices(instance.chosen))
    record.firings += 1
    record.inputs += tested
    record.at(instance.named_sizes)
    exercise(record, compiled, instance.terms, instance.known, instance.program, rule.float_class, runs)
    return True


def check_in_program(rule: EquationRule, program: rise.Expr) -> int:
    """Test a rule wherever it fires in a closed program without free sizes. Returns how often it fires.

    Raises RiseError if evaluating the program is an error.
    """
    firing: list[rise.Expr] = []
    try:
        tested = _spread(list(firings(rule, program)))
        runs = Runs(program, rule.float_class) if tested else None
        for path, redex, contractum in tested:
            firing = [redex, contractum]
            _check_sides(rule, redex, contractum)
            after = replaced(program, path, contractum)
            assert isinstance(after, rise.Expr)
            if runs is not None and not has_obligations_on_rows(after):
                found = runs.against(after)[1]
                if found is not None:
                    raise wrong(rule.name, program, after, found)
    except WrongError as error:
        words = zip(("it turned", "into"), firing, strict=False)
        refuse(rule, error, [f"{word} {show_brief(e)}" for word, e in words])
    return len(tested)


def firings(rule: Rule, program: rise.Expr) -> Iterator[tuple[Path, rise.Expr, rise.Expr]]:
    """The places where a rule fires in a program: each path, with the redex and the contractum."""
    for part, place in preorder(program):
        assert isinstance(part, rise.Expr)
        if rule.roots is None or part.root in rule.roots:
            contractum = applied(rule, part)
            if contractum is not None:
                yield path_of(place), part, contractum


def _refuse_little_power(rule: EquationRule | RuleFamily, evidence: Evidence) -> None:
    law = law_of(rule)
    name = repr(rule) if isinstance(rule, RuleFamily) else rule.name
    never = not evidence
    title = f"{name} never fires" if never else f"the test of {name} covers too little: {evidence.missing[0]}"
    notes = (f"its equation is {law.written}", *evidence.missing[not never :], *evidence.lines())
    hint = "pass programs in which it does: given_programs=[...], or a Hypothesis strategy: generator=..."
    raise StrategyError(Diagnostic("little-power", title, notes=notes, hint=hint))


def _pattern_matches(rule: EquationRule, term: rise.Expr) -> bool:
    try:
        rule.compiled.matcher.match(term, {metavariable(name): value for name, value in rule.arguments})
    except (NoMatch, ZeroDivisionError):
        return False
    return True


def _spread(all_firings: list[Any]) -> list[Any]:
    """About `MAX_PLACES` of all firings at most, evenly spaced."""
    return all_firings[:: 1 + (len(all_firings) - 1) // MAX_PLACES] if all_firings else all_firings


def _check_sides(rule: EquationRule, left: rise.Expr, right: rise.Expr) -> None:
    """Raise WrongError unless the type is the same and there are no new variables."""
    if left.type != right.type:
        raise WrongError(f"{rule.name} changes the type from {left.type} to {right.type}")
    new = right.free - left.free
    if new or right.loose > left.loose:
        names = ", ".join(sorted(v.name if isinstance(v, Var) else str(v) for v in new))
        raise WrongError(
            f"{rule.name} gives a term that mentions {names or 'a variable that is not in scope'}"
        )
