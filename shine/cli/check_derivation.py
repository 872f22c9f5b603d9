"""The command `shine check-derivation`: checks that the steps of a strategy, or of a saved derivation, preserve the
meaning.
"""

from __future__ import annotations

from rise.diagnostics import Diagnostic, RiseError
from shine.cli import request as requests
from shine.cli.derivation_files import joined_derivation
from shine.cli.options import with_request
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.front.derivation import brief, derive
from strategies.proof import Part, check_derivation


def print_check(page: Page, request: Request) -> None:
    """Check a derivation for all sizes and inputs, and print the laws that the check relies on.

    Raises RiseError, which names the first step that could not be checked.
    """
    chosen = requests.choose(request)
    strategy = requests.strategy_of(request)
    with requests.located(chosen.program, chosen.name):
        derivation = joined_derivation(derive(strategy, chosen.high, chosen.what))
    steps = list(derivation.steps)
    found = check_derivation(derivation)
    count = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    page.line((brief(strategy), "bold"), f" on {chosen.what}: {count}")
    for part in found.parts:
        page.line(f"    {_described(part, len(steps))}")
    for law in found.laws:
        page.line(f"    trusted: {law}, but for rounding")
    for use in found.uses:
        page.line((f"    by {use}", "dim"))
    page.put(
        strategy=brief(strategy),
        steps=len(steps),
        checked=not found.stopped,
        parts=[[part.first, part.last] for part in found.parts],
        stopped=found.stopped,
        reason=found.reason,
        laws=list(found.laws),
        uses=list(found.uses),
    )
    if found.stopped:
        rule = steps[found.stopped - 1].rule.name
        title = f"expected every step to be checked, found step {found.stopped} ({rule}) unchecked: {found.reason}"
        hint = "the step may be right: `shine run --verify` compares results, `shine explain --step` shows the step"
        raise RiseError(Diagnostic("not-checked", title, hint=hint))


def _described(part: Part, count: int) -> str:
    if part.last - part.first + 1 == count:
        return "checked for all sizes and inputs: the result computes what was given"
    steps = f"step {part.first}" if part.first == part.last else f"steps {part.first} to {part.last}"
    return f"{steps} checked for all sizes and inputs"


@with_request
def check_derivation_command(report: Page, request: Request) -> None:
    """Check the steps of a strategy, or of a saved derivation, for all sizes and inputs, trusting no rule."""
    print_check(report, request)
