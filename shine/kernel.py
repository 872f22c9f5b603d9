"""A compiled program that can be called on arrays. Knows no particular target."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from rise.arguments.mismatches import found_text, given_sizes, refuse
from rise.diagnostics import Diagnostic, RiseError
from rise.expected import expected
from rise.programs.foreign import Foreign
from rise.terms import Expr
from shine.calling.boundary import Boundary, in_order
from shine.calling.output import Output
from shine.calling.pairs import with_number, without_pairs
from shine.calling.repeated_calls import remembered
from shine.imperative.errors import located, locating
from shine.imperative.nodes import Origin, Procedure
from shine.imperative.signature import signature_text
from shine.targets import find_target
from shine.targets.target import Clocked, Compiled, DeviceExecutable, Executable, Target

SHORTEST_SAMPLE: Final = 1e-4  # seconds; quicker kernels run several times in one sample
TIMED_FOR: Final = 0.5  # seconds in all, where no number of samples is given
FEWEST: Final = 5  # samples
MOST: Final = 200
#: what is said where a compiler refuses a text
REFUSED: Final = frozenset(("compiler-failed", "does-not-compile", "unknown-function", "kernel-text"))


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that a run of a kernel took, arrays checked and allocated before.

    `spread` is the distance between the quartiles over the median.
    """

    median: float
    best: float
    spread: float
    samples: tuple[float, ...]


