"""Launching: arguments, limits, schedules, and what a launch leaves unchanged."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shine.simulator import Buffer, Limits, Program, SharedArray, SimulatorError
from shine.simulator.simulation import simulate
from shine.simulator.text import find_kernels

COPY = """extern "C" __global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}"""
SCALARS = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void f(double* y, bool a, signed char b, unsigned short c, long long d, float e, double g,
                             __half h, __nv_bfloat16 i) {
  y[0] = a; y[1] = b; y[2] = c; y[3] = d; y[4] = e; y[5] = g; y[6] = (float)h; y[7] = (float)i;
}"""


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_arrays_with_any_strides_are_used_in_place(check: bool, programs: Callable[..., Program]) -> None:
    program = programs(COPY, check)
    memory = np.zeros(5000, np.uint8)
    for offset in (0, 4, 12, 100):
        y = memory[offset : offset + 400].view(np.float32)
        x = np.random.default_rng(offset).random(100, np.float32)
        assert program.launch("copy", 2, 64, [x, y, np.int32(100)]).findings == ()
        np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_arrays_may_overlap(check: bool, programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(const int* x, int* y) {
      int one = x[threadIdx.x];
      __syncthreads();
      y[threadIdx.x] = one + 1;
      __syncthreads();
      int two = x[threadIdx.x + 8];
      __syncthreads();
      y[threadIdx.x + 32] = two + 1;
    }"""
    memory = np.arange(100, dtype=np.int32)
    expected = memory.copy()
    expected[8:40] = expected[:32] + 1
    expected[40:72] = expected[8:40] + 1
    assert programs(text, check).launch("f", 1, 32, [memory[:40], memory[8:]]).findings == ()
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_arrays_may_be_empty(check: bool, programs: Callable[..., Program]) -> None:
    x, y = np.zeros((2, 0), np.float32)
    assert programs(COPY, check).launch("copy", 1, 32, [x, y, np.int32(0)]).findings == ()
    if check:
        (finding,) = programs(COPY, check).launch("copy", 1, 32, [x, y, np.int32(1)]).findings
        assert (finding.kind, finding.array) == ("out-of-bounds", "x")


def test_numbers_of_every_type_are_passed(programs: Callable[..., Program]) -> None:
    numbers = [
        np.bool_(True),
        np.int8(-3),
        np.uint16(65535),
        np.int64(-(2**40)),
        np.float32(0.5),
        np.float64(0.1),
    ]
    numbers += [np.float16(1.5), ml_dtypes.bfloat16(-2)]
    y = np.zeros(8)
    assert programs(SCALARS, True).launch("f", 1, 1, [y, *numbers]).findings == ()
    assert y.tolist() == [float(one) for one in numbers]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([np.zeros(4, np.float32)] * 2, "expected 3 arguments, found 2"),
        ([np.zeros(4, np.float32), 5, np.int32(4)], "expected an array for `y`, found int"),
        (
            [np.zeros(4, np.float32)] * 2 + [np.int64(4)],
            "expected an integer of 4 bytes for `n`, found int64",
        ),
        ([np.zeros(4, np.float32)] * 2 + [2.5], "expected an integer of 4 bytes for `n`, found float"),
        ([np.zeros(4, np.float32)] * 2 + [2**40], "expected an integer of 4 bytes for `n`, found int"),
        ([np.zeros((4, 4), np.float32).T, np.zeros(4, np.float32), 4], "contiguous"),
    ],
)
def test_wrong_arguments_are_refused(arguments: Any, said: str, programs: Callable[..., Program]) -> None:
    with pytest.raises(SimulatorError) as caught:
        programs(COPY).launch("copy", 1, 32, arguments)
    assert said in str(caught.value)


POINTERS = """#include <cuda_fp16.h>
struct Pair { int a, b; };
enum Colour { RED };
__global__ void f(const float* x, volatile int* i, half* h, double* __restrict__ d, unsigned long long* u, Colour* c,
                  void* v, float4* wide, Pair* pairs, int** p, unsigned char* b, bool* q, half2* h2,
                  const int (*rows)[4], short s[2]) {}"""


def arrays() -> dict[str, Any]:
    """An array for each pointer of POINTERS: bytes and other kinds of numbers are passed as they are."""
    numbers = {"x": "f4", "i": "u4", "h": "f2", "d": "f8", "u": "i8", "c": "i4", "s": "i2"}
    others = {
        "v": "f8",
        "wide": "f4",
        "pairs": "i4",
        "p": "u8",
        "b": "f4",
        "q": "?",
        "h2": "f2",
        "rows": "i4",
    }
    return {name: np.zeros(16, dtype) for name, dtype in {**numbers, **others}.items()}


@pytest.mark.parametrize(
    ("name", "passed"),
    [("x", "f8"), ("i", "i8"), ("h", "f4"), ("d", "f4"), ("u", "i4"), ("c", "i8"), ("s", "i4")],
)
def test_arrays_of_numbers_of_another_size_are_refused(name: str, passed: str) -> None:
    with pytest.raises(SimulatorError) as caught:
        simulate(POINTERS, arguments={**arrays(), name: np.zeros(16, passed)})
    expected = arrays()[name].dtype.itemsize
    assert f"of {expected} bytes for `{name}`, found {np.dtype(passed).name}" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "passed"),
    [("x", "i4"), ("x", "u1"), ("i", "f4"), ("i", "u1"), ("h", "u2"), ("d", "V8"), ("b", "f8")],
)
def test_arrays_of_bytes_and_of_other_kinds_of_numbers_are_reinterpreted(name: str, passed: str) -> None:
    assert simulate(POINTERS, arguments=arrays()).findings == ()
    assert simulate(POINTERS, arguments={**arrays(), name: np.zeros(16, passed)}).findings == ()


def test_parameters_that_are_written_as_arrays_have_names() -> None:
    text = "__global__ void f(const float x[4], float (*y)[4], [[maybe_unused]] int n) { y[0][1] = x[1]; }"
    assert find_kernels(text)[0].parameters == (Buffer("x", True), Buffer("y"), Buffer("n"))
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    assert simulate(text, arguments={"x": x, "y": y, "n": 1}, check=True).findings == ()
    assert y.tolist() == [0, 1, 0, 0]


def test_a_number_for_a_structure_is_refused(programs: Callable[..., Program]) -> None:
    program = programs("struct Size { int w, h; };\n__global__ void f(Size size) {}")
    with pytest.raises(SimulatorError, match="expected a structure of 8 bytes for `size`, found int 1"):
        program.launch("f", 1, 1, [1])
    size = np.zeros((), [("w", "i4"), ("h", "i4")])
    assert program.launch("f", 1, 1, [size]).findings == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kernel": "cpy"}, "did you mean `copy`"),
        ({"schedule": "random"}, "random:SEED"),
        ({"buffers": [Buffer("x")]}, "names of 2 pointer arguments, found 1"),
        ({"grid": (1, 1, 1, 1)}, "one to three sizes"),
    ],
)
def test_wrong_launches_are_refused(
    change: dict[str, Any], said: str, programs: Callable[..., Program]
) -> None:
    x = np.zeros(4, np.float32)
    with pytest.raises(SimulatorError) as caught:
        programs(COPY).launch(**{"kernel": "copy", "grid": 1, "block": 32, "arguments": [x, x, 4], **change})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("grid", "block", "dynamic", "limits", "kind", "said"),
    [
        (1, (512, 3), 0, None, "launch-size", "1 to 1024 threads in a block, found 1536"),
        (1, (1, 1, 65), 0, None, "launch-size", "at most (1024, 1024, 64)"),
        ((1, 65536), 1, 0, None, "launch-size", "found (1, 65536, 1)"),
        (0, 1, 0, None, "launch-size", "at least 1"),
        (1, 1, 232449, None, "shared-size", "at most 232448 bytes"),
        (1, 1, 100000, Limits(shared=65536), "shared-size", "at most 65536 bytes"),
    ],
)
def test_launches_beyond_the_limits_of_a_device_are_not_run(
    grid: Any,
    block: Any,
    dynamic: int,
    limits: Limits | None,
    kind: str,
    said: str,
    programs: Callable[..., Program],
) -> None:
    y = np.zeros(4, np.float32)
    report = programs(COPY).launch("copy", grid, block, [y + 1, y, 4], dynamic_shared=dynamic, limits=limits)
    assert [one.kind for one in report.findings] == [kind]
    assert said in str(report)
    assert not report.finished
    assert not y.any()


def test_limits_in_the_text_are_checked(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void __launch_bounds__(64) f(float* y) {
      __shared__ float big[12289];
      big[threadIdx.x] = 1.0f;
      y[threadIdx.x] = big[threadIdx.x];
    }"""
    report = programs(text).launch("f", 1, 128, [np.zeros(128, np.float32)])
    assert [one.kind for one in report.findings] == ["launch-size", "shared-size"]
    assert "at most 49152 bytes of static shared memory, found 49156" in str(report)


def test_shared_arrays_must_fit(programs: Callable[..., Program]) -> None:
    y = np.zeros(4, np.float32)
    arrays = [SharedArray("a", 0, 64), SharedArray("b", 64, 65)]
    report = programs(COPY).launch("copy", 1, 4, [y, y, 4], dynamic_shared=128, shared_arrays=arrays)
    assert [one.kind for one in report.findings] == ["shared-size"]
    assert "`b`" in str(report)


def test_the_whole_shared_memory_can_be_used(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(int* y, int n) {
      extern __shared__ __align__(16) unsigned char shared_memory[];
      int* all = reinterpret_cast<int*>(shared_memory + 0);
      for (int i = threadIdx.x; i < n; i += blockDim.x) all[i] = i;
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = all[n - 1 - i];
    }"""
    size = 227 * 1024
    for check in (False, True):
        for arrays in ((), (SharedArray("all", 0, size),)):
            y = np.zeros(size // 4, np.int32)
            report = programs(text, check).launch(
                "f", 1, 1024, [y, len(y)], dynamic_shared=size, shared_arrays=arrays
            )
            assert report.findings == ()
            np.testing.assert_array_equal(y, np.arange(len(y))[::-1])


def test_a_block_does_not_see_the_shared_memory_of_another(programs: Callable[..., Program]) -> None:
    text = """extern "C" __global__ void f(float* y) {
      __shared__ float held[4];
      y[blockIdx.x] = held[0];
      held[0] = 1.0f;
    }"""
    y = np.zeros(3, np.float32)
    assert programs(text).launch("f", 3, 1, [y]).findings == ()
    assert np.isnan(y).all()
    (finding,) = programs(text, True).launch("f", 3, 1, [y]).findings
    assert finding.kind == "uninitialised"


def test_schedules_differ_and_seeds_repeat(programs: Callable[..., Program]) -> None:
    text = 'extern "C" __global__ void f(int* n, int* y) { y[threadIdx.x] = atomicAdd(n, 1); }'
    orders = []
    for schedule in ("ascending", "descending", "random:1", "random:2", "random:1"):
        n, y = np.zeros(1, np.int32), np.zeros(64, np.int32)
        assert programs(text).launch("f", 1, 64, [n, y], schedule=schedule).findings == ()
        orders.append(y.tolist())
    assert orders[0] == list(range(64))
    assert orders[2] == orders[4]
    assert len({tuple(one) for one in orders}) == 4


def test_the_check_build_does_not_change_read_only_arrays(programs: Callable[..., Program]) -> None:
    text = 'extern "C" __global__ void f(float* x) { x[threadIdx.x] = 1.0f; }'
    x = np.zeros(8, np.float32)
    x.flags.writeable = False
    (finding,) = programs(text, True).launch("f", 1, 8, [x]).findings
    assert (finding.kind, finding.array) == ("read-only", "x")
    assert not x.any()
