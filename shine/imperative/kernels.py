"""Kernels of a GPU before they are printed: how many blocks and threads run, and which iterations each of them has.

Knows no target's syntax and no architecture's limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rise.naturals import Nat, const
from shine.imperative.nodes import Block, Buffer, For, Level, Procedure

LANES: Final = 32  # of a warp
#: each unit has one iteration; some have none; or each has as many as it takes
Share: TypeAlias = Literal["one", "some", "many"]


@dataclass(frozen=True, slots=True)
class Launch:
    """How many blocks, threads of a block, and warps of a block run along each dimension.

    `warps` is None in kernels that do not map over warps. Else a block has one dimension, and the warp of a thread has
    the number `threadIdx.x / 32`: its place along dimension 0 is that modulo `warps[0]`, and so on.
    """

    grid: tuple[Nat, Nat, Nat]
    block: tuple[int, int, int]
    warps: tuple[int, int, int] | None = None

    def extent(self, level: Level) -> Nat:
        """How many units run on a level."""
        d = level.dimension
        match level.name:
            case "block":
                return self.grid[d]
            case "threads":
                return const(self.block[d])
            case "global":
                return self.grid[d] * self.block[d]
            case "warp":
                assert self.warps is not None, "a kernel without warps maps over them"
                return const(self.warps[d])
            case "lane":
                return const(LANES)

    def share(self, loop: For) -> Share:
        """How the iterations of a loop over a level are shared out."""
        assert isinstance(loop.kind, Level), loop
        extent = self.extent(loop.kind)
        if loop.count is extent:
            return "one"
        known, running = loop.count.constant, extent.constant
        return "some" if known is not None and running is not None and known < running else "many"


@dataclass(frozen=True, slots=True)
class GpuKernel:
    """One kernel: what runs, and its arrays in shared memory, with each one's offset in bytes.

    `parted` has arrays in global memory, by name, with the dimensions of the grid along which each iteration of a loop
    has a part of its own.
    """

    name: str
    launch: Launch
    body: Block
    shared: tuple[tuple[Buffer, int], ...] = ()
    parted: tuple[tuple[str, frozenset[int]], ...] = ()


@dataclass(frozen=True, slots=True)
class GpuProgram:
    """Kernels that run one after the other, and the buffers in global memory between them."""

    procedure: Procedure
    kernels: tuple[GpuKernel, ...]
    temporaries: tuple[Buffer, ...] = ()
