"""CUDA texts to loaded programs, kept in the cache. Knows compilers, not what programs do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from rise.diagnostics import Diagnostic
from shine.cache import default_directory, digest, is_whole, scratch, store, writable_directory
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
    kernels = find_kernels(source)
    if not kernels:
        title = "expected a CUDA text with a kernel, found no `__global__` function"
        raise SimulatorError(Diagnostic("no-kernel", title))
    compiler = find_compiler(cxx)
    folder = default_directory() if cache is None else writable_directory(Path(cache))
    text = program_text(source, kernels, check)
    flags = compiler.text_flags(check)
    name = digest(text, *flags, compiler.identity, runtime_sources())
    entry = folder / f"cuda-sim-{name}.so"
    if not is_whole(entry):
        runtime = _runtime(compiler, folder)
        with scratch(folder) as made_in:
            store(_link(source, text, flags, runtime, compiler, made_in), entry)
    return load(entry, source, kernels, check, compiler)


def _runtime(compiler: Compiler, folder: Path) -> Path:
    """The object file that all programs share."""
    flags = compiler.runtime_flags()
    entry = folder / f"cuda-sim-runtime-{digest(*flags, compiler.identity, runtime_sources())}.o"
    if not is_whole(entry):
        with scratch(folder) as made_in:
            made = made_in / "runtime.o"
            status, said = compiler.run(*flags, "-c", str(RUNTIME / "runtime.cpp"), "-o", str(made))
            if status:
                title = (
                    f"expected `{compiler.path}` to build the simulator's runtime, found {_first_error(said)}"
                )
                hint = "use g++ 10 or newer, or clang 12 or newer"
                raise SimulatorError(Diagnostic("compiler-failed", title, hint=hint))
            store(made, entry)
    return entry


def _link(
    source: str, text: str, flags: tuple[str, ...], runtime: Path, compiler: Compiler, scratch: Path
) -> Path:
    unit, compiled, made = scratch / "program.cpp", scratch / "program.o", scratch / "program.so"
    unit.write_text(text, encoding="utf-8")
    include = ("-I", str(INCLUDE))
    status, said = compiler.run(*flags, *include, "-c", str(unit), "-o", str(compiled))
    if status:
        raise _does_not_compile(source, said)
    libraries = ("-lm", "-lrt", "-lpthread")
    options = ("-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,noexecstack")
    status, said = compiler.run(*options, str(compiled), str(runtime), "-o", str(made), *libraries)
    if status:
        missing = sorted(set(_UNDEFINED.findall(said)))
        found = ", ".join(f"`{name}`" for name in missing) or _first_error(said)
        title = f"expected functions that the simulator knows, found {found}"
        raise SimulatorError(Diagnostic("unknown-function", title), tuple((0, name) for name in missing))
    return made


def _does_not_compile(source: str, said: str) -> SimulatorError:
    lines = tuple(dict.fromkeys((int(line), message) for line, message in _MESSAGE.findall(said)))
    if not lines:
        return SimulatorError(Diagnostic("does-not-compile", _first_error(said)))
    shown = source.split("\n")
    notes = tuple(
        f"line {line}: {shown[line - 1].strip()[:100] if line <= len(shown) else ''}: {message}"
        for line, message in lines[:_MOST_SHOWN]
    )
    title = f"the CUDA text does not compile: line {lines[0][0]}: {lines[0][1]}"
    hint = "the simulator knows the part of CUDA that docs/simulator.md lists"
    return SimulatorError(Diagnostic("does-not-compile", title, notes=notes, hint=hint), lines)


def _first_error(said: str) -> str:
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")
