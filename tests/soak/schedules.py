"""The part `schedules`: GPU kernels give the same result under many orders of their threads, without a race.

Depends on the cases and the derived kernels of the tests, but on none of them by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import numpy as np

import elevate
import rise
import shine
import strategies
from cases.case_files import extent, read_case
from elevate import FloatClass
from rise.programs.dependent_pairs import take_apart
from rise.terms import Expr
from rise.testing.arguments import parameters, value
from shine.kernel import Kernel, make_kernel
from shine.targets import find_target
from shine.targets.cuda.target import COMMON
from shine.translate import translate
from tests.cuda.entries import CASES, ENTRIES, Entry, derive, program
from tests.cuda.kernels import architecture_for
from tests.soak.comparison import compare
from tests.soak.executors import scratch, warm
from tests.soak.meaning import Meaning, flat, meaning
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised

BATCH: Final = 10
#: the largest case that is simulated, by the product of its sizes
MAX_EXTENT: Final = 2000
_ORDERS: Final = ("ascending", "descending")


@dataclass(frozen=True, slots=True)
class Subject:
    """A program at known sizes, and a function that lowers it and gives the derivation's float class."""

    name: str
    program: Expr
    lower: Callable[[], tuple[Expr, FloatClass]]
    arch: str = COMMON


@cache
def subjects() -> tuple[Subject, ...]:
    """All cases under the target's own strategy, at their largest small sizes, and the derived kernels."""
    all_subjects: list[Subject] = []
    for path in sorted(CASES.glob("*.rise")):
        case = read_case(path.stem, path.read_text(encoding="utf-8"))
        small = [dict(sizes) for sizes in case.sizes if extent(dict(sizes)) <= MAX_EXTENT]
        e = rise.specialise(rise.parse(case.text, case.name).main, **max(small, key=extent))
        all_subjects.append(Subject(case.name, e, partial(_by_own_strategy, e)))
    for entry in ENTRIES:
        sizes = dict(min(entry.sizes, key=lambda one: extent(dict(one))))
        e = rise.specialise(program(entry.program), **sizes)
        all_subjects.append(
            Subject(str(entry), e, partial(_as_derived, entry, sizes), architecture_for(entry))
        )
    return tuple(all_subjects)


def _by_own_strategy(e: Expr) -> tuple[Expr, FloatClass]:
    low = strategies.load(shine.TARGETS["cuda-sim"].strategy)(e)
    assert isinstance(low, elevate.Success), low
    return low.program, low.float_class


def _as_derived(entry: Entry, sizes: dict[str, int]) -> tuple[Expr, FloatClass]:
    return rise.specialise(derive(entry), **sizes), FloatClass.REASSOCIATING


def run(batch: Batch, note: Note) -> Iterator[Result]:
    """Run a kernel under several schedules."""
    subject = subjects()[batch.number % len(subjects())]
    note(f"building a kernel\n{subject.name}")
    seed = derived(batch.seed, "schedules", batch.number)
    first: list[Any] = []
    with scratch() as folder:
        options = {"check": True, "cache": str(folder), "arch": subject.arch}
        try:
            low, float_class = subject.lower()
            procedure = translate(low, "kernel", find_target("cuda-sim").levels)
            term = take_apart(low).term
            random = np.random.default_rng(seed)
            arguments = tuple(value(t, random) for t in parameters(subject.program))
            expected = meaning(subject.program, arguments, {}, float_class)
            first_kernel = make_kernel(procedure, "cuda-sim", term, **options)
        except Exception as error:
            yield Result(0, failures=(raised(error, subject.name),))
            return
        for item in range(BATCH):
            if not batch.includes(item):
                continue
            schedule = _ORDERS[item] if item < len(_ORDERS) else f"random:{(seed + item) % 100_000}"
            note(f"{schedule}\n{subject.name}")
            counts: Counts = Counter({("kernels", subject.name): 1})
            try:
                kernel = first_kernel.with_options(schedule=schedule)
                failures = _judged(subject, kernel, schedule, arguments, expected, first)
            except Exception as error:
                failures = (raised(error, f"{subject.name}, {schedule}"),)
            yield Result(item, counts=counts, failures=failures)


def _judged(
    subject: Subject,
    kernel: Kernel,
    schedule: str,
    arguments: tuple[Any, ...],
    expected: Meaning,
    first: list[Any],
) -> tuple[Failure, ...]:
    """Failures if a result is not the program's meaning, or differs from that under the first schedule."""
    where = f"{subject.name}, {schedule}"
    try:
        result = flat(kernel(*arguments))
    except rise.RiseError as error:
        return (Failure(f"raises {error.diagnostic.code}", subject.name, str(error), where),)
    agreement = compare(result, expected)
    if agreement.wrong:
        return (Failure("wrong result", subject.name, agreement.wrong, where),)
    if not first:
        first.append(result)
    exact = Meaning(first[0], (), False)
    agreement = compare(result, exact)
    if agreement.wrong and "atomic" not in kernel.source:  # additions by several threads come in any order
        return (Failure("another result", subject.name, f"under another schedule: {agreement.wrong}", where),)
    return ()


def _warm() -> None:
    warm()
    subjects()


SCHEDULES: Final = Part(
    "schedules",
    "GPU kernels of cases and derivations in the simulator, which finds races, each under ten orders of its threads",
    "schedules",
    6_640,
    BATCH,
    run,
    minutes=10.0,
    warm=_warm,
)
