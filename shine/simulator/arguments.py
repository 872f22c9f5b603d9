"""Lays out a caller's arrays and scalars as arguments of a kernel. Depends on their types, but not on their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic
from rise.records import dataclass
from shine.simulator.model import Buffer, SimulatorError
from shine.simulator.process import Signature
from shine.simulator.segment import Region
from shine.simulator.tensor_maps import MAP_BYTES, TensorMap
from shine.simulator.text import KernelText, signature

_KIND_NAMES: Final = {"f": "a floating-point number", "i": "an integer", "s": "a structure"}
#: of what pointers point to, with the kinds of numpy's types that may be meant
_ELEMENTS: Final = {"F": ("floating-point numbers", "f"), "I": ("integers", "iu")}
_POINTERS: Final = "pFI"
_WORD_BYTES: Final = 8
_MAX_REGIONS: Final = 200  # beside the variables of a text


@dataclass(frozen=True, slots=True)
class Passed:
    """Regions; pointers as (argument, region, offset); the values of all arguments in words, and where each one starts.

    `alive` owns the regions.
    """

    regions: tuple[Region, ...]
    pointers: tuple[tuple[int, int, int], ...]
    words: bytes
    places: tuple[int, ...]
    alive: Any


def pass_arguments(
    kernel: KernelText,
    signature: Signature,
    arguments: Sequence[Any],
    buffers: Sequence[Buffer] | None,
) -> Passed:
    """Check the arguments against the kernel's parameters and lay them out."""
    kinds, sizes = signature.kinds, signature.sizes
    if len(arguments) != len(kinds):
        _refuse(kernel, f"expected {len(kinds)} arguments, found {len(arguments)}")
    words = bytearray()
    places: list[int] = []
    arrays: list[tuple[int, Buffer, np.ndarray[Any, Any]]] = []
    pointer_names = iter(_names(kernel, kinds, buffers))
    for i, (kind, size, value) in enumerate(zip(kinds, sizes, arguments, strict=True)):
        name = kernel.parameters[i].name if i < len(kernel.parameters) else f"argument {i}"
        places.append(len(words) // _WORD_BYTES)
        raw = b""
        if kind in _POINTERS:
            array = _array(kernel, name, value)
            _check_elements(kernel, name, kind, size, array)
            arrays.append((i, next(pointer_names), array))
            size = _WORD_BYTES
        elif isinstance(value, TensorMap) and size == MAP_BYTES:
            arrays.append((i, Buffer(name), value.array))
            raw = value.encoded()
        else:
            raw = _scalar(kernel, name, kind, size, value)
        words += raw.ljust(max(1, -(-size // _WORD_BYTES)) * _WORD_BYTES, b"\0")
    regions, pointers = _regions(arrays)
    if len(regions) > _MAX_REGIONS:
        _refuse(kernel, f"expected at most {_MAX_REGIONS} arrays, found {len(regions)}")
    return Passed(regions, pointers, bytes(words), tuple(places), tuple(arguments))


def _names(kernel: KernelText, kinds: str, buffers: Sequence[Buffer] | None) -> Sequence[Buffer]:
    pointers = [i for i, kind in enumerate(kinds) if kind in _POINTERS]
    if buffers is None:
        return [kernel.parameters[i] for i in pointers]
    if len(buffers) != len(pointers):
        _refuse(kernel, f"expected names of {len(pointers)} pointer arguments, found {len(buffers)}")
    return buffers


def _array(kernel: KernelText, name: str, value: Any) -> np.ndarray[Any, Any]:
    if not isinstance(value, np.ndarray):
        _refuse(kernel, f"expected an array for `{name}`, found {type(value).__name__}")
    if not value.flags.c_contiguous or not value.dtype.isnative or value.dtype.hasobject:
        _refuse(kernel, f"expected a contiguous array of native numbers for `{name}`")
    return value


def _check_elements(kernel: KernelText, name: str, kind: str, size: int, array: np.ndarray[Any, Any]) -> None:
    """Refuse numbers of another size than those that the kernel reads, unless either are bytes, which stand for other
    types. Numbers of another kind may be meant for their bits.
    """
    elements, numpy_kinds = _ELEMENTS.get(kind, ("", ""))
    found = array.dtype
    if found.kind not in numpy_kinds or found.itemsize == size or 1 in (found.itemsize, size):
        return
    type_name = np.dtype(f"{found.kind}{size}").name
    _refuse(
        kernel,
        f"expected an array of {elements} of {size} bytes for `{name}`, found {found.name}",
        f"pass numbers of {type_name}, or the bits of these: {name}.view(np.{type_name})",
    )


def _scalar(kernel: KernelText, name: str, kind: str, size: int, value: Any) -> bytes:
    """The bytes of a number: a numpy scalar of the parameter's size and kind, or a Python number."""
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        if kind == "f" and size in (4, 8):
            return bytes(np.dtype(f"f{size}").type(value).tobytes())
        if kind == "i" and isinstance(value, int) and -(1 << 8 * size - 1) <= value < 1 << 8 * size:
            return (value % (1 << 8 * size)).to_bytes(size, "little")
    elif isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        number = np.asarray(value)
        fits = kind == "s" or (number.dtype.kind in "iub") == (kind == "i")
        if fits and number.dtype.itemsize == size:
            return bytes(number.tobytes())
    _refuse(kernel, f"expected {_KIND_NAMES[kind]} of {size} bytes for `{name}`, found {_text_of(value)}")


def _text_of(value: Any) -> str:
    if not hasattr(value, "dtype"):
        return f"{type(value).__name__} {value!r:.40}"
    is_structure = value.dtype.names is not None
    return f"one of {value.dtype.itemsize} bytes" if is_structure else f"{value.dtype.name}"


def _regions(
    arrays: Sequence[tuple[int, Buffer, np.ndarray[Any, Any]]],
) -> tuple[tuple[Region, ...], tuple[tuple[int, int, int], ...]]:
    """Merge arrays that overlap, so that a copy of one is a copy of all."""
    order = sorted(range(len(arrays)), key=lambda i: (arrays[i][2].ctypes.data, -arrays[i][2].nbytes))
    regions: list[Region] = []
    pointers: list[tuple[int, int, int]] = []
    for i in order:
        argument, buffer, array = arrays[i]
        start, size = array.ctypes.data, array.nbytes
        read_only = buffer.read_only or not array.flags.writeable
        previous = regions[-1] if regions else None
        if previous is not None and size and previous.bytes and start < previous.address + previous.bytes:
            end = max(previous.address + previous.bytes, start + size)
            name = previous.name if previous.name == buffer.name else f"{previous.name}/{buffer.name}"
            regions[-1] = Region(
                name,
                previous.address,
                end - previous.address,
                min(previous.item, array.itemsize),
                previous.read_only and read_only,
            )
        else:
            regions.append(Region(buffer.name, start, size, array.itemsize, read_only))
        pointers.append((argument, len(regions) - 1, start - regions[-1].address))
    return tuple(regions), tuple(pointers)


def _refuse(kernel: KernelText, title: str, hint: str = "") -> NoReturn:
    hint = hint or f"it is {signature(kernel)}"
    raise SimulatorError(Diagnostic("wrong-arguments", f"kernel `{kernel.name}`: {title}", hint=hint))
