"""Converts JAX arrays to numpy arrays and back, without copying.

Does not import JAX: a caller who passes a JAX array has imported it.
"""

from __future__ import annotations

import sys
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rise.arguments.library import Library, refuse_device, refuse_export
from rise.arguments.mismatches import SCALAR_NAMES, refuse

#: the address of an array that JAX shares is a multiple of this
ALIGNMENT: Final = 64
#: the number of bytes from which JAX takes less time to share an array than to copy it
SHARED_BYTES: Final = 1 << 20


def view_of_array(name: str, value: Any) -> NDArray[Any]:
    """A JAX array as a read-only numpy array."""
    jax: Any = sys.modules["jax"]
    if isinstance(value, jax.core.Tracer):
        problem = "it is traced, by `jax.jit` or another transformation, and has no values yet"
        refuse_export(name, value, problem, "call the program there as `shine.jax.call(program)(...)`")
    try:
        platform = next(iter(value.devices())).platform
        if platform == "cpu":
            return np.asarray(value)
    except Exception as problem:  # deleted, on another machine, of a type that numpy lacks
        found, hint = str(problem), "pass an array of numbers in host memory"
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            found, hint = (
                "it contains random keys",
                f"pass their data: `jax.random.key_data({name})`",
            )
        elif value.is_deleted():
            found, hint = "it was deleted, or donated to a call", "pass an array that still exists"
        refuse_export(name, value, found, hint)
    refuse_device(name, value, platform, f'copy it there: `jax.device_put({name}, jax.devices("cpu")[0])`')


def array_of(array: NDArray[Any]) -> Any:
    """A numpy array as a JAX array. Raises RiseError for 64-bit numbers if JAX would truncate them."""
    jax: Any = sys.modules["jax"]
    if array.dtype.itemsize >= 8 and jax.dtypes.canonicalize_dtype(array.dtype) != array.dtype:
        name = SCALAR_NAMES.get(array.dtype, array.dtype.name)
        title = f"expected a result type that JAX supports, found {name}, which JAX truncates to 32 bits"
        hint = 'call `jax.config.update("jax_enable_x64", True)` first, or pass numpy arrays'
        refuse("result-library", title, hint)
    if array.nbytes >= SHARED_BYTES or jax.default_backend() != "cpu":
        return jax.device_put(array, jax.devices("cpu")[0])
    return jax.numpy.asarray(array)


def shared_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A new numpy array whose memory JAX can share."""
    count = prod(shape) * dtype.itemsize
    room = np.empty(count + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + count].view(dtype).reshape(shape)


JAX: Final = Library(
    "jax",
    view_of_array,
    array_of,
    lambda dtype: f".astype({dtype.name!r})",
    lambda shape, dtype: f"jax.numpy.empty({shape}, {dtype.name!r})",
    is_writable=False,
    allocate=shared_array,
    shared_bytes=SHARED_BYTES,
)
