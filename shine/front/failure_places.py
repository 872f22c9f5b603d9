"""Adds the place in a user's source to the diagnostic of a strategy that does not apply: of a text or of a Python
function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rise.diagnostics import Diagnostic, Label
from rise.embedding.places import located, parameter
from rise.embedding.programs import PythonProgram
from rise.programs.program import Program, span_of
from rise.terms import DepLam, Expr
from shine.front.derivation import Stopped, StrategyFailed, objected


def parameters_of(e: Expr) -> int:
    """The number of sizes and types that a program binds at its head."""
    count = 0
    while isinstance(e, DepLam):
        e, count = e.body, count + 1
    return count


def label_of(program: Program, name: str, stopped: Stopped) -> Label:
    """The part of a definition that a strategy does not apply to; the definition if that is not known."""
    path = objected(stopped)
    span = None if path is None else span_of(program, name, path[parameters_of(stopped.given) :])
    start, end = program.spans[name]
    return Label(start, end, "in this definition") if span is None else Label(span.start, span.end, "here")


def title_of(program: object) -> str:
    """What titles call a program: its name, if it has one."""
    match program:
        case Program(main_name=name) | PythonProgram(name=name) if name != "main":
            return f"`{name}`"
    return "the program"


@contextmanager
def locating_failures(program: object) -> Iterator[None]:
    """Inside the block, diagnostics of strategies that do not apply to the program show the place in its source. Terms
    have no source.
    """
    try:
        yield
    except StrategyFailed as error:
        error.diagnostic = _with_place(program, error)
        raise


def _with_place(program: object, error: StrategyFailed) -> Diagnostic:
    diagnostic = error.diagnostic
    match program:
        case Program() if program.main_name in program.spans:
            label = label_of(program, program.main_name, error.stopped)
            return replace(diagnostic, labels=(label,), source=program.text, file=program.file)
        case PythonProgram():
            return located(diagnostic, parameter(program.python, ""), "in this function")
    return diagnostic
