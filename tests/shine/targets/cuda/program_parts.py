"""Parts of GPU programs, in the form that the printer takes, built by hand. Independent of source text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from rise.naturals import NatLike, NatVar, nat
from rise.types import ScalarType
from shine.imperative.kernels import GpuKernel, GpuProgram, Launch
from shine.imperative.nodes import (
    Barrier,
    Block,
    Buffer,
    Level,
    Parameter,
    Statement,
)
from tests.shine.procedures import F32, procedure

F16, I32 = ScalarType("f16"), ScalarType("i32")
GLOBAL = tuple(Level("global", d) for d in range(3))
BLOCK = tuple(Level("block", d) for d in range(3))
THREADS = tuple(Level("threads", d) for d in range(3))
WARP = tuple(Level("warp", d) for d in range(3))
LANE: Final = Level("lane", 0)
SYNC: Final = Barrier("block", (9,))
Body = Callable[..., Sequence[Statement]]


@dataclass(frozen=True, slots=True)
class Example:
    """A program, whether it uses 64-bit indices, sizes and inputs to run it with, and the expected result."""

    program: GpuProgram
    sizes: Mapping[str, int]
    inputs: Sequence[Any]
    expected: Any
    wide: bool = False
    arch: str = "sm_80"
    tolerance: float = field(default=0.0)


def program(
    name: str,
    sizes: Sequence[NatVar],
    inputs: Sequence[Parameter],
    output: Parameter,
    *kernels: GpuKernel,
    temporaries: Sequence[Buffer] = (),
) -> GpuProgram:
    """A program of kernels."""
    return GpuProgram(procedure(name, sizes, inputs, output), kernels, tuple(temporaries))


def kernel(
    name: str,
    grid: Sequence[NatLike],
    block: tuple[int, int, int],
    *body: Statement,
    warps: tuple[int, int, int] | None = None,
    shared: Sequence[tuple[Buffer, int]] = (),
) -> GpuKernel:
    """A kernel."""
    x, y, z = (nat(one) for one in (*grid, 1, 1, 1)[:3])
    return GpuKernel(name, Launch((x, y, z), block, warps), Block(body), tuple(shared))


def registers(name: str, count: NatLike, element: Any = F32) -> Buffer:
    """An array in the registers of a thread."""
    return Buffer(name, element, nat(count), "Local", (1,))


def tile(name: str, count: NatLike, element: Any = F32) -> Buffer:
    """An array in the shared memory of a block."""
    return Buffer(name, element, nat(count), "Shared", (2,))


def numbers(count: int, seed: int = 0, dtype: Any = np.float32) -> Any:
    """Numbers that floats represent exactly, as well as small sums of their products."""
    return np.random.default_rng(seed).integers(-8, 9, count).astype(dtype)
