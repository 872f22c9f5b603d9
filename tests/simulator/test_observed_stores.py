"""Plain accesses to a place after an atomic or volatile read of what others have stored there: ordered after these
stores, and after nothing else (PTX ISA, "Causality Order").
"""

from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program

SCHEDULES = ("ascending", "descending", "random:1", "random:2")
#: blocks add to a sum in turn, and the last one resets the lock, as kernels that split a sum over blocks do
IN_TURN = """__device__ int state_of(LOCK* lock) { int state; READ; return state; }
__global__ void f(const int* x, int* y, LOCK* lock) {
  if (threadIdx.x == 0) while (state_of(lock) != blockIdx.x) {}
  __syncthreads();
  y[threadIdx.x] += x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == WHO) {
    if (blockIdx.x == LAST) { lock[0] = 0; return; }
    __threadfence();
    ADD;
  }
}"""
ACQUIRE = 'asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(state) : "l"(lock) : "memory")'
RELAXED_ADD = 'asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" :: "l"(lock) : "memory")'
VOLATILE = "state = *(volatile LOCK*)lock; __threadfence()"


def kinds(
    programs: Callable[..., Program],
    schedule: str,
    read: str = ACQUIRE,
    add: str = RELAXED_ADD,
    lock: str = "int",
    thread: str = "0",
    last: str = "gridDim.x - 1",
) -> set[str]:
    """The kinds of findings; without any, the sum is right and the lock is free."""
    text = IN_TURN.replace("READ", read).replace("ADD", add).replace("LOCK", lock)
    text = text.replace("WHO", thread).replace("LAST", last)
    x, y = np.arange(128, dtype=np.int32), np.zeros(32, np.int32)
    free = np.zeros(1, np.int32 if lock == "int" else np.int64)
    report = programs(text, True).launch("f", 4, 32, [x, y, free], schedule=schedule)
    if not report.findings:
        assert (y == x.reshape(4, 32).sum(0)).all() and free[0] == 0
    return {finding.kind for finding in report.findings}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"read": VOLATILE},
        {"read": "state = atomicAdd(lock, 0); __threadfence()"},
        {"add": "atomicAdd(lock, 1)"},
        {"thread": "5"},  # after the barrier that follows the read
        {"lock": "unsigned long long", "read": VOLATILE, "add": "atomicAdd(lock, 1)"},
    ],
    ids=str,
)
def test_who_has_read_the_last_store_may_reset_the_lock(
    change: dict[str, str], schedule: str, programs: Callable[..., Program]
) -> None:
    assert kinds(programs, schedule, **change) == set()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_who_has_read_an_earlier_store_races_with_the_later_ones(
    schedule: str, programs: Callable[..., Program]
) -> None:
    assert "race" in kinds(programs, schedule, last="1") | kinds(programs, "descending", last="1")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (t == 0) { while (STATE == 0) {} *flag = 0; }", set()),
        ("if (t == 0) { while (STATE == 0) {} } if (t == 32) *flag = 0;", {"race"}),
        ("if (t == 0) { while (STATE == 0) {} } __syncthreads(); if (t == 32) *flag = 0;", set()),
        ("if (t == 0) { while (STATE == 0) {} y[0] = *sent; }", {"race"}),  # another place
        ("if (t == 0) { int once = STATE; if (once < 2) *flag = 0; }", {"race"}),  # perhaps too early
    ],
)
def test_only_threads_that_are_ordered_after_the_read_and_only_this_place(
    body: str, found: set[str], programs: Callable[..., Program]
) -> None:
    state = "atomicAdd(flag, 0)"
    text = f"""__global__ void f(int* sent, int* flag, int* y) {{
      int t = threadIdx.x;
      if (blockIdx.x == 1) {{ if (t == 0) {{ *sent = 3; atomicExch(flag, 1); }} return; }}
      {body.replace("STATE", state)}
      __threadfence_block();
    }}"""
    kinds: set[str] = set()
    for schedule in SCHEDULES:
        arrays = [np.zeros(1, np.int32) for _ in range(3)]
        report = programs(text, True).launch("f", 2, 64, arrays, schedule=schedule)
        kinds |= {finding.kind for finding in report.findings}
    assert kinds == found
