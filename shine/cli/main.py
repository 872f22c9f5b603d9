"""The command `shine`: its subcommands and their options. The work is done elsewhere.

One subject: the list of subcommands, each with the texts of its own options.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

import typer

import rise
from rise.diagnostics import Diagnostic, RiseError
from shine.cli import execution, reports, streams
from shine.cli import simulate as simulations
from shine.cli.cache import CacheAction, cache
from shine.cli.catalogue import print_list
from shine.cli.check_derivation import print_check
from shine.cli.costs import print_costs
from shine.cli.derivation_view import Detail
from shine.cli.doctor import doctor
from shine.cli.explain import explain
from shine.cli.interrupt import INTERRUPTED
from shine.cli.launch_arguments import FORMS
from shine.cli.options import Inputs, Json, Kind, Seed, Stage, spread, with_request
from shine.cli.profile import print_profile
from shine.cli.prove import print_proofs
from shine.cli.request import Request
from shine.cli.schedules import show_schedule
from shine.cli.terminal import Page, complain, page, report_unwritten
from shine.cli.tune import Asked, print_search
from shine.simulator.builder import DEFAULT_ARCH
from shine.simulator.program import DEFAULT_SECONDS, DEFAULT_SWITCHES
from strategies.spaces.policies import DEFAULT_POLICY, POLICIES

#: the base class of the exceptions that typer raises for wrong usage
USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
USAGE_STATUS: Final = 2
MOST_SWITCHES: Final = 2**63

app = typer.Typer(
    name="shine",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"shine {rise.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit."),
    ] = False,
) -> None:
    """Compile functional programs to fast kernels, with strategies that you choose."""


@app.command()
@with_request
def check(
    report: Page,
    request: Request,
    strict: Annotated[
        bool, typer.Option("--strict", help="Treat warnings about the strategy as errors.")
    ] = False,
) -> None:
    """Check a program, and print its types. Prints what sizes must satisfy; with --strategy, checks that it applies."""
    reports.check(report, request, strict)


@app.command()
@with_request
def show(
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
) -> None:
    """Show a stage of compilation. By default, the program as a strategy lowers it."""
    if schedule is not None:
        if stage is not Stage.LOW or equations or full or script:
            title = "expected --schedule alone or with --output, found an option of stages"
            raise RiseError(Diagnostic("options", title, hint="a picture has no stage"))
        show_schedule(report, request, schedule, output)
        return
    reports.show_stage(report, request, stage, Detail(equations, full, script, output))


@app.command(name="explain")
@with_request
def explain_command(
    report: Page,
    request: Request,
    step: Annotated[
        int | None, typer.Option("--step", min=1, metavar="N", help="The step to explain, counted from 1.")
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="List the cost of storing and of recomputing each named value.")
    ] = False,
) -> None:
    """Explain why a strategy fails, what one of its steps did, or what named values cost."""
    if cost and step is not None:
        title = "expected --cost or --step, found both"
        raise RiseError(Diagnostic("options", title, hint="--cost explains all decisions, --step one step"))
    if cost:
        print_costs(report, request)
    else:
        explain(report, request, step)


@app.command(name="compile")
@with_request
def compile_command(
    report: Page,
    request: Request,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", metavar="OUT", help="Write the source to this file; for .so or .cubin, machine code."
        ),
    ] = None,
) -> None:
    """Compile a program, and write its source or machine code."""
    reports.compile_to(report, request, output)


@app.command()
@with_request
def run(
    report: Page,
    request: Request,
    inputs: Inputs = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="D.npy", help="Write the result to this file.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare the result with the meaning of the program.")
    ] = False,
    time: Annotated[bool, typer.Option("--time", help="Measure how long a call takes.")] = False,
    seed: Seed = 0,
) -> None:
    """Compile a program and call it. Inputs that are not given are random."""
    reports.run(report, execution.prepare(request, inputs or (), seed, output), output, verify, time)


@app.command(name="profile")
@with_request
def profile_command(
    report: Page,
    request: Request,
    inputs: Inputs = None,
    html: Annotated[
        str | None,
        typer.Option(
            "--html",
            metavar="FILE.html",
            help="Write a page with the CUDA source and the counts of each line.",
        ),
    ] = None,
    sass: Annotated[
        bool, typer.Option("--sass", help="Also count registers, spills and machine instructions.")
    ] = False,
    seed: Seed = 0,
) -> None:
    """Run a program once in the CUDA simulator, and count bank conflicts, sectors and more, by line and by place."""
    print_profile(report, request, inputs or (), seed, html, sass)


@app.command(name="tune")
@with_request
def tune_command(
    report: Page,
    request: Request,
    space: Annotated[
        str, typer.Option("--space", metavar="MODULE:NAME", help="The space of strategies to search.")
    ],
    budget: Annotated[
        str, typer.Option("--budget", metavar="B", help="When to stop: 5m, 90s, 200 candidates, or 200,5m.")
    ] = "10m",
    policy: Annotated[
        str, typer.Option("--policy", metavar="P", help=f"The order of search: {', '.join(POLICIES)} or tpe.")
    ] = DEFAULT_POLICY,
    db: Annotated[
        Path | None,
        typer.Option("--db", metavar="D.sqlite", help="The file of results; by default the user's."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an earlier search; fail if there is none.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--report", metavar="R.html", help="Write a page about the search.")
    ] = None,
    show_stored: Annotated[
        bool, typer.Option("--show", help="Show stored results without running anything.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="S", help="The seed of random policies.")] = 0,
    taken: Annotated[
        Path | None,
        typer.Option("--import", metavar="R.json", help="Import results into the file of results."),
    ] = None,
    given: Annotated[
        Path | None,
        typer.Option("--export", metavar="R.json", help="Write all results to this file, as JSON."),
    ] = None,
) -> None:
    """Search a space for the fastest strategy at these sizes. Continues where an earlier search stopped."""
    asked = Asked(space, budget, policy, db, resume, html, show_stored, seed, taken, given)
    print_search(report, request, asked)


@app.command(name="simulate")
def simulate_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CUDA file, or - to read standard input.")],
    kernel: Annotated[
        str | None,
        typer.Option(
            "--kernel", metavar="K", help="The kernel; a template with arguments. By default the only one."
        ),
    ] = None,
    grid: Annotated[str, typer.Option("--grid", metavar="X[,Y[,Z]]", help="Blocks in the grid.")] = "1",
    block: Annotated[str, typer.Option("--block", metavar="X[,Y[,Z]]", help="Threads in a block.")] = "1",
    arguments: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="VALUE", help=f"An argument, in order or by name: {FORMS}."),
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="NAME=D.npy", help="Write an array to this file after the launch."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Detect races, invalid accesses and uninitialised reads.")
    ] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="Count bank conflicts, sectors and more for each line.")
    ] = False,
    needless: Annotated[
        bool, typer.Option("--needless", help="Look for barriers and waits that this launch does not need.")
    ] = False,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", metavar="FILE.html", help="Write a page with the source and the counts of each line."
        ),
    ] = None,
    schedules: Annotated[
        list[str] | None,
        typer.Option(
            "--schedule",
            metavar="S",
            help="The order of threads: ascending (default), descending or random:SEED."
            " If repeated, there is one launch for each.",
        ),
    ] = None,
    arch: Annotated[
        str, typer.Option("--arch", metavar="ARCH", help="The architecture whose limits apply.")
    ] = DEFAULT_ARCH,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="X[,Y[,Z]]",
            help="Blocks in a cluster, if the kernel has no __cluster_dims__.",
        ),
    ] = None,
    shared: Annotated[
        int, typer.Option("--shared", min=0, metavar="BYTES", help="Dynamic shared memory of a block.")
    ] = 0,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", min=0.001, metavar="S", help="The processor time after which the kernel is stopped."
        ),
    ] = DEFAULT_SECONDS,
    switches: Annotated[
        int,
        typer.Option(
            "--switches",
            min=1,
            metavar="N",
            help="The number of switches between threads after which the kernel is stopped.",
        ),
    ] = DEFAULT_SWITCHES,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="S", help="The seed of random arguments.")
    ] = 0,
    cxx: Annotated[
        str | None, typer.Option("--cxx", metavar="CXX", help="The C++ compiler; by default g++ or clang++.")
    ] = None,
    json: Json = False,
) -> None:
    """Run a kernel of a CUDA file without a GPU, in a process of its own, and show what is wrong with it."""
    launch = simulations.Launch(
        file,
        kernel,
        grid,
        block,
        tuple(arguments or ()),
        tuple(outputs or ()),
        check,
        profile,
        needless,
        html,
        tuple(schedules or ("ascending",)),
        arch,
        cluster,
        shared,
        seconds,
        min(switches, MOST_SWITCHES),
        seed,
        cxx,
    )
    with page(json) as report:
        simulations.simulate(report, launch)


@app.command(name="list")
def list_command(
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="KIND",
            show_choices=False,  # how they are shown depends on the version of typer
            help=f"What to list: {', '.join(Kind)}. `definitions FILE` lists those of a program.",
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="List only entries with all of these words."),
    ] = None,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="List rules with their proofs instead of examples.")
    ] = False,
    json: Json = False,
) -> None:
    """List primitives, rules, strategies, targets, passes or definitions."""
    with page(json) as report:
        print_list(report, kind, words or (), proofs)


@app.command(name="check-derivation")
@with_request
def check_derivation_command(report: Page, request: Request) -> None:
    """Check the steps of a strategy, or of a saved derivation, for all sizes and inputs, trusting no rule."""
    print_check(report, request)


@app.command(name="prove")
def prove_command(
    file: Annotated[
        Path, typer.Argument(metavar="RULES.py", help="The file that defines the rules. It is run.")
    ],
    json: Json = False,
) -> None:
    """Prove the rules in a Python file for all sizes, and test those that are not proved."""
    with page(json) as report:
        print_proofs(report, file)


@app.command(name="cache")
def cache_command(
    action: Annotated[
        CacheAction,
        typer.Argument(metavar="[show|clear]", help="Show the cache, or delete its entries."),
    ] = CacheAction.SHOW,
    json: Json = False,
) -> None:
    """Show or clear the cache of built kernels."""
    with page(json) as report:
        cache(report, action)


@app.command(name="doctor")
def doctor_command(
    measures: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="Measure and store the clock rate and the memory bandwidth first, which takes seconds.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Show which tools are installed, how to install missing ones, and the record of this machine."""
    with page(json) as report:
        is_complete = doctor(report, measures)
    if not is_complete:
        raise typer.Exit(1)


