"""The part `cuda`: compiles random programs to machine code, for every architecture in turn. Runs no kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

import elevate
import rise
import shine
import strategies
from rise.diagnostics import RiseError
from rise.hardware import ARCHITECTURES
from rise.testing.user_programs import written_programs
from tests import required_tools
from tests.soak.draws import distinct, drawn
from tests.soak.executors import BLAME, scratch, warm
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised
from tests.soak.processes import isolated
from tests.soak.shrinking import shrunk, smaller_programs

BATCH: Final = 20
#: seconds for one candidate while a failure is shrunk
MAX_SHRINK_SECONDS: Final = 120.0


def absent() -> str:
    """The missing tool for compiling CUDA; empty if there is one."""
    return "" if required_tools.has_cuda_compiler() else required_tools.CUDA_COMPILER


def run(batch: Batch, note: Note) -> Iterator[Result]:
    """Compile the programs of a batch."""
    note("drawing programs")
    seed = derived(batch.seed, "cuda", batch.number)
    for item, e in distinct(drawn(written_programs(), seed, BATCH)):
        if batch.includes(item):
            arch = arch_of(batch.number, item)
            note(f"{arch}\n{rise.show(e)}")
            counts, failures = judged(e, arch)
            yield Result(item, rise.show(e), counts, failures, bool(counts["compiled for", arch] or failures))


def arch_of(batch: int, item: int) -> str:
    """The architecture of an item: all in turn."""
    return sorted(ARCHITECTURES)[(batch + item) % len(ARCHITECTURES)]


def judged(e: rise.Expr, arch: str) -> tuple[Counts, tuple[Failure, ...]]:
    """Compile a program. Returns counts and failures."""
    counts: Counts = Counter()
    try:
        low = strategies.load(shine.TARGETS["cuda"].strategy)(e)
        assert isinstance(low, elevate.Success), low
        with scratch() as folder:
            assert shine.compile(low.program, "cuda", arch=arch, cache=str(folder)).machine_code()
    except RiseError as error:
        if any(words in error.diagnostic.hint for words in BLAME):
            return counts, (Failure(error.diagnostic.code, arch, str(error), rise.show(e)),)
        counts["refused", error.diagnostic.code] += 1
    except Exception as error:  # anything but a diagnostic is a failure
        return counts, (raised(error, rise.show(e)),)
    else:
        counts["compiled for", arch] += 1
    return counts, ()


def look_smaller(batch: Batch, failure: Failure) -> str | None:
    """The smallest program found that fails like an item of a batch."""
    assert batch.only is not None
    seed = derived(batch.seed, "cuda", batch.number)
    arch = arch_of(batch.number, batch.only)

    def fails(e: rise.Expr) -> bool:
        how, result = isolated(partial(judged, e, arch), MAX_SHRINK_SECONDS)
        return how == "done" and failure.signature in {found.signature for found in result[1]}

    return rise.show(shrunk(drawn(written_programs(), seed, BATCH)[batch.only], smaller_programs, fails, 60))


CUDA: Final = Part(
    "cuda",
    "random programs as CUDA C++, compiled for every architecture in turn",
    "programs",
    600,
    BATCH,
    run,
    look_smaller,
    minutes=8.0,
    warm=warm,
    absent=absent,
)
