"""Builds and runs candidates, each step in a separate process. Independent of policies and databases."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, Final

import numpy as np

import rise
from elevate import FloatClass, Strategy, join
from rise.arguments.leaves import leaves_of, tree_of
from rise.diagnostics import Diagnostic, RiseError
from rise.hardware import Processor
from rise.naturals import Atom
from rise.records import dataclass
from rise.terms import Expr
from shine.cache import digest
from shine.front.derivation import derive
from shine.front.lowering import chosen_strategy
from shine.front.random_inputs import random_value
from shine.front.tuner.arithmetic import arithmetic_bound
from shine.front.tuner.isolation import Limits, in_own_process
from shine.front.tuner.keys import machine_text
from shine.front.tuner.results import Result, State
from shine.front.tuner.validity import Validity, validity_of
from shine.front.verify import MAX_OPERATIONS, arrays, compare, tolerance
from shine.front.work import operation_count, precision
from shine.imperative.nodes import Procedure
from shine.kernel import Kernel
from shine.pipeline import build
from shine.targets import find_target
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, Space
from strategies.spaces.replay import Dead, Leaf, replay

ROUNDS: Final = 9
INNER: Final = 2  # runs per sample, of which the best counts
MIN_SAMPLE_SECONDS: Final = 2e-3  # seconds of a sample
HOPELESS: Final = 3.0  # times as slow as the target's own strategy: one round is enough
NOISY: Final = 0.2  # the spread above which measurements count as noisy


@dataclass(frozen=True)
class Task:
    """The data that all candidates of a search share: a program with its sizes, a target with its options, and the seed
    of inputs.
    """

    program: Expr
    sizes: Mapping[str, int]
    target: str
    default: str
    options: Mapping[str, Any]
    machine: Processor
    threads: int = 1
    seed: int = 0
    limits: Limits = field(default_factory=Limits)

    def own_strategy(self) -> Strategy:
        """The target's own strategy, for the processor that the options name, or otherwise for the current machine."""
        return chosen_strategy(self.default, find_target(self.target), self.options.get("arch"), self.options)


@dataclass(frozen=True)
class Lowered:
    """A lowered program, and what its derivation may do to floating-point results."""

    term: Expr
    float_class: FloatClass

    def kernel(self, task: Task) -> Kernel:
        """Its kernel, from the cache if there is one."""
        return build(self.term, task.target, **task.options)


@dataclass(frozen=True)
class Built:
    """A candidate that compiles: the digest of its text, its program, and the program's bound and validity."""

    source: str
    lowered: Lowered
    limit: Bound
    validity: Validity


class Bench:
    """The inputs of a task, the kernel of the target's own strategy, and its result, with which others are compared."""

    def __init__(self, task: Task) -> None:
        """Raises RiseError if the target's own strategy does not apply, does not build, or crashes."""
        self.task = task
        derivation = derive(task.own_strategy(), task.program)
        self.own = Lowered(rise.specialise(derivation.result, **task.sizes), derivation.float_class)
        limits = task.limits
        in_own_process("building", lambda: self.own.kernel(task).source, limits.build_seconds, limits.memory)
        self.kernel = self.own.kernel(task)
        self.arguments = random_arguments(self.kernel, task.seed)
        self.expected = in_own_process(
            "running", lambda: self.kernel(*self.arguments), limits.run_seconds, limits.memory
        )
        self.is_verified = self._verify()

    def _verify(self) -> bool:
        """Compare the result with the program's meaning; False if that would take too long."""
        if operation_count(self.kernel.procedure, {}) > MAX_OPERATIONS:
            return False
        task = self.task

        def agrees() -> None:
            meaning = rise.evaluate(rise.specialise(task.program, **task.sizes), *self.arguments)
            compare(self.expected, meaning, self._tolerance(self.own.float_class, self.kernel))

        in_own_process("interpreting", agrees, task.limits.run_seconds, task.limits.memory)
        return True

    def check(self, kernel: Kernel, lowered: Lowered) -> Any:
        """Run a kernel, and return its result. Raises RiseError (`wrong-result`) if it is not the expected one."""
        result = kernel(*self.arguments)
        allowed = self._tolerance(join((self.own.float_class, lowered.float_class)), kernel)
        compare(result, self.expected, allowed)
        return result

    def _tolerance(self, float_class: FloatClass, kernel: Kernel) -> Any:
        count = sum(array.size for array in arrays(self.expected))
        return tolerance(
            float_class, precision(kernel.procedure), operation_count(kernel.procedure, {}), count
        )


def build_candidate(task: Task, space: Space, decisions: Decisions) -> Built:
    """Derive and build a candidate in this process. Raises RiseError, with the reason, if it is dead."""
    outcome = replay(space, decisions, task.program, task.sizes)
    if isinstance(outcome, Dead):
        raise RiseError(outcome.diagnostic)
    assert isinstance(outcome, Leaf) and outcome.term is not None, decisions
    lowered = Lowered(outcome.term, outcome.float_class)
    kernel = lowered.kernel(task)
    limit = arithmetic_bound(kernel.procedure, task.machine, task.threads)
    return Built(digest(kernel.source), lowered, limit, _validity(task, lowered, kernel))


def _validity(task: Task, lowered: Lowered, kernel: Kernel) -> Validity:
    program, _ = find_target(task.target).passed(kernel.procedure, task.options)
    if not isinstance(program, Procedure):
        return Validity("unknown: kernels of a GPU")
    asked = rise.specialise(task.program, **task.sizes)
    return validity_of(asked, lowered.term, program, lowered.float_class)


