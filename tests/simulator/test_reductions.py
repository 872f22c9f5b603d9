"""The steps of reducing a block: all are correct under every schedule, and none is without any one of its barriers."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from shine.simulator import Program, Report
from tests.examples import in_turns, some
from tests.simulator.corpus import KERNELS
from tests.simulator.mutation import numbered, only, side_by_side
from tests.simulator.test_order import SCHEDULES

TEXT = (KERNELS / "reductions.cu").read_text(encoding="utf-8")
NAMES = re.findall(r"__global__ void (\w+)", TEXT)
BARRIER = re.compile(r"__sync(?:threads|warp)\(\);")
N = 1000
X = np.random.default_rng(8).integers(-9, 10, N).astype(np.int32)
TWO_FOR_EACH_THREAD = ("first_sum_while_loading", "last_warp_shuffles", "unrolled")


def launch(program: Program, kernel: str, schedule: str, name: str | None = None) -> tuple[Report, int]:
    """Launch a kernel, which may have another name in the program."""
    blocks = 3 if kernel in ("several_for_each_thread", "warps_shuffle") else 8
    blocks = 4 if kernel in TWO_FOR_EACH_THREAD else blocks
    sums = np.zeros(blocks, np.int32)
    report = program.launch(name or kernel, blocks, 128, [X, sums, np.int32(N)], schedule=schedule)
    return report, int(sums.sum())


@pytest.mark.parametrize(("check", "kernel"), in_turns([False, True], NAMES))
def test_sums_are_correct_and_there_are_no_findings(
    kernel: str, check: bool, programs: Callable[..., Program]
) -> None:
    for schedule in SCHEDULES:
        report, total = launch(programs("reductions.cu", check), kernel, schedule)
        assert report.findings == ()
        assert total == X.sum()


def kernel_of(start: int) -> str:
    """A kernel that reaches a barrier of the text."""
    own = re.findall(r"__global__ void (\w+)|__device__ int (\w+)", TEXT[:start])[-1]
    return own[0] or "unrolled"


BARRIERS = list(BARRIER.finditer(TEXT))
#: the kernels without a barrier, one for each barrier, in one text
WITHOUT = "".join(
    side_by_side(kernel, number, only(TEXT[: match.start()] + TEXT[match.end() :], kernel))
    for number, match in enumerate(BARRIERS)
    for kernel in [kernel_of(match.start())]
)


@pytest.mark.parametrize("number", some(range(len(BARRIERS)), 2))
def test_a_missing_barrier_is_found(number: int, programs: Callable[..., Program]) -> None:
    kernel = kernel_of(BARRIERS[number].start())
    for schedule in SCHEDULES[:3]:
        report, _ = launch(programs(WITHOUT, True), kernel, schedule, numbered(kernel, number))
        assert {one.kind for one in report.findings} == {"race"}, schedule


@pytest.mark.parametrize(
    ("old", "new", "kernel", "kind"),
    [
        ("for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff", "for (int step = 16; "
         "step > 0; step /= 2) mine += __shfl_down_sync(0x0000ffff", "last_warp_shuffles", "bad-mask"),
        ("if (lane + step < lanes) mine", "mine", "warps_shuffle", "bad-mask"),
        ("sum_of_lanes(mask, part[t]", "sum_of_lanes(0xffffffff, part[t]", "warps_shuffle", "bad-mask"),
        ("part[at + step]", "part[at + step + 1]", "strided", "out-of-bounds"),
        ("if (t % 32 == 0) part", "if (t % 64 == 0) part", "warps_shuffle", "uninitialised"),
        ("i < n; i += SIZE * gridDim.x", "i <= n; i += SIZE * gridDim.x", "warps_shuffle", "out-of-bounds"),
    ],
)  # fmt: skip
def test_other_mistakes_are_found(
    old: str, new: str, kernel: str, kind: str, programs: Callable[..., Program]
) -> None:
    assert TEXT.count(old) == 1
    program = programs(only(TEXT.replace(old, new), kernel), True)
    for schedule in SCHEDULES[:3]:
        report, _ = launch(program, kernel, schedule)
        assert kind in {one.kind for one in report.findings}, schedule
