"""The command `shine doctor`: reports which tools are installed, how to install missing ones, and this machine.

Each line comes from the function that uses the tool in a compilation or call, so it shows what that would find.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

import rise
from rise.diagnostics import RiseError
from rise.hardware.processors import shown
from rise.records import dataclass
from shine.cache import contents, default_directory
from shine.cli.cache import entries_text
from shine.cli.request import from_environment
from shine.cli.terminal import Json, Page, for_command_line, page
from shine.front.machines import VARIABLE, machine_for
from shine.machines import as_processor, keep, measure, read_facts, this_machine
from shine.programs import call
from shine.simulator.compiler import find_compiler as find_cxx
from shine.targets.cuda.compiler import find_compiler as find_cuda_compiler
from shine.targets.cuda.loader import open_driver
from shine.targets.cuda.sass import find_disassembler
from shine.targets.openmp.calls import missing_headers
from shine.targets.openmp.compiler import find_compiler as find_c_compiler

#: packages that `pip install rise-shine` installs
REQUIRED: Final = ("numpy", "lark", "ml_dtypes", "typer", "rich")
#: the modules of packages of another name
MODULES: Final = {"pillow": "PIL", "z3-solver": "z3"}
#: optional packages: the extra that installs each, and what needs it
OPTIONAL: Final = {
    "torch": ("torch", "shine.torch.op"),
    "jax": ("jax", "shine.jax.call"),
    "opt_einsum": ("einsum", "the order of three or more operands in shine.einsum"),
    "hypothesis": ("testing", "strategies.testing.check"),
    "z3-solver": ("prove", "the laws of numbers in shine prove"),
    "optuna": ("optuna", "the policy tpe of shine.tune"),
    "dask": ("dask", "other machines as workers of shine.tune"),
    "matplotlib": ("pictures", "pictures in reports of shine tune"),
    "pillow": ("images", "examples/photograph.py"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: whether the tool is installed, its version or why it is missing, and how to install it."""

    is_there: bool
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A line of the report: a name, what needs the tool, and how to find it. `is_required`: whether the default target
    needs it.
    """

    name: str
    use: str
    find: Callable[[], Finding]
    is_required: bool = False


def doctor(page: Page, measures: bool = False) -> bool:
    """Print all checks, and the numbers of this machine. Returns whether everything that the default target requires is
    installed. If `measures`, first measure the clock rate and the memory bandwidth, and store them in the cache.
    """
    if measures:
        keep(measure(as_processor(read_facts())))
        this_machine.cache_clear()
    checks = all_checks()
    width = max(len(check.name) for check in checks)
    entries, is_complete = [], True
    for check in checks:
        finding = _found(check)
        is_complete &= finding.is_there or not check.is_required
        mark, style = (
            ("found", "green") if finding.is_there else ("missing", "red" if check.is_required else "yellow")
        )
        page.line((f"{mark:8}", style), (f"{check.name:{width}}  ", "bold"), finding.text)
        if not finding.is_there:
            page.line((f"{'':{width + 10}}needed for {check.use}; {finding.hint}", "dim"))
        entries.append(
            {"name": check.name, "use": check.use, "required": check.is_required, **asdict(finding)}
        )
    _say_machine(page)
    page.put(checks=entries, version=rise.__version__)
    return is_complete


def _say_machine(page: Page) -> None:
    """Print the processor that programs are lowered for, and where each of its numbers comes from."""
    facts, machine = read_facts(), machine_for()
    named = os.environ.get(VARIABLE)
    page.line("")
    page.line(
        (f"{machine.name:8}", "bold"), f"  {facts.model or facts.isa}" if not named else f"  {VARIABLE}"
    )
    for names, source in machine.sources:
        numbers = [f"{name} {shown(getattr(machine, name))}" for name in names.split()]
        page.line(f"  {', '.join(numbers)}", (f"  {source}", "dim"))
    page.put(
        machine={
            "name": machine.name,
            "model": facts.model,
            "numbers": {
                name: {"value": shown(getattr(machine, name)), "source": source}
                for names, source in machine.sources
                for name in names.split()
            },
        }
    )


def all_checks() -> tuple[Check, ...]:
    """All checks, in the order of the report."""
    return (
        Check("rise-shine", "everything", _this, is_required=True),
        *(
            Check(name, "everything", partial(_package, name, "rise-shine"), is_required=True)
            for name in REQUIRED
        ),
        Check("C compiler", "--target openmp", _c_compiler, is_required=True),
        Check("Python headers", "calls in 2 to 4 microseconds instead of 10 to 20", _headers),
        Check("C++ compiler", "--target cuda-sim", _cxx),
        Check("CUDA compiler", "machine code for GPUs (--target cuda)", _cuda_compiler),
        Check("CUDA device", "running kernels of --target cuda", _device),
        Check("cache", "keeping what compilers build", _cache, is_required=True),
        Check("disassembler", "shine profile --sass", _disassembler),
        *(
            Check(name, use, partial(_package, name, f"'rise-shine[{extra}]'"))
            for name, (extra, use) in OPTIONAL.items()
        ),
    )


def _found(check: Check) -> Finding:
    """Run a check; a diagnostic that it raises is the reason why the tool is missing."""
    try:
        return check.find()
    except RiseError as error:
        diagnostic = error.diagnostic
        reasons = "".join(f"; {note}" for note in diagnostic.notes)
        return Finding(False, diagnostic.title + reasons, for_command_line(diagnostic.hint))


def _this() -> Finding:
    where = Path(rise.__file__).parent.parent
    return Finding(
        True, f"{rise.__version__} in {where}, Python {platform.python_version()} ({sys.executable})"
    )


def _package(name: str, requirement: str) -> Finding:
    if importlib.util.find_spec(MODULES.get(name, name)) is None:
        return Finding(False, "not installed", f"pip install {requirement}")
    return Finding(True, importlib.metadata.version(name))


def _c_compiler() -> Finding:
    compiler = find_c_compiler(from_environment("cc"), None, default_directory())
    lacking = [
        feature
        for has, feature in ((compiler.has_threads, "OpenMP"), (compiler.has_f16, "_Float16"))
        if not has
    ]
    without = f", without {' and '.join(lacking)}" if lacking else ""
    return Finding(True, _first_line(compiler.path) + without)


def _headers() -> Finding:
    missing = missing_headers()
    if missing is not None:
        return Finding(False, f"no Python.h in {missing}", "on Debian: apt-get install python3-dev")
    return Finding(True, sysconfig.get_path("include"))


def _cxx() -> Finding:
    return Finding(True, _first_line(find_cxx(from_environment("cxx")).path))


def _cuda_compiler() -> Finding:
    return Finding(True, find_cuda_compiler().name)


def _disassembler() -> Finding:
    return Finding(True, str(find_disassembler()))


def _device() -> Finding:
    driver = open_driver()
    major, minor = driver.capability
    return Finding(True, f"{driver.name} (sm_{major}{minor})")


def _cache() -> Finding:
    directory = default_directory()
    return Finding(True, f"{directory}: {entries_text(contents(directory))}")


def _first_line(path: str) -> str:
    """A compiler's path and version."""
    lines = call([path, "--version"]).stdout.splitlines()
    version = re.search(r"\d+(?:\.\d+)+", lines[0]) if lines else None
    return f"{path} {version[0]}" if version is not None else path


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
