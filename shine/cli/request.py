"""What a person asks for: a file, a definition, a strategy, a target. Knows how these become a kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import rise
import shine
import strategies
from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean
from rise.program import Program
from rise.terms import Expr
from shine.cli.derivation import Derivation, derive
from shine.imperative import Procedure
from shine.targets.target import Target
from shine.translate import translate
from strategies import registry

#: mistakes that no program makes
OF_THE_MACHINE: Final = frozenset(
    ("no-compiler", "compiler-failed", "no-f16", "unknown-arch", "unknown-option", "target-missing")
)
#: the next action in words of the command line, where it is one of Python elsewhere
HINTS: Final = {"polymorphic": "choose types by their names: --size t=f32"}


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments that all commands share."""

    file: str
    definition: str | None = None
    strategy: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    target: str = "openmp"
    arch: str | None = None
    sizes: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The definition that was asked for, at the sizes that were given."""

    program: Program
    name: str
    high: Expr

    @property
    def what(self) -> str:
        """How messages name it."""
        return f"`{self.name}`"


def choose(request: Request) -> Chosen:
    """Read the file and choose the definition. Raises RiseError with one diagnostic."""
    program = rise.parse_file(request.file)
    name = program.main_name if request.definition is None else request.definition
    high = program[name]
    with located(program, name):
        return Chosen(program, name, rise.specialise(high, **request.sizes) if request.sizes else high)


def target_of(request: Request) -> Target:
    """The target by name."""
    found = shine.TARGETS.get(request.target)
    if found is None:
        hint = did_you_mean(request.target, shine.TARGETS) or f"there are {', '.join(shine.TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{request.target}`", hint=hint))
    return found


def lower(request: Request, chosen: Chosen) -> Derivation:
    """Apply the strategy that was asked for, or the target's own."""
    target = target_of(request)
    if request.strategy is None and target.strategy not in registry.strategies():
        title = f"the target {target.name} is not built yet: there is no strategy {target.strategy}"
        raise RiseError(Diagnostic("target-missing", title, hint="use --target openmp, or interpret"))
    strategy = strategies.load(request.strategy or target.strategy, **request.parameters)
    with located(chosen.program, chosen.name):
        return derive(strategy, chosen.high, chosen.what)


def imperative(chosen: Chosen, low: Expr) -> Procedure:
    """The procedure of a lowered program."""
    with located(chosen.program, chosen.name):
        return translate(low, kernel_name(chosen))


def build(request: Request, chosen: Chosen, low: Expr) -> shine.Kernel:
    """The kernel of a lowered program."""
    target = target_of(request)
    options: dict[str, Any] = {}
    if any(option.name == "cc" for option in target.options):
        options["cc"] = os.environ.get("CC") or None
    with located(chosen.program, chosen.name):
        return shine.compile(low, request.target, request.arch, kernel_name(chosen), **options)


def kernel_name(chosen: Chosen) -> str:
    """What the function is called: as the definition, or as the file where that says more."""
    return Path(chosen.program.file).stem if chosen.name == "main" else chosen.name


@contextmanager
def located(program: Program, name: str) -> Iterator[None]:
    """Let mistakes that point to no source point to a definition."""
    try:
        yield
    except RiseError as error:
        diagnostic = error.diagnostic
        if diagnostic.source or diagnostic.code in OF_THE_MACHINE or name not in program.spans:
            raise
        hint = HINTS.get(diagnostic.code, diagnostic.hint)
        start, end = program.spans[name]
        label = Label(start, end, "in this definition")
        placed = replace(diagnostic, labels=(label,), hint=hint, source=program.text, file=program.file)
        raise RiseError(placed) from None