@lru_cache(maxsize=1)
def command() -> Callable[..., object]:
    """The command with the parsers of all its options, which take a hundredth of a second to make."""
    return typer.main.get_command(app)


def main(words: Sequence[str]) -> int:
    """Run the command with these arguments, and return the exit status."""
    is_json = "--json" in words
    try:
        with streams.writing():
            status = command()(spread(words), prog_name="shine", standalone_mode=not is_json)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except streams.OutputError as error:
        return report_unwritten(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except USAGE_ERROR as error:
        complain(usage_diagnostic(error), is_json)
        return USAGE_STATUS
    return status if isinstance(status, int) else 0


def usage_diagnostic(error: Any) -> Diagnostic:
    """The diagnostic for wrong usage under --json; otherwise typer prints its own."""
    message = " ".join(error.format_message().split()).rstrip(".")
    command = error.ctx.command_path if error.ctx is not None else "shine"
    return Diagnostic(
        "usage", message[:1].lower() + message[1:], hint=f"`{command} --help` lists its options"
    )


def app_main() -> None:
    """Run the installed command. Strategies are also found in the current directory, last on the path."""
    streams.prepare()
    with suppress(OSError):  # the current directory was removed
        sys.path.append(os.getcwd())
    status = main(sys.argv[1:])
    if status == INTERRUPTED:
        os._exit(status)  # a kernel may still be running
    sys.exit(status)
