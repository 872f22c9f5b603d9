"""Tensor maps for `cp.async.bulk.tensor`, made from arrays as by CUDA's `cuTensorMapEncodeTiled`.

The bits are the simulator's own, since CUDA does not document its; the runtime's `tiles.h` reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic
from rise.records import dataclass
from shine.simulator.model import SimulatorError

MAP_BYTES: Final = 128
_MAGIC: Final = 0xA7
_MOST_RANK: Final = 5
_MOST_BOX: Final = 256
_MOST_STEP: Final = 8
_MOST_PIXELS: Final = 1024
#: of corners, for each number of dimensions
_CORNER_BITS: Final = {3: 16, 4: 8, 5: 5}
_PIECE_BYTES: Final = 16
_SWIZZLES: Final = (0, 32, 64, 128)
#: the types of elements, with the runtime's numbers
_NUMBERS: Final = {
    "uint8": 6,
    "uint16": 8,
    "uint32": 8,
    "int32": 7,
    "uint64": 10,
    "int64": 9,
    "float16": 0,
    "bfloat16": 1,
    "float32": 2,
    "float64": 3,
}


@dataclass(frozen=True, eq=False)
class TensorMap:
    """A tensor in an array, and the boxes that are copied; of pixels, the box has channels and pixels.

    All sizes and strides begin with the innermost dimension.
    """

    array: Any
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    element_strides: tuple[int, ...]
    swizzle: int
    #: of pixels, the offsets of the bounding box's lower and upper corner, along each dimension of space
    corners: tuple[tuple[int, int], ...] | None = None

    def encoded(self) -> bytes:
        """The bytes of the kernel's parameter. Those of the address, the first eight, are set by the launch."""

        def padded(numbers: Sequence[int], count: int) -> list[int]:
            return [*numbers, *[1] * (count - len(numbers))]

        number = _NUMBERS[self.array.dtype.name]
        swizzle, is_columns = _SWIZZLES.index(self.swizzle), int(self.corners is not None)
        corners = [lower & 0xFFFF | (upper & 0xFFFF) << 16 for lower, upper in self.corners or ()]
        return struct.pack(
            "=Q6B2x9Q10I",
            0,
            _MAGIC,
            len(self.sizes),
            self.array.itemsize,
            swizzle,
            number,
            is_columns,
            *padded(self.sizes, 5),
            *padded(self.strides, 4),
            *padded([*self.box, *corners], 5),
            *padded(self.element_strides, 5),
        )


def tensor_map(
    array: Any,
    box: Sequence[int],
    *,
    swizzle: int = 0,
    sizes: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    element_strides: Sequence[int] | None = None,
) -> TensorMap:
    """The argument for a parameter `const __grid_constant__ CUtensorMap`: a tensor of one to five dimensions.

    All sequences begin with the innermost dimension, as in CUDA. `box` has the elements of a copy in each dimension,
    `swizzle` is 0, 32, 64 or 128 bytes, `sizes` are those of the array unless given, `strides` are bytes between
    neighbours of each dimension but the innermost, `element_strides` take every such element of the box only.
    Raises SimulatorError where CUDA does not accept them.

    >>> tensor_map(np.zeros((64, 96), np.float32), (32, 8), swizzle=128).strides
    (384,)
    """
    whole = _tensor(array, sizes, strides, element_strides)
    return _checked(replace(whole, box=tuple(map(int, box)), swizzle=swizzle))


def im2col_map(
    array: Any,
    channels: int,
    pixels: int,
    lower: Sequence[int],
    upper: Sequence[int],
    *,
    swizzle: int = 0,
    sizes: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    element_strides: Sequence[int] | None = None,
) -> TensorMap:
    """The argument for a `CUtensorMap` of images: channels innermost, one to three dimensions of space, and images.

    A copy has so many `pixels` of so many `channels`. They are taken one after the other from a bounding box, which
    begins at `lower` and ends at `upper` beyond the last pixel, along each dimension of space, the innermost first;
    `element_strides` are steps from pixel to pixel. Raises SimulatorError where `cuTensorMapEncodeIm2col` does not
    accept them.

    >>> im2col_map(np.zeros((2, 8, 8, 16), np.float32), 16, 32, (-1, -1), (1, 1)).corners
    ((-1, 1), (-1, 1))
    """
    whole = _tensor(array, sizes, strides, element_strides)
    if len(lower) != len(upper):
        _refuse("upper", f"{len(lower)} numbers, as for `lower`", tuple(upper))
    corners = tuple(zip(map(int, lower), map(int, upper), strict=True))
    return _checked(replace(whole, box=(channels, pixels), swizzle=swizzle, corners=corners))


