"""`shine explain --cost`: the costs of named values, the decisions, the runners-up, and what does not fit into
memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rise
from rise.naturals import const
from shine.cli.costs import notes_on
from shine.front.costs import Account, Choice, accounts_of, bytes_in
from strategies.choices import inline, storeAt
from strategies.openmp import parallel
from strategies.sharing import nameShared, share
from tests.cli.commands import EXAMPLES, shine

SOFTMAX = (
    "val main = fun(x: N.M.f32 => x |> map(fun(row => let top = (row |> reduce(max, -inf)) in"
    " let e = (row |> map(fun(v => exp(v - top)))) in let total = (e |> reduce(add, 0.0)) in"
    " e |> map(fun(v => v / total)))))"
)
WINDOWS = (
    "val main = fun(xs: (N + 2).f32 => let e = (xs |> map(fun(x => x + 1.0))) in"
    " e |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))"
)
PAIR = (
    "val main = fun(x: N.M.f32 => x |> map(fun(row =>"
    " let stats = pair(row |> reduce(add, 0.0), row |> map(fun(v => v * v)) |> reduce(add, 0.0)) in"
    " row |> map(fun(v => (v - fst(stats)) / snd(stats))))))"
)
TWICE = (
    "val main = fun(x: N.M.f32, mean: f32 => x |> map(fun(r => let d = (r |> map(fun(v => v - mean))) in"
    " let s = (d |> map(fun(v => v * v)) |> reduce(add, 0.0)) in d |> map(fun(v => v / s)))))"
)
#: an unnamed sum in a loop that does not change it
UNNAMED = "val main = fun(x: N.f32, y: M.f32 => x |> map(fun(v => v + (y |> map(exp) |> reduce(add, 0.0)))))"
MODULE = """
from strategies.choices import inline, storeAt
from strategies.openmp import parallel
mine = inline("e") >> storeAt("top") >> parallel()
"""
TABLE = """\
parallel on `main`

name   reads  work   memory               choice         cost  runner-up          cost
top    2 * M  2 * M  4 bytes per row      computed once  2048  computed again  4194304
e      2      18     4 * M bytes per row  stored           22  computed again       36
total  M      2 * M  4 bytes per row      computed once  2048  computed again  2097152

costs: additions per element, with 1024 for each unknown size
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "choosing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "softmax.rise"
    path.write_text(SOFTMAX)
    return path


def accounts(text: str, strategy: Any = None) -> dict[str, Account]:
    found, _ = accounts_of(strategy or parallel(), rise.parse(text).main)
    return {account.name: account for account in found}


def test_each_name_has_a_line(file: Path) -> None:
    said = shine("explain", file, "--cost")
    assert said.status == 0 and said.out == TABLE


def test_the_json_has_the_same(file: Path) -> None:
    facts = shine("explain", file, "--cost", "--json").facts
    by_name = {one["name"]: one for one in facts["values"]}
    assert list(by_name) == ["top", "e", "total"]
    assert by_name["e"] == {
        "name": "e",
        "loop": "row",
        "is_of_program": True,
        "reads": "2",
        "work": "18",
        "bytes": "4 * M",
        "choice": "stored",
        "by_author": False,
        "cost": 22.0,
        "runner_up": "computed again",
        "runner_up_cost": 36.0,
        "factor": 1.0,
        "stored_for": "",
    }


def test_decisions_of_the_author_are_shown(file: Path) -> None:
    said = shine("explain", file, "--cost", "--strategy", "choosing:mine")
    assert said.status == 0
    assert "computed again, by the author" in said.out and "stored, by the author" in said.out
    assert "`e`: each element is computed 2 times, as the author chose" in said.out


def test_a_strategy_without_costs_is_rejected(file: Path) -> None:
    said = shine("explain", file, "--cost", "--strategy", "strategies.sequential:sequential")
    assert said.status == 1
    assert "error[no-costs]: expected a strategy that decides what is stored, found sequential" in said.err
    assert "hint: the default strategy of --target openmp has it" in said.err


