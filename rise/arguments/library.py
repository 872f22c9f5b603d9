"""The interface to an array library, and the messages about its arrays. Independent of libraries other than numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from rise.arguments.mismatches import array_name, refuse
from rise.records import dataclass

#: the numpy types that ml_dtypes adds, by their names; other libraries use the same names
ADDED_DTYPES: Final = {
    name: np.dtype(getattr(ml_dtypes, name))
    for name in (
        "bfloat16",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "float8_e8m0fnu",
    )
}


@dataclass(frozen=True, slots=True)
class Library:
    """A library of arrays.

    - `view`: its array as a numpy array, without a copy; the first argument is the name in messages. Raises
      RiseError for an array that numpy cannot share.
    - `give`: a numpy array as an array of the library; None for numpy itself.
    - `cast`, `empty`: the source text of a conversion to a numpy type, and of a new array of a shape and type.
    - `is_writable`: whether arrays of it can be written.
    - `allocate`: a new numpy array that `give` need not copy, for libraries that cannot share every array, but share
      those of at least `shared_bytes`.
    """

    name: str
    view: Callable[[str, Any], NDArray[Any]]
    give: Callable[[NDArray[Any]], Any] | None
    cast: Callable[[np.dtype[Any]], str]
    empty: Callable[[tuple[int, ...], np.dtype[Any]], str]
    is_writable: bool = True
    allocate: Callable[[tuple[int, ...], np.dtype[Any]], NDArray[Any]] | None = None
    shared_bytes: int = 0


def dtype_text(dtype: np.dtype[Any]) -> str:
    """A type as an argument of numpy's functions, which do not know the types of ml_dtypes by name.

    >>> dtype_text(np.dtype("f4")), dtype_text(ADDED_DTYPES["bfloat16"])
    ("'float32'", 'ml_dtypes.bfloat16')
    """
    return f"ml_dtypes.{dtype.name}" if dtype.name in ADDED_DTYPES else repr(dtype.name)


def nameless(array: NDArray[Any]) -> NDArray[Any]:
    """An array for a file in numpy's format, which cannot name the types that ml_dtypes adds: as bytes without a type.

    >>> nameless(np.zeros(2, ADDED_DTYPES["float8_e5m2"])).dtype.str
    '|V1'
    """
    return array.view(f"V{array.itemsize}") if array.dtype.name in ADDED_DTYPES else array


def refuse_export(name: str, value: Any, problem: object, hint: str) -> NoReturn:
    """Raise RiseError for an array that cannot be read."""
    title = f"`{name}`: expected an array that can be read, found {array_name(value)}: {problem}"
    refuse("argument-type", title, hint)


def refuse_device(name: str, value: Any, device: str, hint: str) -> NoReturn:
    """Raise RiseError for an array in the memory of a device."""
    title = f"`{name}`: expected an array in host memory, found {array_name(value)} on {device}"
    refuse("wrong-device", title, hint)
