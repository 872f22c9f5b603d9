"""Converts arrays of any library to numpy arrays that share their memory, and chooses the library of results.

PyTorch and JAX have records of their own. Others are known by the protocols that they implement: DLPack,
`__array_interface__`, buffers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rise.arguments.jax_arrays import JAX
from rise.arguments.library import Library, dtype_text, refuse_device, refuse_export
from rise.arguments.mismatches import (
    SCALAR_NAMES,
    array_name,
    is_python_number,
    package_of,
    refuse,
    shape_text,
)
from rise.arguments.ragged_arrays import Ragged
from rise.arguments.torch_tensors import TORCH
from rise.values import map_leaves

#: the devices of DLPack whose memory processors read: the host, and memory that CUDA or ROCm pinned
HOST_DEVICES: Final = (1, 3, 11)
#: methods that copy an array to the host, in the libraries that have them
TO_HOST: Final = ("numpy", "get", "cpu")
#: the classes of numpy's arrays, of Python's numbers, and of absent values
PLAIN: Final = frozenset((np.ndarray, bool, int, float, complex, type(None)))
#: classes of objects that are certainly no arrays
NO_ARRAYS: Final = frozenset((str, bytes, bool, int, float, complex, type(None), list, tuple, dict, set))


def as_numpy(name: str, value: Any) -> Any:
    """An array of any library as a numpy array that shares its memory; anything else unchanged.

    Raises RiseError for an array that numpy cannot share; `name` is its name in messages.

    >>> as_numpy("x", memoryview(b"ab")).tolist(), as_numpy("x", 2.5)
    ([97, 98], 2.5)
    """
    library = None if isinstance(value, np.ndarray | np.generic) else library_of(value)
    return value if library is None else library.view(name, value)


def library_of(value: Any) -> Library | None:
    """The library of an array; None for anything else. Buffers and other objects that numpy reads count as numpy's."""
    kind: Any = type(value)
    if kind is np.ndarray:
        return NUMPY
    if kind in NO_ARRAYS:
        return None
    if (library := _library_of_class(kind)) is not None:
        return library
    if is_python_number(value) or isinstance(value, np.generic | type):
        return None
    if isinstance(
        value, getattr(sys.modules.get("jax"), "Array", ())
    ):  # traced arrays by their tracers' types
        return JAX
    if callable(getattr(value, "__dlpack__", None)):
        return _by_dlpack(value)
    if hasattr(value, "__array_interface__"):
        return INTERFACE
    return BUFFER if _is_buffer(value) else None


@lru_cache(maxsize=1 << 8)
def _library_of_class(kind: type) -> Library | None:
    """The library of all objects of a class, if the class determines it."""
    if issubclass(kind, np.ndarray):
        return NUMPY
    if issubclass(kind, getattr(sys.modules.get("torch"), "Tensor", ())):
        return TORCH
    return JAX if issubclass(kind, getattr(sys.modules.get("jax"), "Array", ())) else None


def are_plain(values: Iterable[Any]) -> bool:
    """Whether values are numpy's arrays and Python's numbers, which need no conversion."""
    return PLAIN.issuperset(map(type, values))


def is_array(value: Any) -> bool:
    """Whether a value is an array of any library."""
    return library_of(value) is not None


def libraries_in(values: Any) -> Iterator[Library]:
    """The libraries of the arrays in a tree of values, in order: tuples, lists of rows, and rows in one array."""
    work = [values]
    while work:
        value = work.pop()
        if isinstance(value, tuple | list):
            work += reversed(value)
        elif isinstance(value, Ragged):
            work.append(value.values)
        elif (library := library_of(value)) is not None:
            yield library


def library_for(arguments: Any, out: Any = None) -> Library:
    """The library of a call's results: that of the first array among the arguments, or that of `out`, or numpy.

    Raises RiseError for an `out` of another library, or of a library whose arrays cannot be written.
    """
    first = next(libraries_in(arguments), None)
    for given in libraries_in(out):
        if not given.is_writable:
            title = f"`out`: expected a writable array, found one of {given.name}"
            refuse(
                "argument-type", title, f"omit `out`: results are arrays of {given.name} if the inputs are"
            )
        if first is not None and given.name != first.name:
            title = (
                f"`out`: expected an array of {first.name}, as the first input is, found one of {given.name}"
            )
            refuse("argument-type", title, "pass inputs and `out` of the same library, or omit `out`")
        first = first or given
    return first or NUMPY


