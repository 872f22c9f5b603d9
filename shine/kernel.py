"""A compiled program that can be called on arrays. Independent of any particular target.

One subject: the class `Kernel`, and the functions that build and load one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rise.argument_checks import expected
from rise.arguments.mismatches import found_text, given_pair, given_sizes, made_number, refuse
from rise.diagnostics import Diagnostic, RiseError
from rise.natural_values import evaluate_natural
from rise.packages import imported
from rise.programs.foreign import Foreign, hint_of_code
from rise.records import dataclass
from rise.terms import Expr
from rise.tracebacks import ends_at_the_users_line, strip
from shine.calling.boundary import Boundary, Resolved, in_order
from shine.calling.output import Output
from shine.calling.repeated_calls import remembered_calls
from shine.imperative.errors import located, locating
from shine.imperative.nodes import Origin, Procedure
from shine.imperative.signature import signature_text
from shine.passes.record import Program
from shine.targets import find_target
from shine.targets.target import (
    Adjustable,
    Clocked,
    Compiled,
    DeviceExecutable,
    Executable,
    Handled,
    Plan,
    Planned,
    Profiling,
    Target,
)

if TYPE_CHECKING:
    from shine.kernel_profile import KernelProfile

MIN_SAMPLE_SECONDS: Final = 1e-4  # faster kernels run several times in one sample
DEFAULT_TIMING_SECONDS: Final = 0.5  # in total, if no number of samples is given
MIN_SAMPLES: Final = 5
MAX_SAMPLES: Final = 200
#: codes of diagnostics for a text that a compiler rejects
COMPILER_ERROR_CODES: Final = frozenset(
    ("compiler-failed", "does-not-compile", "unknown-function", "kernel-text")
)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds per run of a kernel, without checking and allocating arrays.

    `spread` is the interquartile range divided by the median.
    """

    median: float
    best: float
    spread: float
    samples: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PassedProgram:
    """A program after a target's passes, with the options as given and as completed: a `shine.targets.target:Plan` for
    targets that print and build the program in each process.
    """

    target: str
    program: Program
    given: Mapping[str, Any]
    settled: Mapping[str, Any]

    def is_current(self) -> bool:
        """Whether the options would still be completed in the same way; the architecture may depend on a device."""
        target = find_target(self.target)
        return target.settle(target.complete(self.given)) == self.settled

    def load(self) -> Executable:
        """Print the program, and build it unless it is in the cache. Raises RiseError if there is no compiler."""
        return find_target(self.target).build(self.program, self.settled)


