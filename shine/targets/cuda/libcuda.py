"""Calls of NVIDIA's driver that PyCUDA lacks, through ctypes: streams of other libraries, the device of an address.
Independent of arrays. The device's context must be current.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

NAME: Final = "libcuda.so.1"
_NO_TIMING: Final = 2  # CU_EVENT_DISABLE_TIMING
_DEVICE_ORDINAL: Final = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


class CallFailed(Exception):
    """A call of the driver failed."""


def load() -> Any:
    """The library. Raises OSError if NVIDIA's driver is not installed."""
    return ctypes.CDLL(NAME)


def wait(library: Any, waiting: int, awaited: int) -> None:
    """Make a stream wait for the work launched on another so far. Raises CallFailed."""
    event = ctypes.c_void_p()
    _check(library, "cuEventCreate", ctypes.byref(event), ctypes.c_uint(_NO_TIMING))
    try:
        _check(library, "cuEventRecord", event, ctypes.c_void_p(awaited))
        _check(library, "cuStreamWaitEvent", ctypes.c_void_p(waiting), event, ctypes.c_uint(0))
    finally:
        # An event may be destroyed while a stream still waits for it.
        _check(library, "cuEventDestroy_v2", event)


def device_of(library: Any, address: int) -> int:
    """The number of the device that an address belongs to, or -1."""
    device = ctypes.c_int(-1)
    function = library.cuPointerGetAttribute
    status = function(ctypes.byref(device), ctypes.c_int(_DEVICE_ORDINAL), ctypes.c_uint64(address))
    return -1 if status else device.value


def _check(library: Any, name: str, *arguments: Any) -> None:
    status = getattr(library, name)(*arguments)
    if status:
        text = ctypes.c_char_p()
        library.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
        raise CallFailed(f"{name} failed: {(text.value or b'unknown error').decode(errors='replace')}")
