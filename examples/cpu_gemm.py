"""Seven matrix products derived from one program: what each step of the paper's schedule does to the loops.

Run as `python examples/cpu_gemm.py`, or with a size that is a multiple of 32: `python examples/cpu_gemm.py 512`. The
first two give the same bits, and so do the vectorised ones, which round once when a product is added; only the time
differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import elevate
import rise
import shine
import strategies

VERSIONS = ["baseline", "blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel"]


def main(size: int) -> None:
    """Derive, compile, compare and time each version."""
    program = rise.parse_file(Path(__file__).parent / "mm.rise").main
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, size), dtype=np.float32) for _ in range(2))
    first: dict[str, np.ndarray] = {}
    print(f"{'version':14} {'steps':>5} {'ms':>8}   loops around the sum")
    for version in VERSIONS:
        outcome = elevate.run(strategies.load(f"strategies.cpu_gemm:{version}"), program)
        kernel = shine.compile(outcome.result.program, target="openmp")
        found = kernel(a, b)
        rounding = str(outcome.result.float_class)
        same = first.setdefault(rounding, found)
        assert np.array_equal(found, same) and np.allclose(found, a @ b, rtol=1e-4, atol=1e-3)
        milliseconds = kernel.time(a, b).median * 1e3
        print(
            f"{version:14} {outcome.counters.firings:5} {milliseconds:8.3f}   {', '.join(loops(kernel.source))}"
        )
    print(
        f"sizes are free where {', '.join(one.condition for one in rise.obligations(outcome.result.program))}"
    )


def loops(source: str) -> list[str]:
    """The extents of the loops in the C text."""
    return [line.split(" < ")[1].split(";")[0] for line in source.splitlines() if "for (" in line]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 128)
