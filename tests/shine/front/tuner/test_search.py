"""The search, with tables of results instead of clocks: what it finds, stores, resumes and rejects. Times nothing.

One subject: `shine.tune`, whose cases share their spaces and clocks.
"""

from __future__ import annotations

import importlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import rise
import shine
from elevate import Strategy, id_
from rise import RiseError
from rise.diagnostics import Diagnostic
from rise.hardware import processor
from shine.front.tuner import Budget, ByFunction, Found, Limits, State, candidates, tune
from shine.front.tuner.database import Database
from shine.front.tuner.keys import machine_text
from shine.front.tuner.report import report
from shine.front.tuner.validity import Validity, validity_of
from shine.imperative.nodes import Procedure
from shine.targets import find_target
from shine.translate import translate
from strategies.openmp import parallel
from strategies.spaces import choose, leaves, space
from strategies.spaces.holes import Decisions
from strategies.spaces.products import product
from strategies.spaces.replay import Leaf, replay, text_of
from strategies.spaces.rows import rows
from strategies.spaces.stencils import stencil
from tests import forks, required_tools
from tests.examples import SAMPLED, in_whole, some
from tests.shine.front.tuner.spaces import SIZES, SQUARES, odd, seconds, tiles

ROOT = Path(__file__).resolve().parents[4]
ALL = [leaf.decisions for leaf in leaves(tiles)]
POLICIES = ("exhaustive", "random", "bound", "bnb", "tag", "uct")


def search(policy: str = "tag", most: int | None = 100, **others: Any) -> Found:
    """A search with the table."""
    table = others.pop("table", seconds)
    evaluator = others.pop("evaluator", None) or ByFunction(table, own=1.0)
    return tune(SQUARES, tiles, SIZES, Budget(evaluations=most), policy, evaluator=evaluator, **others)


def refusal(*arguments: Any, **named: Any) -> str:
    with pytest.raises(RiseError) as caught:
        tune(*arguments, **named)
    return caught.value.diagnostic.code


@pytest.mark.parametrize("policy", some(POLICIES, 2))
def test_every_policy_finds_the_best(policy: str) -> None:
    found = search(policy)
    assert found.decisions == {"tile": 16, "together": True}
    assert found.strategy == parallel(tile=16) and not found.is_default
    assert found.ratio == 2.0 and len(found.rows) == len(ALL) and found.gap == 0
    assert sorted(found.neighbours) == [0.6666666666666666, 0.8, 1.0, 1.6]
    xs = np.arange(16, dtype=np.float32)
    assert np.array_equal(found.kernel(xs), xs * xs)


def test_the_targets_own_strategy_is_kept_if_nothing_is_faster() -> None:
    found = search(table=lambda decisions: 1.0)
    assert found.is_default and found.strategy == parallel() and found.ratio == 1.0 and found.decisions == {}
    xs = np.arange(16, dtype=np.float32)
    assert np.array_equal(found.kernel(xs), xs * xs)


def test_the_targets_own_strategy_is_for_the_processor_of_the_search() -> None:
    found = search(table=lambda decisions: 1.0, machine=processor("nehalem"))
    assert found.is_default and found.strategy == parallel(machine=processor("nehalem"))


class LosesRaces(ByFunction):
    """A clock with which a candidate that looked faster is not, when it runs against the target's own strategy
    again.
    """

    def race(self, finalists: Any) -> list[float]:
        return [0.99 for _ in finalists]


def test_the_last_race_decides() -> None:
    assert search(evaluator=LosesRaces(seconds)).is_default


def test_a_budget_ends_a_search_and_a_later_one_continues_it(tmp_path: Path) -> None:
    asked: list[str] = []

    def table(decisions: Decisions) -> float:
        asked.append(text_of(decisions))
        return seconds(decisions)

    said: list[str] = []
    whole = [text_of(row.decisions) for row in search("random").rows]
    for most in (2, 5, 5, 8):
        found = search(
            "random", most, table=table, db=tmp_path / "t.sqlite", progress=lambda at: said.append(str(at))
        )
        assert len(found.rows) == most
    assert asked == whole, "nothing twice, and in the order of one search"
    assert said[0].startswith("1/2 evaluated, best x") and said[-1].startswith(
        "8/8 evaluated, best x2.000, gap 0%"
    )


KILLED = """
import os, signal, sys
from shine.front.tuner import Budget, ByFunction, tune
from tests.shine.front.tuner.spaces import SIZES, SQUARES, seconds, tiles
done = []
def table(decisions):
    if len(done) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    done.append(decisions)
    print(sorted(decisions.items()), flush=True)
    return seconds(decisions)
tune(SQUARES, tiles, SIZES, Budget(evaluations=8), "random", db=sys.argv[1], evaluator=ByFunction(table))
"""


