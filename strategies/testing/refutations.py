"""Reports that a rule is wrong, with a counterexample that can be run. Independent of rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import rise
from elevate import Diagnostic, FloatClass, Rule, StrategyError
from rise.naturals import Nat
from rise.printer.terms import show_brief
from rise.testing.comparison import same
from rise.testing.snippets import numbers, python_text
from strategies.equations.rule import EquationRule
from strategies.testing.rows import Difference, likeness

ROUNDING_HINT = (
    "if only the rounding may differ, give it a class: float_class=FloatClass.REASSOCIATING or CONTRACTING"
)
"""The hint for an exact rule that changes only the last digits."""


class WrongError(Exception):
    """A defect of a rule: a title, notes, and a hint if there is a specific one."""

    def __init__(self, title: str, *notes: str, hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.notes = notes
        self.hint = hint


def refuse(rule: EquationRule, error: WrongError, notes: Sequence[str] = ()) -> NoReturn:
    """Raise the StrategyError that reports a defect."""
    all_notes = (f"its equation is {rule.written}", *notes, *error.notes)
    hint = error.hint or "correct the rule"
    diagnostic = Diagnostic(code="wrong-rule", title=error.title, notes=all_notes, hint=hint)
    raise StrategyError(diagnostic) from None


def applied(rule: Rule, term: rise.Expr) -> rise.Expr | None:
    """The contractum, or None. Raises WrongError if the rule raises an exception."""
    try:
        contractum = rule.apply(term)
    except Exception as error:  # a rule may raise anything
        raised = f"{rule.name} raises {type(error).__name__}: {error}"
        raise WrongError(raised, f"on {show_brief(term)}") from error
    assert contractum is None or isinstance(contractum, rise.Expr)
    return contractum


def wrong(
    name: str, before: rise.Expr, after: rise.Expr, found: Difference, sizes: Mapping[str, int] | None = None
) -> WrongError:
    """The defect of a rule that changes the result of a program, with a snippet that shows it."""
    alike = likeness(before, after, FloatClass.REASSOCIATING)
    is_rounding = not isinstance(found.after, rise.RiseError) and same(found.before, found.after, alike)
    where = f" where {', '.join(f'{size} = {value}' for size, value in sizes.items())}" if sizes else ""
    return WrongError(
        f"{name} changes what a program computes{where}",
        f"before it gives {shown(found.before)}",
        f"after it gives {shown(found.after)}",
        "\n".join(["to see it, run", *(f"    {line}" for line in snippet(before, after, found.arguments))]),
        hint=ROUNDING_HINT if is_rounding else "",
    )


def demanding(
    name: str,
    conditions: Sequence[str],
    before: rise.Expr,
    after: rise.Expr,
    found: Difference | None,
    sizes: Mapping[str, int],
) -> WrongError:
    """The defect of a rule whose right side is not valid at sizes at which the left side is."""
    where = f" where {', '.join(f'{size} = {value}' for size, value in sizes.items())}" if sizes else ""
    required = " and ".join(conditions)
    notes = [] if found is None else wrong(name, before, after, found).notes
    return WrongError(
        f"the right side of {name} demands that {required}, which its left side does not{where}",
        *notes,
        hint=f"if the rule may demand it, state it: demands=({', '.join(map(repr, conditions))},)",
    )


def snippet(before: rise.Expr, after: rise.Expr, arguments: Sequence[Any]) -> list[str]:
    """Python code that evaluates both sides on an input, with the results in `before` and `after`."""
    values = ", ".join(map(python_text, arguments))
    given = f", {values}" if values else ""
    imports = ["import rise"]
    if "np." in values:
        imports = ["import numpy as np", *imports]
    if "ml_dtypes." in values:
        imports = ["import ml_dtypes", *imports]
    lines = [*imports]
    for name, e in (("before", before), ("after", after)):
        lines += [f'{name} = rise.evaluate(rise.parse("""{rise.show(e)}"""){given})']
    return "\n".join([*lines, "print(before, after)"]).splitlines()


def shown(value: Any) -> str:
    """A result as shown in a message."""
    match value:
        case rise.RiseError():
            return f"an error: {value.diagnostic.title}"
        case tuple() | list():
            return f"({', '.join(map(shown, value))})"
    return numbers(value)


def choices(chosen: Mapping[str, Any]) -> list[str]:
    """The values of the metavariables, as lines of a message."""
    lines: list[str] = []
    for name, value in sorted(chosen.items()):
        if isinstance(value, rise.Var):
            lines.append(f"  {name} : {value.type}")
        elif isinstance(value, rise.Expr):
            lines.append(f"  {name} = {show_brief(value)}")
        elif isinstance(value, int | Nat):
            lines.append(f"  {name} = {value}")
    return lines
