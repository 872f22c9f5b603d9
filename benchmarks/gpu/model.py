"""Records of what can run on a device: a program with a reference, a matrix product to be timed.

Independent of devices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Kernel = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A program and its expected result.

    `build` makes a kernel for an architecture such as sm_90, by `shine.compile`, or from a module by `probe.kernel_of`.
    `inputs` draws arrays and numbers on the host; `reference` computes the result from them in double precision, as an
    array or as pairs of arrays. The largest difference must be at most `tolerance` times the largest number of the
    reference; if it is 0, all numbers must be equal.
    """

    name: str
    build: Callable[[str], Kernel]
    inputs: Callable[[np.random.Generator], tuple[Any, ...]]
    reference: Callable[..., Any]
    tolerance: float


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product C = A B to be timed: rows of A, columns of A, columns of B; element types by rise's names.

    `build` makes a kernel for an architecture; it takes A and B and `out`. It is compared with cuBLAS, or with the
    kernel that `other` makes, if that is given.
    """

    name: str
    build: Callable[[str], Kernel]
    shape: tuple[int, int, int]
    element: str
    result: str
    tolerance: float
    other: Callable[[str], Kernel] | None = None
