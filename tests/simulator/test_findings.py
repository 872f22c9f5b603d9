"""Every kind of mistake is found, at its lines, under all schedules; afterwards, the program can still be used."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Buffer, Finding, Program, Report, SharedArray
from shine.simulator.finding_messages import MESSAGES
from shine.simulator.model import KINDS
from shine.simulator.records import FindingKind
from tests.examples import some
from tests.simulator.corpus import KERNELS, SCHEDULES

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    file: (KERNELS / file).read_text(encoding="utf-8") for file in ("bugs.cu", "unfilled.cu", "barriers.cu")
}
HEADER = re.compile(
    r"// finds ([\w-]+)(?: in ([^,]+))?, grid (\d+), block (\d+)(?:, dynamic ([^,]+))?(, read-only)?"
)


@dataclass(frozen=True)
class Bug:
    """A kernel of one of the files, with the expectations in its header and marks."""

    file: str
    name: str
    kind: str
    array: str | None
    grid: int
    block: int
    arrays: tuple[SharedArray, ...]
    read_only: bool
    lines: frozenset[int]

    def launch(self, program: Program, schedule: str = "ascending") -> Report:
        x = np.arange(64, dtype=np.float32)
        return program.launch(
            self.name,
            self.grid,
            self.block,
            [x, np.int32(64)],
            dynamic_shared=512 if self.arrays else 0,
            shared_arrays=self.arrays,
            schedule=schedule,
            budget=1_000_000,
            buffers=(Buffer("x", self.read_only),),
        )


def bugs(file: str) -> list[Bug]:
    lines = TEXTS[file].split("\n")
    found = []
    for start, line in enumerate(lines):
        header = HEADER.fullmatch(line)
        if header:
            end = lines.index("}", start)
            marked = frozenset(i + 1 for i in range(start, end) if lines[i].endswith("//!"))
            name = re.search(r"void (\w+)\(", lines[start + 1])
            assert name is not None
            words = (header[5] or "").split()
            arrays = tuple(
                SharedArray(words[i], int(words[i + 1]), int(words[i + 2])) for i in range(0, len(words), 3)
            )
            read_only = header[6] is not None
            found.append(
                Bug(
                    file,
                    name[1],
                    header[1],
                    header[2],
                    int(header[3]),
                    int(header[4]),
                    arrays,
                    read_only,
                    marked,
                )
            )
    return found


BUGS = [bug for file in TEXTS for bug in bugs(file)]


@pytest.mark.parametrize(
    ("bug", "schedule"),
    [
        (bug, schedule)
        for number, bug in enumerate(BUGS)
        for schedule in some(SCHEDULES, len(SCHEDULES), first=number)
    ],
    ids=lambda one: getattr(one, "name", str(one)),
)
def test_the_mistake_is_found_and_nothing_else(
    bug: Bug, schedule: str, programs: Callable[[str, bool], Program]
) -> None:
    report = bug.launch(programs(bug.file, True), schedule)
    assert [(one.kind, one.array) for one in report.findings] == [(bug.kind, bug.array)]
    assert set(report.findings[0].lines) - {0} == bug.lines


def test_every_kind_has_a_kernel() -> None:
    at_launch = {"shared-size", "launch-size"}
    assert {bug.kind for bug in BUGS} | at_launch == set(KINDS)
    assert sum(text.count("__global__") for text in TEXTS.values()) == len(BUGS)


def test_a_program_stays_usable_after_mistakes(programs: Callable[[str, bool], Program]) -> None:
    program = programs("bugs.cu", True)
    by_name = {bug.name: bug for bug in BUGS}
    first = by_name["write_after_write"].launch(program)
    for name in ("endless", "barrier_against_warp", "write_beyond_global", "divide_by_nothing"):
        stopped = by_name[name].launch(program)
        assert not stopped.finished
        assert by_name["write_after_write"].launch(program).findings == first.findings


TWINS = {
    "exchanged_before_use": 32,
    "local_arrays_are_filled": 1,
    "structures_are_filled_in_part": 32,
    "fragments_are_filled": 32,
    "matrices_without_room": 32,
    "undefined_results_are_not_used": 32,
    "masks_of_lanes_that_are_there": 32,
    "lanes_that_never_were": 16,
}


@pytest.mark.parametrize(("name", "block"), TWINS.items())
def test_programs_that_are_nearly_mistakes_are_not_reported(
    name: str, block: int, programs: Callable[[str, bool], Program]
) -> None:
    program = programs("twins.cu", True)
    for schedule in SCHEDULES:
        x = np.arange(64, dtype=np.float32)
        report = program.launch(name, 1, block, [x, np.int32(64)], schedule=schedule)
        assert report.findings == ()
        assert report.finished
        assert np.isfinite(x).all()


def test_results_do_not_depend_on_the_values_tried_for_undefined_memory(
    programs: Callable[[str, bool], Program],
) -> None:
    """Each run of a kernel begins with the same memory, including the variables of its text."""
    text = """__device__ int runs = 0;
    extern "C" __global__ void f(int* y) {
      if (threadIdx.x == 0) runs++;
      int other = __shfl_down_sync(0x0000ffffu | (threadIdx.x >= 16 ? 0xffff0000u : 0u), 1, 8);
      __syncwarp();
      y[threadIdx.x] += USED + runs;
    }"""
    for used, kinds in (("0", []), ("other", ["bad-mask"])):
        y = np.zeros(16, np.int32)
        report = programs(text.replace("USED", used), True).launch("f", 1, 16, [y])
        assert [one.kind for one in report.findings] == kinds
        np.testing.assert_array_equal(y[:8], [1 + (used == "other")] * 8)


def test_printed_text_may_depend_on_undefined_values(programs: Callable[[str, bool], Program]) -> None:
    text = """#include <cstdio>
    extern "C" __global__ void f(int* y) {
      int other = __shfl_sync(threadIdx.x < 8 ? 0xffu : 0xff00u, 7, 12);
      if (threadIdx.x == 0) printf("%d\\n", USED);
    }"""
    for used, kinds in (("7", []), ("other", ["bad-mask"])):
        report = programs(text.replace("USED", used), True).launch("f", 1, 16, [np.zeros(1, np.int32)])
        assert [one.kind for one in report.findings] == kinds
        assert report.printed.count("\n") == 1


def only(report: Report) -> Finding:
    assert len(report.findings) == 1
    return report.findings[0]


def test_a_race_names_both_accesses(programs: Callable[[str, bool], Program]) -> None:
    bug = next(one for one in BUGS if one.name == "blocks_read_what_one_wrote")
    finding = only(bug.launch(programs("bugs.cu", True)))
    first, second = sorted(bug.lines)
    assert str(finding) == (
        f"race: x[0]: 4-byte read at line {second} by thread (0, 0, 0) of block (1, 0, 0) is not ordered "
        f"after the write at line {first} by thread (0, 0, 0) of block (0, 0, 0)"
    )
    assert (finding.element, finding.offset) == (0, 0)
    assert finding.first is not None
    assert finding.second is not None
    assert (finding.first.what, finding.second.what) == ("read", "write")


def test_an_overrun_names_the_extent(programs: Callable[[str, bool], Program]) -> None:
    bug = next(one for one in BUGS if one.name == "write_beyond_global")
    finding = only(bug.launch(programs("bugs.cu", True)))
    assert str(finding) == (
        f"out-of-bounds: x[64], which has 256 bytes: 4-byte write at line {min(bug.lines)} "
        "by thread (0, 0, 0) of block (0, 0, 0)"
    )


def test_a_finding_about_a_stride_names_the_expected_one(programs: Callable[[str, bool], Program]) -> None:
    """Stores are checked like loads; overlapping lines are reported first, even if they are not aligned."""
    text = """#include <mma.h>
