"""Operations of the lanes of a warp: shuffles, votes, barriers with votes, atomics; results under all schedules."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import in_turns
from tests.simulator.corpus import SCHEDULES

LANES = np.arange(32, dtype=np.int32)


def run(
    program: Program, arguments: Sequence[Any], block: int = 32, grid: int = 1, kernel: str = "f"
) -> None:
    """Run under all schedules; every array must be the same after each of them."""
    arrays = [one for one in arguments if isinstance(one, np.ndarray)]
    before = [one.copy() for one in arrays]
    results = []
    for schedule in SCHEDULES:
        for array, value in zip(arrays, before, strict=True):
            array[...] = value
        report = program.launch(kernel, grid, block, arguments, schedule=schedule)
        assert report.findings == ()
        results.append([one.copy() for one in arrays])
    for other in results[1:]:
        for one, two in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def lanes_of(expressions: Sequence[str], programs: Callable[..., Program], check: bool = False) -> Any:
    """The results of the lanes of a warp for each of the expressions, in one kernel."""
    y = np.zeros((len(expressions), 32), np.int32)
    lines = "".join(f"  y[{32 * row} + lane] = {one};\n" for row, one in enumerate(expressions))
    text = f'extern "C" __global__ void f(int* y) {{\n  int lane = threadIdx.x;\n{lines}}}'
    run(programs(text, check), [y])
    return y


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_shuffles_stay_within_their_groups(check: bool, programs: Callable[..., Program]) -> None:
    calls = {}
    for width in (2, 8, 32):
        base = LANES // width * width
        down = np.where(base + width > LANES + 3, LANES + 3, LANES)
        up = np.where(base <= LANES - 3, LANES - 3, LANES)
        crossed = LANES ^ 5
        crossed = np.where(crossed < base + width, crossed, LANES)
        for name, operand, expected in (
            ("__shfl_down_sync", 3, down),
            ("__shfl_up_sync", 3, up),
            ("__shfl_xor_sync", 5, crossed),
            ("__shfl_sync", 37, base + 37 % width),
        ):
            calls[f"{name}(0xffffffff, lane, {operand}, {width})"] = expected
    for call, lanes in zip(calls, lanes_of(list(calls), programs, check), strict=True):
        np.testing.assert_array_equal(lanes, calls[call], err_msg=call)


@pytest.mark.parametrize(
    ("t", "dtype"),
    [
        ("float", np.float32),
        ("double", np.float64),
        ("unsigned long long", np.uint64),
        ("short", np.int16),
        ("__half", np.float16),
    ],
)
def test_shuffles_accept_every_type(t: str, dtype: Any, programs: Callable[..., Program]) -> None:
    x = np.arange(32).astype(dtype)
    y = np.zeros_like(x)
    text = (
        "#include <cuda_fp16.h>\n"
        f'extern "C" __global__ void f(const {t}* x, {t}* y) {{\n'
        "  y[threadIdx.x] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 16);\n}"
    )
    run(programs(text), [x, y])
    np.testing.assert_array_equal(y, x[LANES ^ 16])


def test_undefined_results_of_shuffles_are_poison(programs: Callable[..., Program]) -> None:
    (y,) = lanes_of(["lane < 16 ? __shfl_sync(0xffff, lane, 20) : 7"], programs)
    np.testing.assert_array_equal(y, [-1] * 16 + [7] * 16)


def test_lanes_that_have_ended_are_not_waited_for(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y) {
      if (threadIdx.x >= 20) return;
      __syncwarp();
      y[threadIdx.x] = __popc(__ballot_sync(0xffffffff, 1));
    }"""
    y = np.zeros(32, np.int32)
    run(programs(text, True), [y])
    np.testing.assert_array_equal(y, [20] * 20 + [0] * 12)


def test_results_of_votes(programs: Callable[..., Program]) -> None:
    thirds = int(np.uint32(sum(1 << i for i in range(0, 32, 3))).view(np.int32))
    calls = {
        "(int)__ballot_sync(0xffffffff, lane % 3 == 0)": thirds,
        "__any_sync(0xffffffff, lane == 9)": 1,
        "__any_sync(0xffffffff, lane == 99)": 0,
        "__all_sync(0xffffffff, lane < 32)": 1,
        "__all_sync(0xffffffff, lane < 31)": 0,
        "__reduce_add_sync(0xffffffff, lane)": 496,
        "__reduce_max_sync(0xffffffff, -lane)": 0,
    }
    for call, lanes in zip(calls, lanes_of(list(calls), programs), strict=True):
        np.testing.assert_array_equal(lanes, [calls[call]] * 32, err_msg=call)


