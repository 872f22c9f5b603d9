"""The score of `check_translation`: which mistakes it finds in imperative programs with one mistake each.

The programs are the cases, lowered by their own strategies. `--quick` tries a few and writes nothing. Nothing is timed.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import _root  # noqa: F401  # before `cases` is imported
from _measure import load, machine
from _report import Table, is_quick, report

import rise
from shine.front.translation_check import Comparable, comparable, compare_kernel
from shine.imperative.nodes import Procedure
from shine.kernel import make_kernel
from shine.targets import find_target
from shine.translate import translate
from tests.cases.stages import CASES, lowered
from tests.shine.procedure_mutants import KINDS, mutants

#: mistakes in each case, and sizes of each name
MISTAKES, COUNT = 10, 3
ONE_IN = 40  # cases, for `--quick`
#: the lengths of rows in the cases in which a call determines them
LENGTHS = "(i |-> i + 1)"
HOWS = ("access", "wrong result", "refused", "not found")
COLUMNS = ("mistake", "mutants", *HOWS)
NOTE = (
    f"Up to {MISTAKES} mistakes in each case, drawn at random, one in each program. `access`: the interpreter finds an "
    "access out of bounds, of an element that is not written, or of one that another iteration writes; `wrong result`: "
    f"a number differs at one of the first {COUNT} sizes of each name, or at sizes of one or two tiles; `refused`: the "
    "program cannot be run. `not found` are equal at all of these, for the numbers tried."
)


@dataclass(frozen=True, slots=True)
class Tried:
    """A mistake in a case, and how it was found."""

    case: str
    kind: str
    how: str


def main() -> None:
    """Try all mutants, and report."""
    quick = is_quick("which mistakes of a translation are found")
    before = load()
    found = list(tried(quick))
    report(
        "translation_mutants",
        [score(found), listed(found)],
        machine(),
        f"load: {before:.1f} before, {load():.1f} after",
        quick,
    )


def tried(quick: bool) -> Iterator[Tried]:
    """The mistakes, each with how it was found."""
    for case in CASES[:: ONE_IN if quick else 1]:
        low = lowered(case, "openmp")
        low = rise.specialise(low, len=LENGTHS) if "len" in dict(case.sizes[0]) else low
        pair = comparable(low)
        procedure = translate(pair.program, "kernel", find_target("interpret").levels)
        made = list(mutants(procedure))
        random.Random(zlib.crc32(case.name.encode())).shuffle(made)
        for kind, one in islice(made, MISTAKES):
            yield Tried(case.name, kind, how_found(pair, one))


def how_found(pair: Comparable, procedure: Procedure) -> str:
    """How a mistake in a procedure is found."""
    try:
        compare_kernel(pair, make_kernel(procedure, "interpret", pair.program), COUNT)
    except AssertionError:  # the interpreter checks accesses
        return "access"
    except rise.RiseError as error:
        return "wrong result" if error.diagnostic.code == "wrong-translation" else "refused"
    return "not found"


def score(found: Sequence[Tried]) -> Table:
    """For each kind, how many mistakes are found, and how."""
    rows = []
    for name in (*KINDS, "all"):
        its = [one for one in found if name in (one.kind, "all")]
        hows = Counter(one.how for one in its)
        rows.append((name, *map(str, (len(its), *(hows[how] for how in HOWS)))))
    lost = sum(one.how == "not found" for one in found)
    share = f"{lost} of {len(found)} are not found ({100 * lost / max(1, len(found)):.1f} %)"
    return Table(f"Mistakes in imperative programs: {share}", COLUMNS, tuple(rows), NOTE)


def listed(found: Sequence[Tried]) -> Table:
    """The mistakes that are not found, by case."""
    lost = Counter((one.case, one.kind) for one in found if one.how == "not found")
    rows = tuple((case, kind, str(count)) for (case, kind), count in sorted(lost.items()))
    return Table("Mistakes that are not found", ("case", "mistake", "mutants"), rows)


if __name__ == "__main__":
    main()
