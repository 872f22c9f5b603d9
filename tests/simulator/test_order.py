"""Order by fences: programs that order memory correctly agree with numpy and have no findings; without a fence, or with
one whose scope is too small, there is a race.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program, Report
from tests.examples import in_turns, some
from tests.simulator.corpus import KERNELS

SCHEDULES = ("ascending", "descending", *(f"random:{seed}" for seed in range(8)))
FENCE = re.compile(r"__threadfence(?:_block)?\(\);")
N = 500
X = np.random.default_rng(3).integers(-9, 10, N).astype(np.int32)
GRID, BLOCK = 9, 64


def zeros(count: int) -> Any:
    return np.zeros(count, np.int32)


def launch(program: Program, kernel: str, schedule: str) -> tuple[Report, Any]:
    """Launch a kernel of the three files; returns the report and the results."""
    n = np.int32(N)
    y = zeros(N)
    if kernel == "words":
        arguments = [X, y, np.zeros(GRID, np.uint64), n]
    elif kernel in ("flags", "warps"):
        arguments = [X, y, zeros(GRID), zeros(GRID), zeros(GRID), n]
    else:
        y = zeros(1)
        arguments = [X, zeros(GRID * BLOCK), y, n]
    return program.launch(kernel, GRID, BLOCK, arguments, schedule=schedule, seconds=20), y


FILES = {
    "last_block.cu": ("last_block", "all_threads_fence", "volatile_parts", "last_block_reads_counts"),
    "lock.cu": ("lock_of_the_grid", "lock_of_a_block", "turns", "handed_over"),
    "look_back.cu": ("flags", "words", "warps"),
}
TEXTS = {file: (KERNELS / file).read_text(encoding="utf-8") for file in FILES}


@pytest.mark.parametrize(
    ("file", "kernel", "check"),
    in_turns([(file, kernel) for file, kernels in FILES.items() for kernel in kernels], [False, True]),
)
def test_fences_order_memory(file: str, kernel: str, check: bool, programs: Callable[..., Program]) -> None:
    program = programs(file, check)
    expected = np.cumsum(X) if file == "look_back.cu" else [X.sum()]
    for schedule in SCHEDULES:
        report, y = launch(program, kernel, schedule)
        assert report.findings == (), schedule
        assert report.finished
        np.testing.assert_array_equal(y, expected)


def kernels_of_lines(file: str) -> dict[int, str]:
    """For each fence of a file, by its position, the kernel that contains it."""
    text = TEXTS[file]
    found = {}
    for fence in FENCE.finditer(text):
        names = re.findall(r"__global__ void (\w+)", text[: fence.start()])
        found[fence.start()] = names[-1] if names else FILES[file][0]
    return found


FENCES = [(file, start, kernel) for file in FILES for start, kernel in kernels_of_lines(file).items()]


WEAKER = [(*fence, weaker) for fence in FENCES for weaker in ("", "__threadfence_block();")]


@pytest.mark.parametrize(("file", "start", "kernel", "weaker"), some(WEAKER, 17))
def test_every_fence_and_its_scope_are_needed(
    file: str, start: int, kernel: str, weaker: str, programs: Callable[..., Program]
) -> None:
    text = TEXTS[file]
    match = FENCE.match(text, start)
    assert match is not None
    if match[0] == weaker:
        weaker = ""
    program = programs(text[:start] + weaker + text[match.end() :], True)
    kinds = set()
    for schedule in SCHEDULES:
        report, _ = launch(program, kernel, schedule)
        kinds |= {one.kind for one in report.findings}
    assert kinds == {"race"}


def kinds_of(text: str, programs: Callable[..., Program], grid: int, block: int, *arrays: Any) -> set[str]:
    program = programs(text, True)
    found = set()
    for schedule in SCHEDULES[:4]:
        report = program.launch(
            "f", grid, block, [one.copy() for one in arrays], schedule=schedule, seconds=20
        )
        found |= {one.kind for one in report.findings}
    return found


@pytest.mark.parametrize(
    ("call", "grid", "kinds"),
    [
        ("atomicAdd_block(count, 1)", 1, set()),
        ("atomicAdd_block(count, 1)", 2, {"race"}),
        ("blockIdx.x ? atomicAdd(count, 1) : atomicAdd_block(count, 1)", 2, {"race"}),
        ("atomicAdd(count, 1)", 2, set()),
        ("atomicAdd_system(count, 1)", 2, set()),
    ],
)
def test_atomic_operations_of_block_scope_only_order_one_block(
    call: str, grid: int, kinds: set[str], programs: Callable[..., Program]
) -> None:
    text = f'extern "C" __global__ void f(int* count) {{ {call}; }}'
    assert kinds_of(text, programs, grid, 64, zeros(1)) == kinds


def test_operations_of_block_scope_are_no_longer_tracked_once_all_are_ordered_after_them(
    programs: Callable[..., Program],
) -> None:
    text = """extern "C" __global__ void f(int* count, int* ready) {
      if (blockIdx.x == 0) {
        atomicAdd_block(count, 1);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(ready, 1);
      }
      while (atomicAdd(ready, 0) == 0) {}
      __threadfence();
      atomicAdd(count, 1);
    }"""
    assert kinds_of(text, programs, 3, 64, zeros(1), zeros(1)) == set()


LOCKSTEP = """extern "C" __global__ void f(int* x, int* y) {
  __shared__ volatile int part[32];
  int t = threadIdx.x;
  part[t] = x[t];
  SYNC
  for (int step = 16; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    SYNC
  }
  if (t == 0) y[0] = part[0];
}"""


@pytest.mark.parametrize(("sync", "kinds"), [("__syncwarp();", set()), ("", {"race"})])
def test_volatile_does_not_make_lanes_run_in_lockstep(
    sync: str, kinds: set[str], programs: Callable[..., Program]
) -> None:
    assert kinds_of(LOCKSTEP.replace("SYNC", sync), programs, 1, 32, X[:32], zeros(1)) == kinds


def test_many_threads_may_set_a_volatile_flag(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(const int* x, volatile int* any) {
      if (x[blockIdx.x * blockDim.x + threadIdx.x] > 0) *any = 1;
    }"""
    assert kinds_of(text, programs, 4, 64, X[:256], zeros(1)) == set()


