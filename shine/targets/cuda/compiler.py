"""Compiles CUDA texts, with a cache: by NVRTC if its packages are installed, else by nvcc. Independent of devices.

A text that does not compile is a bug in rise-shine, unless it needs more than the architecture has. So the diagnostic
shows the lines, and the places in the low-level program that they come from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

from rise.diagnostics import Diagnostic, Label, Lines, RiseError
from rise.hardware import architecture
from rise.records import dataclass
from shine.cache import body_of, digest, directory_of, use
from shine.imperative.errors import path_note
from shine.imperative.nodes import Origin
from shine.targets.cuda.messages import FILE, Complaint, place_of_kernel, read_complaints
from shine.targets.cuda.nvcc import find_program, open_nvcc
from shine.targets.cuda.nvrtc import find_nvrtc, open_nvrtc
from shine.targets.cuda.resources import Resources, read_resources
from shine.targets.cuda.toolchain import OPTIONS, Outcome, Toolchain

MAX_LABELS: Final = 5
_FORMAT: Final = "3"  # of an entry in the cache
_WORD: Final = re.compile(r"\w+|.")
_EXHAUSTED: Final = re.compile(r"too much|too many|exceed", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cubin:
    """Machine code for one architecture, the resources of each kernel, and the compiler's log.

    `warnings` has one message for each kernel that keeps registers or arrays in local memory.
    """

    image: bytes
    arch: str
    compiler: str
    resources: Mapping[str, Resources]
    log: str
    warnings: tuple[Complaint, ...] = ()


class TextError(RiseError):
    """A CUDA text that was rejected: the compiler's messages, and the origin of the first one."""

    def __init__(
        self, diagnostic: Diagnostic, complaints: tuple[Complaint, ...], origin: Origin | None
    ) -> None:
        super().__init__(diagnostic)
        self.complaints = complaints
        self.origin = origin


def compile_text(
    source: str,
    arch: str,
    kernels: Sequence[str],
    strict: bool = False,
    compiler: str | None = None,
    *,
    origins: Sequence[Origin | None] = (),
    cache: Path | None = None,
) -> Cubin:
    """Compile a text for an architecture, or take it from the cache.

    `compiler` is `nvrtc`, `nvcc`, or the path of an nvcc; by default the first of these that is found. Use of local
    memory is a warning, or an error if `strict`. Raises TextError for a text that is rejected, RiseError for an unknown
    architecture and if there is no compiler.
    """
    target = architecture(arch).name
    chosen = find_compiler(compiler)
    directory = directory_of(cache)
    name = digest(_FORMAT, source, target, chosen.name, chosen.identity, *OPTIONS)
    outcome = _cached(directory / f"{name}.cubin", source, target, chosen)

    def assembly() -> str:
        return (chosen.run(source, target, "ptx").image or b"").decode("utf-8", "replace")

    complaints = read_complaints(outcome.log, source, assembly)
    errors = tuple(complaint for complaint in complaints if complaint.severity == "error")
    if outcome.image is None or errors:
        expected = f"expected {chosen.name} to compile the source for {target}"
        _refuse("kernel-text", expected, source, errors or (_last_line(outcome.log),), origins)
    resources_of = read_resources(outcome.log)
    missing = tuple(Complaint(0, 0, f"no kernel `{name}`") for name in kernels if name not in resources_of)
    if missing:
        _refuse("kernel-text", f"expected the kernels {', '.join(kernels)}", source, missing, origins)
    resources = {name: resources_of[name] for name in kernels}
    warnings = _local_memory(resources, source)
    if strict and warnings:
        _refuse("local-memory", "expected all of a thread's values in registers", source, warnings, origins)
    return Cubin(outcome.image, target, chosen.name, resources, outcome.log, warnings)


def find_compiler(compiler: str | None = None) -> Toolchain:
    """The compiler of this name or path, or the first that is found. Raises RiseError if there is none."""
    reasons: list[str] = []
    if compiler in (None, "nvrtc"):
        installed = find_nvrtc()
        if installed is None:
            reasons.append("NVRTC is not installed")
        elif installed.missing:
            reasons.append(
                f"NVRTC is installed without its headers: {', '.join(installed.missing)} is missing"
            )
        else:
            try:
                return open_nvrtc(installed)
            except OSError as error:
                reasons.append(f"NVRTC cannot be loaded: {error}")
    if compiler != "nvrtc":
        path = find_program(compiler or "nvcc")
        if path is None:
            reasons.append(f"no program is called `{compiler or 'nvcc'}`")
        else:
            try:
                return open_nvcc(path)
            except RiseError as error:
                reasons.append(error.diagnostic.title)
    raise RiseError(
        Diagnostic(
            "no-compiler",
            "expected a compiler for CUDA, found none",
            hint="pip install 'rise-shine[nvrtc]', which needs no GPU; or install the CUDA toolkit",
            notes=tuple(reasons),
        )
    )


