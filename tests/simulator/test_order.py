"""Order by fences: programs that order memory rightly give what numpy gives and nothing is found; without a fence, or
with one of too small a scope, a race is.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shine.simulator import Program, Report
from tests.examples import THOROUGH
from tests.simulator.corpus import KERNELS

RANDOM = range(8) if THOROUGH else range(3)
SCHEDULES = ("ascending", "descending", *(f"random:{seed}" for seed in RANDOM))
FENCE = re.compile(r"__threadfence(?:_block)?\(\);")
N = 500
X = np.random.default_rng(3).integers(-9, 10, N).astype(np.int32)
GRID, BLOCK = 9, 64


def zeros(count: int) -> Any:
    return np.zeros(count, np.int32)


def launch(program: Program, kernel: str, schedule: str) -> tuple[Report, Any]:
    """Launch a kernel of the three files; also what it computed."""
    n = np.int32(N)
    y = zeros(N)
    if kernel == "words":
        arguments = [X, y, np.zeros(GRID, np.uint64), n]
    elif kernel in ("flags", "warps"):
        arguments = [X, y, zeros(GRID), zeros(GRID), zeros(GRID), n]
    else:
        y = zeros(1)
        arguments = [X, zeros(GRID * BLOCK), y, n]
    return program.launch(kernel, GRID, BLOCK, arguments, schedule=schedule, seconds=20), y


FILES = {
    "last_block.cu": ("last_block", "all_threads_fence", "volatile_parts", "last_block_reads_counts"),
    "lock.cu": ("lock_of_the_grid", "lock_of_a_block", "turns", "handed_over"),
    "look_back.cu": ("flags", "words", "warps"),
}
TEXTS = {file: (KERNELS / file).read_text(encoding="utf-8") for file in FILES}


@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
@pytest.mark.parametrize(
    ("file", "kernel"), [(file, kernel) for file, kernels in FILES.items() for kernel in kernels]
)
def test_fences_order_memory(file: str, kernel: str, check: bool, programs: Callable[..., Program]) -> None:
    program = programs(file, check)
    expected = np.cumsum(X) if file == "look_back.cu" else [X.sum()]
    for schedule in SCHEDULES:
        report, y = launch(program, kernel, schedule)
        assert report.findings == (), schedule
        assert report.finished
        np.testing.assert_array_equal(y, expected)


def kernels_of_lines(file: str) -> dict[int, str]:
    """For each fence of a file, by its position, the kernel that it concerns."""
    text = TEXTS[file]
    found = {}
    for fence in FENCE.finditer(text):
        names = re.findall(r"__global__ void (\w+)", text[: fence.start()])
        found[fence.start()] = names[-1] if names else FILES[file][0]
    return found


FENCES = [(file, start, kernel) for file in FILES for start, kernel in kernels_of_lines(file).items()]


@pytest.mark.parametrize("weaker", ["", "__threadfence_block();"], ids=["none", "block"])
@pytest.mark.parametrize(("file", "start", "kernel"), FENCES)
def test_every_fence_is_needed_and_of_its_scope(
    file: str, start: int, kernel: str, weaker: str, programs: Callable[..., Program]
) -> None:
    text = TEXTS[file]
    match = FENCE.match(text, start)
    assert match is not None
    if match[0] == weaker:
        weaker = ""
    program = programs(text[:start] + weaker + text[match.end() :], True)
    kinds = set()
    for schedule in SCHEDULES:
        report, _ = launch(program, kernel, schedule)
        kinds |= {one.kind for one in report.findings}
    assert kinds == {"race"}
