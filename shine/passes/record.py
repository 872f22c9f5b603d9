"""The record of a pass, and how the passes of a target run in order. Independent of passes and targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rise.hardware import Processor
from rise.records import dataclass
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Procedure

#: the programs that passes transform: a procedure, or the kernels into which it is split for a GPU
Program: TypeAlias = Procedure | GpuProgram
#: all options of a target, by name
Settings: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pass:
    """One step between translation and printing.

    - `name`: the name of its function, a verb with its object.
    - `why`: its purpose, and, if no option switches it off, why it is necessary.
    - `apply`: transforms a program, given the target's options; a check returns the program unchanged. Raises
      TranslationError for what the target cannot run.
    - `option`: the option of the target that switches it, which several passes may share; empty if it always runs.
    - `default`: whether the pass runs if the option is not given.
    """

    name: str
    why: str
    apply: Callable[[Program, Settings], Program]
    option: str = ""
    default: bool = True

    def runs(self, settings: Settings) -> bool:
        """Whether the pass runs with these options."""
        return not self.option or bool(settings[self.option])


def changing(
    function: Callable[[Procedure], Procedure], why: str, option: str = "", default: bool = True
) -> Pass:
    """A pass that rewrites a procedure by a function."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        return function(program)

    return Pass(function.__name__, why, apply, option, default)


def tuning(
    function: Callable[[Procedure, Processor], Procedure], why: str, option: str = "", default: bool = True
) -> Pass:
    """A pass that rewrites a procedure for a processor: the target's option `machine`, resolved to a record."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        return function(program, settings["machine"])

    return Pass(function.__name__, why, apply, option, default)


def sharing(
    function: Callable[[Procedure, int | None], Procedure], why: str, option: str = "", default: bool = True
) -> Pass:
    """A pass that rewrites a procedure for a number of threads: the target's option `threads`, which may be None."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        return function(program, settings["threads"])

    return Pass(function.__name__, why, apply, option, default)


def checking(function: Callable[[Procedure], None], why: str) -> Pass:
    """A pass that checks a procedure by a function, without changing it."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        function(program)
        return program

    return Pass(function.__name__, why, apply)


def enabled(passes: Sequence[Pass], settings: Settings) -> list[Pass]:
    """The passes that run with these options, in order."""
    return [record for record in passes if record.runs(settings)]


def run_passes(passes: Sequence[Pass], program: Program, settings: Settings) -> Program:
    """The program after all passes that run with these options."""
    for record in enabled(passes, settings):
        program = record.apply(program, settings)
    return program


def steps(passes: Sequence[Pass], program: Program, settings: Settings) -> Iterator[tuple[Pass, Program]]:
    """Each pass that runs with these options, with the program after it."""
    for record in enabled(passes, settings):
        program = record.apply(program, settings)
        yield record, program
