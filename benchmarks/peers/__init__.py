"""Libraries and compilers to compare with: one module for each, loaded by name. Does not measure time.

A module defines `peer(threads)`, which imports the library, sets its number of threads, and lists what it can
compute. A peer that is not installed is skipped by name; all come with the extra `bench`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

NAMES = ("numpy", "torch", "jax", "tvm", "halide", "numba", "opencv", "opt_einsum")

Array = NDArray[Any]
Run = Callable[[], Any]
"""Computes once, and returns a result that numpy can read. The computation is complete when the call returns."""
Prepare = Callable[..., Run]
"""Given arrays of numpy, returns a `Run` on them: inputs are converted and code is compiled here."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A library: its version, what it computes and how, and how its number of threads was set."""

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
    """The environment of a process in which every library uses that many threads. Set it before one is loaded."""
    counted = ("OMP", "OPENBLAS", "MKL", "TVM", "HL", "NUMBA")
    return {f"{name}_NUM_THREADS": str(threads) for name in counted}
