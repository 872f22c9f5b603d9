"""cuda::barrier, cuda::pipeline and copies by groups of threads, as CUDA's guide and its samples use them: correct
kernels, and the same with one mistake.
"""

from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program, Report, tensor_map
from tests.examples import in_turns
from tests.simulator.corpus import SCHEDULES

X = np.random.default_rng(2).integers(-9, 10, 2048).astype(np.int32)
BEGIN = """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/type_traits>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
static_assert(cuda::std::is_same<cuda::std::remove_const<const int>::type, int>::value, "");
"""
#: bodies of kernels of 64 threads that add up 16 rows of 64 numbers `x`, turned around, into `y`
SUMS = {
    "phases": """__shared__ barrier full, empty;
    __shared__ int held[64];
    if (threadIdx.x == 0) { init(&full, blockDim.x); init(&empty, 64); }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      held[threadIdx.x] = x[64 * i + threadIdx.x];
      barrier::arrival_token token = full.arrive();
      full.wait(std::move(token));
      sum += held[63 - threadIdx.x];
      empty.arrive_and_wait();
    }
    y[threadIdx.x] = sum;""",
    "copies": """__shared__ barrier ready;
    __shared__ int held[1024];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&ready, block.size());
    block.sync();
    cuda::memcpy_async(block, held, x, sizeof(int) * 1024, ready);
    ready.arrive_and_wait();
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += held[64 * i + 63 - threadIdx.x];
    y[threadIdx.x] = sum;""",
    "bulk": """__shared__ alignas(128) int held[1024];
    __shared__ barrier ready;
    if (threadIdx.x == 0) {
      init(&ready, blockDim.x);
      cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::experimental::cp_async_bulk_global_to_shared(held, x, sizeof(held), ready);
      token = cuda::device::barrier_arrive_tx(ready, 1, sizeof(held));
    } else {
      token = ready.arrive();
    }
    ready.wait(std::move(token));
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += held[64 * i + 63 - threadIdx.x];
    y[threadIdx.x] = sum;""",
    "aligned": """__shared__ alignas(16) int held[1024];
    __shared__ barrier ready;
    if (threadIdx.x == 0) { init(&ready, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
    __syncthreads();
    if (threadIdx.x == 0) cuda::memcpy_async(held, x, cuda::aligned_size_t<16>(sizeof(held)), ready);
    ready.arrive_and_wait();
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += held[64 * i + 63 - threadIdx.x];
    y[threadIdx.x] = sum;""",
    "stages": """__shared__ int held[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, fetched = 0;
    for (int i = 0; i < 16; i++) {
      for (; fetched < 16 && fetched < i + 3; fetched++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, held[fetched % 3], x + 64 * fetched, cuda::aligned_size_t<16>(256), pipe);
        pipe.producer_commit();
      }
      pipe.consumer_wait();
      sum += held[i % 3][63 - threadIdx.x];
      pipe.consumer_release();
    }
    y[threadIdx.x] = sum;""",
    "roles": """__shared__ int held[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    auto warp = cg::tiled_partition<32>(block);
    int low = 0, high = 0;
    for (int i = 0; i < 16; i++) {
      if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        cuda::memcpy_async(warp, held[i % 2], x + 64 * i, sizeof(int) * 64, pipe);
        pipe.producer_commit();
      } else {
        pipe.consumer_wait();
        low += held[i % 2][63 - warp.thread_rank()], high += held[i % 2][31 - warp.thread_rank()];
        pipe.consumer_release();
      }
    }
    if (role == cuda::pipeline_role::consumer) y[warp.thread_rank()] = low, y[32 + warp.thread_rank()] = high;""",
    "thread": """__shared__ int held[2][64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0;
    for (int i = 0; i < 17; i++) {
      if (i < 16) {
        pipe.producer_acquire();
        cuda::memcpy_async(&held[i % 2][threadIdx.x], &x[64 * i + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
      }
      if (i == 0) continue;
      if (i < 16) cuda::pipeline_consumer_wait_prior<1>(pipe);
      else cuda::pipeline_consumer_wait_prior<0>(pipe);
      __syncthreads();
      sum += held[(i - 1) % 2][63 - threadIdx.x];
      __syncthreads();
      pipe.consumer_release();
    }
    y[threadIdx.x] = sum;""",
    "group": """__shared__ int held[2][64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, held[0], x, sizeof(int) * 64);
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      if (i < 15) {
        cg::memcpy_async(block, held[(i + 1) % 2], 64, x + 64 * (i + 1), 1024);
        cg::wait_prior<1>(block);
      } else {
        cg::wait(block);
      }
      sum += held[i % 2][63 - threadIdx.x];
      block.sync();
    }
    y[threadIdx.x] = sum;""",
}


def launched(program: Program, schedule: str) -> tuple[Report, bool]:
    """The report, and whether the sums are right."""
    y = np.zeros(64, np.int32)
    report = program.launch("f", 1, 64, [X, y], schedule=schedule, seconds=10)
    return report, bool((y == X[:1024].reshape(16, 64).sum(0)[::-1]).all())


def text_of(body: str) -> str:
    return f"{BEGIN}__global__ void f(const int* x, int* y) {{\n{body}\n}}"


