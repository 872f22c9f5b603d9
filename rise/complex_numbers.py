"""Arithmetic of complex numbers as sequences of rounded operations on their parts. Depends on numpy, but not on terms.

numpy multiplies single complex numbers like this; over arrays it contracts products and sums where the processor can,
so that its results depend on the machine and on an element's position. Its division is this sequence everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def joined(real: Any, imaginary: Any, *, dtype: np.dtype[Any]) -> Array:
    """The complex numbers of a type with these parts. It keeps the signs of zeros, unlike `real + 1j * imaginary`."""
    shape = np.broadcast_shapes(np.shape(real), np.shape(imaginary))
    result = np.empty(shape, dtype)
    result.real, result.imag = real, imaginary
    return result


def product(a: Array, b: Array) -> Array:
    """The product: four products of parts, a difference and a sum, each rounded."""
    real = a.real * b.real - a.imag * b.imag
    imaginary = a.real * b.imag + a.imag * b.real
    return joined(real, imaginary, dtype=a.dtype)


def conjugate(a: Array) -> Array:
    """The number with the negative imaginary part."""
    return joined(a.real, -a.imag, dtype=a.dtype)
