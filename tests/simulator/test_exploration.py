"""All orders of atomic and volatile accesses are tried, each once: the outcomes are those counted by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, factorial
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Deferral, Program, Report
from tests.examples import in_turns, in_whole, some
from tests.simulator import exploration
from tests.simulator.exploration import SMALL, Explored, Small, explore
from tests.simulator.mutation import Mutant, of_case, order_matters
from tests.simulator.samples import samples
from tests.simulator.verdicts import verdict

SUBJECTS = {case.kernel: of_case(case) for case in samples() if case.kernel in (*SMALL, "interleaved")}
#: each thread takes COUNT tickets, and records them
TICKETS = """__device__ unsigned unused;
extern "C" __global__ void tickets(unsigned* next, unsigned* taken) {
  for (int i = 0; i < COUNT; i++)
    taken[(blockIdx.x * blockDim.x + threadIdx.x) * COUNT + i] = atomicAdd(next + WHICH, 1);
}
"""
#: accesses of both threads (or blocks), which are volatile
LITMUS = """extern "C" __global__ void litmus(volatile int* x, volatile int* y, int* seen) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 0) { FIRST }
  if (t == 1) { SECOND }
}
"""


def of(text: str, kernel: str, small: Small, programs: Callable[..., Program]) -> Explored:
    program = programs(text, True)
    return explore(lambda deferrals: small.run(program, kernel, deferrals), small.grid > 1)


@pytest.mark.parametrize(
    ("grid", "block", "count"),
    some([(1, 2, 2), (2, 1, 2), (1, 3, 1), (2, 2, 1), (3, 1, 1), (1, 2, 3), (2, 1, 3)], 2),
)
def test_all_orders_of_tickets(grid: int, block: int, count: int, programs: Callable[..., Program]) -> None:
    threads = grid * block
    text = TICKETS.replace("COUNT", str(count)).replace("WHICH", "0")
    small = Small(grid, block, [np.zeros(1, np.uint32), np.zeros(threads * count, np.uint32)])
    found = of(text, "tickets", small, programs)
    expected = factorial(threads * count) // factorial(count) ** threads
    assert len(found.outcomes) == expected and found.deferrals is None and found.findings == ()
    assert found.orders <= (2 * expected if grid > 1 < block else expected), "each order once, or nearly so"


def test_deferrals_need_a_check_build(programs: Callable[..., Program]) -> None:
    text = TICKETS.replace("COUNT", "1").replace("WHICH", "0")
    with pytest.raises(ValueError, match="expected a check build"):
        programs(text).launch("tickets", 1, 1, [np.zeros(1, np.uint32)] * 2, deferrals=())


def test_operations_on_different_memory_have_one_order(programs: Callable[..., Program]) -> None:
    text = TICKETS.replace("COUNT", "2").replace("WHICH", "threadIdx.x")
    found = of(text, "tickets", Small(1, 3, [np.zeros(3, np.uint32), np.zeros(6, np.uint32)]), programs)
    assert (found.orders, len(found.outcomes), found.deferrals) == (1, 1, None)


@pytest.mark.parametrize(
    ("first", "second", "outcomes", "grid", "block"),
    in_turns(
        [
            ("*x = 1; seen[0] = *y;", "*y = 1; seen[1] = *x;", {(0, 1), (1, 0), (1, 1)}),
            ("seen[0] = *y; *x = 1;", "seen[1] = *x; *y = 1;", {(0, 0), (0, 1), (1, 0)}),
            (
                "*x = 1; *x = 2;",
                "seen[0] = *x; seen[1] = *x;",
                {(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)},
            ),
            ("*x = 1; *y = 1;", "while (*y == 0) {} seen[0] = 1; seen[1] = *x;", {(1, 1)}),
        ],
        [(1, 2), (2, 1)],
    ),
)
def test_litmus_tests_have_the_outcomes_of_sequential_consistency(
    first: str,
    second: str,
    outcomes: set[tuple[int, int]],
    grid: int,
    block: int,
    programs: Callable[..., Program],
) -> None:
    text = LITMUS.replace("FIRST", first).replace("SECOND", second)
    program, found = programs(text, True), set()

    def run(deferrals: Sequence[Deferral]) -> tuple[Report, bytes]:
        x, y, seen = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)
        report = program.launch("litmus", grid, block, [x, y, seen], deferrals=deferrals)
        races = [one for one in report.findings if one.kind != "race"]  # races are expected without fences
        if report.deferred == len(deferrals):
            found.add((int(seen[0]), int(seen[1])))
        return Report(
            tuple(races), report.finished, synchronising=report.synchronising, deferred=report.deferred
        ), b""

    assert explore(run, grid > 1).deferrals is None
    assert found == outcomes


def test_a_lost_update_that_few_orders_show_is_found(programs: Callable[..., Program]) -> None:
    """Both threads must read before either writes."""
    text = """extern "C" __global__ void add(unsigned* sum, unsigned* y) {
      unsigned before = atomicAdd(sum, 0);
      atomicExch(sum, before + 1);
    }"""
    found = of(text, "add", Small(1, 2, [np.zeros(1, np.uint32), np.zeros(1, np.uint32)]), programs)
    sums = {np.frombuffer(one, np.uint32)[0] for one in found.outcomes}
    assert sums == {1, 2} and found.deferrals is None


def test_an_exploration_that_ends_early_reports_its_progress(
    monkeypatch: pytest.MonkeyPatch, programs: Callable[..., Program]
) -> None:
    monkeypatch.setattr(exploration, "MOST_RUNS", 20)
    text = TICKETS.replace("COUNT", "3").replace("WHICH", "0")
    found = of(text, "tickets", Small(1, 2, [np.zeros(1, np.uint32), np.zeros(6, np.uint32)]), programs)
    assert found.deferrals == 2 and 1 < len(found.outcomes) < comb(6, 3)


def changed(kernel: str, old: str, new: str) -> Mutant:
    subject = SUBJECTS[kernel]
    assert subject.text.count(old) == 1, subject.text.count(old)
    return Mutant(subject, "by hand", 1, old, new, subject.text.replace(old, new))


def test_the_verdict_on_a_mutant_is_certain_after_all_orders_of_a_small_launch(cache: Path) -> None:
    spare = changed("shared_queue", "i >= n) break", "n <= i) break; if (i < 0) continue")
    its = verdict(spare, cache, ("ascending",))
    assert (its.how, its.is_certain, its.orders) in (("survives", True, 8), ("same code", True, 0))
    needless = changed("last_block", "mine += parts[i];\n    __syncthreads();", "mine += parts[i];\n")
    its = verdict(needless, cache, ("ascending",))
    assert (its.how, its.is_certain) == ("survives", True) and its.orders > 1


@in_whole("tests/simulator/test_mutants.py::test_mutants_are_found")
def test_a_mutant_is_found_by_an_order_that_is_not_ascending(cache: Path) -> None:
    """In ascending order, the lock is free whenever a thread takes it."""
    broken = changed("lock_of_a_block", "&own, 0, 1) != 0", "&own, 0, 1) > 1")
    its = verdict(broken, cache, ("ascending",))
    assert its.how == "reported" and its.findings == ("race",)


def test_order_matters_only_in_functions_that_are_launched() -> None:
    interleaved, queue = SUBJECTS["interleaved"], SUBJECTS["shared_queue"]
    assert "volatile" in interleaved.text and not order_matters(interleaved.text, interleaved)
    assert order_matters(queue.text, queue)
    named = interleaved.text.replace("step", "grid")
    assert not order_matters(named, interleaved)


@in_whole("test_all_orders_of_tickets")
def test_all_orders_of_the_small_launches_have_one_result(programs: Callable[..., Program]) -> None:
    """The fast ones: `python benchmarks/mutants.py` runs all that it needs."""
    for kernel in ("last_block", "lock_of_a_block", "flags", "words", "split_rows", "shared_queue"):
        found = of(SUBJECTS[kernel].text, kernel, SMALL[kernel], programs)
        assert (found.findings, found.deferrals, len(found.outcomes)) == ((), None, 1), kernel
