"""GPU kernels before they are printed: the numbers of blocks and threads, and which iterations each of them runs.

Independent of the syntax of targets and the limits of architectures.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Final, Literal, TypeAlias

from rise.naturals import Nat, const
from rise.records import dataclass
from shine.imperative.hashes import HashedOnce
from shine.imperative.nodes import Block, Buffer, For, Level, Procedure

LANES: Final = 32  # of a warp
#: each unit runs one iteration; some run none; or each may run several
Share: TypeAlias = Literal["one", "some", "many"]


@dataclass(frozen=True, slots=True)
class Launch(HashedOnce):
    """The numbers of blocks, threads of a block, and warps of a block along each dimension.

    `warps` is None in kernels that do not map over warps. Otherwise, a block has one dimension, and the warp of a
    thread has the number `threadIdx.x / 32`: its index along dimension 0 is that modulo `warps[0]`, and so on.
    Likewise, the lane of a thread has the number `threadIdx.x % 32`, and `lanes` has the lanes of a warp along each
    dimension.
    """

    grid: tuple[Nat, Nat, Nat]
    block: tuple[int, int, int]
    warps: tuple[int, int, int] | None = None
    lanes: tuple[int, int, int] = (LANES, 1, 1)

    def extent(self, level: Level) -> Nat:
        """The number of units of a level."""
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
                return const(self.lanes[d])

    def share(self, loop: For) -> Share:
        """The distribution of the iterations of a loop over a level over its units."""
        assert isinstance(loop.kind, Level), loop
        extent = self.extent(loop.kind)
        if loop.count is extent:
            return "one"
        count, unit_count = loop.count.constant, extent.constant
        return "some" if count is not None and unit_count is not None and count < unit_count else "many"

    def is_number_of(self, level: Level) -> bool:
        """Whether the index of a unit of a level equals the number of the thread's warp, or lane."""
        match level.name:
            case "lane":
                return self.lanes[level.dimension] == LANES
            case "warp":
                assert self.warps is not None, "a kernel without warps maps over them"
                own = self.warps[level.dimension]
                return own != 1 and own == prod(self.warps)
            case _:
                return False


def named_units(launch: Launch, loops: Iterable[For]) -> tuple[str, ...]:
    """The names, `warp` and `lane`, of numbers that loops use more than once, so that a kernel names them."""
    uses = {"warp": 0, "lane": 0}
    for loop in loops:
        if isinstance(loop.kind, Level) and loop.kind.name in uses:
            is_known = launch.extent(loop.kind) is const(1)
            uses[loop.kind.name] += 0 if is_known else 2 if launch.share(loop) == "some" else 1
    return tuple(name for name, count in uses.items() if count > 1)


@dataclass(frozen=True, slots=True)
class GpuKernel:
    """One kernel: its body, and its arrays in shared memory with their offsets in bytes.

    `parted` has the names of arrays in global memory, with the levels over which loops run of which each iteration has
    its own part.
    """

    name: str
    launch: Launch
    body: Block
    shared: tuple[tuple[Buffer, int], ...] = ()
    parted: tuple[tuple[str, frozenset[Level]], ...] = ()

    @property
    def own_parts(self) -> frozenset[str]:
        """The names of arrays in global memory of which each thread of a block has its own part."""
        return frozenset(name for name, levels in self.parted if _one_thread_each(self.launch, levels))


def _one_thread_each(launch: Launch, levels: frozenset[Level]) -> bool:
    """Whether different threads of a block run different iterations of loops over levels."""
    found = {(level.name, level.dimension) for level in levels}
    if launch.warps is None:
        return all(
            ("threads", d) in found or ("global", d) in found
            for d, extent in enumerate(launch.block)
            if extent > 1
        )
    units = [("warp", d) for d in range(3) if launch.warps[d] > 1]
    units += [("lane", d) for d in range(3) if launch.lanes[d] > 1]
    return ("threads", 0) in found or ("global", 0) in found or found.issuperset(units)


@dataclass(frozen=True, slots=True)
class GpuProgram:
    """Kernels that run one after another, and the buffers in global memory between them."""

    procedure: Procedure
    kernels: tuple[GpuKernel, ...]
    temporaries: tuple[Buffer, ...] = ()