def test_a_killed_search_is_resumed_and_evaluates_nothing_twice(tmp_path: Path) -> None:
    evaluated: list[str] = []
    for often in (3, 4, 100):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "t.sqlite"), str(often)]
        ran = forks.run(command, env=forks.environment())
        evaluated += ran.stdout.decode().splitlines()
        assert ran.returncode == (0 if often == 100 else -signal.SIGKILL)
    assert len(evaluated) == len(set(evaluated)) == len(ALL)


def test_two_processes_share_the_work(tmp_path: Path) -> None:
    both = f"import os\nother = os.fork()\n{KILLED}\nif other:\n    assert os.waitpid(other, 0)[1] == 0\n"
    command = [sys.executable, "-c", both, str(tmp_path / "t.sqlite"), "100"]
    ran = forks.run(command, env=forks.environment())
    assert ran.returncode == 0, ran.stderr.decode()
    assert sorted(Counter(ran.stdout.decode().splitlines()).values()) == [1] * len(ALL)


def test_results_of_a_changed_source_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.sqlite"
    search(most=3, db=path)
    monkeypatch.setattr("shine.front.tuner.keys.sources", lambda: "changed")
    with pytest.raises(RiseError) as caught:
        search(most=3, db=path, resume=True)
    assert caught.value.diagnostic.code == "nothing-to-resume"
    assert "has changed since" in caught.value.diagnostic.title
    found = search(most=3, db=path)
    assert len(found.rows) == 3
    assert any("has changed since" in note for note in found.notes)
    assert len(search(most=3, db=path, resume=True).rows) == 3


def test_only_results_of_this_run_are_resumed(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with pytest.raises(RiseError) as caught:
        search(db=path, resume=True)
    assert "found none" in caught.value.diagnostic.title
    search(most=1, db=path)
    with pytest.raises(RiseError) as caught:
        tune(SQUARES, tiles, {"N": 17}, db=path, resume=True, evaluator=ByFunction(seconds))
    assert caught.value.diagnostic.title.endswith("found those of other sizes")


@pytest.mark.parametrize("decisions", [{"tile": 5, "together": True}, {"tile": 4, "together": True, "x": 1}])
def test_unknown_decisions_in_a_database_are_refused(tmp_path: Path, decisions: Decisions) -> None:
    path = tmp_path / "t.sqlite"
    search(most=1, db=path)
    with Database(path) as database:
        ((run, _),) = database.runs()
        database.put(run, decisions, candidates.Result(State.MEASURED, 1.0, 1.0, 0.0))
    assert refusal(SQUARES, tiles, SIZES, db=path, evaluator=ByFunction(seconds)) == "unknown-decision"


def test_reading_a_database_imports_nothing_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    search(most=2, db=path)
    (tmp_path / "evil.py").write_text("open('ran', 'w')")
    changed = sqlite3.connect(path)
    changed.execute("update run set space='evil:main'")
    changed.execute("update candidate set source='evil:main', why='evil:main'")
    changed.commit()
    changed.close()
    code = "import sys; from shine.front.tuner.database import Database as D; from shine.front.tuner.exchange import"
    code += " to_json; print(to_json(D(sys.argv[1])).count('evil:main')); assert 'evil' not in sys.modules"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert int(ran.stdout) == 5 and not (tmp_path / "ran").exists()


def same_time(runs: Any, threads: int, rounds: int, hopeless: float = 0.0) -> dict[str, list[float]]:
    """A clock that reports every candidate as twice as fast as the target's own strategy."""
    for run in runs.values():
        run()
    return {name: [2.0 if name == "own" else 1.0] * 3 for name in runs}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "in_turns", same_time)


@cache
def misbehaving() -> Found:
    """A search whose candidates hang, crash, fail and are wrong, except one."""
    limits = Limits(build_seconds=8.0)
    with patch.object(candidates, "in_turns", same_time):
        return tune(SQUARES, odd, SIZES, Budget(evaluations=9), "exhaustive", limits=limits, threads=1)


def test_each_candidate_is_built_and_run_in_isolation() -> None:
    found = misbehaving()
    states = {row.decisions["how"]: row.result for row in found.rows}
    assert {how: result.state for how, result in states.items()} == {
        "well": State.MEASURED,
        "cubes": State.WRONG,
        "hangs": State.DEAD,
        "crashes": State.DEAD,
        "fails": State.DEAD,
    }
    codes = {how: result.diagnostic.code for how, result in states.items() if result.diagnostic is not None}
    assert codes == {
        "cubes": "wrong-result",
        "hangs": "candidate-hung",
        "crashes": "candidate-crashed",
        "fails": "strategy-failed",
    }
    assert found.decisions == {"how": "well"} and found.ratio == 2.0
    assert [row.decisions["how"] for row in found.wrong] == ["cubes"]
    assert any("compute wrong results" in note for note in found.notes)


