"""Resources of kernels on a multiprocessor, compared with pinned numbers and the promises of plans. Independent of
devices.
"""

import pytest

from benchmarks.gpu.resources import (
    ARCHITECTURES,
    PLANS,
    Plan,
    can_run,
    compiler_release,
    faults,
    measure,
    resident_blocks,
)
from benchmarks.gpu_resources import pinned, row
from rise.diagnostics import RiseError
from rise.hardware import architecture
from tests import required_tools

ALL = [(plan, arch) for plan in PLANS for arch in ARCHITECTURES if can_run(plan, arch)]


def test_every_plan_is_pinned_and_holds_on_every_architecture() -> None:
    _, rows = pinned()
    assert [cells[:2] for cells in rows] == [(plan.name, arch) for plan, arch in ALL]
    assert {cells[-1] for cells in rows} == {"yes"}


@pytest.mark.parametrize(("plan", "arch"), ALL, ids=lambda one: one.name if isinstance(one, Plan) else one)
def test_a_kernel_takes_the_pinned_resources(plan: Plan, arch: str) -> None:
    if not required_tools.has_disassembler():
        required_tools.skip_without(required_tools.DISASSEMBLER)  # before anything is compiled
    release, rows = pinned()
    try:
        found = compiler_release()
        taken = measure(plan, arch)
    except RiseError:
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    assert faults(plan, taken) == []
    if found != release:
        required_tools.skip_without(
            f"{release}, which the numbers are of"
        )  # the promises of the plan hold here too
    assert row(plan, taken) == next(cells for cells in rows if cells[:2] == (plan.name, arch))


@pytest.mark.parametrize(
    ("arch", "threads", "registers", "shared", "blocks"),
    [
        ("sm_80", 256, 128, 0, 2),  # 256 * 128 is half of the registers
        ("sm_80", 256, 129, 0, 1),  # a warp is given 136 for each thread
        ("sm_80", 1024, 32, 0, 2),  # threads
        ("sm_86", 1024, 32, 0, 1),
        ("sm_86", 32, 16, 0, 16),  # blocks
        ("sm_90", 32, 16, 0, 32),
        ("sm_80", 32, 16, 82 * 1024 - 1024, 2),  # shared memory, of which the system takes 1 KiB per block
        ("sm_80", 32, 16, 82 * 1024, 1),
        ("sm_75", 32, 16, 32 * 1024, 2),
        ("sm_80", 96, 168, 0, 3),  # three warps take the registers of four; otherwise, 4 blocks would fit
    ],
)
def test_the_number_of_resident_blocks(
    arch: str, threads: int, registers: int, shared: int, blocks: int
) -> None:
    assert resident_blocks(architecture(arch), threads, registers, shared) == blocks
