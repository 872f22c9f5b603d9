"""The functions of a checkout of NPBench, unmodified except for added types, under the default strategy for OpenMP.

`--suite PATH` names the checkout; without one, nothing is measured. Each function runs in a process of its own at each
size, with limits of memory and time; its results are compared with those of numpy, on one thread. `--one` is for
internal use: measure this function and print lines of JSON.
"""

from __future__ import annotations

import argparse
import copy
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import _root  # noqa: F401  # before the packages of the repository are imported
import numpy as np
from _measure import load, machine, ratios
from _programs import said_by
from _race import LEAST_ROUNDS, Others, others_said, race
from _report import Table, keep, report
from _suite import SIZES, Benchmark, annotated, benchmarks, leaves, ran

import rise
import shine
import shine.front.lowering  # here, so that no time includes it
from rise.embedding.programs import PythonProgram
from shine.front.jit import Jitted

ARGUMENTS, TRANSLATION, TIMES, SPARE = 300.0, 60.0, 10, 20.0
"""Seconds for the suite to make the arguments, and for the translation; a run of ours may take `TIMES` times as long as
numpy's, plus `SPARE` seconds.
"""
COMPILATION = 40.0
"""Seconds for numba's compiler and its samples; without them, there is no comparison with it."""
ROUNDS, BUDGET = 5, 1.0
#: the largest relative difference of elements, and of results in the Euclidean norm: the suite's own criterion
RELATIVE, NORM = 1e-5, 1e-5
#: what a function with types is refused for that `shine.jit` decides by the lengths of a call
OF_SIZES = ("symbolic-branch", "symbolic-size", "size")
NUMBA = "numba_n"
MEASURED = SIZES[:2]
COLUMNS = ("function", "size", "speed: ours / numpy's", "ours / numba's", "ours ms", "numpy ms", "note")


@dataclass(frozen=True, slots=True)
class Row:
    """A function at a size: whether it is right, and its speed; or why this is not known."""

    name: str
    size: str
    is_right: bool = False
    sizes: str = ""
    translation: float | None = None
    first_call: float | None = None
    speed: float | None = None
    against_numba: float | None = None
    ours: float = 0.0
    numpys: float = 0.0
    note: str = ""


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="the functions of NPBench, against numpy")
    parser.add_argument("--suite", type=Path, help="a checkout of NPBench")
    parser.add_argument("--quick", action="store_true", help="two functions at one size, and write nothing")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these functions, and write nothing")
    parser.add_argument("--sizes", nargs="+", default=SIZES, choices=SIZES, help="these sizes")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep rows there, and skip those it has")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long a run of numpy may take")
    parser.add_argument("--memory", type=int, default=8, metavar="GIB", help="how much memory may be used")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.suite is None or not (asked.suite / "bench_info").is_dir():
        print("skipped: NPBench, of which no checkout is given; name one by --suite")
        return
    known = benchmarks(asked.suite)
    if asked.one:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (asked.memory << 30, asked.memory << 30))
            for fact in measured(known[asked.one], asked.sizes[0], asked.seconds, asked.quick):
                print(json.dumps(fact), flush=True)
        except rise.RiseError as error:
            print(json.dumps({"failed": said(error)}))
        return
    before, watched = load(), Others.now()
    names = asked.only or tuple(known)[: 2 if asked.quick else None]
    sizes = SIZES[:1] if asked.quick else asked.sizes
    rows = read(asked.resume)
    for size, name in ((size, name) for size in sizes for name in names):
        if any((row.name, row.size) == (name, size) for row in rows):
            continue
        before_it = next((row for row in rows if row.name == name and is_refused(row)), None)
        row = Row(name, size, note=before_it.note) if before_it else of_function(name, size, asked)
        rows.append(row)
        print("  ".join(cells(row)), file=sys.stderr, flush=True)
        if asked.resume:
            with asked.resume.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(asdict(row)) + "\n")
    is_partial = asked.quick or bool(asked.only)
    rows.sort(key=lambda row: (tuple(known).index(row.name), SIZES.index(row.size)))
    loads = others_said(watched, before)
    report(
        "npbench", [summary(rows, asked.seconds, asked.memory), functions(rows)], machine(), loads, is_partial
    )
    if is_partial:
        print(speeds(rows).plain())
    else:
        keep("npbench_rows", [speeds(rows)], machine(), loads)


