"""Evaluators, which build and measure candidates: on this machine, with an executor, or with a function.

Builds run in parallel. Candidates are measured one at a time, while at most as many builds run as there are processors
left.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from typing import Any, Final, Protocol

from rise.diagnostics import Diagnostic, RiseError
from shine.front.tuner import isolation
from shine.front.tuner.candidates import (
    Bench,
    Built,
    Lowered,
    Task,
    bench_of,
    build_candidate,
    dead,
    evaluate,
    race,
    run_candidate,
)
from shine.front.tuner.isolation import Child, in_own_process
from shine.front.tuner.keys import machine_text
from shine.front.tuner.results import Result, State
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, Space

Done = tuple[Decisions, Result]
OTHER_MACHINE: Final = "other-machine"
#: at most this many jobs for each worker of an executor wait for it
JOBS_AHEAD: Final = 2


class Evaluator(Protocol):
    """Evaluates candidates."""

    @property
    def machine(self) -> str:
        """The name of the machine in results."""
        ...

    def capacity(self) -> int:
        """The number of further candidates that it accepts now."""
        ...

    def submit(self, decisions: Decisions) -> None:
        """Start to evaluate a candidate."""
        ...

    def wait(self, seconds: float) -> list[Done]:
        """Results that have arrived, after at most the given number of seconds."""
        ...

    def race(self, finalists: Sequence[Lowered]) -> list[float]:
        """The time of the target's own strategy divided by that of each finalist, measured interleaved."""
        ...

    def close(self) -> None:
        """End all evaluations."""
        ...


class Local:
    """This machine: each build and each measurement in a separate process."""

    def __init__(self, task: Task, space: Space, known: Mapping[str, Result]) -> None:
        """`known` has results by the digest of their texts, and may change. Candidates with a known text are not
        measured.

        Raises RiseError if the target's own strategy does not build or run.
        """
        self.task, self.space, self.known = task, space, known
        self.machine = machine_text()
        self.bench: Bench = bench_of(task)
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.beside = max(0, processors - task.threads)  # builds during a measurement
        self.builders = max(1, processors - 1)
        self._building: dict[Child, Decisions] = {}
        self._built: list[tuple[Decisions, Built]] = []
        self._running: tuple[Child, Decisions, Built] | None = None
        self._done: list[Done] = []

    def capacity(self) -> int:
        """As many as can be built now, if not too many wait to be measured."""
        most = self.beside if self._running is not None else self.builders
        return max(0, most - len(self._building)) if len(self._built) <= self.builders else 0

    def submit(self, decisions: Decisions) -> None:
        """Start to build a candidate."""
        task, space = self.task, self.space
        child = isolation.start(
            "building",
            lambda: build_candidate(task, space, decisions),
            task.limits.build_seconds,
            task.limits.memory,
        )
        self._building[child] = decisions

    def wait(self, seconds: float) -> list[Done]:
        """Results that have come."""
        self._measure_next()
        children = [*self._building, *([self._running[0]] if self._running else [])]
        for child in isolation.wait(children, 0.0 if self._done else seconds):
            if child in self._building:
                self._take_built(child, self._building.pop(child))
            elif self._running is not None:
                _, decisions, built = self._running
                self._running = None
                self._done.append((decisions, _finished(child, built)))
        self._measure_next()
        done, self._done = self._done, []
        return done

    def race(self, finalists: Sequence[Lowered]) -> list[float]:
        """Measured in a separate process."""
        limits = self.task.limits
        seconds = limits.run_seconds * (1 + len(finalists))
        found: list[float] = in_own_process(
            "racing", lambda: race(self.bench, finalists), seconds, limits.memory
        )
        return found

    def close(self) -> None:
        """Kill all processes."""
        for child in [*self._building, *([self._running[0]] if self._running else [])]:
            child.kill()
        self._building.clear()
        self._running = None

    def _take_built(self, child: Child, decisions: Decisions) -> None:
        try:
            built: Built = child.finish()
        except RiseError as error:
            self._done.append((decisions, dead(error.diagnostic)))
            return
        self._built.append((decisions, built))

    def _measure_next(self) -> None:
        while self._running is None and self._built and len(self._building) <= self.beside:
            decisions, built = self._built.pop(0)
            known = self.known.get(built.source)
            if known is not None:
                self._done.append((decisions, twin(known, built.limit)))
            else:
                self._running = self._measuring(built), decisions, built

    def _measuring(self, built: Built) -> Child:
        bench, limits = self.bench, self.task.limits
        return isolation.start(
            "running", lambda: run_candidate(bench, built), limits.run_seconds, limits.memory
        )


