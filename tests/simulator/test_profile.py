"""Profiles: counts compared with counts by hand, for access patterns of known cost."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shine
from rise.hardware import architecture
from shine.programs import call
from shine.simulator import Program
from shine.simulator.builder import build
from shine.simulator.compiler import RUNTIME, find_compiler
from shine.simulator.profile import Counts, Occupancy, Profile, occupancy
from tests.examples import some
from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.corpus import cases
from tests.simulator.mutation import only


def profiled(body: str, block: int = 32, grid: int = 1) -> Profile:
    """The profile of a kernel whose body begins at line 4, on arrays of 4096 numbers."""
    text = f"\n\n__global__ void f(float* x, float* y) {{\n{body}\n}}\n"
    arrays = [np.zeros(4096, np.float32) for _ in range(2)]
    report = shine.simulate(text, None, grid, block, arrays, profile=True)
    assert report.findings == () and report.profile is not None
    return report.profile


@dataclass(frozen=True)
class Pattern:
    """The last line of a kernel of one warp, and its counts by hand; counts that are not given are 0."""

    name: str
    body: str
    counts: Counts


LOAD, STORE = ("global", "read"), ("global", "written")
READ, WRITE = ("shared", "read"), ("shared", "written")
TILE = "__shared__ float t[2048]; int l = threadIdx.x;\n"
L = "int l = threadIdx.x;\n"


def loads(sectors: int, ideal: int, size: int = 128, lanes: int = 32) -> Counts:
    return Counts({"global loads": 1}, {LOAD: size}, lanes, 1, sectors, ideal)


def stores(passes: int, ideal: int, size: int = 128, lanes: int = 32) -> Counts:
    return Counts({"shared stores": 1}, {WRITE: size}, lanes, passes=passes, ideal_passes=ideal)


FLOAT2 = "*(float2*)(t + {}) = make_float2(1, 2);"
FLOAT4 = "*(float4*)(t + {}) = make_float4(1, 2, 3, 4);"
ADDRESS = TILE + "t[l] = 1; unsigned r[4], a = __cvta_generic_to_shared(t + {} * l);\n"
LDMATRIX = "ldmatrix.sync.aligned.m8n8"
PATTERNS = [
    # 32 neighbours of 4 bytes: four sectors of 32.
    Pattern("row", L + "volatile float v = x[l];", loads(4, 4)),
    # One element of every row of 64: each lane has its own sector.
    Pattern("column", L + "volatile float v = x[64 * l];", loads(32, 4)),
    # Bytes 4 to 131: the sectors 0 to 4.
    Pattern("misaligned", L + "volatile float v = x[l + 1];", loads(5, 4)),
    # Every second element, 256 bytes.
    Pattern("strided", L + "volatile float v = x[2 * l];", loads(8, 4)),
    Pattern("broadcast", L + "volatile float v = x[n];", loads(1, 1)),
    # Descending addresses are as good as ascending ones.
    Pattern("reversed", L + "volatile float v = x[31 - l];", loads(4, 4)),
    # 32 times 16 bytes are 512, in one instruction.
    Pattern(
        "16 bytes", L + "float4 v = *(float4*)(x + 4 * l); *(volatile float*)&v = v.x;", loads(16, 16, 512)
    ),
    Pattern("shared row", TILE + "t[l] = 1;", stores(1, 1)),
    # All lanes in bank 0, 32 words: one after the other.
    Pattern("shared column", TILE + "t[32 * l] = 1;", stores(32, 1)),
    # Rows of 33: lane l is in bank l.
    Pattern("padded column", TILE + "t[33 * l] = 1;", stores(1, 1)),
    # 2 l modulo 32: two words in every second bank.
    Pattern("shared stride 2", TILE + "t[2 * l] = 1;", stores(2, 1)),
    Pattern(
        "shared broadcast",
        TILE + "t[n] = 1; __syncthreads();\nvolatile float v = t[n];",
        Counts({"shared loads": 1}, {READ: 128}, 32, passes=1, ideal_passes=1),
    ),
    # 8 bytes: half warps, each of 32 words in 32 banks.
    Pattern("shared 8 bytes", TILE + FLOAT2.format("2 * l"), stores(2, 2, 256)),
    # 4 l modulo 32: in each half, 16 lanes are in every fourth bank and the one after it, two words each.
    Pattern("shared 8 bytes apart", TILE + FLOAT2.format("4 * l"), stores(4, 2, 256)),
    # 16 bytes: quarter warps.
    Pattern("shared 16 bytes", TILE + FLOAT4.format("4 * l"), stores(4, 4, 512)),
    # A value in braces is stored by one instruction, too.
    Pattern(
        "shared 16 bytes in braces",
        TILE + "*(float4*)(t + 4 * l) = float4{1, float(l), 3, 4};",
        stores(4, 4, 512),
    ),
    # 8 l modulo 32: 8 lanes in each quarter, two for each group of four banks.
    Pattern("shared 16 bytes apart", TILE + FLOAT4.format("8 * l"), stores(8, 4, 512)),
    # 2 bytes: two lanes share a word.
    Pattern("shared 2 bytes", TILE + "((short*)t)[l] = 1;", stores(1, 1, 64)),
    Pattern(
        "atomics on one address",
        L + "atomicAdd(&x[0], 1.0f);",
        Counts({"global atomics": 1}, {LOAD: 128}, 32, 1, 1, 1, collisions=31),
    ),
    # 32 lanes, 8 addresses: 24 lanes collide; the bank of each address serves its four lanes one after the other.
    Pattern(
        "shared atomics",
        TILE + "t[l] = 0; __syncthreads();\natomicAdd(&t[l % 8], 1.0f);",
        Counts({"shared atomics": 1}, {READ: 128}, 32, passes=4, ideal_passes=1, collisions=24),
    ),
    # 8 lanes take one branch, 24 the other: the warp executes both.
    Pattern(
        "divergent branch",
        L + "if (l < n) x[l] = 1; else y[l] = 2;",
        Counts({"global stores": 2}, {STORE: 128}, 32, 2, 4, 4, divergent_branches=1),
    ),
    Pattern(
        "uniform branch",
        L + "if (n == 8) x[l] = 1; else y[l] = 2;",
        Counts({"global stores": 1}, {STORE: 128}, 32, 1, 4, 4),
    ),
    # Lane l runs l / 8 iterations: three iterations, of 24, 16 and 8 lanes; before each, eight lanes leave.
    Pattern(
        "loop of different lengths",
        L + "for (int i = 0; i < l / 8; i++) x[l + 32 * i] = 1;",
        Counts({"global stores": 3}, {STORE: 192}, 48, 3, 6, 6, divergent_branches=3),
    ),
    # Four matrices of eight rows, one after the other; the rows of each are 128 adjacent bytes.
    Pattern(
        "ldmatrix without conflicts",
        f'{ADDRESS.format(4)}asm volatile("{LDMATRIX}.x4.shared.b16 {{%0,%1,%2,%3}}, [%4];"'
        ' : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a));',
        Counts({"matrix loads": 1}, {READ: 512}, 32, passes=4, ideal_passes=4),
    ),
    # Rows at a distance of 128 bytes: the eight rows of a matrix are in the same four banks.
    Pattern(
        "ldmatrix in a column",
        f'{ADDRESS.format(32)}asm volatile("{LDMATRIX}.x2.shared.b16 {{%0,%1}}, [%2];"'
        ' : "=r"(r[0]), "=r"(r[1]) : "r"(a));',
        Counts({"matrix loads": 1}, {READ: 256}, 16, passes=16, ideal_passes=2),
    ),
    Pattern(
        "asynchronous copy",
        TILE + "__pipeline_memcpy_async(t + 4 * l, x + 4 * l, 16);",
        Counts({"copies from global": 1}, {LOAD: 512, WRITE: 512}, 32, 1, 16, 16, 4, 4),
    ),
    Pattern(
        "shuffle",
        L + "volatile float v = __shfl_xor_sync(0xffffffff, (float)l, 1);",
        Counts({"shuffles": 1}, {}, 32),
    ),
    # Two masks in one instruction.
    Pattern(
        "shuffle in halves",
        L + "volatile float v = __shfl_xor_sync(l < 16 ? 0xffff : 0xffff0000, (float)l, 1);",
        Counts({"shuffles": 1}, {}, 32),
    ),
    Pattern(
        "reduction of integers",
        L + "volatile int v = __reduce_add_sync(0xffffffff, l);",
        Counts({"shuffles": 1}, {}, 32),
    ),
    Pattern("barrier", L + "__syncthreads();", Counts(barriers=1)),
    Pattern("warp barrier", L + "__syncwarp();", Counts({"warp barriers": 1}, {}, 32)),
]


@pytest.fixture(scope="module")
def patterns(cache: Path) -> tuple[Program, list[int]]:
    """All patterns in one text, and the last line of each."""
    text, last = "#include <cuda_pipeline.h>\n", []
    for number, pattern in enumerate(PATTERNS):
        text += f"__global__ void f{number}(float* x, float* y, int n) {{\n{pattern.body}\n"
        last.append(text.count("\n"))
        text += "}\n"
    return build(text, cache=cache, profile=True), last


@pytest.mark.parametrize("number", range(len(PATTERNS)), ids=[pattern.name for pattern in PATTERNS])
def test_counts_agree_with_counts_by_hand(number: int, patterns: tuple[Program, list[int]]) -> None:
    program, last = patterns
    arrays = [np.zeros(4096, np.float32) for _ in range(2)]
    report = program.launch(f"f{number}", 1, 32, [*arrays, np.int32(8)])
    assert report.findings == () and report.profile is not None
    counts = report.profile.lines[last[number]]
    for one in fields(Counts):
        assert getattr(counts, one.name) == getattr(PATTERNS[number].counts, one.name), one.name


def test_lanes_meet_again_after_a_branch_and_in_functions() -> None:
    body = "auto g = [&](int i) { if (i & 1) x[i] = 1; else y[i] = 1; };\n"
    body += "for (int i = 0; i < threadIdx.x; i++) g(i);\ny[threadIdx.x] = 1;"
    profile = profiled(body)
    assert profile.lines[6].instructions == {"global stores": 1}
    assert profile.lines[6].lanes_per_instruction == 32
    assert profile.lines[4].instructions == {
        "global stores": 31
    }  # all lanes in an iteration are of the same kind


def test_many_steps_between_barriers_are_counted_together() -> None:
    body = "for (int i = 0; i < 20000; i++) {\nx[threadIdx.x] = (float)i; }"
    profile = profiled(body, block=64)
    assert profile.lines[5].instructions == {"global stores": 2 * 20000}
    assert profile.lines[5].sectors_per_request == 4
    assert profile.total.divergent_branches == 0


def test_several_warps_and_blocks_are_summed() -> None:
    profile = profiled("y[threadIdx.x] = x[threadIdx.x];\n__syncthreads();", block=80, grid=3)
    assert profile.lines[5].barriers == profile.total.barriers == 3
    # 80 threads are two and a half warps.
    assert profile.lines[4].instructions == {"global loads": 9, "global stores": 9}
    assert profile.lines[4].bytes == {LOAD: 960, STORE: 960}
    assert profile.active_lanes == pytest.approx(80 / 3)


def test_total_is_the_sum_of_lines_and_lines_without_counts_are_zero() -> None:
    profile = profiled("y[threadIdx.x] = x[threadIdx.x];\n__syncthreads();\nx[threadIdx.x] = 1;")
    assert sum(profile.lines.values(), Counts()) == profile.total
    assert profile.lines[3] == Counts() and profile.lines[1000].bank_conflicts == 0
    assert profile.total.bytes_in("global") == 3 * 128
    assert list(profile.lines) == [4, 5, 6]
    assert profile.by(["a", "a", "a", "a", "b"]) == {
        "a": profile.lines[4],
        "b": profile.lines[5],
        None: profile.lines[6],
    }


@pytest.mark.parametrize("case", some(cases(), 3), ids=lambda case: case.file)
@pytest.mark.parametrize("schedule", ["ascending", "random:3"])
def test_profiled_kernels_give_the_same_results(
    case: Any, schedule: str, cache: Path, profiles: dict[str, Profile]
) -> None:
    report, result = case.launch(build(case.text(), cache=cache, profile=True), schedule)
    np.testing.assert_array_equal(result, case.expected)
    assert report.profile is not None and report.profile.total.warp_instructions > 0
    # Counts do not depend on the order in which threads run here, unless results do.
    first = profiles.setdefault(case.file, report.profile)
    if case.file != "histogram.cu":
        assert first == report.profile


@pytest.fixture(scope="module")
def profiles() -> dict[str, Profile]:
    return {}


def test_bank_conflicts_of_a_tile_are_counted_at_their_line(cache: Path) -> None:
    # The two rows of a warp of 16 x 16 threads: with rows of 17, one word of each is in a bank of the other.
    case = next(case for case in cases() if case.file == "matmul.cu")
    report, _ = case.launch(build(case.text(), cache=cache, profile=True), "ascending")
    assert report.profile is not None
    assert report.profile.total.bank_conflicts == report.profile.lines[11].bank_conflicts == 16 * 4 * 8
    text = """__global__ void f(const float* x, float* y) {
      __shared__ float t[32][32];
      t[threadIdx.y][threadIdx.x] = x[32 * threadIdx.y + threadIdx.x];
      __syncthreads();
      y[32 * threadIdx.y + threadIdx.x] = t[threadIdx.x][threadIdx.y];
    }"""
    x, y = np.zeros(1024, np.float32), np.zeros(1024, np.float32)
    slow = shine.simulate(text, None, 1, (32, 32), [x, y], profile=True).profile
    fast = shine.simulate(
        text.replace("[32][32]", "[32][33]"), None, 1, (32, 32), [x, y], profile=True
    ).profile
    assert slow is not None and fast is not None
    assert slow.lines[5].bank_conflicts == 32 * 31 and fast.total.bank_conflicts == 0


def test_check_and_profile_together_report_both(tmp_path: Path) -> None:
    text = "__global__ void f(float* x) { x[threadIdx.x / 2] += 1; }"
    x = np.zeros(32, np.float32)
    report = shine.simulate(text, None, 1, 64, [x], check=True, profile=True)
    assert [finding.kind for finding in report.findings] == ["race"]
    assert report.profile is not None and report.profile.total.instructions["global stores"] == 2
    assert x.max() == 2  # only one launch was on it
    with pytest.raises(ValueError, match="build two"):
        build(text, check=True, profile=True)


def test_without_a_profile_no_counters_are_built() -> None:
    compiler = find_compiler(None)
    for profile in (False, True):
        flags = compiler.runtime_flags(profile)
        text = call([compiler.path, "-E", "-P", *flags, str(RUNTIME / "runtime.cpp")]).stdout
        assert ("CountRecord &count_at" in text) == ("profile_" in text) == profile
    for check in (False, True):
        assert not {"-DSIM_PROFILE", "-fsanitize-coverage=trace-pc,trace-cmp"} & set(
            compiler.text_flags(check)
        )
    report = shine.simulate("__global__ void f(int* x) { x[0] = 1; }", arguments=[np.zeros(1, np.int32)])
    assert report.profile is None


def test_occupancy_names_what_limits_it() -> None:
    arch = architecture(
        "sm_80"
    )  # 2048 threads, 32 blocks, 164 KiB of shared memory, of which each block takes 1 KiB in addition
    assert occupancy(arch, 1024, 0) == Occupancy(1024, 0, 2, 64, 64, "threads")
    assert occupancy(arch, 32, 0).limit == "blocks" and occupancy(arch, 32, 0).fraction == 0.5
    assert (occupancy(arch, 128, 40 * 1024).blocks, occupancy(arch, 128, 40 * 1024).limit) == (
        4,
        "shared memory",
    )
    # 128 registers of 32 lanes are 4096, so 16 warps take 65536.
    assert (occupancy(arch, 256, 0, 128).blocks, occupancy(arch, 256, 0, 128).limit) == (2, "registers")


def test_a_launch_that_fails_has_no_profile() -> None:
    report = shine.simulate(
        "__global__ void f(int* x) { __trap(); }", arguments=[np.zeros(1, np.int32)], profile=True
    )
    assert [one.kind for one in report.findings] == ["trap"] and report.profile is None


def test_blocks_that_wait_for_others_are_profiled(cache: Path) -> None:
    text = """__device__ int count;
    __global__ void f(int* x) {
      if (threadIdx.x == 0) {
        atomicAdd(&count, 1);
        while (atomicAdd(&count, 0) < gridDim.x) ;
      }
      __syncthreads();
      x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    }"""
    x = np.zeros(4 * 64, np.int32)
    report = build(text, cache=cache, profile=True).launch("f", 4, 64, [x])
    assert report.profile is not None and x.all()
    assert report.profile.lines[4].instructions == {"global atomics": 4}
    assert report.profile.lines[8].instructions == {"global stores": 8}
    assert report.profile.lines[7].barriers == 4


#: instructions and bytes of kernels with asynchronous copies, counted by hand
ASYNCHRONOUS = {
    "copied_in_bulk": (
        {"bulk copies from global": 32},
        {("global", "read"): 2 * 8 * 512, ("shared", "written"): 8192},
    ),
    "stored_in_bulk": ({"bulk copies to global": 5}, {("global", "written"): 5 * 512 + 512}),
    "loaded_for_all": (
        {"bulk copies from global": 8 * 5},
        {("global", "read"): 8 * 5 * 256, ("shared", "written"): 4 * 8 * 5 * 256},
    ),
    "product_of_a_warpgroup": (
        {"bulk copies from global": 4 * 3 * 2, "warpgroup products": 4 * 4 * 3 * 4},
        {("global", "read"): 4 * 3 * 80 * 64 * 2},
    ),
    "sums_of_blocks": ({"copies within shared": 2 * 8}, {}),
}


@pytest.mark.parametrize("kernel", some(ASYNCHRONOUS, 2))
def test_asynchronous_copies_and_products_are_counted(kernel: str, cache: Path) -> None:
    (case,) = [case for case in asynchronous_samples() if case.kernel == kernel]
    report, result = case.launch(build(only(case.text(), kernel), profile=True, cache=cache), "ascending")
    assert case.is_expected(result) and report.profile is not None
    total = report.profile.total
    instructions, moved = ASYNCHRONOUS[kernel]
    assert {name: total.instructions[name] for name in instructions} == instructions
    assert {way: total.bytes[way] for way in moved} == moved
