"""Adds the place in a user's source, a text or a Python function, to the diagnostic of a strategy that does not apply
and of a part of the lowered program that a target rejects.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from elevate import Steps
from elevate.derivations.moves import first_origin
from rise.diagnostics import Diagnostic, Label
from rise.embedding.places import located, parameter
from rise.embedding.programs import PythonProgram
from rise.programs.dependent_pairs import take_apart
from rise.programs.pair_origins import origin_before_apart
from rise.programs.program import Program, span_of
from rise.terms import DepLam, Expr
from rise.text.trees import Span
from shine.front.derivation import Derivation, Stopped, StrategyFailed, objected
from shine.imperative.errors import TranslationError
from shine.imperative.nodes import Origin


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


def written_at(program: Program, name: str, of: Derivation, origin: Origin | None) -> Span | None:
    """The span of the source that a part of a derived program comes from; None if that is not known."""
    if not origin or not of.phases:
        return None
    if take_apart(of.result).term is not of.result:
        origin = origin_before_apart(of.result, tuple(origin))
    below = origin[parameters_of(of.result) :]
    steps = sum((phase.steps for phase in of.phases), Steps())
    path = first_origin((*[0] * parameters_of(of.phases[-1].after), *below), steps)
    return span_of(program, name, path[parameters_of(of.program) :])


@contextmanager
def locating_parts(program: object, of: Derivation) -> Iterator[None]:
    """Inside the block, diagnostics of parts of the program derived by `of` show the place in the program's source."""
    try:
        yield
    except TranslationError as error:
        if not error.diagnostic.source:
            error.diagnostic = _with_part(program, of, error)
        raise


def _with_part(program: object, of: Derivation, error: TranslationError) -> Diagnostic:
    match program:
        case Program() if program.main_name in program.spans:
            span = written_at(program, program.main_name, of, error.origin)
            start, end = program.spans[program.main_name]
            label = (
                Label(start, end, "in this definition")
                if span is None
                else Label(span.start, span.end, "here")
            )
            return replace(error.diagnostic, labels=(label,), source=program.text, file=program.file)
        case PythonProgram():
            return located(error.diagnostic, parameter(program.python, ""), "in this function")
    return error.diagnostic


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
