"""Clusters of blocks: their barrier, shared memory of other blocks, copies to several blocks; mistakes; launches."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rise.hardware import architecture
from shine.simulator import Program, SharedArray, build
from shine.simulator.simulation import simulate
from tests.cli import commands
from tests.examples import in_whole, some
from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.mutation import numbered, only, side_by_side

CASES = {case.kernel: case for case in asynchronous_samples() if case.file == "samples/clusters.cu"}
BARRIER = "  cluster_arrive();\n  cluster_wait();\n"
RELAXED = "  cluster_arrive_relaxed();\n  cluster_wait();\n"
IN_LOOP = "    cluster_arrive();\n    cluster_wait();\n"
HISTOGRAM = "shared_histogram"
OF_OTHER = (
    'asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%0], 0; }"'
    '             :: "r"(at_rank(&full, other)));'
)
#: the kernel, the change, and the finding
MISTAKES = [
    # barriers of the cluster
    (HISTOGRAM, "cluster.sync();\n  for (int i = blockIdx", "for (int i = blockIdx", "lifetime"),
    (HISTOGRAM, "cluster.sync();\n  for (int i = blockIdx", "__syncthreads(); for (int i = blockIdx", "lifetime"),
    (HISTOGRAM, "cluster.sync();\n  for (int i = threadIdx", "for (int i = threadIdx", "lifetime"),
    (HISTOGRAM, "cluster.sync();\n  for (int i = threadIdx", "for (int i = threadIdx", "race"),
    (HISTOGRAM, "cluster.sync();\n  for (int i = thr", "cluster.barrier_wait(); for (int i = thr", "bad-barrier"),
    (HISTOGRAM, "atomicAdd(other + x[i] % bins_of_block, 1)", "other[x[i] % bins_of_block] += 1", "race"),
    (HISTOGRAM, "held[i] = 0;\n  cluster.sync();", "held[i] = 0;\n" + RELAXED, "race"),
    ("ring", BARRIER, "", "lifetime"),
    ("ring", BARRIER, RELAXED, "race"),
    ("ring", IN_LOOP, "    cluster_arrive_relaxed();\n    cluster_wait();\n", "race"),
    ("ring", IN_LOOP, "    __syncthreads();\n", "uninitialised"),
    ("ring", IN_LOOP, "    __syncthreads();\n", "lifetime"),
    ("ring", IN_LOOP, "    cluster_arrive();\n", "bad-barrier"),
    ("ring", "tile[(step + 1) % 2][t] = held", "tile[step % 2][t] = held", "race"),
    ("ring", IN_LOOP, "if (rank()) { cluster_arrive(); cluster_wait(); } else for (;;) atomicAdd(y, 0);", "deadlock"),
    # ranks and addresses
    (HISTOGRAM, "x[i] / bins_of_block)", "x[i] / bins_of_block + 1)", "bad-operand"),
    (HISTOGRAM, "map_shared_rank(held,", "map_shared_rank(bins,", "bad-operand"),
    (HISTOGRAM, "other + x[i] % bins_of_block", "other + x[i]", "out-of-bounds"),
    ("ring", "(rank() + BLOCKS - 1) % BLOCKS", "rank() + BLOCKS - 1", "bad-operand"),
    ("ring", "ld.shared::cluster.s32", "ld.shared.s32", "out-of-bounds"),
    ("ring", "tile[step % 2][t ^ 1]", "tile[1 - step % 2][t ^ 1]", "race"),
    # barriers in the memory of other blocks
    ("exchanged", "    init_fence();\n", "", "race"),
    ("exchanged", RELAXED, "  __syncthreads();\n", "lifetime"),
    ("exchanged", "wait(&full, round & 1);", "", "uninitialised"),
    ("exchanged", "wait(&empty, (round & 1) ^ 1);", "", "deadlock"),
    ("exchanged", "wait(&empty, (rounds & 1) ^ 1);", "", "lifetime"),
    ("exchanged", "arrive_at(at_rank(&full, other))", "arrive_at(at_rank(&full, rank()))", "race"),
    ("exchanged", "init(&full, WIDTH)", "init(&full, WIDTH - 1)", "race"),
    ("exchanged", "init(&full, WIDTH)", "init(&full, WIDTH + 1)", "deadlock"),
    ("exchanged", "wait(&full, round & 1);", OF_OTHER, "out-of-bounds"),
    # copies to several blocks
    ("loaded_for_all", "(1 << BLOCKS) - 1)", "(2 << BLOCKS) - 1)", "bad-copy"),
    ("loaded_for_all", "(1 << BLOCKS) - 1)", "(1 << BLOCKS) - 2)", "deadlock"),
    ("loaded_for_all", "(1 << BLOCKS) - 1)", "0)", "bad-copy"),
    ("loaded_for_all", "      wait(&empty[s], (i / 2 & 1) ^ 1);\n", "", "race"),
    ("loaded_for_all", "expect(&full[s], BLOCKS * WIDTH * 4)", "expect(&full[s], WIDTH * 4)", "bad-barrier"),
    ("loaded_for_all", "    wait(&full[s], i / 2 & 1);\n", "", "in-flight"),
    ("loaded_for_all", BARRIER, "", "lifetime"),
    ("loaded_for_all", "    init_fence();\n", "", "proxy"),
    ("loaded_for_all", RELAXED, "  __syncthreads();\n", "lifetime"),
    ("loaded_for_all", "init(&empty[s], BLOCKS * WIDTH)", "init(&empty[s], WIDTH)", "deadlock"),
    ("tensor_for_both", RELAXED, "  __syncthreads();\n", "lifetime"),
    ("tensor_for_both", "  wait(&full, 0);\n", "", "in-flight"),
    ("tensor_for_both", "expect(&full, 2 * 8 * 32 * 4)", "expect(&full, 8 * 32 * 4 - 16)", "bad-barrier"),
    ("tensor_for_both", "(unsigned short)3)", "(unsigned short)(1 << own))", "deadlock"),
    # stores that complete asynchronously, like copies
    ("sums_of_blocks", BARRIER, "  __syncthreads();\n", "lifetime"),
    ("sums_of_blocks", "    wait(&full, 0);\n", "", "in-flight"),
    ("sums_of_blocks", "expect(&full, BLOCKS * 20)", "expect(&full, BLOCKS * 16)", "bad-barrier"),
    ("sums_of_blocks", "expect(&full, BLOCKS * 20)", "expect(&full, BLOCKS * 24)", "deadlock"),
    ("sums_of_blocks", "at_rank(&full, 0)", "at_rank(&full, rank())", "bad-copy"),
    ("sums_of_blocks", "at_rank(sums[rank()], 0)", "at_rank(sums[rank()] + 1, 0)", "misaligned"),
    ("sums_of_blocks", "at_rank(sums[rank()], 0)", "at_rank(sums[0], 0)", "in-flight"),
    ("sums_of_blocks", "at_rank(sums[rank()], 0)", "at_rank(sums[BLOCKS], 0)", "out-of-bounds"),
]  # fmt: skip
INCLUDES = re.compile(r"#include[^\n]*")


def changed(kernel: str, old: str, new: str) -> str:
    """The text of a kernel in which `old` is replaced once."""
    text = only(CASES[kernel].text(), kernel)
    place = text.find(old, text.index(f" {kernel}("))
    assert place >= 0, old
    return text[:place] + new + text[place + len(old) :]


def apart(kernel: str, number: int, text: str) -> str:
    return side_by_side(kernel, number, INCLUDES.sub("", text)).replace(f" {kernel}(", f" {kernel}_{number}(")


ALL_CHANGED = "#include <cooperative_groups.h>\n#include <cuda.h>\n" + "".join(
    apart(one[0], number, changed(*one[:3])) for number, one in enumerate(MISTAKES)
)


@pytest.mark.parametrize(
    ("number", "schedule"),
    some(
        some(
            [
                (number, schedule)
                for number in range(len(MISTAKES))
                for schedule in some(["ascending", "descending"], 2, first=number)
            ],
            2,
        ),
        2,
    ),
)
def test_one_mistake_is_found(number: int, schedule: str, programs: Callable[..., Program]) -> None:
    kernel, _, _, kind = MISTAKES[number]
    case = replace(CASES[kernel], kernel=numbered(kernel, number))
    report, _ = case.launch(programs(ALL_CHANGED, True), schedule, seconds=5)
    assert kind in {finding.kind for finding in report.findings}, str(report)
    assert all(finding.first and finding.first.line for finding in report.findings), str(report)


REGISTERS = """
#include <cooperative_groups.h>
template <int N> __global__ void __cluster_dims__(N, 2) f(unsigned* y) {
  unsigned held[12];
  asm volatile("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_ctaid.y; mov.u32 %2, %%cluster_nctaid.x;"
               "mov.u32 %3, %%clusterid.x; mov.u32 %4, %%clusterid.y; mov.u32 %5, %%nclusterid.x;"
               "mov.u32 %6, %%nclusterid.y; mov.u32 %7, %%cluster_ctarank; mov.u32 %8, %%cluster_nctarank;"
               : "=r"(held[0]), "=r"(held[1]), "=r"(held[2]), "=r"(held[3]), "=r"(held[4]), "=r"(held[5]),
                 "=r"(held[6]), "=r"(held[7]), "=r"(held[8]));
  __shared__ unsigned shared[1];
  auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
  held[9] = cluster.thread_rank(), held[10] = cluster.query_shared_rank(cluster.map_shared_rank(shared, 3));
  held[11] = cluster.dim_threads().y;
  for (int i = 0; i < 12; i++) y[12 * (blockIdx.y * gridDim.x + blockIdx.x) + i] = held[i];
  cluster.sync();
}
"""


def test_blocks_know_their_position_in_the_cluster() -> None:
    for check in (False, True):
        y = np.zeros((4, 6, 12), np.uint32)
        assert simulate(REGISTERS, "f<3>", (6, 4), 1, [y], check=check).findings == ()
        row, column = np.mgrid[:4, :6]
        ranks = column % 3 + 3 * (row % 2)
        of_blocks = [column % 3, row % 2, 3, column // 3, row // 2, 2, 2, ranks, 6, ranks, 3, 2]
        np.testing.assert_array_equal(y, np.stack(np.broadcast_arrays(*of_blocks), -1))


def test_a_launch_determines_the_cluster_if_its_kernel_does_not(programs: Callable[..., Program]) -> None:
    text = CASES["ring"].text().replace("__cluster_dims__(BLOCKS, 1, 1) ring", "ring")
    case = CASES["ring"]
    x, y, steps = case.arguments
    for check in (False, True):
        y = np.zeros_like(x)
        report = simulate(text, "ring", case.grid, case.block, [x, y, steps], check=check, cluster=4)
        assert report.findings == ()
        np.testing.assert_array_equal(y, case.expected)
    (finding,) = simulate(text, "ring", case.grid, case.block, [x, y, steps], check=True).findings
    assert "expected the rank of a block in a cluster of 1 block, found 3" in finding.message


@pytest.mark.parametrize(
    ("grid", "cluster", "arch", "said"),
    [
        (6, None, "sm_90", "expected a grid of multiples of the cluster (4, 1, 1), found (6, 1, 1)"),
        (8, 2, "sm_90", "expected the cluster (4, 1, 1) of the kernel, found (2, 1, 1)"),
        (8, 32, "sm_90", "expected a cluster of 1 to 16 blocks, found (32, 1, 1)"),
        (8, None, "sm_80", "expected sm_90 or newer for a cluster of 4 blocks"),
    ],
)
def test_impossible_clusters_are_rejected(grid: int, cluster: Any, arch: str, said: str) -> None:
    text = """__global__ void __cluster_dims__(4) f(int* y) { y[blockIdx.x] = 1; }"""
    report = simulate(text, "f", grid, 1, [np.zeros(8, np.int32)], cluster=cluster, arch=arch)
    assert {one.kind for one in report.findings} == {"launch-size"} and not report.finished
    assert any(said in one.message for one in report.findings)


def test_the_command_has_an_option_for_clusters(tmp_path: Path) -> None:
    file = tmp_path / "f.cu"
    file.write_text("__global__ void f(unsigned* y) { y[blockIdx.x] = __clusterRelativeBlockRank(); }")
    words = ["simulate", str(file), "--grid", "4", "--arg", "zeros:u32:4", "--check"]
    assert "[0 1 0 1]" in commands.shine(*words, "--cluster", "2").out
    assert "found two" in commands.shine(*words, "--cluster", "two").err
    assert "expected a grid of multiples" in commands.shine(*words, "--cluster", "3").err


def test_sizes_of_a_cluster_may_be_names_of_the_namespace_or_the_template() -> None:
    text = """namespace a { constexpr int N = 2;
      template <int M, int K = 2> __global__ void __cluster_dims__(M / 2, N, K) f(unsigned* y) {
        if (threadIdx.x == 0) atomicAdd(y, __clusterSizeInBlocks()); } }"""
    y = np.zeros(1, np.uint32)
    assert simulate(text, "a::f<4>", (2, 2, 2), 32, [y]).findings == ()
    assert y[0] == 8 * 8


@in_whole("test_blocks_know_their_position_in_the_cluster")
def test_many_clusters_run_at_once_and_are_freed(programs: Callable[..., Program]) -> None:
    text = """#include <cooperative_groups.h>
      extern "C" __global__ void __cluster_dims__(2) f(int* count, int* y) {
        extern __shared__ int held[];
        auto cluster = cooperative_groups::this_cluster();
        held[threadIdx.x] = blockIdx.x;
        if (threadIdx.x == 0) {
          __threadfence();
          for (atomicAdd(count, 1); atomicAdd(count, 0) < gridDim.x;) {}
          __threadfence();
        }
        cluster.sync();
        y[blockIdx.x * 32 + threadIdx.x] = *cluster.map_shared_rank(&held[threadIdx.x], cluster.block_rank() ^ 1);
        cluster.sync();
      }"""
    for check in (False, True):
        for _ in range(2):
            y = np.zeros((64, 32), np.int32)
            report = programs(text, check).launch(
                "f", 64, 32, [np.zeros(1, np.int32), y], 128, schedule="random:1"
            )
            assert report.findings == ()
            np.testing.assert_array_equal(y, np.broadcast_to((np.arange(64) ^ 1)[:, None], y.shape))


def test_architectures_without_clusters_lack_their_instructions() -> None:
    with pytest.raises(Exception, match="expected sm_90 or newer"):
        build(CASES["ring"].text(), arch=architecture("sm_80"))


HEADER = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
CORRECT = (
    HEADER
    + """extern "C" __global__ void __cluster_dims__(2) early(int* y) {
  __shared__ int held[32];
  auto c = cg::this_cluster();
  if (threadIdx.x >= 32) return;
  held[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  c.sync();
  y[blockIdx.x * 32 + threadIdx.x] = *c.map_shared_rank(&held[31 - threadIdx.x], c.block_rank() ^ 1);
  c.sync();
}
extern "C" __global__ void __cluster_dims__(2) flagged(int* y) {
  __shared__ int data;
  __shared__ volatile int flag;
  auto c = cg::this_cluster();
  if (threadIdx.x == 0) flag = 0;
  c.sync();
  if (threadIdx.x == 0) {
    *c.map_shared_rank(&data, c.block_rank() ^ 1) = 7 + blockIdx.x;
    __threadfence();
    *c.map_shared_rank((volatile int*)&flag, c.block_rank() ^ 1) = 1;
    while (flag == 0) {}
    __threadfence();
    y[blockIdx.x] = data;
  }
  c.sync();
}
extern "C" __global__ void __cluster_dims__(4) split(int* y) {
  __shared__ int part;
  auto c = cg::this_cluster();
  if (threadIdx.x == 0) part = blockIdx.x;
  auto token = c.barrier_arrive();
  int own = threadIdx.x;
  c.barrier_wait(static_cast<decltype(token)&&>(token));
  int sum = 0;
  for (unsigned r = 0; r < c.num_blocks(); r++) sum += *c.map_shared_rank(&part, r);
  c.barrier_arrive();
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum + own;
  c.barrier_wait();
}
"""
)
BLOCKS_OF_TWO = np.arange(4) ^ 1
#: the kernel, blocks, threads, and the expected result
EXPECTED: list[Any] = [
    ("early", 4, 64, BLOCKS_OF_TWO[:, None] * 100 + np.arange(32)[::-1]),
    ("flagged", 4, 64, 7 + BLOCKS_OF_TWO),
    ("split", 8, 64, np.repeat([6, 22], 4)[:, None] + np.arange(64)),
]


@pytest.mark.parametrize(
    ("kernel", "blocks", "threads", "expected"), EXPECTED, ids=[one[0] for one in EXPECTED]
)
def test_correct_programs_are_not_reported(
    kernel: str, blocks: int, threads: int, expected: Any, programs: Callable[..., Program]
) -> None:
    """Threads that end before the barrier, flags in memory of other blocks, and split barriers."""
    for check in (False, True):
        for schedule in ("ascending", "descending", "random:1"):
            y = np.zeros(expected.shape, np.int32)
            program = programs(CORRECT, check)
            report = program.launch(kernel, blocks, threads, [y], schedule=schedule, seconds=5)
            assert report.findings == ()
            np.testing.assert_array_equal(y, expected)


APART = (
    HEADER
    + """extern "C" __global__ void __cluster_dims__(2) apart(int* y) {
  extern __shared__ int all[];
  auto c = cg::this_cluster();
  *(all + threadIdx.x) = blockIdx.x * 100 + threadIdx.x;
  *(all + (64 + threadIdx.x)) = 5;
  c.sync();
  int other = *c.map_shared_rank(all + threadIdx.x, c.block_rank() ^ 1);
  y[blockIdx.x * 32 + threadIdx.x] = other + *c.map_shared_rank(all + (64 + threadIdx.x), 0);
  c.sync();
}
"""
)


@pytest.mark.parametrize("arrays", [(), (SharedArray("a", 0, 128), SharedArray("b", 256, 128))], ids=len)
def test_dynamic_shared_memory_of_other_blocks(
    arrays: tuple[SharedArray, ...], programs: Callable[..., Program]
) -> None:
    for check in (False, True):
        y = np.zeros((4, 32), np.int32)
        assert programs(APART, check).launch("apart", 4, 32, [y], 384, arrays).findings == ()
        np.testing.assert_array_equal(y, BLOCKS_OF_TWO[:, None] * 100 + np.arange(32) + 5)
    beyond = programs(APART.replace("(64 + threadIdx.x), 0)", "(97 + threadIdx.x), 0)"), True)
    (finding,) = beyond.launch("apart", 2, 32, [y[:2].copy()], 384, arrays).findings
    assert finding.kind in ("out-of-bounds", "uninitialised")
    assert finding.array == "dynamic shared memory"
