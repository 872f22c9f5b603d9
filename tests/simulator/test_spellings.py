"""Texts as CUDA compilers accept them: conditions around kernels, byte order marks, virtual functions. And files that
no spelling includes.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rise.hardware import architecture
from shine.simulator import Program, SimulatorError, build

CONDITIONAL = """#ifndef GUARD
#define GUARD
#if 0
__global__ void never(int* x) { x[0] = unknown; }
#endif
#if __CUDA_ARCH__ >= 800
__global__ void f(int* x, int n) { x[0] = n; }
#else
__global__ void f(int* y) { y[0] = 3; }
#endif
#ifdef DEBUG
__global__ void shows(int* x) {}
#endif
template <int N> __global__ void g(int* x) { x[0] = N; }
#endif"""


@pytest.mark.parametrize(("arch", "arguments", "line"), [("sm_80", [4], 7), ("sm_75", [], 9)])
def test_kernels_that_the_preprocessor_leaves_out_are_not_built(
    arch: str, arguments: list[int], line: int, cache: Path
) -> None:
    program = build(CONDITIONAL, arch=architecture(arch), kernels=["g<5>"], cache=cache)
    assert [(kernel.name, kernel.line) for kernel in program.kernels] == [("f", line), ("g<5>", 14)]
    x = np.zeros(1, np.int32)
    assert program.launch("f", 1, 1, [x, *arguments]).findings == () and x[0] == [3, *arguments][-1]
    assert program.launch("g<5>", 1, 1, [x]).findings == () and x[0] == 5
    with pytest.raises(SimulatorError, match="expected one of the kernels f, g, found `never`"):
        build(CONDITIONAL, arch=architecture(arch), kernels=["never"], cache=cache)


def test_a_text_may_begin_with_a_byte_order_mark(programs: Callable[..., Program]) -> None:
    x = np.zeros(1, np.int32)
    assert programs("\ufeff__global__ void f(int* x) { x[0] = 1; }").launch("f", 1, 1, [x]).findings == ()
    assert x[0] == 1


def test_a_text_that_is_not_unicode_is_refused(tmp_path: Path) -> None:
    text = b"\n// caf\xe9\n__global__ void f() {}".decode("utf-8", "surrogateescape")
    with pytest.raises(SimulatorError, match="expected Unicode text, found half of a character on line 2"):
        build(text, cache=tmp_path)


SHAPES = """struct Shape { __device__ virtual float area() const = 0; __device__ virtual ~Shape() {} };
struct Square : Shape {
  float s;
  __device__ Square(float s) : s(s) {}
  __device__ float area() const override { return s * s; }
};
__device__ float area(const Shape& one) { return one.area(); }
"""


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_functions_may_be_virtual(check: bool, programs: Callable[..., Program]) -> None:
    text = f"{SHAPES}__global__ void f(float* x) {{ Square one(x[0]); x[1] = area(one); }}"
    x = np.array([3, 0], np.float32)
    assert programs(text, check).launch("f", 1, 1, [x]).findings == () and x[1] == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            """struct Bare { __device__ Bare() { call(); } __device__ void call() { f(); }
              __device__ virtual void f() = 0; };
            struct Full : Bare { __device__ void f() override {} };
            __global__ void f(int* x) { Full one; x[0] = 1; }""",
            "fault: a virtual function without a body is called: step at line 1",
        ),
        (
            """struct Base { __device__ virtual ~Base() {} };
            __global__ void f(Base* x) { Base one; x = &one;
              delete x; }""",
            "fault: memory is freed, which no kernel can allocate",
        ),
    ],
)
def test_what_virtual_functions_may_not_do_is_a_fault(
    text: str, said: str, programs: Callable[..., Program]
) -> None:
    assert said in str(programs(text).launch("f", 1, 1, [np.zeros(2, np.int32)]))


@pytest.mark.parametrize(
    "include",
    [
        "#define NAME </etc/hostname>\n#include NAME",
        "\n%:include </etc/hostname>",
        "\n#/**/include/**/</etc/hostname>",
        "\n#inc\\\nlude </etc/hostname>",
        '\n#include_next "/etc/hostname"',
    ],
)
def test_no_spelling_includes_files_elsewhere(include: str, tmp_path: Path) -> None:
    text = f"{include}\n__global__ void f(int* x) {{ x[0] = 1; }}"
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path)
    assert caught.value.diagnostic.code == "unknown-header"
    assert caught.value.lines[0][0] == (3 if "\\" in include else 2)
