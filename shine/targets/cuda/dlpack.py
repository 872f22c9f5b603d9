"""Imports and exports arrays with DLPack, as addresses, shapes and strides. Independent of drivers.

The structures are those of dlpack.h, version 1; capsules of earlier versions (`dltensor`) are read and written too. A
capsule is read once: it is renamed, and its deleter is called when the borrowed array is no longer needed.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from rise.records import dataclass
from rise.scalars import SCALARS

CPU: Final = 1
CUDA: Final = 2
CUDA_HOST: Final = 3
CUDA_MANAGED: Final = 13
VERSION: Final = (1, 0)
READ_ONLY: Final = 1  # a flag

_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL, _FLOAT8_E4M3FN, _FLOAT8_E5M2 = 0, 1, 2, 4, 5, 6, 10, 12
#: numpy's types by DLPack's code and bits, each of one lane
DTYPES: Final[Mapping[tuple[int, int], np.dtype[Any]]] = {
    **{(_INT, 8 * size): np.dtype(f"i{size}") for size in (1, 2, 4, 8)},
    **{(_UINT, 8 * size): np.dtype(f"u{size}") for size in (1, 2, 4, 8)},
    **{(_FLOAT, 8 * size): np.dtype(f"f{size}") for size in (2, 4, 8)},
    **{(_COMPLEX, 8 * size): np.dtype(f"c{size}") for size in (8, 16)},
    (_BFLOAT, 16): SCALARS["bf16"].dtype,
    (_FLOAT8_E4M3FN, 8): SCALARS["f8e4m3"].dtype,
    (_FLOAT8_E5M2, 8): SCALARS["f8e5m2"].dtype,
    (_BOOL, 8): np.dtype(np.bool_),
}
_CODES: Final = {dtype: code for code, dtype in DTYPES.items()}


class Device(ctypes.Structure):
    """DLDevice."""

    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class DataType(ctypes.Structure):
    """DLDataType."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class Tensor(ctypes.Structure):
    """DLTensor. Strides count elements; NULL strides mean row-major order."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class ManagedTensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """An array in some memory: `strides` in bytes, `dtype` None for an element type that numpy lacks."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any] | None
    device: tuple[int, int]
    read_only: bool


class Borrowed:
    """An array taken from a capsule; returned to its owner by `release`, or when this object is deleted."""

    __slots__ = ("__weakref__", "layout", "release")

    def __init__(self, layout: Layout, managed: int, deleter: int | None) -> None:
        self.layout = layout
        self.release = weakref.finalize(self, _delete, managed, deleter)


# These names must stay alive: a capsule keeps a pointer to its name.
_NAMES: Final = {
    False: (b"dltensor", b"used_dltensor"),
    True: (b"dltensor_versioned", b"used_dltensor_versioned"),
}
_KINDS: Final[Mapping[bool, Any]] = {False: ManagedTensor, True: VersionedTensor}
_DELETER: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# A capsule's destructor must not touch its reference count, so it gets an address instead of an object.
_is_valid: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_get_pointer: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_set_name: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_SetName", ctypes.pythonapi)
)
_new: Final = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_keep: Final = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))
_drop: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))


def borrow(capsule: Any) -> Borrowed:
    """Take the array from a capsule. Raises ValueError if it is not a DLPack capsule, or was read before."""
    for is_versioned, (fresh, used) in _NAMES.items():
        if _is_valid(id(capsule), fresh):
            managed = _get_pointer(id(capsule), fresh)
            kind = _KINDS[is_versioned]
            tensor_record = kind.from_address(managed)
            if is_versioned and tensor_record.major != VERSION[0]:
                raise ValueError(
                    f"expected DLPack of version {VERSION[0]}, found {tensor_record.major}.{tensor_record.minor}"
                )
            read_only = is_versioned and bool(tensor_record.flags & READ_ONLY)
            layout = _layout(tensor_record.tensor, read_only)
            _set_name(capsule, used)
            return Borrowed(layout, managed, tensor_record.deleter)
    raise ValueError("expected an unread DLPack capsule, found another object")


def _layout(tensor: Tensor, read_only: bool) -> Layout:
    rank = tensor.ndim
    shape = tuple(tensor.shape[:rank]) if rank else ()
    bits = tensor.dtype.bits * tensor.dtype.lanes
    dtype = DTYPES.get((tensor.dtype.code, tensor.dtype.bits)) if tensor.dtype.lanes == 1 else None
    if rank and tensor.strides:
        strides = tuple(stride * bits // 8 for stride in tensor.strides[:rank])
    else:
        strides = row_major(shape, bits // 8)
    address = (tensor.data or 0) + tensor.byte_offset
    return Layout(address, shape, strides, dtype, (tensor.device.type, tensor.device.id), read_only)


def row_major(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides in bytes of an array in row-major order."""
    strides: list[int] = []
    step = itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def lend(layout: Layout, owner: Any, versioned: bool) -> Any:
    """A capsule for a row-major array of rise-shine; `owner` is kept alive until the reader releases the array.

    Raises BufferError for a read-only array, which the earlier version cannot express.
    """
    if layout.read_only and not versioned:
        raise BufferError("a read-only array needs DLPack 1.0 or newer")
    assert layout.dtype is not None and layout.strides == row_major(layout.shape, layout.dtype.itemsize)
    rank = len(layout.shape)
    numbers = (ctypes.c_int64 * (2 * rank or 1))(
        *layout.shape, *(stride // layout.dtype.itemsize for stride in layout.strides)
    )
    managed = _KINDS[versioned]()
    tensor = managed.tensor
    tensor.data = layout.address or None
    tensor.device = Device(*layout.device)
    tensor.ndim = rank
    tensor.dtype = DataType(*_CODES[layout.dtype], 1)
    tensor.shape = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(ctypes.addressof(numbers) + 8 * rank, ctypes.POINTER(ctypes.c_int64))
    tensor.byte_offset = 0
    if versioned:
        managed.major, managed.minor = VERSION
        managed.flags = READ_ONLY if layout.read_only else 0
    owned = (managed, numbers, owner)
    managed.context = id(owned)
    managed.deleter = ctypes.cast(_give_back[versioned], ctypes.c_void_p).value
    _keep(owned)
    return _new(
        ctypes.addressof(managed), _NAMES[versioned][0], ctypes.cast(_forget[versioned], ctypes.c_void_p)
    )


def _delete(managed: int, deleter: int | None) -> None:
    if deleter and not sys.is_finalizing():
        _DELETER(deleter)(managed)


def _give_back_earlier(address: int) -> None:
    _drop(ManagedTensor.from_address(address).context)


def _give_back_versioned(address: int) -> None:
    _drop(VersionedTensor.from_address(address).context)


def _forget_earlier(capsule: int) -> None:
    if _is_valid(capsule, _NAMES[False][0]):
        _give_back_earlier(_get_pointer(capsule, _NAMES[False][0]))


def _forget_versioned(capsule: int) -> None:
    if _is_valid(capsule, _NAMES[True][0]):
        _give_back_versioned(_get_pointer(capsule, _NAMES[True][0]))


_give_back: Final = {False: _DELETER(_give_back_earlier), True: _DELETER(_give_back_versioned)}
_forget: Final = {False: _DELETER(_forget_earlier), True: _DELETER(_forget_versioned)}
