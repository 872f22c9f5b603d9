"""A request to the command: a file, a definition, a strategy, a target. Also turns these into a kernel."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

import rise
import shine
from elevate import Recorded, Strategy, fingerprint
from rise.analysis.obligations import check_obligations
from rise.diagnostics import Diagnostic, Label, Lines, RiseError, did_you_mean
from rise.hardware import Processor
from rise.naturals import NatVar
from rise.programs.dependent_pairs import take_apart
from rise.programs.program import Program
from rise.records import dataclass
from rise.terms import Expr
from rise.types import DepFunType, DepPairType, FunType
from shine.cli.files import STDIN_NAME
from shine.cli.foreign import allowed
from shine.front.derivation import Derivation, StrategyFailed, derive
from shine.front.failure_places import label_of, written_at
from shine.front.lowering import chosen_strategy
from shine.front.machines import with_machine
from shine.imperative.errors import locating
from shine.imperative.nodes import Procedure
from shine.kernel import make_kernel
from shine.passes.record import Pass
from shine.passes.record import Program as Passed
from shine.targets.cuda.messages import FILE as KERNEL
from shine.targets.target import Option, Outline, Target
from shine.translate import translate

#: codes of errors whose cause is not in the program
NOT_OF_THE_PROGRAM: Final = frozenset(
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
        "database",
        "damaged-database",
        "foreign-database",
        "newer-database",
        # of spaces and searches
        "broken-bound",
        "broken-space",
        "empty-domain",
        "hole-outside",
        "hole-twice",
        "lost-workers",
        "no-bound",
        "no-data",
        "no-domain",
        "no-name",
        "no-optuna",
        "no-process",
        "nothing-to-resume",
        "unknown-decision",
        "unknown-policy",
        "unsatisfiable-space",
    )
)
DEFAULT_TARGET: Final = "openmp"
#: how `shine show --einsum` lowers a contraction for CPUs
CONTRACTION: Final = "strategies.contractions:inPackedTiles"
#: the ending of the databases of `shine tune`
DATABASE_SUFFIX: Final = ".sqlite"
#: in place of a strategy: the fastest that is stored, in the tables of the project or in the user's database
TUNED: Final = "tuned"
#: environment variables that provide options which the command line omits
ENVIRONMENT: Final = {"cc": "CC", "cxx": "CXX"}
#: the beginning of a note that shows a part of a lowered program
PART_NOTE_PREFIX: Final = "in "
#: hints in terms of the command line, for errors whose own hint is in terms of Python
HINTS: Final = {
    "polymorphic": "choose types by their names: --size t=f32",
    "foreign-not-allowed": "allow a file that has its code: --allow-foreign FILE.py, or .c, or .cu",
    "foreign-meaning": "allow a Python file that has it: rise.Foreign(..., meaning=...)",
    "foreign-text": "allow a file that has it: --allow-foreign FILE.c for CPUs, FILE.cu for CUDA",
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
    text: str | None = None  # the program, where it is read from standard input

    def parse(self) -> Program:
        """The program. Raises RiseError with one diagnostic."""
        return rise.parse_file(self.file) if self.text is None else rise.parse(self.text, self.file)


def of_contraction(request: Request, spec: str) -> Request:
    """The request for a contraction, of which `file` has the types of the operands, separated by commas. For CPUs, it
    is lowered in phases. Raises RiseError with the specification underlined.
    """
    if request.text is not None:
        title = f"expected the types of the operands of {spec!r}, found {STDIN_NAME}"
        raise RiseError(Diagnostic("options", title, hint='for example "M.K.f32, K.N.f32"'))
    plan = shine.contraction(spec, *(part.strip() for part in request.file.split(",")))
    strategy = request.strategy
    if strategy is None and request.target == DEFAULT_TARGET and plan.groups is not None:
        strategy = CONTRACTION
    return replace(request, text=plan.text, file=f"<{spec}>", strategy=strategy)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The requested definition, with the given sizes."""

    program: Program
    name: str
    high: Expr

    @property
    def what(self) -> str:
        """Its name in messages."""
        return f"`{self.name}`"


def choose(request: Request, program: Program | None = None) -> Chosen:
    """Choose the definition, and read the file unless its `program` is given. Raises RiseError with one diagnostic."""
    if program is None:
        program = request.parse()
    name = program.main_name if request.definition is None else request.definition
    high = program[name]
    with located(program, name):
        if not request.sizes:
            return Chosen(program, name, high)
        fixed = rise.specialise(high, **request.sizes)
        refuse_sizes(high, {name: size for name, size in request.sizes.items() if isinstance(size, int)})
        return Chosen(program, name, fixed)


