"""PTX instructions on matrices of numbers of 4 bits and of single bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shine.simulator.ptx_rows import Instruction, row

#: rows and depth in registers of a lane, and the architecture that first had them
_SHAPES: Final = ((8, 1, 75), (16, 1, 80), (16, 2, 80))
_TYPES: Final = ("s4", "u4")
#: how single bits are combined, and the architecture that first did
_ON_BITS: Final = (("xor", "DIFFERENT_BITS", 75), ("and", "COMMON_BITS", 80))


def narrow_products() -> Iterator[Instruction]:
    """All rows; sums have 32 bits."""
    for m, depth, since in _SHAPES:
        operands = f"=s32*{m // 4} b32*{depth * m // 8} b32*{depth} s32*{m // 4}"
        start = f"mma.sync.aligned.m{m}n8k"
        for a in _TYPES:
            for b in _TYPES:
                signs = ", ".join("true" if t == "s4" else "false" for t in (a, b))
                for saturates in ("", ".satfinite"):
                    how = f"simulator::PRODUCTS, {'true' if saturates else 'false'}"
                    name = f"{start}{32 * depth}.row.col{saturates}.s32.{a}.{b}.s32"
                    yield row(
                        name, operands, f"multiply_narrow<{m}, {depth}, 4, {signs}, {how}>", True, since
                    )
        for operation, meaning, its_since in _ON_BITS:
            name = f"{start}{128 * depth}.row.col.s32.b1.b1.s32.{operation}.popc"
            function = f"multiply_narrow<{m}, {depth}, 1, false, false, simulator::{meaning}, false>"
            yield row(name, operands, function, True, max(since, its_since))
