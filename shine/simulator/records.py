"""The runtime's records as ctypes structures, which mirror `runtime/state.h` and `runtime/findings.h`."""

from __future__ import annotations

import ctypes
from typing import Final

#: of all blocks that have begun and not ended
MAX_RESIDENT_THREADS: Final = 16 * 1024


class BufferRecord(ctypes.Structure):
    """An array of the caller."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
        ("read_only", ctypes.c_uint32),
        ("staged", ctypes.c_uint32),
    )


class ArrayPlace(ctypes.Structure):
    """A shared array."""

    _fields_ = (("offset", ctypes.c_uint64), ("bytes", ctypes.c_uint64))


class Stacks(ctypes.Structure):
    """Stacks of threads, mapped on first use."""

    _fields_ = (("at", ctypes.c_void_p * MAX_RESIDENT_THREADS), ("count", ctypes.c_uint32))


class Request(ctypes.Structure):
    """The parameters of a launch."""

    _fields_ = (
        ("kernel", ctypes.c_uint32),
        ("schedule", ctypes.c_uint32),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("seed", ctypes.c_uint64),
        ("budget", ctypes.c_uint64),
        ("dynamic_bytes", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("checking", ctypes.c_uint32),
        ("granule", ctypes.c_uint32),
        ("buffer_count", ctypes.c_uint32),
        ("static_count", ctypes.c_uint32),
        ("dynamic_count", ctypes.c_uint32),
        ("pointer_count", ctypes.c_uint32),
        ("buffers", ctypes.POINTER(BufferRecord)),
        ("static_arrays", ctypes.POINTER(ArrayPlace)),
        ("dynamic_arrays", ctypes.POINTER(ArrayPlace)),
        ("pointers", ctypes.POINTER(ctypes.c_uint64 * 3)),
        ("stacks", ctypes.POINTER(Stacks)),
    )


class KernelRecord(ctypes.Structure):
    """A kernel: sizes of its parameters, and a letter for the kind of each."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("run", ctypes.c_void_p),
        ("count", ctypes.c_int),
        ("sizes", ctypes.POINTER(ctypes.c_int)),
        ("kinds", ctypes.c_char_p),
    )


class FindingRecord(ctypes.Structure):
    """A finding."""

    _fields_ = (
        ("kind", ctypes.c_int32),
        ("access", ctypes.c_int32),
        ("other_access", ctypes.c_int32),
        ("space", ctypes.c_int32),
        ("array", ctypes.c_int32),
        ("size", ctypes.c_int32),
        ("place", ctypes.c_uint32),
        ("other_place", ctypes.c_uint32),
        ("block", ctypes.c_uint32),
        ("thread", ctypes.c_uint32),
        ("other_block", ctypes.c_uint32),
        ("other_thread", ctypes.c_uint32),
        ("offset", ctypes.c_int64),
        ("number", ctypes.c_int64),
        ("other_number", ctypes.c_int64),
        ("text", ctypes.c_char * 64),
    )
