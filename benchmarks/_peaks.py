"""Peak rates of the processor, by loops in C: multiply-adds in registers, reading, copying. Does not measure time."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_name("peaks.c")
FLAGS = (
    "-std=gnu11",
    "-O3",
    "-march=native",
    "-mprefer-vector-width=512",
    "-ffast-math",
    "-fopenmp",
    "-shared",
    "-fPIC",
)
STEPS = 1 << 20


@dataclass(frozen=True, slots=True)
class Peaks:
    """The loops, built for this processor. They run on the number of threads set for OpenMP."""

    loaded: ctypes.CDLL

    def multiply_adds(self, dtype: str) -> tuple[Callable[[], object], float]:
        """A run that multiplies and adds in registers, and its number of operations per thread."""
        short = "f32" if dtype == "float32" else "f64"
        lanes = self.loaded.lanes() * 4 // np.dtype(dtype).itemsize
        run = self.loaded[f"multiply_adds_{short}"]
        run.restype = ctypes.c_double
        return partial(run, ctypes.c_int64(STEPS)), 2.0 * lanes * self.loaded.chains() * STEPS

    def reading(self, array: np.ndarray[Any, Any]) -> Callable[[], object]:
        """A run that reads an array of f32."""
        self.loaded.read_all.restype = ctypes.c_float
        return partial(self.loaded.read_all, pointer(array), ctypes.c_int64(array.size))

    def copying(
        self, to: np.ndarray[Any, Any], array: np.ndarray[Any, Any], past: bool
    ) -> Callable[[], object]:
        """A run that copies an array of f32; with non-temporal stores if `past`, else with plain ones."""
        run = self.loaded.copy_past if past else self.loaded.copy
        return partial(run, pointer(to), pointer(array), ctypes.c_int64(array.size))


def build(compiler: str = "gcc") -> Peaks:
    """Build and load the loops. Compiler errors are shown."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "peaks.so"
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(path)], check=True)
        return Peaks(ctypes.CDLL(str(path)))


def pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    """The address of an array."""
    return ctypes.c_void_p(array.ctypes.data)


def aligned(shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray[Any, Any]:
    """A new array that is aligned to a cache line."""
    count = int(np.prod(shape))
    kept = np.empty(count * np.dtype(dtype).itemsize + 64, np.uint8)
    start = -kept.ctypes.data % 64
    return kept[start : start + count * np.dtype(dtype).itemsize].view(dtype).reshape(shape)
