"""From CUDA texts to machine code: resources, messages with their places, the cache, and missing tools. No GPU is
needed.

Tests with `compiler` run once for NVRTC and once for nvcc, if they are installed; the others need neither.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rise.diagnostics import RiseError
from rise.hardware import ARCHITECTURES
from rise.hardware.architectures import FEATURES
from shine.targets.cuda import compiler as compilers
from shine.targets.cuda import nvcc, nvrtc, sass
from shine.targets.cuda.compiler import Cubin, TextError, compile_text, find_compiler
from shine.targets.cuda.toolchain import Outcome, Toolchain
from tests import required_tools
from tests.examples import some

TWO_KERNELS = """#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(256)
scale(float* __restrict__ out, const float* __restrict__ in, float by) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x] * by + 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

extern "C" __global__ void halve(__half* x) {
  x[threadIdx.x] = __hmul(x[threadIdx.x], __float2half_rn(0.5f));
}
"""
#: 64 numbers that are all used at the end, and 64 registers at most
SPILLS = """extern "C" __global__ void __launch_bounds__(1024) k(float* a, const float* b, int n) {
  float x[96];
  #pragma unroll
  for (int i = 0; i < 96; i++) x[i] = b[i * n + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 96; i++) a[i * n + threadIdx.x] = x[i] * x[95 - i];
}
"""
INDEXED = """extern "C" __global__ void k(float* a, const int* at) {
  float x[32];
  for (int i = 0; i < 32; i++) x[i] = a[i];
  for (int i = 0; i < 32; i++) x[at[i] & 31] += 1.0f;
  a[0] = x[at[0] & 31];
}
"""
WRONG = """extern "C" __global__ void k(float* a) {
  int unused = 3;
  a[0] = a[missing];
  absent(a);
}
"""
UNSYNCHRONISED = """extern "C" __global__ void k(float* a) {
  a[0] = 1.0f;
  asm volatile("wgmma.commit_group.sync.aligned;");
}
"""
TOO_MUCH = """extern "C" __global__ void first(float* a) { a[0] = 1.0f; }
extern "C" __global__ void second(float* a) {
  __shared__ float tile[20000];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x ^ 1];
}
"""
#: for each feature an instruction that needs it
USES = {
    "async-copy": 'asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(n), "l"(a));',
    "bf16": 'asm volatile("fma.rn.bf16x2 %0, %0, %0, %0;" : "+r"(n)); a[0] = n;',
    "cluster": 'asm volatile("barrier.cluster.arrive.aligned;\\n barrier.cluster.wait.aligned;");',
    "ldmatrix": 'asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%0];" : "+r"(n)); a[0] = n;',
    "setmaxnreg": 'asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");',
    "stmatrix": 'asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%0};" :: "r"(n));',
    "tcgen05": 'asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" :: "r"(n));',
    "tma": 'asm volatile("cp.async.bulk.commit_group;");',
    "warp-reduce": 'asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(n)); a[0] = n;',
    "wgmma": 'asm volatile("wgmma.fence.sync.aligned;");',
}


@pytest.fixture(params=["nvrtc", "nvcc"])
def compiler(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not required_tools.has_cuda_compiler(name):
        required_tools.skip_without({"nvrtc": "NVRTC"}.get(name, name))
    return name


Compile = Callable[..., Cubin]


@pytest.fixture
def compile_one(compiler: str, tmp_path: Path) -> Compile:
    def compiled(source: str, arch: str, *kernels: str, **options: Any) -> Cubin:
        return compile_text(source, arch, kernels, compiler=compiler, cache=tmp_path, **options)

    return compiled


def test_a_text_becomes_machine_code(compile_one: Compile) -> None:
    made = compile_one(TWO_KERNELS, "sm_80", "scale", "halve", strict=True)
    assert made.image.startswith(b"\x7fELF") and made.arch == "sm_80"
    assert list(made.resources) == ["scale", "halve"] and not made.warnings
    assert made.resources["scale"].local == 0 and made.resources["scale"].shared == 1024
    assert made.resources["scale"].barriers == 1
    assert 0 < made.resources["halve"].registers < 255
    assert list(compile_one(TWO_KERNELS, "sm_90a", "halve").resources) == ["halve"]


def test_products_and_sums_are_rounded_separately(compiler: str) -> None:
    made = find_compiler(compiler).run(TWO_KERNELS, "sm_80", "ptx").image
    assert made is not None and b"mul.rn.f32" in made and b"fma" not in made


@pytest.mark.parametrize(("source", "message"), [(SPILLS, "spills"), (INDEXED, "in local memory")])
def test_local_memory_is_a_warning_or_an_error_if_strict(
    compile_one: Compile, source: str, message: str
) -> None:
    made = compile_one(source, "sm_80", "k")
    (warning,) = made.warnings
    assert message in warning.message and warning.severity == "warning" and warning.line == 1
    assert made.resources["k"].local > 0
    with pytest.raises(TextError) as error:
        compile_one(source, "sm_80", "k", strict=True, origins=[(0, 2, 1)])
    assert error.value.diagnostic.code == "local-memory" and error.value.origin == (0, 2, 1)


def test_errors_are_shown_with_their_origin(compile_one: Compile) -> None:
    with pytest.raises(TextError) as error:
        compile_one(WRONG, "sm_80", "k", origins=[None, (0,), (0, 1), (0, 2), None])
    found = error.value
    assert [(one.line, one.column) for one in found.complaints] == [(3, 12), (4, 3)]
    assert found.origin == (0, 1)
    shown = found.diagnostic
    assert [WRONG[one.start : one.end] for one in shown.labels] == ["missing", "absent"]
    assert shown.notes == ("in the low-level program at 0.1", "in the low-level program at 0.2")
    assert shown.code == "kernel-text" and '"missing" is undefined' in shown.title and shown.hint


@pytest.mark.parametrize(
    ("arch", "message"), [("sm_90", "not supported on .target 'sm_90'"), ("sm_90a", "(C75")]
)
def test_messages_of_the_assembler_have_a_place(compile_one: Compile, arch: str, message: str) -> None:
    with pytest.raises(TextError) as error:
        compile_one(UNSYNCHRONISED, arch, "k", origins=[None, (1,), (2,), None])
    assert message in error.value.complaints[0].message
    assert error.value.complaints[0].line == 3 and error.value.origin == (2,)


def test_a_kernel_with_too_many_resources_is_named(compile_one: Compile) -> None:
    with pytest.raises(TextError) as error:
        compile_one(TOO_MUCH, "sm_80", "first", "second")
    (complaint,) = error.value.complaints
    assert (complaint.line, complaint.column) == (2, 28) and "too much shared data" in complaint.message
    assert "smaller tiles" in error.value.diagnostic.hint


def test_a_missing_kernel_is_named(compile_one: Compile) -> None:
    with pytest.raises(TextError, match="no kernel `triple`"):
        compile_one(TWO_KERNELS, "sm_80", "scale", "triple")


@pytest.mark.parametrize("arch", some(ARCHITECTURES, 2))
def test_features_are_those_that_the_assembler_accepts(arch: str, tmp_path: Path) -> None:
    if not required_tools.has_cuda_compiler("nvrtc"):
        required_tools.skip_without("NVRTC")
    assert USES.keys() == set(FEATURES)
    for feature, use in USES.items():
        text = f'extern "C" __global__ void __launch_bounds__(128) k(unsigned* a, unsigned n) {{ {use} }}'
        made = find_compiler("nvrtc").run(text, arch, "cubin")
        assert (made.image is not None) == (feature in ARCHITECTURES[arch].features), feature


def test_a_text_is_compiled_once(
    compiler: str, compile_one: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler runs once; when it is asked again, it answers the same."""
    first = compile_one(TWO_KERNELS, "sm_80", "scale")
    (entry,) = tmp_path.glob("*.cubin")
    real = find_compiler(compiler)
    outcome = real.run(TWO_KERNELS, "sm_80", "cubin")
    asked: list[str] = []

    def run(source: str, arch: str, kind: str) -> Outcome:
        asked.append(arch)
        return outcome

    known = Toolchain(real.name, real.identity, run)
    monkeypatch.setattr(compilers, "find_compiler", lambda _: known)
    assert compile_one(TWO_KERNELS, "sm_80", "scale") == first and not asked
    compile_one(TWO_KERNELS, "sm_86", "scale")
    assert asked == ["sm_86"]
    entry.write_bytes(entry.read_bytes()[:-40])
    assert compile_one(TWO_KERNELS, "sm_80", "scale").resources == first.resources
    assert asked == ["sm_86", "sm_80"]
    monkeypatch.setattr(compilers, "find_compiler", lambda _: Toolchain(real.name, "another", run))
    compile_one(TWO_KERNELS, "sm_80", "scale")
    assert len(asked) == 3 and len(list(tmp_path.glob("*.cubin"))) == 3