def run_candidate(bench: Bench, built: Built) -> Result:
    """Check a candidate's result and measure it, interleaved with the target's own strategy, in this process."""
    finding, validity = built.validity.finding, built.validity.text
    if finding is not None:
        return Result(State.WRONG, source=built.source, diagnostic=of_rules(finding))
    kernel = built.lowered.kernel(bench.task)
    try:
        result = bench.check(kernel, built.lowered)
    except RiseError as error:
        if error.diagnostic.code != "wrong-result":
            raise
        return Result(State.WRONG, source=built.source, diagnostic=of_rules(error.diagnostic))
    runs = {"own": caller(bench, bench.kernel), "this": caller(bench, kernel, result)}
    samples = in_turns(runs, bench.task.threads, ROUNDS, HOPELESS)
    ratios = [own / this for own, this in zip(samples["own"], samples["this"], strict=True)]
    ratio = statistics.median(ratios)
    seconds = statistics.median(samples["this"])
    return Result(
        State.MEASURED, seconds, ratio, spread(ratios), built.source, limit=built.limit, validity=validity
    )


def race(bench: Bench, finalists: Sequence[Lowered], rounds: int = 3 * ROUNDS) -> list[float]:
    """The target's own time divided by that of each finalist, all measured interleaved in one run, in this process."""
    runs = {"own": caller(bench, bench.kernel)}
    runs |= {str(number): caller(bench, one.kernel(bench.task)) for number, one in enumerate(finalists)}
    samples = in_turns(runs, bench.task.threads, rounds)
    own = samples.pop("own")
    return [statistics.median(a / b for a, b in zip(own, each, strict=True)) for each in samples.values()]


def evaluate(task: Task, space: Space, decisions: Decisions) -> tuple[Result, str]:
    """Build and run a candidate, each in a separate process, and return the machine: the job of an executor."""
    bench = bench_of(task)
    return result_of(lambda: run_alone(bench, build_alone(task, space, decisions))), machine_text()


def build_alone(task: Task, space: Space, decisions: Decisions) -> Built:
    """`build_candidate` in a separate process."""
    limits = task.limits
    made: Built = in_own_process(
        "building", lambda: build_candidate(task, space, decisions), limits.build_seconds, limits.memory
    )
    return made


def run_alone(bench: Bench, built: Built) -> Result:
    """`run_candidate` in a separate process."""
    limits = bench.task.limits
    found: Result = in_own_process(
        "running", lambda: run_candidate(bench, built), limits.run_seconds, limits.memory
    )
    return found


def result_of(work: Callable[[], Result]) -> Result:
    """A result, or why the candidate is dead."""
    try:
        return work()
    except RiseError as error:
        return dead(error.diagnostic)


def dead(diagnostic: Diagnostic) -> Result:
    """The result of a candidate that cannot be used."""
    said = Diagnostic(diagnostic.code, diagnostic.title, hint=diagnostic.hint, notes=diagnostic.notes)
    return Result(State.DEAD, diagnostic=said)


def of_rules(wrong: Diagnostic) -> Diagnostic:
    """A wrong result, or a wrong program, as a finding to report."""
    hint = (
        "a rule or the compiler is wrong: report it with these decisions; it is never the answer of a search"
    )
    return Diagnostic(wrong.code, wrong.title, hint=hint, notes=wrong.notes)


@lru_cache(maxsize=2)
def _bench(identity: str, task: _Same) -> Bench:
    return Bench(task.task)


class _Same:
    """A task that is equal to every other, so that its identity decides."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same)

    def __hash__(self) -> int:
        return 0


def bench_of(task: Task) -> Bench:
    """The bench of a task, created once per process."""
    sizes, options = (repr(sorted(named.items())) for named in (task.sizes, task.options))
    key = digest(rise.show(task.program), sizes, task.target, task.default, options, str(task.seed))
    return _bench(key, _Same(task))


def random_arguments(kernel: Kernel, seed: int) -> list[Any]:
    """Random arguments for a kernel of fixed sizes."""
    generator = np.random.default_rng(seed)
    sizes: dict[Atom, int] = {}
    return [
        tree_of(one.type, [random_value(leaf, sizes, generator) for leaf in leaves_of(one.name, one.type)])
        for one in kernel.procedure.inputs
    ]


def caller(bench: Bench, kernel: Kernel, out: Any = None) -> Callable[[], object]:
    """A call of a kernel that writes its result to the same memory each time."""
    arguments, result = bench.arguments, kernel(*bench.arguments) if out is None else out
    if not isinstance(result, np.ndarray):
        return lambda: kernel(*arguments)
    return lambda: kernel(*arguments, out=result)


def in_turns(
    runs: Mapping[str, Callable[[], object]], threads: int, rounds: int, hopeless: float = 0.0
) -> dict[str, list[float]]:
    """The seconds of each run in each round, interleaved, each the best of a few; processor time if they use one
    thread. Stops after the first round if the last run takes `hopeless` times as long as the first.
    """
    clock = time.thread_time if threads == 1 else time.perf_counter
    often = {name: _repeats(run, clock) for name, run in runs.items()}
    found: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    for _ in range(rounds):
        for name in names:
            found[name].append(min(_clocked(runs[name], often[name], clock) for _ in range(INNER)))
        first, *_, last = found.values()
        if hopeless and last[0] > hopeless * first[0]:
            break
    return found


def spread(ratios: Sequence[float]) -> float:
    """The interquartile range divided by the median."""
    if len(ratios) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return (high - low) / middle


def _repeats(run: Callable[[], object], clock: Callable[[], float]) -> int:
    run()
    often = 1
    while (taken := _clocked(run, often, clock) * often) < MIN_SAMPLE_SECONDS:
        often = max(2 * often, round(often * MIN_SAMPLE_SECONDS / max(taken, 1e-9)))
    return often


def _clocked(run: Callable[[], object], times: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(times):
        run()
    return (clock() - start) / times
