"""What `shine doctor` says: what is installed that kernels, checks and examples need, and how to get what is missing.

Each line is found by the function that would otherwise use it, so that it says what a compile or a call would meet.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

import rise
from rise.diagnostics import RiseError
from shine.cache import contents, default_directory
from shine.cli.cache import entries_text
from shine.cli.request import from_environment
from shine.cli.terminal import Page, for_command_line
from shine.programs import call
from shine.simulator.compiler import find_compiler as find_cxx
from shine.targets.cuda.compiler import find_compiler as find_cuda_compiler
from shine.targets.cuda.loader import open_driver
from shine.targets.openmp.compiler import find_compiler as find_c_compiler

#: packages that `pip install rise-shine` brings
REQUIRED: Final = ("numpy", "lark", "ml_dtypes", "typer", "rich")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for a line: whether it is there, what it is or why it is not, and how to get it."""

    is_there: bool
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A line of the report: a name, what needs it, and how it is looked for. `is_required`: by the default target."""

    name: str
    use: str
    find: Callable[[], Finding]
    is_required: bool = False


def doctor(page: Page) -> bool:
    """Report on everything that is looked for; whether all that the default target requires is there."""
    checks = all_checks()
    width = max(len(check.name) for check in checks)
    entries, is_well = [], True
    for check in checks:
        finding = _found(check)
        is_well &= finding.is_there or not check.is_required
        mark, style = (
            ("found", "green") if finding.is_there else ("missing", "red" if check.is_required else "yellow")
        )
        page.line((f"{mark:8}", style), (f"{check.name:{width}}  ", "bold"), finding.text)
        if not finding.is_there:
            page.line((f"{'':{width + 10}}needed for {check.use}; {finding.hint}", "dim"))
        entries.append(
            {"name": check.name, "use": check.use, "required": check.is_required, **asdict(finding)}
        )
    page.put(checks=entries, version=rise.__version__)
    return is_well


def all_checks() -> tuple[Check, ...]:
    """What is looked for, in the order of the report."""
    return (
        Check("rise-shine", "everything", _this, is_required=True),
        *(
            Check(name, "everything", partial(_package, name, "rise-shine"), is_required=True)
            for name in REQUIRED
        ),
        Check("C compiler", "--target openmp", _c_compiler, is_required=True),
        Check("C++ compiler", "--target cuda-sim", _cxx),
        Check("CUDA compiler", "machine code for GPUs (--target cuda)", _cuda_compiler),
        Check("CUDA device", "running kernels of --target cuda", _device),
        Check("cache", "keeping what compilers build", _cache, is_required=True),
        Check("hypothesis", "strategies.testing.check", partial(_package, "hypothesis", "hypothesis")),
        Check("pillow", "examples/photograph.py", partial(_package, "pillow", "'rise-shine[images]'")),
    )


def _found(check: Check) -> Finding:
    """What a check finds; the diagnostic of what would use it is why it is not there."""
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
    if importlib.util.find_spec("PIL" if name == "pillow" else name) is None:
        return Finding(False, "not installed", f"pip install {requirement}")
    return Finding(True, importlib.metadata.version(name))


def _c_compiler() -> Finding:
    compiler = find_c_compiler(from_environment("cc"), None, default_directory())
    lacking = [
        what for has, what in ((compiler.has_threads, "OpenMP"), (compiler.has_f16, "_Float16")) if not has
    ]
    without = f", without {' and '.join(lacking)}" if lacking else ""
    return Finding(True, _first_line(compiler.path) + without)


def _cxx() -> Finding:
    return Finding(True, _first_line(find_cxx(from_environment("cxx")).path))


def _cuda_compiler() -> Finding:
    return Finding(True, find_cuda_compiler().name)


def _device() -> Finding:
    driver = open_driver()
    major, minor = driver.capability
    return Finding(True, f"{driver.name} (sm_{major}{minor})")


def _cache() -> Finding:
    directory = default_directory()
    return Finding(True, f"{directory}: {entries_text(contents(directory))}")


def _first_line(path: str) -> str:
    """A compiler's path, and the version that it states."""
    said = call([path, "--version"]).stdout.splitlines()
    version = re.search(r"\d+(?:\.\d+)+", said[0]) if said else None
    return f"{path} {version[0]}" if version is not None else path
