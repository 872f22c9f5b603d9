"""The command `shine`: check, show, compile, run, list. Knows the commands, and leaves the work to others."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from shine.cli import options as shared
from shine.cli import reports, running
from shine.cli.derivation_view import Detail
from shine.cli.listing import print_list
from shine.cli.options import Kind, Stage
from shine.cli.terminal import page

app = typer.Typer(
    name="shine",
    help="Compile functional programs to fast kernels, by strategies that you choose.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command()
def check(
    file: shared.File,
    definition: shared.Definition = None,
    strategy: shared.StrategyName = None,
    param: shared.Parameters = None,
    target: shared.TargetName = "openmp",
    arch: shared.Arch = None,
    size: shared.Sizes = None,
    json: shared.Json = False,
) -> None:
    """Say the types of definitions and what sizes must satisfy; with --strategy, that it applies."""
    wanted = shared.request(file, definition, strategy, param, target, arch, size)
    with page(json) as shown:
        reports.check(shown, wanted)


@app.command()
def show(
    file: shared.File,
    stage: Annotated[Stage, typer.Option("--stage", help="What to show.")] = Stage.LOW,
    definition: shared.Definition = None,
    strategy: shared.StrategyName = None,
    param: shared.Parameters = None,
    target: shared.TargetName = "openmp",
    arch: shared.Arch = None,
    size: shared.Sizes = None,
    equations: Annotated[bool, typer.Option("--equations", help="The equations of rules.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="All steps, whole, and the program after each.")
    ] = False,
    json: shared.Json = False,
) -> None:
    """Show a program on its way: as it is written, its derivation, lowered, imperative, as source."""
    wanted = shared.request(file, definition, strategy, param, target, arch, size)
    with page(json) as shown:
        reports.show_stage(shown, wanted, stage, Detail(equations, full))


@app.command(name="compile")
def compile_command(
    file: shared.File,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="OUT", help="Where to write the source; a library for .so.")
    ] = None,
    definition: shared.Definition = None,
    strategy: shared.StrategyName = None,
    param: shared.Parameters = None,
    target: shared.TargetName = "openmp",
    arch: shared.Arch = None,
    size: shared.Sizes = None,
    json: shared.Json = False,
) -> None:
    """Compile a program, and write its source or library."""
    wanted = shared.request(file, definition, strategy, param, target, arch, size)
    with page(json) as shown:
        reports.compile_to(shown, wanted, output)


@app.command()
def run(
    file: shared.File,
    definition: shared.Definition = None,
    strategy: shared.StrategyName = None,
    param: shared.Parameters = None,
    target: shared.TargetName = "openmp",
    arch: shared.Arch = None,
    size: shared.Sizes = None,
    given: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="A.npy", help="An input, in order or by name (A=a.npy, alpha=0.5)."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="D.npy", help="Where to write the result.")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compare with what the program means.")] = False,
    time: Annotated[bool, typer.Option("--time", help="Say how long a call takes.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="S", help="Which random inputs.")] = 0,
    json: shared.Json = False,
) -> None:
    """Compile a program and call it, on arrays from files or on random ones."""
    wanted = shared.request(file, definition, strategy, param, target, arch, size)
    with page(json) as shown:
        prepared = running.prepare(wanted, given or (), seed)
        reports.run(shown, prepared, output, verify, time)


@app.command(name="list")
def list_command(
    kind: Annotated[
        Kind, typer.Argument(metavar="primitives|rules|strategies|targets", help="What to list.")
    ],
    json: shared.Json = False,
) -> None:
    """List what there is to build programs and strategies from."""
    with page(json) as shown:
        print_list(shown, kind)


def main(words: Sequence[str]) -> int:
    """Run the command with these arguments; the answer is the exit status."""
    try:
        app(shared.spread(words), prog_name="shine", standalone_mode=True)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    return 0


def app_main() -> None:
    """What the installed command calls. Strategies are found in the current directory too, after all else."""
    sys.path.append(os.getcwd())
    sys.exit(main(sys.argv[1:]))
