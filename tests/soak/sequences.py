"""The part `sequences`: whole strategies and rules of the library, one after the other, change no program's meaning.

Knows the registry of strategies, and no strategy by name.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import elevate
import rise
import strategies
from elevate import FloatClass, Strategy, StrategyError, allTopdown, bottomUp, repeatNTimes, topDown, tryAll
from rise import Primitive
from rise.nodes import postorder
from rise.primitives import PRIMITIVES
from rise.testing.arguments import Call, calls
from rise.testing.written import written_programs
from strategies import registry
from strategies.equations.rule import EquationRule
from tests.soak.drawing import drawn
from tests.soak.executors import EXECUTORS, Executor, Judge, scratch, shown_call, warm
from tests.soak.meaning import compare, meaning
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised
from tests.soak.processes import isolated
from tests.soak.shrinking import shrunk, smaller_lists, smaller_programs

CASES: Final = Path(__file__).resolve().parents[2] / "cases"
BATCH: Final = 20
#: how many are tried, and how many of them are applied
TRIED: Final = 10
LONGEST: Final = 4
#: elements of the largest array of a program; strategies make larger ones of it
MOST: Final = 512
#: how a rule is applied, by name
WAYS: Final[dict[str, Callable[[Strategy], Strategy]]] = {
    "topDown": topDown,
    "bottomUp": bottomUp,
    "tryAll": tryAll,
    "allTopdown": allTopdown,
    "three times topDown": lambda s: repeatNTimes(3)(topDown(s)),
}
#: values of parameters, where a strategy's own are not taken
VALUES: Final = (4, 2, 8, 16, 1, 3, 32)
PATIENCE: Final = 120.0


@dataclass(frozen=True, slots=True)
class Link:
    """A strategy of the registry at parameters; a rule is applied in one of some ways."""

    address: str
    parameters: tuple[tuple[str, Any], ...] = ()
    way: str = ""

    def strategy(self) -> Strategy:
        """What it stands for. Raises StrategyError where the parameters are none."""
        found = strategies.load(self.address, **dict(self.parameters))
        return WAYS[self.way](found) if self.way else found

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.parameters)
        shown = f"{self.address}({given})" if given else self.address
        return f"{self.way}({shown})" if self.way else shown


@dataclass(frozen=True, slots=True)
class Sequence_:
    """A program, and what is done to it."""

    program: rise.Expr
    links: tuple[Link, ...]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.links), "on", rise.show(self.program)])


@cache
def case_programs() -> tuple[rise.Expr, ...]:
    """The programs of all cases."""
    paths = sorted(CASES.glob("*.rise"))
    return tuple(rise.parse(path.read_text(encoding="utf-8"), path.stem).main for path in paths)


def sequences_of(batch: Batch) -> list[Sequence_]:
    """The sequences of a batch: every other one on a case, the others on random programs."""
    seed = derived(batch.seed, "sequences", batch.number)
    chance = random.Random(seed)
    random_ones = drawn(written_programs(steps=3), seed, BATCH)
    found: list[Sequence_] = []
    for item in range(BATCH):
        is_case = item % 2 == 0 or item >= len(random_ones)
        program = chance.choice(case_programs()) if is_case else random_ones[item]
        links = [_link(chance) for _ in range(chance.randint(2, TRIED))]
        if chance.randrange(2):  # what is lowered in the end runs on all executors
            links.append(Link(chance.choice(EXECUTORS).strategy))
        found.append(Sequence_(program, tuple(links)))
    return found


def _link(chance: random.Random) -> Link:
    if chance.randrange(5) < 3:
        known = registry.strategies()
        entry = known[chance.choice(sorted(known))]
        return Link(entry.address, tuple(_parameters(entry.parameters, chance)))
    rules = registry.rules()
    one = rules[chance.choice(sorted(rules))]
    given = tuple((name, chance.choice(VALUES)) for name in one.parameters)
    return Link(one.address, given, chance.choice(sorted(WAYS)))


def _parameters(names: Sequence[str], chance: random.Random) -> Iterator[tuple[str, Any]]:
    takes_own = chance.randrange(2) == 0
    for written in names:
        name, has_own, _ = written.partition("=")
        if not (has_own and takes_own):
            yield name, chance.choice(VALUES)


def run(batch: Batch, note: Note, executors: tuple[Executor, ...] = EXECUTORS) -> Iterator[Result]:
    """Apply the sequences of a batch."""
    note("drawing sequences")
    with scratch() as folder:
        for item, sequence in enumerate(sequences_of(batch)):
            if batch.asks_for(item):
                note(f"applying\n{sequence}")
                judge = Judge(folder, note, derived(batch.seed, batch.number, item))
                failures = judged(sequence, judge, executors)
                judge.counts["programs", "of cases" if item % 2 == 0 else "random"] += 1
                is_whole = bool(judge.counts["parts", "applied"] or failures)
                yield Result(item, str(sequence), judge.counts, failures, is_whole)


def judged(sequence: Sequence_, judge: Judge, executors: tuple[Executor, ...]) -> tuple[Failure, ...]:
    """What is wrong with what a sequence makes of a program."""
    try:
        made = _applied(sequence, judge.counts)
        if made is None:
            judge.counts["sequences", "of which no part applied"] += 1
            return ()
        _compared(sequence, *made, judge, executors)
    except MemoryError:
        judge.counts["sequences", "without enough memory"] += 1
    except Exception as error:  # whatever a strategy raises
        judge.failures.append(raised(error, str(sequence)))
    return tuple(judge.failures)


def _applied(sequence: Sequence_, counts: Counts) -> tuple[rise.Expr, FloatClass] | None:
    """What the parts that apply make of the program, and what that may do to floating-point numbers."""
    e, allowed, applied = sequence.program, FloatClass.EXACT, 0
    for link in sequence.links:
        if applied == LONGEST and link is not sequence.links[-1]:
            continue
        try:
            strategy = link.strategy()
        except StrategyError as error:
            counts["parameters refused", error.diagnostic.code] += 1
            continue
        result = strategy(e)
        if isinstance(result, elevate.Success):
            assert result.program.type == e.type, f"{link} changes the type {e.type} to {result.program.type}"
            e, allowed, applied = result.program, max(allowed, result.float_class), applied + 1
            counts["parts that applied", link.address] += 1
        else:
            counts["parts", "did not apply"] += 1
    counts["parts", "applied"] += applied
    return (e, allowed) if applied else None


def _compared(
    sequence: Sequence_,
    made: rise.Expr,
    allowed: FloatClass,
    judge: Judge,
    executors: tuple[Executor, ...],
) -> None:
    found = list(calls(made, 2, judge.seed, most=MOST))
    if not found:
        judge.counts["sequences", "no sizes were found at which the result makes sense and is small"] += 1
        return
    judge.counts["sequences", "compared"] += 1
    refused: list[Call] = []
    for call in found:
        where = f"{sequence}\nat {shown_call(call)}"
        try:
            expected = meaning(sequence.program, call.arguments, call.sizes, allowed)
        except rise.RiseError as error:
            judge.counts["calls that are errors", error.diagnostic.code] += 1
            continue
        try:
            said = compare(rise.evaluate(made, *call.arguments, sizes=call.sizes), expected)
        except rise.RiseError as error:
            if depends_on_rows(error, call):
                judge.counts["calls that are errors", "size-not-natural, of rows"] += 1
                refused.append(call)
                continue
            said_ = f"evaluating the result raises\n{error}\n{rise.show(made)}"
            judge.failures.append(Failure(f"raises {error.diagnostic.code}", "evaluate", said_, where))
            continue
        judge.counted(said)
        if said.wrong:
            message = f"{said.wrong}\nthe derivation is {allowed}; it gives\n{rise.show(made)}"
            judge.failures.append(Failure("wrong result", "evaluate", message, where))
    good = [call for call in found if not any(call is one for one in refused)]
    if good and not judge.failures and _is_lowered(made):
        judge.counts["sequences", "lowered"] += 1
        judge.judge_lowered(sequence.program, made, allowed, good, executors)


def depends_on_rows(error: rise.RiseError, call: Call) -> bool:
    """Whether a size is refused that no choice of sizes could make fit what a strategy divides by.

    That is a length of rows which the call gives as numbers, or one that depends on a number bound in the program: the
    diagnostic then notes the value of that number.
    """
    if error.diagnostic.code != "size-not-natural":
        return False
    has_rows = any(not isinstance(size, int) for size in call.sizes.values())
    return has_rows or bool(error.diagnostic.notes)


def _is_lowered(e: rise.Expr) -> bool:
    names = {node.name for node in postorder(e) if isinstance(node, Primitive)}
    return not any(PRIMITIVES[name].level == "high" for name in names & PRIMITIVES.keys())


def look_smaller(batch: Batch, failure: Failure, executors: tuple[Executor, ...] = EXECUTORS) -> str | None:
    """The shortest sequence, on the smallest program, that was found to fail like one of a batch."""
    assert batch.only is not None
    seed = derived(batch.seed, batch.number, batch.only)

    def fails(sequence: Sequence_) -> bool:
        how, found = isolated(partial(_signatures, sequence, seed, executors), PATIENCE)
        return how == failure.kind or (how == "done" and failure.signature in found)

    def smaller(sequence: Sequence_) -> Iterator[Sequence_]:
        for links in smaller_lists(sequence.links):
            yield Sequence_(sequence.program, tuple(links))
        for program in smaller_programs(sequence.program):
            yield Sequence_(program, sequence.links)

    return str(shrunk(sequences_of(batch)[batch.only], smaller, fails))


def _signatures(sequence: Sequence_, seed: int, executors: tuple[Executor, ...]) -> set[tuple[str, str]]:
    with scratch() as folder:
        judge = Judge(folder, lambda _: None, seed, Counter())
        return {one.signature for one in judged(sequence, judge, executors)}


def _warm() -> None:
    """Read the programs of cases, and the equations of rules."""
    warm()
    case_programs()
    for entry in registry.rules().values():
        if isinstance(entry.rule, EquationRule) and entry.rule.by is None:
            assert entry.rule.compiled is not None


SEQUENCES: Final = Part(
    "sequences",
    "whole strategies and rules of the library, up to four one after the other, on cases and random programs",
    "sequences",
    5_000,
    BATCH,
    run,
    look_smaller,
    minutes=16.0,
    warm=_warm,
)
