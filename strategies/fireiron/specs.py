"""Specifications: what a part of a program computes, where its matrices are, and which unit is responsible for it.

Independent of steps and terms. Sizes are numbers, or names such as `M` for sizes that are not known yet.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from rise.records import dataclass
from strategies.lowering.levels import Level, block_level, lane_level, thread_level, warp_level

Size: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class Location:
    """Where a matrix is: in global memory, in shared memory, in registers, or in fragments of tensor cores."""

    name: str

    def __str__(self) -> str:
        return self.name


GL: Final = Location("GL")
SH: Final = Location("SH")
RF: Final = Location("RF")
FR: Final = Location("FR")
LOCATIONS: Final = (GL, SH, RF, FR)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that is responsible for a specification. Its tiles go to the units that `inside` names."""

    name: str
    inside: tuple[str, ...]

    def __str__(self) -> str:
        return self.name

    def level(self, dimension: int) -> Level:
        """The level of the units of this kind along a dimension."""
        return _LEVELS[self.name](dimension)


_LEVELS: Final = {"Block": block_level, "Warp": warp_level, "Lane": lane_level, "Thread": thread_level}
Lane: Final = Unit("Lane", ())
Thread: Final = Unit("Thread", ())
Warp: Final = Unit("Warp", ("Lane",))
Block: Final = Unit("Block", ("Warp", "Thread"))
Kernel: Final = Unit("Kernel", ("Block",))
UNITS: Final = (Kernel, Block, Warp, Lane, Thread)


@dataclass(frozen=True, slots=True)
class MatMulSpec:
    """C, of m x n, becomes the product of A, of m x k, and B, of k x n."""

    m: Size
    n: Size
    k: Size
    a: Location = GL
    b: Location = GL
    c: Location = GL
    unit: Unit = Kernel

    def __str__(self) -> str:
        return f"MatMul({self.m}, {self.n}, {self.k})({self.a}, {self.b}, {self.c})({self.unit})"


@dataclass(frozen=True, slots=True)
class MoveSpec:
    """A matrix is copied from one location to another. Sizes are unknown until the move is part of a load."""

    rows: Size
    columns: Size
    source: Location = GL
    target: Location = SH
    unit: Unit = Block

    def __str__(self) -> str:
        return f"Move({self.rows}, {self.columns})({self.source} -> {self.target})({self.unit})"


Spec: TypeAlias = MatMulSpec | MoveSpec


def divides(part: Size, whole: Size) -> bool:
    """Whether a part may divide a size; if the size is not known, the derived program has an obligation."""
    return (
        not isinstance(whole, int) or not isinstance(part, int) or (0 < part <= whole and whole % part == 0)
    )


def divisors(whole: Size) -> str:
    """The largest divisors of a size, as text of a diagnostic."""
    if not isinstance(whole, int):
        return f"a divisor of {whole}"
    found = [part for part in range(1, whole + 1) if whole % part == 0]
    return " or ".join(map(str, found[-5:]))
