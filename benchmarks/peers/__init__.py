"""Libraries and compilers that ours is compared with: one module for each, loaded by name. Knows no clock.

A module defines `peer(threads)`, which imports the library, tells it how many threads to use, and says what it can
compute. A peer that is not installed is skipped by name; all come with the extra `bench`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

NAMES = ("numpy", "torch", "jax", "tvm", "halide", "numba", "opencv")

Array = NDArray[Any]
Run = Callable[[], Any]
"""Computes once; what it returns numpy can read. It is done when the call returns."""
Prepare = Callable[..., Run]
"""From arrays of numpy, what runs on them: inputs are converted and code is compiled here."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A library: its version, how it computes what, and how it was told the number of threads."""

    name: str
    version: str
    threads: str
    kernels: Mapping[str, Prepare]


def find(threads: int, names: Iterable[str] = NAMES) -> tuple[list[Peer], list[str]]:
    """Peers that are installed, and the names of those that are not."""
    found: list[Peer] = []
    absent: list[str] = []
    for name in names:
        try:
            module = importlib.import_module(f"peers.{name}")
        except ImportError:
            absent.append(name)
            continue
        found.append(module.peer(threads))
    return found, absent


def variables(threads: int) -> dict[str, str]:
    """Environment of a process in which every library uses so many threads. Set before one of them is loaded."""
    counted = ("OMP", "OPENBLAS", "MKL", "TVM", "HL", "NUMBA")
    return {f"{name}_NUM_THREADS": str(threads) for name in counted}
