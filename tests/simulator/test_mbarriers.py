"""Barriers in shared memory and bulk copies: the effect of a single mistake in otherwise correct pipelines."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from shine.simulator import Program
from tests.examples import some
from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.mutation import numbered, only, side_by_side

CASES = {case.kernel: case for case in asynchronous_samples()}
FULL = "wait(&full[s], i / STAGES & 1);"
EMPTY = "wait(&empty[s], (i / STAGES & 1) ^ 1);"
INIT_FENCE = 'asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");'
PROXY_FENCE = 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");'
#: the kernel, the change, and the finding
MISTAKES = [
    # waits
    ("produced_by_a_warp", FULL, "", "race"),
    ("produced_by_a_warp", EMPTY, "", "deadlock"),
    ("copied_in_bulk", FULL, "", "in-flight"),
    ("copied_in_bulk", EMPTY, "", "bad-barrier"),
    ("copied_in_bulk", "\\n\\tbra WAIT", "", "bad-barrier"),
    ("copies_arrive", "while (!done)", "", "uninitialised"),
    ("split_barrier", "@!p bra AGAIN", "", "race"),
    ("split_barrier", "mbarrier.try_wait.shared", "mbarrier.try_wait.relaxed.cta.shared", "race"),
    ("split_barrier", "arrive.release.cta", "arrive.relaxed.cta", "race"),
    # phases and stages
    ("produced_by_a_warp", FULL, "wait(&full[s], (i / STAGES & 1) ^ 1);", "race"),
    ("produced_by_a_warp", EMPTY, "wait(&empty[s], i / STAGES & 1);", "deadlock"),
    ("copied_in_bulk", FULL, "wait(&full[s], i % 2);", "in-flight"),
    ("copied_in_bulk", EMPTY, "wait(&empty[s], i / STAGES & 1);", "deadlock"),
    ("copied_in_bulk", "tile[s][WIDTH - 1 - t]", "tile[(s + 1) % STAGES][WIDTH - 1 - t]", "in-flight"),
    ("copies_arrive", '"r"(i & 1)', '"r"(1)', "in-flight"),
    ("copies_arrive", '"r"(i & 1)', '"r"(i)', "bad-barrier"),
    # arrivals
    ("produced_by_a_warp", "init(&empty[s], 3);", "init(&empty[s], 2);", "race"),
    ("produced_by_a_warp", "init(&empty[s], 3);", "init(&empty[s], 4);", "deadlock"),
    ("produced_by_a_warp", "if (lane == 0) arrive(&empty[s]);", "arrive(&empty[s]);", "deadlock"),
    ("produced_by_a_warp", "__syncwarp();\n      if (lane == 0)", "if (lane == 0)", "race"),
    ("copies_arrive", "init(&ready, 64)", "init(&ready, 63)", "in-flight"),
    ("copies_arrive", ".noinc", "", "deadlock"),
    ("copied_in_bulk", "init(&full[s], 1);", "init(&full[s], 0);", "bad-barrier"),
    # bytes
    ("copied_in_bulk", "WIDTH * 4);\n      copy", "WIDTH * 2);\n      copy", "bad-barrier"),
    ("copied_in_bulk", "WIDTH * 4);\n      copy", "WIDTH * 4 + 16);\n      copy", "deadlock"),
    ("copied_in_bulk", "WIDTH * 4);\n      copy", "1 << 20);\n      copy", "bad-barrier"),
    ("copied_in_bulk", "i) * WIDTH, WIDTH * 2, &full[s]", "i) * WIDTH, WIDTH * 2 + 16, &full[s]", "in-flight"),
    ("copied_in_bulk", "i) * WIDTH, WIDTH * 2, &full[s]", "i) * WIDTH, WIDTH * 2 - 8, &full[s]", "bad-copy"),
    ("copied_in_bulk", "copy(tile[s], x +", "copy(tile[s] + 1, x +", "misaligned"),
    ("copied_in_bulk", "copy(tile[s], x + (blockIdx.x", "copy(tile[s], x + (1 + blockIdx.x", "out-of-bounds"),
    # fences and proxies
    ("copied_in_bulk", INIT_FENCE, "", "proxy"),
    ("copied_in_bulk", INIT_FENCE + "\n  }\n  __syncthreads();", "}", "proxy"),
    ("reduced_in_bulk", PROXY_FENCE, "", "proxy"),
    ("reduced_in_bulk", PROXY_FENCE, PROXY_FENCE.replace("shared::cta", "global"), "proxy"),
    ("reduced_in_bulk", PROXY_FENCE + "\n  __syncthreads();", PROXY_FENCE, "race"),
    ("stored_in_bulk", PROXY_FENCE, "", "proxy"),
    # groups of bulk copies
    ("reduced_in_bulk", 'asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");', "", "not-waited"),
    ("reduced_in_bulk", 'asm volatile("cp.async.bulk.commit_group;" ::: "memory");', "", "not-waited"),
    ("stored_in_bulk", "wait_group.read 1", "wait_group.read 2", "race"),
    ("stored_in_bulk", "wait_group 0", "wait_group.read 0", "in-flight"),
    ("stored_in_bulk", "wait_group 0", "wait_group 4", "in-flight"),
    ("stored_in_bulk", "\\n\\tcp.async.bulk.commit_group;", "", "race"),
    ("stored_in_bulk", '.read 1;" ::: "memory");\n    __syncthreads();', '.read 1;" ::: "memory");', "race"),
    # slots that overlap
    ("stored_in_bulk", "int row[2][WIDTH]", "int row[1][WIDTH]", "out-of-bounds"),
    ("copied_in_bulk", "int tile[STAGES][WIDTH]", "int tile[STAGES - 1][WIDTH]", "out-of-bounds"),
    ("copied_in_bulk", "int s = i % STAGES;\n      wait(&empty", "int s = 0;\n      wait(&empty", "bad-barrier"),
]  # fmt: skip


def changed(kernel: str, old: str, new: str) -> str:
    """The text of a kernel in which `old` is replaced once, there or in a function that it calls."""
    text = CASES[kernel].text()
    place = text.find(old, text.index(f"void {kernel}("))
    place = place if place >= 0 else text.index(old)
    return only(text[:place] + new + text[place + len(old) :], kernel)


ALL_CHANGED = "".join(side_by_side(one[0], number, changed(*one[:3])) for number, one in enumerate(MISTAKES))


@pytest.mark.parametrize("number", some(range(len(MISTAKES)), 5))
def test_one_mistake_is_found(number: int, programs: Callable[..., Program]) -> None:
    kernel, _, _, kind = MISTAKES[number]
    case = replace(CASES[kernel], kernel=numbered(kernel, number))
    report, _ = case.launch(programs(ALL_CHANGED, True), "ascending", seconds=5)
    assert kind in {finding.kind for finding in report.findings}, str(report)
    assert all(finding.first and finding.first.line for finding in report.findings)