def split_sizes(request: Request, program: Program) -> tuple[Request, dict[str, int | str]]:
    """Split the sizes of a request whose program takes dependent pairs: the request with the sizes that the program
    binds, and the others, which may be numbers of dependent pairs in a call.
    """
    high = program[program.main_name if request.definition is None else request.definition]
    tail: Any = high.type
    bound: set[str] = set()
    has_pairs = False
    while isinstance(tail, FunType | DepFunType):
        if isinstance(tail, DepFunType):
            bound.add(tail.name)
        has_pairs = has_pairs or (isinstance(tail, FunType) and isinstance(tail.parameter, DepPairType))
        tail = tail.result
    if not has_pairs:
        return request, {}
    own = {name: size for name, size in request.sizes.items() if name in bound}
    return replace(request, sizes=own), {n: size for n, size in request.sizes.items() if n not in bound}


def refuse_sizes(high: Expr, sizes: Mapping[str, int]) -> None:
    """Raise RiseError for fixed sizes that a program cannot have. `high` is the program before they were fixed, so that
    the message has its names.
    """
    failed = check_obligations(rise.obligations(high), sizes)
    if failed is not None:
        named = sorted(v.name for v in failed.subject.free if isinstance(v, NatVar))
        sizes_text = ", ".join(f"{name} = {sizes[name]}" for name in named)
        title = f"expected {failed.condition}, found {sizes_text}"
        hint = "choose sizes for which it holds"
        raise RiseError(Diagnostic("size-mismatch", title, notes=(failed.reason,), hint=hint))


def target_of(request: Request) -> Target:
    """The target of a request. Raises RiseError if there is none of that name."""
    target = shine.TARGETS.get(request.target)
    if target is None:
        hint = did_you_mean(request.target, shine.TARGETS) or f"there are {', '.join(shine.TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{request.target}`", hint=hint))
    return target


def lower(request: Request, chosen: Chosen) -> Derivation:
    """Apply the requested strategy, or the target's own."""
    if is_tuned(request):
        return _lower_as_tuned(request, chosen)
    strategy = strategy_of(request)
    with located(chosen.program, chosen.name):
        definition = chosen.program[chosen.name]
        if request.sizes and isinstance(strategy, Recorded) and fingerprint(definition) == strategy.given:
            # it was recorded for all sizes, which are fixed afterwards
            derivation = derive(strategy, definition, chosen.what)
            return replace(derivation, result=rise.specialise(derivation.result, **request.sizes))
        return derive(strategy, chosen.high, chosen.what)


def is_tuned(request: Request) -> bool:
    """Whether a request names a database of `shine tune` instead of a strategy, or `tuned` for all stored results."""
    named = request.strategy
    return named is not None and (named == TUNED or named.endswith(DATABASE_SUFFIX))


def _lower_as_tuned(request: Request, chosen: Chosen) -> Derivation:
    """Apply the fastest strategy that is stored for the program at these sizes; the target's own if there is none. The
    derivation says which.
    """
    if request.parameters:
        title = f"expected no parameters with {request.strategy}, found -p"
        raise RiseError(Diagnostic("options", title, hint="omit -p: stored results have the decisions"))
    target = target_of(request)
    options = {name: value for name, value in target_options(request, target).items() if value is not None}
    sizes = {name: size for name, size in request.sizes.items() if isinstance(size, int)}
    definition = chosen.program[chosen.name]
    path = None if request.strategy == TUNED else request.strategy
    with located(chosen.program, chosen.name):
        tuner: Any = importlib.import_module("shine.front.tuner")  # only here: it takes some time
        found = tuner.tuned(definition, sizes, path, target=target.name, **options)
        own = strategy_of(replace(request, strategy=None))
        derivation = derive(own if found is None else found.strategy, chosen.high, chosen.what)
    if found is None:
        where = "no stored result is" if path is None else f"{path} has nothing"
        said = f"{derivation.strategy}: {where} faster for these sizes, options and machine"
    else:
        said = (
            f"{derivation.strategy}, {found.ratio:.2f} times as fast as {target.strategy} in {found.source}"
        )
    return replace(derivation, strategy=said)


def strategy_of(request: Request) -> Strategy:
    """The requested strategy, by name or as a saved derivation; by default the target's own."""
    target = target_of(request)
    return chosen_strategy(request.strategy, target, request.arch, request.options, **request.parameters)


def imperative(request: Request, chosen: Chosen, derivation: Derivation) -> Procedure:
    """The procedure of a lowered program."""
    low = derivation.result
    foreign = allowed(request.allow_foreign, low)
    with located(chosen.program, chosen.name, of=derivation):
        return translate(low, kernel_name(chosen), target_of(request).levels, foreign)


def outline(request: Request, chosen: Chosen, derivation: Derivation) -> Outline:
    """The imperative program that the target prints for a lowered program. Raises RiseError if it cannot run it."""
    target = target_of(request)
    procedure = imperative(request, chosen, derivation)
    with located(chosen.program, chosen.name, of=derivation), locating(take_apart(derivation.result).term):
        return target.outlined(procedure, target_options(request, target))


