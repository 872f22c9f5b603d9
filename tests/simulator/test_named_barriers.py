"""Numbered barriers, branches and elected lanes in inline PTX: results, and mistakes in pipelines of warps."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build
from tests.simulator.asynchronous_samples import asynchronous_samples
from tests.simulator.mutation import numbered, only, side_by_side

CASES = {case.kernel: case for case in asynchronous_samples()}
#: the kernel, the change, and the finding
MISTAKES = [
    ("loaded_by_warps", "if (i >= STAGES) sync", "if (i > STAGES) sync", "deadlock"),
    ("loaded_by_warps", "      sync(1 + stage, 2 * LOADERS);", "", "race"),
    ("loaded_by_warps", "i < tiles - STAGES", "i < tiles - STAGES - 1", "deadlock"),
    (
        "loaded_by_warps",
        "arrive(1 + stage, 2 * LOADERS)",
        "arrive(1 + STAGES - stage, 2 * LOADERS)",
        "deadlock",
    ),
    ("loaded_by_warps", "arrive(1 + stage, 2 * LOADERS)", "arrive(1 + stage, 3 * LOADERS)", "bad-barrier"),
    ("loaded_by_warps", "int stage = i % STAGES;\n      sync", "int stage = 0;\n      sync", "deadlock"),
    ("ping_pong", "if (group == 1) arrive(1, 128);", "", "deadlock"),
    ("ping_pong", "    sync(1 + group, 128);\n", "", "race"),
    ("ping_pong", "bar.red.popc.u32 %0, %2, 64, p", "bar.red.popc.u32 %0, %2, 96, p", "deadlock"),
    ("ping_pong", "arrive(2 - group, 128);\n", "arrive(2 - group, 96);\n", "bad-barrier"),
]


ALL_CHANGED = "".join(
    side_by_side(kernel, number, only(CASES[kernel].text().replace(old, new), kernel))
    for number, (kernel, old, new, _) in enumerate(MISTAKES)
)


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_mistakes_between_producing_and_consuming_warps_are_found(
    number: int, programs: Callable[..., Program]
) -> None:
    kernel, old, _, kind = MISTAKES[number]
    assert old in CASES[kernel].text()
    case = replace(CASES[kernel], kernel=numbered(kernel, number))
    report, _ = case.launch(programs(ALL_CHANGED, True), "ascending")
    assert kind in {finding.kind for finding in report.findings}
    assert all(finding.first and finding.first.line for finding in report.findings)


TEXT = r"""extern "C" __global__ void f(unsigned* y) {
  unsigned n = threadIdx.x, sum, count, all, lane;
  asm volatile("{\n\t.reg .pred p;\n\tmov.u32 %0, 0;\nLOOP:\n\t.reg .u32 i;\n\tsub.u32 i, %1, %0;\n\t"
               "setp.le.u32 p, i, 3;\n\t@p bra DONE;\n\tadd.u32 %0, %0, 2;\n\tbra.uni LOOP;\nDONE:\n\t}"
               : "=&r"(sum) : "r"(n));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; barrier.red.popc.aligned.u32 %0, 5, p; }" : "=r"(count) : "r"(n));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; barrier.red.and.pred p, 5, p; selp.u32 %0, 1, 2, p; }"
               : "=r"(all) : "r"(n));
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xfffffff0; @p add.u32 %0, %0, 5; }" : "=r"(lane));
  y[n] = sum + 100 * count + 1000 * all + 10000 * lane;
}
""".replace(
    'asm volatile("{ .reg .pred p; elect', 'if (n % 32 > 3) asm volatile("{ .reg .pred p; elect'
).replace("count, all, lane;", "count, all, lane = 0;")


def test_branches_votes_and_elected_lanes(programs: Callable[..., Program]) -> None:
    n = np.arange(40)
    for check in (False, True):
        y = np.zeros(40, np.uint32)
        assert programs(TEXT, check).launch("f", 1, 40, [y]).findings == ()
        sums = np.where(n < 4, 0, (n - 2) // 2 * 2)
        lanes = np.where(n % 32 > 3, 4 + 5 * (n % 32 == 4), 0)
        assert y.tolist() == (sums + 700 + 1000 + 10000 * lanes).tolist()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("bra DONE;", "expected a label of this statement to branch to, found `DONE`"),
        ("bra 7;", "expected a label after `bra`, found `7`"),
        ("A: A: bra A;", "expected each label once in its braces, found `A` again"),
        ("bra B; { B: }", "expected a label of this statement to branch to, found `B`"),
        ("brx.idx %0, T;", "found `brx.idx`"),
        ("bar.sync.aligned 0;", "found `bar.sync.aligned`"),
    ],
)
def test_unsupported_ptx_is_reported_by_line(statement: str, said: str, tmp_path: Path) -> None:
    text = f'__global__ void f(int* x) {{\n  asm volatile("{statement}" :: "r"(x[0]));\n}}'
    with pytest.raises(SimulatorError) as caught:
        build(text, cache=tmp_path)
    title = caught.value.diagnostic.title
    assert said in title and title.endswith("on line 2")
