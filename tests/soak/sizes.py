"""The part `sizes`: programs at sizes near the limits of integers agree with exact integers, or are rejected.

The programs and the law are from tests/shine/calling. Independent of programs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

import rise
import shine
from tests.shine.calling.size_law import PAIRS, LawBroken, check, term
from tests.shine.calling.size_programs import SizeProgram, size_programs
from tests.soak.draws import drawn
from tests.soak.executors import BLAME, scratch, warm
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised

BATCH: Final = 50
#: targets with their options
TARGETS: Final[dict[str, dict[str, Any]]] = {
    "interpret": {},
    "openmp": {},
    "cuda-sim": {"check": True},
}

Case: TypeAlias = "tuple[SizeProgram, list[tuple[int, int]]]"
Call: TypeAlias = Callable[..., Any]


def run(batch: Batch, note: Note) -> Iterator[Result]:
    """Run the programs of a batch."""
    note("drawing programs")
    seed = derived(batch.seed, "sizes", batch.number)
    cases = drawn(st.tuples(size_programs(), PAIRS), seed, BATCH)
    with scratch() as folder:
        for item, (program, pairs) in enumerate(cases):
            if batch.includes(item):
                counts, failures = judged((program, pairs), folder, note)
                is_whole = bool(failures) or counts["programs run", "cuda-sim"] > 0
                yield Result(item, f"{program.text} at {pairs}", counts, failures, is_whole)


def judged(case: Case, folder: Path, note: Note) -> tuple[Counts, tuple[Failure, ...]]:
    """Run a program at several sizes: evaluated, and on each target with free and known sizes. Returns failures."""
    program, pairs = case
    counts: Counts = Counter()
    failures: list[Failure] = []
    e = term(program)
    if e is None:
        counts["not run", "a number in the program does not fit"] += 1
        return counts, ()
    ways: dict[str, Callable[[], Call]] = {"evaluate": lambda: partial(_evaluated, e)}
    for name, options in TARGETS.items():
        ways[name] = partial(shine.compile, e, name, **_built_in(folder, name, options))
    ways["interpret, known sizes"] = lambda: partial(_specialised, e)
    for name, make in ways.items():
        note(f"{name}\n{program.text} at {pairs}")
        try:
            calls = check(program, pairs, make(), evaluated=name == "evaluate")
        except LawBroken as error:
            failures.append(Failure("wrong result", name, str(error), f"{program.text}\nat {pairs}"))
        except rise.RiseError as error:
            if any(words in error.diagnostic.hint for words in BLAME):
                failures.append(Failure(error.diagnostic.code, name, str(error), program.text))
            counts["refused", f"{name}: {error.diagnostic.code}"] += 1
        except Exception as error:  # anything but a diagnostic is a failure
            failures.append(raised(error, f"{name}\n{program.text}\nat {pairs}"))
        else:
            counts["programs run", name] += 1
            counts.update({("calls", f"{name}: {what}"): count for what, count in calls.items()})
    return counts, tuple(failures)


def _built_in(folder: Path, target: str, options: dict[str, Any]) -> dict[str, Any]:
    return options if target == "interpret" else {**options, "cache": str(folder)}


def _evaluated(e: rise.Expr, x: Any, sizes: dict[str, int]) -> Any:
    return rise.evaluate(e, x, sizes=sizes)


def _specialised(e: rise.Expr, x: Any, sizes: dict[str, int]) -> Any:
    return shine.compile(rise.specialise(e, **sizes), target="interpret")(x)


SIZES: Final = Part(
    "sizes",
    "programs at sizes near the limits of integers agree with exact integers, or are rejected",
    "programs",
    3_000,
    BATCH,
    run,
    minutes=10.0,
    warm=warm,
)
