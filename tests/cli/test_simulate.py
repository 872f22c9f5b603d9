"""The command `shine simulate` without errors: arguments, schedules, and what is printed and written."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from shine.cli import simulate
from shine.simulator.model import KINDS
from tests import required_tools
from tests.cli import commands

TEXT = r"""#include <cstdio>
template <int N>
__global__ void scale(const float* x, float* y, float by, int n) {
  extern __shared__ float held[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  held[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = by * held[threadIdx.x] + N;
  if (i == 0) printf("%d blocks\n", gridDim.x * gridDim.y);
}
__global__ void order(int* n, int* y) { y[threadIdx.x] = atomicAdd(n, 1); }
int main() { scale<1><<<1, 1>>>(nullptr, nullptr, 1.0f, 1); }
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    path = tmp_path / "kernels.cu"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_arrays_come_from_files_and_go_to_files(check: bool, file: str, tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal(100).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    words = ["--kernel", "scale<3>", "--grid", "2,1", "--block", "64", "--shared", "256"]
    words += ["--arg", f"x={tmp_path}/x.npy", "--arg", "n=100", "--arg", "zeros:f32:100", "--arg", "0.5"]
    words += ["--output", f"y={tmp_path}/y.npy", *(["--check"] if check else [])]
    said = commands.shine("simulate", file, *words)
    assert said.status == 0, said.err
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.float32(0.5) * x + 3)
    lines = said.out.splitlines()
    assert lines[0] == "2 blocks"
    assert lines[1] == "scale<3>(x, y, by, n) on 2 blocks of 64 threads"
    assert lines[2].startswith(
        "no findings (ascending; checked)" if check else "no findings (ascending; not checked"
    )
    assert f"wrote y to {tmp_path}/y.npy" in lines
    assert "y: 100 of float32" in lines


def test_a_profile_is_printed_and_written(file: str, tmp_path: Path) -> None:
    words = ["--kernel", "scale<3>", "--grid", "2", "--block", "64", "--shared", "256", "--arg", "n=100"]
    words += ["--arg", "ones:f32:100", "--arg", "zeros:f32:100", "--arg", "0.5"]
    said = commands.shine("simulate", file, *words, "--profile", "--html", f"{tmp_path}/page.html")
    assert said.status == 0, said.err
    assert (
        "instructions of warps: 4 global loads, 4 global stores, 4 shared loads, 4 shared stores" in said.out
    )
    (row,) = [line for line in said.out.splitlines() if line.startswith("   8 if (i < n)")]
    assert "divergent" in said.out and row.split()[-1] == "1"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<tr") == TEXT.count("\n") + 3 and "if (i &lt; n) y[i]" in page and "src=" not in page
    facts = json.loads(commands.shine("simulate", file, *words, "--profile", "--json").out)["profile"]
    assert facts["lines"]["8"]["divergent_branches"] == 1 and facts["total"]["barriers"] == 2
    wrong = commands.shine("simulate", file, *words, "--html", "page.txt")
    assert wrong.status == 1 and "expected a .html file" in wrong.err


def test_every_schedule_is_a_separate_launch(file: str) -> None:
    words = ["--kernel", "order", "--block", "4", "--arg", "zeros:i32:1", "--arg", "zeros:i32:4", "--json"]
    for schedules in ([], ["descending"], ["ascending", "random:1", "descending"]):
        chosen = [word for schedule in schedules for word in ("--schedule", schedule)]
        said = commands.shine("simulate", file, *words, *chosen)
        assert said.status == 0, said.err
        facts = json.loads(said.out)
        assert facts["schedules"] == (schedules or ["ascending"])
        assert facts["findings"] == []
        last = (schedules or ["ascending"])[-1]
        expected = [0, 1, 2, 3] if last == "ascending" else [3, 2, 1, 0]
        assert facts["arrays"]["y"] == {"shape": [4], "dtype": "int32", "values": expected}
        assert facts["arrays"]["n"]["values"] == [4]


def test_random_arrays_depend_on_the_seed(file: str) -> None:
    words = ["--kernel", "scale<0>", "--block", "4", "--shared", "16", "--arg", "random:f32:2x2"]
    words += ["--arg", "zeros:f32:2x2", "--arg", "f32:1", "--arg", "i32:4", "--json"]
    values = []
    for seed in ("0", "0", "1"):
        said = commands.shine("simulate", file, *words, "--seed", seed)
        assert said.status == 0, said.err
        values.append(json.loads(said.out)["arrays"]["y"]["values"])
    assert values[0] == values[1] != values[2]
    assert (
        values[0] == (np.random.default_rng(0).random((2, 2)) * 2 - 1).astype(np.float32).reshape(-1).tolist()
    )


def test_a_text_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    text = b"__global__ void f(int* x) { x[0] = 5; }"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    said = commands.shine("simulate", "-", "--arg", "zeros:i32:1")
    assert said.status == 0, said.err
    assert "[5]" in said.out


def test_every_argument_form_is_in_the_help() -> None:
    said = commands.shine("simulate", "--help")
    for word in (
        "zeros:f32:1024",
        "ones:",
        "range:",
        "random:",
        "i64:5",
        "a.npy",
        "NAME=",
        "--schedule",
        "--check",
    ):
        assert word in " ".join(said.out.split())


def test_hints_are_only_shown_for_findings() -> None:
    assert set(simulate._HINTS) <= set(KINDS)


MAPPED = """#include <cuda.h>
__global__ void doubled(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap y) {
  __shared__ __align__(128) float tile[8][32];
  __shared__ unsigned long long bar;
  unsigned t = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&bar);
  asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async.shared::cta;" :: "r"(b) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(b) : "memory");
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %3}], [%2];"
               :: "r"(t), "l"(&x), "r"(b), "r"(0) : "memory");
  asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" :: "r"(b) : "memory");
  for (int i = 0; i < 256; i++) tile[i / 32][i % 32] *= 2;
  asm volatile("fence.proxy.async.shared::cta;"
               "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %2}], [%1];"
               "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" :: "l"(&y), "r"(t), "r"(0) : "memory");
}
"""


def test_tensor_maps_are_arguments(file: str, tmp_path: Path) -> None:
    path = tmp_path / "mapped.cu"
    path.write_text(MAPPED, encoding="utf-8")
    x = np.arange(12 * 40, dtype=np.float32).reshape(12, 40)
    np.save(tmp_path / "x.npy", x)
    start = ["simulate", str(path), "--check", "--arg"]
    said = commands.shine(
        *start,
        f"map:32x8:{tmp_path}/x.npy",
        "--arg",
        "y=map:32x8:zeros:f32:6x40",
        "--output",
        f"y={tmp_path}/y.npy",
    )
    assert said.status == 0, said.err
    expected = np.zeros((6, 40), np.float32)
    expected[:, :32] = 2 * x[:6, :32]
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), expected)
    assert "y: 6x40 of float32" in said.out


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("map:32x8", "`x`: expected a box and an array after map, found map:32x8"),
        ("map:32x8:5", "`x`: expected a box and an array after map, found map:32x8:5"),
        ("map:a:zeros:f32:6x40", "`x`: expected numbers as 32x8, found `a`"),
        ("map:32x8,swizle=128:zeros:f32:6x40", "did you mean `swizzle`"),
        ("map:6x8:zeros:f32:6x40", "`x`: expected a row of a multiple of 16 bytes for `box`"),
        ("map:32x8,lower=1:zeros:f32:6x40", "`x`: expected an option of the map, found lower=1"),
        ("pixels:32:zeros:f32:2x6x40", "`x`: expected channels and pixels, found 32"),
        ("pixels:32x8,lower=40000:zeros:f32:2x6x40", "`x`: expected corners from -32768 to 32767"),
    ],
)
def test_impossible_tensor_maps_are_rejected(argument: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mapped.cu"
    path.write_text(MAPPED, encoding="utf-8")
    found = commands.shine("simulate", str(path), "--arg", argument, "--arg", "y=map:32x8:zeros:f32:6x40")
    assert found.status == 1 and said in found.err, found.err


def test_variables_have_their_first_values_under_each_schedule(tmp_path: Path) -> None:
    """The flag of the launch before would order nothing."""
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    path = tmp_path / "flag.cu"
    path.write_text(
        """__device__ volatile int ready = 0;
        __device__ int sent;
        __global__ void handed_over(int* y) {
          if (blockIdx.x == 1) { sent = 42; __threadfence(); ready = 1; }
          else { while (ready == 0) {} __threadfence(); y[0] = sent; }
        }""",
        encoding="utf-8",
    )
    schedules = [word for one in ("ascending", "descending", "random:1") for word in ("--schedule", one)]
    words = ["--grid", "2", "--arg", "zeros:i32:1", "--check", *schedules]
    said = commands.shine("simulate", str(path), *words)
    assert said.status == 0, said.err
    assert "no findings (ascending, descending, random:1; checked)" in said.out
