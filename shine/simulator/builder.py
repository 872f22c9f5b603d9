"""Builds programs from CUDA source, and caches them. Depends on compilers, but not on the behaviour of programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from shutil import copyfile
from typing import Final

from rise.argument_checks import expected
from rise.diagnostics import Diagnostic
from rise.hardware import Architecture, architecture
from shine.cache import digest, directory_of, scratch, use
from shine.programs import call, check_written, first_error
from shine.simulator.assembly import replace_assembly
from shine.simulator.compiler import (
    COMMON_FLAGS,
    INCLUDE,
    RUNTIME,
    TEXT_FLAGS,
    Compiler,
    find_compiler,
    runtime_sources,
)
from shine.simulator.declarations import with_memory_first
from shine.simulator.external_references import check_headers, check_needed
from shine.simulator.headers import leading_headers, precompiled, use_precompiled
from shine.simulator.host_code import check_launches, without_host_code
from shine.simulator.instances import chosen_kernels
from shine.simulator.messages import does_not_compile
from shine.simulator.model import SimulatorError
from shine.simulator.process import Process
from shine.simulator.program import Program, load
from shine.simulator.shared_pointers import place_arrays, pointers_to_arrays
from shine.simulator.symbols import SECTION, bytes_in_memory, stray_sections
from shine.simulator.text import (
    KernelText,
    assign_at_once,
    conditional_kernels,
    dynamic_may_lie_apart,
    find_kernels,
    has_descriptors,
    has_volatile,
    program_text,
)
from shine.simulator.unset_variables import fill_unset_variables

DEFAULT_ARCH: Final = "sm_90"
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?([^'\n]+)")
_WRITABLE: Final = "alloc,load,data,contents"
_TOO_FAR = re.compile(r"relocation (?:truncated|overflow)|relocation \S+ out of range")
_MOST_STATIC_BYTES: Final = 512 << 20


def build(
    source: str,
    check: bool = False,
    cxx: str | None = None,
    cache: Path | None = None,
    kernels: Sequence[str] = (),
    arch: Architecture | None = None,
    profile: bool = False,
) -> Program:
    """Build a CUDA text for this machine, unless the cache has it; `check` adds instrumentation that finds errors,
    `profile` adds instrumentation that counts what costs time. A program has at most one of them.

    `kernels` names instances of templates to build, as in `("reduce<256>",)`; other kernels are built in any case.
    `arch` determines `__CUDA_ARCH__`, by default that of compute capability 9.0. Host code is omitted.
    Raises SimulatorError for a text that does not compile, with the lines of the text, and ValueError for `check`
    together with `profile`.
    """
    if check and profile:
        raise ValueError("expected a program that checks or one that profiles, found both: build two")
    source = _readable(expected(source, str, "a CUDA text", "`kernel.source` is one"))
    built = _kernels_to_build(source, kernels)
    compiler = find_compiler(cxx)
    folder = directory_of(cache)
    device_code = without_host_code(source, has_header)
    check_launches(device_code)
    check_headers(device_code)
    its = arch or architecture(DEFAULT_ARCH)
    if conditional_kernels(device_code):
        built = _kernels_to_build(_without_inactive(device_code, _macros_of(its), compiler), kernels)
    device_code = with_memory_first(replace_assembly(device_code))
    if profile:
        device_code = assign_at_once(device_code)
    separates = check and not has_descriptors(device_code)
    pointers = pointers_to_arrays(device_code) if separates else ()
    apart = separates and dynamic_may_lie_apart(device_code)
    text = program_text(place_arrays(device_code, pointers), built, check, apart)
    flags = compiler.text_flags(check, has_volatile(device_code), profile)
    defined = _macros_of(its)
    name = digest(text, *flags, *defined, compiler.identity, runtime_sources())
    entry = folder / f"cuda-sim-{name}.so"
    make = partial(_link, source, text, flags, defined, compiler, folder, profile)
    restored = partial(use, entry, make, Path)

    def start(library: Path) -> Process:
        return Process(_host(compiler, folder), library)

    return use(
        entry,
        make,
        lambda library: load(
            library, source, built, check, profile, its, compiler, pointers, apart, restored, start
        ),
    )


def _readable(source: str) -> str:
    """The text without a byte order mark. Raises SimulatorError if it cannot be written in UTF-8."""
    try:
        source.encode("utf-8")
    except UnicodeEncodeError as error:
        title = f"expected Unicode text, found half of a character on line {source.count(chr(10), 0, error.start) + 1}"
        hint = "read the file in the encoding that it was written in, such as latin-1"
        raise SimulatorError(Diagnostic("not-utf-8", title, hint=hint)) from None
    return source.removeprefix("\ufeff")


def _kernels_to_build(source: str, names: Sequence[str]) -> tuple[KernelText, ...]:
    found = find_kernels(source)
    if not found:
        title = "expected CUDA source with a kernel, found no `__global__` function"
        hint = 'for a file: Path("kernel.cu").read_text()'
        raise SimulatorError(Diagnostic("no-kernel", title, hint=hint))
    built = chosen_kernels(found, names)
    if not built:
        title = f"expected arguments for the template `{found[0].name}`, the only kernel, found none"
        hint = f'name what to build: kernels=["{found[0].name}<256>"]'
        raise SimulatorError(Diagnostic("unknown-kernel", title, hint=hint))
    return built


@lru_cache(maxsize=64)
def _without_inactive(device_code: str, macros: tuple[str, ...], compiler: Compiler) -> str:
    """The text without the word `__global__` of kernels that the preprocessor leaves out, as `#if 0` does."""
    places = conditional_kernels(device_code)
    first, *pieces = (device_code[start:end] for start, end in pairwise((0, *places, len(device_code))))
    marked = first + "".join(f" sim_kernel_{number} {piece}" for number, piece in enumerate(pieces))
    with scratch() as folder:
        unit, result = folder / "program.cpp", folder / "program.ii"
        unit.write_text(f'#include "simulator/vocabulary.h"\n{marked}', encoding="utf-8")
        base = (*COMMON_FLAGS, *TEXT_FLAGS, "-w")
        status, _ = compiler.run(folder, *base, *macros, "-I", INCLUDE, "-E", unit, "-o", result)
        seen = result.read_text(encoding="utf-8", errors="replace") if not status else marked
    active = {int(number) for number in re.findall(r"\bsim_kernel_(\d+)\b", seen)}
    return first + "".join(
        piece if number in active else piece.replace("__global__", " " * len("__global__"), 1)
        for number, piece in enumerate(pieces)
    )


def _macros_of(its: Architecture) -> tuple[str, ...]:
    """Options that define what CUDA compilers define for an architecture."""
    major, minor = its.capability
    number = 100 * major + 10 * minor
    common = (f"-D__CUDA_ARCH__={number}", f"-D__CUDA_ARCH_LIST__={number}")
    if not its.is_specific:
        return common
    feature = f"-D__CUDA_ARCH_FEAT_SM{10 * major + minor}_ALL"
    specific = (f"-D__CUDA_ARCH_SPECIFIC__={number}", f"-D__CUDA_ARCH_FAMILY_SPECIFIC__={number}")
    return (*common, feature, *specific)


def _host(compiler: Compiler, cache: Path) -> Path:
    """The program that runs libraries, which is built once per cache."""
    flags = compiler.host_flags()
    entry = cache / f"cuda-sim-host-{digest(*flags, compiler.identity, runtime_sources())}.host"

    def make(folder: Path) -> Path:
        program = folder / "host"
        status, messages = compiler.run(folder, *flags, RUNTIME / "host.cpp", "-o", program, "-ldl")
        if status:
            raise _runtime_not_built(compiler, messages)
        return check_written(program, compiler.path)

    def made_executable(program: Path) -> Path:
        program.chmod(0o700)
        return program

    return use(entry, make, made_executable)


def _runtime(compiler: Compiler, cache: Path, copy: Path, profile: bool) -> Path:
    """A copy of the runtime's object file, which all programs share and which is built once per cache."""
    flags = compiler.runtime_flags(profile)
    entry = cache / f"cuda-sim-runtime-{digest(*flags, compiler.identity, runtime_sources())}.o"

    def make(folder: Path) -> Path:
        object_file = folder / "runtime.o"
        status, messages = compiler.run(folder, *flags, "-c", RUNTIME / "runtime.cpp", "-o", object_file)
        if status:
            raise _runtime_not_built(compiler, messages)
        return check_written(object_file, compiler.path)

    return use(entry, make, lambda built: copyfile(built, copy))


