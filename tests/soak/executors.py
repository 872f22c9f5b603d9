"""Runs a program on every executor, and compares results with its meaning. Independent of generators.

If an executor rejects a program with a diagnostic, this is counted by its code, and is no failure, unless the
diagnostic itself blames the compiler. Any other deviation from the program's meaning is a failure.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import elevate
import rise
import shine
import strategies
from elevate import FloatClass
from rise.diagnostics import Diagnostic
from rise.programs.dependent_pairs import take_apart
from rise.terms import Expr
from rise.testing.arguments import Call
from shine.cache import default_directory
from shine.kernel import Kernel, make_kernel
from shine.targets import find_target
from shine.translate import translate
from tests.soak.comparison import Agreement, compare
from tests.soak.meaning import Meaning, meaning
from tests.soak.part import Counts, Failure, Note, raised
from tests.soak.processes import isolated

_SEQUENTIAL: Final = "strategies.sequential:sequential"
#: cached files that all kernels share: facts about the C compiler, the module for calls, the simulator's processes, its
#: runtime and its headers
SHARED_FILES: Final = (
    "compiler-*.json",
    "*.module",
    "cuda-sim-host-*.host",
    "cuda-sim-runtime-*.o",
    "cuda-sim-headers-*",
)
MAX_WARM_UP_SECONDS: Final = 120.0
#: words in the hint of a diagnostic that blames the compiler
BLAME: Final = ("report it", "report them")


@dataclass(frozen=True, slots=True)
class Executor:
    """A target with a strategy. `schedules` are the orders of threads to run it under."""

    name: str
    target: str
    strategy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    schedules: tuple[str, ...] = ()

    def built_in(self, cache: Path) -> dict[str, Any]:
        """The options, with the cache folder for compilers."""
        return {**self.options, **({} if self.target == "interpret" else {"cache": str(cache)})}


EXECUTORS: Final = (
    Executor("interpret", "interpret", shine.TARGETS["interpret"].strategy),
    Executor("openmp, sequential", "openmp", _SEQUENTIAL),
    Executor("openmp", "openmp", shine.TARGETS["openmp"].strategy),
    Executor(
        "cuda-sim",
        "cuda-sim",
        shine.TARGETS["cuda-sim"].strategy,
        {"check": True},
        ("ascending", "descending", "random:{seed}"),
    ),
)


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary cache folder for compilers, which contains the shared files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pattern in SHARED_FILES:
            for path in default_directory().glob(pattern):
                (folder / path.name).symlink_to(path)
        yield folder


def warm(examples: Sequence[Expr] = ()) -> None:
    """Load the rules and strategies that most programs need, by lowering examples, and build what all kernels share."""
    e = rise.parse("fun(xs: N.M.f32 => xs |> map(reduce(add, 0.0)))").main
    for executor in EXECUTORS:
        low = strategies.load(executor.strategy)(e)
        assert isinstance(low, elevate.Success), executor
        how, _ = isolated(partial(_built, low.program, executor), MAX_WARM_UP_SECONDS)
        assert how == "done", executor
        for example in examples:
            with suppress(rise.RiseError):
                _print(example, executor)


def _print(e: Expr, executor: Executor) -> None:
    """Lower and print a program; nothing is built."""
    low, target = strategies.load(executor.strategy)(e), find_target(executor.target)
    if isinstance(low, elevate.Success):
        target.outlined(translate(low.program, "kernel", target.levels), executor.options)


def _built(e: Expr, executor: Executor) -> None:
    shine.compile(e, executor.target, **executor.options)


@dataclass(slots=True)
class Judge:
    """Runs one program on executors, and collects counts and failures. `seed` selects schedules."""

    cache: Path
    note: Note
    seed: int = 0
    counts: Counts = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    _meanings: dict[tuple[int, FloatClass], Meaning | rise.RiseError] = field(default_factory=dict)

    def judge(self, e: Expr, calls: Sequence[Call], executors: Sequence[Executor] = EXECUTORS) -> None:
        """Run a program on all executors."""
        for executor in executors:
            self._guarded(executor, e, lambda run_by: self._run(run_by, e, calls))

    def judge_lowered(
        self,
        e: Expr,
        low: Expr,
        float_class: FloatClass,
        calls: Sequence[Call],
        executors: Sequence[Executor] = EXECUTORS,
    ) -> None:
        """Run a lowered program on the targets of all executors."""
        for executor in {executor.target: executor for executor in executors}.values():
            self._guarded(executor, e, lambda run_by: self._run_lowered(run_by, e, low, float_class, calls))

    def _guarded(self, executor: Executor, e: Expr, run: Callable[[Executor], None]) -> None:
        shown = rise.show(e)
        self.note(f"{executor.name}\n{shown}")
        try:
            run(executor)
        except rise.RiseError as error:
            self._refused(executor, error.diagnostic, shown)
        except MemoryError:
            self.counts["without enough memory", executor.name] += 1
        except Exception as error:  # anything but a diagnostic is a failure
            self.failures.append(raised(error, f"{executor.name}\n{shown}"))

    def _run(self, executor: Executor, e: Expr, calls: Sequence[Call]) -> None:
        lowered = strategies.load(executor.strategy)(e)
        if not isinstance(lowered, elevate.Success):
            title = f"`{executor.strategy}` does not apply to the program"
            raise rise.RiseError(Diagnostic("strategy-failed", title))
        assert lowered.program.type == e.type, f"{lowered.program.type} is not {e.type}"
        self._run_lowered(executor, e, lowered.program, lowered.float_class, calls)

    def _run_lowered(
        self, executor: Executor, e: Expr, low: Expr, float_class: FloatClass, calls: Sequence[Call]
    ) -> None:
        procedure = translate(low, "kernel", find_target(executor.target).levels)
        term = take_apart(low).term
        kernels: dict[str, Kernel] = {}
        for number, call in enumerate(calls):
            schedule = self._schedule(executor, number)
            if schedule not in kernels:
                options = executor.built_in(self.cache)
                options |= {"schedule": schedule} if schedule else {}
                first = next(iter(kernels.values()), None)
                kernels[schedule] = (
                    make_kernel(procedure, executor.target, term, **options)
                    if first is None
                    else first.with_options(schedule=schedule)
                )
            self._call(executor, kernels[schedule], e, number, call, float_class)
        self.counts["programs run", executor.name] += 1
        self.counts["schedules", executor.name] += len(kernels) * bool(executor.schedules)

    def _schedule(self, executor: Executor, number: int) -> str:
        known = executor.schedules
        return known[(self.seed + number) % len(known)].format(seed=self.seed % 1000) if known else ""

    def _meaning(self, e: Expr, number: int, call: Call, float_class: FloatClass) -> Meaning | rise.RiseError:
        key = number, float_class
        if key not in self._meanings:
            try:
                self._meanings[key] = meaning(e, call.arguments, call.sizes, float_class)
            except rise.RiseError as error:
                self._meanings[key] = error
        return self._meanings[key]

    def _call(
        self,
        executor: Executor,
        kernel: shine.Kernel,
        e: Expr,
        number: int,
        call: Call,
        float_class: FloatClass,
    ) -> None:
        expected = self._meaning(e, number, call, float_class)
        where = f"{rise.show(e)}\nat {shown_call(call)}"
        try:
            result = kernel(*call.arguments, sizes=dict(call.sizes) or None)
        except rise.RiseError as error:
            code = error.diagnostic.code
            if isinstance(expected, Meaning) or _blames(error.diagnostic):
                self._fail(f"raises {code}", executor, str(error), where)
            self.counts["calls that are errors", code] += 1
            return
        if not isinstance(expected, Meaning):  # a kernel may skip unused results, and thereby their errors
            self.counts["calls that are errors", f"{expected.diagnostic.code}, of the meaning alone"] += 1
            return
        agreement = compare(result, expected)
        self.counted(agreement)
        self.counts["calls", executor.name] += 1
        if agreement.wrong:
            self._fail("wrong result", executor, f"{agreement.wrong}\nthe derivation is {float_class}", where)

    def counted(self, agreement: Agreement) -> None:
        """Count how the numbers of a result compare."""
        self.counts["numbers compared", "the same to the bit"] += agreement.same
        self.counts["numbers compared", "as near as variants of the program are"] += agreement.near
        self.counts["numbers compared", "open"] += agreement.open

    def _refused(self, executor: Executor, diagnostic: Diagnostic, shown: str) -> None:
        if _blames(diagnostic):
            self._fail(f"refused: {diagnostic.code}", executor, str(rise.RiseError(diagnostic)), shown)
        self.counts["refused", f"{executor.name}: {diagnostic.code}"] += 1

    def _fail(self, kind: str, executor: Executor, message: str, subject: str) -> None:
        self.failures.append(Failure(kind, executor.name, message.strip(), subject))


def _blames(diagnostic: Diagnostic) -> bool:
    return any(words in diagnostic.hint for words in BLAME)


def shown_call(call: Call) -> str:
    """The sizes of a call, as text."""
    return ", ".join(f"{name}={size}" for name, size in call.sizes.items()) or "known sizes"
