"""Texts that the simulator accepts: templates by name, namespaces, whole programs; and texts that it rejects."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build
from shine.simulator.assembly import replace_assembly
from shine.simulator.compiler import find_compiler
from tests.examples import some
from tests.required_tools import GCC, skip_without

WHOLE = """#include <cstdlib>
#include <iostream>
#include "../common/helper.h"
#include <vector>
using namespace std;
#define CHECK(call) do { if (call) exit(1); } while (0)
struct Scale { int by; float plus[2]; };
static bool agree(const std::vector<int>& one, const std::vector<int>& two);
static void show(std::vector<int>& values) {
  for (int value : values) { cout << value; }
}
template <class T> T* allocate(size_t count) { T* made; CHECK(cudaMalloc(&made, count * sizeof(T))); return made; }
__constant__ float table[4] = {1, 2, 3, 4};
__device__ float scaled(float x, Scale scale) { return x * scale.by + scale.plus[1]; }
__global__ void k(Scale scale, float* x) { x[threadIdx.x] = scaled(table[threadIdx.x], scale); }
extern "C" {
__global__ void second(float* x) { x[0] = 2; }
void launch_second(float* x) { second<<<1, 1>>>(x); }
}
int main(int count, char** words) {
  vector<int> values(3);
  k<<<1, 4>>>(Scale{}, allocate<float>(4));
  show(values);
}
"""


def test_the_kernels_of_a_whole_program_are_built(programs: Callable[..., Program]) -> None:
    program = programs(WHOLE, True)
    assert [kernel.name for kernel in program.kernels] == ["k", "second"]
    scale = np.zeros((), np.dtype([("by", np.int32), ("plus", np.float32, 2)]))
    scale["by"], scale["plus"] = 10, (0, 0.5)
    x = np.zeros(4, np.float32)
    assert program.launch("k", 1, 4, [scale, x]).findings == ()
    assert x.tolist() == [10.5, 20.5, 30.5, 40.5]


def test_a_mistake_in_a_whole_program_keeps_its_line(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError) as caught:
        build(WHOLE.replace("x[0] = 2", "y[0] = 2"), cache=tmp_path)
    assert caught.value.lines[0][0] == WHOLE[: WHOLE.index("void second")].count("\n") + 1


def test_structures_of_the_wrong_size_are_refused(programs: Callable[..., Program]) -> None:
    with pytest.raises(SimulatorError, match="expected a structure of 12 bytes for `scale`, found one of 8"):
        programs(WHOLE, True).launch("k", 1, 4, [np.zeros((), "f4,f4"), np.zeros(4, np.float32)])


def test_templates_are_built_by_name(tmp_path: Path) -> None:
    text = """template <int N, class T> __global__ void fill(T* x, T value) {
      __shared__ T held[N];
      held[threadIdx.x] = value;
      __syncthreads();
      x[threadIdx.x] = held[N - 1 - threadIdx.x];
    }
    __global__ void plain(int* x) { x[0] = 7; }"""
    program = build(text, True, cache=tmp_path, kernels=["fill<4, int>", "fill< 8,float >"])
    assert [kernel.name for kernel in program.kernels] == ["plain", "fill<4, int>", "fill<8,float>"]
    x, y = np.zeros(4, np.int32), np.zeros(8, np.float32)
    assert program.launch("fill<4,int>", 1, 4, [x, 3]).findings == () and (x == 3).all()
    assert program.launch("fill<8, float>", 1, 8, [y, 2.5]).findings == () and (y == 2.5).all()
    assert program.launch("plain", 1, 1, [x]).findings == () and x[0] == 7


@pytest.mark.parametrize("around", some(["%s", "namespace { %s }", "namespace n { namespace m { %s } }"], 2))
def test_shared_arrays_of_templates_are_shared_arrays(around: str, tmp_path: Path) -> None:
    """They are uninitialised at first, races and bounds are checked, and their names are known."""
    text = (
        around
        % """template <class T, int N> struct Held {
      static __device__ T turned(T one, int i, bool waits) {
        __shared__ T in_class[N];
        in_class[i] = one;
        if (waits) __syncthreads();
        return in_class[N - 1 - i];
      }
    };
    template <int N> __device__ float* place() { __shared__ float lent[N]; return lent; }
    template <int N> __global__ void f(float* x, int mistake) {
      __shared__ float first[N], second[N];
      int i = threadIdx.x;
      if (mistake == 1) x[i] = first[i];
      first[i] = x[i];
      if (mistake != 2) __syncthreads();
      if (mistake == 3) second[i] = first[N + i]; else second[i] = first[N - 1 - i];
      place<N>()[i] = 0;
      x[i] = Held<float, N>::turned(second[i], i, mistake != 4);
    }
    __global__ void plain(float* x) { __shared__ float other[4]; other[0] = x[0]; }"""
    )
    program = build(text, True, cache=tmp_path, kernels=["f<64>"])
    names = {array.name for array in program.statics}
    assert names == {"in_class", "lent", "first", "second", "other"}
    kinds = {
        1: ("uninitialised", "first"),
        2: ("race", "first"),
        3: ("out-of-bounds", "first"),
        4: ("race", "in_class"),
    }
    for mistake in range(5):
        x = np.arange(64, dtype=np.float32)
        report = program.launch("f<64>", 1, 64, [x, mistake])
        if mistake:
            finding = report.findings[0]
            array = kinds[mistake][1] if finding.array is not None else None
            assert (finding.kind, finding.array) == (kinds[mistake][0], array)
        else:
            assert report.findings == ()
            np.testing.assert_array_equal(x, np.arange(64))
    y = np.arange(64, dtype=np.float32)
    plain = build(text.replace("if (mistake == 1)", "if (false)"), cache=tmp_path, kernels=["f<64>"])
    assert plain.launch("f<64>", 1, 64, [y, 0]).findings == ()
    np.testing.assert_array_equal(y, np.arange(64))


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_dynamic_shared_memory_may_have_any_type_and_place(check: bool, tmp_path: Path) -> None:
    text = """template <class T> struct Shared { static __device__ T* get() {
      extern __shared__ int everything[];
      return (T*)everything;
    } };
    extern __shared__ __align__(8) double outside[];
    template <class T> __global__ void turn(T* x, int n) {
      extern __shared__ T held[];
      held[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = Shared<T>::get()[n - 1 - threadIdx.x];
    }
    __global__ void rows(float* x) {
      extern __shared__ float held[][4];
      held[threadIdx.y][threadIdx.x] = x[threadIdx.y * 4 + threadIdx.x];
      __syncthreads();
      x[threadIdx.y * 4 + threadIdx.x] = held[3 - threadIdx.y][threadIdx.x];
    }
    __global__ void twice(double* x) {
      outside[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = 2 * outside[threadIdx.x];
    }"""
    program = build(text, check, cache=tmp_path, kernels=["turn<float>", "turn<double>"])
    for dtype, name in ((np.float32, "turn<float>"), (np.float64, "turn<double>")):
        x = np.arange(8, dtype=dtype)
        assert program.launch(name, 1, 8, [x, 8], dynamic_shared=64).findings == ()
        np.testing.assert_array_equal(x, np.arange(8)[::-1])
    x = np.arange(16, dtype=np.float32)
    assert program.launch("rows", 1, (4, 4), [x], dynamic_shared=64).findings == ()
    np.testing.assert_array_equal(x, np.arange(16).reshape(4, 4)[::-1].reshape(-1))
    y = np.arange(8.0)
    assert program.launch("twice", 1, 8, [y], dynamic_shared=64).findings == ()
    np.testing.assert_array_equal(y, 2 * np.arange(8.0))


@pytest.mark.parametrize(
    ("text", "kernels", "said"),
    [
        ("template <int N> __global__ void f(int* x) {}", [], "arguments for the template `f`"),
        (
            "template <int N> __global__ void f(int* x) {}",
            ["f"],
            "the template `f` with arguments, found `f`",
        ),
        ("__global__ void f(int* x) {}", ["f<3>"], "`f`, no template, found `f<3>`"),
        ("__global__ void f(int* x) {}", ["g"], "expected one of the kernels f, found `g`"),
    ],
)
def test_kernels_that_cannot_be_built_are_named(
    text: str, kernels: list[str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path, kernels=kernels)
    assert caught.value.diagnostic.code == "unknown-kernel"
    assert said in str(caught.value)


def test_kernels_in_namespaces_are_found(programs: Callable[..., Program]) -> None:
    text = """namespace a { namespace b { __global__ void f(int* x) { x[0] = 1; } }
    __global__ void g(int* x) { x[0] = 2; } }
    __global__ void f(int* x) { x[0] = 3; }"""
    program = programs(text)
    assert [kernel.name for kernel in program.kernels] == ["a::b::f", "a::g", "f"]
    for name, number in (("a::b::f", 1), ("a::g", 2), ("g", 2), ("f", 3)):
        x = np.zeros(1, np.int32)
        assert program.launch(name, 1, 1, [x]).findings == () and x[0] == number


@pytest.mark.parametrize(
    ("text", "line", "what"),
    some([
        ('__global__ void f(int* x) {\n  asm volatile("ret;");\n}', 2, "`ret`"),
        ('__global__ void f(int* x) {\n  if (x)\n    asm("isspacep.local %0, %1;" : "=r"(x[0]));\n}',
         3, "`isspacep.local`"),
        ('__global__ void f(int* x) {\n  asm("{ .reg .b32 t;\\n\\t"\n   "@p cp.async.ca.x [t], 4; }");\n}',
         2, "`cp.async.ca.x`"),
        ('#define LOAD(x) \\\n  asm("tex.1d.b32 ;" \\\n  : "=r"(x))\n__global__ void f(int* x) {\n  LOAD(x[0]);\n}',
         2, "`tex.1d.b32`"),
        ('#define HIDDEN(x) as##m(x)\n__global__ void f(int* x) {\n  HIDDEN("ret");\n}', 3, "inline assembly"),
        ('__global__ void f(int* x) {\n  asm(".local .b32 t;");\n}', 2, "`.local`"),
        ('extern "C" int run(const char*) __asm__("system");\n__global__ void f(int* x) { x[0] = run(0); }',
         1, "inline assembly"),
        ('asm(".globl sim_launch");\n__global__ void f(int* x) {}', 1, "inline assembly"),
    ], 2),
)  # fmt: skip
def test_unknown_instructions_are_refused_by_line(text: str, line: int, what: str, tmp_path: Path) -> None:
    for check in (False, True):
        with pytest.raises(SimulatorError) as caught:
            build(text, check, cache=tmp_path)
        assert caught.value.diagnostic.code == "unknown-instruction"
        assert caught.value.diagnostic.title.endswith(f"found {what} on line {line}")


def test_an_unknown_word_is_named_without_the_compilers_words() -> None:
    text = '__global__ void f(int* x) {\n  asm volatile("@@p mov.s32 %0, 1;" : "=r"(x[0]));\n}'
    with pytest.raises(SimulatorError) as raised:
        build(text)
    title = raised.value.diagnostic.title
    assert title == "expected a PTX instruction that the simulator supports, found `@@p` on line 2"


def test_kernels_that_launch_kernels_are_refused_by_line() -> None:
    text = "__global__ void g(int* x) {}\n__global__ void f(int* x) {\n  // g<<<1, 1>>>(x)\n  g<<<1, 32>>>(x);\n}"
    with pytest.raises(
        SimulatorError, match="expected kernels that launch no other kernels, found `<<<` on line 4"
    ):
        build(text)


def test_assembly_that_is_not_compiled_is_not_checked(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(int* x) {
    #if __CUDA_ARCH__ < 300
      asm volatile("ret;");
    #endif
      // asm("ret;")
      asm volatile("" ::: "memory");
      x[0] = __CUDA_ARCH__;
    }"""
    x = np.zeros(1, np.int32)
    assert programs(text).launch("f", 1, 1, [x]).findings == ()
    assert x[0] == 900


@pytest.mark.parametrize("check", [False, True])
def test_empty_assembly_with_operands_only_orders(check: bool, programs: Callable[..., Program]) -> None:
    """As CUTLASS keeps accumulators in registers; `f` is another kind of register on the host."""
    text = """__device__ void keep(float& x, unsigned& n, double d) {
      asm volatile("" : "+f"(x) :: "memory");
      asm volatile("" : "+r"(n) : "d"(d) : "memory");
      for (int i = 0; i < 2; i++) asm volatile("" ::: "memory");
    }
    __global__ void f(float* x) { unsigned n = 2; float one = x[0]; keep(one, n, 1.0); x[0] = one + n; }"""
    x = np.ones(1, np.float32)
    assert programs(text, check).launch("f", 1, 1, [x]).findings == () and x[0] == 3


def test_replaced_assembly_keeps_lines() -> None:
    text = 'int a;\nasm("one"\n  "two"\n);\n#define F asm( \\\n  "x")\nint b;'
    replaced = replace_assembly(text)
    assert replaced.count("\n") == text.count("\n")
    assert replaced.split("\n")[-1] == "int b;"
    assert replaced.split("\n")[4].endswith("\\")


@pytest.mark.parametrize(
    ("text", "name", "line"),
    some([
        ('extern "C" int system(const char*);\n__global__ void f(int* x) {\n  x[0] = system("ls");\n}', "system", 3),
        ('extern "C" void* fopen(const char*, const char*);\n__global__ void f(void** x) { x[0] = fopen("a", "w"); }',
         "fopen", 2),
        ("__global__ void f(int** x) { x[0] = new int[5]; }", "operator new[](unsigned long)", 1),
        ("__device__ int g(int);\n\n__global__ void f(int* x) { x[0] = g(1); }", "g(int)", 3),
    ], 2),
)  # fmt: skip
def test_functions_of_the_system_are_refused(text: str, name: str, line: int, tmp_path: Path) -> None:
    for check in (False, True):
        with pytest.raises(SimulatorError) as caught:
            build(text, check, cache=tmp_path)
        assert caught.value.diagnostic.code == "unknown-function"
        assert caught.value.lines == ((line, name),)
        assert f"`{name}`" in caught.value.diagnostic.title


def test_the_header_of_a_name_is_a_hint(tmp_path: Path) -> None:
    if find_compiler(None).is_clang:
        skip_without(GCC)
    text = "__global__ void f(int* x) {\n  uint32_t n = 3;\n  x[0] = n;\n}"
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path)
    assert caught.value.lines[0][0] == 2
    assert caught.value.diagnostic.hint == "`uint32_t` needs `#include <cstdint>`, as with nvcc"
    assert build(f"#include <cstdint>\n{text}", cache=tmp_path).kernels


@pytest.mark.parametrize("path", ["/etc/hostname", "../../../../etc/hostname", "a/../../b.h"])
def test_files_elsewhere_cannot_be_included(path: str, tmp_path: Path) -> None:
    text = (
        "/* #include </etc/hostname> */ // #include </etc/hostname>\n__global__ void f(int* x) { x[0] = 1; }"
    )
    assert build(text, cache=tmp_path).kernels
    for form in (f'#include "{path}"', f"  # include <{path}>"):
        with pytest.raises(SimulatorError) as caught:
            build(f"{text}\n{form}\n", cache=tmp_path)
        assert caught.value.diagnostic.code == "unknown-header"
        assert caught.value.lines[0][0] == 3


@pytest.mark.parametrize(
    ("text", "line", "said"),
    some([
        ("__global__ void f(int* x) {\n  int i = threadIdx;\n}", 2, "cannot convert 'uint3' to 'int'"),
        ("struct P { int a[3]; };\n__global__ void f(P* x) {\n  x[0] = __shfl_sync(1, x[0], 2);\n}",
         3, "at most 8 bytes"),
        ("#include <mma.h>\nusing namespace nvcuda;\n__global__ void f(int* x) {\n\n"
         "  wmma::fragment<wmma::accumulator, 3, 3, 3, float> c;\n  wmma::fill_fragment(c, 0.0f);\n}",
         5, "no fragment of this shape"),
        ("\n__global__ int f(int* x) { return 1; }", 2, "expected a kernel that returns void"),
    ], 2),
)  # fmt: skip
def test_messages_refer_to_lines_of_the_text(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path)
    assert caught.value.lines[0][0] == line
    assert said in caught.value.lines[0][1]
    for word in ("sim_", "simulator::", "runtime/include", "/vocabulary.h"):
        assert word not in str(caught.value)
