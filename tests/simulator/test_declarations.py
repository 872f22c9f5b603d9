"""Declarations in the spellings of CUDA: words before and after `__shared__`, local types without names, instances."""

from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program, build
from shine.simulator.model import SimulatorError
from tests.examples import some

BOTH = pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
TURN = "s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); y[threadIdx.x] = s[63 - threadIdx.x];"


def turns(program: Program, dynamic_shared: int = 0) -> None:
    """Launch a kernel that reverses 64 numbers."""
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    report = program.launch("f", 1, 64, [x, y], dynamic_shared=dynamic_shared)
    assert report.findings == () and y.tolist() == x[::-1].tolist()


@BOTH
@pytest.mark.parametrize(
    "words",
    some(
        [
            "__shared__ float",
            "float __shared__",
            "static __shared__ float",
            "__shared__ static float",
            "volatile __shared__ float",
            "__shared__ volatile float",
            "alignas(128) __shared__ float",
            "__shared__ alignas(16) float",
            "__align__(16) __shared__ float",
            "static __shared__ alignas(sizeof(float4))\n  float",
            "__attribute__((aligned(128))) __shared__ float",
            "MEMORY float",
        ],
        2,
    ),
)
def test_words_of_shared_memory(words: str, check: bool, programs: Callable[..., Program]) -> None:
    text = "#define MEMORY static __shared__\n"
    text += f"__global__ void f(const float* x, float* y) {{\n  {words} s[64]; {TURN}\n}}"
    turns(programs(text, check))


@BOTH
@pytest.mark.parametrize(
    "declaration",
    some(
        [
            "extern __shared__ float s[];",
            "extern __align__(16) __shared__ float s[];",
            "extern __shared__ __align__(16) float s[];",
            "extern volatile __shared__ float s[];",
            "__shared__ extern float s[];",
            "extern float __shared__ s[];",
            "alignas(16) extern __shared__ float s[];",
            "extern __shared__ unsigned char bytes[]; float* s = reinterpret_cast<float*>(bytes);",
        ],
        5,
    ),
)
def test_words_of_dynamic_shared_memory(
    declaration: str, check: bool, programs: Callable[..., Program]
) -> None:
    turns(programs(f"__global__ void f(const float* x, float* y) {{ {declaration} {TURN} }}", check), 256)


@BOTH
def test_alignment_before_shared_is_kept(check: bool, programs: Callable[..., Program]) -> None:
    text = """__global__ void f(float* y) {
      __shared__ char odd[3];
      alignas(512) __shared__ float s[4];
      __align__(16) __shared__ float t[4];
      odd[0] = 1;
      if ((size_t)s % 512 || (size_t)t % 16) __trap();
      *(float4*)t = make_float4(1, 2, 3, 4);
      y[0] = t[2] + odd[0];
    }"""
    y = np.zeros(1, np.float32)
    assert programs(text, check).launch("f", 1, 1, [y]).findings == () and y[0] == 4


@BOTH
def test_local_types_without_names(check: bool, programs: Callable[..., Program]) -> None:
    text = """template <class T> struct Storage { T tile[4][9]; };
    __global__ void f(const float* x, float* y) {
      union { float4 all; float each[4]; } u;
      struct { int n[2]; } pair;
      using Vector = struct alignas(16) { float v[4]; };
      __shared__ union { Storage<float> one; int raw[40]; } shared;
      u.all = *(const float4*)(x + 4 * threadIdx.x);
      pair.n[0] = 0, pair.n[1] = 3;
      Vector turned;
      for (int i = pair.n[0]; i < 4; i++) turned.v[i] = u.each[pair.n[1] - i];
      shared.one.tile[threadIdx.x / 8][threadIdx.x % 8] = turned.v[0];
      __syncthreads();
      turned.v[0] = shared.one.tile[threadIdx.x / 8][threadIdx.x % 8];
      *(Vector*)(y + 4 * threadIdx.x) = turned;
    }"""
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    assert programs(text, check).launch("f", 1, 16, [x, y]).findings == ()
    assert y.reshape(16, 4).tolist() == x.reshape(16, 4)[:, ::-1].tolist()


