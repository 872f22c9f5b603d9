"""Resource usage of our kernels on each architecture, read from machine code. No device is needed.

The numbers depend only on the compiler's release, so they are pinned: tests read them from
`benchmarks/results/gpu_resources.json` and compile again if the same release is available. Without a compiler the
pinned numbers are shown.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from benchmarks._measure import load, machine
from benchmarks._report import RESULTS, Table, is_quick, report
from benchmarks.gpu.resources import (
    ARCHITECTURES,
    PLANS,
    Plan,
    Taken,
    can_run,
    compiler_release,
    faults,
    measure,
)
from rise.diagnostics import RiseError

TITLE = "Resources of kernels, by "
COLUMNS = (
    "plan",
    "arch",
    "threads",
    "registers",
    "shared",
    "local",
    "spills",
    "blocks",
    "warps",
    "loads",
    "stores",
    "generic",
    "ldmatrix",
    "mma",
    "holds",
)
NOTE = (
    "For a thread: registers, bytes of local memory and of spills, and how many instructions load from global memory, "
    "store to it, load matrices from shared memory and multiply them; `4 x 16` are four loads of 16 bytes, and "
    "`generic` are loads whose memory space the compiler does not know. For a block: threads, and bytes of shared "
    "memory. `blocks` and `warps` reside on a multiprocessor; `holds` says whether as many blocks do as the plan "
    "promises, without local memory, and with all factors loaded 16 bytes at a time. If the compiler unrolled the "
    "loop, instructions are counted once for each iteration."
)


def main() -> int:
    """Measure and report; the exit status is 1 if a plan does not hold."""
    quick = is_quick("what kernels take of a multiprocessor")
    before = load()
    asked = [(plan, arch) for plan in PLANS for arch in ARCHITECTURES if can_run(plan, arch)]
    try:
        compiler = compiler_release()
        taken = [(plan, measure(plan, arch)) for plan, arch in (asked[:2] if quick else asked)]
    except RiseError as absent:
        _, rows = pinned()
        print(f"not measured, these are the pinned numbers: {absent.diagnostic.title}\n")
        print(Table("Resources", COLUMNS, tuple(rows)).plain())
        return 0
    table = Table(f"{TITLE}{compiler}", COLUMNS, tuple(row(plan, one) for plan, one in taken), NOTE)
    report("gpu_resources", [table], machine(), f"load: {before:.1f} before, {load():.1f} after", quick)
    wrong = [f"{plan.name}, {one.arch}: {line}" for plan, one in taken for line in faults(plan, one)]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def row(plan: Plan, taken: Taken) -> tuple[str, ...]:
    """The plan and its resources, as cells of a table."""
    return (
        taken.plan,
        taken.arch,
        *map(str, (taken.threads, taken.registers, taken.shared, taken.local, taken.spills, taken.blocks)),
        str(taken.blocks * -(-taken.threads // 32)),
        by_width(taken.loads),
        by_width(taken.stores),
        str(taken.generic),
        str(taken.matrix_loads),
        str(taken.matrix_products),
        "no" if faults(plan, taken) else "yes",
    )


def by_width(counts: Mapping[int, int]) -> str:
    """The numbers of accesses by their bytes, the widest first."""
    return ", ".join(f"{count} x {size}" for size, count in sorted(counts.items(), reverse=True)) or "none"


def pinned() -> tuple[str, list[tuple[str, ...]]]:
    """The compiler of the pinned numbers, and their rows."""
    content = json.loads((RESULTS / "gpu_resources.json").read_text(encoding="utf-8"))
    (table,) = content["tables"]
    return table["title"].removeprefix(TITLE), [tuple(cells) for cells in table["rows"]]


if __name__ == "__main__":
    sys.exit(main())