extern "C" __global__ void f(float* x, int stride) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;
  nvcuda::wmma::fill_fragment(c, 0.0f);
  nvcuda::wmma::store_matrix_sync(x, c, stride, nvcuda::wmma::mem_row_major);
}"""
    program = programs(text, True)
    for stride, said in (
        (0, "of at least 16 elements, found 0"),
        (10, "of at least 16 elements, found 10"),
        (18, "that is a multiple of 16 bytes, found 18 elements of 4 bytes"),
    ):
        report = program.launch("f", 1, 32, [np.zeros(512, np.float32), np.int32(stride)])
        first = next(one for one in report.findings if one.kind == "bad-stride")
        assert f"expected a leading dimension {said}" in str(first)
    assert program.launch("f", 1, 32, [np.zeros(512, np.float32), np.int32(20)]).findings == ()


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("__syncwarp(1);", "bad-mask", "does not contain the lane"),
        ("if (threadIdx.x < 16) __syncthreads(); else __syncwarp();", "deadlock", "no thread can continue"),
        ("for (;;) x[0] = n++;", "budget", "has not ended"),
        ("x[0] = 7 / x[1];", "fault", "divided by zero"),
        ("x[(long long)1 << 40] = 1;", "fault", "belongs to no array"),
        ("volatile char big[400000]; big[n] = 1; x[0] = big[0];", "fault", "256 KiB"),
        ("__trap();", "trap", "the kernel traps"),
    ],
)
def test_the_plain_build_stops_at_errors_too(
    text: str, kind: str, said: str, programs: Callable[[str, bool], Program]
) -> None:
    program = programs(f'extern "C" __global__ void f(int* x, int n) {{ {text} }}', False)
    report = program.launch("f", 1, 32, [np.zeros(8, np.int32), np.int32(8)], seconds=0.2)
    assert not report.finished
    finding = only(report)
    assert finding.kind == kind
    assert said in str(finding)


def test_kinds_of_findings_are_numbered_as_in_the_runtime_and_have_messages() -> None:
    text = (ROOT / "shine" / "simulator" / "runtime" / "findings.h").read_text(encoding="utf-8")
    declared = re.search(r"enum FindingKind \{([^}]*)\}", text)
    assert declared is not None
    names = re.findall(r"\w+", declared[1])
    assert [kind.name for kind in FindingKind] == names
    assert [kind.value for kind in FindingKind] == list(range(len(names)))
    assert MESSAGES.keys() == set(FindingKind)
