"""One strategy on several threads at once: the same results and counts as on one thread. Times nothing."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

import elevate
import rise
import strategies
from elevate import Failure, StrategyError, normalize, repeat, topDown
from elevate.toy import fToG, sinkH, swap, tree
from strategies.halos import haloTile
from strategies.normal_forms import BENF, DFNF
from strategies.rules.fusion import mapFusion
from tests.examples import some

THREADS = 4
MM = """fun(a: M.K.f32, b: K.N.f32 =>
    a |> map(fun(r => transpose(b) |> map(fun(c => zip(r, c) |> map(mul) |> reduce(add, 0.0))))))"""
BLUR = """fun(g: (M+2).(N+2).f32 =>
    g |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose) |> map(map(join >> reduce(add, 0.0))))"""
#: created for each test, so that threads get a strategy for which nothing is cached
MADE: dict[str, tuple[Callable[[], Any], str]] = {
    "a product": (lambda: strategies.load("strategies.cpu_gemm:parallel"), MM),
    "a product on tensor cores": (lambda: strategies.load("strategies.tensor_core:tensorCore"), MM),
    "tiles": (lambda: DFNF >> haloTile(3, 5), BLUR),
    "a normal form": (lambda: DFNF >> BENF, BLUR),
    "a failure": (lambda: topDown(mapFusion >> mapFusion >> mapFusion), BLUR),
}


@pytest.fixture(autouse=True)
def _turns() -> Iterator[None]:
    """Make threads switch as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[], Any]) -> list[Any]:
    """The results of a function on several threads, which start together."""
    begin = Barrier(THREADS)

    def waiting(_: int) -> Any:
        begin.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(waiting, range(THREADS)))


@pytest.mark.parametrize("name", some(MADE, 2))
def test_results_and_counts_are_those_of_one_thread(name: str) -> None:
    make, text = MADE[name]
    shared = make()
    found = at_once(lambda: elevate.run(shared, rise.parse(f"val main = {text}").main))
    alone = elevate.run(make(), rise.parse(f"val main = {text}").main)
    for one in found:
        assert one.result == alone.result and one.counters == alone.counters
        if isinstance(alone.result, Failure):
            assert str(one.result.explain()) == str(alone.result.explain())
        else:
            assert one.result.program is not None and one.result.steps == alone.result.steps


def test_runs_do_not_share_a_memo() -> None:
    """Each thread has its own program; the strategy is shared."""
    shared = normalize(sinkH | fToG)
    programs = iter([tree("h", tree("f", tree("f", *["a"] * count))) for count in range(1, THREADS + 1)])
    found = at_once(lambda: (one := next(programs), elevate.run(shared, one).result))
    assert len({str(given) for given, _ in found}) == THREADS
    for given, result in found:
        assert result == elevate.run(shared, given).result


def test_loops_are_found_on_each_thread() -> None:
    def circles() -> str:
        try:
            repeat(swap)(tree("p", "a", tree("f", "a")))
        except StrategyError as error:
            return error.diagnostic.title
        return "ended"

    found = set(at_once(circles))
    assert len(found) == 1 and found != {"ended"}
