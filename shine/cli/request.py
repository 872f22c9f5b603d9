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
import shine.pipeline as pipeline
from elevate import Recorded, Steps, Strategy, fingerprint
from elevate.derivations.moves import first_origin
from rise.analysis.obligations import check_obligations
from rise.diagnostics import Diagnostic, Label, Lines, RiseError, did_you_mean
from rise.naturals import NatVar
from rise.programs.dependent_pairs import take_apart
from rise.programs.program import Program, span_of
from rise.terms import DepLam, Expr
from rise.text.trees import Span
from rise.types import DepFunType, DepPairType, FunType
from shine.cli.foreign import allowed
from shine.front import load_strategy
from shine.front.derivation import Derivation, derive
from shine.imperative.errors import locating
from shine.imperative.nodes import Origin, Procedure
from shine.passes.record import Pass
from shine.passes.record import Program as Passed
from shine.targets.cuda.messages import FILE as KERNEL
from shine.targets.target import Option, Outline, Target
from shine.translate import translate

#: mistakes that no program makes
OF_THE_MACHINE: Final = frozenset(
    (
        "no-compiler",
        "compiler-failed",
        "no-f16",
        "unknown-arch",
        "unknown-architecture",
        "unknown-option",
        "option-value",
        "unknown-target",
        "no-image",
        "no-device",
        "no-pycuda",
        "forked",
        "cache-directory",
        "cache-limit",
        "cannot-load",
        "disk-full",
        "compiler-not-run",
        "compiler-stopped",
    )
)
DEFAULT_TARGET: Final = "openmp"
#: options that the environment gives where the command line does not
ENVIRONMENT: Final = {"cc": "CC", "cxx": "CXX"}
#: the next action in words of the command line, where it is one of Python elsewhere
#: how a note begins that shows a part of a lowered program
IN: Final = "in "
HINTS: Final = {
    "polymorphic": "choose types by their names: --size t=f32",
    "foreign-not-allowed": "allow a file that has its code: --allow-foreign FILE.py, or .c, or .cu",
    "foreign-meaning": "allow a Python file that has it: rise.Foreign(..., meaning=...)",
    "foreign-text": "allow a file that has it: --allow-foreign FILE.c for processors, FILE.cu for CUDA",
}


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments that all commands share."""

    file: str
    definition: str | None = None
    strategy: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    target: str = DEFAULT_TARGET
    arch: str | None = None
    sizes: Mapping[str, int | str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    allow_foreign: tuple[str, ...] = ()  # files that have foreign code
    says_how: bool = False  # whether it names a strategy or a target


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
        if not request.sizes:
            return Chosen(program, name, high)
        fixed = rise.specialise(high, **request.sizes)
        refuse_sizes(high, {name: size for name, size in request.sizes.items() if isinstance(size, int)})
        return Chosen(program, name, fixed)


def numbers_apart(request: Request) -> tuple[Request, dict[str, int | str]]:
    """A request with the sizes that its program binds, and the others, where these may be numbers of dependent pairs:
    they are no sizes of the program, but of a call.
    """
    program = rise.parse_file(request.file)
    high = program[program.main_name if request.definition is None else request.definition]
    rest: Any = high.type
    bound: set[str] = set()
    has_pairs = False
    while isinstance(rest, FunType | DepFunType):
        if isinstance(rest, DepFunType):
            bound.add(rest.name)
        has_pairs = has_pairs or (isinstance(rest, FunType) and isinstance(rest.parameter, DepPairType))
        rest = rest.result
    if not has_pairs:
        return request, {}
    own = {name: size for name, size in request.sizes.items() if name in bound}
    return replace(request, sizes=own), {n: size for n, size in request.sizes.items() if n not in bound}


def refuse_sizes(high: Expr, sizes: Mapping[str, int]) -> None:
    """Raise a diagnostic where fixed sizes are none that a program can have: by its own names, unfixed."""
    failed = check_obligations(rise.obligations(high), sizes)
    if failed is not None:
        named = sorted(v.name for v in failed.subject.free if isinstance(v, NatVar))
        found = ", ".join(f"{name} = {sizes[name]}" for name in named)
        title = f"expected {failed.condition}, found {found}"
        hint = "choose sizes for which it holds"
        raise RiseError(Diagnostic("size-mismatch", title, notes=(failed.reason,), hint=hint))


def target_of(request: Request) -> Target:
    """The target by name."""
    found = shine.TARGETS.get(request.target)
    if found is None:
        hint = did_you_mean(request.target, shine.TARGETS) or f"there are {', '.join(shine.TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{request.target}`", hint=hint))
    return found


def lower(request: Request, chosen: Chosen) -> Derivation:
    """Apply the strategy that was asked for, or the target's own."""
    strategy = strategy_of(request)
    with located(chosen.program, chosen.name):
        whole = chosen.program[chosen.name]
        if request.sizes and isinstance(strategy, Recorded) and fingerprint(whole) == strategy.given:
            derivation = derive(strategy, whole, chosen.what)  # it is of all sizes: these are fixed after it
            return replace(derivation, result=rise.specialise(derivation.result, **request.sizes))
        return derive(strategy, chosen.high, chosen.what)


def strategy_of(request: Request) -> Strategy:
    """The strategy that was asked for: a saved derivation, or by name; else the target's own."""
    return load_strategy(request.strategy or target_of(request).strategy, **request.parameters)


