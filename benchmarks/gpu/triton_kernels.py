"""Triton's softmax, layer norm, transpose, scan and product of f32, compiled without a device. Needs Triton.

Softmax, layer norm and the product follow its tutorials, for sizes and strides that are multiples of 16.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any, Final

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from shine.targets.cuda.sass import listing

from .loops import Kernel
from .triton_product import GROUP, registers_of

LENGTH: Final = 4096  # of a row
TILE: Final = 64  # rows and columns of a block of the transpose
#: the tile of a block, the stages of the pipeline, and the warps of a block, for the product
SCHEDULES: Final = (
    ((128, 128, 16), 3, 8),
    ((128, 128, 32), 2, 8),
    ((128, 64, 32), 3, 4),
    ((64, 64, 32), 3, 4),
)


@triton.jit
def softmax(x, out, x_stride, out_stride, M, N, LENGTH: tl.constexpr):
    """Each row in turn, while the next one is loaded."""
    for row in tl.range(tl.program_id(0), M, tl.num_programs(0), num_stages=2):
        columns = tl.arange(0, LENGTH)
        values = tl.load(x + row * x_stride + columns, mask=columns < N, other=-float("inf"))
        weights = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + columns, weights / tl.sum(weights, axis=0), mask=columns < N)


@triton.jit
def layer_norm(x, out, scale, shift, stride, N, eps, LENGTH: tl.constexpr):
    """One row, in turns of LENGTH numbers."""
    x += tl.program_id(0) * stride
    out += tl.program_id(0) * stride
    sums = tl.zeros([LENGTH], dtype=tl.float32)
    for first in range(0, N, LENGTH):
        columns = first + tl.arange(0, LENGTH)
        sums += tl.load(x + columns, mask=columns < N, other=0.0)
    mean = tl.sum(sums, axis=0) / N
    squares = tl.zeros([LENGTH], dtype=tl.float32)
    for first in range(0, N, LENGTH):
        columns = first + tl.arange(0, LENGTH)
        centred = tl.where(columns < N, tl.load(x + columns, mask=columns < N, other=0.0) - mean, 0.0)
        squares += centred * centred
    factor = 1 / tl.sqrt(tl.sum(squares, axis=0) / N + eps)
    for first in range(0, N, LENGTH):
        columns = first + tl.arange(0, LENGTH)
        mask = columns < N
        values = (tl.load(x + columns, mask=mask, other=0.0) - mean) * factor
        learnt = tl.load(scale + columns, mask=mask), tl.load(shift + columns, mask=mask)
        tl.store(out + columns, values * learnt[0] + learnt[1], mask=mask)


@triton.jit
def transpose(x, out, M, N, TILE: tl.constexpr):
    """A tile of TILE x TILE numbers."""
    rows = tl.program_id(1) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(0) * TILE + tl.arange(0, TILE)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    values = tl.load(x + rows[:, None] * N + columns[None, :], mask=mask)
    mask = (columns[:, None] < N) & (rows[None, :] < M)
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(values), mask=mask)


@triton.jit
def scan(x, out, stride, N, LENGTH: tl.constexpr):
    """The sums up to each number of a row."""
    columns = tl.arange(0, LENGTH)
    values = tl.load(x + tl.program_id(0) * stride + columns, mask=columns < N, other=0.0)
    tl.store(out + tl.program_id(0) * stride + columns, tl.cumsum(values, axis=0), mask=columns < N)


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
    """C = A B for matrices of f32 in rows, without tensor cores."""
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
        sums = tl.dot(x, y, sums, input_precision="ieee")
        left += DEPTH
        right += DEPTH * b_stride
    rows = down * ROWS + tl.arange(0, ROWS)
    columns = across * COLUMNS + tl.arange(0, COLUMNS)
    place = c + rows[:, None] * c_stride + columns[None, :]
    tl.store(place, sums, mask=(rows[:, None] < M) & (columns[None, :] < N))


def compiled(name: str, arch: str) -> Kernel:
    """The kernel with this name, for rows of 4,096 numbers, or a tile of a transpose. Raises RiseError without
    nvdisasm.
    """
    function = {"softmax": softmax, "layer_norm": layer_norm, "transpose": transpose, "scan": scan}[name]
    constants = {"TILE": TILE} if name == "transpose" else {"LENGTH": LENGTH}
    return _compiled(function, constants, arch, 2, 8 if name != "transpose" else 4, (LENGTH, 1, 1))


def compiled_product(tile: tuple[int, int, int], stages: int, warps: int, arch: str) -> Kernel:
    """The product of f32. Raises RiseError without nvdisasm."""
    constants = {"ROWS": tile[0], "COLUMNS": tile[1], "DEPTH": tile[2], "GROUP": GROUP}
    return _compiled(product, constants, arch, stages, warps, tile)


def _compiled(
    function: Any,
    constants: Mapping[str, int],
    arch: str,
    stages: int,
    warps: int,
    tile: tuple[int, int, int],
) -> Kernel:
    names = list(function.arg_names)
    types = {name: "*fp32" if name in POINTERS else "i32" for name in names} | {"eps": "fp32"}
    source = ASTSource(
        fn=function,
        signature={name: "constexpr" if name in constants else types[name] for name in names},
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={
            (names.index(name),): [["tt.divisibility", 16]]
            for name in names
            if name not in constants and name != "eps"
        },
    )
    target = GPUTarget("cuda", int(arch.removeprefix("sm_")), 32)
    with tempfile.TemporaryDirectory() as folder, triton.knobs.cache.scope():
        triton.knobs.cache.dir = folder
        made = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    image = made.asm["cubin"]
    code = listing(image, made.metadata.name)
    return Kernel(code, arch, tile, warps, registers_of(image), made.metadata.shared)


#: parameters that are arrays
POINTERS: Final = frozenset(("a", "b", "c", "x", "out", "scale", "shift"))
