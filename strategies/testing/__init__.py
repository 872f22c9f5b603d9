"""Tests rules: `check` applies a rule to instances of its left side, or in programs, and evaluates both sides.

Knows no rule. Also has Hypothesis strategies: `instances` of a rule's left side, and closed `programs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis.errors import Unsatisfiable

import rise
from elevate import Diagnostic, FloatClass, Path, Rule, StrategyError, path_of, replaced
from elevate.term import preorder
from rise.inference.equations import metavariable
from rise.printer.terms import show_brief
from rise.testing import features
from rise.testing import programs as rise_programs
from strategies.equations.matcher import NoMatch
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.instances import Instance, instances
from strategies.testing.overlaps import Overlap, overlaps, undone
from strategies.testing.terms import programs
from strategies.testing.values import differ, inputs, may_be_unspecified, run

__all__ = [
    "Instance",
    "Overlap",
    "check",
    "check_in_program",
    "firings",
    "instances",
    "overlaps",
    "programs",
    "undone",
]

PARAMETERS = (1, 2, 3, 5)
"""Values with which the parameters of a family are tested."""
ANY_PROGRAM = st.one_of(
    programs(),
    # `iterate` makes arrays of exponential size
    rise_programs().map(lambda run: run.program).filter(lambda e: "primitive iterate" not in features(e)),
)
ROUNDING_HINT = (
    "if only the rounding may differ, give it a class: float_class=FloatClass.REASSOCIATING or CONTRACTING"
)
"""The hint for an exact rule that changes only the last digits."""
MAX_PLACES = 12
"""At most this many firings of a rule are tested per program."""


def check(
    rule: EquationRule | RuleFamily, *, examples: int = 40, given_programs: Sequence[rise.Expr] = ()
) -> int:
    """Test the law of a rule: it fires, keeps the type, invents no variable, and both sides compute the same.

    A rule of exact float class must keep every bit. A rule given by an equation is tested on instances of its left
    side, a family with several parameters; a rule `by` a function, or with predicates on single terms, where it fires
    in the given closed programs and in random ones. Returns how often it fired. Raises StrategyError with the smallest
    counterexample found.
    """
    if not isinstance(rule, EquationRule | RuleFamily):
        title = f"expected a rule or a family of rules, found a {type(rule).__name__}"
        hint = 'make a rule from the equation: check(rule("map id xs = xs", why="..."))'
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    if isinstance(rule, RuleFamily):
        choices = [(value,) * len(rule.parameters) for value in PARAMETERS]
        return sum(
            check(rule(*values), examples=examples // 2, given_programs=given_programs) for values in choices
        )
    if len(rule.forms) > 1 and not rule.of:
        return sum(check(form, examples=examples, given_programs=given_programs) for form in rule.forms)
    if rule.by is None:
        assert rule.compiled.left.type == rule.compiled.right.type  # and an equation without a type raises
    firing_count = sum(check_in_program(rule, program) for program in given_programs)
    run_examples = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )

    def on_instance(instance: Instance) -> None:
        nonlocal firing_count
        try:
            holds = check_instance(rule, instance)
        except rise.RiseError:
            holds = False
        assume(holds)
        firing_count += 1

    def in_program(program: rise.Expr) -> None:
        nonlocal firing_count
        try:
            firing_count += check_in_program(rule, program)
        except rise.RiseError:
            assume(False)

    try:
        if rule.by is None and not rule.of:
            run_examples(given(instances(rule))(on_instance))()
        else:
            run_examples(given(ANY_PROGRAM)(in_program))()
    except Unsatisfiable:
        pass  # no instance satisfied the rule's conditions
    if not firing_count:
        _refuse(rule, _WrongError(f"{rule.name} never fires"))
    return firing_count


def check_instance(rule: EquationRule, instance: Instance) -> bool:
    """Test a rule on one instance of its left side. Returns False if a condition of the rule does not hold for it.

    Raises RiseError if evaluating the left side is an error: then the rule promises nothing.
    """
    left = instance.left
    try:
        right = _applied(rule, left)
        if right is None and _pattern_matches(rule, left):
            return False
        if right is None:
            miss = rule.mismatch(left)
            notes = (f"expected {miss.expected}, found {miss.found}", f"on {show_brief(left)}")
            raise _WrongError(f"{rule.name} does not fire on an instance of its left side", *notes)
        _check_sides(rule, left, right)
        before = instance.program(left)
        expected = run(before, _is_whole(rule), instance.seed)
        _check_meaning(rule, before, instance.program(right), expected, instance.seed)
    except _WrongError as wrong:
        _refuse(rule, wrong, _choices(instance))
    return True


def check_in_program(rule: EquationRule, program: rise.Expr) -> int:
    """Test a rule wherever it fires in a closed program without free sizes. Returns how often it fires.

    Raises RiseError if evaluating the program is an error.
    """
    firing: list[rise.Expr] = []
    try:
        tested = _spread(list(firings(rule, program)))
        expected = run(program, _is_whole(rule)) if tested else None
        for path, redex, contractum in tested:
            firing = [redex, contractum]
            _check_sides(rule, redex, contractum)
            after = replaced(program, path, contractum)
            assert isinstance(after, rise.Expr)
            if not _has_obligations_on_rows(after):
                _check_meaning(rule, program, after, expected)
    except _WrongError as wrong:
        words = zip(("it turned", "into"), firing, strict=False)
        _refuse(rule, wrong, [f"{word} {show_brief(e)}" for word, e in words])
    return len(tested)


def _has_obligations_on_rows(program: rise.Expr) -> bool:
    """Whether a program without free sizes requires something of a dependent array's rows that not all may satisfy."""
    return any(obligation.subject.free for obligation in rise.obligations(program))