def searched(validity: Validity) -> Found:
    """A search of two candidates that have this validity."""
    with patch.object(candidates, "validity_of", lambda *_: validity):
        return tune(SQUARES, tiles, SIZES, Budget(evaluations=2), "exhaustive", threads=1)


@pytest.mark.usefixtures("clock")
def test_programs_of_candidates_are_proved() -> None:
    found = tune(SQUARES, tiles, SIZES, Budget(evaluations=2), "exhaustive", threads=1)
    assert [row.result.validity for row in found.rows] == ["proved", "proved"]
    assert not any("proved" in note for note in found.notes)
    assert "<td>proved</td>" in report("title", [], found.rows)


def test_a_proof_may_stop_at_the_lowered_program() -> None:
    """Sums of rows by lanes are in another order, which the checker does not follow through softmax."""
    program = rise.parse_file(ROOT / "examples" / "softmax.rise").main
    sizes = {"M": 4, "N": 64}
    at = rows.on(processor("haswell"))
    decisions = {"accumulators": None, "tile": 16, "together": True, "prefetch": False}
    leaf = replay(at, decisions, program, sizes)
    assert isinstance(leaf, Leaf) and leaf.term is not None, leaf
    target = find_target("openmp")
    passed, _ = target.passed(translate(leaf.term, "kernel", target.levels), {"threads": 2})
    assert isinstance(passed, Procedure)
    found = validity_of(rise.specialise(program, **sizes), leaf.term, passed, leaf.float_class)
    assert (
        found.text.startswith("translation proved: the lowered program: stopped ") and found.finding is None
    )


@pytest.mark.usefixtures("clock")
def test_a_program_that_is_refuted_is_a_finding_and_does_not_run() -> None:
    finding = Diagnostic(
        "access-outside", "expected accesses below 16, found 16", hint="h", notes=("where i = 4",)
    )
    found = searched(Validity("unknown: stopped", finding))
    assert [row.result.state for row in found.wrong] == [State.WRONG, State.WRONG] and found.is_default
    said = found.wrong[0].result.diagnostic
    assert said is not None and (said.title, said.notes) == (finding.title, finding.notes)
    assert "report it" in said.hint


@pytest.mark.usefixtures("clock")
def test_where_validity_is_unknown_results_decide() -> None:
    found = searched(Validity("unknown: stopped at x"))
    assert all(row.result.is_timed and row.result.validity == "unknown: stopped at x" for row in found.rows)
    assert any(note.startswith("0 of 2 programs are proved to be valid") for note in found.notes)


@pytest.mark.usefixtures("clock")
def test_equal_candidates_are_measured_once() -> None:
    found = tune(SQUARES, tiles, SIZES, Budget(evaluations=8), "exhaustive", threads=1)
    sources = [row.result.source for row in found.rows]
    measured = [row for row in found.rows if row.result.state is State.MEASURED]
    assert len(measured) == len(set(sources)) < len(sources)
    assert all(row.result.ratio == 2.0 for row in found.rows)


@in_whole("test_built_in_spaces_are_searched")
@pytest.mark.usefixtures("clock")
def test_an_executor_builds_and_runs_whole_candidates() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as executor:
        found = tune(SQUARES, tiles, SIZES, Budget(evaluations=2), "exhaustive", executor=executor, threads=1)
    assert [row.result.state for row in found.rows] == [State.MEASURED] * 2
    assert found.ratio == 2.0


class Losing(ProcessPoolExecutor):
    """An executor whose workers are killed after they have reported their machine."""

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        job = super().submit(work if work is machine_text else os._exit, *(arguments and (1,)))
        return job


def test_an_executor_that_loses_its_workers_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with Losing(1, mp_context=get_context("fork")) as executor:
        assert refusal(SQUARES, tiles, SIZES, db=path, executor=executor) == "lost-workers"