def test_an_explicit_instance_is_no_kernel_of_its_own() -> None:
    text = """template <class T> __global__ void scaled(T* x, T by) { x[threadIdx.x] *= by; }
    template __global__ void scaled<float>(float*, float);
    template <> __global__ void scaled<int>(int* x, int by) { x[threadIdx.x] += by; }
    void run(float* x) { scaled<float><<<1, 32>>>(x, 2.0f); }"""
    program = build(text, kernels=("scaled<float>", "scaled<int>"))
    x, n = np.ones(32, np.float32), np.ones(32, np.int32)
    assert (
        program.launch("scaled<float>", 1, 32, [x, np.float32(2)]).findings == () and x.tolist() == [2] * 32
    )
    assert program.launch("scaled<int>", 1, 32, [n, np.int32(4)]).findings == () and n.tolist() == [5] * 32


def test_names_that_nvcc_declares_for_every_text(programs: Callable[..., Program]) -> None:
    text = """struct Pair { float held[4]; uint count, more; };
    cudaError_t launched(cudaStream_t stream, cudaTextureObject_t texture);
    __global__ void f(const Pair* x, Pair* y, uint n) {
      Pair pair;
      memcpy(&pair, x + threadIdx.x, sizeof pair);
      memset(pair.held, 0, 2 * sizeof(float));
      ushort small = 3; ulong large = sizeof(std::size_t);
      int64_t wide = INT_MAX; u_int32_t none = 0; ssize_t less = -1;
      nullptr_t nothing = nullptr;
      __builtin_assume(n > 0 && nothing == nullptr);
      cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion(); __prof_trigger(1);
      if (nothing == NULL && cudaSuccess == 0) pair.count = small + large + (wide == 2147483647) + none + less + n;
      y[threadIdx.x] = pair;
    }"""
    x, y = np.ones((8, 6), np.float32), np.zeros((8, 6), np.float32)
    assert programs(text, True).launch("f", 1, 8, [x, y, np.uint32(10)]).findings == ()
    assert y[:, :4].tolist() == [[0, 0, 1, 1]] * 8 and y[:, 4].view(np.uint32).tolist() == [21] * 8


def test_filling_and_copying_are_accesses(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(const float* x, float* y, int n) {
      __shared__ __align__(16) float held[64], more[64];
      float sums[2][8];
      memset(sums, 0, sizeof sums);
      if (threadIdx.x == 0) memset(held, 0, sizeof held), memcpy(more, x, 4 * n), memmove(more + n, x + n, 4 * n);
      __syncthreads();
      for (int i = 0; i < n; i++) sums[i & 1][threadIdx.x & 7] += more[i] + more[n + i] + held[i];
      y[threadIdx.x] = sums[0][threadIdx.x & 7] + sums[1][threadIdx.x & 7];
    }"""
    x, y = np.arange(64, dtype=np.float32), np.zeros(32, np.float32)
    assert programs(text, True).launch("f", 1, 32, [x, y, np.int32(32)]).findings == ()
    assert y.tolist() == [x.sum()] * 32
    for mistake, kind in ((("__syncthreads();", ""), "race"), (("4 * n)", "8 * n)"), "out-of-bounds")):
        found = programs(text.replace(*mistake), True).launch("f", 1, 32, [x, y, np.int32(32)]).findings
        assert kind in {one.kind for one in found}


def test_messages_about_declarations_keep_their_lines() -> None:
    text = "__global__ void f(int* x) {\n  float\n  __shared__\n  s[4];\n  s[0] = wrong;\n  x[0] = s[0];\n}"
    with pytest.raises(SimulatorError, match=r"line 5: 'wrong' was not declared"):
        build(text)


def test_static_before_shared_and_constant_memory(programs: Callable[..., Program]) -> None:
    text = """typedef struct { float scale; } Options;
    static __constant__ Options options[2] = {{2.0f}, {3.0f}};
    __constant__ static const float more = 4.0f;
    static __device__ __forceinline__ float turned(float x) {
      static __shared__ float held[32];
      held[threadIdx.x] = x;
      __syncthreads();
      return held[31 - threadIdx.x];
    }
    __global__ void f(float* x, float* y = NULL) {
      clock_t before = clock();
      x[threadIdx.x] = turned(options[1].scale * threadIdx.x) + more;
      if (clock() < before) __trap();
    }"""
    x = np.zeros(32, np.float32)
    y = np.zeros(1, np.float32)
    assert programs(text, True).launch("f", 1, 32, [x, y]).findings == ()
    np.testing.assert_array_equal(x, 3 * np.arange(32)[::-1] + 4)
