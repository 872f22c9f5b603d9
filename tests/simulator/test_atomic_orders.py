"""Atomic objects of `<cuda/atomic>`: what each order and scope guarantees, and the results of operations."""

from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import in_turns, some
from tests.simulator.corpus import SCHEDULES

PASSED_ON = """#include <cuda/atomic>
extern "C" __global__ void f(int* cup, int* flag, int* y) {
  cuda::atomic_ref<int, cuda::thread_scope_SCOPE> is_full(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    cup[0] = 42;
    STORE;
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 32) {
    while (LOAD == 0) {}
    FENCE
    y[0] = cup[0];
  }
}"""
RELEASED = "is_full.store(1, cuda::memory_order_release)"
ACQUIRED = "is_full.load(cuda::memory_order_acquire)"


def text(store: str, load: str, scope: str, fence: str) -> str:
    made = PASSED_ON.replace("STORE", store).replace("LOAD", load).replace("FENCE", fence)
    return made.replace("SCOPE", scope)


@pytest.mark.parametrize(
    ("store", "load", "scope", "fence", "is_ordered", "blocks"),
    in_turns(
        [
            (RELEASED, ACQUIRED, "device", "", (True, True)),
            (RELEASED, ACQUIRED, "system", "", (True, True)),
            (RELEASED, ACQUIRED, "block", "", (True, False)),
            ("is_full = 1", "is_full", "device", "", (True, True)),
            ("is_full.fetch_add(1)", "is_full.fetch_or(0)", "device", "", (True, True)),
            ("is_full.store(1, cuda::memory_order_relaxed)", ACQUIRED, "device", "", (False, False)),
            (RELEASED, "is_full.load(cuda::std::memory_order_relaxed)", "device", "", (False, False)),
            (
                RELEASED,
                "is_full.load(cuda::memory_order_relaxed)",
                "device",
                "__threadfence();",
                (True, True),
            ),
            (
                RELEASED,
                "is_full.load(cuda::memory_order_relaxed)",
                "device",
                "cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);",
                (True, False),
            ),
        ],
        [1, 2],
    ),
)
def test_orders_and_scopes(
    store: str,
    load: str,
    scope: str,
    fence: str,
    is_ordered: tuple[bool, bool],
    blocks: int,
    programs: Callable[..., Program],
) -> None:
    source = text(store, load, scope, fence)
    program = programs(source, True)
    for schedule in SCHEDULES:
        cup, flag, y = np.zeros((3, 1), np.int32)
        report = program.launch("f", blocks, 64, [cup, flag, y], schedule=schedule)
        kinds = {one.kind for one in report.findings}
        assert kinds == (set() if is_ordered[blocks - 1] else {"race"}), schedule
        assert y[0] == 42


def test_a_release_orders_only_what_came_before_it(programs: Callable[..., Program]) -> None:
    source = text(RELEASED + "; cup[0] = 42", ACQUIRED, "device", "")
    report = programs(source, True).launch("f", 2, 64, list(np.zeros((3, 1), np.int32)))
    assert {one.kind for one in report.findings} == {"race"}


@pytest.mark.parametrize("check", some([False, True], 2), ids=some(["plain", "check"], 2))
def test_results_of_operations(check: bool, programs: Callable[..., Program]) -> None:
    source = """#include <cuda/atomic>
    __device__ cuda::atomic<unsigned, cuda::thread_scope_device> all{5};
    extern "C" __global__ void f(unsigned* y) {
      __shared__ cuda::atomic<int, cuda::thread_scope_block> own;
      if (threadIdx.x == 0) own.store(100, cuda::memory_order_relaxed);
      __syncthreads();
      all++;
      own.fetch_max(threadIdx.x + 90, cuda::memory_order_relaxed);
      own.fetch_min(120);
      int seen = own.load();
      while (!own.compare_exchange_weak(seen, seen + 1, cuda::memory_order_relaxed)) {}
      all -= 1;
      all += 2;
      __syncthreads();
      y[threadIdx.x] = all.load() * 1000 + own.exchange(7);
    }"""
    y = np.zeros(1, np.uint32)
    report = programs(source, check).launch("f", 1, 1, [y])
    assert report.findings == ()
    assert y[0] == 7101


def test_a_wait_ends_when_the_value_changes(programs: Callable[..., Program]) -> None:
    source = """#include <cuda/atomic>
    extern "C" __global__ void f(int* ready, int* y) {
      cuda::atomic_ref<int, cuda::thread_scope_device> state(*ready);
      if (blockIdx.x == 0) state.wait(0, cuda::memory_order_acquire);
      else state.store(3, cuda::memory_order_release), state.notify_all();
      if (blockIdx.x == 0) y[0] = *ready;
    }"""
    for schedule in SCHEDULES:
        y = np.zeros(1, np.int32)
        report = programs(source, True).launch("f", 2, 1, [np.zeros(1, np.int32), y], schedule=schedule)
        assert report.findings == ()
        assert y[0] == 3


OF_STANDARD = """#include <cuda/std/atomic>
__global__ void f(int* sent, cuda::std::atomic<int>* flag, int* y) {
  cuda::std::atomic_ref<int> sum(y[1]);
  sum.fetch_add(2);
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *sent = 4;
    cuda::std::atomic_thread_fence(cuda::std::memory_order_release);
    flag->store(1, cuda::std::memory_order_relaxed);
  } else {
    while (flag->load(cuda::std::memory_order_relaxed) == 0) {}
    FENCE
    y[0] = *sent;
  }
}"""
ACQUIRES = "cuda::std::atomic_thread_fence(cuda::std::memory_order_acquire);"


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_atomic_objects_of_the_standard_have_system_scope(
    schedule: str, programs: Callable[..., Program]
) -> None:
    for fence in (ACQUIRES, ""):
        sent, flag, y = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(2, np.int32)
        program = programs(OF_STANDARD.replace("FENCE", fence), True)
        report = program.launch("f", 2, 32, [sent, flag, y], schedule=schedule)
        assert y.tolist() == [4, 128]
        assert [finding.kind for finding in report.findings] == ([] if fence else ["race"])


def test_atomic_objects_are_constructed_in_shared_memory(programs: Callable[..., Program]) -> None:
    text = """#include <new>
    #include <cuda/atomic>
    struct Held { cuda::atomic<int, cuda::thread_scope_block> count; int numbers[2]; };
    __global__ void f(int* y) {
      __shared__ Held held;
      if (threadIdx.x == 0) {
        new (&held.count) cuda::atomic<int, cuda::thread_scope_block>(3);
        new (held.numbers) int[2]{5, 6};
      }
      __syncthreads();
      held.count.fetch_add(1);
      __syncthreads();
      if (threadIdx.x == 0) y[0] = held.count.load() + held.numbers[1];
    }"""
    y = np.zeros(1, np.int32)
    assert programs(text, True).launch("f", 1, 64, [y]).findings == () and y[0] == 73