class Inline(Executor):
    """An executor whose second job runs on another machine."""

    jobs = 0

    def submit(self, work: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        self.jobs += 1
        done: Future[Any] = Future()
        done.set_result("one" if self.jobs == 1 else (candidates.Result(State.DEAD), "another"))
        return done


def test_results_of_different_machines_do_not_mix() -> None:
    assert refusal(SQUARES, tiles, SIZES, executor=Inline()) == "other-machine"


def test_a_space_that_cannot_be_sent_is_refused() -> None:
    @space
    def inner() -> Strategy:
        return id_

    with ProcessPoolExecutor(1) as executor:
        assert refusal(SQUARES, inner, SIZES, executor=executor) == "not-sent"


@space
def unsatisfiable() -> Strategy:
    """A space without candidates."""
    rows = choose("rows", (1, 2))
    choose("columns", (1, 2), where=lambda columns: columns > rows + 1)
    return id_


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("no-term", ("x", tiles, SIZES)),
        ("wrong-kind", (SQUARES, "tiles", SIZES)),
        ("wrong-kind", (SQUARES, tiles, 3)),
        ("size-unknown", (SQUARES, tiles)),
        ("size-unknown", (SQUARES, tiles, {"N": -1})),
        ("unknown-name", (SQUARES, tiles, {"M": 1, "N": 2})),
        ("wrong-kind", (SQUARES, tiles, SIZES, 3)),
        ("unknown-policy", (SQUARES, tiles, SIZES, None, "best")),
        ("wrong-kind", (SQUARES, tiles, SIZES, None, "tag", 3)),
        ("wrong-kind", (SQUARES, tiles, SIZES, None, "tag", None, 3)),
        ("unsatisfiable-space", (SQUARES, unsatisfiable, SIZES)),
    ],
)
def test_mistakes_are_diagnostics(code: str, arguments: tuple[Any, ...]) -> None:
    assert refusal(*arguments) == code


@pytest.mark.parametrize(
    "wrong", [{"evaluations": 0}, {"minutes": -1}, {"evaluations": 1.5}, {"minutes": "x"}]
)
def test_budgets_are_positive(wrong: Any) -> None:
    with pytest.raises(RiseError) as caught:
        Budget(**wrong)
    assert caught.value.diagnostic.code == "budget"


def test_a_noisy_clock_is_reported() -> None:
    class Noisy(ByFunction):
        def wait(self, seconds: float) -> Any:
            return [
                (decisions, candidates.Result(State.MEASURED, one.seconds, one.ratio, 0.5))
                for decisions, one in super().wait(seconds)
            ]

    (note,) = search(evaluator=Noisy(seconds)).notes
    assert note.startswith("timings are noisy: half of the ratios of a candidate are 50% apart")


@pytest.mark.parametrize("policy", ["bnb", "bound", "tag", "uct"])
def test_a_machine_that_is_faster_than_its_record_is_reported(policy: str) -> None:
    """Times below all bounds neither end a search early nor prove that its result is the best."""
    found = search(policy, evaluator=ByFunction(lambda decisions: 1e-12 * seconds(decisions)))
    assert found.decisions == {"tile": 16, "together": True}
    assert found.gap is None and len(found.rows) == len(ALL)
    assert any("this machine is faster than the record" in note for note in found.notes)


def test_tpe_tries_each_candidate_once_or_names_its_extra() -> None:
    try:
        import optuna  # noqa: F401, PLC0415  # an extra
    except ImportError:
        with pytest.raises(RiseError) as caught:
            search("tpe")
        assert caught.value.diagnostic.code == "no-optuna"
        assert "rise-shine[optuna]" in caught.value.diagnostic.hint
        return
    found = search("tpe")
    assert len(found.rows) == len(ALL) and found.decisions == {"tile": 16, "together": True}


def test_tune_is_exported() -> None:
    assert shine.tune is tune and shine.Budget is Budget


@required_tools.needs(required_tools.DASK, required_tools.has_module("distributed"))
def test_workers_of_a_dask_cluster_are_an_executor() -> None:
    distributed: Any = importlib.import_module("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        executor = client.get_executor()
        found = tune(SQUARES, tiles, SIZES, Budget(evaluations=2), "exhaustive", executor=executor, threads=1)
    assert [row.result.state in (State.MEASURED, State.TWIN) for row in found.rows] == [True] * 2


PRODUCT = rise.parse(
    "val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b)"
    " |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"
)
WINDOWS = rise.parse(
    "val main = fun(xs: (N+2).f32 => xs |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))"
)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("program", "one", "sizes", "why"),
    some(
        [
            (
                PRODUCT,
                product,
                {"M": 18, "N": 40, "K": 12},
                {
                    "the latency of sums",
                    "multiply-add units",
                    "load instructions",
                    "loads from L1",
                    "stores to L1",
                    "arithmetic",
                },
            ),
            (WINDOWS, stencil, {"N": 70}, {"arithmetic", "loading the inputs once"}),
            (WINDOWS, rows, {"N": 70}, {"arithmetic", "loading the inputs once"}),
        ],
        3,
    ),
)
def test_built_in_spaces_are_searched(program: Any, one: Any, sizes: dict[str, int], why: set[str]) -> None:
    """Candidates drawn from the whole space are built, run, and agree with the program's meaning."""
    machine = processor("skylake-avx512")
    budget = Budget(evaluations=1 if SAMPLED else 3)
    found = tune(program, one, sizes, budget, "random", seed=1, machine=machine, threads=1)
    assert [row.result.state for row in found.rows if not row.result.is_timed] == []
    assert {row.why for row in found.rows} <= why and all(row.bound > 0 for row in found.rows)
    assert found.ratio == 2.0
