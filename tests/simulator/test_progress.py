"""Threads and blocks that wait for others make progress, in both builds; deadlocks are reported at once."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import in_whole, some
from tests.simulator.corpus import SCHEDULES

GRID_BARRIER = """extern "C" __global__ void f(volatile int* arrived, int* seen) {
  if (threadIdx.x == 0) {
    arrived[blockIdx.x] = 1;
    for (int b = 0; b < gridDim.x; b++)
      while (arrived[b] == 0) {}
  }
  __syncthreads();
  seen[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
}"""
NEXT_BLOCK = """extern "C" __global__ void f(int* turn, int* order) {
  __shared__ int mine;
  if (threadIdx.x == 0) mine = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicAdd(turn, 0) != gridDim.x - 1 - blockIdx.x) WAIT
    order[gridDim.x - 1 - blockIdx.x] = mine;
    atomicAdd(turn, 1);
  }
}"""
EXCHANGE = """extern "C" __global__ void f(unsigned* lock, int* count) {
  while (atomicExch(lock, 1u) != 0u) {}
  atomicAdd(count, 1);
  atomicExch(lock, 0u);
}"""
VOTES = """extern "C" __global__ void f(volatile int* ready, int* y) {
  if (blockIdx.x == 1) ready[threadIdx.x] = 1;
  else {
    int state;
    do state = ready[threadIdx.x];
    while (__any_sync(0xffffffff, state == 0));
    y[threadIdx.x] = state;
  }
}"""


def run(program: Program, grid: int, block: int, arguments: list[Any], schedule: str) -> None:
    assert program.launch("f", grid, block, arguments, schedule=schedule).finished


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_blocks_wait_for_all_others(schedule: str, check: bool, programs: Callable[..., Program]) -> None:
    arrived, seen = np.zeros(40, np.int32), np.zeros((40, 64), np.int32)
    run(programs(GRID_BARRIER, check), 40, 64, [arrived, seen], schedule)
    np.testing.assert_array_equal(seen, np.repeat(np.arange(40) + 1, 64).reshape(40, 64))


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
@pytest.mark.parametrize("waiting", ["{}", "__nanosleep(20);"])
def test_a_waiting_block_keeps_its_shared_memory(
    waiting: str, check: bool, programs: Callable[..., Program]
) -> None:
    """Blocks run in reverse order, so that all but the last wait."""
    program = programs(NEXT_BLOCK.replace("WAIT", waiting), check)
    for schedule in SCHEDULES:
        turn, order = np.zeros(1, np.int32), np.zeros(20, np.int32)
        run(program, 20, 96, [turn, order], schedule)
        np.testing.assert_array_equal(order, np.arange(20)[::-1])


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_locks_by_exchange_are_passed_between_threads(
    schedule: str, check: bool, programs: Callable[..., Program]
) -> None:
    count = np.zeros(1, np.int32)
    run(programs(EXCHANGE, check), 4, 64, [np.zeros(1, np.uint32), count], schedule)
    assert count[0] == 256


@pytest.mark.parametrize("check", some([False, True], 2), ids=some(["plain", "check"], 2))
def test_warps_that_vote_whether_to_wait_let_other_blocks_run(
    check: bool, programs: Callable[..., Program]
) -> None:
    for schedule in SCHEDULES:
        y = np.zeros(32, np.int32)
        run(programs(VOTES, check), 2, 32, [np.zeros(32, np.int32), y], schedule)
        np.testing.assert_array_equal(y, np.ones(32))


@pytest.mark.parametrize(
    ("waiting", "check"),
    some(product(["arrived[0] == 0", "atomicCAS((int*)arrived, 1, 2) != 1"], [False, True]), 5),
)
def test_waiting_forever_is_a_deadlock(waiting: str, check: bool, programs: Callable[..., Program]) -> None:
    text = (
        'extern "C" __global__ void f(volatile int* arrived) {\n'
        f"  if (threadIdx.x == 0)\n    while ({waiting}) {{}}\n  __syncthreads();\n}}"
    )
    for schedule in SCHEDULES:
        report = programs(text, check).launch("f", 3, 64, [np.zeros(1, np.int32)], schedule=schedule)
        assert not report.finished
        assert [one.kind for one in report.findings] == ["deadlock"]
        assert report.findings[0].lines == (3, 4)
        assert "all threads of 3 blocks that do not wait at barriers" in report.findings[0].message


@in_whole("test_waiting_forever_is_a_deadlock")
def test_more_blocks_than_can_wait_at_once_are_a_deadlock(programs: Callable[..., Program]) -> None:
    program = programs(GRID_BARRIER)
    arrived, seen = np.zeros(40, np.int32), np.zeros((40, 1024), np.int32)
    (finding,) = program.launch("f", 40, 1024, [arrived, seen]).findings
    assert finding.kind == "deadlock"
    assert "of 16 blocks" in finding.message
    assert "further blocks start only when others end" in finding.message


def test_waiting_for_a_limited_time_is_no_deadlock(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(volatile int* arrived, int* y) {
      int tries = 0;
      while (arrived[0] == 0 && tries < 20000) tries++;
      y[threadIdx.x] = tries;
    }"""
    y = np.zeros(64, np.int32)
    run(programs(text), 1, 64, [np.zeros(1, np.int32), y], "ascending")
    np.testing.assert_array_equal(y, [20000] * 64)
