"""numpy's functions that create sequences of numbers from sizes: powers, and windows of signals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None
) -> Any:
    """`np.logspace`: powers of a number with equally spaced exponents."""
    found = base ** np.linspace(start, stop, num, endpoint=endpoint)
    return found if dtype is None else found.astype(dtype)


def geomspace(start: float, stop: float, num: Any = 50, endpoint: bool = True, dtype: Any = None) -> Any:
    """`np.geomspace` of real numbers: the quotient of adjacent numbers is constant."""
    sign = math.copysign(1.0, start)
    found = sign * logspace(math.log10(sign * start), math.log10(sign * stop), num, endpoint)
    places = np.arange(num)
    found = np.where(places == 0, start, found)
    found = np.where(places == num - 1, stop, found) if endpoint else found
    return found if dtype is None else found.astype(dtype)


def hanning(M: Any) -> Any:
    """`np.hanning`."""
    return 0.5 + 0.5 * np.cos(np.pi * _from_the_middle(M))


def hamming(M: Any) -> Any:
    """`np.hamming`."""
    return 0.54 + 0.46 * np.cos(np.pi * _from_the_middle(M))


def blackman(M: Any) -> Any:
    """`np.blackman`."""
    place = _from_the_middle(M)
    return 0.42 + 0.5 * np.cos(np.pi * place) + 0.08 * np.cos(2.0 * np.pi * place)


def bartlett(M: Any) -> Any:
    """`np.bartlett`."""
    return 1.0 - np.abs(_from_the_middle(M))


def _from_the_middle(count: Any) -> Any:
    """Equally spaced numbers from -1 to 1; a single one is 0."""
    return (2.0 * np.arange(count).astype(np.float64) - (count - 1)) / max(count - 1, 1)