def given_as(library: Library, result: Any) -> Any:
    """A result, a numpy array or nested pairs of them, as arrays of a library."""
    if library.give is None:
        return result
    return library.give(result) if type(result) is np.ndarray else map_leaves(library.give, result)


def first_of(libraries: Iterable[Library | None]) -> Library:
    """The first library among these, which results belong to; numpy if there is none."""
    return next((library for library in libraries if library is not None), NUMPY)


def cast_hint(value: Any, found: np.dtype[Any], expected: np.dtype[Any]) -> str:
    """The hint for an array of an unexpected type: its conversion in the notation of its library."""
    conversion = (library_of(value) or NUMPY).cast(expected)
    exists = found.newbyteorder("=") in SCALAR_NAMES
    reason = "nothing is converted silently" if exists else f"the language has no numbers of type {found}"
    return f"convert it: {conversion}; {reason}"


def described(value: Any, array: Any) -> str:
    """A description of a value for messages: the array that it was read as, and its class unless it is numpy's."""
    text = shape_text(array)
    if isinstance(value, np.ndarray | np.generic):
        return text
    return f"{array_name(value)} of {text}" if array.shape else f"{array_name(value)}: {text}"


def _is_buffer(value: Any) -> bool:
    """Whether a value is memory with a format."""
    try:
        with memoryview(value):
            return True
    except (TypeError, ValueError, BufferError):
        return False


def _from_interface(name: str, value: Any) -> NDArray[Any]:
    try:
        if value.__array_interface__.get("mask") is None:
            return np.asarray(value)
    except Exception as problem:  # a library may raise any exception
        refuse_export(name, value, problem, "pass a numpy array")
    refuse_export(
        name, value, "it has a mask, which cannot be passed", "fill it, and pass the resulting array"
    )


def _from_buffer(name: str, value: Any) -> NDArray[Any]:
    try:
        return np.asarray(memoryview(value))
    except Exception as problem:  # of a format that numpy does not read
        refuse_export(name, value, problem, "pass a numpy array")


def _from_dlpack(name: str, value: Any) -> NDArray[Any]:
    try:
        device, number = map(int, value.__dlpack_device__())
        if device in HOST_DEVICES:
            return np.from_dlpack(value)
    except Exception as problem:  # a library may raise any exception
        refuse_export(name, value, problem, "pass a numpy array, which may share its memory")
    method = next((one for one in TO_HOST if callable(getattr(value, one, None))), None)
    hint = f"copy it there: `{name}.{method}()`" if method else "copy it there"
    refuse_device(name, value, f"the device ({device}, {number}) of DLPack", hint)


def _by_dlpack(value: Any) -> Library:
    """The library of an array with `__dlpack__`: results are arrays of it if its namespace reads those of others."""
    namespace = getattr(value, "__array_namespace__", None)
    try:
        give = getattr(namespace() if callable(namespace) else None, "from_dlpack", None)
    except Exception:  # a library may raise any exception
        give = None
    if give is None:
        return DLPACK
    name = package_of(value)
    cast = partial(_numpy_cast, "numpy.from_dlpack(...)")
    return Library(name, _from_dlpack, partial(_given, name, give), cast, _some_empty)


def _given(name: str, give: Callable[[Any], Any], array: NDArray[Any]) -> Any:
    try:
        return give(array)
    except Exception as problem:  # a library may raise any exception
        title = f"{name} cannot import the result, of {array.dtype.name}: {problem}"
        refuse("result-library", title, "pass numpy arrays")


def _some_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"an array of shape {shape} of {dtype.name}"


def _numpy_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"numpy.empty({shape}, {dtype_text(dtype)})"


def _numpy_cast(read: str, dtype: np.dtype[Any]) -> str:
    return f"{read}.astype({dtype_text(dtype)})"


def _numpys(view: Callable[[str, Any], NDArray[Any]], read: str) -> Library:
    """The library of arrays that numpy reads, and for which results are numpy arrays."""
    return Library("numpy", view, None, partial(_numpy_cast, read), _numpy_empty)


NUMPY: Final = _numpys(lambda _name, array: array, "")
INTERFACE: Final = _numpys(_from_interface, "numpy.asarray(...)")
BUFFER: Final = _numpys(_from_buffer, "numpy.asarray(...)")
DLPACK: Final = _numpys(_from_dlpack, "numpy.from_dlpack(...)")
