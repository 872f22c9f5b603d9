"""A short soak: each part finds nothing in its first items, and finds planted errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import rise
from elevate import Strategy, alltd, try_
from strategies import rule
from strategies.sequential import sequential
from tests import required_tools
from tests.examples import SAMPLED, some
from tests.soak import cuda, programs, schedules, sequences, sizes, texts
from tests.soak.executors import Executor, Judge
from tests.soak.part import Batch, Result
from tests.soak.parts import PARTS
from tests.soak.processes import isolated
from tests.soak.runner import run_part

PATIENCE = 300.0  # seconds
#: how many items of each part
ITEMS = {
    "programs": 1,
    "sequences": 1,
    "sizes": 1,
    "schedules": 1 if SAMPLED else 2,
    "texts": 10 if SAMPLED else 30,
    "cuda": 1,
}
FEW = 4
twice = rule("add x y = add x (add y y)", why="It is wrong, and says that it is exact.")
wrong: Strategy = try_(alltd(twice)) >> sequential


def silent(_line: str) -> None:
    pass


def planted(results: Any, items: int) -> set[str]:
    """The kinds of failures of the first result with failures, among this number of results; in a separate process,
    since parts limit their memory.
    """
    how, found = isolated(
        lambda: next((kinds(one) for one in islice(results, items) if one.failures), []), PATIENCE
    )
    assert how == "done"
    return set(found)


def kinds(result: Result) -> list[str]:
    return [failure.kind for failure in result.failures]


@pytest.mark.parametrize("name", some(PARTS, 2))
def test_the_first_items_of_a_part_do_not_fail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"tests.soak.{name}.BATCH", max(FEW, ITEMS[name]))  # no more are drawn than are run
    monkeypatch.setattr("tests.soak.programs.EXAMPLES", 1)  # these prepare thousands of programs
    total = run_part(PARTS[name], Batch(1, 0), ITEMS[name], silent)
    if total.absent:
        required_tools.skip_without(total.absent)
    assert total.whole >= ITEMS[name]
    assert [one.text() for one in total.found] == []


def test_a_wrong_strategy_is_found_by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "BATCH", 20)  # no more are drawn than may be run
    executor = Executor("wrong", "interpret", "tests.test_soak:wrong")
    assert "wrong result" in planted(programs.run(Batch(1, 0), silent, (executor,)), 20)


def test_equal_programs_of_a_batch_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (rise.parse(f"fun(xs: N.f32 => xs |> map(fun(x => x + {k}.0)))").main for k in (1, 2))
    monkeypatch.setattr(programs, "programs_of", lambda batch: [one, one, other, one])
    assert [result.item for result in programs.run(Batch(1, 0), silent, ())] == [0, 2]


def test_a_wrong_rule_is_found_by_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences.Link, "strategy", lambda link: wrong)
    found = planted(sequences.run(Batch(1, 0), silent, ()), 12)
    assert any("wrong" in kind for kind in found), found


def test_rows_whose_lengths_do_not_fit_are_no_failure_of_sequences(tmp_path: Path) -> None:
    """A strategy may require multiples of lengths, as of sizes; but no call is chosen accordingly."""
    rows = "fun({N: nat}, {len: nat -> nat}, rows: N..(i |-> len(i).i32) => rows"
    program = rise.parse(f"{rows} |> depMap(fun(i: nat, row: len(i).i32 => row |> scanSeq(add, 0))))").main
    link = sequences.Link("strategies.rules.vectors:vectorizeAlignedAfter", (("v", 3),), "topDown")
    judge = Judge(tmp_path, silent, 1)
    assert sequences.judged(sequences.LinkedProgram(program, (link,)), judge, ()) == ()
    assert judge.counts["parts", "applied"] == 1
    assert judge.counts["calls that are errors", "size-not-natural, of rows"]


ROWS = (
    "fun({N: nat}, xs: N.i32 => depMap(fun(i: nat, row: min(N - 3 * i, 5).i32 => row), depSlide(5, 3, xs)))"
)
TURNS = "fun({N: nat}, xs: N.i32 => iterate{N, 1}(2, fun(n: nat, ys: n.i32 => map(fun(y: i32 => y + y), ys)), xs))"


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (ROWS, sequences.Link("strategies.rules.vectors:vectorizeAlignedAfter", (("v", 4),), "topDown")),
        (TURNS, sequences.Link("strategies.rules.movement:splitJoin", (("n", 4),), "topDown")),
    ],
)
def test_lengths_of_bound_numbers_that_do_not_fit_are_no_failure_of_sequences(
    text: str, link: sequences.Link, tmp_path: Path
) -> None:
    judge = Judge(tmp_path, silent, 1)
    assert sequences.judged(sequences.LinkedProgram(rise.parse(text).main, (link,)), judge, ()) == ()
    assert judge.counts["parts", "applied"] == 1
    assert judge.counts["calls that are errors", "size-not-natural, of rows"]


def test_a_wrong_number_is_found_by_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated = sizes._evaluated
    monkeypatch.setattr(sizes, "TARGETS", {})
    monkeypatch.setattr(sizes, "_evaluated", lambda *arguments, **named: evaluated(*arguments, **named) + 1)
    assert planted(sizes.run(Batch(1, 0), silent), 40) == {"wrong result"}


def test_a_wrong_kernel_is_found_by_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    right, other = (
        rise.parse(f"fun(xs: 8.f32 => xs |> map(fun(x => x + {n})))").main for n in ("1.0", "2.0")
    )
    subject = schedules.Subject("wrong", right, partial(schedules._by_own_strategy, other))
    monkeypatch.setattr(schedules, "subjects", lambda: (subject,))
    assert planted(schedules.run(Batch(1, 0), silent), 10) == {"wrong result"}


def test_a_compiler_that_raises_is_found_by_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(*_arguments: Any, **_options: Any) -> Any:
        raise ValueError("planted")

    monkeypatch.setattr(cuda.shine, "compile", compiled)
    assert planted(cuda.run(Batch(1, 0), silent), 2) == {"ValueError"}


def test_a_reader_that_raises_is_found_by_texts() -> None:
    def read(text: str) -> rise.Program:
        if "map" in text:
            raise ValueError(text)
        return rise.parse(text)

    reader: Callable[[str], rise.Program] = read
    assert planted(texts.run(Batch(1, 0), silent, reader), 20)
