"""Operands for the kernels of instructions: random bits, and small whole numbers for factors of matrices."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

BLOCKS: Final = 4
LANES: Final = 32
SLOTS: Final = 48  # operands of a lane, in words of 64 bits
SEED: Final = 17
#: types of matrices whose sums depend on their order, unless numbers are whole and small
DIGITS: Final = ("f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "f64")


@cache
def operand_words() -> Any:
    """What lanes read: for each kind of operand BLOCKS x SLOTS x LANES words of 64 bits."""
    generator = np.random.PCG64(SEED)  # its words are the same in all versions of numpy
    shape = (BLOCKS, SLOTS, LANES)

    def words() -> Any:
        return generator.random_raw(BLOCKS * SLOTS * LANES).reshape(shape)

    bits, small = words(), (words() % 81).astype(np.int64) - 40
    single = np.array(
        [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x7FFFFFFF], np.uint64
    )
    double = np.array(
        [0, 1 << 63, 0x3FF0 << 48, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, 1, 2**63 - 1, 2**64 - 1],
        np.uint64,
    )
    special = np.concatenate((single, single << np.uint64(32), double))
    chosen = words() % 8
    mixed = np.where(
        chosen < 5, bits, np.where(chosen < 7, small.view(np.uint64), special[words() % len(special)])
    )
    return np.stack([mixed, *(_digits(kind, words()) for kind in DIGITS)])


def _digits(kind: str, words: Any) -> Any:
    """Words whose numbers of a type are small integers, so that sums of products are exact."""
    numbers = (words[..., None].view(np.uint8) % 9).astype(np.int64) - 4
    match kind:
        case "f64":
            return numbers[..., 0].astype(np.float64).view(np.uint64)
        case "f32" | "tf32":
            return np.ascontiguousarray(numbers[..., :2].astype(np.float32)).view(np.uint64)[..., 0]
        case "f16":
            return np.ascontiguousarray(numbers[..., :4].astype(np.float16)).view(np.uint64)[..., 0]
        case "bf16":
            high = (numbers[..., :4].astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            return np.ascontiguousarray(high).view(np.uint64)[..., 0]
        case _:
            # A number of 8 bits is the upper half of an f16 for e5m2; e4m3 has one bit more, and another bias.
            halves = numbers.astype(np.float16).view(np.uint16)
            if kind == "e5m2":
                return np.ascontiguousarray((halves >> 8).astype(np.uint8)).view(np.uint64)[..., 0]
            exponent_and_fraction = ((halves & 0x7FFF) >> 7).astype(np.int32) - (8 << 3)
            narrow = np.where(
                numbers == 0, 0, (halves >> 8 & 0x80) | exponent_and_fraction.astype(np.uint16) & 0x7F
            )
            return np.ascontiguousarray(narrow.astype(np.uint8)).view(np.uint64)[..., 0]