class Kernel:
    """A procedure built for a target: call it with the program's arguments.

    It may be called from several threads. A pickled kernel is rebuilt where it is loaded. `term` is the low-level
    program that it was translated from: errors show the part of it that caused them.
    """

    def __init__(
        self, procedure: Procedure, target: Target, options: Mapping[str, Any], term: Expr | None = None
    ) -> None:
        with locating(term), blaming(procedure.foreign):
            program, settled = target.passed(procedure, options)
            executable = target.build(program, settled)
        plan = PassedProgram(target.name, program, dict(options), settled)
        self._set_up(procedure, target.name, options, term, executable, plan)

    @classmethod
    def of_plan(
        cls, procedure: Procedure, target: str, options: Mapping[str, Any], term: Expr | None, plan: Plan
    ) -> Kernel:
        """A kernel from a plan that was printed before. Raises RiseError if there is no compiler."""
        kernel = cls.__new__(cls)
        with locating(term), blaming(procedure.foreign):
            executable = plan.load()
        kernel._set_up(procedure, target, options, term, executable, plan)
        return kernel

    def _set_up(
        self,
        procedure: Procedure,
        target: str,
        options: Mapping[str, Any],
        term: Expr | None,
        executable: Executable,
        plan: Plan,
    ) -> None:
        self.procedure = procedure
        self.target = target
        self.term = term
        self.options = dict(options)
        self._executable = executable
        self._plan = plan
        self._boundary = Boundary(procedure, executable.limits)
        self._devices = executable if isinstance(executable, DeviceExecutable) else None
        self._remembered = remembered_calls(procedure, executable)
        self.explained: Callable[[Diagnostic], Diagnostic] | None = None  # by the program that it came from

    @property
    def plan(self) -> Plan:
        """The plan from which another process can load the kernel."""
        return self._executable.plan if isinstance(self._executable, Planned) else self._plan

    def __call__(
        self,
        *arguments: Any,
        out: Any = None,
        sizes: Mapping[str, int] | None = None,
        stream: Any = None,
        **named: Any,
    ) -> Any:
        """Run the kernel. Arguments are positional or named after the parameters, as in Python. The result is written
        to `out` if it is given; `sizes` contains the sizes that no array's shape determines. Arrays on a device are
        used in place, on `stream` or on the stream that their library uses.

        Raises RiseError for arguments that do not fit and for errors while it runs.
        """
        try:
            if self._remembered is not None and not named and sizes is None and stream is None:
                found = self._remembered.find(arguments, out)
                result = self._remembered.find_shared(arguments, out) if found is None else found
                if result is not None:
                    return result
            sizes = None if sizes is None else given_sizes(sizes)
            if named:
                arguments = in_order(self.procedure, arguments, named, bool(sizes))
            run, output = self._prepare(arguments, out, sizes, stream)
            run()
            return output.finish()
        except RiseError as error:
            located(self.term, error)
            if self.explained:
                error.diagnostic = self.explained(error.diagnostic)
            strip(error)
            raise

    def _prepare(
        self, arguments: tuple[Any, ...], out: Any, sizes: Mapping[str, int] | None, stream: Any
    ) -> tuple[Any, Output]:
        """Check the arguments of a call and bind them; returns the function that runs it, and its output."""
        procedure, devices = self.procedure, self._devices
        if procedure.pairs:
            arguments, sizes = without_pairs(procedure, arguments, sizes)
        if devices is not None:
            memory = devices.memory(arguments, out, stream)
            resolved, passed, output = self._boundary.accept(arguments, out, sizes, memory)
            output = with_number(procedure, output, resolved.sizes)
            return devices.prepare_in(memory, resolved.sizes, passed, stream), output
        if stream is not None:
            title = f"the target {self.target} runs calls synchronously and takes no stream"
            raise RiseError(Diagnostic("argument-type", title, hint="omit `stream`"))
        resolved, passed, output = self._boundary.accept(arguments, out, sizes)
        if self._remembered is not None and sizes is None:
            self._remembered.keep(passed[: len(resolved.ends)], resolved)
        output = with_number(procedure, output, resolved.sizes)
        return self._executable.prepare(resolved.sizes, passed), output

    def resolve(self, values: Sequence[Any], sizes: Mapping[str, int] | None = None) -> Resolved:
        """What arrays of these types and shapes determine: sizes, shapes of results, and bounds of indices. `values`
        has one item for each array and number of the inputs, with pairs split; elements are not read.

        Raises RiseError for arrays that do not fit.
        """
        with locating(self.term):
            return self._boundary.resolve(values, sizes)

    def with_options(self, **options: Any) -> Kernel:
        """The same kernel under other values of options that only affect runs: `schedule` and `seconds` of cuda-sim.
        Nothing is compiled. Raises RiseError for other options.

            kernel = shine.compile(program, target="cuda-sim", check=True)
            for number in range(10):
                kernel.with_options(schedule=f"random:{number}")(x)
        """
        if not options:
            return self
        target, executable, plan = find_target(self.target), self._executable, self._plan
        given = {**self.options, **options}
        settled = target.settle(target.complete(given))
        adjustable = [option.name for option in target.options if option.only_runs]
        for name in options:
            if name not in adjustable:
                title = f"expected an option of {target.name} that only affects runs, found `{name}`"
                possible = f", or change {' or '.join(adjustable)}" if adjustable else ""
                refuse("fixed-option", title, f"compile the program again with `{name}`{possible}")
        assert isinstance(executable, Adjustable), executable
        assert isinstance(plan, PassedProgram), plan
        kernel = Kernel.__new__(Kernel)
        plan = replace(plan, given=given, settled=settled)
        kernel._set_up(self.procedure, self.target, given, self.term, executable.with_options(settled), plan)
        kernel.explained = self.explained
        return kernel

    @ends_at_the_users_line
    def profile(self, *arguments: Any, sizes: Mapping[str, int] | None = None, **named: Any) -> KernelProfile:
        """Run the kernel once in the simulator, and count bank conflicts, sectors, divergence and more, for each
        launch, by line of the CUDA text and by place in the low-level program. Raises RiseError for other targets.
        """
        executable = self._executable
        if not isinstance(executable, Profiling):
            title = f"expected a kernel of the target cuda-sim, found one of {self.target}"
            raise RiseError(Diagnostic("no-profile", title, hint='compile it with target="cuda-sim"'))
        sizes = None if sizes is None else given_sizes(sizes)
        if named:
            arguments = in_order(self.procedure, arguments, named, bool(sizes))
        with locating(self.term):
            if self.procedure.pairs:
                arguments, sizes = without_pairs(self.procedure, arguments, sizes)
            resolved, passed, _ = self._boundary.accept(arguments, None, sizes)
            source, origins, launches = executable.profile(resolved.sizes, passed)
        profiled = imported("shine.kernel_profile").kernel_profile
        counted: KernelProfile = profiled(launches, source, origins, self.term)
        return counted

    @property
    def repeated(self) -> Callable[[tuple[Any, ...], Any], Any] | None:
        """A function of the arguments and `out` that runs calls like earlier ones, and returns None for other calls.
        None if the target does not support this.
        """
        return None if self._remembered is None else self._remembered.find

    @property
    def source(self) -> str:
        """The source text that was compiled."""
        return self._executable.source

    def machine_code(self) -> bytes:
        """The content of a shared library or a cubin, depending on the target.

        Raises RiseError for targets that generate neither, and if there is no compiler.
        """
        if not isinstance(self._executable, Compiled):
            title = f"the target {self.target} does not produce machine code"
            raise RiseError(Diagnostic("no-image", title, hint="write its source instead"))
        return self._executable.machine_code()

    def handler_for_xla(self, name: str, headers: Path) -> Any:
        """The handler by which XLA calls the kernel (`shine.jax.call`), as a function of ctypes. Raises RiseError for
        targets other than openmp.
        """
        if not isinstance(self._executable, Handled):
            title = f"expected a kernel of the target openmp, found one of {self.target}"
            raise RiseError(Diagnostic("no-operator", title, hint='compile it with target="openmp"'))
        return self._executable.handler_for_xla(name, headers)

    @property
    def exported(self) -> tuple[str, ...]:
        """The functions that the machine code exports: the kernel's name first, prefixed with `shine_` if the language
        or its library already uses that name. Empty for a target that generates no machine code.
        """
        return self._executable.exported if isinstance(self._executable, Compiled) else ()

    @property
    def signature(self) -> str:
        """The parameters and the result, with their types, as text."""
        return signature_text(self.procedure)

    def origin_of_line(self, line: int) -> Origin | None:
        """The path in the low-level program that a line of the source, counted from 1, was translated from."""
        origins = self._executable.origins
        expected(line, int, "a line number, counted from 1", "`kernel.source` has the lines")
        return origins[line - 1] if 1 <= line <= len(origins) else None

    @ends_at_the_users_line
    def time(
        self,
        *arguments: Any,
        out: Any = None,
        sizes: Mapping[str, int] | None = None,
        repeat: int | None = None,
        warmup: int = 2,
        **named: Any,
    ) -> Timing:
        """Run the kernel `warmup` times, then time `repeat` samples; without `repeat`, for about half a second. If the
        device has a clock, it is used, which excludes the time for copying arrays to the device.
        """
        for name, value in (("repeat", repeat), ("warmup", warmup)):
            if (value is not None or name == "warmup") and (
                isinstance(value, bool) or not isinstance(value, int)
            ):
                title = f"`{name}`: expected a number of runs, found {found_text(value)}"
                refuse("argument-type", title, f"for example {name}=10")
        sizes = None if sizes is None else given_sizes(sizes)
        if named:
            arguments = in_order(self.procedure, arguments, named, bool(sizes))
        with locating(self.term), self._clock(arguments, out, sizes) as seconds_per_run:
            if warmup > 0:
                seconds_per_run(warmup)
            once = seconds_per_run(1)
            runs_per_sample = (
                max(1, round(MIN_SAMPLE_SECONDS / max(once, 1e-9))) if once < MIN_SAMPLE_SECONDS else 1
            )
            sample_count = (
                min(
                    MAX_SAMPLES,
                    max(MIN_SAMPLES, int(DEFAULT_TIMING_SECONDS / max(once * runs_per_sample, 1e-9))),
                )
                if repeat is None
                else max(1, repeat)
            )
            samples = tuple(seconds_per_run(runs_per_sample) for _ in range(sample_count))
        median = statistics.median(samples)
        quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else [median] * 3
        return Timing(
            median, min(samples), (quartiles[2] - quartiles[0]) / median if median else 0.0, samples
        )

    @contextmanager
    def _clock(
        self, arguments: tuple[Any, ...], out: Any, sizes: Mapping[str, int] | None
    ) -> Iterator[Callable[[int], float]]:
        """A function from a number of consecutive runs to the seconds per run."""
        run, _ = self._prepare(arguments, out, sizes, None)
        with (
            run.clock()
            if isinstance(run, Clocked)
            else nullcontext(partial(_seconds_per_run, run)) as seconds_per_run
        ):
            yield seconds_per_run

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.procedure, self.target, self.options, self.term)

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} for {self.target}>"


