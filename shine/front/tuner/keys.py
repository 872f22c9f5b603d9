"""The keys of stored results: the machine, the compiler, the program, the version of rise-shine. Does not measure."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import elevate
import rise
import strategies
from rise.terms import Expr
from shine.cache import digest, directory_of
from shine.front.tuner.database import Key
from shine.targets import find_target
from shine.targets.openmp.compiler import Compiler, description, find_compiler
from strategies.spaces.holes import Space

PROCESSOR_INFO: Final = Path("/proc/cpuinfo")
#: the parts of a processor's description that identify it
TELLING: Final = ("model name", "cpu family", "model", "stepping", "CPU part", "CPU implementer", "uarch")


@lru_cache(maxsize=1)
def machine_text() -> str:
    """This machine: its architecture, its processor, and a digest of the processor's features."""
    try:
        lines = PROCESSOR_INFO.read_text(encoding="utf-8", errors="replace").split("\n\n")[0].splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}".strip()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    said = ", ".join(f"{name} {facts[name]}" for name in TELLING if name in facts)
    features = " ".join(sorted((facts.get("flags") or facts.get("Features") or "").split()))
    return f"{platform.machine()}: {said}; features {digest(features)[:8]}"


def key_of(
    space: Space,
    program: Expr,
    sizes: Mapping[str, int],
    target: str,
    options: Mapping[str, Any],
    machine: str,
) -> Key:
    """The run that results belong to. Raises RiseError if there is no compiler."""
    return Key(
        space_name(space),
        program_text(program),
        json.dumps(dict(sizes), sort_keys=True),
        machine,
        toolchain_text(target, options),
        f"{rise.__version__} {sources()} {space.fingerprint} {digest(repr(space.arguments))[:8]}",
    )


def space_name(space: Space) -> str:
    """The address of a space."""
    return f"{space.make.__module__}:{space.name}"


def program_text(program: Expr) -> str:
    """A digest of a program."""
    return digest(rise.show(program))[:16]


def toolchain_text(target: str, options: Mapping[str, Any]) -> str:
    """The target with its options and, for C, the compiler with its flags."""
    completed = {
        name: value for name, value in find_target(target).complete(dict(options)).items() if name != "cache"
    }
    said = f"{target} {json.dumps({name: str(value) for name, value in completed.items()}, sort_keys=True)}"
    if target != "openmp":
        return said
    compiler = _compiler(options)
    return f"{said} {Path(compiler.path).name} {digest(compiler.identity)[:8]} {' '.join(compiler.flags)}"


def compiler_of(target: str, options: Mapping[str, Any]) -> str:
    """The C compiler and what it optimises for, such as `gcc 12 for znver3`; empty for targets without one."""
    return description(_compiler(options)) if target == "openmp" else ""


def _compiler(options: Mapping[str, Any]) -> Compiler:
    return find_compiler(options.get("cc"), options.get("arch"), directory_of(options.get("cache")))


@lru_cache(maxsize=1)
def sources() -> str:
    """A digest of rise-shine's own sources, which change between releases without a change of the version."""
    hasher = hashlib.sha256()
    folders = [Path(package.__file__ or "").parent for package in (elevate, rise, strategies)]
    for root in (*folders, Path(__file__).parents[2]):
        for file in sorted(root.rglob("*.py")):
            hasher.update(file.relative_to(root).as_posix().encode() + file.read_bytes())
    return hasher.hexdigest()[:12]
