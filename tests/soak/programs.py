"""The part `programs`: random programs on all executors. Depends on the generators and their features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

import rise
from rise import Primitive
from rise.fingerprints import digest
from rise.nodes import postorder
from rise.scalars import SCALARS
from rise.terms import DepLam, Expr, Lam
from rise.testing import features
from rise.testing import programs as random_programs
from rise.testing.arguments import Call, calls
from rise.testing.user_programs import written_programs
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FragmentType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    VectorType,
)
from strategies.testing import programs as rewritten_programs
from tests.soak.draws import distinct, drawn
from tests.soak.executors import EXECUTORS, Executor, Judge, scratch, warm
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived
from tests.soak.processes import isolated
from tests.soak.shrinking import shrunk, smaller_programs

BATCH: Final = 50
#: programs of each generator that are lowered before the first batch
EXAMPLES: Final = 8
#: calls per program, at different sizes or with different inputs
CALLS: Final = 3
#: seconds for one candidate while a failure is shrunk
MAX_SHRINK_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Source:
    """A generator, and its share of ten batches."""

    name: str
    strategy: st.SearchStrategy[Expr]
    share: int


def _terms() -> st.SearchStrategy[Expr]:
    """Terms of all primitives; `iterate` makes arrays of exponential size."""
    drawn_terms = random_programs().map(lambda run: run.program)
    return drawn_terms.filter(lambda e: "primitive iterate" not in features(e))


SOURCES: Final = (
    Source("programs as people write them, with free and known sizes", written_programs(), 4),
    Source(
        "programs as people write them, at known sizes",
        st.builds(lambda e, n: _fixed(e, n), written_programs(), st.integers(0, 99)),
        2,
    ),
    Source("terms of any primitives", _terms(), 2),
    Source("terms as rules are tested on", rewritten_programs(), 1),
    Source("long programs as people write them", written_programs(steps=9), 1),
)


def _fixed(e: Expr, seed: int) -> Expr:
    """A program with its sizes fixed."""
    program_calls = list(calls(e, 2, seed))
    sizes = dict(program_calls[-1].sizes) if program_calls else {}
    return rise.specialise(e, **sizes) if sizes else e


def source_of(batch: Batch) -> Source:
    """The generator of a batch: all in turn, so that short runs use each."""
    rounds = range(max(source.share for source in SOURCES))
    turns = [source for k in rounds for source in SOURCES if k < source.share]
    return turns[batch.number % len(turns)]


def programs_of(batch: Batch) -> list[Expr]:
    """The programs of a batch."""
    return drawn(source_of(batch).strategy, _seed(batch), BATCH)


def warm_up() -> None:
    """Load what most programs need, before batches start in their own processes: the generators, too."""
    warm([e for source in SOURCES for e in drawn(source.strategy, 0, EXAMPLES)])


def _seed(batch: Batch) -> int:
    return derived(batch.seed, "programs", batch.number)


def run(batch: Batch, note: Note, executors: tuple[Executor, ...] = EXECUTORS) -> Iterator[Result]:
    """Run the programs of a batch."""
    note("drawing programs")
    source = source_of(batch)
    with scratch() as folder:
        for item, e in distinct(programs_of(batch)):
            if batch.includes(item):
                judge = _judged(e, _seed(batch) + item, folder, note, executors)
                judge.counts["drawn from", source.name] += 1
                ran = sum(judge.counts["programs run", executor.name] for executor in executors)
                is_whole = ran == len(executors) or bool(judge.failures)
                yield Result(item, _key(e), judge.counts, tuple(judge.failures), is_whole)


def _judged(e: Expr, seed: int, cache: Path, note: Note, executors: tuple[Executor, ...]) -> Judge:
    """Run one program on the executors, at several sizes."""
    judge = Judge(cache, note, seed)
    program_calls = list(calls(e, CALLS, seed, is_odd=seed % 3 == 0))
    if not program_calls:
        judge.counts["not run", "no sizes were found at which it makes sense and is small"] = 1
        return judge
    _count(e, program_calls, judge.counts)
    judge.judge(e, program_calls, executors)
    return judge


def _key(e: Expr) -> str:
    return digest(e, {}).hex()


def look_smaller(batch: Batch, failure: Failure, executors: tuple[Executor, ...] = EXECUTORS) -> str | None:
    """The smallest program found that fails like an item of a batch, each candidate in a separate process."""
    assert batch.only is not None
    failing = tuple(executor for executor in executors if executor.name == failure.where) or executors
    seed = _seed(batch) + batch.only

    def fails(e: Expr) -> bool:
        how, signatures = isolated(partial(_signatures, e, seed, failing), MAX_SHRINK_SECONDS)
        return how == failure.kind or (how == "done" and failure.signature in signatures)

    return rise.show(shrunk(programs_of(batch)[batch.only], smaller_programs, fails))


def _signatures(e: Expr, seed: int, executors: tuple[Executor, ...]) -> set[tuple[str, str]]:
    with scratch() as folder:
        judge = _judged(e, seed, folder, lambda _: None, executors)
    return {failure.signature for failure in judge.failures}


def _count(e: Expr, program_calls: list[Call], counts: Counts) -> None:
    """Count the features of a program."""
    nodes = list(postorder(e))
    names = {node.name for node in nodes if isinstance(node, Primitive)}
    counts.update(("primitives", name) for name in names)
    types = [node for node in nodes if isinstance(node, Type)]
    scalars = {t.name for t in types if isinstance(t, ScalarType)}
    counts.update(("programs with", name) for name in scalars & SCALARS.keys())
    for what, cls in _KINDS.items():
        if any(isinstance(t, cls) for t in types):
            counts["programs with", what] += 1
    if any(not isinstance(call.sizes.get("N", 1), int) or call.sizes for call in program_calls):
        counts["programs with", "free sizes"] += 1
    if any(_is_empty(value) for call in program_calls for value in call.arguments):
        counts["programs with", "an array of no elements among the arguments"] += 1
    applied = sum(1 for node in nodes if isinstance(node, Primitive))
    counts["primitives in a program", _bucket(applied)] += 1
    counts[
        "functions inside of each other", f"{min(_depth(e), 9)}" + ("" if _depth(e) < 9 else " or more")
    ] += 1


_KINDS: Final[dict[str, type]] = {
    "arrays": ArrayType,
    "pairs": PairType,
    "vectors": VectorType,
    "indices": IndexType,
    "rows of different lengths": DepArrayType,
    "dependent pairs": DepPairType,
    "fragments": FragmentType,
}


def _is_empty(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_is_empty, value))
    return bool(np.size(value) == 0)


def _bucket(count: int) -> str:
    ends = (5, 10, 20, 40, 80)
    last = next((end for end in ends if count <= end), None)
    return f"up to {last:2}" if last else f"more than {ends[-1]}"


def _depth(e: Expr) -> int:
    deepest: dict[Any, int] = {}
    for node in postorder(e):
        inside = max((deepest[part] for part in node.parts), default=0)
        deepest[node] = inside + isinstance(node, Lam | DepLam)
    return deepest[e]


PROGRAMS: Final = Part(
    "programs",
    "random programs on all executors, at up to three sizes each",
    "programs",
    10_000,
    BATCH,
    run,
    look_smaller,
    minutes=72.0,
    warm=warm_up,
)
