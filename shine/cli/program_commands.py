"""The commands that check, show, compile and run a program, and their options. The work is done elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rise.diagnostics import Diagnostic, RiseError
from shine.cli import execution, reports
from shine.cli.derivation_view import Detail
from shine.cli.options import Inputs, Seed, Stage, with_request
from shine.cli.request import Request, of_contraction
from shine.cli.schedules import show_schedule
from shine.cli.terminal import Page


@with_request
def check_command(
    report: Page,
    request: Request,
    strict: Annotated[
        bool, typer.Option("--strict", help="Treat warnings about the strategy as errors.")
    ] = False,
) -> None:
    """Check a program, and print its types. Prints what sizes must satisfy; with --strategy, checks that it applies."""
    reports.check(report, request, strict)


@with_request
def show_command(
    report: Page,
    request: Request,
    stage: Annotated[Stage, typer.Option("--stage", help="What to show.")] = Stage.LOW,
    equations: Annotated[
        bool, typer.Option("--equations", help="Show the equations of the rules in a derivation.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show every step in full, with the program after it.")
    ] = False,
    script: Annotated[bool, typer.Option("--script", help="Show the derivation as a short script.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="D.json|D.py|D.html|D.svg",
            help="Write the derivation or picture to this file.",
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule", metavar="MODULE:NAME", help="Draw a Fireiron schedule of the program, as SVG."
        ),
    ] = None,
    einsum: Annotated[
        str | None,
        typer.Option(
            "--einsum",
            metavar="SPEC",
            help='Show a contraction in the notation of numpy, such as "ab,bc->ac". FILE then has the types of its '
            'operands: "M.K.f32, K.N.f32".',
        ),
    ] = None,
) -> None:
    """Show a stage of compilation. By default, the program as a strategy lowers it."""
    if einsum is not None:
        request = of_contraction(request, einsum)
    if schedule is not None:
        if stage is not Stage.LOW or equations or full or script:
            title = "expected --schedule alone or with --output, found an option of stages"
            raise RiseError(Diagnostic("options", title, hint="a picture has no stage"))
        show_schedule(report, request, schedule, output)
        return
    reports.show_stage(report, request, stage, Detail(equations, full, script, output))


@with_request
def compile_command(
    report: Page,
    request: Request,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Write the source to this file; for .so or .cubin, machine code.",
        ),
    ] = None,
) -> None:
    """Compile a program, and write its source or machine code."""
    reports.compile_to(report, request, output)


@with_request
def run_command(
    report: Page,
    request: Request,
    inputs: Inputs = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="D.npy", help="Write the result to this file.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare the result with the meaning of the program.")
    ] = False,
    time: Annotated[bool, typer.Option("--time", help="Measure how long a call takes.")] = False,
    seed: Seed = 0,
) -> None:
    """Compile a program and call it. Inputs that are not given are random."""
    reports.run(report, execution.prepare(request, inputs or (), seed, output), output, verify, time)