def _tensor(
    array: Any,
    sizes: Sequence[int] | None,
    strides: Sequence[int] | None,
    element_strides: Sequence[int] | None,
) -> TensorMap:
    """The tensor in an array, without a box."""
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or array.dtype.name not in _NUMBERS:
        known = ", ".join(_NUMBERS)
        _refuse("array", f"a contiguous array of {known}", getattr(array, "dtype", type(array).__name__))
    own_sizes = tuple(reversed(array.shape)) if sizes is None else tuple(map(int, sizes))
    rank = len(own_sizes)
    if not 1 <= rank <= _MOST_RANK:
        _refuse("sizes", "one to five dimensions", rank)
    own_strides = _strides(own_sizes, array.itemsize) if strides is None else tuple(map(int, strides))
    steps = (1,) * rank if element_strides is None else tuple(map(int, element_strides))
    return TensorMap(array, own_sizes, own_strides, (), steps, 0)


def _checked(made: TensorMap) -> TensorMap:
    for name, expected, found in _wrong(made):
        _refuse(name, expected, found)
    return made


def _strides(sizes: Sequence[int], item: int) -> tuple[int, ...]:
    strides = []
    for size in sizes[:-1]:
        item *= size
        strides.append(item)
    return tuple(strides)


def _wrong(made: TensorMap) -> list[tuple[str, str, Any]]:
    """What CUDA would not accept: the name of the argument, what it expects, and what was found."""
    rank, item = len(made.sizes), made.array.itemsize
    if len(made.strides) != rank - 1:
        return [("strides", f"{rank - 1} numbers", made.strides)]
    if made.corners is not None and (wrong_pixels := _wrong_pixels(made, made.corners)):
        return wrong_pixels
    for name, numbers in (("box", made.box), ("element_strides", made.element_strides)):
        if len(numbers) != rank and (name != "box" or made.corners is None):
            return [(name, f"{rank} numbers", numbers)]
    wrong: list[tuple[str, str, Any]] = []
    if made.swizzle not in _SWIZZLES:
        return [("swizzle", "0, 32, 64 or 128", made.swizzle)]
    if any(not 1 <= size <= 2**32 for size in made.sizes):
        wrong.append(("sizes", "sizes from 1 to 2^32", made.sizes))
    if any(stride % _PIECE_BYTES or not 0 <= stride < 2**40 for stride in made.strides):
        wrong.append(("strides", "multiples of 16 bytes below 2^40", made.strides))
    if made.corners is None and any(not 1 <= one <= _MOST_BOX for one in made.box):
        wrong.append(("box", f"sizes from 1 to {_MOST_BOX}", made.box))
    if any(not 1 <= one <= _MOST_STEP for one in made.element_strides):
        wrong.append(("element_strides", f"strides from 1 to {_MOST_STEP}", made.element_strides))
        return wrong
    row = -(-made.box[0] // made.element_strides[0]) * item
    if row % _PIECE_BYTES:
        wrong.append(("box", "a row of a multiple of 16 bytes", f"{row} bytes"))
    if made.swizzle and row > made.swizzle:
        wrong.append(("box", f"a row of at most the {made.swizzle} bytes that are swizzled", f"{row} bytes"))
    if made.array.ctypes.data % made.array.itemsize:
        wrong.append(("array", "an aligned array", "another"))
    return wrong


def _wrong_pixels(made: TensorMap, corners: Sequence[tuple[int, int]]) -> list[tuple[str, str, Any]]:
    rank = len(made.sizes)
    if rank not in _CORNER_BITS:
        return [("sizes", "three to five dimensions", rank)]
    if len(corners) != rank - 2:
        return [("lower", f"{rank - 2} numbers", tuple(lower for lower, _ in corners))]
    bound = 1 << _CORNER_BITS[rank] - 1
    if any(not -bound <= one < bound for pair in corners for one in pair):
        return [("lower", f"corners from {-bound} to {bound - 1}, and for `upper`", tuple(corners))]
    channels, pixels = made.box
    if not 1 <= channels <= _MOST_BOX:
        return [("channels", f"1 to {_MOST_BOX}", channels)]
    return [] if 1 <= pixels <= _MOST_PIXELS else [("pixels", f"1 to {_MOST_PIXELS}", pixels)]


def copied_arguments(values: Sequence[Any]) -> list[Any]:
    """Arguments that a launch may modify while the caller's do not: each array is copied once, with its maps."""
    copies: dict[int, Any] = {}

    def copied(array: Any) -> Any:
        return copies.setdefault(id(array), array.copy())

    return [
        copied(value)
        if isinstance(value, np.ndarray)
        else replace(value, array=copied(value.array))
        if isinstance(value, TensorMap)
        else value
        for value in values
    ]


def array_of_argument(value: Any) -> np.ndarray[Any, Any] | None:
    """The array that an argument is, or whose map it is; None for numbers."""
    array = value.array if isinstance(value, TensorMap) else value
    return array if isinstance(array, np.ndarray) else None


def arrays_of(values: Sequence[Any]) -> list[Any]:
    """The arrays that a launch may modify, each once."""
    found: dict[int, Any] = {}
    for value in values:
        if (array := array_of_argument(value)) is not None:
            found[id(array)] = array
    return list(found.values())


def _refuse(name: str, expected: str, found: Any) -> NoReturn:
    title = f"expected {expected} for `{name}` of a tensor map, found {found}"
    hint = "the conditions are those of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col"
    raise SimulatorError(Diagnostic("wrong-arguments", title, hint=hint))
