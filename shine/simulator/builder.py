"""CUDA texts to loaded programs, kept in the cache. Knows compilers, not what programs do."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Final

from rise.diagnostics import Diagnostic
from rise.expected import expected
from shine.cache import digest, directory_of, use
from shine.programs import check_written, first_error
from shine.simulator.compiler import INCLUDE, RUNTIME, Compiler, find_compiler, runtime_sources
from shine.simulator.model import SimulatorError
from shine.simulator.program import Program, load
from shine.simulator.text import FILE, find_kernels, program_text

_MESSAGE = re.compile(rf"^(?:\S*/)?{re.escape(FILE)}:(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?([^'\n]+)")
_MOST_SHOWN: Final = 5


def build(source: str, check: bool = False, cxx: str | None = None, cache: Path | None = None) -> Program:
    """Build a CUDA text for this machine, unless the cache has it; `check` builds what finds mistakes.

    Raises SimulatorError for a text that does not compile, with the lines of the text.
    """
    kernels = find_kernels(expected(source, str, "a CUDA text", "`kernel.source` is one"))
    if not kernels:
        title = "expected a CUDA text with a kernel, found no `__global__` function"
        raise SimulatorError(Diagnostic("no-kernel", title))
    compiler = find_compiler(cxx)
    folder = directory_of(cache)
    text = program_text(source, kernels, check)
    flags = compiler.text_flags(check)
    name = digest(text, *flags, compiler.identity, runtime_sources())
    entry = folder / f"cuda-sim-{name}.so"
    make = partial(_link, source, text, flags, compiler, folder)
    restored = partial(use, entry, make, Path)
    return use(entry, make, lambda library: load(library, source, kernels, check, compiler, restored))


def _runtime(compiler: Compiler, cache: Path, copy: Path) -> Path:
    """A copy of the object file that all programs share, which is built once for a cache."""
    flags = compiler.runtime_flags()
    entry = cache / f"cuda-sim-runtime-{digest(*flags, compiler.identity, runtime_sources())}.o"

    def make(folder: Path) -> Path:
        made = folder / "runtime.o"
        status, said = compiler.run(folder, *flags, "-c", RUNTIME / "runtime.cpp", "-o", made)
        if status:
            title = f"expected `{compiler.path}` to build the simulator's runtime, found {first_error(said)}"
            hint = "use g++ 10 or newer, or clang 12 or newer"
            raise SimulatorError(Diagnostic("compiler-failed", title, hint=hint))
        return check_written(made, compiler.path)

    return use(entry, make, lambda built: copyfile(built, copy))


def _link(
    source: str, text: str, flags: tuple[str, ...], compiler: Compiler, cache: Path, folder: Path
) -> Path:
    unit, compiled, made = folder / "program.cpp", folder / "program.o", folder / "program.so"
    unit.write_text(text, encoding="utf-8")
    status, said = compiler.run(folder, *flags, "-I", INCLUDE, "-c", unit, "-o", compiled)
    if status:
        raise _does_not_compile(source, said)
    check_written(compiled, compiler.path)
    runtime = _runtime(compiler, cache, folder / "runtime.o")
    libraries = ("-lm", "-lrt", "-lpthread")
    options = ("-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,noexecstack")
    status, said = compiler.run(folder, *options, compiled, runtime, "-o", made, *libraries)
    if status:
        missing = sorted(set(_UNDEFINED.findall(said)))
        found = ", ".join(f"`{name}`" for name in missing) or first_error(said)
        title = f"expected functions that the simulator knows, found {found}"
        raise SimulatorError(Diagnostic("unknown-function", title), tuple((0, name) for name in missing))
    return check_written(made, compiler.path)


def _does_not_compile(source: str, said: str) -> SimulatorError:
    lines = tuple(dict.fromkeys((int(line), message) for line, message in _MESSAGE.findall(said)))
    if not lines:
        return SimulatorError(Diagnostic("does-not-compile", first_error(said)))
    shown = source.split("\n")
    notes = tuple(
        f"line {line}: {shown[line - 1].strip()[:100] if line <= len(shown) else ''}: {message}"
        for line, message in lines[:_MOST_SHOWN]
    )
    title = f"the CUDA text does not compile: line {lines[0][0]}: {lines[0][1]}"
    hint = "the simulator knows the part of CUDA that docs/simulator.md lists"
    return SimulatorError(Diagnostic("does-not-compile", title, notes=notes, hint=hint), lines)
