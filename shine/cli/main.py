"""The command `shine`: what it can be asked for, and with which options. The work is done elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from rise.diagnostics import Diagnostic
from shine.cli import execution, reports, streams
from shine.cli.cache import CacheAction, cache
from shine.cli.catalogue import print_list
from shine.cli.derivation_view import Detail
from shine.cli.explain import explain
from shine.cli.interrupt import INTERRUPTED
from shine.cli.options import Json, Kind, Stage, spread, with_request
from shine.cli.request import Request
from shine.cli.terminal import Page, complain, not_written, page

#: what typer raises for a wrong command line: the class of its own that all others are of
WRONG_USAGE: Final[type[Exception]] = typer.BadParameter.__mro__[1]
USAGE: Final = 2  # the exit status that says so

app = typer.Typer(
    name="shine",
    help="Compile functional programs to fast kernels, by strategies that you choose.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.command()
@with_request
def check(
    shown: Page,
    wanted: Request,
    strict: Annotated[
        bool, typer.Option("--strict", help="Take warnings about the strategy for errors.")
    ] = False,
) -> None:
    """Say the types of definitions and what sizes must satisfy; with --strategy, that it applies and what it needs."""
    reports.check(shown, wanted, strict)


@app.command()
@with_request
def show(
    shown: Page,
    wanted: Request,
    stage: Annotated[Stage, typer.Option("--stage", help="What to show.")] = Stage.LOW,
    equations: Annotated[bool, typer.Option("--equations", help="The equations of rules.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="All steps, whole, and the program after each.")
    ] = False,
    script: Annotated[
        bool, typer.Option("--script", help="The derivation as a short script, as a person would write it.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="D.json|D.py|D.html", help="Where to write the derivation."),
    ] = None,
) -> None:
    """Show a program on its way: as it is written, its derivation, lowered, its passes, imperative, as source."""
    reports.show_stage(shown, wanted, stage, Detail(equations, full, script, output))


@app.command(name="explain")
@with_request
def explain_command(
    shown: Page,
    wanted: Request,
    step: Annotated[
        int | None, typer.Option("--step", min=1, metavar="N", help="A step of a derivation, counted from 1.")
    ] = None,
) -> None:
    """Say why a strategy does not apply, and at which place of the program; or what one of its steps did."""
    explain(shown, wanted, step)


@app.command(name="compile")
@with_request
def compile_command(
    shown: Page,
    wanted: Request,
    output: Annotated[
        Path | None, typer.Option("-o", metavar="OUT", help="Where to write the source; a library for .so.")
    ] = None,
) -> None:
    """Compile a program, and write its source or library."""
    reports.compile_to(shown, wanted, output)


@app.command()
@with_request
def run(
    shown: Page,
    wanted: Request,
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
) -> None:
    """Compile a program and call it, on arrays from files or on random ones."""
    reports.run(shown, execution.prepare(wanted, given or (), seed), output, verify, time)


@app.command(name="list")
def list_command(
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="primitives|rules|strategies|targets|passes|library|definitions",
            help="What to list; `definitions FILE` lists those of a program.",
        ),
    ],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="List only what has all of these words.")
    ] = None,
    json: Json = False,
) -> None:
    """List what there is to build programs and strategies from."""
    with page(json) as shown:
        print_list(shown, kind, words or ())


@app.command(name="cache")
def cache_command(
    action: Annotated[
        CacheAction,
        typer.Argument(metavar="[show|clear]", help="Show it, or delete what is in it."),
    ] = CacheAction.SHOW,
    json: Json = False,
) -> None:
    """Say where built kernels are kept, and how many; or delete them."""
    with page(json) as shown:
        cache(shown, action)


def main(words: Sequence[str]) -> int:
    """Run the command with these arguments; the answer is the exit status."""
    is_json = "--json" in words
    try:
        with streams.writing():
            status = app(spread(words), prog_name="shine", standalone_mode=not is_json)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except streams.OutputError as failed:
        return not_written(failed)
    except KeyboardInterrupt:
        return INTERRUPTED
    except WRONG_USAGE as error:
        complain(misused(error), is_json)
        return USAGE
    return status if isinstance(status, int) else 0


def misused(error: Any) -> Diagnostic:
    """What is said of a wrong command line where programs read it; typer says it to people itself."""
    said = " ".join(error.format_message().split()).rstrip(".")
    command = error.ctx.command_path if error.ctx is not None else "shine"
    return Diagnostic("usage", said[:1].lower() + said[1:], hint=f"`{command} --help` says what it takes")


def app_main() -> None:
    """What the installed command calls. Strategies are found in the current directory too, after all else."""
    streams.prepare()
    with suppress(OSError):  # somebody has removed it
        sys.path.append(os.getcwd())
    status = main(sys.argv[1:])
    if status == INTERRUPTED:
        os._exit(status)  # a kernel may be running still
    sys.exit(status)