class Kernel:
    """A procedure built for a target: call it with the program's arguments.

    It may be called from several threads. Pickled, it is built again where it is loaded. `term` is the low-level
    program that it was translated from: errors show the part of it that they come from.
    """

    def __init__(
        self, procedure: Procedure, target: Target, options: Mapping[str, Any], term: Expr | None = None
    ) -> None:
        self.procedure = procedure
        self.target = target.name
        self.term = term
        self.options = dict(options)
        with locating(term), blaming(procedure.foreign):
            self._executable: Executable = target.make(procedure, options)
        self._boundary = Boundary(procedure, self._executable.limits)
        self._devices = self._executable if isinstance(self._executable, DeviceExecutable) else None
        self._remembered = remembered(procedure) if self._devices is None else None

    def __call__(
        self,
        *arguments: Any,
        out: Any = None,
        sizes: Mapping[str, int] | None = None,
        stream: Any = None,
        **named: Any,
    ) -> Any:
        """Run it. Arguments stand in their places, or by the names of parameters, as Python's do. `out` is written to
        where given; `sizes` has those that no array's shape determines. Arrays on a device are used where they lie, on
        `stream` or on the one that their library works on.

        Raises RiseError for arguments that do not fit and for what goes wrong while it runs.
        """
        try:
            if self._remembered is not None and not named and sizes is None and stream is None:
                known = self._remembered.find(arguments, out)
                if known is not None:
                    self._executable.prepare(*known)()
                    return known[1][-1]
            if sizes is not None:
                sizes = given_sizes(sizes)
            if named:
                arguments = in_order(self.procedure, arguments, named, bool(sizes))
            run, output = self._prepare(arguments, out, sizes, stream)
            run()
            return output.finish()
        except RiseError as error:
            located(self.term, error)
            raise

    def _prepare(
        self, arguments: tuple[Any, ...], out: Any, sizes: Mapping[str, int] | None, stream: Any
    ) -> tuple[Any, Output]:
        """Check the arguments of a call, and fix them: what runs it, and its output."""
        procedure, devices = self.procedure, self._devices
        if procedure.pairs:
            arguments, sizes = without_pairs(procedure, arguments, sizes)
        if devices is not None:
            memory = devices.memory(arguments, out, stream)
            found, passed, output = self._boundary.accept(arguments, out, sizes, memory)
            return devices.prepare_in(memory, found, passed, stream), with_number(procedure, output, found)
        if stream is not None:
            title = f"the target {self.target} runs at once and takes no stream"
            raise RiseError(Diagnostic("argument-type", title, hint="leave `stream` away"))
        found, passed, output = self._boundary.accept(arguments, out, sizes)
        if self._remembered is not None and sizes is None:
            self._remembered.keep(arguments, found, output.passed[0].shape)
        return self._executable.prepare(found, passed), with_number(procedure, output, found)

    @property
    def source(self) -> str:
        """The text that was built."""
        return self._executable.source

    def machine_code(self) -> bytes:
        """The content of a file that others can load: a shared library or a cubin, as the target makes it.

        Raises RiseError for targets that make none, and where there is no compiler.
        """
        if not isinstance(self._executable, Compiled):
            title = f"the target {self.target} makes no machine code of its own"
            raise RiseError(Diagnostic("no-image", title, hint="write its source"))
        return self._executable.machine_code()

    @property
    def exported(self) -> tuple[str, ...]:
        """The functions that its machine code exports: its own name first, with `shine_` in front where the language or
        its library has that name already. Empty for a target that makes no machine code.
        """
        return self._executable.exported if isinstance(self._executable, Compiled) else ()

    @property
    def signature(self) -> str:
        """What it takes and gives."""
        return signature_text(self.procedure)

    def origin_of_line(self, line: int) -> Origin | None:
        """The path in the low-level program that a line of the source, from 1, was translated from."""
        origins = self._executable.origins
        expected(line, int, "the number of a line, from 1", "`kernel.source` has the lines")
        return origins[line - 1] if 1 <= line <= len(origins) else None

    def time(
        self,
        *arguments: Any,
        out: Any = None,
        sizes: Mapping[str, int] | None = None,
        repeat: int | None = None,
        warmup: int = 2,
        **named: Any,
    ) -> Timing:
        """Run it `warmup` times, then `repeat` times with a clock: for about half a second where that is not
        given. A device has a clock of its own, which leaves out what it takes to copy arrays there.
        """
        for name, value in (("repeat", repeat), ("warmup", warmup)):
            if (value is not None or name == "warmup") and (
                isinstance(value, bool) or not isinstance(value, int)
            ):
                title = f"`{name}`: expected a number of runs, found {found_text(value)}"
                refuse("argument-type", title, f"as {name}=10")
        if sizes is not None:
            sizes = given_sizes(sizes)
        if named:
            arguments = in_order(self.procedure, arguments, named, bool(sizes))
        with locating(self.term), self._clock(arguments, out, sizes) as clocked:
            if warmup > 0:
                clocked(warmup)
            once = clocked(1)
            inner = max(1, round(SHORTEST_SAMPLE / max(once, 1e-9))) if once < SHORTEST_SAMPLE else 1
            wanted = (
                min(MOST, max(FEWEST, int(TIMED_FOR / max(once * inner, 1e-9))))
                if repeat is None
                else max(1, repeat)
            )
            samples = tuple(clocked(inner) for _ in range(wanted))
        median = statistics.median(samples)
        quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else [median] * 3
        return Timing(
            median, min(samples), (quartiles[2] - quartiles[0]) / median if median else 0.0, samples
        )

    @contextmanager
    def _clock(
        self, arguments: tuple[Any, ...], out: Any, sizes: Mapping[str, int] | None
    ) -> Iterator[Callable[[int], float]]:
        """Seconds for one run, over so many in a row."""
        run, _ = self._prepare(arguments, out, sizes, None)
        with run.clock() if isinstance(run, Clocked) else nullcontext(partial(_clocked, run)) as clocked:
            yield clocked

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.procedure, self.target, self.options, self.term)

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} for {self.target}>"


def make_kernel(procedure: Procedure, target: str, term: Expr | None = None, **options: Any) -> Kernel:
    """Build a procedure for a target, by name; `term` is what it was translated from.

    Raises RiseError for targets and options that do not exist, and for what the target cannot do.
    """
    return Kernel(procedure, find_target(target), options, term)


@contextmanager
def blaming(foreign: Sequence[Foreign]) -> Iterator[None]:
    """Where a compiler refuses what foreign texts are part of, say so."""
    try:
        yield
    except RiseError as error:
        if foreign and error.diagnostic.code in REFUSED:
            names = ", ".join(f"`{one.name}`" for one in foreign)
            hint = f"the text has foreign functions, {names}: correct theirs"
            error.diagnostic = replace(error.diagnostic, hint=hint)
        raise


def _rebuild(procedure: Procedure, target: str, options: Mapping[str, Any], term: Expr | None) -> Kernel:
    return make_kernel(procedure, target, term, **options)


def _clocked(run: Callable[[], None], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - start) / times
