"""The system's C++ compiler for the simulator: which one, and which flags it gets. Knows no CUDA."""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic
from rise.expected import expected
from shine.programs import call
from shine.simulator.model import SimulatorError

SEARCHED: Final = ("g++", "c++", "clang++")
RUNTIME: Final = Path(__file__).parent / "runtime"
INCLUDE: Final = RUNTIME / "include"
# Arithmetic as in docs/semantics.md; pointers may be cast as CUDA compilers let them.
COMMON: Final = (
    "-std=c++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-stack-protector",
    "-fstack-clash-protection",  # a frame larger than the guard page faults in it
    "-U_FORTIFY_SOURCE",
)
# An endless loop is one that the simulator has to stop, not one to assume away.
TEXT: Final = ("-nostdinc", "-w", "-fno-math-errno", "-fno-finite-loops", "-g1", "-gdwarf-4")
CLANG: Final = ("-fno-sanitize=undefined",)  # some drivers of clang turn it on
PLAIN: Final = ("-O2",)
# Vector stores under masks would escape the hooks, so that checked code stays scalar.
CHECK: Final = (
    "-O1",
    "-fno-tree-vectorize",
    "-fno-unroll-loops",
    "-DSIM_RED_ZONE=16384",
)
CHECK_GCC: Final = (
    "-fsanitize=thread,bounds-strict,alignment",
    "-fsanitize-coverage=trace-pc",
    "--param=tsan-instrument-func-entry-exit=0",
)
# The driver of clang must not know: some bring their own runtime of the sanitizer, or trap.
CHECK_CLANG: Final = (
    "-Xclang",
    "-fsanitize=thread",
    "-fsanitize=array-bounds,alignment",
    "-fsanitize-coverage=trace-pc,no-prune",
    "-fno-sanitize-trap=all",
    "-fno-sanitize=function",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-fno-slp-vectorize",
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ compiler, whether it is clang, and what tells it and the processor from others."""

    path: str
    is_clang: bool
    identity: str

    def text_flags(self, check: bool) -> tuple[str, ...]:
        """Flags for a CUDA text."""
        base = (*COMMON, *machine_flags(), *TEXT, *(CLANG if self.is_clang else ()))
        if not check:
            return (*base, *PLAIN)
        return (*base, *CHECK, *(CHECK_CLANG if self.is_clang else CHECK_GCC))

    def runtime_flags(self) -> tuple[str, ...]:
        """Flags for the runtime."""
        return (*COMMON, *machine_flags(), "-O3", "-w", *(CLANG if self.is_clang else ()))

    def run(self, folder: Path, *arguments: str | Path) -> tuple[int, str]:
        """Status and messages of a run, whose temporary files go to a folder."""
        ran = call([self.path, *arguments], folder)
        return ran.status, ran.stderr


def find_compiler(cxx: str | None) -> Compiler:
    """The compiler of this name or path, or the first that the system has."""
    if cxx is not None:
        expected(cxx, str, "the name or path of a C++ compiler", 'as cxx="g++-12"')
    for name in (cxx,) if cxx else SEARCHED:
        path = shutil.which(name)
        if path:
            facts = Path(path).resolve().stat()
            return _examine(path, f"{Path(path).resolve()} {facts.st_mtime_ns} {facts.st_size}")
    looked = f"`{cxx}`" if cxx else ", ".join(SEARCHED)
    raise SimulatorError(
        Diagnostic(
            "no-compiler",
            f"expected a C++ compiler to simulate CUDA, found none: looked for {looked}",
            hint="install g++ (on Debian: apt-get install g++), or name one: cxx='...'",
        )
    )


@lru_cache(maxsize=8)
def _examine(path: str, facts: str) -> Compiler:
    said = call([path, "--version"]).stdout
    return Compiler(path, "clang" in said, f"{facts} {said} {_processor()}")


def machine_flags() -> tuple[str, ...]:
    """Flags that make code for this processor."""
    return ("-march=native",) if platform.machine() in ("x86_64", "AMD64") else ()


@lru_cache(maxsize=1)
def _processor() -> str:
    """What tells this kind of processor from others, since code is built for it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first = file.read(1 << 14).split("\n\n")[0]
    except OSError:
        return platform.machine()
    kept = ("model name", "flags", "Features", "CPU part")
    return "\n".join([platform.machine(), *(line for line in first.split("\n") if line.startswith(kept))])


@lru_cache(maxsize=1)
def runtime_sources() -> str:
    """All texts of the runtime and of its headers, which built programs depend on."""
    files = sorted(path for path in RUNTIME.rglob("*") if path.suffix in (".h", ".cpp"))
    return "\0".join(f"{path.relative_to(RUNTIME)}\0{path.read_text(encoding='utf-8')}" for path in files)
