"""The command `shine profile`: profiles kernels in the simulator, and counts their machine instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.hardware import architecture
from shine.cli import execution
from shine.cli import request as requests
from shine.cli.files import write_file
from shine.cli.profile_output import counts_facts, facts_of, page_file
from shine.cli.request import Request
from shine.cli.terminal import Page
from shine.kernel_profile import KernelProfile, LaunchProfile
from shine.simulator.profile import occupancy
from shine.simulator.profile_table import line_table, page, summary
from shine.targets.cuda.compiler import compile_text
from shine.targets.cuda.sass import listing, main_loop, operations, spilled_bytes
from shine.targets.cuda.target import COMMON

TARGET: Final = "cuda-sim"
_MOST_OPERATIONS: Final = 12


def print_profile(
    report: Page, request: Request, inputs: Sequence[str], seed: int, html: str | None, sass: bool
) -> None:
    """Run a program once in the simulator, and print what its kernels did, by line and by place in the program."""
    if request.says_how and request.target not in (TARGET, requests.DEFAULT_TARGET):
        title = f"expected the target {TARGET}, found {request.target}"
        raise RiseError(Diagnostic("no-profile", title, hint=f"omit --target, or choose {TARGET}"))
    path = page_file(html)
    run = execution.prepare(replace(request, target=TARGET), inputs, seed)
    with requests.located(run.chosen.program, run.chosen.name, runs=True):
        sizes = {name: run.sizes[name] for name in run.defaults}
        found = run.kernel.profile(*run.arguments, sizes=sizes)
    report.line(f"{run.chosen.name} with {execution.sizes_text(run.all_sizes)}")
    for launch in found.launches:
        report.line(f"\n{launch.kernel}: {summary(launch.profile)}")
        report.line(line_table(launch.profile, launch.source))
    report.line(f"\n{found.place_table()}")
    report.put(
        sizes=run.all_sizes,
        launches=[{"kernel": launch.kernel, **facts_of(launch.profile)} for launch in found.launches],
        parts=[{"part": text, **counts_facts(counts)} for text, counts in found.place_rows()],
    )
    if path is not None:
        _write_pages(report, found, path)
    if sass:
        _say_machine_code(report, found, run.kernel.source, request.arch or COMMON)


def _write_pages(report: Page, found: KernelProfile, path: Path) -> None:
    """Write a page for each launch; the names of those after the first contain their number."""
    for number, launch in enumerate(found.launches, 1):
        target = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        parts = found.place_rows(launch)
        content = page(launch.profile, launch.source, f"Profile of {launch.kernel}", parts)
        write_file(target, content.encode())
        report.line(f"wrote the profile of {launch.kernel} to {target}")


def _say_machine_code(report: Page, found: KernelProfile, source: str, arch: str) -> None:
    """Print registers, spills, and the instructions of the main loop. Raises RiseError without compiler or
    disassembler.
    """
    kernels: dict[str, LaunchProfile] = {launch.kernel: launch for launch in found.launches}
    cubin = compile_text(source, arch, list(kernels))
    facts: dict[str, Any] = {}
    for name, launch in kernels.items():
        code = listing(cubin.image, name)
        taken = cubin.resources[name]
        its = launch.profile.occupancy
        residing = occupancy(architecture(arch), its.threads, its.shared, taken.registers)
        loop = operations(main_loop(code) or code.code)
        shown = ", ".join(f"{count} {operation}" for operation, count in loop.most_common(_MOST_OPERATIONS))
        report.line(
            f"\n{name} for {arch}: {taken.registers} registers, {spilled_bytes(code.counts())} bytes spilled, "
            f"{residing.blocks} blocks on a multiprocessor, limited by {residing.limit}"
        )
        report.line(
            f"{'main loop' if main_loop(code) else 'no loop; all'}: {loop.total()} instructions: {shown}"
        )
        facts[name] = {
            "registers": taken.registers,
            "spilled_bytes": spilled_bytes(code.counts()),
            "blocks": residing.blocks,
            "main_loop": dict(loop),
        }
    report.put(machine_code=facts)
