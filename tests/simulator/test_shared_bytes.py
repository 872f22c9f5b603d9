"""Arrays that share bytes of shared memory: each has its own bounds, and its contents are lost when another one is
written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Program, Report, SharedArray, build
from shine.simulator.model import Finding
from shine.simulator.shared_pointers import MAX_ARRAYS, told_apart
from tests.cases.stages import CASES
from tests.examples import in_turns, some
from tests.simulator.corpus import SCHEDULES
from tests.simulator.mutation import Launch
from tests.simulator.printed_kernels import of_case

#: `a` is reversed into `x`; then `b` takes its place, of which 128 bytes are those of `a`
BODY = """  a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = a[63 - threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] += b[63 - threadIdx.x];
}
"""
HEAD = 'extern "C" __global__ void twice(float* x) {\n'
#: three ways to declare both, each on two lines, with the dynamic bytes and the arrays of a launch
WAYS = {
    "static bytes": (
        "  __shared__ __align__(16) unsigned char all[512]; float* const a = reinterpret_cast<float*>(all + 0);\n"
        "  float* const b = reinterpret_cast<float*>(all + 128);\n",
        0,
        (SharedArray("a", 0, 256, "all"), SharedArray("b", 128, 256, "all")),
    ),
    "static array": (
        "  __shared__ float a[64];\n  float* const b = a;\n",
        0,
        (SharedArray("b", 0, 256, "a"),),
    ),
    "dynamic, from one offset": (
        "  extern __shared__ unsigned char all[]; float* const a = reinterpret_cast<float*>(all + 0);\n"
        "  float* const b = (float*)(all + 0);\n",
        1024,
        (SharedArray("a", 0, 256), SharedArray("b", 0, 256)),
    ),
}
Built = Callable[[str, bool], Program]


def launched(way: str, programs: Built, old: str = "", new: str = "", schedule: str = "ascending") -> Report:
    """Launch the kernel with one change; without findings, its result must be correct."""
    declared, dynamic, arrays = WAYS[way]
    assert not old or BODY.count(old) == 1
    x = np.arange(64, dtype=np.float32)
    program = programs(HEAD + declared + BODY.replace(old or "}", new or "}"), True)
    report = program.launch("twice", 1, 64, [x], dynamic, arrays, schedule)
    assert report.findings or np.array_equal(x, np.full(64, 63.0))
    return report


def only_finding(report: Report) -> Finding:
    (finding,) = report.findings
    return finding


@pytest.mark.parametrize("way", some(WAYS, 3))
def test_consecutive_lifetimes_are_correct(way: str, programs: Built) -> None:
    for schedule in SCHEDULES:
        assert launched(way, programs, schedule=schedule).findings == ()
    declared, dynamic, arrays = WAYS[way]
    x = np.arange(64, dtype=np.float32)
    assert programs(HEAD + declared + BODY, False).launch("twice", 1, 64, [x], dynamic, arrays).findings == ()
    np.testing.assert_array_equal(x, np.full(64, 63.0))


@pytest.mark.parametrize("way", some(WAYS, 3))
def test_a_read_of_elements_that_another_array_has_overwritten_is_stale(way: str, programs: Built) -> None:
    found = only_finding(launched(way, programs, "b[63 -", "a[63 -"))
    assert (found.kind, found.array, found.lines) == ("stale", "a", (10, 8))
    assert "a (shared memory)" in found.message and "`b`, which shares these bytes" in found.message


@pytest.mark.parametrize(("name", "way"), in_turns(["a", "b"], WAYS))
def test_an_overrun_within_the_shared_bytes_is_out_of_bounds(name: str, way: str, programs: Built) -> None:
    old = f"{name}[threadIdx.x] ="
    found = only_finding(launched(way, programs, old, f"{name}[threadIdx.x + (int)x[1]] ="))
    assert (found.kind, found.lines) == ("out-of-bounds", (4 if name == "a" else 8,))
    if found.array is not None:  # otherwise the index was outside of the array's type
        assert found.array == name and "which has 256 bytes" in found.message


@pytest.mark.parametrize("way", some(WAYS, 3))
def test_a_missing_barrier_between_two_lifetimes_is_a_race(way: str, programs: Built) -> None:
    barrier = "- threadIdx.x];\n  __syncthreads();\n"
    for schedule in SCHEDULES:
        report = launched(way, programs, barrier, barrier.replace("__sync", "// "), schedule)
        assert {(one.kind, frozenset(one.lines)) for one in report.findings} == {("race", frozenset({6, 8}))}


def test_a_copy_in_flight_to_bytes_of_another_array_is_found(programs: Built) -> None:
    declared, dynamic, arrays = WAYS["static bytes"]
    text = (
        HEAD
        + declared
        + BODY.replace(
            "b[threadIdx.x] = x[threadIdx.x];",
            "__pipeline_memcpy_async(b + threadIdx.x, x + threadIdx.x, 4); __pipeline_commit(); WAIT",
        )
    )
    right = text.replace("WAIT", "__pipeline_wait_prior(0);")
    x = np.arange(64, dtype=np.float32)
    include = "#include <cuda_pipeline.h>\n#line 1\n"
    assert programs(include + right, True).launch("twice", 1, 64, [x], dynamic, arrays).findings == ()
    early = text.replace("WAIT", "").replace("b[63 -", "a[63 -")
    report = programs(include + early, True).launch("twice", 1, 64, [x], dynamic, arrays)
    assert {(one.kind, one.array) for one in report.findings} == {("in-flight", "a"), ("not-waited", "b")}


def test_an_atomic_operation_on_elements_that_another_array_has_overwritten_is_stale(programs: Built) -> None:
    declared, dynamic, arrays = WAYS["static bytes"]
    text = HEAD + declared + BODY.replace("x[threadIdx.x] += b[63 - threadIdx.x]", "atomicAdd(a + 63, 1.0f)")
    found = only_finding(
        programs(text, True).launch("twice", 1, 64, [np.ones(64, np.float32)], dynamic, arrays)
    )
    assert (found.kind, found.array, found.offset) == ("stale", "a", 252)


def test_addresses_of_arrays_that_share_bytes(programs: Built) -> None:
    declared, dynamic, arrays = WAYS["static bytes"]
    loaded = """unsigned at = (unsigned)__cvta_generic_to_shared(b + 63 - threadIdx.x); float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at)); x[threadIdx.x] += value"""
    text = HEAD + declared + BODY.replace("x[threadIdx.x] += b[63 - threadIdx.x]", loaded)
    x = np.arange(64, dtype=np.float32)
    assert programs(text, True).launch("twice", 1, 64, [x], dynamic, arrays).findings == ()
    np.testing.assert_array_equal(x, np.full(64, 63.0))
    report = programs(text.replace("(b + 63", "(a + 63"), True).launch("twice", 1, 64, [x], dynamic, arrays)
    assert only_finding(report).kind == "stale"


def test_each_block_of_a_cluster_has_its_own_arrays(programs: Built) -> None:
    declared, dynamic, arrays = WAYS["static bytes"]
    text = f"""#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2) both(float* x) {{
{declared}  auto cluster = cg::this_cluster();
  unsigned other = cluster.block_rank() ^ 1;
  a[threadIdx.x] = blockIdx.x;
  cluster.sync();
  float first = *cluster.map_shared_rank(a + threadIdx.x, other);
  cluster.sync();
  b[threadIdx.x] = 10 + blockIdx.x;
  cluster.sync();
  x[blockIdx.x * 64 + threadIdx.x] = first + *cluster.map_shared_rank(b + threadIdx.x, other);
  cluster.sync();
}}
"""
    for schedule in SCHEDULES:
        x = np.zeros(128, np.float32)
        report = programs(text, True).launch("both", 2, 64, [x], dynamic, arrays, schedule)
        assert report.findings == ()
        np.testing.assert_array_equal(x, np.repeat([12.0, 10.0], 64))
    stale = programs(text.replace("rank(b +", "rank(a +"), True).launch("both", 2, 64, [x], dynamic, arrays)
    assert {(one.kind, one.array) for one in stale.findings} == {("stale", "a")}


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (
            SharedArray("b", 128, 500, "all"),
            "expected `b` in 512 bytes of the static shared array `all`, found it at 128",
        ),
        (SharedArray("b", 0, 4, "none"), "expected `b` in 0 bytes of the static shared array `none`"),
    ],
    ids=["too large", "unknown"],
)
def test_arrays_must_be_within_the_named_array(array: SharedArray, message: str, programs: Built) -> None:
    declared, dynamic, _ = WAYS["static bytes"]
    x = np.zeros(64, np.float32)
    report = programs(HEAD + declared + BODY, True).launch("twice", 1, 64, [x], dynamic, [array])
    assert only_finding(report).kind == "shared-size" and message in only_finding(report).message


def test_arrays_that_cannot_be_distinguished_are_one_array() -> None:
    a, b, c = SharedArray("a", 0, 64), SharedArray("b", 0, 32), SharedArray("c", 0, 16, "all")
    assert told_apart((a, b, c), ("a", "b", "c"), True) == (a, b, c)
    joined = SharedArray("a, b", 0, 64)
    assert told_apart((a, b, c), ("a", "c"), True) == (joined, c)
    assert told_apart((a, b, c), ("a", "b"), False) == (joined,)
    many = [replace(a, offset=64 * i) for i in range(MAX_ARRAYS + 1)]
    assert told_apart(many, (), True) == () and len(told_apart(many[1:], (), True)) == MAX_ARRAYS


#: changes of a printed kernel in which two arrays for the mean share bytes with two for the variance
FAULTS = {
    "sums_over63[lane] +": ("sums_for_mean_over63[lane] +", "stale", "sums_for_mean_over63"),
    "sums_over31[lane + 4]": ("sums_over31[lane + 8]", "out-of-bounds", "sums_over31"),
}


@pytest.mark.parametrize("old", some(FAULTS, 2))
def test_faults_in_a_printed_kernel_are_found(old: str, cache: Path) -> None:
    new, kind, array = FAULTS[old]
    (case,) = [case for case in CASES if case.name == "mean_variance"]
    subject = of_case(case, cache)
    assert subject is not None and subject.text.count(old) == 1
    (launch,) = subject.launches
    assert [one.within for one in launch.shared_arrays] == ["sums_for_mean_over63", "sums_for_mean_over31"]
    found = reported(launch, subject.text.replace(old, new), cache)
    assert (found.kind, found.array) == (kind, array)


def reported(launch: Launch, text: str, cache: Path) -> Finding:
    report, _ = launch.run(build(text, check=True, cache=cache), "ascending")
    return report.findings[0]
