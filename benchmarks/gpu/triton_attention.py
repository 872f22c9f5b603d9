"""Triton's attention, with the loop of its tutorial, compiled without a device. Needs the package Triton."""

from __future__ import annotations

import tempfile
from typing import Final

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from shine.targets.cuda.sass import listing

from .loops import Kernel
from .triton_product import RELEASE, registers_of

__all__ = ["RELEASE", "SCHEDULES", "compiled"]
#: queries of a block, keys of a step, the stages of the pipeline, and the warps of a block
SCHEDULES: Final = ((64, 64, 1, 4), (128, 64, 3, 4), (128, 64, 3, 8))
LOG2_E: Final = tl.constexpr(1.4426950408889634)


@triton.jit
def attend(
    q,
    k,
    v,
    out,
    scale,
    M,
    N,
    q_stride,
    k_stride,
    v_stride,
    out_stride,
    ROWS: tl.constexpr,
    KEYS: tl.constexpr,
    WIDTH: tl.constexpr,
):
    """softmax(scale q k^T) v for f16, with results of f32."""
    rows = tl.program_id(axis=0) * ROWS + tl.arange(0, ROWS)
    keys = tl.arange(0, KEYS)
    width = tl.arange(0, WIDTH)
    x = tl.load(q + rows[:, None] * q_stride + width[None, :], mask=rows[:, None] < M, other=0.0)
    top = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    sums = tl.zeros([ROWS, WIDTH], tl.float32)
    for start in range(0, N, KEYS):
        at = start + keys
        y = tl.load(k + at[None, :] * k_stride + width[:, None], mask=at[None, :] < N, other=0.0)
        scores = tl.where(at[None, :] < N, tl.dot(x, y) * (scale * LOG2_E), float("-inf"))
        new = tl.maximum(top, tl.max(scores, 1))
        weights = tl.math.exp2(scores - new[:, None])
        old = tl.math.exp2(top - new)
        total = total * old + tl.sum(weights, 1)
        z = tl.load(v + at[:, None] * v_stride + width[None, :], mask=at[:, None] < N, other=0.0)
        sums = tl.dot(weights.to(tl.float16), z, sums * old[:, None])
        top = new
    place = out + rows[:, None] * out_stride + width[None, :]
    tl.store(place, sums / total[:, None], mask=rows[:, None] < M)


def compiled(width: int, rows: int, keys: int, stages: int, warps: int, arch: str) -> Kernel:
    """Attention for an architecture, for strides that are multiples of 16. Raises RiseError without nvdisasm."""
    constants = {"ROWS": rows, "KEYS": keys, "WIDTH": width}
    names = list(attend.arg_names)
    pointers = dict.fromkeys(("q", "k", "v"), "*fp16") | {"out": "*fp32", "scale": "fp32"}
    aligned = [name for name in names if name not in {*constants, "scale"}]
    source = ASTSource(
        fn=attend,
        signature=dict.fromkeys(names, "i32") | pointers | dict.fromkeys(constants, "constexpr"),
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={(names.index(name),): [["tt.divisibility", 16]] for name in aligned},
    )
    target = GPUTarget("cuda", int(arch.removeprefix("sm_")), 32)
    with tempfile.TemporaryDirectory() as folder, triton.knobs.cache.scope():
        triton.knobs.cache.dir = folder
        made = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": stages})
    image = made.asm["cubin"]
    code = listing(image, made.metadata.name)
    return Kernel(code, arch, (rows, keys, width), warps, registers_of(image), made.metadata.shared)
