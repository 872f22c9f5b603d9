"""The two decompositions of section 5.3 of the Fireiron paper (PACT 2020), with `mma.sync`, and spaces of their tiles.

`python examples/fireiron/matrix_instructions.py` prints them.
"""

from elevate import Strategy
from strategies.fireiron import FR, SH, A, B, Block, ColMajor, Lane, MatMul, Move, Schedule, Thread, Warp
from strategies.spaces import choose, space

#: the instruction of groups of eight lanes of Volta, `HMMA.884`, as a product of a warp
VOLTA = (16, 16, 4)
#: an instruction of a warp, for later architectures
AMPERE = (16, 8, 16)
#: the sizes of tiles among which the paper searched
TILES = (16, 32, 64, 128, 256)
#: one copy of 16 bytes
VECTOR = 8


def large(
    rows: int = 128,
    columns: int = 128,
    depth: int = 32,
    warp: tuple[int, int] = (64, 32),
    instruction: tuple[int, int, int] = AMPERE,
) -> Schedule:
    """For large matrices: blocks of many warps, which all read the copies of their block."""
    copy = Move.tile(1, VECTOR).to(Thread).vector
    return (
        MatMul
        .tile(rows, columns).to(Block)
        .epilog(FR)
        .split(depth)
        .load(A, SH, copy).pad(VECTOR)
        .load(B, SH, copy).pad(VECTOR)
        .tile(*warp).to(Warp)
        .mma(*instruction)
        .done
    )  # fmt: skip


def small(
    rows: int = 16,
    columns: int = 16,
    depth: int = 64,
    warps: int = 2,
    instruction: tuple[int, int, int] = AMPERE,
) -> Schedule:
    """For small matrices, of which there would be too few blocks: the warps of a block share its sum, and each reads
    its own copies.
    """
    copy = Move.by(Warp).tile(1, VECTOR).to(Lane).vector
    # lanes are numbered along columns: the rows of A are so short that eight lanes would store two of them
    of_rows = Move.by(Warp).tile(1, VECTOR).to(Lane).layout(ColMajor).vector
    return (
        MatMul
        .tile(rows, columns).to(Block)
        .split(depth // warps, depth).to(Warp)
        .epilog(FR)
        .split(depth // warps)
        .load(A, SH, of_rows).pad(VECTOR)
        .load(B, SH, copy).pad(VECTOR)
        .mma(*instruction)
        .done
    )  # fmt: skip


def holes(form: str) -> Schedule:
    """One of the two decompositions, with holes for its tile sizes."""
    if form == "small":
        rows, columns = choose("rows", TILES), choose("columns", TILES)
        depth = choose("depth", (32, 64, 128))
        warps = choose("warps", (2, 4), where=lambda warps: depth // warps >= AMPERE[2])
        return small(rows, columns, depth, warps)
    rows, columns = choose("rows", TILES[1:]), choose("columns", TILES[1:])
    depth = choose("depth", (32, 64))
    beside = choose("beside", (2, 4), where=lambda beside: columns // beside >= AMPERE[0])
    return large(rows, columns, depth, (rows // 2, columns // beside))


@space
def small_products() -> Strategy:
    """The tiles of the decomposition for small matrices."""
    return holes("small").strategy()


@space
def products() -> Strategy:
    """Both decompositions with their tiles."""
    return holes(choose("form", ("small", "large"))).strategy()


if __name__ == "__main__":
    for schedule in (large(), small()):
        print(schedule.specs(), end="\n\n")