def test_a_text_that_does_not_compile_is_not_cached(compile_one: Compile, tmp_path: Path) -> None:
    with pytest.raises(TextError):
        compile_one(WRONG, "sm_80", "k")
    assert not list(tmp_path.iterdir())


def test_without_a_compiler_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilers, "find_nvrtc", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    for root in nvcc.ROOTS:
        monkeypatch.delenv(root, raising=False)
    for name in (None, "nvrtc", "nvcc", "/no/such/nvcc"):
        with pytest.raises(RiseError) as error:
            compile_text(TWO_KERNELS, "sm_80", ["scale"], compiler=name, cache=tmp_path)
        found = error.value.diagnostic
        assert found.code == "no-compiler" and "pip install 'rise-shine[nvrtc]'" in found.hint and found.notes


def test_an_unknown_architecture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RiseError, match="did you mean `sm_80`"):
        compile_text(TWO_KERNELS, "sm80", ["scale"], cache=tmp_path)


class Spec:
    """The location of a package, as returned by `find_spec`."""

    def __init__(self, root: Path) -> None:
        self.submodule_search_locations = [str(root)]


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_the_packages_of_nvrtc_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "find_spec", lambda _: None)
    assert nvrtc.find_nvrtc() is None
    monkeypatch.setattr(nvrtc, "find_spec", lambda _: Spec(tmp_path))
    assert nvrtc.find_nvrtc() is None
    new = tmp_path / "cu13"
    touch(
        new / "lib/libnvrtc.so.13",
        new / "lib/libnvrtc.alt.so.13",
        new / "include/mma.h",
        new / "include/cuda_fp16.h",
    )
    found = nvrtc.find_nvrtc()
    assert found is not None and found.missing == ("nvidia-cuda-crt",)
    runtime, crt = tmp_path / "cuda_runtime/include", tmp_path / "cuda_nvcc/include"
    touch(
        tmp_path / "cuda_nvrtc/lib/libnvrtc.so.12",
        runtime / "mma.h",
        runtime / "cuda_fp16.h",
        crt / "crt/mma.h",
    )
    older = nvrtc.find_nvrtc()
    assert older is not None and older.library.name.endswith(".12") and older.includes == (runtime, crt)
    touch(new / "include/crt/mma.h")
    newer = nvrtc.find_nvrtc()
    assert newer is not None and newer.library.name.endswith(".13") and newer.includes == (new / "include",)


