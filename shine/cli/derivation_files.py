"""Writes derivations as JSON, Python scripts or HTML pages, and prints short scripts. Independent of commands."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

import elevate
from elevate import Steps
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.terms import show
from shine.cli.files import write_file
from shine.front.derivation import Derivation

SUFFIXES: Final = (".json", ".py", ".html")
WIDTH: Final = 100  # characters
MAX_STEPS_WITH_PROGRAMS: Final = 100  # pages of longer derivations omit the program after each step


def joined_derivation(derivation: Derivation) -> elevate.Derivation[Any]:
    """All parts of a derivation as one."""
    steps = Steps()
    for phase in derivation.phases:
        steps += phase.steps
    return elevate.Derivation(derivation.program, steps, derivation.result)


def check_suffix(path: Path) -> None:
    """Raise RiseError for a file with an unknown suffix."""
    if path.suffix not in SUFFIXES:
        title = f"expected a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file, found {path}"
        raise RiseError(Diagnostic("file", title, hint="the suffix chooses the format: --output d.json"))


def save(derivation: Derivation, what: str, path: Path) -> None:
    """Write a derivation in the format that the file's suffix names."""
    check_suffix(path)
    combined, title = joined_derivation(derivation), f"{derivation.strategy} on {what}"
    match path.suffix:
        case ".json":
            proof: Any = importlib.import_module(
                "strategies.proof"
            )  # loading it takes longer than most commands
            text = proof.certificate(combined, {"strategy": derivation.strategy, "of": what})
        case ".py":
            text = elevate.to_python(elevate.recording(combined), title)
        case _:
            is_short = len(combined.steps) <= MAX_STEPS_WITH_PROGRAMS
            text = elevate.derivation_html(
                combined, title, lambda e: show(e, WIDTH, is_typed=False), is_short
            )
    write_file(path, text.encode())


def script(derivation: Derivation, what: str) -> str:
    """The short script of a derivation."""
    steps = elevate.minimal_script(joined_derivation(derivation))
    return elevate.script_text(steps, f"{derivation.strategy} on {what}, step by step.")
