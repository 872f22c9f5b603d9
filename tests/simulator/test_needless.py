"""Barriers and waits that a launch does not need are reported; those that it needs are not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shine
from rise.diagnostics import RiseError
from shine.simulator import Needless, build
from shine.simulator.needless_barriers import needless
from tests.cli import commands
from tests.examples import in_whole
from tests.simulator.mutation import Subject
from tests.simulator.printed_kernels import entries, of_entry

TEXT = """#include <cuda_pipeline.h>
__global__ void sum(const float* x, float* y) {
  __shared__ __align__(16) float held[64];
  int t = threadIdx.x;
  __syncthreads();
  __pipeline_memcpy_async(&held[t], &x[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);  // __syncthreads();
  __syncthreads();
  y[t] = held[63 - t];
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("cp.async.wait_group %0;" :: "n"(0) : "memory");
}
"""


def arrays() -> list[Any]:
    return [np.arange(64, dtype=np.float32), np.zeros(64, np.float32)]


def test_each_needless_barrier_is_reported() -> None:
    given = arrays()
    report = shine.simulate(TEXT, None, 1, 64, given, needless=True)
    assert report.findings == () and given[1].tolist() == given[0][::-1].tolist()
    assert report.needless == (
        Needless(5, "__syncthreads();"),
        Needless(11, 'asm volatile("bar.sync 0;" ::: "memory");'),
        Needless(12, 'asm volatile("cp.async.wait_group %0;" :: "n"(0) : "memory");'),
    )
    assert str(report.needless[0]) == "line 5: `__syncthreads();` is not needed in this launch"


def test_one_warp_needs_no_barrier_of_the_block_if_it_synchronises_otherwise() -> None:
    text = """__global__ void f(const int* x, int* y) {
      __shared__ int held[32];
      held[threadIdx.x] = x[threadIdx.x];
      __syncwarp();
      __syncthreads();
      y[threadIdx.x] = held[31 - threadIdx.x];
    }"""
    given = [np.arange(32, dtype=np.int32), np.zeros(32, np.int32)]
    found = shine.simulate(text, None, 1, 32, given, needless=True).needless
    # Each is needless if the other stays: one of the two is needed.
    assert [one.line for one in found] == [4, 5]


def test_a_launch_with_findings_has_no_needless_barriers() -> None:
    text = TEXT.replace("  __pipeline_wait_prior(0);", "")
    report = shine.simulate(text, None, 1, 64, arrays(), check=True, needless=True)
    assert report.findings != () and report.needless == ()


def test_fences_and_waits_of_asynchronous_operations_are_tried() -> None:
    text = """extern "C" __global__ void f(int* y) {
      __shared__ __align__(16) int row[64];
      row[threadIdx.x] = threadIdx.x;
      asm volatile("fence.proxy.async;" ::: "memory");
      __syncthreads();
      asm volatile("fence.proxy.async.global;" ::: "memory");
      if (threadIdx.x) return;
      unsigned at = (unsigned)__cvta_generic_to_shared(row);
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" :: "l"(y), "r"(at) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }"""
    report = shine.simulate(text, None, 1, 64, [np.zeros(64, np.int32)], check=True, needless=True)
    assert report.findings == () and [one.line for one in report.needless] == [6]


@in_whole("test_waits_of_groups_barriers_and_pipelines_are_tried")
def test_calls_of_functions_that_wait_are_tried() -> None:
    text = """
    __device__ void cluster_sync() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }
    __device__ void wait(unsigned at, unsigned parity) {
      asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L; }"
                   :: "r"(at), "r"(parity) : "memory");
    }
    __device__ int doubled(int x) { __syncwarp(); return 2 * x; }
    __global__ void __cluster_dims__(2) f(int* y) {
      __shared__ int held;
      __shared__ unsigned long long bar;
      unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at) : "memory");
      cluster_sync();
      cluster_sync();
      int* other = (int*)__cluster_map_shared_rank(&held, blockIdx.x ^ 1);
      *other = doubled(blockIdx.x);
      asm volatile("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1;"
                   "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }"
                   :: "r"(at), "r"(blockIdx.x ^ 1) : "memory");
      wait(at, 0);
      y[blockIdx.x] = held;
      wait(at, 0);
    }"""
    report = shine.simulate(text, None, 2, 1, [np.zeros(2, np.int32)], check=True, needless=True)
    assert report.findings == ()
    assert [
        (one.line, one.text) for one in report.needless if "wait(" in one.text or "cluster" in one.text
    ] == [
        (13, "cluster_sync();"),
        (14, "cluster_sync();"),
        (22, "wait(at, 0);"),
    ]


def test_results_that_depend_on_the_order_of_threads_do_not_hide_needless_barriers() -> None:
    text = """__global__ void f(int* n, int* y) {
      __syncthreads();
      y[threadIdx.x] = atomicAdd(n, 1);
    }"""
    given = [np.zeros(1, np.int32), np.zeros(64, np.int32)]
    assert [one.line for one in shine.simulate(text, None, 1, 64, given, needless=True).needless] == [2]


def test_waits_of_groups_barriers_and_pipelines_are_tried() -> None:
    text = """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void sum(const float* x, float* y) {
  __shared__ float s[64], t[64], u[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  if (threadIdx.x == 0) init(&bar, 64);
  block.sync();
  s[threadIdx.x] = x[threadIdx.x];
  bar.arrive_and_wait();
  cg::memcpy_async(block, t, x, 256);
  cg::wait(block);
  cg::wait_prior<0>(block);
  pipe.producer_acquire();
  cuda::memcpy_async(&u[threadIdx.x], &x[threadIdx.x], 4, pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  y[threadIdx.x] = s[63 - threadIdx.x] + t[threadIdx.x] - t[threadIdx.x ^ 32] - u[threadIdx.x] + x[threadIdx.x ^ 32];
}
"""
    given = arrays()
    report = shine.simulate(text, None, 1, 64, given, needless=True)
    assert report.findings == () and given[1].tolist() == given[0][::-1].tolist()
    # Of two waits for the same, each is needless; so is the barrier before them.
    assert [one.line for one in report.needless] == [13, 15, 16, 17]


def needless_of(subject: Subject, cache: Path) -> list[str]:
    """The barriers that the only launch of a subject does not need."""
    (launch,) = subject.launches

    def run(source: str, schedule: str) -> Any:
        return launch.run(build(source, check=True, cache=cache), schedule)

    return [one.text for one in needless(subject.text, run)]


@in_whole("test_each_needless_barrier_is_reported")
def test_needless_barriers_of_our_own_kernels_are_reported(cache: Path) -> None:
    """A stencil of one tile for each block needs none of the barriers that several tiles would need."""
    stencils = [entry for entry in entries() if str(entry).startswith("jacobi tileStencil")]
    assert [needless_of(of_entry(entry, cache), cache) for entry in stencils] == [["__syncthreads();"]] * 2


def test_needless_must_be_a_boolean() -> None:
    with pytest.raises(RiseError, match="needless=True"):
        shine.simulate(TEXT, needless="yes")  # type: ignore[arg-type]  # what is wrong


@in_whole("test_each_needless_barrier_is_reported")
def test_the_command_reports_needless_barriers(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cu"
    path.write_text(TEXT, encoding="utf-8")
    words = ["--block", "64", "--arg", "ones:f32:64", "--arg", "zeros:f32:64", "--needless"]
    said = commands.shine("simulate", str(path), *words)
    assert said.status == 0, said.err
    assert "line 5: `__syncthreads();` is not needed in this launch" in said.out
    path.write_text(
        TEXT.replace("  __syncthreads();\n  __pipe", "  __pipe").split("  asm")[0] + "}\n", encoding="utf-8"
    )
    assert "no barrier or wait was found to be needless" in commands.shine("simulate", str(path), *words).out
