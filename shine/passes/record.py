"""What a pass is: one record; and how the passes of a target run, in their order. Knows no pass and no target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Procedure

#: what passes work on: a procedure, and on GPUs the kernels that it is cut into
Program: TypeAlias = Procedure | GpuProgram
#: a target's options, all of them, by name
Settings: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pass:
    """One step between translation and printing.

    - `name`: that of its function, a verb with its object.
    - `why`: what it is for, and, where no option switches it, why it cannot be left out.
    - `apply`: from a program and the target's options to a program; a check gives back what it was given. Raises
      TranslationError for what the target cannot run.
    - `option`: the option of the target that switches it, which several passes may share; empty where it always runs.
    - `default`: whether it runs where the option is not given.
    """

    name: str
    why: str
    apply: Callable[[Program, Settings], Program]
    option: str = ""
    default: bool = True

    def runs(self, settings: Settings) -> bool:
        """Whether these options leave it on."""
        return not self.option or bool(settings[self.option])


def changing(
    function: Callable[[Procedure], Procedure], why: str, option: str = "", default: bool = True
) -> Pass:
    """The pass of a function that rewrites a procedure."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        return function(program)

    return Pass(function.__name__, why, apply, option, default)


def checking(function: Callable[[Procedure], None], why: str) -> Pass:
    """The pass of a function that refuses procedures, and changes none."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, Procedure), program
        function(program)
        return program

    return Pass(function.__name__, why, apply)


def enabled(passes: Sequence[Pass], settings: Settings) -> list[Pass]:
    """The passes that the options leave on, in order."""
    return [one for one in passes if one.runs(settings)]


def run_passes(passes: Sequence[Pass], program: Program, settings: Settings) -> Program:
    """What a target prints: the program after all passes that the options leave on."""
    for one in enabled(passes, settings):
        program = one.apply(program, settings)
    return program


def steps(passes: Sequence[Pass], program: Program, settings: Settings) -> Iterator[tuple[Pass, Program]]:
    """Each pass that the options leave on, with the program after it."""
    for one in enabled(passes, settings):
        program = one.apply(program, settings)
        yield one, program