def make_kernel(procedure: Procedure, target: str, term: Expr | None = None, **options: Any) -> Kernel:
    """Build a procedure for a target, by name; `term` is the program that it was translated from.

    Raises RiseError for unknown targets and options, and for anything that the target does not support.
    """
    return Kernel(procedure, find_target(target), options, term)


@contextmanager
def blaming(foreign: Sequence[Foreign]) -> Iterator[None]:
    """Name the foreign functions of a text in the hint when a compiler rejects it."""
    try:
        yield
    except RiseError as error:
        if foreign and error.diagnostic.code in COMPILER_ERROR_CODES:
            error.diagnostic = replace(error.diagnostic, hint=hint_of_code(foreign))
        raise


def _rebuild(procedure: Procedure, target: str, options: Mapping[str, Any], term: Expr | None) -> Kernel:
    return make_kernel(procedure, target, term, **options)


def _seconds_per_run(run: Callable[[], None], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - start) / times


def without_pairs(
    procedure: Procedure, arguments: Sequence[Any], sizes: Mapping[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Replace dependent pairs in the arguments by their arrays, and add their numbers to the sizes.

    Raises RiseError for a value that is not a pair, and for a number that contradicts `sizes`.
    """
    arrays, known_sizes = list(arguments), dict(sizes or {})
    positions = list(range(len(arrays)))
    if procedure.explicit and len(arrays) == len(procedure.given) + len(procedure.explicit):
        explicit = dict(procedure.explicit)
        positions = [position for position in positions if position not in explicit]
    for pair in procedure.pairs:
        if pair.position >= len(positions):
            break  # too few arguments; this is reported where they are counted
        position, name = positions[pair.position], procedure.given[pair.position].name
        number, arrays[position] = given_pair(name, pair.type, arrays[position])
        if known_sizes.setdefault(pair.size.name, number) != number:
            title = f"`{name}`: expected the number {known_sizes[pair.size.name]} that `sizes` has, found {number}"
            refuse("size-mismatch", title, f"omit `{pair.size.name}`: the pair determines it")
    return tuple(arrays), known_sizes


def with_number(procedure: Procedure, output: Output, sizes: Sequence[int]) -> Output:
    """The output paired with its number, if it is a dependent pair."""
    if procedure.number is None:
        return output
    number = evaluate_natural(procedure.number, dict(zip(procedure.sizes, sizes, strict=True)))
    assert isinstance(number, int), procedure.number
    return replace(output, number=np.asarray(made_number(number), np.int64))
