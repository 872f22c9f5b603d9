"""Case study: softmax, layer norm and a dot product, which do little work per number, compared with peers.

Run as `python examples/rows_study.py`, or with a size and a number of threads: `python examples/rows_study.py 4096 2`.
The peers are installed by `make peers`; those that are missing are left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from _page import ROOT, study

CHOSEN = {
    "sequential": ("strategies.sequential:sequential", {}),
    "parallel": ("strategies.openmp:parallel", {}),
}
PEERS = ("numpy", "torch", "jax", "halide", "numba")


def main(size: int, threads: int) -> None:
    """Use `size` rows of `size` numbers, and arrays of as many numbers. Halide's schedules need multiples of 2048."""
    rng = np.random.default_rng(0)
    peers = PEERS if size**2 % 2048 == 0 and size % 128 == 0 else ()
    rows = rng.random((size, size), dtype=np.float32)
    scale, shift = rng.random((2, size), dtype=np.float32)
    moved = 1e-9 * 2 * rows.nbytes
    for kernel, path, arguments in (
        ("softmax", ROOT / "examples" / "softmax.rise", [rows]),
        ("layer_norm", ROOT / "cases" / "layer_norm.rise", [scale, shift, rows]),
        ("dot", ROOT / "examples" / "dot.rise", [rows.ravel(), rows.ravel()]),
    ):
        study(kernel, read(path), CHOSEN, arguments, peers, threads, (moved, "GB/s"))


def read(path: Path) -> str:
    """The text of a program."""
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    main(*(int(one) for one in (sys.argv[1:] + ["256", "1"][len(sys.argv) - 1 :])[:2]))
