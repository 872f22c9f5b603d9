"""Headers and functions of CUDA that hand-written kernels use, compared with numpy and ml_dtypes."""

import re
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from shine.simulator import Program
from shine.simulator.compiler import INCLUDE
from tests.examples import in_whole, some
from tests.simulator.corpus import SCHEDULES

BOTH = pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])


def test_every_header_can_be_included_by_itself(programs: Callable[..., Program]) -> None:
    names = [path.name for path in INCLUDE.iterdir() if path.is_file()]
    assert {"stdint.h", "cmath", "type_traits", "cuda_fp8.h", "cooperative_groups.h"} <= set(names)
    includes = "".join(f"#include <{name}>\n" for name in [*sorted(names), "cooperative_groups/reduce.h"])
    for text in (includes, "".join(reversed(includes.splitlines(True)))):
        x = np.zeros(1, np.int32)
        program = programs(f"{text}__global__ void f(int* x) {{ x[0] = 1; }}")
        assert program.launch("f", 1, 1, [x]).findings == () and x[0] == 1


def test_types_and_limits_are_those_of_the_standard(programs: Callable[..., Program]) -> None:
    text = """#include <cfloat>
    #include <climits>
    #include <cmath>
    #include <cstdint>
    #include <limits>
    #include <type_traits>
    #include <utility>
    static_assert(sizeof(int8_t) == 1 && sizeof(std::uint16_t) == 2 && sizeof(int32_t) == 4 && sizeof(uint64_t) == 8);
    static_assert(INT32_MIN == -2147483647 - 1 && UINT64_MAX == ~0ull && CHAR_BIT == 8 && INT_MAX == 2147483647);
    static_assert(std::is_same_v<std::remove_cv_t<const volatile int>, int> && !std::is_same_v<int, unsigned>);
    static_assert(std::is_same_v<std::conditional_t<true, int, float>, int>);
    static_assert(std::is_same_v<std::decay_t<const int(&)[3]>, const int*>);
    static_assert(std::is_integral_v<unsigned long> && std::is_integral_v<const bool> && !std::is_integral_v<float>);
    static_assert(std::is_floating_point_v<const double> && std::is_pointer_v<int* const> && std::is_signed_v<float>);
    static_assert(std::is_same_v<std::make_unsigned_t<long long>, unsigned long long>);
    static_assert(std::numeric_limits<int>::min() == INT_MIN && std::numeric_limits<unsigned char>::max() == 255);
    static_assert(std::numeric_limits<long long>::max() == LLONG_MAX);
    static_assert(std::numeric_limits<float>::lowest() == -FLT_MAX);
    template <class T> __device__ std::enable_if_t<std::is_integral<T>::value, int> kind(T) { return 1; }
    template <class T> __device__ std::enable_if_t<std::is_floating_point<T>::value, int> kind(T) { return 2; }
    __global__ void f(float* x) {
      x[0] = std::sqrt(2.0f), x[1] = std::fabs(-1.5f), x[2] = kind(3), x[3] = kind(3.0), x[4] = (float)M_PI;
      x[5] = INFINITY, x[6] = std::numeric_limits<float>::infinity();
      std::swap(x[0], x[1]);
    }"""
    x = np.zeros(7, np.float32)
    assert programs(text, True).launch("f", 1, 1, [x]).findings == ()
    np.testing.assert_array_equal(x, np.array([1.5, 2**0.5, 1, 2, np.pi, np.inf, np.inf], np.float32))