def firings(rule: Rule, program: rise.Expr) -> Iterator[tuple[Path, rise.Expr, rise.Expr]]:
    """Where a rule fires in a program: the paths, each with the redex and the contractum."""
    for redex, place in preorder(program):
        assert isinstance(redex, rise.Expr)
        if rule.roots is None or redex.root in rule.roots:
            contractum = _applied(rule, redex)
            if contractum is not None:
                yield path_of(place), redex, contractum


class _WrongError(Exception):
    """A defect of a rule: title, notes, and a hint if there is a specific one."""

    def __init__(self, title: str, *notes: str, hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.notes = notes
        self.hint = hint


def _refuse(rule: EquationRule, error: _WrongError, notes: Sequence[str] = ()) -> NoReturn:
    all_notes = (f"its equation is {rule.equation}", *notes, *error.notes)
    hint = error.hint or ("correct the rule" if all_notes[1:] else "give programs in which it does")
    raise StrategyError(
        Diagnostic(code="wrong-rule", title=error.title, notes=all_notes, hint=hint)
    ) from None


def _is_whole(rule: EquationRule) -> bool:
    """Whether a rule is tested on whole numbers, whose sums are exact."""
    return rule.float_class > FloatClass.EXACT


def _applied(rule: Rule, term: rise.Expr) -> rise.Expr | None:
    """The contractum, or None. A rule that raises is wrong."""
    try:
        contractum = rule.apply(term)
    except Exception as error:  # a rule may raise anything
        raised = f"{rule.name} raises {type(error).__name__}: {error}"
        raise _WrongError(raised, f"on {show_brief(term)}") from error
    assert contractum is None or isinstance(contractum, rise.Expr)
    return contractum


def _pattern_matches(rule: EquationRule, term: rise.Expr) -> bool:
    try:
        rule.compiled.matcher.match(term, {metavariable(name): value for name, value in rule.arguments})
    except (NoMatch, ZeroDivisionError):
        return False
    return True


def _spread(all_firings: list[Any]) -> list[Any]:
    """At most about `MAX_PLACES` of all firings, evenly spread."""
    return all_firings[:: 1 + (len(all_firings) - 1) // MAX_PLACES] if all_firings else all_firings


def _check_sides(rule: EquationRule, left: rise.Expr, right: rise.Expr) -> None:
    """Raise unless the type is the same and no variable is new."""
    if left.type != right.type:
        raise _WrongError(f"{rule.name} changes the type from {left.type} to {right.type}")
    new = right.free - left.free
    if new or right.loose > left.loose:
        names = ", ".join(sorted(str(v) for v in new)) or "a variable that is not in scope"
        raise _WrongError(f"{rule.name} gives a term that mentions {names}")


def _check_meaning(
    rule: EquationRule, before: rise.Expr, after: rise.Expr, expected: Any, seed: int = 0
) -> None:
    """Raise unless the program after a firing computes the expected result."""
    hint = ""
    try:
        actual: Any = run(after, _is_whole(rule), seed)
        fits = not differ(expected, actual, rule.float_class, may_be_unspecified(before))
        if not fits and not differ(expected, actual, FloatClass.REASSOCIATING, may_be_unspecified(before)):
            hint = ROUNDING_HINT
    except rise.RiseError as error:
        actual, fits = error, False
    if not fits:
        raise _WrongError(
            f"{rule.name} changes what a program computes",
            f"inputs: {', '.join(map(_value, inputs(before.type, _is_whole(rule), seed))) or 'none'}",
            f"before: {show_brief(before)}",
            f"  gives {_value(expected)}",
            f"after:  {show_brief(after)}",
            f"  gives {_value(actual)}",
            hint=hint,
        )


def _choices(instance: Instance) -> list[str]:
    """The values of the metavariables, as lines."""
    shown: list[str] = []
    for name, value in sorted(instance.chosen.items(), key=lambda item: item[0]):
        if isinstance(value, rise.Var):
            shown.append(f"  {name} : {value.type}")
        elif isinstance(value, rise.Expr):
            shown.append(f"  {name} = {show_brief(value)}")
        elif not name.isdigit():
            shown.append(f"  {name} = {value}")
    return shown


def _value(value: Any) -> str:
    match value:
        case rise.RiseError():
            return f"an error: {value.diagnostic.title}"
        case tuple():
            return f"({', '.join(map(_value, value))})"
    return str(value.tolist())
