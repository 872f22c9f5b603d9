"""Bit operations, shifts and divisions that round down, on integers: one record per operation. Independent of arrays.

A shift by the width or more, or by a negative number, shifts all bits out; a right shift inserts copies of the sign.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.meanings import At, Elementwise
from rise.primitives.arithmetic import nonzero
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.primitives.traits import Trait
from rise.values import Leaf

_UNARY: Final = "{t: integral} -> t -> t"
_BINARY: Final = "{t: integral} -> t -> t -> t"


def euclidean_remainder(a: Leaf, b: Leaf) -> Leaf:
    """The remainder of a that is at least 0 and less than the absolute value of b."""
    rest = np.fmod(a, b)
    return np.asarray(np.where(rest < 0, np.where(b < 0, rest - b, rest + b), rest))


def _floor_divide(at: At, a: Leaf, b: Leaf) -> Leaf:
    return np.asarray(np.floor_divide(a, nonzero(at, b)))


def _floor_remainder(at: At, a: Leaf, b: Leaf) -> Leaf:
    return np.asarray(np.remainder(a, nonzero(at, b)))


def _euclidean_remainder(at: At, a: Leaf, b: Leaf) -> Leaf:
    return euclidean_remainder(a, nonzero(at, b))


def _low(
    name: str,
    scheme: str,
    doc: str,
    meaning: Meaning,
    law: str,
    *,
    example: str = "",
    traits: tuple[Trait, ...] = (),
    neutral: int | None = None,
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name, scheme, "low", doc, meaning, law, example=example, traits=traits, neutral=neutral
    )


INTEGERS: Final = (
    _low(
        "bitAnd",
        _BINARY,
        "The bits that are set in both.",
        Elementwise(np.bitwise_and, commutes=True),
        "bitAnd a b = bitAnd b a",
        example="bitAnd(12, 10)",
        neutral=-1,
    ),
    _low(
        "bitOr",
        _BINARY,
        "The bits that are set in at least one.",
        Elementwise(np.bitwise_or, commutes=True),
        "bitOr a b = bitOr b a",
        example="bitOr(12, 10)",
        neutral=0,
    ),
    _low(
        "bitXor",
        _BINARY,
        "The bits that are set in exactly one.",
        Elementwise(np.bitwise_xor, commutes=True),
        "bitXor (bitXor a b) b = a",
        example="bitXor(12, 10)",
        neutral=0,
    ),
    _low(
        "bitNot",
        _UNARY,
        "The bits that are not set.",
        Elementwise(np.bitwise_not),
        "bitNot (bitNot a) = a",
        example="bitNot(12)",
    ),
    _low(
        "shiftLeft",
        _BINARY,
        "The bits moved up by b places; 0 if b is negative or at least the width.",
        Elementwise(np.left_shift),
        "shiftLeft (bitAnd a b) c = bitAnd (shiftLeft a c) (shiftLeft b c)",
        example="shiftLeft(3, 4)",
    ),
    _low(
        "shiftRight",
        _BINARY,
        "The bits moved down by b places, filled with the sign bit; only sign bits if b is negative or at least the"
        " width.",
        Elementwise(np.right_shift),
        "shiftRight (bitAnd a b) c = bitAnd (shiftRight a c) (shiftRight b c)",
        example="shiftRight(-8, 1)",
    ),
    _low(
        "floorDiv",
        _BINARY,
        "The quotient, rounded down; division by zero is an error.",
        _floor_divide,
        "add (mul b (floorDiv a b)) (floorMod a b) = a",
        example="floorDiv(-7, 2)",
        traits=("divides",),
    ),
    _low(
        "floorMod",
        _BINARY,
        "The remainder of `floorDiv`, which has the sign of b, as Python's `%`; division by zero is an error.",
        _floor_remainder,
        "floorMod (floorMod a b) b = floorMod a b",
        example="floorMod(-7, 2)",
        traits=("divides",),
    ),
    _low(
        "euclidMod",
        _BINARY,
        "The Euclidean remainder, at least 0 and less than the absolute value of b; division by zero is an error.",
        _euclidean_remainder,
        "euclidMod (euclidMod a b) b = euclidMod a b",
        example="euclidMod(-7, -3)",
        traits=("divides",),
    ),
)