@pytest.mark.parametrize(
    ("kind", "dtype", "greatest"),
    some([("e4m3", ml_dtypes.float8_e4m3fn, 448.0), ("e5m2", ml_dtypes.float8_e5m2, 57344.0)], 2),
)
def test_numbers_of_8_bits_round_like_ml_dtypes(
    kind: str, dtype: type, greatest: float, programs: Callable[..., Program]
) -> None:
    text = f"""#include <cuda_fp8.h>
    __global__ void widen(const __nv_fp8_{kind}* x, float* y) {{
      int i = threadIdx.x;
      y[i] = (float)x[i];
    }}
    __global__ void narrow(const float* x, __nv_fp8_{kind}* y) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      y[i] = __nv_fp8_{kind}(x[i]);
    }}"""
    program = programs(text)
    codes, wide = np.arange(256, dtype=np.uint8), np.zeros(256, np.float32)
    assert program.launch("widen", 1, 256, [codes, wide]).findings == ()
    np.testing.assert_array_equal(wide, codes.view(dtype).astype(np.float32))
    # All numbers of the type, the midpoints between neighbours, the neighbours of these, and numbers in between.
    finite = np.sort(wide[np.isfinite(wide)])
    middles = (finite[1:] + finite[:-1]) / 2
    sides = [np.nextafter(middles, np.float32(end)) for end in (-np.inf, np.inf)]
    around = np.concatenate([middles, *sides])
    random = np.random.default_rng(3).standard_normal(1000).astype(np.float32) * np.float32(greatest / 4)
    x = np.concatenate([finite, around, random]).astype(np.float32)
    x = np.pad(x, (0, -len(x) % 256))
    narrow = np.zeros(len(x), np.uint8)
    assert program.launch("narrow", len(x) // 256, 256, [x, narrow]).findings == ()
    expected = np.clip(x, -greatest, greatest).astype(dtype)
    np.testing.assert_array_equal(narrow.view(dtype).astype(np.float32), expected.astype(np.float32))
    beyond = np.array([np.inf, -np.inf, 1e30, greatest * 1.2] * 64, np.float32)
    narrow = np.zeros(256, np.uint8)
    assert program.launch("narrow", 1, 256, [beyond, narrow]).findings == ()
    np.testing.assert_array_equal(
        narrow.view(dtype)[:4].astype(np.float32), [greatest, -greatest, greatest, greatest]
    )


@BOTH
@pytest.mark.parametrize("schedule", some(SCHEDULES, 5))
def test_groups_of_threads_cooperate(check: bool, schedule: str, programs: Callable[..., Program]) -> None:
    text = """#include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void f(const int* x, int* sums, int* turned, unsigned* odd, int* total) {
      cg::thread_block block = cg::this_thread_block();
      cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
      __shared__ int held[96];
      int i = block.thread_rank(), value = x[i];
      int sum = cg::reduce(tile, value, cg::plus<int>());
      cg::thread_block_tile<2> pair = cg::tiled_partition<2>(tile);
      if (pair.meta_group_rank() != tile.thread_rank() / 2 || pair.meta_group_size() != 4) __trap();
      if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
      held[i] = value;
      tile.sync();
      turned[i] = held[tile.meta_group_rank() * 8 + (7 - tile.thread_rank())];
      turned[i] += tile.shfl_xor(value, 1) - tile.shfl(value, tile.thread_rank() ^ 1);
      cg::sync(block);
      if (value & 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        odd[i] = cg::reduce(active, 1u, cg::plus<unsigned>()) == active.num_threads();
      }
      cg::thread_group half = cg::tiled_partition(block, 16);
      int most = value;
      for (unsigned by = 8; by; by /= 2) most = max(most, half.shfl_down(most, by));
      most += half.any(value > 95) * 1000;
      if (half.thread_rank() == 0) atomicAdd(total, most);
    }"""
    x = np.random.default_rng(2).integers(0, 90, 96).astype(np.int32)
    sums, turned, odd = np.zeros(12, np.int32), np.zeros(96, np.int32), np.zeros(96, np.uint32)
    total = np.zeros(1, np.int32)
    report = programs(text, check).launch("f", 1, (8, 4, 3), [x, sums, turned, odd, total], schedule=schedule)
    assert report.findings == ()
    np.testing.assert_array_equal(sums, x.reshape(12, 8).sum(1))
    np.testing.assert_array_equal(turned, x.reshape(12, 8)[:, ::-1].reshape(-1))
    np.testing.assert_array_equal(total, x.reshape(6, 16).max(1).sum())
    np.testing.assert_array_equal(odd, x & 1)


@BOTH
def test_match_functions_compare_lanes(check: bool, programs: Callable[..., Program]) -> None:
    text = """__global__ void f(const unsigned long long* x, unsigned* any, unsigned* all, unsigned* active) {
      int i = threadIdx.x, same = 7;
      any[i] = __match_any_sync(0xffffffff, x[i]);
      unsigned both = __match_all_sync(0xffffffff, i / 32, &same);
      all[i] = both == 0xffffffff && same == 1 && __match_all_sync(0xffffffff, i, &same) == 0 && same == 0;
      active[i] = __activemask() == 1u << i % 32;
    }"""
    x = np.random.default_rng(4).integers(0, 5, 64).astype(np.uint64) << 40
    any_, all_, active = np.zeros((3, 64), np.uint32)
    assert programs(text, check).launch("f", 1, 64, [x, any_, all_, active]).findings == ()
    for i in range(64):
        warp = x[i // 32 * 32 :][:32]
        assert int(any_[i]) == sum(1 << lane for lane in range(32) if warp[lane] == x[i])
    assert all_.all() and active.all()


def test_funnel_shifts(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(const unsigned* x, unsigned* y) {
      int i = threadIdx.x;
      y[4 * i] = __funnelshift_l(x[0], x[1], i), y[4 * i + 1] = __funnelshift_r(x[0], x[1], i);
      y[4 * i + 2] = __funnelshift_lc(x[0], x[1], i), y[4 * i + 3] = __funnelshift_rc(x[0], x[1], i);
    }"""
    low, high = 0x12345678, 0x9ABCDEF1
    y = np.zeros(160, np.uint32)
    assert programs(text).launch("f", 1, 40, [np.array([low, high], np.uint32), y]).findings == ()
    both = high << 32 | low
    for i in range(40):
        clamped = min(i, 32)
        left, right = (both << (i & 31)) >> 32, both >> (i & 31)
        expected = [left, right, (both << clamped) >> 32, both >> clamped]
        assert y[4 * i : 4 * i + 4].tolist() == [number & 0xFFFFFFFF for number in expected]


@BOTH
def test_kernels_can_print(check: bool, programs: Callable[..., Program]) -> None:
    text = r"""#include <cstdio>
    __global__ void f(int* x) {
      int i = threadIdx.x;
      x[i] = printf("thread %d of %s: %5.2f %lld%%\n", i, "three", 0.5 * i, 1ll << 40);
    }
    __global__ void much(int n) { for (int i = 0; i < n; i++) printf("0123456789\n"); }"""
    x = np.zeros(3, np.int32)
    report = programs(text, check).launch("f", 1, 3, [x], schedule="descending")
    assert report.findings == () and x.tolist() == [4, 4, 4]
    assert report.printed.splitlines() == [f"thread {i} of three: {0.5 * i:5.2f} {2**40}%" for i in (2, 1, 0)]
    long = programs(text, check).launch("much", 1, 1, [100_000])
    assert long.findings == ()
    assert long.printed.startswith("0123456789\n0123456789\n")
    assert long.printed.endswith(f"[{11 * 100_000 - 2**20} more bytes were printed]\n")
    assert programs(text, check).launch("much", 1, 1, [0]).printed == ""


def test_assertions_that_hold_are_silent_and_can_be_disabled(programs: Callable[..., Program]) -> None:
    text = """#include <cassert>
    __global__ void f(int* x) { assert(x[0] == 0); x[0] = 1; }"""
    x = np.zeros(1, np.int32)
    assert programs(text, True).launch("f", 1, 1, [x]).findings == ()
    report = programs(text).launch("f", 1, 1, [x])
    assert [one.kind for one in report.findings] == ["assertion"]
    assert re.search(r"`x\[0\] == 0` is false: assert at line 2 by thread \(0, 0, 0\)", str(report))
    assert programs(f"#define NDEBUG\n{text}").launch("f", 1, 1, [x]).findings == ()


def test_clocks_are_monotonic(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(long long* x) {
      long long before = clock64();
      __syncthreads();
      x[threadIdx.x] = clock64() - before;
    }"""
    x = np.zeros(64, np.int64)
    assert programs(text).launch("f", 1, 64, [x]).findings == () and (x > 0).all()


@BOTH
def test_indices_have_three_dimensions(check: bool, programs: Callable[..., Program]) -> None:
    text = """__global__ void f(int* x) {
      extern __shared__ int held[];
      int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
      int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
      int threads = blockDim.x * blockDim.y * blockDim.z;
      held[t] = b * threads + t;
      __syncthreads();
      x[b * threads + t] = held[threads - 1 - t];
    }"""
    x = np.zeros(2 * 3 * 4 * 60, np.int32)
    report = programs(text, check).launch("f", (2, 3, 4), (3, 4, 5), [x], dynamic_shared=240)
    assert report.findings == ()
    np.testing.assert_array_equal(x.reshape(24, 60)[:, ::-1].reshape(-1), np.arange(24 * 60))


GRID = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void rounds(float* x, float* y, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int round = 0; round < 3; round++) {
    y[i] = x[(i + 1) % n] + x[(i + n - 1) % n];
    grid.sync();
    x[i] = y[i] / 2;
    cg::sync(grid);
  }
}"""


@BOTH
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_blocks_of_a_grid_wait_for_each_other(
    check: bool, schedule: str, programs: Callable[..., Program]
) -> None:
    x = np.random.default_rng(1).integers(-9, 10, 5 * 48).astype(np.float32)
    expected = x.copy()
    for _ in range(3):
        expected = (np.roll(expected, 1) + np.roll(expected, -1)) / 2
    for _ in range(2):
        given = x.copy()
        report = programs(GRID, check).launch(
            "rounds", 5, 48, [given, np.zeros_like(x), len(x)], schedule=schedule
        )
        assert report.findings == ()
        np.testing.assert_array_equal(given, expected)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("missing", ["    grid.sync();\n", "    cg::sync(grid);\n"])
def test_blocks_that_do_not_wait_for_each_other_race(
    missing: str, schedule: str, programs: Callable[..., Program]
) -> None:
    x = np.ones(5 * 48, np.float32)
    report = programs(GRID.replace(missing, "\n"), True).launch(
        "rounds", 5, 48, [x, np.zeros_like(x), len(x)], schedule=schedule
    )
    assert {finding.kind for finding in report.findings} == {"race"}


@in_whole("tests/simulator/test_progress.py::test_waiting_forever_is_a_deadlock")
def test_a_grid_whose_blocks_do_not_all_wait_is_a_deadlock(programs: Callable[..., Program]) -> None:
    text = """#include <cooperative_groups.h>
    __global__ void f(int* x) {
      if (blockIdx.x) cooperative_groups::this_grid().sync();
      if (threadIdx.x == 0) x[blockIdx.x] = 1;
    }"""
    for check in (False, True):
        report = programs(text, check).launch("f", 3, 32, [np.zeros(3, np.int32)], seconds=5)
        assert [finding.kind for finding in report.findings] == ["deadlock"]
        assert report.findings[0].lines[0] == 3
        program = programs(GRID, check)
        x = np.ones(96, np.float32)
        assert program.launch("rounds", 2, 48, [x, x.copy(), 96]).findings == ()


def test_variables_are_reset_after_a_launch_that_was_stopped(programs: Callable[..., Program]) -> None:
    text = """__device__ int count = 5;
    __global__ void f(int* x, int stop) {
      x[0] = count++;
      if (stop) __trap();
    }"""
    program, x = programs(text), np.zeros(1, np.int32)
    seen = []
    for stop in (0, 0, 1, 0, 0):
        program.launch("f", 1, 1, [x, stop])
        seen.append(int(x[0]))
    assert seen == [5, 6, 7, 5, 6]
