"""The command `shine check-translation`: compares kernels with the low-level program, exactly, at all small sizes."""

from __future__ import annotations

from typing import Annotated

import typer

from shine.cli import request as requests
from shine.cli.options import Seed, with_request
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.front.translation_check import COUNT, Compared, check_translation

#: the target that runs the imperative program itself
IMPERATIVE = "interpret"


@with_request
def check_translation_command(
    report: Page,
    request: Request,
    count: Annotated[
        int,
        typer.Option("--count", min=1, metavar="N", help="How many sizes of each name, from the smallest."),
    ] = COUNT,
    seed: Seed = 0,
) -> None:
    """Check that a kernel computes what the low-level program does, exactly, at all small sizes. The imperative program
    is compared, too. Integers stand for floating-point numbers.
    """
    chosen = requests.choose(request)
    derivation = requests.lower(request, chosen)
    options = requests.target_options(request, requests.target_of(request))
    facts, lines = [], []
    for target in dict.fromkeys((IMPERATIVE, request.target)):
        with requests.located(chosen.program, chosen.name, runs=True, of=derivation):
            given = options if target == request.target else {}
            found = check_translation(derivation.result, target, count, seed, **given)
        lines.append(f"    {target}: {_described(found)}")
        facts.append(
            {
                "target": target,
                "sizes": found.sizes,
                "all": found.is_all,
                "numbers": found.numbers,
                "skipped": found.skipped,
                "functions": list(found.functions),
                "integers": found.on_integers,
            }
        )
    report.line((requests.kernel_name(chosen), "bold"), f" on {request.target}")
    for line in lines:
        report.line(line)
    if found.functions:
        report.line((f"    linear functions stand for {', '.join(found.functions)}", "dim"))
    report.put(checks=facts)


def _described(found: Compared) -> str:
    """The outcome of a comparison in words."""
    sizes = f"{found.sizes:,} combination{'s' * (found.sizes != 1)} of sizes"
    whole = "" if found.is_all else ", not all small ones"
    skipped = f", {found.skipped:,} others are errors of the program" if found.skipped else ""
    numbers = f"{found.numbers:,} numbers" + (" over integers" if found.on_integers else "")
    return f"equal in all {numbers}, at {sizes}{whole}{skipped}"
