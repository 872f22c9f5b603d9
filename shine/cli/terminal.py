"""Prints for commands: styled text on a terminal, plain text elsewhere, JSON on request.

Depends on the terminal and on diagnostics, but not on commands.
"""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any, Final, TypeAlias

import typer
from rich.console import Console
from rich.text import Text

from rise.diagnostics import Diagnostic, Label
from shine.cli import interrupts, streams
from shine.cli.interrupt import INTERRUPTED

#: the option that makes a page one JSON object
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
MIN_COLUMNS: Final = 20  # columns
MAX_FRAMES: Final = 4  # calls that are shown when a command fails by a defect

#: patterns of options and calls in Python, and their forms on the command line
_COMMAND_LINE_FORMS: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\btarget='([\w-]+)' or '([\w-]+)'", r"--target \1 or \2"),
        (r"\b(target|arch)='([^']*)'", r"--\1 \2"),
        (r"\b(cc|cxx|compiler)='([^']*)'", r"-O \1=\2"),
        (r"\bcheck=True\b", "-O check"),
        (r"\brise\.specialise\b(?:\(e, ([^)]*)\))?", "--size"),
        (r"\boption `(\w+)`", r"option -O \1=..."),
    )
)


def console(is_error: bool = False) -> Console:
    """The terminal as it is now. Text is not interpreted as markup."""
    terminal = Console(stderr=is_error, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if terminal.width < MIN_COLUMNS:  # rich prints nothing at a width below one column
        terminal.width = MIN_COLUMNS
    return terminal


class Page:
    """The output of a command: lines of text, or one JSON object."""

    def __init__(self, is_json: bool) -> None:
        self.is_json = is_json
        self.console = console()
        self.facts: dict[str, Any] = {}

    @property
    def width(self) -> int:
        """The maximal length of a line, in columns."""
        return self.console.width

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line, unless the output is JSON; a part may have a style."""
        if not self.is_json:
            with streams.writing():
                self.console.print(Text.assemble(*parts, end=""))

    def put(self, **facts: Any) -> None:
        """Add facts to the JSON object."""
        self.facts.update(facts)

    def finish(self) -> None:
        """Print the JSON object, if the output is JSON."""
        if self.is_json:
            print_json(self.facts)


def print_json(facts: Mapping[str, Any]) -> None:
    """Print one object on standard output. Undecodable bytes, as in some file names, are escaped."""
    text = json.dumps(facts, indent=2, ensure_ascii=not streams.is_unicode(sys.stdout))
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(facts, indent=2)
    with streams.writing():
        print(text)


@contextmanager
def page(is_json: bool) -> Iterator[Page]:
    """A command's page. An error inside is printed as one diagnostic, and the command exits with status 1."""
    new_page = Page(is_json)
    try:
        with interrupts.raised():
            try:
                yield new_page
                new_page.finish()
            except (typer.Exit, typer.Abort, typer.BadParameter, streams.OutputError):
                raise
            except Exception as error:
                complain(diagnostic_of(error), is_json)
                raise typer.Exit(1) from error
            streams.flush()
    except streams.OutputError as error:
        raise typer.Exit(report_unwritten(error)) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def report_unwritten(error: streams.OutputError) -> int:
    """Report that standard output cannot be written to; returns the exit status."""
    streams.abandon()
    complain(error.diagnostic, is_json=False)
    return 1


def diagnostic_of(error: Exception) -> Diagnostic:
    """The diagnostic for an exception; for an internal error it shows the last calls, for a bug report."""
    if hasattr(error, "diagnostic"):
        return as_rise(error.diagnostic)
    if isinstance(error, MemoryError):
        title = f"there is not enough memory: {error}" if str(error) else "there is not enough memory"
        return Diagnostic("out-of-memory", title, hint="use smaller sizes, or close other programs")
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    notes = tuple(f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames))
    title = f"the command failed with {type(error).__name__}: {error}"
    hint = "this is a bug in rise-shine: please report it with the program and the command"
    return Diagnostic("internal", title, hint=hint, notes=notes)


def as_rise(diagnostic: Any) -> Diagnostic:
    """The diagnostic of an error of either package, as a diagnostic of `rise`. `elevate` is not loaded for its own."""
    if isinstance(diagnostic, Diagnostic):
        return diagnostic
    labels = tuple(Label(label.start, label.end, label.text) for label in diagnostic.labels)
    return Diagnostic(
        diagnostic.code,
        diagnostic.title,
        labels,
        diagnostic.hint,
        diagnostic.notes,
        diagnostic.source,
        diagnostic.file,
    )


def for_command_line(hint: str) -> str:
    """A hint in terms of Python, rewritten in terms of the command line.

    >>> for_command_line("use target='cuda-sim' or 'openmp'")
    'use --target cuda-sim or openmp'
    """
    for pattern, replacement in _COMMAND_LINE_FORMS:
        hint = pattern.sub(replacement, hint)
    return hint


def complain(diagnostic: Diagnostic, is_json: bool) -> None:
    """Print a diagnostic to standard error, or as JSON to standard output."""
    diagnostic = replace(diagnostic, hint=for_command_line(diagnostic.hint))
    if is_json:
        print_json({"diagnostics": [diagnostic.to_dict()]})
        return
    with suppress(streams.OutputError):  # the diagnostic matters more
        streams.flush()
    stderr = console(is_error=True)
    for line in diagnostic.render().split("\n"):
        stderr.print(Text(line, style_of(line), end=""))


def style_of(line: str) -> str:
    """The style of a line of a diagnostic."""
    if line.startswith("error["):
        return "bold red"
    if line.startswith("hint:"):
        return "green"
    if line.startswith(" --> "):
        return "blue"
    _, bar, marks = line.partition(" | ")
    return "red" if bar and marks.lstrip().startswith("^") else ""
