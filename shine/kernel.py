"""A compiled program that can be called on arrays. Knows no particular target."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from shine.boundary import Boundary
from shine.imperative import Origin, Procedure
from shine.passes import prepare
from shine.signature import signature_text
from shine.targets import TARGETS
from shine.targets.target import Executable, Target

SHORTEST_SAMPLE: Final = 1e-4  # seconds; quicker kernels run several times in one sample
TIMED_FOR: Final = 0.5  # seconds in all, where no number of samples is given
FEWEST: Final = 5  # samples
MOST: Final = 200


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

    It may be called from several threads. Pickled, it is built again where it is loaded.
    """

    def __init__(self, procedure: Procedure, target: Target, options: Mapping[str, Any]) -> None:
        self.procedure = procedure
        self.target = target.name
        self.options = dict(options)
        self._boundary = Boundary(procedure)
        self._executable: Executable = target.build(prepare(procedure), target.complete(options))

    def __call__(
        self, *arguments: Any, out: Any = None, sizes: Mapping[str, int] | None = None, stream: Any = None
    ) -> Any:
        """Run it. `out` is written to where given; `sizes` has those that no array's shape determines.

        Raises RiseError for arguments that do not fit and for what goes wrong while it runs.
        """
        if stream is not None:
            title = f"the target {self.target} runs at once and takes no stream"
            raise RiseError(Diagnostic("argument-type", title, hint="leave `stream` away"))
        found, passed, output = self._boundary.accept(arguments, out, sizes)
        self._executable.prepare(found, passed)()
        return output.finish()

    @property
    def source(self) -> str:
        """The text that was built."""
        return self._executable.source

    @property
    def signature(self) -> str:
        """What it takes and gives."""
        return signature_text(self.procedure)

    def origin_of_line(self, line: int) -> Origin | None:
        """The path in the low-level program that a line of the source, from 1, was translated from."""
        origins = self._executable.origins
        return origins[line - 1] if 1 <= line <= len(origins) else None

    def time(
        self,
        *arguments: Any,
        out: Any = None,
        sizes: Mapping[str, int] | None = None,
        repeat: int | None = None,
        warmup: int = 2,
    ) -> Timing:
        """Run it `warmup` times, then `repeat` times with a clock: for about half a second where that is not
        given.
        """
        found, passed, _ = self._boundary.accept(arguments, out, sizes)
        run = self._executable.prepare(found, passed)
        for _ in range(warmup):
            run()
        once = _clocked(run, 1)
        inner = max(1, round(SHORTEST_SAMPLE / max(once, 1e-9))) if once < SHORTEST_SAMPLE else 1
        wanted = (
            min(MOST, max(FEWEST, int(TIMED_FOR / max(once * inner, 1e-9))))
            if repeat is None
            else max(1, repeat)
        )
        samples = tuple(_clocked(run, inner) for _ in range(wanted))
        median = statistics.median(samples)
        quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else [median] * 3
        return Timing(
            median, min(samples), (quartiles[2] - quartiles[0]) / median if median else 0.0, samples
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.procedure, self.target, self.options)

    def __repr__(self) -> str:
        return f"<Kernel {self.signature} for {self.target}>"


def make_kernel(procedure: Procedure, target: str, **options: Any) -> Kernel:
    """Build a procedure for a target, by name. Raises RiseError for targets and options that do not exist."""
    found = TARGETS.get(target)
    if found is None:
        hint = did_you_mean(target, TARGETS) or f"there are {', '.join(TARGETS)}"
        raise RiseError(Diagnostic("unknown-target", f"no target is called `{target}`", hint=hint))
    return Kernel(procedure, found, options)


def _rebuild(procedure: Procedure, target: str, options: Mapping[str, Any]) -> Kernel:
    return make_kernel(procedure, target, **options)


def _clocked(run: Callable[[], None], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - start) / times
