"""Finds the system's C++ compiler for the simulator, and its flags. Independent of CUDA."""

from __future__ import annotations

import platform
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Final

from rise.argument_checks import expected
from rise.diagnostics import Diagnostic
from rise.records import dataclass
from shine.programs import call
from shine.simulator.model import SimulatorError

COMPILER_NAMES: Final = ("g++", "c++", "clang++")
RUNTIME: Final = Path(__file__).parent / "runtime"
INCLUDE: Final = RUNTIME / "include"
# Arithmetic as in docs/semantics.md; pointers may be cast, as CUDA compilers allow.
COMMON_FLAGS: Final = (
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
# The simulator stops endless loops, so the compiler must not assume that there are none.
TEXT_FLAGS: Final = (
    "-nostdinc",
    "-fno-math-errno",
    "-fno-finite-loops",
    "-fdata-sections",
    "-g1",
    "-gdwarf-4",
)
LIBRARIES: Final = ("-lm", "-lrt", "-lpthread")
# The library of C++ is not used, and takes a fifth of the time to link.
GCC_LIBRARIES: Final = ("-nodefaultlibs", *LIBRARIES, "-lc", "-lgcc")
CLANG_FLAGS: Final = ("-fno-sanitize=undefined",)  # some drivers of clang turn it on
# With -g1 only lines are described: gcc would also follow variables, which takes a tenth of its time.
GCC_TEXT_FLAGS: Final = ("-fno-var-tracking", "-fno-var-tracking-assignments")
# gcc before 14 makes wrong vectors of loops that permute masked loads (its bug 114375).
PLAIN_FLAGS: Final = ("-O2", "-fno-tree-vectorize")
# Blocks of code stay in the order of the text and are not doubled, so that lanes meet again; vectors are copied whole.
PROFILE_FLAGS: Final = (
    "-DSIM_PROFILE",
    "-O1",
    "-fno-tree-vectorize",
    "-fno-unroll-loops",
    "-fsanitize-coverage=trace-pc,trace-cmp",
)
PROFILE_GCC_FLAGS: Final = (
    "-fno-reorder-blocks",
    "-fno-thread-jumps",
    "-fno-tree-sra",
    "-fsanitize=thread",
    "--param=tsan-instrument-func-entry-exit=0",
)
PROFILE_CLANG_FLAGS: Final = (
    "-Xclang",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-fno-slp-vectorize",
)
# Vector stores under masks would escape the hooks, so that checked code stays scalar.
CHECK_FLAGS: Final = (
    "-O1",
    "-fno-tree-vectorize",
    "-fno-unroll-loops",
    "-DSIM_RED_ZONE=16384",
    "-DSIM_CHECK",
)
#: of variables that may be read before they are written
CHECK_GCC_WARNINGS: Final = ("-Wuninitialized", "-Wmaybe-uninitialized")
CHECK_GCC_FLAGS: Final = (
    "-fsanitize=thread,bounds-strict,alignment",
    "-fsanitize-coverage=trace-pc",
    "--param=tsan-instrument-func-entry-exit=0",
)
# Passed past clang's driver: some drivers link their own sanitizer runtime, or trap.
CHECK_CLANG_FLAGS: Final = (
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
GCC_VOLATILE_FLAGS: Final = (
    "-fsanitize=thread",
    "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0",
)
CLANG_VOLATILE_FLAGS: Final = (
    "-Xclang",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ compiler, whether it is clang, and a text that identifies it and the processor."""

    path: str
    is_clang: bool
    identity: str

    def text_flags(self, check: bool, has_volatile: bool = False, profile: bool = False) -> tuple[str, ...]:
        """Flags for a CUDA text. Volatile accesses also call the runtime in builds without checks, since threads use
        them to wait.
        """
        own = CLANG_FLAGS if self.is_clang else GCC_TEXT_FLAGS
        said = CHECK_GCC_WARNINGS if check and not self.is_clang else ("-w",)
        base = (*COMMON_FLAGS, *machine_flags(), *TEXT_FLAGS, *said, *own)
        of_volatile = CLANG_VOLATILE_FLAGS if self.is_clang else GCC_VOLATILE_FLAGS
        volatile = of_volatile if has_volatile else ()
        if profile:
            return (
                *base,
                *PROFILE_FLAGS,
                *(PROFILE_CLANG_FLAGS if self.is_clang else PROFILE_GCC_FLAGS),
                *volatile,
            )
        if not check:
            return (*base, *PLAIN_FLAGS, *volatile)
        return (*base, *CHECK_FLAGS, *(CHECK_CLANG_FLAGS if self.is_clang else CHECK_GCC_FLAGS), *volatile)

    def runtime_flags(self, profile: bool = False) -> tuple[str, ...]:
        """Flags for the runtime. The code for profiling is only included if needed."""
        profiled = ("-DSIM_PROFILE",) if profile else ()
        return (
            *COMMON_FLAGS,
            *machine_flags(),
            "-O3",
            "-w",
            *profiled,
            *(CLANG_FLAGS if self.is_clang else ()),
        )

    def host_flags(self) -> tuple[str, ...]:
        """Flags for the program that runs libraries."""
        return (*COMMON_FLAGS, "-O1", "-w", *(CLANG_FLAGS if self.is_clang else ()))

    def libraries(self) -> tuple[str, ...]:
        """The libraries that programs are linked with."""
        return LIBRARIES if self.is_clang else GCC_LIBRARIES

    def run(self, folder: Path, *arguments: str | Path) -> tuple[int, str]:
        """Run the compiler with temporary files in a folder; returns its status and messages."""
        ran = call([self.path, *arguments], folder)
        return ran.status, ran.stderr


def find_compiler(cxx: str | None) -> Compiler:
    """The compiler of this name or path, or the first one on PATH. Raises SimulatorError if there is none."""
    if cxx is not None:
        expected(cxx, str, "the name or path of a C++ compiler", 'as cxx="g++-12"')
    for name in (cxx,) if cxx else COMPILER_NAMES:
        path = shutil.which(name)
        if path:
            stat = Path(path).resolve().stat()
            return _examine(path, f"{Path(path).resolve()} {stat.st_mtime_ns} {stat.st_size}")
    names_text = f"`{cxx}`" if cxx else ", ".join(COMPILER_NAMES)
    raise SimulatorError(
        Diagnostic(
            "no-compiler",
            f"expected a C++ compiler to simulate CUDA, found none: looked for {names_text}",
            hint="install g++ (on Debian: apt-get install g++), or choose one: cxx='...'",
        )
    )


@lru_cache(maxsize=8)
def _examine(path: str, facts: str) -> Compiler:
    version = call([path, "--version"]).stdout
    return Compiler(path, "clang" in version, f"{facts} {version} {_processor()}")


def machine_flags() -> tuple[str, ...]:
    """Flags that generate code for this processor."""
    return ("-march=native",) if platform.machine() in ("x86_64", "AMD64") else ()


@lru_cache(maxsize=1)
def _processor() -> str:
    """A text that identifies the model of this processor, since code is built for it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first = file.read(1 << 14).split("\n\n")[0]
    except OSError:
        return platform.machine()
    distinguishing = ("model name", "flags", "Features", "CPU part")
    return "\n".join(
        [platform.machine(), *(line for line in first.split("\n") if line.startswith(distinguishing))]
    )


@lru_cache(maxsize=1)
def runtime_sources() -> str:
    """The sources of the runtime and its headers, which built programs depend on."""
    files = sorted(
        path for path in RUNTIME.rglob("*") if path.is_file() and path.suffix in (".h", ".cpp", "")
    )
    return "\0".join(f"{path.relative_to(RUNTIME)}\0{path.read_text(encoding='utf-8')}" for path in files)
