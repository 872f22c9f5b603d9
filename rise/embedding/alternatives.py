"""Alternatives to numpy functions that programs do not support, by name. Independent of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

#: functions of `rise.embedding` with a stated result length, and how they are called instead of numpy's
OF_STATED_LENGTH: Final[Mapping[Callable[..., Any], str]] = MappingProxyType(
    {
        np.flatnonzero: "flatnonzero(x, size)",
        np.nonzero: "nonzero(x, size)",
        np.argwhere: "nonzero(x, size)",
        np.compress: "compress(condition, x, size)",
        np.extract: "compress(condition, x, size)",
        np.unique: "unique(x, size)",
        np.union1d: "union1d(x, y, size)",
        np.intersect1d: "intersect1d(x, y, size)",
        np.setdiff1d: "setdiff1d(x, y, size)",
    }
)

#: for functions without a replacement
BEFORE: Final = "call it before the program, and pass its results as arguments"
#: functions that programs do not support, and what to write instead
INSTEAD: Final[Mapping[Callable[..., Any], str]] = MappingProxyType(
    {
        **dict.fromkeys((np.linalg.eig, np.linalg.eigh, np.linalg.eigvals, np.linalg.eigvalsh), BEFORE),
        **dict.fromkeys((np.linalg.svd, np.linalg.qr, np.linalg.matrix_rank, np.linalg.cond), BEFORE),
        np.linalg.lstsq: "if the columns are independent: `np.linalg.solve(a.T @ a, a.T @ b)`",
        np.linalg.pinv: "if the columns are independent: `np.linalg.inv(a.T @ a) @ a.T`",
        np.linalg.multi_dot: "write the products in the order in which they are to be computed: `a @ b @ c`",
        np.linalg.tensorinv: "reshape to a matrix, and call `np.linalg.inv`",
        np.linalg.tensorsolve: "reshape to a matrix, and call `np.linalg.solve`",
        **dict.fromkeys(
            (np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.fft2, np.fft.fftfreq), BEFORE
        ),
        np.array_split: "write slices, or `np.split` before known places: `np.split(x, [2, 5])`",
        np.resize: "write `np.tile(x, k)[:n].reshape(shape)`",
    }
)


def instead(function: Callable[..., Any]) -> str:
    """The hint for a numpy function that programs do not support; empty for others."""
    if function in INSTEAD:
        return INSTEAD[function]
    call = OF_STATED_LENGTH.get(function, "")
    name = call.partition("(")[0]
    return f"state the length: `from rise.embedding import {name}`, and `{call}`" if call else ""
