"""Packs the arguments of a launch as bytes: each at a multiple of its own size, as in CUDA. Independent of devices."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from rise.arguments.mismatches import refuse
from rise.naturals import NatVar
from rise.scalars import SCALARS, is_complex
from shine.targets.cuda.module import Argument, PointerArgument, ScalarArgument, SizeArgument

#: format characters of `struct` for scalar types; 16-bit floating-point types are passed as their bits, complex ones as
#: bytes, which have to be aligned here
CODES: Final[Mapping[str, str]] = {
    "bool": "?",
    "i8": "b",
    "i16": "h",
    "i32": "i",
    "i64": "q",
    "u8": "B",
    "u16": "H",
    "u32": "I",
    "u64": "Q",
    "f8e4m3": "B",
    "f8e5m2": "B",
    "f16": "H",
    "bf16": "H",
    "f32": "f",
    "f64": "d",
    "c64": "8s",
    "c128": "16s",
}
#: types that are passed as their bits
_BITS: Final = ("f8e4m3", "f8e5m2", "f16", "bf16")


def format_of(arguments: Sequence[Argument]) -> struct.Struct:
    """The layout of a kernel's parameters."""
    codes: list[str] = []
    for argument in arguments:
        match argument:
            case PointerArgument():
                codes.append("Q")
            case ScalarArgument(_, type):
                if is_complex(type.name):
                    filled = -struct.calcsize("@" + "".join(codes)) % SCALARS[type.name].dtype.itemsize
                    codes.append(f"{filled}x")
                codes.append(CODES[type.name])
            case SizeArgument(_, bits):
                codes.append("i" if bits == 32 else "q")
    # @: aligned as in C, which is CUDA's alignment for these types
    return struct.Struct("@" + "".join(codes))


def number_of(argument: ScalarArgument, value: Any) -> Any:
    """An input that is one number, as a value that `struct` can pack."""
    if argument.type.name in _BITS:
        return int(np.asarray(value).view(f"u{value.itemsize}"))
    if is_complex(argument.type.name):
        return np.asarray(value).tobytes()
    return value.item()


def size_of(argument: SizeArgument, sizes: Mapping[NatVar, int]) -> int:
    """A size as an integer of the argument's width. Raises RiseError if it does not fit."""
    value = sizes[argument.size]
    if value >= 1 << (argument.bits - 1):
        title = f"expected a size `{argument.size.name}` below 2^{argument.bits - 1}, found {value}"
        refuse("size-too-large", title, "use smaller arrays, or compile with wider indices")
    return value
