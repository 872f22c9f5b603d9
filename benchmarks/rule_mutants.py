"""The score of `check` and `prove` on rules of the library with one mistake each.

Each mutant is tested by `check` with its default settings, and proved. A run takes about half an hour, so what is found
about a mutant is kept in a file of JSON lines, under a hash of the mutant and of the source of the tool; what is known
is not tried again, and a run that was ended continues. `--kept` reports what is known, and tries nothing; `--quick`
tries a few, and writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _root  # noqa: F401  # before `tests` is imported
from _measure import load, machine
from _report import ROOT, Table, report

import rise
from elevate import StrategyError
from strategies import EquationRule, RuleFamily, registry
from strategies.proof import prove
from strategies.testing import check
from tests.strategies.proof.rule_mutants import Mutant, mutants

ONE_IN = 60  # rules, for `--quick`
KEPT = ROOT / "build" / "rule_mutants.jsonl"
#: the sources on which each tool depends, and those among them on which it does not
TOOLS = {
    "check": (("elevate", "rise", "strategies"), ("rise/checker", "strategies/proof")),
    "prove": (("elevate", "rise", "strategies"), ("strategies/testing", "rise/testing")),
}
REFUTED, REFUSED, EQUIVALENT, PASSED = "refuted", "little power", "proved", "passed"
NOTE = (
    "`refuted`: `check` finds a counterexample; `little power`: it refuses the rule, because it could not exercise it; "
    "`proved`: it passes, and is proved for all sizes, so the mutant is equivalent; `passed`: it passes, and is not "
    "proved. `proved, though refuted` would be an error of the prover. Times are processor time of one thread."
)


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant, how it was found, whether it was proved, and how long `check` took."""

    address: str
    mutant: Mutant
    how: str
    is_proved: bool
    seconds: float


def main() -> None:
    """Try all mutants, and report."""
    parser = argparse.ArgumentParser(description="which mistakes in rules are found")
    parser.add_argument("--quick", action="store_true", help="few rules, and write nothing")
    parser.add_argument("--kept", action="store_true", help="only the mutants that were tried before")
    options = parser.parse_args()
    quick, before = bool(options.quick), load()
    found = list(tried(quick, bool(options.kept)))
    about = f"load: {before:.1f} before, {load():.1f} after"
    report("rule_mutants", [score(found), listed(found)], machine(), about, quick)


def tried(quick: bool, only_known: bool = False) -> Iterator[Tried]:
    """The mutants, each with how it was found; only those of which both answers are known, if so chosen."""
    known = Known(None if quick else KEPT)
    for entry in list(registry.rules().values())[:: ONE_IN if quick else 1]:
        for mutant in mutants(entry):
            key = f"{entry.address} {mutant.kind} {mutant.text} {conditions(mutant.rule)}"
            if only_known and not all(known.key(tool, key) in known.answers for tool in TOOLS):
                continue
            how, seconds = known.answer("check", key, lambda: timed(how_found, mutant.rule))  # noqa: B023  # called at once
            is_proved = known.answer("prove", key, lambda: holds(mutant.rule))  # noqa: B023  # called at once
            yield Tried(
                entry.address, mutant, EQUIVALENT if how == PASSED and is_proved else how, is_proved, seconds
            )


class Known:
    """What tools answered about mutants, in a file to which each new answer is appended; None keeps nothing."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.hashes = {tool: sources(*parts) for tool, parts in TOOLS.items()}
        lines = file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ()
        self.answers: dict[str, Any] = {one["key"]: one["answer"] for one in map(json.loads, lines)}

    def key(self, tool: str, about: str) -> str:
        """The key of an answer."""
        return hashlib.sha256(f"{tool} {self.hashes[tool]} {about}".encode()).hexdigest()

    def answer(self, tool: str, about: str, ask: Callable[[], Any]) -> Any:
        """The answer of a tool about a mutant, which is asked unless it is known."""
        key = self.key(tool, about)
        if key not in self.answers:
            self.answers[key] = ask()
            if self.file is not None:
                self.file.parent.mkdir(exist_ok=True)
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "answer": self.answers[key]}) + "\n")
        return self.answers[key]


def sources(folders: Sequence[str], without: Sequence[str]) -> str:
    """A hash of the Python files in folders, except some of these."""
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(tuple(f"{one}/" for one in without)):
                digest.update(f"{name}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def conditions(rule: EquationRule | RuleFamily) -> str:
    """What a rule consists of besides its equation."""
    law = rule.rule if isinstance(rule, RuleFamily) else rule
    named = [getattr(one, "__qualname__", "") for one in (*law.where, *(one for _, one in law.compute))]
    return f"{named} {law.float_class} {law.demands} {law.arguments}"


def timed(function: Callable[[Any], Any], argument: Any) -> tuple[Any, float]:
    """A result, and how long it took."""
    start = time.process_time()
    result = function(argument)
    return result, time.process_time() - start


def how_found(rule: EquationRule | RuleFamily) -> str:
    """How `check` finds a mutant."""
    try:
        check(rule)
    except (StrategyError, rise.RiseError) as error:
        return REFUSED if error.diagnostic.code == "little-power" else REFUTED
    return PASSED


def holds(rule: EquationRule | RuleFamily) -> bool:
    """Whether all equations of a rule are proved."""
    return all(verdict.is_proved for verdict in prove(rule))


def score(found: Sequence[Tried]) -> Table:
    """The number of mutants of each kind that are found in each way."""
    kinds = sorted({one.mutant.kind for one in found})
    rows = [(kind, *counts([one for one in found if one.mutant.kind == kind])) for kind in kinds]
    hows = (REFUTED, REFUSED, EQUIVALENT, PASSED)
    share = sum(one.how in (EQUIVALENT, PASSED) for one in found) / len(found)
    title = f"Mistakes in rules that `check` finds: {share:.1%} of {len(found)} mutants that were tried pass"
    columns = ("mistake", "mutants", *hows, "proved, though refuted", "slowest check")
    return Table(title, columns, (*rows, ("all", *counts(found))), NOTE)


def counts(found: Sequence[Tried]) -> tuple[str, ...]:
    """The number of mutants in all, and of those that are found in each way."""
    hows = Counter(one.how for one in found)
    false = sum(one.is_proved and one.how == REFUTED for one in found)
    slowest = max(one.seconds for one in found)
    ways = (hows[how] for how in (REFUTED, REFUSED, EQUIVALENT, PASSED))
    return (*map(str, (len(found), *ways, false)), f"{slowest:.1f} s")


def listed(found: Sequence[Tried]) -> Table:
    """The mutants that pass without a proof, and those that are proved although they are refuted."""
    rows = [
        (one.address.rpartition(":")[2], one.mutant.kind, f"`{one.mutant.text}`", one.how)
        for one in found
        if one.how == PASSED or (one.is_proved and one.how == REFUTED)
    ]
    return Table("Mutants that pass and are not proved", ("rule", "mistake", "mutant", "how"), tuple(rows))


if __name__ == "__main__":
    main()
