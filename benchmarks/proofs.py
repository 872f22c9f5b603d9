"""Proofs for all sizes: equations of the library, firings of the matrix products, derivations of the cases.

A derivation is first checked as a whole, from the original program to the result; if that fails, in parts, down to
single steps. A firing is checked by itself: the program after it against the one before. No rule is trusted.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from _measure import load, machine
from _report import ROOT, Table, is_quick, report

import elevate
import rise
import strategies
from elevate import Derivation, FloatClass, StrategyError
from rise.checker import check
from rise.terms import Expr
from shine.front.lowering import load_strategy
from shine.targets import TARGETS
from strategies import EquationRule, RuleFamily, registry
from strategies.proof import Verdict, check_derivation, prove
from strategies.proof.operators import operators_of

CASES = ROOT / "cases"
QUICK_CASES = ("axpy",)
VERSIONS = (
    "baseline",
    "blocking",
    "vectorization",
    "loopPerm",
    "arrayPacking",
    "cacheBlocks",
    "parallel",
    "microKernel",
    "packed",
)
QUICK_VERSIONS = ("baseline",)
NOTE = "Times are processor time of one thread."


def main() -> None:
    """Measure and report."""
    quick = is_quick("what is proved for all sizes")
    before = load()
    tables = [
        library(quick),
        firings(QUICK_VERSIONS if quick else VERSIONS),
        derivations(QUICK_CASES if quick else tuple(sorted(path.stem for path in CASES.glob("*.rise")))),
    ]
    report("proofs", tables, machine(), f"load: {before:.1f} before, {load():.1f} after", quick)


def library(quick: bool) -> Table:
    """The verdicts on the rules of the library that have an equation."""
    entries = [entry for entry in registry.rules().values() if not registry_by_function(entry)]
    both = {"equations": [], "inverses": []}  # type: dict[str, list[tuple[Verdict, float]]]
    for entry in entries[:: 40 if quick else 1]:
        both["equations"] += timed(entry.rule)
        try:
            both["inverses"] += timed(entry.rule.inv)
        except StrategyError:
            continue  # the rule has none
    rows = []
    for kind, verdicts in both.items():
        seconds = [one for _, one in verdicts]
        slowest, most = max(((verdict.rule, one) for verdict, one in verdicts), key=lambda pair: pair[1])
        fast = sum(one < 0.1 for one in seconds)
        proved = sum(verdict.is_proved for verdict, _ in verdicts)
        still_open = ", ".join(
            dict.fromkeys(verdict.rule for verdict, _ in verdicts if not verdict.is_proved)
        )
        rows.append(
            (
                kind,
                f"{proved} of {len(verdicts)}",
                f"{sum(seconds):.1f} s",
                f"{100 * fast / len(seconds):.1f} %",
                f"{most:.2f} s ({slowest})",
                still_open,
            )
        )
    columns = ("what", "proved", "all", "under 0.1 s", "slowest", "open")
    return Table("Rules of the library", columns, tuple(rows), NOTE)


def registry_by_function(entry: registry.RuleEntry) -> bool:
    """Whether the right side of a rule is computed by a function."""
    return (entry.rule.rule if hasattr(entry.rule, "rule") else entry.rule).by is not None


def timed(rule: EquationRule | RuleFamily) -> list[tuple[Verdict, float]]:
    """The verdicts on a rule, each with its time."""
    start = time.process_time()
    verdicts = prove(rule)
    each = (time.process_time() - start) / len(verdicts)
    return [(verdict, each) for verdict in verdicts]


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a firing or a derivation is checked, and how long that took."""

    is_checked: bool
    seconds: float


def firings(versions: tuple[str, ...]) -> Table:
    """Each step of the derivations of the papers' matrix products, checked by itself."""
    program = rise.parse_file(ROOT / "examples" / "mm.rise").main
    rows, every = [], []  # type: list[tuple[str, ...]], list[Checked]
    for name in versions:
        derivation = elevate.derive(strategies.load(f"strategies.cpu_gemm:{name}"), program)
        found = list(steps_of(derivation))
        every += found
        rows.append((name, *counted(found)))
    if len(versions) > 1:
        rows.append(("all", *counted(every)))
    columns = ("version", "proved", "share", "median", "slowest")
    return Table("Firings of the matrix products", columns, tuple(rows), NOTE)


def steps_of(derivation: Derivation[Expr]) -> Iterator[Checked]:
    """Each step of a derivation, checked by itself."""
    programs = list(derivation.programs())
    for step, (given, result) in zip(derivation.steps, pairwise(programs), strict=True):
        reorders = step.rule.float_class >= FloatClass.REASSOCIATING
        contracts = step.rule.float_class >= FloatClass.CONTRACTING
        start = time.process_time()
        answer = check(given, result, operators_of(given, result) if reorders else (), contracts)
        yield Checked(answer.is_checked, time.process_time() - start)


def counted(found: list[Checked]) -> tuple[str, ...]:
    """The number of checked ones, as cells."""
    done = sum(one.is_checked for one in found)
    seconds = [one.seconds for one in found]
    return (
        f"{done} of {len(found)}",
        f"{100 * done / len(found):.1f} %",
        f"{1e3 * statistics.median(seconds):.1f} ms",
        f"{max(seconds):.2f} s",
    )


def derivations(names: tuple[str, ...]) -> Table:
    """The derivations of cases by the default strategy of OpenMP, by float class."""
    classes: dict[FloatClass, list[tuple[str, int, int, float]]] = {}
    for name in names:
        program = rise.parse_file(CASES / f"{name}.rise").main
        strategy = load_strategy(TARGETS["openmp"].strategy)
        derivation = elevate.derive(strategy, program)
        start = time.process_time()
        found = check_derivation(derivation)
        seconds = time.process_time() - start
        classes.setdefault(derivation.float_class, []).append(
            (name, found.stopped, len(found.parts), seconds)
        )
    rows = []
    for float_class, cases in sorted(classes.items()):
        at_once = sum(not stopped and parts <= 1 for _, stopped, parts, _ in cases)
        done = sum(not stopped for _, stopped, _, _ in cases)
        rows.append(
            (
                str(float_class),
                f"{at_once} of {len(cases)}",
                f"{done} of {len(cases)}",
                f"{statistics.median(seconds for *_, seconds in cases):.2f} s",
                ", ".join(name for name, stopped, _, _ in cases if stopped),
            )
        )
    columns = ("float class", "checked at once", "checked, also in parts", "median", "a step is open in")
    return Table("Derivations of the cases by the default strategy of OpenMP", columns, tuple(rows), NOTE)


if __name__ == "__main__":
    main()
