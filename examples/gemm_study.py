"""Case study: a matrix product from one line to register tiles, compared with libraries and compilers.

Run as `python examples/gemm_study.py`, or with a size that is a multiple of 32 and a number of threads:
`python examples/gemm_study.py 1024 2`. The peers are installed by `make peers`; those that are missing are left out.
"""

from __future__ import annotations

import sys

import numpy as np
from _page import ROOT, study

CHOSEN = {
    "baseline": ("strategies.cpu_gemm:baseline", {}),
    "cacheBlocks": ("strategies.cpu_gemm:cacheBlocks", {}),
    "packed": ("strategies.cpu_gemm:packed", {}),
    "microKernel": ("strategies.cpu_gemm:microKernel", {}),
}
PEERS = ("numpy", "torch", "jax", "tvm", "halide")


def main(size: int, threads: int) -> None:
    """Show all versions."""
    rng = np.random.default_rng(0)
    a, b = rng.random((2, size, size), dtype=np.float32)
    text = (ROOT / "examples" / "mm.rise").read_text(encoding="utf-8")
    study("mm", text, CHOSEN, [a, b], PEERS, threads, (2e-9 * size**3, "Gflop/s"))


if __name__ == "__main__":
    main(*(int(one) for one in (sys.argv[1:] + ["128", "1"][len(sys.argv) - 1 :])[:2]))