def _cached(entry: Path, source: str, arch: str, compiler: Toolchain) -> Outcome:
    """Compile a text, or take it from the cache. An entry is a line with the log, then the machine code; failures are
    not cached.
    """
    failed: list[Outcome] = []

    def make(folder: Path) -> Path:
        outcome = _run(source, arch, compiler)
        if outcome.image is None:
            failed.append(outcome)
            raise _DoesNotCompile
        entry_file = folder / "kernel.cubin"
        entry_file.write_bytes(json.dumps(outcome.log).encode() + b"\n" + outcome.image)
        return entry_file

    try:
        return use(entry, make, _read)
    except _DoesNotCompile:
        return failed[0]


class _DoesNotCompile(Exception):
    pass


def _read(entry: Path) -> Outcome:
    """Parse an entry. Raises ValueError if it is malformed."""
    head, _, image = body_of(entry).partition(b"\n")
    log = json.loads(head)
    if not isinstance(log, str):
        raise ValueError(f"{entry} has no log")
    return Outcome(image, log)


def _run(source: str, arch: str, compiler: Toolchain) -> Outcome:
    """The machine code of a text, with more registers if it spilled and that helps."""
    outcome = compiler.run(source, arch, "cubin")
    spilled = _spilled(outcome)
    if not spilled:
        return outcome
    roomy = compiler.run(source, arch, "roomy")
    return roomy if roomy.image is not None and _spilled(roomy) < spilled else outcome


def _spilled(outcome: Outcome) -> int:
    """The bytes of spill stores and loads of all kernels."""
    return sum(
        resources.spill_stores + resources.spill_loads for resources in read_resources(outcome.log).values()
    )


def _local_memory(resources: Mapping[str, Resources], source: str) -> tuple[Complaint, ...]:
    complaints = []
    for name, used in resources.items():
        if used.spill_stores or used.spill_loads:
            description = f"spills {used.spill_stores} bytes of registers, at {used.registers} per thread"
        elif used.local:
            description = f"keeps {used.local} bytes of each thread in local memory"
        else:
            continue
        line, column = place_of_kernel(name, source)
        complaints.append(Complaint(line, column, f"`{name}` {description}", "warning"))
    return tuple(complaints)


def _refuse(
    code: str, expected: str, source: str, complaints: tuple[Complaint, ...], origins: Sequence[Origin | None]
) -> NoReturn:
    first = complaints[0]
    lines = Lines(source)
    labels = []
    places: dict[str, None] = {}
    for complaint in complaints[:MAX_LABELS]:
        if not 1 <= complaint.line <= len(lines.starts):
            continue
        start, end = lines.starts[complaint.line - 1], lines.ends[complaint.line - 1]
        text = source[start:end]
        skipped = complaint.column - 1 if complaint.column else len(text) - len(text.lstrip())
        word = _WORD.match(source, min(start + skipped, end))
        stop = word.end() if word and complaint.column else end
        labels.append(Label(start + skipped, stop, complaint.message))
        origin = _origin(complaint, origins)
        if origin is not None:
            places[path_note(origin)] = None
    if code == "local-memory":
        hint = "use smaller tiles, fewer tiles per thread, or constant indices for arrays in registers"
    elif _EXHAUSTED.search(first.message):
        hint = "use smaller tiles, or fewer threads in a block"
    else:
        hint = "this is a bug in rise-shine: please report it with the program"
    more = len(complaints) - MAX_LABELS
    notes = (*places, f"and {more} more") if more > 0 else tuple(places)
    diagnostic = Diagnostic(
        code,
        f"{expected}, found: {first.message}",
        tuple(labels),
        hint,
        notes,
        source if labels else "",
        FILE,
    )
    raise TextError(diagnostic, complaints, _origin(first, origins))


def _origin(complaint: Complaint, origins: Sequence[Origin | None]) -> Origin | None:
    return origins[complaint.line - 1] if 1 <= complaint.line <= len(origins) else None


def _last_line(log: str) -> Complaint:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return Complaint(0, 0, lines[-1] if lines else "nothing")