def test_a_plain_read_of_a_flag_is_a_race(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* flag, int* y) {
      if (blockIdx.x == 0) { y[0] = 1; __threadfence(); atomicExch(flag, 1); }
      else if (*flag == 1) { __threadfence(); y[1] = y[0]; }
    }"""
    assert kinds_of(text, programs, 2, 1, zeros(1), zeros(2)) == {"race"}


@pytest.mark.parametrize(("use", "kinds"), [("atomicAdd(&total, 1)", set()), ("total += 1", {"race"})])
def test_variables_of_the_text_are_checked(
    use: str, kinds: set[str], programs: Callable[..., Program]
) -> None:
    text = f"""__device__ unsigned char mark;
    __device__ int total = 0, other[3] = {{1, 2, 3}};
    extern "C" __global__ void f(int* y) {{
      {use};
      if (blockIdx.x == 0 && threadIdx.x == 0) mark = 1, other[1] = y[0];
    }}"""
    assert kinds_of(text, programs, 2, 32, zeros(1)) == kinds
    (*_, last) = programs(text, True).launch("f", 2, 1, [zeros(1)]).findings or [None]
    assert last is None or (last.array == "total" and last.first is not None)


def test_a_restarted_launch_has_its_initial_variables(
    programs: Callable[..., Program],
) -> None:
    """Bytes are tracked individually only after one was accessed."""
    text = """__device__ int launches = 0;
    extern "C" __global__ void f(signed char* x, int* y) {
      launches++;
      x[0] = 1;
      y[0] = launches;
    }"""
    program = programs(text, True)
    y = zeros(1)
    for count in (1, 2):
        assert program.launch("f", 1, 1, [np.zeros(1, np.int8), y]).findings == ()
        assert y[0] == count
