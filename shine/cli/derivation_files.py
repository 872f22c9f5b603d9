"""Derivations as files: JSON, a Python script, a page; and their short script. Knows no command."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import elevate
from elevate import Steps
from rise.diagnostics import Diagnostic, RiseError
from rise.printer.terms import show
from shine.cli.files import write_file
from shine.front.derivation import Derivation

ENDINGS: Final = (".json", ".py", ".html")
WIDTH: Final = 100
MOST_PROGRAMS: Final = 100  # steps up to which a page shows the program after each


def whole(derivation: Derivation) -> elevate.Derivation[Any]:
    """All parts of a derivation as one."""
    steps = Steps()
    for phase in derivation.phases:
        steps += phase.steps
    return elevate.Derivation(derivation.program, steps, derivation.result)


def check_ending(path: Path) -> None:
    """Refuse a file whose name says nothing of what to write."""
    if path.suffix not in ENDINGS:
        title = f"expected a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, found {path}"
        raise RiseError(Diagnostic("file", title, hint="the ending says what is written: --output d.json"))


def save(derivation: Derivation, what: str, path: Path) -> None:
    """Write a derivation as the file's name says."""
    check_ending(path)
    found, title = whole(derivation), f"{derivation.strategy} on {what}"
    match path.suffix:
        case ".json":
            text = elevate.to_json(elevate.recording(found), {"strategy": derivation.strategy, "of": what})
        case ".py":
            text = elevate.to_python(elevate.recording(found), title)
        case _:
            is_short = len(found.steps) <= MOST_PROGRAMS
            text = elevate.derivation_html(found, title, lambda e: show(e, WIDTH, is_typed=False), is_short)
    write_file(path, text.encode())


def script(derivation: Derivation, what: str) -> str:
    """The short script of a derivation."""
    found = elevate.minimal_script(whole(derivation))
    return elevate.script_text(found, f"{derivation.strategy} on {what}, step by step.")
