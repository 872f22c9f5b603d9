"""The simulator's score: which mistakes it finds in kernels with one mistake each, from the corpus and from our printed
kernels.

`--quick` tries a few and writes nothing, `--corpus` runs the corpus itself under all schedules. Nothing is timed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import _root  # noqa: F401  # before `cases` is imported
from _measure import load, machine
from _report import Table, report

from shine.simulator import build
from shine.simulator.process import POOL
from tests.simulator.mutation import OPERATORS, Mutant, Subject, mutants, of_case
from tests.simulator.printed_kernels import entries, of_entry
from tests.simulator.samples import samples
from tests.simulator.verdicts import SCHEDULES, Verdict, verdict

#: kinds of mistakes that are tried at every place; of the others, one in each kernel
ALL_PLACES = frozenset(
    kind
    for kind, _, _ in OPERATORS
    if kind.startswith(
        (
            "arrival",
            "barrier",
            "wait",
            "commit",
            "fence",
            "instruction",
            "mask",
            "no atomic",
            "swizzle",
            "operands",
            "rank",
            "own block",
        )
    )
)
COLUMNS = ("mistake", "mutants", "reported", "wrong result", "same code", "not found", "not found, certain")
ONE_IN = 60  # for `--quick`
AT_ONCE = 3
NOTE = (
    "Mutants are texts with one mistake each. `reported`: the check build has a finding; `wrong result`: none, but a "
    "result is not the kernel's, under one of ten schedules; `same code`: the C++ compiler makes the same machine code "
    f"of both. What is `not found` gives the kernel's results, and no finding, under all of the {len(SCHEDULES)} "
    "schedules: it is equivalent in this launch at least. That is `certain` for all orders of threads where no access "
    "is atomic or volatile, since a launch without a race has one result; of other kernels a small launch has the same "
    "results, and no finding, under all orders of these accesses. Texts that do not compile are not counted. "
    "Barriers, waits, arrivals, commits, fences, masks, swizzles and operands of instructions were mutated wherever "
    "they are, the other kinds in one place of each kernel."
)
LIST_NOTE = "A launch may have arguments for which a mistake makes no difference; a kernel may have barriers to spare."


def chosen(subject: Subject) -> Iterator[Mutant]:
    """The mutants of a subject that are tried."""
    yield from (one for one in mutants(subject) if one.kind in ALL_PLACES)
    yield from (one for one in mutants(subject, 1) if one.kind not in ALL_PLACES)


def tried(folder: Path, quick: bool) -> list[tuple[Mutant, Verdict]]:
    """All mutants with verdicts, without those that do not compile."""
    subjects = [of_case(case) for case in samples()]
    if not quick:
        subjects += [of_entry(entry, folder) for entry in entries()]
    made = [one for subject in subjects for one in chosen(subject)]
    if quick:
        made = made[::ONE_IN]
    with ThreadPoolExecutor(AT_ONCE) as pool:  # compilers and kernels run in separate processes
        found = list(zip(made, pool.map(lambda one: verdict(one, folder), made), strict=True))
    return [(one, its) for one, its in found if its.how != "refused"]


def score(results: Sequence[tuple[Mutant, Verdict]]) -> Table:
    """For each kind, how many mutants are found, and how."""
    rows = []
    named = dict.fromkeys(kind for kind, _, _ in OPERATORS)
    kinds = [kind for kind in named if any(one.kind == kind for one, _ in results)]
    for name, its in [(kind, [v for one, v in results if one.kind == kind]) for kind in kinds] + [
        ("all", [v for _, v in results])
    ]:
        hows = Counter(one.how for one in its)
        certain = sum(one.how == "survives" and one.is_certain for one in its)
        counts = (
            len(its),
            hows["reported"],
            hows["wrong result"],
            hows["same code"],
            hows["survives"],
            certain,
        )
        rows.append((name, *map(str, counts)))
    lost = sum(its.how in ("survives", "same code") for _, its in results)
    share = f"{lost} of {len(results)} mutants are equivalent ({100 * lost / max(1, len(results)):.1f} %)"
    return Table(f"Mistakes that the simulator finds: {share}", COLUMNS, tuple(rows), NOTE)


def listed(results: Sequence[tuple[Mutant, Verdict]]) -> Table:
    """The mutants that are not found."""
    rows = [
        (one.subject.name, str(one.line), one.kind, f"`{one.old}`", f"`{one.new}`", _how(its))
        for one, its in results
        if its.how in ("survives", "same code")
    ]
    columns = ("kernel", "line", "mistake", "was", "became", "equivalent")
    return Table("Mutants that are not found", columns, tuple(rows), LIST_NOTE)


def _how(verdict: Verdict) -> str:
    if verdict.how == "same code":
        return "same code"
    if verdict.orders:
        return f"in a small launch, for all {verdict.orders} orders"
    return "in this launch, for all orders" if verdict.is_certain else "in this launch, for ten orders"


def check_corpus(folder: Path) -> None:
    """Run every kernel of the corpus under every schedule, and report errors and the longest launch."""
    wrong = 0
    cases = samples()
    slowest = (0.0, "")
    for case in cases:
        program = build(of_case(case).text, check=True, cache=folder)
        for schedule in SCHEDULES:
            before = sum(process.ran for process in POOL.idle())
            found, result = case.launch(program, schedule)
            slowest = max(slowest, (sum(process.ran for process in POOL.idle()) - before, case.kernel))
            if found.findings or not found.finished or not case.is_expected(result):
                wrong += 1
                print(f"{case.kernel} under {schedule}: {found}")
    print(f"{len(cases)} kernels under {len(SCHEDULES)} schedules: {wrong} wrong")
    print(f"slowest checked launch: {slowest[0]:.2f} s of processor time, {slowest[1]}")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few mutants, and write nothing")
    parser.add_argument("--corpus", action="store_true", help="the corpus itself, under all schedules")
    options = parser.parse_args()
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        if options.corpus:
            check_corpus(Path(folder))
            return
        results = tried(Path(folder), options.quick)
        tables = [score(results), *([listed(results)] if not options.quick else [])]
        report("mutants", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", options.quick)


if __name__ == "__main__":
    main()