def test_a_library_that_does_not_load_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "libnvrtc.so.13"
    broken.write_bytes(b"no library")
    monkeypatch.setattr(compilers, "find_nvrtc", lambda: nvrtc.Installed(broken, (), ()))
    with pytest.raises(RiseError) as error:
        find_compiler("nvrtc")
    assert "cannot be loaded" in error.value.diagnostic.notes[0]


def test_the_program_of_the_toolkit_is_found_by_its_folder(tmp_path: Path) -> None:
    program = tmp_path / "bin/nvcc"
    touch(program)
    assert nvcc.find_program("nvcc", {"PATH": ""}) is None
    program.chmod(0o755)
    assert nvcc.find_program("nvcc", {"PATH": "", "CUDA_HOME": str(tmp_path)}) == program
    assert nvcc.find_program(str(program), {"PATH": ""}) == program


def test_wide_accesses_are_found_in_machine_code(compile_one: Compile) -> None:
    try:
        sass.instructions(compile_one(TWO_KERNELS, "sm_80", "halve").image, "halve")
    except RiseError as error:
        if error.diagnostic.code == "no-disassembler":
            required_tools.skip_without(required_tools.DISASSEMBLER)
        raise
    copy = """extern "C" __global__ void wide(float4* a, const float4* b) { a[threadIdx.x] = b[threadIdx.x]; }
extern "C" __global__ void narrow(float* a, const float* b) { a[threadIdx.x] = b[threadIdx.x]; }"""
    image = compile_one(copy, "sm_80", "wide", "narrow").image
    wide, narrow = (sass.instructions(image, name) for name in ("wide", "narrow"))
    assert sass.widths(wide, "LDG") == sass.widths(wide, "STG") == {16: 1}
    assert sass.widths(narrow, "LDG") == sass.widths(narrow, "STG") == {4: 1}
    with pytest.raises(RiseError, match="expected a kernel `other`"):
        sass.instructions(image, "other")
