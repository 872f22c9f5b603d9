"""Tests rules: `check` applies a rule to instances of its left side, or in programs, and evaluates both.

Knows no rule. Hypothesis strategies stand beside it: `instances` of a rule's left side, closed `programs`.
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
from strategies.equations.validation import likely_typos
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
"""What the parameters of a family are tested at."""
ANY_PROGRAM = st.one_of(
    programs(),
    # `iterate` makes arrays of exponential size
    rise_programs().map(lambda run: run.program).filter(lambda e: "primitive iterate" not in features(e)),
)
ROUNDS = (
    "if only the rounding may differ, give it a class: float_class=FloatClass.REASSOCIATING or CONTRACTING"
)
"""What is said of an exact rule that changes no more than the last digits."""
PLACES = 12
"""At how many places of a program a rule that fires everywhere is tested."""


def check(
    rule: EquationRule | RuleFamily, *, examples: int = 40, given_programs: Sequence[rise.Expr] = ()
) -> int:
    """Test the law of a rule: it fires, keeps the type, invents no variable, and both sides compute the same.

    A rule of exact float class must keep every bit. A rule by its equation is tested on instances of its left
    side, a family at several parameters; a rule `by` a function, or with predicates on single terms, where it fires
    in the given closed programs and in random ones. Says how often it fired. Raises StrategyError with the smallest
    counterexample found.
    """
    if not isinstance(rule, EquationRule | RuleFamily):
        title = f"expected a rule or a family of rules, found a {type(rule).__name__}"
        hint = 'make one of the equation: check(rule("map id xs = xs", why="..."))'
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    if isinstance(rule, RuleFamily):
        chosen = [(value,) * len(rule.parameters) for value in PARAMETERS]
        return sum(
            check(rule(*values), examples=examples // 2, given_programs=given_programs) for values in chosen
        )
    if len(rule.forms) > 1 and not rule.of:
        return sum(check(form, examples=examples, given_programs=given_programs) for form in rule.forms)
    if rule.by is None:
        assert rule.compiled.left.type == rule.compiled.right.type  # and an equation without a type raises
    fired = sum(check_in_program(rule, program) for program in given_programs)
    tried = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )

    def on_instance(instance: Instance) -> None:
        nonlocal fired
        try:
            holds = check_instance(rule, instance)
        except rise.RiseError:
            holds = False
        assume(holds)
        fired += 1

    def in_program(program: rise.Expr) -> None:
        nonlocal fired
        try:
            fired += check_in_program(rule, program)
        except rise.RiseError:
            assume(False)

    try:
        if rule.by is None and not rule.of:
            tried(given(instances(rule))(on_instance))()
        else:
            tried(given(ANY_PROGRAM)(in_program))()
    except Unsatisfiable:
        pass  # no instance fulfilled the rule's conditions
    if not fired:
        _refuse(rule, _WrongError(f"{rule.name} never fires"))
    return fired


def check_instance(rule: EquationRule, instance: Instance) -> bool:
    """Test a rule on one instance of its left side; False where a condition of the rule does not hold of it.

    Raises RiseError where what the left side computes is an error: nothing is promised of it.
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
    """Test a rule wherever it fires in a closed program without free sizes; how often it does.

    Raises RiseError where what the program computes is an error.
    """
    here: list[rise.Expr] = []
    try:
        found = _spread(list(firings(rule, program)))
        expected = run(program, _is_whole(rule)) if found else None
        for path, redex, contractum in found:
            here = [redex, contractum]
            _check_sides(rule, redex, contractum)
            after = replaced(program, path, contractum)
            assert isinstance(after, rise.Expr)
            if not _asks_of_rows(after):
                _check_meaning(rule, program, after, expected)
    except _WrongError as wrong:
        words = zip(("it turned", "into"), here, strict=False)
        _refuse(rule, wrong, [f"{word} {show_brief(e)}" for word, e in words])
    return len(found)


