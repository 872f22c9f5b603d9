"""Measures texts of 100 KB: the time to read, check and show one construct, repeated as often as fits.

The constructs are some of those in `tests/growing`, whose test counts operations; this program measures seconds.
"""

from __future__ import annotations

import multiprocessing
import resource
import time

from _measure import load, machine
from _report import Table, is_quick, report

from tests.growing.answers import answer
from tests.growing.families import FAMILIES
from tests.growing.family import long

CHARACTERS = 100_000
QUICK_CHARACTERS = 10_000
MOST_SECONDS = 5.0
MOST_MEGABYTES = 500.0
#: how often texts that take more than half of `MOST_SECONDS` are measured again; the least time counts
MEASURED_AGAIN = 2
ONE_IN = 10  # of the constructs, which are measured
#: and those that took longest when all were measured
LONGEST = (
    "mistakes: undecided",
    "programs: args accumulate",
    "programs: arrays doubling",
    "programs: chain point free",
    "programs: chain values pairs",
    "programs: long definition used",
    "programs: obligations many",
    "programs: obligations many sizes",
    "programs: pairs growing untyped",
    "programs: sizes chain",
    "programs: uses of one array",
    "sizes: exact right",
    "sizes: in drops",
    "sizes: in pads",
    "sizes: in ranges",
    "sizes: in slides",
    "sizes: in slides of sizes",
    "sizes: in split join",
    "sizes: remainders numbers",
    "terms: after",
    "terms: array many small",
    "terms: array nested",
    "terms: array of tuples",
    "terms: arrays of many lengths",
    "terms: compose",
    "terms: compose unknown",
    "terms: curried call",
    "terms: fst chain",
    "terms: fst snd chain",
    "terms: gather",
    "terms: iterates",
    "terms: joins",
    "terms: maps nested",
    "terms: maps nested fun",
    "terms: minus chain",
    "terms: minus number",
    "terms: not chain",
    "terms: pipes",
    "terms: ranges",
    "terms: splits names",
    "terms: unzips",
    "terms: vector nested",
    "terms: zips",
    "types: pairs of names",
)
QUICK_ONE_IN = 80
ABOUT = (
    "Each text in a process of its own, which has read others before: processor time, and the most memory that the "
    "process had at once, the interpreter and the packages included. Texts that take more than 2.5 s are measured "
    "three times, and the least time counts. A text that is refused is answered, too."
)

Answered = tuple[str, str, float, float]  # the construct, what came out, seconds, megabytes


def main() -> None:
    """Measure and report."""
    quick = is_quick("texts of 100 KB that repeat one construct")
    before = load()
    answer("val f = fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)) |> split(4) |> join)")
    answer("fun(x => y)")
    names, characters = list(dict.fromkeys([*LONGEST, *list(FAMILIES)[::ONE_IN]])), CHARACTERS
    if quick:
        names, characters = list(FAMILIES)[::QUICK_ONE_IN], QUICK_CHARACTERS
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        found = [pool.apply(answered, (name, characters)) for name in names]
        for _ in range(0 if quick else MEASURED_AGAIN):
            found = [
                min(one, pool.apply(answered, (one[0], characters)), key=seconds_of)
                if seconds_of(one) > MOST_SECONDS / 2
                else one
                for one in found
            ]
    found.sort(key=lambda one: -one[2])
    rows = [(name, code, f"{seconds:.2f} s", f"{size:.0f} MB") for name, code, seconds, size in found]
    longest, largest = max(one[2] for one in found), max(one[3] for one in found)
    holds = "yes" if longest < MOST_SECONDS and largest < MOST_MEGABYTES else "no"
    goal = (f"< {MOST_SECONDS:g} s, < {MOST_MEGABYTES:g} MB", f"{longest:.2f} s", f"{largest:.0f} MB", holds)
    tables = [
        Table(
            f"{len(found)} texts of {characters // 1000} KB",
            ("goal", "longest", "largest", "holds"),
            (goal,),
            ABOUT,
        ),
        Table(
            "Each construct, those that take longest first",
            ("construct", "answer", "time", "memory"),
            tuple(rows),
        ),
    ]
    report("texts", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def seconds_of(one: Answered) -> float:
    """The time of a response."""
    return one[2]


def answered(name: str, characters: int) -> Answered:
    """The response to the longest text of a construct, and its cost."""
    text = long(FAMILIES[name], characters)
    start = time.process_time()
    code = answer(text)
    seconds = time.process_time() - start
    return name, code, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