def said(error: rise.RiseError) -> str:
    """An error message in one line, with the line of the suite's file."""
    problem = error.diagnostic
    line = problem.to_dict()["labels"][0]["line"] if problem.labels else ""
    return f"{problem.code}: {problem.title}" + f" (line {line})" * bool(line)


def read(kept: Path | None) -> list[Row]:
    """The rows of an interrupted run."""
    if kept is None or not kept.exists():
        return []
    return [Row(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def of_function(name: str, size: str, asked: argparse.Namespace) -> Row:
    """What the process of a function at a size reports; it is stopped if a stage exceeds its time limit."""
    command = [sys.executable, str(Path(__file__).resolve()), "--suite", str(asked.suite), "--one", name]
    command += ["--sizes", size, "--seconds", str(asked.seconds), "--memory", str(asked.memory)]
    command += ["--quick"] if asked.quick else []
    stage, found = "the start", {}
    for fact in said_by(command, 1, TRANSLATION):
        stage = fact.get("stage", stage)
        if "failed" in fact or ("ended" in fact and stage != NUMBA):
            found["note"] = fact.get("failed") or f"{stage}: {fact['ended']}"
        found |= {key: fact[key] for key in Row.__slots__ if key in fact}
    return Row(**{"name": name, "size": size, **found})


def measured(one: Benchmark, size: str, seconds: float, quick: bool) -> Iterator[dict[str, Any]]:
    """The results after each stage, each with the time limit of the next stage in seconds; numpy's is given."""
    yield {"stage": "the arguments", "limit": ARGUMENTS}
    arguments = one.arguments(size)
    yield {"stage": "the translation", "limit": TRANSLATION}
    # The cache is empty. Times are of this process, without the C compiler's.
    with tempfile.TemporaryDirectory() as cache:
        begun = time.process_time()
        try:
            program, sizes, translation = translated(one, size)
        except rise.RiseError as error:
            if error.diagnostic.code not in OF_SIZES:
                raise
            jitted = shine.jit(one.function, threads=1, cache=cache)
            jitted.lower(*arguments)
            kernel: Callable[..., Any] = jitted
            yield {"stage": "the arguments", "limit": TRANSLATION, "first_call": time.process_time() - begun}
            sizes = "of a call"
        else:
            begun = time.process_time()
            kernel = shine.compile(program, target="openmp", threads=1, cache=cache)
            first_call = translation + time.process_time() - begun
            yield {
                "stage": "the arguments",
                "limit": TRANSLATION,
                "translation": translation,
                "first_call": first_call,
            }
    yield {"sizes": sizes}
    yield {"stage": "a run of numpy", "limit": seconds}
    begun = time.perf_counter()
    returned, changed = ran(one.function, arguments)
    numpys = time.perf_counter() - begun
    yield {"stage": "a run", "limit": TIMES * numpys + SPARE}
    mine = list(leaves(kernel(*copy.deepcopy(list(arguments)))))
    if returned is None and len(mine) != len(changed):  # an array may have been assigned equal elements
        changed = assigned(one, arguments)
    wanted = list(changed.values()) if returned is None else list(leaves(returned))
    wrong = differences(mine, wanted)
    if wrong:
        if not differs_from_itself(one, arguments, changed, wanted):
            yield {"failed": wrong}
            return
        yield {"note": "numpy's results differ as much if all arguments grow by one unit in the last place"}
    yield {"is_right": True, "numpys": numpys}
    if size not in MEASURED:
        return
    rounds = LEAST_ROUNDS if quick else ROUNDS
    yield {"stage": "sampling", "limit": TRANSLATION + 20 * (TIMES + 1) * numpys}
    ours = partial(kernel, *arguments)
    if isinstance(kernel, Jitted):  # its calls change the arrays
        ours = partial(on_copies, kernel, arguments, changed)
    samples = race(
        {"ours": ours, "numpy": partial(on_copies, one.function, arguments, changed)}, 1, rounds, BUDGET
    )
    yield {"speed": ratios(samples["ours"], samples["numpy"])[0], "ours": samples["ours"].median}
    yield {"numpys": samples["numpy"].median, "stage": NUMBA, "limit": COMPILATION}
    theirs = compiled(one, arguments, changed)
    if theirs is not None:
        samples = race({"ours": ours, "numba": theirs}, 1, rounds, BUDGET)
        yield {"against_numba": ratios(samples["ours"], samples["numba"])[0]}


def differs_from_itself(
    one: Benchmark, arguments: Sequence[Any], changed: Mapping[int, Any], wanted: Sequence[Any]
) -> bool:
    """Whether numpy's results differ from themselves, by the same criterion, if all floating-point numbers of the
    arguments grow by one unit in the last place: then no other order of operations gives them, either.
    """
    near = [np.nextafter(each, np.inf) if np.asarray(each).dtype.kind == "f" else each for each in arguments]
    returned, own = ran(one.function, near)
    found = [own[place] for place in changed] if returned is None else list(leaves(returned))
    return bool(differences(found, wanted))


def translated(one: Benchmark, size: str) -> tuple[PythonProgram, str, float]:
    """The function as a program, whether it accepts any sizes, and the seconds that this took."""
    begun = time.process_time()
    try:
        types, sizes = one.types(), "any"
    except (ValueError, MemoryError):  # its arrays grow too quickly with its parameters
        types, sizes = one.fixed_types(size), "fixed"
    function = annotated(one.function, types)
    begun = time.process_time()
    return rise.program(function), sizes, time.process_time() - begun


def assigned(one: Benchmark, arguments: Sequence[Any]) -> dict[int, Any]:
    """The arrays that the description names as results, after a run by numpy."""
    own = copy.deepcopy(list(arguments))
    one.function(*own)
    positions = [one.about["input_args"].index(name) for name in one.about["output_args"]]
    return {position: own[position] for position in positions}


def on_copies(function: Callable[..., Any], arguments: Sequence[Any], changed: Container[int]) -> Any:
    """Run a function on copies of the arrays that it changes, so that each run begins with the same arrays."""
    return function(*(each.copy() if place in changed else each for place, each in enumerate(arguments)))


def differences(found: Sequence[Any], wanted: Sequence[Any]) -> str:
    """How results differ from numpy's by the suite's criterion; "" if they do not."""
    if len(found) != len(wanted):
        return f"expected {len(wanted)} results, found {len(found)}"
    for number, (mine, theirs) in enumerate(zip(found, wanted, strict=True)):
        if mine.shape != theirs.shape:
            return f"result {number}: expected the shape {theirs.shape}, found {mine.shape}"
        if theirs.dtype.kind not in "fc":
            is_near = mine == theirs
        else:
            is_near = np.isclose(mine, theirs, rtol=RELATIVE, equal_nan=True)
            is_finite = np.isfinite(mine) & np.isfinite(theirs)
            error = np.linalg.norm((mine - theirs)[is_finite])
            is_near |= is_finite & bool(error < NORM * np.linalg.norm(theirs[is_finite]))
        if not is_near.all():
            return f"result {number}: {np.count_nonzero(~is_near)} of {is_near.size} are wrong"
    return ""


def compiled(one: Benchmark, arguments: Sequence[Any], changed: Container[int]) -> Callable[[], Any] | None:
    """The suite's version for numba, compiled; None if there is none, if numba is not installed, or if it fails."""
    try:
        function = one.variant(NUMBA)
        if function is None:
            return None
        on_copies(function, arguments, changed)
    except Exception:  # whatever the suite's version does not support
        return None
    return partial(on_copies, function, arguments, changed)


def cells(row: Row) -> tuple[str, ...]:
    """The row as text."""
    begin = (row.name, row.size)
    if row.speed is None:
        return *begin, "-", "-", "-", f"{row.numpys * 1e3:.3g}" if row.numpys else "-", row.note or "right"
    numba = "-" if row.against_numba is None else f"{row.against_numba:.2f}"
    return (
        *begin,
        f"{row.speed:.2f}",
        numba,
        f"{row.ours * 1e3:.3g}",
        f"{row.numpys * 1e3:.3g}",
        row.note or "-",
    )


def of_names(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each function."""
    return {
        name: [row for row in rows if row.name == name] for name in dict.fromkeys(row.name for row in rows)
    }


def is_right(rows: Sequence[Row]) -> bool:
    """Whether a function is right at all sizes at which numpy and memory allow a comparison."""
    return any(row.is_right for row in rows) and all(
        row.is_right or row.note.startswith(SKIPPED) for row in rows
    )


#: notes of rows that are not about our program
SKIPPED = ("a run of numpy", "the arguments")


def is_refused(row: Row) -> bool:
    """Whether a function has no program at a size, and so at none."""
    return not row.sizes and not row.note.startswith(SKIPPED)


def summary(rows: Sequence[Row], seconds: float, memory: int) -> Table:
    """The number of correct functions, within these limits for a run of numpy, and the mean speeds."""
    named = of_names(rows)
    right = sum(is_right(each) for each in named.values())
    lines = []
    for size in MEASURED:
        speeds_there = [row.speed for row in rows if row.size == size and row.speed is not None]
        if not speeds_there:
            continue
        numbas = [row.against_numba for row in rows if row.size == size and row.against_numba is not None]
        mean = f"{statistics.geometric_mean(speeds_there):.2f}"
        numba = f"{statistics.geometric_mean(numbas):.2f} ({len(numbas)})" if numbas else "-"
        lines.append(
            (size, str(len(speeds_there)), mean, str(sum(speed < 0.8 for speed in speeds_there)), numba)
        )
    columns = (
        "size",
        "measured",
        "geometric mean: ours / numpy's",
        "below 0.8",
        "geometric mean: ours / numba's",
    )
    note = (
        f"{right} of {len(named)} functions are right without changes, at all of the sizes"
        f" {', '.join(dict.fromkeys(row.size for row in rows))} at which numpy needs at most {seconds:.0f} s and"
        f" {memory} GiB suffice. Speed is 1 / time, on one thread, by processor time. Functions that"
        " both change arrays of the caller and return results are compared by what they return. Each run of numpy and"
        " numba begins with a copy of the arrays that the function changes, as each of ours does."
    )
    return Table(
        "Unmodified NPBench: the default strategy for OpenMP against numpy", columns, tuple(lines), note
    )


def functions(rows: Sequence[Row]) -> Table:
    """Each function: at which sizes it is right, or what is missing."""
    lines = []
    for name, group in of_names(rows).items():
        translation = next((row.translation for row in group if row.translation is not None), None)
        first = next((row.first_call for row in group if row.first_call is not None), None)
        notes = "; ".join(
            dict.fromkeys(f"{row.size}: {row.note}" if row.sizes else row.note for row in group if row.note)
        )
        lines.append(
            (
                name,
                "yes" if is_right(group) else "no",
                " ".join(row.size for row in group if row.is_right) or "-",
                next((row.sizes for row in group if row.sizes), "-"),
                "-" if translation is None else f"{translation:.2f}",
                "-" if first is None else f"{first:.2f}",
                notes or "-",
            )
        )
    columns = ("function", "right", "at", "sizes", "translation s", "first call s", "note")
    note = (
        "`sizes`: whether the types name the sizes, or are those of one size, or of a call, by `shine.jit`. Translation"
        " makes a program of the function; the first call also derives and compiles the kernel, here without the C"
        " compiler's time. Both are processor time, the first in a process."
    )
    return Table("NPBench: functions", columns, tuple(lines), note)


def speeds(rows: Sequence[Row]) -> Table:
    """The speeds at the sizes that are measured."""
    shown = tuple(cells(row) for row in rows if row.size in MEASURED)
    return Table("NPBench: speeds", COLUMNS, shown)


if __name__ == "__main__":
    main()
