"""DLPack capsules: exported arrays are imported unchanged, and memory is kept as long as it is used."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rise.arguments.library import ADDED_DTYPES
from rise.scalars import SCALARS
from shine.targets.cuda.dlpack import (
    CPU,
    CUDA,
    DTYPES,
    Borrowed,
    Layout,
    ManagedTensor,
    borrow,
    lend,
    row_major,
)

SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)


class Owner:
    """An owner of memory, whose lifetime can be observed."""

    def __init__(self, array: Any) -> None:
        self.array = array


class Lender:
    """An array that is exported through our capsules; numpy reads those of the host."""

    def __init__(self, array: Any, device: tuple[int, int] = (CPU, 0), read_only: bool = False) -> None:
        self.owner = Owner(array)
        strides = row_major(array.shape, array.itemsize)
        self.layout = Layout(array.ctypes.data, array.shape, strides, array.dtype, device, read_only)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.layout.device

    def __dlpack__(self, *, max_version: Any = None, **_given: Any) -> Any:
        return lend(self.layout, self.owner, max_version is not None)


@given(
    st.sampled_from([dtype for dtype in DTYPES.values() if dtype.name not in ADDED_DTYPES]),
    SHAPES,
    st.booleans(),
)
def test_numpy_reads_exported_arrays(dtype: Any, shape: tuple[int, ...], is_odd: bool) -> None:
    count = int(np.prod(shape, dtype=int))
    array = (np.arange(count) % 2 == is_odd).astype(dtype).reshape(shape)
    read = np.from_dlpack(Lender(array))
    assert read.dtype == array.dtype and read.shape == array.shape and (read == array).all()


@given(st.sampled_from(sorted(SCALARS)), SHAPES, st.integers(0, 3), st.booleans(), st.booleans())
def test_exported_arrays_are_imported(
    name: str, shape: tuple[int, ...], number: int, versioned: bool, read_only: bool
) -> None:
    dtype = SCALARS[name].dtype
    layout = Layout(1 << 40, shape, row_major(shape, dtype.itemsize), dtype, (CUDA, number), read_only)
    if read_only and not versioned:
        with pytest.raises(BufferError):
            lend(layout, None, versioned)
        return
    assert borrow(lend(layout, None, versioned)).layout == layout


@given(arrays.arrays(np.float32, SHAPES), st.booleans(), st.booleans())
def test_arrays_of_numpy_are_imported_with_their_strides(array: Any, versioned: bool, flips: bool) -> None:
    seen = array.T[..., ::-1] if flips and array.ndim else array.T
    capsule = seen.__dlpack__(max_version=(1, 0)) if versioned else seen.__dlpack__()
    layout = borrow(capsule).layout
    assert layout.shape == seen.shape and layout.dtype == seen.dtype and layout.device == (CPU, 0)
    if seen.size:
        assert layout.address == seen.ctypes.data
        steps = zip(layout.strides, seen.strides, seen.shape, strict=True)
        assert all(ours == theirs for ours, theirs, size in steps if size > 1)


def test_a_read_only_array_is_marked() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    assert borrow(array.__dlpack__(max_version=(1, 0))).layout.read_only


def test_a_capsule_is_read_once() -> None:
    capsule = np.zeros(3).__dlpack__()
    kept = borrow(capsule)
    with pytest.raises(ValueError, match="expected an unread DLPack capsule"):
        borrow(capsule)
    assert "used_dltensor" in repr(capsule) and isinstance(kept, Borrowed)


@pytest.mark.parametrize("given", [None, 3, "dltensor", object()])
def test_values_that_are_not_capsules_are_rejected(given: Any) -> None:
    with pytest.raises(ValueError, match="capsule"):
        borrow(given)


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("reads", ["not", "and drops", "and releases", "twice"])
def test_memory_is_kept_while_it_is_exported(versioned: bool, reads: str) -> None:
    lender = Lender(np.zeros(3))
    seen = weakref.ref(lender.owner)
    capsule = lend(lender.layout, lender.owner, versioned)
    del lender
    gc.collect(0)
    assert seen() is not None
    borrowed = borrow(capsule) if reads != "not" else None
    del capsule
    gc.collect(0)
    if borrowed is not None:
        assert seen() is not None
        if reads in ("and releases", "twice"):
            borrowed.release()
            assert seen() is None
        if reads == "twice":
            borrowed.release()
        del borrowed
        gc.collect(0)
    assert seen() is None


def test_numpy_releases_what_it_has_read() -> None:
    lender = Lender(np.arange(3.0))
    seen = weakref.ref(lender.owner)
    read = np.from_dlpack(lender)
    del lender
    gc.collect(0)
    assert seen() is not None and read[1:].tolist() == [1, 2]
    del read
    gc.collect(0)
    assert seen() is None


def test_an_element_type_that_numpy_lacks_has_no_dtype() -> None:
    capsule = np.zeros(3, np.complex64).__dlpack__()
    at = ctypes.pythonapi.PyCapsule_GetPointer
    at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = ManagedTensor.from_address(at(capsule, b"dltensor"))
    tensor.tensor.dtype.bits = 32  # parts of 16 bits
    assert borrow(capsule).layout.dtype is None
