"""What each pass of a target changed: for `shine show --stage passes`. Knows no pass."""

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
AROUND = 2  # lines that are shown before and after those that changed
STYLES = {"-": "red", "+": "green", " ": "", ".": "dim"}


def print_passes(page: Page, request: Request, chosen: Chosen, derivation: Derivation) -> None:
    """All passes of the target in order, each with what it changed of the program before it."""
    target = requests.target_of(request)
    translated, done = requests.passed(request, chosen, derivation)
    before: Program = translated
    after = {one.name: program for one, program in done}
    shown = []
    for one in target.passes:
        program = after.get(one.name)
        texts = None if program is None else (text_of(before), text_of(program))
        shown.append({**facts_of(one), **_changes(texts)})
        print_pass(page, one, texts)
        before = before if program is None else program
    page.put(passes=shown)


def print_pass(page: Page, one: Pass, texts: tuple[str, str] | None) -> None:
    """One pass: its option, why it is there, and what it changed."""
    page.line((one.name, "bold cyan"), (f"  {switch(one)}", "dim"))
    page.line(f"{MARGIN}{one.why}")
    if texts is None:
        page.line(f"{MARGIN}It is switched off.")
    elif texts[0] == texts[1]:
        page.line(f"{MARGIN}It changes nothing here.")
    else:
        for line in changed_lines(*texts):
            page.line((f"{MARGIN}{line}".rstrip(), STYLES[line[0]]))


def switch(one: Pass) -> str:
    """How a pass is switched, in words of the command line."""
    return f"-O {one.option}={str(one.default).lower()}" if one.option else "always"


def facts_of(one: Pass) -> dict[str, object]:
    """A pass, for programs."""
    return {
        "name": one.name,
        "why": one.why,
        "option": one.option or None,
        "default": one.default,
    }


def text_of(program: Program) -> str:
    """The imperative program as text for people."""
    text, _ = write_program(program) if isinstance(program, GpuProgram) else write_procedure(program)
    return text


def changed_lines(before: str, after: str) -> Iterator[str]:
    """Lines that went, after `-`, lines that came, after `+`, with a few around them; `...` for those left out.

    >>> list(changed_lines("a\\nb\\n", "a\\nc\\n"))
    ['  a', '- b', '+ c']
    """
    old, new = before.splitlines(), after.splitlines()
    end = 0
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND):
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
