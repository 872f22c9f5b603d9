"""A tensor core matrix product that copies its tiles into shared memory asynchronously; run in the simulator.

`python examples/asynchronous_copies.py` shows the lines that copy and wait, without and with asynchronous copies.
"""

from pathlib import Path

import numpy as np

import rise
import shine
from strategies.parts.staging import asynchronousCopies
from strategies.tensor_core import wmma

gemm = rise.parse_file(Path(__file__).parent / "gemm.rise").main
tiled = wmma(rows=32, columns=32, depth=16, warp_rows=16, warp_columns=16)
rng = np.random.default_rng(0)
A, B = (rng.integers(-4, 4, (64, 64)).astype(np.float16) for _ in range(2))
C = np.ones((64, 64), np.float32)
exact = 2 * (A.astype(np.float32) @ B.astype(np.float32)) + 3 * C

for name, strategy in (("as it is", tiled), ("asynchronously", tiled >> asynchronousCopies)):
    kernel = shine.compile(strategy(gemm).program, target="cuda-sim", check=True)
    assert (kernel(np.float32(2), np.float32(3), A, B, C) == exact).all()
    print(f"{name}:")
    for line in kernel.source.split("\n"):
        if (
            any(word in line for word in ("A_tile[", "B_tile[", "pipeline_", "__sync"))
            and "load_matrix" not in line
        ):
            print(line)
