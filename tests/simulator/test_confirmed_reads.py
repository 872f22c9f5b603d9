"""Plain reads that a compare-and-swap confirms, and plain accesses by a thread whose atomic operation was the last."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import in_turns
from tests.simulator.corpus import SCHEDULES

#: additions and maxima by compare-and-swap: the first two are from CUDA's guide and its samples
LOOPS = {
    "double": """__device__ void put(double* place, double value) {
      unsigned long long int* words = (unsigned long long int*)place;
      unsigned long long int old = *words, assumed;
      do {
        assumed = old;
        old = atomicCAS(words, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
      } while (assumed != old);
    }""",
    "float": """__device__ void put(float* place, float value) {
      int old = *(int*)place, assumed;
      do {
        assumed = old;
        old = atomicCAS((int*)place, assumed, __float_as_int(value + __int_as_float(assumed)));
      } while (old != assumed);
    }""",
    "int": """__device__ void put(int* place, int value) {
      int seen;
      do seen = *place; while (atomicCAS(place, seen, seen + value) != seen);
    }""",
    "short": """__device__ void put(short* place, short value) {
      unsigned* word = (unsigned*)((size_t)place & ~(size_t)2);
      bool is_high = (size_t)place & 2;
      unsigned old = *word, assumed;
      do {
        assumed = old;
        unsigned sum = (unsigned short)((is_high ? old >> 16 : old) + value);
        old = atomicCAS(word, assumed, is_high ? old & 0xffff | sum << 16 : old & 0xffff0000 | sum);
      } while (assumed != old);
    }""",
}
KERNEL = """
__global__ void f(T* sums, int n) {
  __shared__ __align__(8) T own[2];
  if (threadIdx.x < 2) own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(&own[0], (T)i);
  __syncthreads();
  if (threadIdx.x == 0) put(&sums[1], own[0]);
  if (i < n) put(&sums[0], (T)i);
}"""


@pytest.mark.parametrize(("schedule", "kind"), in_turns(SCHEDULES, LOOPS))
def test_loops_of_compare_and_swap_are_correct(
    kind: str, schedule: str, programs: Callable[..., Program]
) -> None:
    text = LOOPS[kind] + KERNEL.replace("T", kind)
    sums = np.zeros(2, {"double": np.float64, "float": np.float32, "int": np.int32, "short": np.int16}[kind])
    report = programs(text, True).launch("f", 3, 64, [sums, np.int32(150)], schedule=schedule)
    assert report.findings == () and sums.tolist() == [150 * 149 / 2] * 2


@pytest.mark.parametrize(
    ("body", "schedule"),
    in_turns(
        [
            "int old = *place; atomicCAS(place, 0, old + 1);",
            "int old = *place; if (old == 0) atomicCAS(place, 0, 5);",
            "int old = *place; if (old == 0) atomicAdd(place, 1);",
            "int old = *place; atomicExch(place, old + 1); atomicCAS(place + 1, old, 2);",
            "int old = *place; *(place + 2) = old; atomicCAS(place + 1, old, 1); atomicAdd(place, 1);",
            "if (atomicCAS(place, *place, 5) < 0) place[threadIdx.x + 2] = *place;",
        ],
        SCHEDULES,
    ),
)
def test_reads_that_nothing_confirms_are_races(
    body: str, schedule: str, programs: Callable[..., Program]
) -> None:
    text = f"__global__ void f(int* place) {{\n  {body}\n}}"
    places = np.zeros(80, np.int32)
    found = programs(text, True).launch("f", 1, 64, [places], schedule=schedule).findings
    if body.startswith("if"):  # confirmed, unless the value is below 0
        assert found == ()
        return
    assert {one.kind for one in found} == {"race"} and found[0].first.line == 2


LAST = """__device__ unsigned tickets = 0;
__global__ void f(const float* x, volatile float* parts, int n) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) sum += x[i];
    parts[blockIdx.x] = sum;
    __threadfence();
    unsigned ticket = TAKEN;
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == RESETS) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += parts[i];
    parts[0] = sum;
    tickets = 0;
  }
}"""


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("taken", ["atomicInc(&tickets, gridDim.x)", "atomicAdd(&tickets, 1)"])
@pytest.mark.parametrize("resets", ["0", "40"])
def test_the_last_block_may_reset_the_counter(
    resets: str, taken: str, schedule: str, programs: Callable[..., Program]
) -> None:
    """As in threadFenceReduction of CUDA's samples: who takes the last ticket is ordered after all others."""
    program = programs(LAST.replace("TAKEN", taken).replace("RESETS", resets), True)
    x = np.arange(100, dtype=np.float32)
    for _ in range(2):
        parts = np.zeros(5, np.float32)
        report = program.launch("f", 5, 64, [x, parts, np.int32(100)], schedule=schedule)
        assert report.findings == () and parts[0] == x.sum()


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("unsigned ticket = TAKEN;", "atomicAdd(&tickets, 1); unsigned ticket = tickets - 1;"),
        ("is_last &&", "ticket_of_block == 0 &&"),
        ("is_last &&", "blockIdx.x == 2 &&"),
    ],
)
def test_who_is_not_told_races(
    was: str, becomes: str, schedule: str, programs: Callable[..., Program]
) -> None:
    text = LAST.replace(was, becomes).replace("TAKEN", "atomicAdd(&tickets, 1)").replace("RESETS", "0")
    text = text.replace("bool is_last;", "bool is_last; __shared__ unsigned ticket_of_block;")
    text = text.replace("is_last = ticket", "ticket_of_block = ticket; is_last = ticket")
    arguments: list[Any] = [np.ones(100, np.float32), np.zeros(5, np.float32), np.int32(100)]
    found = programs(text, True).launch("f", 5, 64, arguments, schedule=schedule).findings
    assert "tickets" in {one.array for one in found if one.kind == "race"}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_discarded_value_orders_nothing(schedule: str, programs: Callable[..., Program]) -> None:
    """Whichever thread comes last has made the last operation, but does not know it."""
    for operation in ("atomicAdd(n, 1);", "if (m > 0) atomicAdd(n, 1);", "else_(n);",
                      'asm volatile("red.global.add.s32 [%0], 1;" :: "l"(n) : "memory");'):  # fmt: skip
        helper = "__device__ void else_(int* n) { if (n == nullptr) __trap(); else atomicAdd(n, 1); }\n"
        text = (
            f"{helper}__global__ void f(int* n, int* y, int m) {{\n  {operation}\n  y[threadIdx.x] = *n;\n}}"
        )
        n, y = np.zeros(1, np.int32), np.zeros(64, np.int32)
        found = programs(text, True).launch("f", 1, 64, [n, y, np.int32(1)], schedule=schedule).findings
        assert [one.kind for one in found] == ["race"] and found[0].array == "n"


def test_an_access_before_an_array_names_it(programs: Callable[..., Program]) -> None:
    text = "__global__ void f(float* x, float* y, float* z, int i) {\n  z[0] = x[0] + y[i];\n}"
    for index, offset in ((-1, -4), (-4000, -16000), (8, 32), (4000, 16000)):
        arrays = [np.zeros(8, np.float32) for _ in range(3)]
        (found,) = programs(text, True).launch("f", 1, 1, [*arrays, np.int32(index)]).findings
        assert (found.kind, found.array, found.offset) == ("out-of-bounds", "y", offset)
