"""Libraries with arrays on the stub's device, like PyTorch (DLPack) or Numba (the CUDA array interface)."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from shine.targets.cuda.dlpack import CUDA, Borrowed, Layout, borrow, lend, row_major


class Array:
    """An array of a library, in host memory that is treated as a device's."""

    def __init__(self, values: Any, device: int = 0, strides: tuple[int, ...] | None = None) -> None:
        self.values = values
        self.device = device
        self.strides = values.strides if strides is None else strides
        self.streams: list[Any] = []

    @classmethod
    def of(cls, array: Any) -> Any:
        """`from_dlpack`."""
        borrowed = borrow(array.__dlpack__(stream=cls.reads_on, max_version=(1, 0)))
        made = cls(_view(borrowed), borrowed.layout.device[1])
        made.keep = borrowed
        return made

    keep: Any = None
    reads_on = 21


def _view(borrowed: Borrowed) -> Any:
    layout = borrowed.layout
    assert layout.dtype is not None
    interface = {
        "shape": (int(np.prod(layout.shape, dtype=int)) * layout.dtype.itemsize,),
        "typestr": "|u1",
        "data": (layout.address, False),
        "version": 3,
    }
    flat = np.asarray(SimpleNamespace(__array_interface__=interface))
    return flat.view(layout.dtype).reshape(layout.shape)


class DlpackArray(Array):
    """An array with DLPack; with the version before 1.0 if `earlier`."""

    earlier = False

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CUDA, self.device)

    def __dlpack__(self, **given: Any) -> Any:
        if self.earlier and set(given) != {"stream"}:
            raise TypeError("an unexpected argument")
        self.streams.append(given["stream"])
        one = self.values
        read_only = not one.flags.writeable
        layout = Layout(one.ctypes.data, one.shape, one.strides, one.dtype, (CUDA, self.device), read_only)
        if one.strides != row_major(one.shape, one.itemsize):
            return one.__dlpack__()
        return lend(layout, one, "max_version" in given)


class InterfaceArray(Array):
    """An array with the CUDA array interface."""

    stream: int | None = None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        one = self.values
        found = {
            "shape": one.shape,
            "typestr": one.dtype.str,
            "data": (one.ctypes.data, not one.flags.writeable),
            "strides": None if one.flags.c_contiguous else one.strides,
            "version": 3,
        }
        return found if self.stream is None else {**found, "stream": self.stream}


def install(patch: pytest.MonkeyPatch, name: str, kind: type[Array], **more: Any) -> Any:
    """Simulate an imported library of this name; returns its array class."""
    made = type(kind.__name__, (kind,), {"__module__": f"{name}.arrays"})
    module = ModuleType(name)
    for attribute, value in more.items():
        setattr(module, attribute, value)
    if kind is DlpackArray:
        module.from_dlpack = made.of  # type: ignore[attr-defined]  # a module made here
    patch.setitem(sys.modules, name, module)
    return made


def aligned(values: Any, offset: int = 0) -> Any:
    """A copy whose address is a multiple of 256 bytes, plus `offset` bytes."""
    whole = np.empty(values.nbytes + 512, np.uint8)
    start = -whole.ctypes.data % 256 + offset
    copy = whole[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    copy[...] = values
    return copy
