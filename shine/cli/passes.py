"""Prints what each pass of a target changed, for `shine show --stage passes`. Independent of passes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from shine.cli import request as requests
from shine.cli.request import Chosen, Request
from shine.cli.terminal import Page
from shine.front.derivation import Derivation
from shine.imperative.kernel_text import write_program
from shine.imperative.kernels import GpuProgram
from shine.imperative.text import write_procedure
from shine.passes.record import Pass, Program

MARGIN = "    "
CONTEXT_LINES = 2  # unchanged lines shown before and after a change
STYLES = {"-": "red", "+": "green", " ": "", ".": "dim"}


def print_passes(page: Page, request: Request, chosen: Chosen, derivation: Derivation) -> None:
    """Print all passes of the target in order, each with its changes."""
    target = requests.target_of(request)
    procedure, passed = requests.passed(request, chosen, derivation)
    before: Program = procedure
    after = {record.name: program for record, program in passed}
    changes = []
    for record in target.passes:
        program = after.get(record.name)
        texts = None if program is None else (text_of(before), text_of(program))
        changes.append({**facts_of(record), **_changes(texts)})
        print_pass(page, record, texts)
        before = before if program is None else program
    page.put(passes=changes)


def print_pass(page: Page, record: Pass, texts: tuple[str, str] | None) -> None:
    """Print one pass: its option, its reason, and its changes."""
    page.line((record.name, "bold cyan"), (f"  {switch(record)}", "dim"))
    page.line(f"{MARGIN}{record.why}")
    if texts is None:
        page.line(f"{MARGIN}It is switched off.")
    elif texts[0] == texts[1]:
        page.line(f"{MARGIN}It changes nothing here.")
    else:
        for line in changed_lines(*texts):
            page.line((f"{MARGIN}{line}".rstrip(), STYLES[line[0]]))


def switch(record: Pass) -> str:
    """The command line option that switches a pass, with its default."""
    return f"-O {record.option}={str(record.default).lower()}" if record.option else "always"


def facts_of(record: Pass) -> dict[str, object]:
    """A pass as JSON."""
    return {
        "name": record.name,
        "why": record.why,
        "option": record.option or None,
        "default": record.default,
    }


def text_of(program: Program) -> str:
    """The text of an imperative program."""
    text, _ = write_program(program) if isinstance(program, GpuProgram) else write_procedure(program)
    return text


def changed_lines(before: str, after: str) -> Iterator[str]:
    """Deleted lines after `-`, added lines after `+`, with a few lines of context; `...` for omitted lines.

    >>> list(changed_lines("a\\nb\\n", "a\\nc\\n"))
    ['  a', '- b', '+ c']
    """
    old, new = before.splitlines(), after.splitlines()
    end = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT_LINES):
        if group[0][1] > end:
            yield "..."
        for kind, first, last, start, stop in group:
            if kind == "equal":
                yield from (f"  {line}" for line in old[first:last])
                continue
            yield from (f"- {line}" for line in old[first:last])
            yield from (f"+ {line}" for line in new[start:stop])
        end = group[-1][2]
    if end < len(old):
        yield "..."


def _changes(texts: tuple[str, str] | None) -> dict[str, object]:
    if texts is None:
        return {"runs": False, "changes": False, "text": None}
    return {"runs": True, "changes": texts[0] != texts[1], "text": texts[1]}
