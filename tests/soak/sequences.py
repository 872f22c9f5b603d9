"""The part `sequences`: complete strategies and rules of the library, applied in sequence, preserve meaning.

Depends on the registry of strategies, but on no strategy by name.
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
from rise.testing.user_programs import written_programs
from strategies import registry
from strategies.equations.rule import EquationRule
from tests.soak.comparison import compare
from tests.soak.draws import drawn
from tests.soak.executors import EXECUTORS, Executor, Judge, scratch, shown_call, warm
from tests.soak.meaning import meaning
from tests.soak.part import Batch, Counts, Failure, Note, Part, Result, derived, raised
from tests.soak.processes import isolated
from tests.soak.shrinking import shrunk, smaller_lists, smaller_programs

CASES: Final = Path(__file__).resolve().parents[2] / "cases"
BATCH: Final = 20
#: how many strategies are tried, and how many of them are applied
MAX_TRIED: Final = 10
MAX_APPLIED: Final = 4
#: elements of the largest array of a program; strategies may make larger ones from it
MAX_ELEMENTS: Final = 512
#: the traversals that apply a rule, by name
WAYS: Final[dict[str, Callable[[Strategy], Strategy]]] = {
    "topDown": topDown,
    "bottomUp": bottomUp,
    "tryAll": tryAll,
    "allTopdown": allTopdown,
    "three times topDown": lambda s: repeatNTimes(3)(topDown(s)),
}
#: values of parameters other than defaults
VALUES: Final = (4, 2, 8, 16, 1, 3, 32)
#: seconds for one candidate while a failure is shrunk
MAX_SHRINK_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Link:
    """A strategy of the registry with parameters, or a rule with parameters and a traversal (`way`)."""

    address: str
    parameters: tuple[tuple[str, Any], ...] = ()
    way: str = ""

    def strategy(self) -> Strategy:
        """The strategy itself. Raises StrategyError for wrong parameters."""
        loaded = strategies.load(self.address, **dict(self.parameters))
        return WAYS[self.way](loaded) if self.way else loaded

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.parameters)
        shown = f"{self.address}({given})" if given else self.address
        return f"{self.way}({shown})" if self.way else shown


@dataclass(frozen=True, slots=True)
class LinkedProgram:
    """A program, and the links to apply to it in order."""

    program: rise.Expr
    links: tuple[Link, ...]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.links), "on", rise.show(self.program)])


@cache
def case_programs() -> tuple[rise.Expr, ...]:
    """The programs of all cases."""
    paths = sorted(CASES.glob("*.rise"))
    return tuple(rise.parse(path.read_text(encoding="utf-8"), path.stem).main for path in paths)


def sequences_of(batch: Batch) -> list[LinkedProgram]:
    """The sequences of a batch, alternately on cases and on random programs."""
    seed = derived(batch.seed, "sequences", batch.number)
    chance = random.Random(seed)
    random_programs = drawn(written_programs(steps=3), seed, BATCH)
    sequences: list[LinkedProgram] = []
    for item in range(BATCH):
        is_case = item % 2 == 0 or item >= len(random_programs)
        program = chance.choice(case_programs()) if is_case else random_programs[item]
        links = [_link(chance) for _ in range(chance.randint(2, MAX_TRIED))]
        if chance.randrange(2):  # lowered programs run on all executors
            links.append(Link(chance.choice(EXECUTORS).strategy))
        sequences.append(LinkedProgram(program, tuple(links)))
    return sequences


def _link(chance: random.Random) -> Link:
    if chance.randrange(5) < 3:
        known = registry.strategies()
        entry = known[chance.choice(sorted(known))]
        return Link(entry.address, tuple(_parameters(entry.parameters, chance)))
    rules = registry.rules()
    entry_of_rule = rules[chance.choice(sorted(rules))]
    given = tuple((name, chance.choice(VALUES)) for name in entry_of_rule.parameters)
    return Link(entry_of_rule.address, given, chance.choice(sorted(WAYS)))


def _parameters(names: Sequence[str], chance: random.Random) -> Iterator[tuple[str, Any]]:
    use_defaults = chance.randrange(2) == 0
    for parameter in names:
        name, has_default, _ = parameter.partition("=")
        if not (has_default and use_defaults):
            yield name, chance.choice(VALUES)


def run(batch: Batch, note: Note, executors: tuple[Executor, ...] = EXECUTORS) -> Iterator[Result]:
    """Apply the sequences of a batch."""
    note("drawing sequences")
    with scratch() as folder:
        for item, sequence in enumerate(sequences_of(batch)):
            if batch.includes(item):
                note(f"applying\n{sequence}")
                judge = Judge(folder, note, derived(batch.seed, batch.number, item))
                failures = judged(sequence, judge, executors)
                judge.counts["programs", "of cases" if item % 2 == 0 else "random"] += 1
                is_whole = bool(judge.counts["parts", "applied"] or failures)
                yield Result(item, str(sequence), judge.counts, failures, is_whole)


def judged(sequence: LinkedProgram, judge: Judge, executors: tuple[Executor, ...]) -> tuple[Failure, ...]:
    """Apply a sequence, and compare the result with the program. Returns failures."""
    try:
        applied = _applied(sequence, judge.counts)
        if applied is None:
            judge.counts["sequences", "of which no part applied"] += 1
            return ()
        _compared(sequence, *applied, judge, executors)
    except MemoryError:
        judge.counts["sequences", "without enough memory"] += 1
    except Exception as error:  # a strategy may raise anything
        judge.failures.append(raised(error, str(sequence)))
    return tuple(judge.failures)


def _applied(sequence: LinkedProgram, counts: Counts) -> tuple[rise.Expr, FloatClass] | None:
    """The program after all links that apply, and the float class of that; None if none applies."""
    e, allowed, applied = sequence.program, FloatClass.EXACT, 0
    for link in sequence.links:
        if applied == MAX_APPLIED and link is not sequence.links[-1]:
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
    sequence: LinkedProgram,
    derived_program: rise.Expr,
    allowed: FloatClass,
    judge: Judge,
    executors: tuple[Executor, ...],
) -> None:
    result_calls = list(calls(derived_program, 2, judge.seed, most=MAX_ELEMENTS))
    if not result_calls:
        judge.counts["sequences", "no sizes were found at which the result makes sense and is small"] += 1
        return
    judge.counts["sequences", "compared"] += 1
    refused: list[Call] = []
    for call in result_calls:
        where = f"{sequence}\nat {shown_call(call)}"
        try:
            expected = meaning(sequence.program, call.arguments, call.sizes, allowed)
        except rise.RiseError as error:
            judge.counts["calls that are errors", error.diagnostic.code] += 1
            continue
        try:
            agreement = compare(rise.evaluate(derived_program, *call.arguments, sizes=call.sizes), expected)
        except rise.RiseError as error:
            if depends_on_rows(error, call):
                judge.counts["calls that are errors", "size-not-natural, of rows"] += 1
                refused.append(call)
                continue
            details = f"evaluating the result raises\n{error}\n{rise.show(derived_program)}"
            judge.failures.append(Failure(f"raises {error.diagnostic.code}", "evaluate", details, where))
            continue
        judge.counted(agreement)
        if agreement.wrong:
            message = (
                f"{agreement.wrong}\nthe derivation is {allowed}; it gives\n{rise.show(derived_program)}"
            )
            judge.failures.append(Failure("wrong result", "evaluate", message, where))
    good = [call for call in result_calls if not any(call is one for one in refused)]
    if good and not judge.failures and _is_lowered(derived_program):
        judge.counts["sequences", "lowered"] += 1
        judge.judge_lowered(sequence.program, derived_program, allowed, good, executors)


def depends_on_rows(error: rise.RiseError, call: Call) -> bool:
    """Whether the size in an error is the length of a row, which no choice of sizes can make a multiple of tiles.

    The call gives such lengths as numbers, or they depend on a number bound in the program, whose value the diagnostic
    then notes.
    """
    if error.diagnostic.code != "size-not-natural":
        return False
    has_rows = any(not isinstance(size, int) for size in call.sizes.values())
    return has_rows or bool(error.diagnostic.notes)


def _is_lowered(e: rise.Expr) -> bool:
    names = {node.name for node in postorder(e) if isinstance(node, Primitive)}
    return not any(PRIMITIVES[name].level == "high" for name in names & PRIMITIVES.keys())


def look_smaller(batch: Batch, failure: Failure, executors: tuple[Executor, ...] = EXECUTORS) -> str | None:
    """The shortest sequence on the smallest program found that fails like an item of a batch."""
    assert batch.only is not None
    seed = derived(batch.seed, batch.number, batch.only)

    def fails(sequence: LinkedProgram) -> bool:
        how, signatures = isolated(partial(_signatures, sequence, seed, executors), MAX_SHRINK_SECONDS)
        return how == failure.kind or (how == "done" and failure.signature in signatures)

    def smaller(sequence: LinkedProgram) -> Iterator[LinkedProgram]:
        for links in smaller_lists(sequence.links):
            yield LinkedProgram(sequence.program, tuple(links))
        for program in smaller_programs(sequence.program):
            yield LinkedProgram(program, sequence.links)

    return str(shrunk(sequences_of(batch)[batch.only], smaller, fails))


def _signatures(sequence: LinkedProgram, seed: int, executors: tuple[Executor, ...]) -> set[tuple[str, str]]:
    with scratch() as folder:
        judge = Judge(folder, lambda _: None, seed, Counter())
        return {failure.signature for failure in judged(sequence, judge, executors)}


def _warm() -> None:
    """Read the programs of cases, and compile the equations of rules."""
    warm()
    case_programs()
    for entry in registry.rules().values():
        if isinstance(entry.rule, EquationRule) and entry.rule.by is None:
            assert entry.rule.compiled is not None


SEQUENCES: Final = Part(
    "sequences",
    "complete strategies and rules of the library, up to four in sequence, on cases and random programs",
    "sequences",
    2_000,
    BATCH,
    run,
    look_smaller,
    minutes=10.0,
    warm=_warm,
)
