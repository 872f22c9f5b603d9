"""The command `shine check-derivation`: checks that the steps of a strategy, of a saved derivation with its program, or
of a certificate, preserve the meaning.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, Final, NoReturn

from elevate import Derivation, FloatClass, StrategyError
from rise.diagnostics import Diagnostic, RiseError
from rise.text.libraries import read_bytes
from rise.text.reader import decode
from shine.cli import request as requests
from shine.cli.derivation_files import joined_derivation
from shine.cli.options import with_request
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.front.derivation import brief, derive
from shine.front.step_search import search
from strategies.proof import Checked, Part, check_derivation, read_certificate

#: the suffix of a file that is a certificate, and not a program
CERTIFICATE: Final = ".json"
LONGEST_NAME: Final = 200  # characters


def print_check(page: Page, request: Request) -> None:
    """Check a derivation for all sizes and inputs, and print the laws that the check relies on.

    Raises RiseError, which names the first step that could not be checked.
    """
    if request.text is None and Path(request.file).suffix == CERTIFICATE:
        _print_certificate(page, request)
        return
    chosen = requests.choose(request)
    strategy = requests.strategy_of(request)
    with requests.located(chosen.program, chosen.name):
        derivation = joined_derivation(derive(strategy, chosen.high, chosen.what))
    _print_verdict(page, derivation, brief(strategy), chosen.what)


def _print_certificate(page: Page, request: Request) -> None:
    """Check a certificate, without its program, strategy or rules."""
    file = Path(request.file)
    if request != Request(request.file):
        title = f"{file} has its own program, strategy and sizes, and other options were given"
        hint = (
            "check it without options, or as a strategy: shine check-derivation FILE.rise --strategy D.json"
        )
        raise RiseError(Diagnostic("certificate", title, hint=hint))
    text = decode(read_bytes(file, str(file)), str(file))
    try:
        found = read_certificate(text)
    except StrategyError as error:
        wrong = error.diagnostic
        raise RiseError(Diagnostic(wrong.code, f"{file}: {wrong.title}", hint=wrong.hint)) from None
    strategy, what = (str(found.about.get(name, "?"))[:LONGEST_NAME] for name in ("strategy", "of"))
    checked = _print_verdict(page, found.derivation, strategy, what)
    unstated = [one for one in checked.conditions if one not in found.conditions]
    if unstated:
        title = f"{file}: expected the result to be valid where the program is, or under conditions that are stated"
        title += f", found `{unstated[0]}`"
        raise RiseError(
            Diagnostic("not-checked", title, hint="the file was changed: save the derivation again")
        )


def _print_verdict(page: Page, derivation: Derivation[Any], strategy: str, what: str) -> Checked:
    """Check a derivation and print the verdict. Raises RiseError if a step could not be checked."""
    steps = list(derivation.steps)
    found = check_derivation(derivation)
    count = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    page.line((strategy, "bold"), f" on {what}: {count}")
    for part in found.parts:
        page.line(f"    {_described(part, len(steps))}")
    for law in found.laws:
        page.line(f"    trusted: {law}, but for rounding{_by_whom(derivation)}")
    for condition in found.conditions:
        page.line(f"    needs: {condition}")
    for use in found.uses:
        page.line((f"    by {use}", "dim"))
    page.put(
        strategy=strategy,
        steps=len(steps),
        checked=not found.stopped,
        parts=[[part.first, part.last] for part in found.parts],
        stopped=found.stopped,
        reason=found.reason,
        laws=list(found.laws),
        conditions=list(found.conditions),
        uses=list(found.uses),
    )
    if found.stopped:
        rule = steps[found.stopped - 1].rule.name
        _refuse(found, rule, derivation)
    return found


def _refuse(found: Checked, rule: str, derivation: Derivation[Any]) -> NoReturn:
    """Raise RiseError for a step that was not checked: with inputs for which it is wrong, if there are small ones."""
    before, after = islice(derivation.programs(), found.stopped - 1, found.stopped + 1)
    searched = search(before, after)
    step = f"step {found.stopped} ({rule})"
    if searched.is_wrong:
        where = f" where {searched.sizes}" if searched.sizes else ""
        code = "\n".join(f"    {line}" for line in searched.code.splitlines())
        notes = (f"to see it, run\n{code}",) if code else ()
        title = f"{step} changes what the program computes{where}"
        raise RiseError(Diagnostic("wrong-step", title, notes=notes, hint=f"correct the rule {rule}"))
    title = f"expected every step to be checked, found {step} unchecked: {found.reason}"
    notes = (f"both programs agree on {searched.inputs} small inputs",) if searched.inputs else ()
    hint = (
        "the step may be right: `shine run --verify` compares results, `shine explain --step` shows the step"
    )
    raise RiseError(Diagnostic("not-checked", title, notes=notes, hint=hint))


def _by_whom(derivation: Derivation[Any]) -> str:
    """The rules that claim to change the order of sums, in the order of their first steps."""
    rules = [step.rule.name for step in derivation.steps if step.rule.float_class >= FloatClass.REASSOCIATING]
    return f" (claimed by {', '.join(dict.fromkeys(rules))})" if rules else ""


def _described(part: Part, count: int) -> str:
    if part.last - part.first + 1 == count:
        return "checked for all sizes and inputs: the result computes what was given"
    steps = f"step {part.first}" if part.first == part.last else f"steps {part.first} to {part.last}"
    return f"{steps} checked for all sizes and inputs"


@with_request
def check_derivation_command(report: Page, request: Request) -> None:
    """Check the steps of a strategy, or of a saved derivation, for all sizes and inputs, trusting no rule. FILE may
    also be a derivation that was saved as D.json, which contains its program.
    """
    print_check(report, request)
