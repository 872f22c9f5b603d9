"""Building: what is rewritten, what is rejected and where, and what the cache stores."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shine.simulator import Buffer, Program, SharedArray, SimulatorError, build, compiler
from shine.simulator.text import dynamic_may_lie_apart, find_kernels, rewrite_dynamic, without_noise

DYNAMIC = "extern __shared__ __align__(16) unsigned char shared_memory[];"
OTHER = "int x = 1; // extern __shared__ float a[];"


@given(st.text(alphabet="ab/*\"'\\\n _(){};[]", max_size=60))
def test_blanking_keeps_all_positions(text: str) -> None:
    clean = without_noise(text)
    assert len(clean) == len(text)
    assert [i for i, c in enumerate(clean) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


@given(st.lists(st.sampled_from([DYNAMIC, OTHER, "f(shared_memory + 16);", '"extern __shared__"', "\n"])))
def test_only_the_declaration_is_rewritten(parts: list[str]) -> None:
    text = " \n".join(parts)
    for apart in (False, True):
        rewritten = rewrite_dynamic(text, apart)
        word = "simulator::DynamicShared<unsigned char> shared_memory;" if apart else (
            'unsigned char (&shared_memory)[] = *(unsigned char (*)[])sim_dynamic_shared;'
        )  # fmt: skip
        assert rewritten == text.replace(DYNAMIC, word)


def test_arrays_are_separated_only_if_all_are_accessed_by_offsets() -> None:
    assert dynamic_may_lie_apart(f"{DYNAMIC} float* a = reinterpret_cast<float*>(shared_memory + 16);")
    assert not dynamic_may_lie_apart(f"{DYNAMIC} float* a = (float*)shared_memory;")
    assert not dynamic_may_lie_apart(f"{DYNAMIC} char a = shared_memory[3] + shared_memory + 5;")
    assert not dynamic_may_lie_apart("float x;")


def test_kernels_their_parameters_and_bounds_are_found() -> None:
    text = """// __global__ void not_this(int n)
    __device__ float f(float x) { return x; }
    extern "C" __global__ void __launch_bounds__(128, 2) one(
        const float* __restrict__ x, float *y, unsigned long long n) {}
    __global__ __launch_bounds__(64) void two() {}"""
    one, two = find_kernels(text)
    assert (one.name, one.most_threads) == ("one", 128)
    assert one.parameters == (Buffer("x", True), Buffer("y"), Buffer("n"))
    assert (two.name, two.most_threads, two.parameters) == ("two", 64, ())


@pytest.mark.parametrize(
    ("body", "line", "message", "check"),
    [
        ("  x[0] = 1\n;}\n y", 4, "expected", False),
        ("  x[0] = __frobnicate(1);\n", 2, "__frobnicate", True),
        ("  x[0] = strlen(0);\n", 2, "strlen", False),
        ("  uint32_t y = 0;\n", 2, "uint32_t", True),
    ],
)
def test_a_compilation_error_has_a_place(
    body: str, line: int, message: str, check: bool, tmp_path: Path
) -> None:
    with pytest.raises(SimulatorError) as caught:
        build(f'extern "C" __global__ void f(int* x) {{\n{body}}}\n', check, cache=tmp_path)
    assert caught.value.lines[0][0] == line
    assert message in str(caught.value)


def test_undefined_functions_are_rejected(tmp_path: Path) -> None:
    text = '__device__ int g(int);\nextern "C" __global__ void f(int* x) { x[0] = g(1); }'
    with pytest.raises(SimulatorError, match=r"unknown-function.*g\(int\)"):
        build(text, cache=tmp_path)


def test_headers_that_cuda_lacks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="line 1: fstream"):
        build('#include <fstream>\nextern "C" __global__ void f() {}', cache=tmp_path)


def test_a_text_without_kernels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="no-kernel"):
        build("// __global__ void f() {}", cache=tmp_path)


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="no-such-compiler"):
        build('extern "C" __global__ void f() {}', cxx="no-such-compiler", cache=tmp_path)


def test_the_cache_stores_one_library_per_text_and_rebuilds_damaged_ones(tmp_path: Path) -> None:
    text = 'extern "C" __global__ void f(int* x) { x[0] = 5; }'
    first = build(text, cache=tmp_path)
    assert build(text, cache=tmp_path).library == first.library
    assert build(text + " ", cache=tmp_path).library != first.library
    assert build(text, True, cache=tmp_path).library != first.library
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / first.library.name).write_bytes(first.library.read_bytes()[:-10])
    x = np.zeros(1, np.int32)
    assert build(text, cache=copy).launch("f", 1, 1, [x]).findings == ()
    assert x[0] == 5


def test_the_soft_conversions_of_half_are_those_of_the_processor(
    programs: Callable[[str, bool], Program],
) -> None:
    text = """#include <cuda_fp16.h>
    extern "C" __global__ void f(const unsigned* x, float* wide, unsigned short* narrow) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      wide[i] = __half2float(__ushort_as_half((unsigned short)i));
      narrow[i] = __half_as_ushort(__float2half(__uint_as_float(x[i])));
    }"""
    x = np.random.default_rng(2).integers(0, 2**32, 1 << 16).astype(np.uint32)
    x[: 1 << 15] = (x[: 1 << 15] & 0x8FFFFFFF) | 0x38000000  # close to numbers that half represents
    results = []
    for source in (text, f"#define SIM_SOFT_HALF\n{text}"):
        wide, narrow = np.zeros(1 << 16, np.float32), np.zeros(1 << 16, np.uint16)
        assert programs(source, False).launch("f", 256, 256, [x, wide, narrow]).findings == ()
        results.append((wide.view(np.uint32), narrow))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])


def test_system_contexts_are_used_if_there_is_no_assembly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = compiler.Compiler.runtime_flags
    monkeypatch.setattr(compiler, "COMMON_FLAGS", (*compiler.COMMON_FLAGS, "-DSIM_UCONTEXT"))
    monkeypatch.setattr(
        compiler.Compiler, "runtime_flags", lambda *given: (*flags(*given), "-O0")
    )  # faster to build
    text = f"""extern "C" __global__ void f(int* x) {{
      {DYNAMIC}
      int* held = reinterpret_cast<int*>(shared_memory + 0);
      held[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = held[blockDim.x - 1 - threadIdx.x] + __shfl_xor_sync(0xffffffff, 0, 1);
    }}"""
    for check in (False, True):
        x = np.arange(96, dtype=np.int32)
        report = build(text, check, cache=tmp_path).launch(
            "f", 1, 96, [x], dynamic_shared=384, shared_arrays=[SharedArray("held", 0, 384)]
        )
        assert report.findings == ()
        assert report.switches > 96
        np.testing.assert_array_equal(x, np.arange(96)[::-1])
