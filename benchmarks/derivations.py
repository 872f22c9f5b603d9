"""The cost of deriving the seven matrix products of the paper, and the steps that the paper counts.

Programs are typed and steps are recorded. The first duration is wall-clock time; repeated ones are processor time,
which other jobs on the machine disturb least. The paper counts each success of a strategy, including traversals and
predicates (ICFP 2020, section 6.2); here the reference engine counts these once.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

from _measure import Samples, clocked, in_turns, load, machine
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import strategies
from elevate import Predicate, Rule, Strategy
from elevate.combinators import Not, Repeat
from elevate.directed_strategies import Directed
from elevate.engine import reference
from elevate.engine.run import unused
from elevate.strategy import Id
from elevate.traversals import All, Child, One, Position, Skip, Some

#: versions, and the steps that the paper's figure shows for each
PAPER = {
    "baseline": 657,
    "blocking": 42_489,
    "vectorization": 43_512,
    "loopPerm": 40_493,
    "arrayPacking": 62_317,
    "cacheBlocks": 63_233,
    "parallel": 63_959,
}
LIMIT = 1.0
ALL = 3.0
FIRINGS = 15_000
FUEL = 1_000_000
ROUNDS = 15
COLUMNS = (
    "version",
    "firings",
    "attempts",
    "visits",
    "first ms",
    "again ms",
    "best ms",
    "firings/s",
    "reference: attempts",
    "visits",
    "successes",
    "paper: steps",
)
NOTE = (
    "`first` reads the rules' equations, if no version above did, and compiles the strategy, in wall-clock "
    "time; `again` repeats the derivation, in processor time, with both available. Attempts are rules that were "
    "tried, visits are positions at which a traversal tried its argument. `successes` are counted as the paper counts "
    "steps: each success of a rule, of a predicate, of `id_` and of a traversal, in branches that were discarded as "
    "well."
)
#: strategies that create a success, instead of passing on that of a part
MAKING = (Rule, Predicate, Id, Not, Repeat, All, One, Some, Child, Position, Skip, Directed)


def main() -> None:
    """Measure and report."""
    quick = is_quick("the derivations of seven matrix products")
    before = load()
    program = rise.parse_file(ROOT / "examples" / "mm.rise").main
    versions = ("baseline", "loopPerm") if quick else tuple(PAPER)
    applied = {name: found(name) for name in versions}
    derive = {name: partial(elevate.run, one, program) for name, one in applied.items()}
    first = {name: clocked(run, 1, time.perf_counter) for name, run in derive.items()}
    samples = in_turns(derive, 2 if quick else ROUNDS, clock=time.process_time)
    rows = [row(name, applied[name], program, first[name], samples[name]) for name in versions]
    tables = [Table("Seven derivations", COLUMNS, tuple(rows), NOTE), goals(first, samples, derive)]
    report("derivations", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def found(name: str) -> Strategy:
    """A version, with the tile sizes of the paper."""
    strategy = strategies.load(f"strategies.cpu_gemm:{name}")
    assert isinstance(strategy, Strategy)
    unused(strategy).clear()
    return strategy


def row(name: str, strategy: Strategy, program: rise.Expr, first: float, again: Samples) -> tuple[str, ...]:
    """The cost of a derivation, and its cost in the reference engine."""
    outcome = elevate.run(strategy, program)
    assert isinstance(outcome.result, elevate.Success), name
    counted = outcome.counters
    slow = elevate.run(strategy, program, engine="reference")
    assert slow.result == outcome.result, f"the engines differ on {name}"
    return (
        name,
        *(f"{each:,}" for each in (counted.firings, counted.attempts, counted.visits)),
        f"{first * 1e3:.1f}",
        f"{again.median * 1e3:.1f}",
        f"{min(again.seconds) * 1e3:.1f}",
        f"{counted.firings / again.median:,.0f}",
        *(f"{each:,}" for each in (slow.counters.attempts, slow.counters.visits)),
        f"{successes(strategy, program):,}",
        f"{PAPER[name]:,}",
    )


def successes(strategy: Strategy, program: rise.Expr) -> int:
    """The number of successes in the reference engine, counted in its loop over questions and answers."""
    watch = reference.Watch(FUEL)
    count = 0
    waiting: list[tuple[Any, Any, Strategy]] = []
    asking, place, asked = reference.meaning(strategy, program, None, watch), None, strategy
    value: Any = None
    while True:
        try:
            wanted = next(asking) if value is None else asking.send(value)
        except StopIteration as done:
            value = done.value
            count += isinstance(value, reference.Done) and isinstance(asked, MAKING)
            if not waiting:
                return count
            asking, place, asked = waiting.pop()
            continue
        waiting.append((asking, place, asked))
        asked, term, place = wanted
        asking, value = reference.meaning(asked, term, place, watch), None


def goals(first: dict[str, float], again: dict[str, Samples], derive: dict[str, Any]) -> Table:
    """The table of goals."""
    slowest = max(first, key=lambda name: first[name])
    together = sum(first.values())
    firings = sum(run().counters.firings for run in derive.values())
    medians = sum(statistics.median(one.seconds) for one in again.values())
    bests = sum(min(one.seconds) for one in again.values())
    rows = (
        (
            "each derivation, first in a process",
            f"< {LIMIT:.0f} s",
            f"{first[slowest]:.2f} s at most ({slowest})",
            said(first[slowest] < LIMIT),
        ),
        (
            f"all {len(first)}, one after the other",
            f"< {ALL:.0f} s",
            f"{together:.2f} s",
            said(together < ALL),
        ),
        (
            "firings/s, again",
            f">= {FIRINGS:,}",
            f"{firings / medians:,.0f}; {firings / bests:,.0f} at best",
            said(firings / medians >= FIRINGS),
        ),
    )
    return Table("Goals for derivations", ("what", "target", "measured", "holds"), rows)


def said(holds: bool) -> str:
    """Whether a number meets its goal, as text."""
    return "yes" if holds else "no"


if __name__ == "__main__":
    main()