def test_one_question_at_a_time(file: Path) -> None:
    said = shine("explain", file, "--cost", "--step", "1")
    assert said.status == 1 and "expected --cost or --step, found both" in said.err


def test_a_program_without_names() -> None:
    said = shine("explain", EXAMPLES / "dot.rise", "--cost")
    assert said.status == 0 and "the program names no value, and nothing is stored" in said.out


def test_cheap_values_are_recomputed_and_the_factor_is_shown() -> None:
    (found,) = accounts(WINDOWS).values()
    assert found.choice is Choice.AGAIN and found.other is Choice.STORED
    assert found.cost is not None and found.other_cost is not None and found.cost < found.other_cost
    assert found.view == "slide" and found.factor == 1
    (note,) = notes_on([found], rise.parse(WINDOWS).main, None)
    assert note == '`e`: lowering stores what `slide` reads; inline("e") computes each element 2.99 times'
    found = accounts(TWICE)["d"]
    assert found.choice is Choice.AGAIN and found.factor == 3 and not found.view
    assert list(notes_on([found], rise.parse(TWICE).main, None)) == [
        "`d`: each element is computed 3 times, which costs less than storing it"
    ]


def test_the_runner_up_can_be_chosen_by_the_author() -> None:
    before = accounts(SOFTMAX)["e"]
    after = accounts(SOFTMAX, inline("e") >> share)["e"]
    assert (after.choice, after.other) == (before.other, before.choice)
    assert (after.cost, after.other_cost) == (before.other_cost, before.cost)
    assert after.by_author and not before.by_author


def test_a_pair_is_split_into_its_parts() -> None:
    found = accounts(PAIR)
    assert found["stats"].choice is Choice.PARTS
    assert found["stats_1st"].choice is found["stats_2nd"].choice is Choice.ONCE
    assert found["stats"].is_of_program and not found["stats_1st"].is_of_program


def test_names_that_share_introduces_can_be_decided_by_the_author() -> None:
    (found,) = accounts(UNNAMED).values()
    assert found.name == "sum" and found.choice is Choice.ONCE and not found.is_of_program
    (note,) = notes_on([found], rise.parse(UNNAMED).main, None)
    assert "begin with `strategies.sharing:nameShared`" in note
    chosen = accounts(UNNAMED, nameShared >> storeAt("sum") >> share)["sum"]
    assert chosen.choice is Choice.STORED and chosen.by_author


def test_missing_memory_is_reported() -> None:
    program = rise.specialise(rise.parse(WINDOWS.replace("x + 1.0", "exp(x)")).main, N=1 << 20)
    found, _ = accounts_of(parallel(), program)
    outside, stored = 4 * ((1 << 21) + 2), 4 * ((1 << 20) + 2)
    assert [one.memory for one in found] == [const(stored)]
    assert list(notes_on(found, program, outside + stored)) == []
    (note,) = notes_on(found, program, outside + stored - 1)
    assert note.startswith("the inputs, the result and what is stored take 12582928 bytes (12 MiB)")
    assert "of which 4194312 bytes" in note
    (note,) = notes_on(found, program, outside - 1)
    assert note.startswith("no choice fits: the inputs and the result take 8388616 bytes")


def test_operations_without_a_vector_form_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "rest.rise"
    path.write_text(
        "val main = fun(xs: N.f32, ys: N.i32 => pair(xs |> map(fun(x => mod(x, 3.0) + exp(x))),"
        " ys |> map(fun(y => y / 7i32))))"
    )
    said = shine("explain", "--cost", path)
    assert "`mod` of f32: openmp has no vector form of it, and computes one element at a time" in said.out
    assert "`div` of i32: openmp has no vector form" in said.out
    assert "exp" not in said.out


def test_bytes_of_values() -> None:
    for text, expected in (
        ("3.f32", 12),
        ("3.(f64, i32)", 36),
        ("2.5.u8", 10),
        ("vec[4, f16]", 8),
        ("4.idx[3]", 32),
    ):
        assert bytes_in(rise.parse(f"fun(x: {text} => x)").main.type.parameter) == const(expected)