class Remote:
    """The workers of an executor, which build and measure whole candidates."""

    def __init__(self, task: Task, space: Space, executor: Executor) -> None:
        """Raises RiseError if the space cannot be sent, or if no worker answers."""
        self.task, self.space, self.executor = task, space, executor
        try:
            pickle.loads(pickle.dumps((task, space)))
        except Exception:  # pickle raises many kinds
            title = f"the space `{space.name}` cannot be sent to other processes, which import it by its name"
            hint = "define it at the top of a module that workers can import"
            raise RiseError(Diagnostic("not-sent", title, hint=hint)) from None
        self._jobs: dict[Future[tuple[Result, str]], Decisions] = {}
        self.machine: str = self._result(self._submit(machine_text))
        self.workers: int = max(1, int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1))

    def capacity(self) -> int:
        """A few jobs for each worker."""
        return max(0, JOBS_AHEAD * self.workers - len(self._jobs))

    def submit(self, decisions: Decisions) -> None:
        """Send a candidate."""
        self._jobs[self._submit(evaluate, self.task, self.space, decisions)] = decisions

    def wait(self, seconds: float) -> list[Done]:
        """Results that have arrived, without those of other machines."""
        done: list[Done] = []
        for job in wait_for(self._jobs, seconds, FIRST_COMPLETED).done:
            decisions = self._jobs.pop(job)
            result, machine = self._result(job)
            if machine != self.machine:
                title = f"expected results of {self.machine}, found one of {machine}"
                hint = "pass an executor whose workers are all of one kind; run separate searches for others"
                raise RiseError(Diagnostic(OTHER_MACHINE, title, hint=hint))
            done.append((decisions, result))
        return done

    def race(self, finalists: Sequence[Lowered]) -> list[float]:
        """Measured by one worker."""
        found: list[float] = self._result(self._submit(race_alone, self.task, tuple(finalists)))
        return found

    def close(self) -> None:
        """Cancel jobs that have not started. The executor belongs to the caller, and stays open."""
        for job in self._jobs:
            job.cancel()
        self._jobs.clear()

    def _submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        try:
            return self.executor.submit(work, *arguments)
        except (BrokenExecutor, RuntimeError) as error:
            raise lost(error) from None

    def _result(self, job: Future[Any]) -> Any:
        try:
            return job.result()
        except (BrokenExecutor, CancelledError, OSError) as error:
            raise lost(error) from None


class ByFunction:
    """A function from decisions to seconds, such as a table of measurements: for tests, and for measurements made
    elsewhere. The target's own strategy takes `own` seconds. If the function raises RiseError, the candidate is dead.
    """

    def __init__(
        self, seconds: Callable[[Decisions], float], own: float = 1.0, machine: str = "a function"
    ) -> None:
        self.seconds, self.own, self.machine = seconds, own, machine
        self._done: list[Done] = []

    def capacity(self) -> int:
        """One at a time."""
        return 0 if self._done else 1

    def submit(self, decisions: Decisions) -> None:
        """Call the function."""
        try:
            seconds = self.seconds(decisions)
        except RiseError as error:
            state = State.WRONG if error.diagnostic.code == "wrong-result" else State.DEAD
            self._done.append((decisions, Result(state, diagnostic=error.diagnostic)))
        else:
            self._done.append((decisions, Result(State.MEASURED, seconds, self.own / seconds, 0.0)))

    def wait(self, seconds: float) -> list[Done]:
        """The answer."""
        done, self._done = self._done, []
        return done

    def race(self, finalists: Sequence[Lowered]) -> list[float]:
        """Candidates are not measured again."""
        return []

    def close(self) -> None:
        """Nothing runs."""


def race_alone(task: Task, finalists: Sequence[Lowered]) -> list[float]:
    """A race in a separate process: the job of an executor."""
    bench, limits = bench_of(task), task.limits
    seconds = limits.run_seconds * (1 + len(finalists))
    found: list[float] = in_own_process("racing", lambda: race(bench, finalists), seconds, limits.memory)
    return found


def twin(known: Result, limit: Bound) -> Result:
    """The result of a candidate that has the text of another one."""
    state = State.TWIN if known.is_timed else known.state
    return Result(
        state, known.seconds, known.ratio, known.spread, known.source, known.diagnostic, limit, known.validity
    )


def lost(error: BaseException) -> RiseError:
    """The error for an executor whose workers are gone."""
    title = f"the executor lost its workers ({type(error).__name__})"
    hint = "start it again and continue: finished results are in the database, if one was given"
    return RiseError(Diagnostic("lost-workers", title, hint=hint))


def _finished(child: Child, built: Built) -> Result:
    try:
        result: Result = child.finish()
        return result
    except RiseError as error:
        one = dead(error.diagnostic)
        return Result(State.DEAD, source=built.source, diagnostic=one.diagnostic)
