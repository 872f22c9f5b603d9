"""The command `shine prove`: proves the rules in a file, and tests those that are not proved."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any, Final

import typer

import elevate
from elevate import StrategyError
from rise.diagnostics import Diagnostic, RiseError
from shine.cli.terminal import Json, Page, diagnostic_of, page
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.lookup import rules_of_file
from strategies.proof import Verdict, prove

UNTESTED: Final = "not tested: hypothesis is not installed (pip install 'rise-shine[testing]')"


def print_proofs(page: Page, file: Path) -> None:
    """Prove each rule of a file, and test those that are not proved.

    Raises StrategyError with the first counterexample, or if a rule is neither proved nor refuted.
    """
    wrong: list[StrategyError] = []
    unproved: list[str] = []
    facts = []
    for name, rule in rules_of_file(file).items():
        verdicts = prove(rule, scalars=True)
        is_proved = all(verdict.is_proved for verdict in verdicts)
        tested = ""
        if not is_proved:
            unproved.append(name)
            try:
                for verdict in verdicts:
                    _refuse_counterexample(name, verdict)
                tested = _tested(rule)
            except StrategyError as error:
                wrong.append(error)
                tested = f"tested: {error.diagnostic.title}"
        for verdict in verdicts:
            _print(page, name, verdict)
        if tested:
            page.line(f"    {tested}")
        facts.append({"name": name, "proved": is_proved, "tested": tested, "equations": facts_of(verdicts)})
    page.put(rules=facts)
    if wrong:
        raise wrong[0]
    if unproved:
        title = f"expected rules that are proved, found no proof of {', '.join(unproved)}"
        hint = "an unproved rule may hold; split it into smaller rules, or state its conditions on sizes"
        raise RiseError(Diagnostic("not-proved", title, hint=hint))


def _refuse_counterexample(name: str, verdict: Verdict) -> None:
    """Raise StrategyError for an equation that is wrong for some numbers."""
    if verdict.counterexample:
        code = "\n".join(f"    {line}" for line in verdict.counterexample.splitlines())
        notes = (f"its equation is {verdict.equation}", f"to see it, run\n{code}")
        title = f"{name} changes what a program computes: {verdict.reason}"
        raise StrategyError(elevate.Diagnostic("wrong-rule", title, notes=notes, hint="correct the rule"))


def facts_of(verdicts: tuple[Verdict, ...]) -> list[dict[str, object]]:
    """Verdicts as JSON."""
    return [
        {
            "equation": one.equation,
            "proved": one.is_proved,
            "uses": list(one.uses),
            "laws": one.laws,
            "demands": list(one.demands),
            "reason": one.reason,
            "types": list(one.types),
            "seconds": round(one.seconds, 4),
        }
        for one in verdicts
    ]


def described(verdict: Verdict) -> str:
    """A verdict as a line that starts with the name of its rule."""
    types = f" at {', '.join(verdict.types)}" if verdict.types else ""
    if not verdict.is_proved:
        return f"not proved: {verdict.reason}" + (f" (proved{types})" if types else "")
    rests = f", by {', '.join(verdict.uses)}" if verdict.uses else ""
    rests += f", if {verdict.laws}" if verdict.laws else ""
    demands = f", where {' and '.join(verdict.demands)}" if verdict.demands else ""
    return f"proved for all sizes{types}{demands}{rests}"


def _print(page: Page, name: str, verdict: Verdict) -> None:
    page.line((name, "bold cyan"), f"  {described(verdict)}")
    page.line(f"    {verdict.equation}")


def _tested(rule: EquationRule | RuleFamily) -> str:
    """A summary of what the tests of a rule covered. Raises StrategyError with a counterexample."""
    try:
        testing: Any = importlib.import_module("strategies.testing")
    except ImportError:
        return UNTESTED
    try:
        return f"tested: no counterexample in {int(testing.check(rule)):,} firings"
    except StrategyError as error:
        if error.diagnostic.code != "wrong-rule":
            return f"not tested: {diagnostic_of(error).title}"
        raise


def prove_command(
    file: Annotated[
        Path, typer.Argument(metavar="RULES.py", help="The file that defines the rules. It is run.")
    ],
    json: Json = False,
) -> None:
    """Prove the rules in a Python file for all sizes, and test those that are not proved."""
    with page(json) as report:
        print_proofs(report, file)
