"""The command `shine tune`, with a fake clock. Times nothing."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from shine.cli.tune import Line, budget_of
from shine.front.tuner import Budget, candidates
from shine.front.tuner.database import Database
from shine.machines import Measurement, stored_measurement, this_machine
from tests.cli.commands import Said, shine
from tests.examples import in_whole
from tests.shine.front.tuner.test_search import same_time

SPACE = "tests.shine.front.tuner.spaces:tiles"
TEXT = "val main = fun(xs: N.f32 => xs |> map(fun(x => x * x)))\n"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "in_turns", same_time)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "squares.rise"
    path.write_text(TEXT)
    return path


def tune(program: Path, *words: str | Path, space: str = SPACE) -> Said:
    db = program.parent / "t.sqlite"
    return shine("tune", program, "--space", space, "--sizes", "N=16", "-O", "threads=1", "--db", db, *words)


def test_a_search_reports_the_best_candidate(program: Path) -> None:
    said = tune(program, "--budget", "2", "--policy", "exhaustive")
    assert said.status == 0, said.err
    assert said.out.splitlines()[:4] == [
        "best: parallel(tile=4)",
        "  decisions: tile=4, together=True",
        "  2.000 times as fast as the target's own strategy, in the last race",
        "  limited by: loading the inputs once",
    ]
    assert said.err == "1/2 evaluated, best x2.000, gap 100%, 0 pruned, 0 dead\n"


def test_it_resumes_and_shows_stored_results(program: Path) -> None:
    tune(program, "--budget", "2", "--policy", "exhaustive")
    facts = tune(program, "--budget", "3", "--policy", "exhaustive", "--resume", "--json").facts
    assert len(facts["rows"]) == 3 and facts["ratio"] == 2.0 and not facts["is_default"]
    shown = tune(program, "--show")
    assert shown.out.startswith(f"3 results of `tiles` in {program.parent / 't.sqlite'}\n  x2.000 ")
    other = shine(
        "tune", program, "--space", SPACE, "--size", "N=17", "--db", program.parent / "t.sqlite", "--show"
    )
    assert other.out.startswith("0 results")


def test_stored_results_are_reported(program: Path) -> None:
    tune(program, "--budget", "1", "--policy", "exhaustive")
    path = program.parent / "stored.html"
    shown = tune(program, "--show", "--report", path)
    assert shown.out.startswith("1 result of `tiles`") and shown.out.endswith(f"wrote {path}\n")
    assert "<p>1 result</p>" in path.read_text()


def test_an_interrupt_reports_what_is_stored(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_line: Line, at: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Line, "__call__", stop)
        said = tune(program, "--budget", "3", "--policy", "exhaustive")
    path = program.parent / "t.sqlite"
    assert (said.status, said.out) == (130, "")
    assert said.err == f"interrupted: 1 result kept in {path}; the same command continues from there\n"
    assert (
        len(tune(program, "--budget", "2", "--policy", "exhaustive", "--resume", "--json").facts["rows"]) == 2
    )


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("--resume",), "error[nothing-to-resume]: expected earlier results of this program and space in"),
        (("--policy", "tga"), "error[unknown-policy]: expected a policy, found 'tga'"),
        (
            ("--space", "tests.shine.front.tuner.test_messages:empty"),
            "error[empty-domain]: `rows` has no values",
        ),
        (
            ("--space", "tests.shine.front.tuner.test_search:unsatisfiable"),
            "error[unsatisfiable-space]: no candidate of the space `unsatisfiable` fits",
        ),
        (
            ("--space", "tests.shine.front.tuner.test_messages:broken"),
            "error[broken-space]: calling the space",
        ),
        (
            ("--budget", "0"),
            "error[budget]: expected a budget of at least one candidate and some time, found '0'",
        ),
        (("--budget", "5,0m"), "error[budget]: expected a budget of at least one candidate and some time"),
        (("--db", "/nowhere/t.sqlite"), "error[database]: expected a writable database, found that"),
    ],
)
def test_mistakes_are_reported_without_a_place_in_the_program(
    program: Path, words: tuple[str, ...], title: str
) -> None:
    said = tune(program, *words)
    assert said.status == 1 and said.err.startswith(title) and "-->" not in said.err


def test_a_search_whose_candidates_are_all_dead_says_so(program: Path) -> None:
    said = tune(program, "--budget", "2", space="strategies.spaces.products:product")
    assert said.status == 0, said.err
    note = "note: no candidate was measured: 2 of 2 are dead; the first: "
    assert any(line.startswith(note) for line in said.out.splitlines())


def test_the_report_is_one_page_with_pictures(program: Path) -> None:
    path = program.parent / "r.html"
    assert tune(program, "--budget", "3", "--policy", "exhaustive", "--report", path).status == 0
    text = path.read_text()
    page = ElementTree.fromstring(text.removeprefix("<!doctype html>").replace('<meta charset="utf-8">', ""))
    assert len(page.findall(".//svg")) == 2 and len(page.findall(".//tr")) == 4
    assert not [word for word in ("http://", "https://", "<script", "<link") if word in text]
    parts = ["".join(item.itertext()) for item in page.findall(".//li")]
    assert "parallel(tile=4), part by part:" in text and any("splitJoinPadded" in part for part in parts)
    (lowered,) = page.findall(".//pre")
    assert "mapPar(" in (lowered.text or "")


def test_results_are_exported_and_imported(program: Path) -> None:
    path = program.parent / "r.json"
    assert tune(program, "--budget", "2", "--policy", "exhaustive", "--export", path).status == 0
    assert len(json.loads(path.read_text())["runs"][0]["results"]) == 2
    other = program.parent / "other.sqlite"
    words = ("--space", SPACE, "--size", "N=16", "-O", "threads=1", "--db", other, "--show", "--import", path)
    said = shine("tune", program, *words)
    assert said.out.startswith(f"imported 2 results from {path}\n2 results of `tiles` in {other}\n")
    with Database(other) as database:
        assert len(database.runs()) == 1


@in_whole("tests/shine/front/tuner/test_search.py::test_built_in_spaces_are_searched")
def test_a_built_in_space_is_searched(program: Path) -> None:
    said = tune(program, "--budget", "1", space="strategies.spaces.rows:rows")
    assert said.status == 0 and "best: parallel(" in said.out


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("5m", Budget(minutes=5)),
        ("90s", Budget(minutes=1.5)),
        ("2h", Budget(minutes=120)),
        ("200", Budget(200)),
        ("200, 1m", Budget(200, 1)),
    ],
)
def test_budgets_are_times_or_numbers(text: str, budget: Budget) -> None:
    assert budget_of(text) == budget


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("budget", ("--budget", "soon")),
        ("budget", ("--budget", "0")),
        ("budget", ("--budget", "1m,2m")),
        ("options", ("--strategy", "strategies.openmp:parallel")),
        ("unknown-policy", ("--policy", "best")),
        ("file", ("--report", "nowhere/r.html")),
        ("file", ("--import", "nowhere.json")),
        ("database", ("--show",)),
    ],
)
def test_errors_are_diagnostics(program: Path, code: str, words: tuple[str, ...]) -> None:
    said = tune(program, *words)
    assert said.status == 1 and said.err.startswith(f"error[{code}]"), said.err
    assert said.err.count("error[") == 1


def test_a_database_is_a_strategy(program: Path) -> None:
    """`shine run` says whether it has a result; here, the space is not one that comes with the project."""
    rows = "strategies.spaces.rows:rows"
    tune(program, "--budget", "2", "--policy", "exhaustive", space=rows)
    path = program.parent / "t.sqlite"

    def run(*words: str) -> Said:
        return shine("run", program, "-O", "threads=1", "--strategy", path, *words)

    said = run("--size", "N=16")
    assert said.status == 0, said.err
    assert f", 2.00 times as fast as strategies.openmp:parallel in {path}, for openmp" in said.out
    said = run("--size", "N=17")
    assert f": {path} has nothing faster for these sizes, options and machine, for openmp" in said.out
    assert "error[size-unknown]" in run().err
    assert "error[options]" in run("--size", "N=16", "-p", "tile=3").err


def test_all_stored_results_are_a_strategy(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tuned` stands for the schedules that come with the project, then for the database of the command."""
    monkeypatch.setattr("shine.front.tuner.tuned_strategies.default_directory", lambda: tmp_path)
    run = ("run", program, "--size", "N=16", "-O", "threads=1", "--strategy", "tuned")
    assert ": no stored result is faster for these sizes, options and machine" in shine(*run).out
    tune(program, "--budget", "2", "--policy", "exhaustive", space="strategies.spaces.rows:rows")
    (program.parent / "t.sqlite").rename(tmp_path / "tuning.sqlite")
    said = shine(*run)
    assert said.status == 0, said.err
    assert f", 2.00 times as fast as strategies.openmp:parallel in {tmp_path / 'tuning.sqlite'}" in said.out
    assert "expected no parameters with tuned" in shine(*run, "-p", "tile=3").err


def test_a_missing_database_is_reported_without_the_program(program: Path) -> None:
    said = shine("run", program, "--size", "N=16", "--strategy", "nowhere.sqlite")
    assert said.status == 1 and said.err.startswith("error[database]: expected a database of results, found")
    assert "-->" not in said.err


def test_measuring_comes_first(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds use the measured clock, which is stored as by `shine doctor --measure`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SHINE_MACHINE", raising=False)
    monkeypatch.setattr("shine.cli.tune.measure", lambda machine: Measurement(1e6, 0.0, 1e6, 0.0, 9))
    this_machine.cache_clear()
    try:
        facts = tune(program, "--budget", "1", "--measure", "--json").facts
    finally:
        this_machine.cache_clear()
    (row,) = facts["rows"]
    assert row["bound"] > 16 * 4 / 128 / 1e6 * 0.99 and stored_measurement() == Measurement(
        1e6, 0.0, 1e6, 0.0, 9
    )