def test_results_of_barriers_with_votes(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y) {
      int t = threadIdx.x + blockDim.x * threadIdx.y;
      y[t] = __syncthreads_count(t % 5 == 0) + 1000 * __syncthreads_and(t < 96) + 2000 * __syncthreads_or(t == 7);
    }"""
    y = np.zeros(96, np.int32)
    report = programs(text, True).launch("f", 1, (32, 3), [y])
    assert report.findings == ()
    np.testing.assert_array_equal(y, [20 + 1000 + 2000] * 96)


def test_indices_of_three_dimensions(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y) {
      int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
      int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
      y[block * blockDim.x * blockDim.y * blockDim.z + thread] = 10000 * block + thread;
    }"""
    y = np.zeros((24, 1024), np.int32)
    for schedule in SCHEDULES:
        y[...] = 0
        assert programs(text).launch("f", (2, 3, 4), (8, 16, 8), [y], schedule=schedule).findings == ()
        np.testing.assert_array_equal(y, 10000 * np.arange(24)[:, None] + np.arange(1024))


SUMMED = {
    "int": np.int32,
    "unsigned": np.uint32,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "__half": np.float16,
}


@pytest.mark.parametrize(("check", "t"), in_turns([False, True], SUMMED))
def test_atomic_sums_over_blocks(t: str, check: bool, programs: Callable[..., Program]) -> None:
    kernels = "\n".join(
        f'extern "C" __global__ void f{number}({one}* y) {{ atomicAdd(&y[threadIdx.x % 4], ({one})threadIdx.x); }}'
        for number, one in enumerate(SUMMED)
    )
    program = programs(f"#include <cuda_fp16.h>\n{kernels}", check)
    y = np.zeros(4, SUMMED[t])
    run(program, [y], block=64, grid=2, kernel=f"f{list(SUMMED).index(t)}")
    np.testing.assert_array_equal(y, [2 * sum(range(i, 64, 4)) for i in range(4)])


#: an operation on a word, the word before, and after 64 threads
ATOMICS = (
    ("atomicMin(y, 40 - (int)threadIdx.x)", 100, -23),
    ("atomicMax(y, (int)threadIdx.x)", -5, 63),
    ("atomicAnd(y, ~(1 << threadIdx.x % 8))", 0xFFF, 0xF00),
    ("atomicOr(y, 1 << threadIdx.x % 8)", 0x100, 0x1FF),
    ("atomicXor(y, 1 << threadIdx.x % 8)", 5, 5),
    ("atomicSub(y, 2)", 0, -128),
    ("atomicCAS(y, (int)threadIdx.x, (int)threadIdx.x)", 77, 77),
)


@pytest.mark.parametrize(
    "number", range(len(ATOMICS)), ids=[call.partition("(")[0] for call, _, _ in ATOMICS]
)
def test_other_atomic_operations(number: int, programs: Callable[..., Program]) -> None:
    text = "\n".join(
        f'extern "C" __global__ void f{i}(int* y) {{ {call}; }}' for i, (call, _, _) in enumerate(ATOMICS)
    )
    _, start, end = ATOMICS[number]
    y = np.array([start], np.int32)
    run(programs(text, True), [y], block=64, kernel=f"f{number}")
    assert y[0] == end


def test_a_lock_is_passed_between_waiting_threads(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* lock, int* count) {
      for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
          atomicAdd(count, 1);
          atomicExch(lock, 0);
          done = true;
        }
    }"""
    lock, count = np.zeros((2, 1), np.int32)
    run(programs(text), [lock, count], block=64)
    assert count[0] == 64


UPDATED = """extern "C" __global__ void f(int* y) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);
  BARRIER
  y[threadIdx.x] = total;
}"""


@pytest.mark.parametrize(
    ("barrier", "block", "is_ordered"),
    [
        ("__syncwarp();", 32, True),
        ("__syncwarp(); atomicAdd(&total, 0); __syncwarp();", 32, True),
        ("__syncthreads();", 64, True),
        ("", 32, False),
        ("__syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);", 32, False),
        ("__syncwarp();", 64, False),
    ],
)
def test_reads_after_atomic_operations_of_a_warp(
    barrier: str, block: int, is_ordered: bool, programs: Callable[..., Program]
) -> None:
    """All lanes that took part must have reached the barrier, not only the last one."""
    program = programs(UPDATED.replace("BARRIER", barrier), True)
    for schedule in SCHEDULES:
        report = program.launch("f", 1, block, [np.zeros(block, np.int32)], schedule=schedule)
        assert {one.kind for one in report.findings} == (set() if is_ordered else {"race"}), schedule