def _asks_of_rows(program: rise.Expr) -> bool:
    """Whether a program without free sizes needs something of the rows of a dependent array, which not all may have."""
    return any(one.subject.free for one in rise.obligations(program))


def firings(rule: Rule, program: rise.Expr) -> Iterator[tuple[Path, rise.Expr, rise.Expr]]:
    """Where a rule fires in a program: the paths, and what stood there before and after."""
    for redex, place in preorder(program):
        assert isinstance(redex, rise.Expr)
        if rule.roots is None or redex.root in rule.roots:
            contractum = _applied(rule, redex)
            if contractum is not None:
                yield path_of(place), redex, contractum


class _WrongError(Exception):
    """What is wrong with a rule: a title, what else to say of it, and a hint where there is a special one."""

    def __init__(self, title: str, *notes: str, hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.notes = notes
        self.hint = hint


def _refuse(rule: EquationRule, wrong: _WrongError, notes: Sequence[str] = ()) -> NoReturn:
    typos = likely_typos(rule.compiled) if rule.by is None else []
    said = (f"its equation is {rule.equation}", *typos, *notes, *wrong.notes)
    hint = wrong.hint or ("correct the rule" if said[1:] else "give programs in which it does")
    raise StrategyError(Diagnostic(code="wrong-rule", title=wrong.title, notes=said, hint=hint)) from None


def _is_whole(rule: EquationRule) -> bool:
    """Whether a rule is tested on whole numbers, of which no sum is rounded."""
    return rule.float_class > FloatClass.EXACT


def _applied(rule: Rule, term: rise.Expr) -> rise.Expr | None:
    """The contractum. A rule that raises is wrong."""
    try:
        found = rule.apply(term)
    except Exception as error:  # whatever a rule raises
        raised = f"{rule.name} raises {type(error).__name__}: {error}"
        raise _WrongError(raised, f"on {show_brief(term)}") from error
    assert found is None or isinstance(found, rise.Expr)
    return found


def _pattern_matches(rule: EquationRule, term: rise.Expr) -> bool:
    try:
        rule.compiled.matcher.match(term, {metavariable(name): value for name, value in rule.arguments})
    except (NoMatch, ZeroDivisionError):
        return False
    return True


def _spread(found: list[Any]) -> list[Any]:
    """Some of many, from everywhere."""
    return found[:: 1 + (len(found) - 1) // PLACES] if found else found


def _check_sides(rule: EquationRule, left: rise.Expr, right: rise.Expr) -> None:
    """The type stays, and no variable is invented."""
    if left.type != right.type:
        raise _WrongError(f"{rule.name} changes the type from {left.type} to {right.type}")
    invented = right.free - left.free
    if invented or right.loose > left.loose:
        names = ", ".join(sorted(str(v) for v in invented)) or "a binder that is not around it"
        raise _WrongError(f"{rule.name} gives a term that mentions {names}")


def _check_meaning(
    rule: EquationRule, before: rise.Expr, after: rise.Expr, expected: Any, seed: int = 0
) -> None:
    """The program after a firing computes what is expected."""
    hint = ""
    try:
        found: Any = run(after, _is_whole(rule), seed)
        fits = not differ(expected, found, rule.float_class, may_be_unspecified(before))
        if not fits and not differ(expected, found, FloatClass.REASSOCIATING, may_be_unspecified(before)):
            hint = ROUNDS
    except rise.RiseError as error:
        found, fits = error, False
    if not fits:
        raise _WrongError(
            f"{rule.name} changes what a program computes",
            f"inputs: {', '.join(map(_value, inputs(before.type, _is_whole(rule), seed))) or 'none'}",
            f"before: {show_brief(before)}",
            f"  gives {_value(expected)}",
            f"after:  {show_brief(after)}",
            f"  gives {_value(found)}",
            hint=hint,
        )


def _choices(instance: Instance) -> list[str]:
    """What was chosen for the metavariables."""
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
