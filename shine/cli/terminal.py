"""What commands print: text with styles where a person looks on, plain text elsewhere, JSON where asked for.

Knows the terminal and diagnostics, and no command.
"""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

import typer
from rich.console import Console
from rich.text import Text

from elevate import StrategyError
from rise.diagnostics import Diagnostic, Label, RiseError
from shine.cli import interrupts, streams
from shine.cli.interrupt import INTERRUPTED

NARROWEST: Final = 20  # columns
FRAMES: Final = 4  # calls that are named where a command fails by a defect

#: options and calls as Python's, and as they are on the command line
_WORDS: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\btarget='([\w-]+)' or '([\w-]+)'", r"--target \1 or \2"),
        (r"\b(target|arch)='([^']*)'", r"--\1 \2"),
        (r"\b(cc|cxx|compiler)='([^']*)'", r"-O \1=\2"),
        (r"\bcheck=True\b", "-O check"),
        (r"\brise\.specialise\b(?:\(e, ([^)]*)\))?", "--size"),
        (r"\boption `(\w+)`", r"option -O \1=..."),
    )
)


def console(is_error: bool = False) -> Console:
    """The terminal as it is now. Nothing is read from the text as markup."""
    made = Console(stderr=is_error, highlight=False, markup=False, emoji=False, soft_wrap=True)
    if made.width < NARROWEST:  # to less than one column nothing would be printed at all
        made.width = NARROWEST
    return made


class Page:
    """What a command has to say: lines for people, one object for programs; one of them is printed."""

    def __init__(self, is_json: bool) -> None:
        self.is_json = is_json
        self.console = console()
        self.facts: dict[str, Any] = {}

    @property
    def width(self) -> int:
        """The columns that a line may take."""
        return self.console.width

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print a line; a part may carry a style."""
        if not self.is_json:
            with streams.writing():
                self.console.print(Text.assemble(*parts, end=""))

    def put(self, **facts: Any) -> None:
        """Note facts for programs."""
        self.facts.update(facts)

    def finish(self) -> None:
        """Print the facts, if programs read them."""
        if self.is_json:
            print_json(self.facts)


def print_json(facts: Mapping[str, Any]) -> None:
    """One object on standard output. What is no Unicode, as the bytes of some file names, shows as escapes."""
    text = json.dumps(facts, indent=2, ensure_ascii=not streams.is_unicode(sys.stdout))
    if any("\ud800" <= one <= "\udfff" for one in text):
        text = json.dumps(facts, indent=2)
    with streams.writing():
        print(text)


@contextmanager
def page(is_json: bool) -> Iterator[Page]:
    """A command's page. An error in it becomes one diagnostic, and exit status 1."""
    made = Page(is_json)
    try:
        with interrupts.raised():
            try:
                yield made
                made.finish()
            except (typer.Exit, typer.Abort, typer.BadParameter, streams.OutputError):
                raise
            except Exception as error:
                complain(diagnostic_of(error), is_json)
                raise typer.Exit(1) from error
            streams.flush()
    except streams.OutputError as failed:
        raise typer.Exit(not_written(failed)) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def not_written(failed: streams.OutputError) -> int:
    """Say that standard output cannot be written to; the exit status."""
    streams.abandon()
    complain(failed.diagnostic, is_json=False)
    return 1


def diagnostic_of(error: Exception) -> Diagnostic:
    """What is said of an exception; of one that was meant for nobody, where it comes from, for the report."""
    if isinstance(error, RiseError | StrategyError):
        return as_rise(error)
    if isinstance(error, MemoryError):
        title = f"there is not enough memory: {error}" if str(error) else "there is not enough memory"
        return Diagnostic("out-of-memory", title, hint="use smaller sizes, or end other programs")
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    notes = tuple(f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in reversed(frames))
    title = f"the command failed by {type(error).__name__}: {error}"
    hint = "this is a defect of rise-shine: please report it with the program and the command"
    return Diagnostic("internal", title, hint=hint, notes=notes)


def as_rise(error: RiseError | StrategyError) -> Diagnostic:
    """The diagnostic of either package, as one of rise's."""
    found = error.diagnostic
    if isinstance(found, Diagnostic):
        return found
    labels = tuple(Label(one.start, one.end, one.text) for one in found.labels)
    return Diagnostic(found.code, found.title, labels, found.hint, found.notes, found.source, found.file)


def in_words_of_the_command(hint: str) -> str:
    """A hint in Python's words as one for the command line.

    >>> in_words_of_the_command("use target='cuda-sim' or 'openmp'")
    'use --target cuda-sim or openmp'
    """
    for pattern, words in _WORDS:
        hint = pattern.sub(words, hint)
    return hint


def complain(diagnostic: Diagnostic, is_json: bool) -> None:
    """Print a diagnostic: to standard error, or as JSON to standard output."""
    diagnostic = replace(diagnostic, hint=in_words_of_the_command(diagnostic.hint))
    if is_json:
        print_json({"diagnostics": [diagnostic.to_dict()]})
        return
    with suppress(streams.OutputError):  # the message counts more
        streams.flush()
    shown = console(is_error=True)
    for line in diagnostic.render().split("\n"):
        shown.print(Text(line, style_of(line), end=""))


def style_of(line: str) -> str:
    """How a line of a diagnostic is styled."""
    if line.startswith("error["):
        return "bold red"
    if line.startswith("hint:"):
        return "green"
    if line.startswith(" --> "):
        return "blue"
    _, bar, marks = line.partition(" | ")
    return "red" if bar and marks.lstrip().startswith("^") else ""
