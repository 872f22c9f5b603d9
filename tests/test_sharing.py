"""Distribution of test files over processes: each test once, files as a whole, the slowest first."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from xdist.remote import Producer

from tests.sharing import FORKING, LONG, TOGETHER, LongAndTogether

FILES = ("tests/a.py", f"{TOGETHER[0]}/b.py", "tests/c.py", f"{TOGETHER[0]}/d.py", LONG[-1], FORKING[1])
TESTS = [f"{file}::test_{i}" for file in FILES for i in range(4 + FILES.index(file))]


@dataclass(eq=False)
class Process:
    """A stub for a process of `pytest -n`, which receives the numbers of tests."""

    gateway: Any = field(default_factory=lambda: SimpleNamespace(id="gw"))
    given: list[int] = field(default_factory=list)
    shutting_down: bool = False

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.given += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


def begun(count: int) -> tuple[LongAndTogether, list[Process]]:
    """A run of all tests in this number of processes."""
    options = SimpleNamespace(loadscopereorder=True, maxprocesses=None)
    config: Any = SimpleNamespace(
        option=options, getvalue=lambda name: [f"{count}*popen"] if name == "tx" else None, hook=None
    )
    schedule = LongAndTogether(config, Producer("test", enabled=False))
    processes = [Process() for _ in range(count)]
    for process in processes:
        schedule.add_node(process)
    for process in processes:
        schedule.add_node_collection(process, TESTS)
    schedule.schedule()
    return schedule, processes


def finish(schedule: LongAndTogether, process: Process, done: int, count: int | None = None) -> int:
    """Run up to `count` of the tests that a process was given, `done` of which have run; returns how many have run
    then.
    """
    while done < len(process.given) and count != 0:
        schedule.mark_test_complete(process, process.given[done])
        done, count = done + 1, None if count is None else count - 1
    return done


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_test_is_run_once(count: int) -> None:
    schedule, processes = begun(count)
    done = [0] * count
    while schedule.has_pending:
        done = [finish(schedule, process, n, 3) for process, n in zip(processes, done, strict=True)]
    assert schedule.tests_finished
    assert sorted(number for process in processes for number in process.given) == list(range(len(TESTS)))


def test_a_file_or_a_folder_that_shares_is_run_by_one_process_and_what_forks_and_the_slowest_first() -> None:
    schedule, processes = begun(2)
    for process in processes:
        finish(schedule, process, 0)
    first = [TESTS[process.given[0]].split("::")[0] for process in processes]
    assert first == [FORKING[1], FILES[1]]
    homes: dict[str, set[int]] = {}
    for place, process in enumerate(processes):
        for number in process.given:
            homes.setdefault(schedule._split_scope(TESTS[number]), set()).add(place)
    assert all(len(places) == 1 for places in homes.values())
    assert TOGETHER[0] in homes


def test_remaining_tests_of_a_dead_process_are_run_by_another() -> None:
    schedule, (dead, other) = begun(2)
    done = finish(schedule, dead, 0, 2)
    assert schedule.remove_node(dead) == TESTS[dead.given[done]]
    finish(schedule, other, 0)
    assert not schedule.has_pending
    assert {*dead.given[:done], *other.given} == set(range(len(TESTS)))
