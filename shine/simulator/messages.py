"""Maps compiler messages to lines of the CUDA source.

Depends on the names that the simulator's headers hide.
"""

from __future__ import annotations

import re
from typing import Final

from rise.diagnostics import Diagnostic, did_you_mean
from shine.programs import first_error
from shine.simulator.model import SimulatorError
from shine.simulator.ptx import instructions
from shine.simulator.ptx_operands import UNKNOWN, WRONG
from shine.simulator.text import FILE

_MAX_SHOWN: Final = 5
_SUPPORTED: Final = "the simulator supports the part of CUDA that docs/simulator.md lists"
_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
_IN_TEXT = re.compile(rf"(?:^|[\s/]){re.escape(FILE)}:(\d+)(?::\d+)?[:,]", re.MULTILINE)
_UNKNOWN = re.compile(rf"{UNKNOWN}([^\s\"]+)")
_WRONG = re.compile(rf"{WRONG}(.*?)\"?$")
#: gcc knows in which header of the standard a name is
_NEEDED = re.compile(r"note: '(?:std::)?(\w+)' is defined in header '(<\w+>)'")
_POISONED = re.compile(r"attempt to use (?:a )?poisoned")
# The names of CUDA in place of those that the headers use for them.
_NAMES: Final = (
    (re.compile(r"simulator::Index3"), "uint3"),
    (re.compile(r"\bsim_thread\b"), "threadIdx"),
    (re.compile(r"\bsim_block_size\b"), "blockDim"),
    (re.compile(r"\bsim_block\b"), "blockIdx"),
    (re.compile(r"\bsim_grid_size\b"), "gridDim"),
    (re.compile(r"\bsim_(printf|assert)\b"), r"\1"),
    (re.compile(r"(?:, )?int sim_line(?: = \d+)?"), ""),
    (re.compile(r"\b(?:nvcuda::wmma::)?sim::|\bsimulator::"), ""),
    (
        re.compile(
            r"no matches converting function '(\w+)' to type .*"
            r"|no matching function for call to '(?:parameters_of|returns_nothing|call_all)\b.*"
        ),
        "the template has no kernel with these arguments",
    ),
    (re.compile(r"\s*\[-[\w=-]+\]"), ""),
)


def lines_of_text(messages: str) -> tuple[tuple[int, str], ...]:
    """For each error, the line of the CUDA text that it is about, and the message in terms of CUDA.

    An error in a header is about the line of the text that uses it: one that precedes it (`required from here`,
    `included from`), else one that follows it (`in expansion of macro`).
    """
    errors = list(_ERROR.finditer(messages))
    found: dict[tuple[int, str], None] = {}
    for i, error in enumerate(errors):
        if error["file"].rpartition("/")[2] == FILE:
            line = int(error["line"])
        else:
            before = messages[errors[i - 1].end() if i else 0 : error.start()]
            after = messages[error.end() : errors[i + 1].start() if i + 1 < len(errors) else len(messages)]
            uses = _IN_TEXT.findall(before)[-1:] or _IN_TEXT.findall(after)[:1]
            if not uses:
                continue
            line = int(uses[0])
        found[line, plain_words(error["text"])] = None
    return tuple(found)


def _without_place(messages: str) -> str:
    """The first error, which is about no line of the text."""
    error = _ERROR.search(messages)
    return plain_words(error["text"]) if error else first_error(messages)


def plain_words(message: str) -> str:
    """A message without names of the simulator's own.

    >>> plain_words("cannot convert 'simulator::Index3' to 'int'")
    "cannot convert 'uint3' to 'int'"
    """
    for name, replacement in _NAMES:
        message = name.sub(replacement, message)
    return message.strip()


def does_not_compile(source: str, messages: str) -> SimulatorError:
    """The error of a text that does not compile."""
    lines = lines_of_text(messages)
    if not lines:
        return SimulatorError(
            Diagnostic(
                "does-not-compile",
                f"the CUDA source does not compile: {_without_place(messages)}",
                hint=_SUPPORTED,
            )
        )
    source_lines = source.split("\n")

    def shown(line: int) -> str:
        return source_lines[line - 1].strip()[:100] if line <= len(source_lines) else ""

    for line, message in lines:
        refused = _refused_assembly(line, message, shown(line))
        if refused is not None:
            return refused
    notes = tuple(f"line {line}: {shown(line)}: {message}" for line, message in lines[:_MAX_SHOWN])
    title = f"the CUDA source does not compile: line {lines[0][0]}: {lines[0][1]}"
    header = _NEEDED.search(messages)
    hint = f"`{header[1]}` needs `#include {header[2]}`, as with nvcc" if header else _SUPPORTED
    return SimulatorError(Diagnostic("does-not-compile", title, notes=notes, hint=hint), lines)


def _refused_assembly(line: int, message: str, shown: str) -> SimulatorError | None:
    """The error for inline assembly that the simulator does not support, if a message is about that."""
    unknown, wrong = _UNKNOWN.search(message), _WRONG.search(message)
    if unknown:
        title = f"expected a PTX instruction that the simulator supports, found `{unknown[1]}` on line {line}"
        hint = did_you_mean(unknown[1], instructions()) or "docs/simulator.md lists the instructions"
        code = "unknown-instruction"
    elif wrong:
        code, title = "wrong-assembly", f"{wrong[1]}, on line {line}"
        hint = "nvcc would reject it, or the simulator does not support this form: see docs/simulator.md"
    elif _POISONED.search(message):
        code = "unknown-instruction"
        title = f"expected CUDA without unknown inline assembly, found inline assembly on line {line}"
        hint = 'write it as a statement of a function: asm volatile("..." : ... )'
    else:
        return None
    return SimulatorError(
        Diagnostic(code, title, notes=(f"line {line}: {shown}",), hint=hint), ((line, title),)
    )
