"""The commands that run kernels in the simulator, and their options. The work is done elsewhere."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from shine.cli import simulate as simulations
from shine.cli.launch_arguments import FORMS
from shine.cli.options import Inputs, Seed, with_request
from shine.cli.profile import print_profile
from shine.cli.request import Request
from shine.cli.terminal import Json, Page, page
from shine.simulator.builder import DEFAULT_ARCH
from shine.simulator.program import DEFAULT_SECONDS, DEFAULT_SWITCHES

MOST_SWITCHES: Final = 2**63


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
        typer.Option(
            "-o", "--output", metavar="NAME=D.npy", help="Write an array to this file after the launch."
        ),
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
