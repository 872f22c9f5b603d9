"""Triton's matrix product, as in its tutorial, compiled without a device. Needs the package Triton."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from shine.targets.cuda.sass import listing

from .loops import Kernel

RELEASE: Final = f"Triton {triton.__version__}"
GROUP: Final = 8  # rows of blocks that run together, for the level-2 cache
#: the tile of a block, the stages of the pipeline, and the warps of a block
SCHEDULES: Final = (
    ((128, 128, 32), 3, 8),
    ((128, 128, 32), 4, 4),
    ((128, 128, 64), 4, 4),
    ((128, 256, 64), 3, 8),
)


@triton.jit
def product(
    a,
    b,
    c,
    M,
    N,
    K,
    a_stride,
    b_stride,
    c_stride,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    DEPTH: tl.constexpr,
    GROUP: tl.constexpr,
):
    """C = A B for matrices in rows, f16 to f32."""
    block = tl.program_id(axis=0)
    blocks_down = tl.cdiv(M, ROWS)
    blocks_across = tl.cdiv(N, COLUMNS)
    first = block // (GROUP * blocks_across) * GROUP
    height = min(blocks_down - first, GROUP)
    down = first + block % (GROUP * blocks_across) % height
    across = block % (GROUP * blocks_across) // height
    rows = (down * ROWS + tl.arange(0, ROWS)) % M
    columns = (across * COLUMNS + tl.arange(0, COLUMNS)) % N
    steps = tl.arange(0, DEPTH)
    left = a + rows[:, None] * a_stride + steps[None, :]
    right = b + steps[:, None] * b_stride + columns[None, :]
    sums = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for k in range(tl.cdiv(K, DEPTH)):
        x = tl.load(left, mask=steps[None, :] < K - k * DEPTH, other=0.0)
        y = tl.load(right, mask=steps[:, None] < K - k * DEPTH, other=0.0)
        sums = tl.dot(x, y, sums)
        left += DEPTH
        right += DEPTH * b_stride
    rows = down * ROWS + tl.arange(0, ROWS)
    columns = across * COLUMNS + tl.arange(0, COLUMNS)
    place = c + rows[:, None] * c_stride + columns[None, :]
    tl.store(place, sums, mask=(rows[:, None] < M) & (columns[None, :] < N))


def compiled(tile: tuple[int, int, int], stages: int, warps: int, arch: str) -> Kernel:
    """The product for an architecture, for sizes and strides that are multiples of 16. Raises RiseError without
    nvdisasm.
    """
    constants = {"ROWS": tile[0], "COLUMNS": tile[1], "DEPTH": tile[2], "GROUP": GROUP}
    names = list(product.arg_names)
    types = dict.fromkeys(names, "i32") | {"a": "*fp16", "b": "*fp16", "c": "*fp32"}
    source = ASTSource(
        fn=product,
        signature=types | dict.fromkeys(constants, "constexpr"),
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={(names.index(name),): [["tt.divisibility", 16]] for name in names if name not in constants},
    )
    target = GPUTarget("cuda", int(arch.removeprefix("sm_")), 32)
    with tempfile.TemporaryDirectory() as folder, triton.knobs.cache.scope():
        triton.knobs.cache.dir = folder
        made = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    image = made.asm["cubin"]
    code = listing(image, made.metadata.name)
    return Kernel(code, arch, tile, warps, registers_of(image), made.metadata.shared)


def registers_of(image: bytes) -> int:
    """The registers of a thread, as Triton's own cuobjdump shows them for the only kernel."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernel.cubin"
        cubin.write_bytes(image)
        command = (triton.knobs.nvidia.cuobjdump.path, "-res-usage", cubin)
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (used,) = re.findall(r"\bREG:(\d+)", shown)
    return int(used)
