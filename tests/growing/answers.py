"""Reads, checks and shows a text as the command does, or returns the diagnostic that rejects it.

Independent of constructs.
"""

from __future__ import annotations

from collections.abc import Iterator

import rise
from rise.analysis.obligations import obligations_of_all
from rise.programs.program import Program

LONGEST_MESSAGE = 5_000  # characters


def answer(text: str) -> str:
    """The code of the diagnostic that rejects the text, or "read"."""
    try:
        program = rise.parse(text)
        for _ in told(program):
            pass
        rise.show(list(program.values())[-1])
    except rise.RiseError as error:
        return error.diagnostic.code if len(str(error)) < LONGEST_MESSAGE else "a long message"
    return "read"


def told(program: Program) -> Iterator[str]:
    """The output of `shine check` for a program."""
    for name, found in obligations_of_all(program):
        yield str(program[name].type)
        yield from (one.condition for one in found)
