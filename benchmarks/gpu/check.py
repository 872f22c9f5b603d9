"""Results of kernels compared with double precision, in poisoned outputs. Independent of any particular program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.gpu.model import Case
from rise.values import leaves, map_leaves
from shine.targets.cuda.device_arrays import DeviceArray, upload
from shine.targets.cuda.driver import Driver

POISONS = (0xFF, 0x00)  # bytes: NaN in each floating-point type, and 0; unwritten elements differ from one
SEED = 20


def check(case: Case, driver: Driver, arch: str) -> list[str]:
    """The errors of a case: one line for each poison value for which the result is wrong."""
    given = case.inputs(np.random.default_rng(SEED))
    expected = case.reference(*given)
    kernel = case.build(arch)
    fresh = kernel(*given)  # arrays in host memory, which determine the types of the results
    wrong = [f"from the host: {line}" for line in differences(fresh, expected, case.tolerance)]
    if any(map(has_rows, (*given, fresh))):  # lists of rows are in host memory
        return wrong
    there = [each(partial(upload, driver), value) if is_array(value) else value for value in given]
    for poison in POISONS:
        out = each(partial(poisoned, driver, poison), fresh)
        kernel(*there, out=out)
        found = each(DeviceArray.numpy, out)
        wrong += [f"over {poison:#04x}: {line}" for line in differences(found, expected, case.tolerance)]
    return wrong


def each(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply a function to every array in pairs of arrays; its results need not be numpy arrays."""
    mapped: Any = map_leaves
    return mapped(function, value)


def is_array(value: Any) -> bool:
    """Whether a value is an array, not a number."""
    return isinstance(value, tuple) or np.ndim(value) > 0


def has_rows(value: Any) -> bool:
    """Whether a value contains rows of different lengths."""
    return any(has_rows(one) for one in value) if isinstance(value, tuple) else isinstance(value, list)


def joined(value: Any) -> Any:
    """A value with rows of different lengths, concatenated."""
    if isinstance(value, tuple):
        return tuple(map(joined, value))
    return np.concatenate(value) if isinstance(value, list) and value else value


def poisoned(driver: Driver, poison: int, like: Any) -> DeviceArray:
    """An array on the device, filled with the given byte."""
    return upload(driver, np.full(like.nbytes, poison, np.uint8).view(like.dtype).reshape(like.shape))


def differences(found: Any, expected: Any, tolerance: float) -> list[str]:
    """One line for each array that differs from what was expected; rows are expected concatenated."""
    wrong = []
    for ours, theirs in zip(leaves(joined(found)), leaves(expected), strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        if ours.shape != theirs.shape:
            wrong.append(f"expected shape {theirs.shape}, found {ours.shape}")
            continue
        if tolerance == 0:
            differ = int((ours != theirs).sum())
            wrong += [f"{differ} of {ours.size} numbers differ"] if differ else []
            continue
        error = worst(ours.astype(np.float64), theirs.astype(np.float64))
        if not error <= tolerance:
            wrong.append(f"expected a relative error of at most {tolerance:.1e}, found {error:.1e}")
    return wrong


def worst(found: Any, expected: Any) -> float:
    """The largest difference divided by the largest number; NaN if there is an unexpected one."""
    if not found.size:
        return 0.0
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    if same.all():
        return 0.0
    finite = np.abs(expected[np.isfinite(expected)])
    scale = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    with np.errstate(invalid="ignore"):
        return float(np.max(np.where(same, 0.0, np.abs(found - expected)))) / scale