def passed(
    request: Request, chosen: Chosen, derivation: Derivation
) -> tuple[Procedure, list[tuple[Pass, Passed]]]:
    """The procedure of a lowered program, and the passes that the target runs, each with the program after it.

    Raises RiseError if the target cannot run it.
    """
    target = target_of(request)
    procedure = imperative(request, chosen, derivation)
    with located(chosen.program, chosen.name, of=derivation), locating(take_apart(derivation.result).term):
        return procedure, list(target.steps(procedure, target_options(request, target)))


def build(
    request: Request, chosen: Chosen, derivation: Derivation, procedure: Procedure | None = None
) -> shine.Kernel:
    """Build the kernel of a lowered program; its `procedure` may be passed if it was already translated."""
    options = target_options(request, target_of(request))
    if procedure is None:
        procedure = imperative(request, chosen, derivation)
    with located(chosen.program, chosen.name, of=derivation):
        return make_kernel(procedure, request.target, take_apart(derivation.result).term, **options)


def check_options(request: Request) -> None:
    """Raise RiseError for options of the wrong name or type, whether or not they are used."""
    target = target_of(request)
    target.complete(target_options(request, target))


def from_environment(option: str) -> str | None:
    """The value of an option from the environment, or None."""
    return os.environ.get(ENVIRONMENT[option]) or None


def target_options(request: Request, target: Target) -> dict[str, Any]:
    """The options for the target, from the command line or otherwise from the environment."""
    known_options = {option.name: option for option in target.options}
    values: dict[str, Any] = {name: from_environment(name) for name in ENVIRONMENT if name in known_options}
    for name, text in request.options.items():
        values[name] = option_value(known_options[name], text) if name in known_options else text
    if request.arch is not None:
        values["arch"] = request.arch
    return with_machine(target, values, request.arch)


def option_value(option: Option, text: str) -> Any:
    """Convert an option's value to its type; a text that cannot be converted is unchanged, and the target rejects it.

    >>> option_value(Option("check", bool, False, ""), "true")
    True
    """
    if option.type is Processor:
        return text
    if option.type is bool:
        return {"true": True, "false": False}.get(text, text)
    try:
        return option.type(text)
    except ValueError:
        return text


def kernel_name(chosen: Chosen) -> str:
    """The function's name: that of the definition, or that of the file if the definition is `main`."""
    file = chosen.program.file
    return Path(file).stem if chosen.name == "main" and file != STDIN_NAME else chosen.name


@contextmanager
def located(program: Program, name: str, runs: bool = False, of: Derivation | None = None) -> Iterator[None]:
    """Add the place of a definition to errors without one. While the program `runs`, only to errors with an origin in
    the program: others are about its arguments. Errors in the program derived by `of` point to the source of that part.
    """
    try:
        yield
    except RiseError as error:
        diagnostic = without_kernel(error.diagnostic)
        is_of_arguments = runs and getattr(error, "origin", None) is None
        if (
            diagnostic.source
            or diagnostic.code in NOT_OF_THE_PROGRAM
            or name not in program.spans
            or is_of_arguments
        ):
            raise
        hint = HINTS.get(diagnostic.code, diagnostic.hint)
        start, end = program.spans[name]
        label, notes = Label(start, end, "in this definition"), diagnostic.notes
        span = None if of is None else written_at(program, name, of, getattr(error, "origin", None))
        if isinstance(error, StrategyFailed):
            label = label_of(program, name, error.stopped)
        if of is not None and span is not None:
            label = Label(span.start, span.end, "here")
            part_notes = [note for note in notes if note.startswith(PART_NOTE_PREFIX)][:1]
            notes = tuple(note for note in notes if note not in part_notes)
            if part_notes and of.counters.firings:
                notes = (f"{of.strategy} made of it: {part_notes[0].removeprefix(PART_NOTE_PREFIX)}", *notes)
        located_diagnostic = replace(
            diagnostic, labels=(label,), hint=hint, notes=notes, source=program.text, file=program.file
        )
        raise RiseError(located_diagnostic) from None


def without_kernel(diagnostic: Diagnostic) -> Diagnostic:
    """Move the lines of kernel text that a diagnostic points to into its notes, so that it can point to the program."""
    if diagnostic.file != KERNEL:
        return diagnostic
    lines = Lines(diagnostic.source)
    notes = list(diagnostic.notes)
    for label in diagnostic.labels:
        number = lines.line_of(label.start)
        text = diagnostic.source[lines.starts[number] : lines.ends[number]].strip()
        reason = "" if label.text in diagnostic.title else f": {label.text}"
        notes.append(f"line {number + 1} of the CUDA source: {text}{reason}")
    return replace(diagnostic, labels=(), notes=tuple(notes), source="", file="")