def _runtime_not_built(compiler: Compiler, messages: str) -> SimulatorError:
    title = f"expected `{compiler.path}` to build the simulator's runtime, found {first_error(messages)}"
    hint = "use g++ 10 or newer, or clang 12 or newer"
    return SimulatorError(Diagnostic("compiler-failed", title, hint=hint))


def _link(
    source: str,
    text: str,
    flags: tuple[str, ...],
    defined: tuple[str, ...],
    compiler: Compiler,
    cache: Path,
    profile: bool,
    folder: Path,
) -> Path:
    unit, compiled, library = folder / "program.cpp", folder / "program.o", folder / "program.so"
    unit.write_text(text, encoding="utf-8")
    names = leading_headers(text)
    headers = precompiled(names, flags, compiler, cache)
    including = () if headers is None else use_precompiled(names, headers, folder)
    words = (*flags, *defined, *including, "-I", INCLUDE, "-c", unit, "-o", compiled)
    status, messages = compiler.run(folder, *words)
    if status:
        raise does_not_compile(source, messages)
    filled = fill_unset_variables(text, messages)
    if filled != text:
        unit.write_text(filled, encoding="utf-8")
        status, messages = compiler.run(folder, *words)
        if status:
            raise does_not_compile(source, messages)
    check_written(compiled, compiler.path)
    _gather_shared_arrays(compiled, compiler, folder)
    runtime = _runtime(compiler, cache, folder / "runtime.o", profile)
    check_needed(source, compiled, runtime, compiler)
    status, messages = compiler.run(
        folder,
        "-shared",
        "-Wl,-Bsymbolic",
        "-Wl,-z,defs",
        "-Wl,-z,noexecstack",
        compiled,
        runtime,
        "-o",
        library,
        *compiler.libraries(),
    )
    if (status and _TOO_FAR.search(messages)) or (
        not status and bytes_in_memory(library) > _MOST_STATIC_BYTES
    ):
        title = (
            f"expected variables of less than {_MOST_STATIC_BYTES >> 20} MiB in the text, found larger ones"
        )
        raise SimulatorError(Diagnostic("out-of-memory", title, hint="pass large arrays as arguments"))
    if status:
        missing = sorted(set(_UNDEFINED.findall(messages)))
        missing_text = ", ".join(f"`{name}`" for name in missing) or first_error(messages)
        title = f"expected functions that the simulator supports, found {missing_text}"
        raise SimulatorError(Diagnostic("unknown-function", title), tuple((0, name) for name in missing))
    return check_written(library, compiler.path)


def _gather_shared_arrays(compiled: Path, compiler: Compiler, folder: Path) -> None:
    """Move shared arrays that the compiler put elsewhere to the section of the others."""
    sections = stray_sections(compiled)
    if not sections:
        return
    tool = call([compiler.path, "-print-prog-name=objcopy"]).stdout.strip() or "objcopy"
    renamed = [
        word for name in sections for word in ("--rename-section", f"{name}={SECTION.decode()},{_WRITABLE}")
    ]
    done = call([tool, *renamed, compiled], folder)
    if done.status:
        title = f"expected `{tool}` to place shared arrays of templates, found {first_error(done.stderr)}"
        raise SimulatorError(
            Diagnostic("compiler-failed", title, hint="install binutils, or use g++ 14 or clang")
        )


def has_header(name: str) -> bool:
    """Whether a header is one of those that the simulator has."""
    return not name.startswith("simulator/") and (INCLUDE / name).is_file()