def imperative(request: Request, chosen: Chosen, derivation: Derivation) -> Procedure:
    """The procedure of a lowered program."""
    low = derivation.result
    foreign = allowed(request.allow_foreign, low)
    with located(chosen.program, chosen.name, of=derivation):
        return translate(low, kernel_name(chosen), target_of(request).levels, foreign)


def outline(request: Request, chosen: Chosen, derivation: Derivation) -> Outline:
    """What the target makes of a lowered program before it is printed. Raises RiseError where it cannot run it."""
    target = target_of(request)
    procedure = imperative(request, chosen, derivation)
    with located(chosen.program, chosen.name, of=derivation), locating(take_apart(derivation.result).term):
        return target.outlined(procedure, target_options(request, target))


def passed(
    request: Request, chosen: Chosen, derivation: Derivation
) -> tuple[Procedure, list[tuple[Pass, Passed]]]:
    """The procedure of a lowered program, and the passes that the target runs, each with the program after it. Raises
    RiseError where the target cannot run it.
    """
    target = target_of(request)
    procedure = imperative(request, chosen, derivation)
    with located(chosen.program, chosen.name, of=derivation), locating(take_apart(derivation.result).term):
        return procedure, list(target.steps(procedure, target_options(request, target)))


def build(request: Request, chosen: Chosen, derivation: Derivation) -> shine.Kernel:
    """The kernel of a lowered program."""
    options = target_options(request, target_of(request))
    low = derivation.result
    foreign = allowed(request.allow_foreign, low)
    with located(chosen.program, chosen.name, of=derivation):
        return pipeline.build(low, request.target, name=kernel_name(chosen), foreign=foreign, **options)


def check_options(request: Request) -> None:
    """Raise a diagnostic for options that the target does not have, or of other types, whether or not they are used."""
    target = target_of(request)
    target.complete(target_options(request, target))


def target_options(request: Request, target: Target) -> dict[str, Any]:
    """The options of the target that were given: on the command line, else in the environment."""
    known = {option.name: option for option in target.options}
    found: dict[str, Any] = {
        name: os.environ.get(variable) or None for name, variable in ENVIRONMENT.items() if name in known
    }
    for name, text in request.options.items():
        found[name] = option_value(known[name], text) if name in known else text
    if request.arch is not None:
        found["arch"] = request.arch
    return found


def option_value(option: Option, text: str) -> Any:
    """An option's value as its type; a text that is none stays a text, for the target to refuse.

    >>> option_value(Option("check", bool, False, ""), "true")
    True
    """
    if option.type is bool:
        return {"true": True, "false": False}.get(text, text)
    try:
        return option.type(text)
    except ValueError:
        return text


def kernel_name(chosen: Chosen) -> str:
    """What the function is called: as the definition, or as the file where that says more."""
    return Path(chosen.program.file).stem if chosen.name == "main" else chosen.name


@contextmanager
def located(program: Program, name: str, runs: bool = False, of: Derivation | None = None) -> Iterator[None]:
    """Let mistakes that point to no source point to a definition; where the program `runs`, only those that a part of
    it makes, and not its arguments. What is said `of` a part of a derived program points to what it was made of.
    """
    try:
        yield
    except RiseError as error:
        diagnostic = without_kernel(error.diagnostic)
        is_of_arguments = runs and getattr(error, "origin", None) is None
        if (
            diagnostic.source
            or diagnostic.code in OF_THE_MACHINE
            or name not in program.spans
            or is_of_arguments
        ):
            raise
        hint = HINTS.get(diagnostic.code, diagnostic.hint)
        start, end = program.spans[name]
        label, notes = Label(start, end, "in this definition"), diagnostic.notes
        span = None if of is None else written_at(program, name, of, getattr(error, "origin", None))
        if of is not None and span is not None:
            label = Label(span.start, span.end, "here")
            shown = [note for note in notes if note.startswith(IN)][:1]
            notes = tuple(note for note in notes if note not in shown)
            if shown and of.counters.firings:
                notes = (f"{of.strategy} made of it: {shown[0].removeprefix(IN)}", *notes)
        placed = replace(
            diagnostic, labels=(label,), hint=hint, notes=notes, source=program.text, file=program.file
        )
        raise RiseError(placed) from None


def written_at(program: Program, name: str, of: Derivation, origin: Origin | None) -> Span | None:
    """Where a text says what a part of a derived program was made of; None where that is not known."""
    if not origin or not of.phases or take_apart(of.result).term is not of.result:
        return None  # dependent pairs were taken apart: their numbers and arrays have other places
    below = origin[parameters_of(of.result) :]
    steps = sum((phase.steps for phase in of.phases), Steps())
    path = first_origin((*[0] * parameters_of(of.phases[-1].after), *below), steps)
    return span_of(program, name, path[parameters_of(of.program) :])


def parameters_of(e: Expr) -> int:
    """How many sizes and types a program has at its head."""
    count = 0
    while isinstance(e, DepLam):
        e, count = e.body, count + 1
    return count


def without_kernel(diagnostic: Diagnostic) -> Diagnostic:
    """A message about lines of a kernel's text with these lines in its notes: it is to point to the program."""
    if diagnostic.file != KERNEL:
        return diagnostic
    lines = Lines(diagnostic.source)
    notes = list(diagnostic.notes)
    for label in diagnostic.labels:
        number = lines.line_of(label.start)
        text = diagnostic.source[lines.starts[number] : lines.ends[number]].strip()
        said = "" if label.text in diagnostic.title else f": {label.text}"
        notes.append(f"line {number + 1} of the CUDA text: {text}{said}")
    return replace(diagnostic, labels=(), notes=tuple(notes), source="", file="")
