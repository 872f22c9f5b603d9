"""The runtime's records as ctypes structures, which mirror `runtime/state.h`, `findings.h` and `serve.h`."""

from __future__ import annotations

import ctypes
from enum import IntEnum, auto


class BufferRecord(ctypes.Structure):
    """An array of the caller at an offset of the shared memory, or a variable of the library."""

    _fields_ = (
        ("offset", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("read_only", ctypes.c_uint32),
        ("is_variable", ctypes.c_uint32),
    )


class ArrayPlace(ctypes.Structure):
    """A shared array. `within` is the number + 1 of the static array around it, `pointer` that of a pointer."""

    _fields_ = (
        ("offset", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("within", ctypes.c_uint32),
        ("pointer", ctypes.c_uint32),
    )


class Request(ctypes.Structure):
    """The parameters of a launch. The process that runs it sets the pointers: its tables follow in the message."""

    _fields_ = (
        ("kernel", ctypes.c_uint32),
        ("schedule", ctypes.c_uint32),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("cluster", ctypes.c_uint32 * 3),
        ("seed", ctypes.c_uint64),
        ("budget", ctypes.c_uint64),
        ("most_switches", ctypes.c_uint64),
        ("dynamic_bytes", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("arguments", ctypes.c_void_p),
        ("checking", ctypes.c_uint32),
        ("granule", ctypes.c_uint32),
        ("buffer_count", ctypes.c_uint32),
        ("static_count", ctypes.c_uint32),
        ("dynamic_count", ctypes.c_uint32),
        ("pointer_count", ctypes.c_uint32),
        ("buffers", ctypes.c_void_p),
        ("static_arrays", ctypes.c_void_p),
        ("dynamic_arrays", ctypes.c_void_p),
        ("pointers", ctypes.c_void_p),
        ("stacks", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("memory_bytes", ctypes.c_uint64),
        ("first_digest", ctypes.c_uint64),
        ("again", ctypes.c_uint32),
        ("guard_count", ctypes.c_uint32),
        ("guards", ctypes.c_void_p),
        ("deferral_count", ctypes.c_uint64),
        ("deferrals", ctypes.c_void_p),
    )


class RequestHead(ctypes.Structure):
    """The header of a request, before its tables."""

    _fields_ = (
        ("request", Request),
        ("memory_bytes", ctypes.c_uint64),
        ("argument_count", ctypes.c_uint64),
        ("word_count", ctypes.c_uint64),
    )


class AnswerHead(ctypes.Structure):
    """The header of an answer, before its findings."""

    _fields_ = (
        ("status", ctypes.c_int32),
        ("finding_count", ctypes.c_uint32),
        ("needed_granule", ctypes.c_uint32),
        ("finding_bytes", ctypes.c_uint32),
        ("switches", ctypes.c_uint64),
        ("steps", ctypes.c_uint64),
        ("processor_nanoseconds", ctypes.c_uint64),
        ("printed_bytes", ctypes.c_uint64),
        ("dropped_bytes", ctypes.c_uint64),
        ("digest", ctypes.c_uint64),
        ("count_records", ctypes.c_uint64),
        ("reached", ctypes.c_uint64),
        ("deferred", ctypes.c_uint64),
    )


class FindingKind(IntEnum):
    """The kinds of findings, in the order of the runtime."""

    RACE = 0
    OUT_OF_BOUNDS = auto()
    MISALIGNED = auto()
    UNINITIALISED = auto()
    DIVERGENT_BARRIER = auto()
    DEADLOCK = auto()
    READ_ONLY = auto()
    BAD_MASK = auto()
    BUDGET = auto()
    FAULT = auto()
    TRAP = auto()
    BAD_INDEX = auto()
    BAD_STRIDE = auto()
    DIVERGENT_ARGUMENTS = auto()
    IN_FLIGHT = auto()
    NOT_WAITED = auto()
    BAD_COPY = auto()
    BAD_BARRIER = auto()
    NO_PROXY_FENCE = auto()
    BAD_OPERAND = auto()
    LIFETIME = auto()
    STALE = auto()


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