@pytest.mark.parametrize(("name", "check", "schedule"), in_turns(SUMS, in_turns([False, True], SCHEDULES)))
def test_sums_are_right(name: str, check: bool, schedule: str, programs: Callable[..., Program]) -> None:
    report, is_right = launched(programs(text_of(SUMS[name]), check), schedule)
    assert report.findings == () and report.finished and is_right


@pytest.mark.parametrize(
    ("name", "was", "becomes", "kinds", "schedule"),
    in_turns(
        [
            ("phases", "full.wait(std::move(token));", "", {"race"}),
            ("phases", "empty.arrive_and_wait();", "", {"race"}),
            ("phases", "init(&full, blockDim.x)", "init(&full, 65)", {"deadlock"}),
            ("phases", "init(&full, blockDim.x)", "init(&full, 32)", {"bad-barrier", "race"}),
            ("copies", "ready.arrive_and_wait();", "ready.arrive();", {"in-flight"}),
            ("copies", "block.sync();", "", {"bad-barrier", "race"}),
            ("bulk", "cuda::device::experimental::fence_proxy_async_shared_cta();", "", {"proxy"}),
            ("bulk", "1, sizeof(held))", "1, sizeof(held) + 16)", {"deadlock"}),
            ("bulk", "ready.wait(std::move(token));", "", {"in-flight"}),
            ("aligned", "fence_proxy_async_shared_cta", "cp_async_bulk_commit_group", {"proxy"}),
            ("stages", "pipe.consumer_release();", "", {"deadlock"}),
            ("stages", "pipe.consumer_wait();", "", {"in-flight"}),
            ("stages", "pipe.producer_acquire();", "", {"race", "bad-barrier", "in-flight"}),
            ("roles", "pipe.producer_acquire();", "", {"race", "bad-barrier", "in-flight"}),
            ("roles", "pipe.producer_commit();", "", {"deadlock"}),
            ("thread", "wait_prior<1>", "wait_prior<2>", {"in-flight"}),
            ("thread", "__syncthreads();\n      sum", "sum", {"race", "in-flight"}),
            ("group", "cg::wait_prior<1>", "cg::wait_prior<2>", {"in-flight"}),
            ("group", "      block.sync();\n", "", {"race", "in-flight"}),
        ],
        SCHEDULES,
    ),
)
def test_one_mistake_is_found(
    name: str, was: str, becomes: str, kinds: set[str], schedule: str, programs: Callable[..., Program]
) -> None:
    assert SUMS[name].count(was) == 1
    report, _ = launched(programs(text_of(SUMS[name].replace(was, becomes)), True), schedule)
    assert {one.kind for one in report.findings} & kinds, report


def test_copies_of_tensors_by_functions(programs: Callable[..., Program]) -> None:
    text = f"""{BEGIN}#include <cuda.h>
    namespace cde = cuda::device::experimental;
    __global__ void f(const __grid_constant__ CUtensorMap map, int x, int y) {{
      __shared__ alignas(128) int box[8][32];
      __shared__ barrier bar;
      if (threadIdx.x == 0) {{ init(&bar, blockDim.x); cde::fence_proxy_async_shared_cta(); }}
      __syncthreads();
      barrier::arrival_token token;
      if (threadIdx.x == 0) {{
        cde::cp_async_bulk_tensor_2d_global_to_shared(&box, &map, x, y, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(box));
      }} else {{
        token = bar.arrive();
      }}
      bar.wait(std::move(token));
      for (int row = 0; row < 8; row++) box[row][threadIdx.x] += threadIdx.x;
      cde::fence_proxy_async_shared_cta();
      __syncthreads();
      if (threadIdx.x == 0) {{
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &box);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
      }}
    }}"""
    x = X.reshape(32, 64).copy()
    report = programs(text, True).launch("f", 1, 32, [tensor_map(x, (32, 8)), np.int32(32), np.int32(28)])
    expected = X.reshape(32, 64).copy()
    expected[28:, 32:] += np.arange(32)
    assert report.findings == () and (x == expected).all()


def test_scans_and_partitions(programs: Callable[..., Program]) -> None:
    text = f"""{BEGIN}__global__ void f(const int* x, int* y) {{
      auto tile = cg::tiled_partition<16>(cg::this_thread_block());
      int value = x[threadIdx.x], *to = y + 4 * threadIdx.x;
      to[0] = cg::inclusive_scan(tile, value), to[1] = cg::exclusive_scan(tile, value, cg::plus<int>());
      to[2] = cg::labeled_partition(tile, value & 3).size();
      cg::coalesced_group same = cg::binary_partition(tile, value > 0);
      to[3] = cg::inclusive_scan(same, 1);
    }}"""
    y = np.zeros((64, 4), np.int32)
    assert programs(text, True).launch("f", 1, 64, [X, y]).findings == ()
    for start in range(0, 64, 16):
        its = X[start : start + 16]
        sums = np.cumsum(its)
        of_label = [(its & 3 == one & 3).sum() for one in its]
        ranks = [((its[: i + 1] > 0) == (its[i] > 0)).sum() for i in range(16)]
        expected = np.stack([sums, sums - its, of_label, ranks], 1)
        np.testing.assert_array_equal(y[start : start + 16], expected)
