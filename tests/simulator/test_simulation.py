"""`shine.simulate`: from a text to a report in one call."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shine
from rise.diagnostics import RiseError

REVERSE = """__global__ void reverse(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}"""


def test_a_kernel_runs_in_one_call(cache: Path) -> None:
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    for arguments in ([x, y], {"y": y, "x": x}):
        y[:] = 0
        report = shine.simulate(REVERSE, block=64, arguments=arguments, check=True, cache=cache)
        assert report.findings == () and report.finished
        np.testing.assert_array_equal(y, x[::-1])


def test_a_race_is_found_at_its_lines(cache: Path) -> None:
    x, y = np.zeros((2, 64), np.float32)
    wrong = REVERSE.replace("  __syncthreads();\n", "\n")
    (finding,) = shine.simulate(wrong, "reverse", 1, 64, [x, y], check=True, cache=cache).findings
    assert (finding.kind, finding.array, set(finding.lines)) == ("race", "tile", {3, 5})


def test_the_architecture_determines_limits_and_macros(cache: Path) -> None:
    text = "__global__ void f(int* x) { x[0] = __CUDA_ARCH__; }"
    for arch, number in (("sm_75", 750), ("sm_90a", 900)):
        x = np.zeros(1, np.int32)
        assert shine.simulate(text, arguments=[x], arch=arch, cache=cache).findings == ()
        assert x[0] == number
        report = shine.simulate(text, arguments=[x], arch=arch, dynamic_shared=150_000, cache=cache)
        assert bool(report.findings) == (arch == "sm_75")


@pytest.mark.parametrize(
    ("arch", "expected"),
    [("sm_80", [13, 13000, 13000, 800, 0, 0]), ("sm_90", [13, 13000, 13000, 900, 0, 0]),
     ("sm_90a", [13, 13000, 13000, 900, 1, 900]), ("sm_120a", [13, 13000, 13000, 1200, 0, 1200])],
)  # fmt: skip
def test_texts_may_ask_for_releases_and_features(arch: str, expected: list[int], cache: Path) -> None:
    text = """#include <cuda.h>
    #if !defined(__NVCC__) || !defined(__CUDACC__)
    #error no CUDA compiler
    #endif
    #ifdef __CUDA_ARCH_FEAT_SM90_ALL
    #define FEATURE 1
    #else
    #define FEATURE 0
    #endif
    #ifndef __CUDA_ARCH_SPECIFIC__
    #define __CUDA_ARCH_SPECIFIC__ 0
    #endif
    __global__ void f(int* x) {
      x[0] = __CUDACC_VER_MAJOR__; x[1] = CUDART_VERSION; x[2] = CUDA_VERSION; x[3] = __CUDA_ARCH_LIST__;
      x[4] = FEATURE; x[5] = __CUDA_ARCH_SPECIFIC__;
    }"""
    x = np.zeros(6, np.int32)
    assert shine.simulate(text, arguments=[x], arch=arch, cache=cache).findings == ()
    assert x.tolist() == expected


FLAG = """__device__ volatile int ready = 0;
__device__ int sent;
__global__ void handed_over(int* y) {
  if (blockIdx.x == 1) { sent = 42; __threadfence(); ready = 1; }
  else { while (ready == 0) {} __threadfence(); y[0] = sent; }
}"""


def test_variables_have_their_first_values_in_each_launch(cache: Path) -> None:
    """The flag of the launch before would order nothing."""
    for schedule in ("ascending", "descending", "random:1"):
        y = np.zeros(1, np.int32)
        report = shine.simulate(FLAG, None, 2, 1, [y], check=True, schedule=schedule, cache=cache)
        assert report.findings == () and y[0] == 42
    static = (
        "__device__ int next() { static int n = 0; return ++n; } __global__ void f(int* y) { y[0] = next(); }"
    )
    for _ in range(2):
        y = np.zeros(1, np.int32)
        shine.simulate(static, arguments=[y], cache=cache)
        assert y[0] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kernel": 3}, "the name of a kernel"),
        ({"kernel": "revers"}, "did you mean `reverse`"),
        ({"grid": "4"}, "expected a grid of one to three sizes, found '4'"),
        ({"block": (1, 2, 3, 4)}, "expected a block of one to three sizes"),
        ({"block": 2.5}, "expected a block of one to three sizes, found 2.5"),
        ({"block": True}, "expected a block of one to three sizes, found True"),
        ({"arguments": {"x": np.zeros(4, np.float32)}}, "expected an argument for `y`, found none"),
        ({"arguments": {"z": 3}}, "has no parameter `z`"),
        ({"arguments": "xy"}, "expected the arguments of `reverse` in a list, found str"),
        ({"arguments": [1, 2]}, "expected an array for `x`, found int"),
        ({"check": 1}, "expected whether to check"),
        ({"schedule": "backwards"}, "expected the schedule `ascending`, `descending` or `random:SEED`"),
        ({"arch": "sm_1"}, "expected an architecture, found `sm_1`"),
        ({"arch": None}, "expected an architecture"),
        ({"seconds": "3"}, "expected a number for `seconds`, found '3'"),
        ({"dynamic_shared": -1}, "expected a number for `dynamic_shared`, found -1"),
        ({"memory": 1e9}, "expected a number for `memory`"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], said: str, cache: Path) -> None:
    x, y = np.zeros((2, 64), np.float32)
    with pytest.raises(RiseError) as caught:
        shine.simulate(**{"source": REVERSE, "block": 64, "arguments": [x, y], "cache": cache, **options})
    assert said in str(caught.value)
    assert caught.value.diagnostic.hint


def test_the_name_is_needed_if_there_are_several_kernels(cache: Path) -> None:
    with pytest.raises(RiseError) as caught:
        shine.simulate(REVERSE + "\ntemplate <int N> __global__ void g(int* x) {}", cache=cache)
    assert caught.value.diagnostic.notes == ("it has reverse(x, y)", "it has template g<...>(x)")
