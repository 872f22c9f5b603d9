"""The listings of the Fireiron paper (PACT 2020) as schedules. `python examples/fireiron/listings.py` prints them."""

from strategies.fireiron import FR, RF, SH, A, B, Block, ColMajor, Lane, MatMul, Move, Schedule, Strided, Warp

#: a block stages factors in shared memory; each lane computes a tile from registers
listing1 = (
    MatMul("M", "N", 8)
    .tile(128, 128).to(Block)
    .load(A, SH)
    .load(B, SH)
    .tile(64, 32).to(Warp)
    .tile(8, 8).to(Lane)
    .load(A, RF)
    .load(B, RF)
    .tile(1, 1)
    .done
)  # fmt: skip
#: a tile of sums for each lane
sums = Move.tile(64, 32).to(Warp).tile(8, 8).to(Lane).tile(1, 1).unroll
#: sums in registers, in a loop over parts of the sum; ends in multiply-adds
listing2 = (
    MatMul
    .tile(128, 128).to(Block)
    .epilog(RF, init=sums, store=sums)
    .split(8)
    .load(A, SH)
    .load(B, SH)
    .tile(64, 32).to(Warp)
    .tile(8, 8).to(Lane)
    .split(1).unroll
    .load(A, RF)
    .load(B, RF)
    .tile(1, 1).unroll
    .done
)  # fmt: skip
#: each warp computes one tile by the WMMA instructions of tensor cores, with fragments from global memory
listing3 = (
    MatMul
    .tile(64, 64).to(Block)
    .epilog(FR)
    .split(16)
    .tile(16, 16).to(Warp)
    .load(A, FR)
    .load(B, FR)
    .done
)  # fmt: skip


#: the tiles of a lane are in strides, so that lanes read vectors of neighbours without bank conflicts
strided = (
    Move
    .tile(64, 32).to(Warp)
    .tile(Strided((4, 32), (4, 16))).to(Lane).layout(ColMajor).swizzle(3, 0, 1, 2, 4)
)  # fmt: skip
#: the sums go to C through shared memory, as vectors
through_shared = (
    Move
    .stage(SH, strided.tile(1, 4).vector)
    .tile(16, 128).to(Warp)
    .tile(1, 128)
    .tile(1, 4).to(Lane).vector
)  # fmt: skip
#: a product of half precision for Maxwell, of A by columns and B by rows, as in cuBLAS's kernel hgemm_128x128_nt
listing4 = (
    MatMul
    .tile(128, 128).to(Block)
    .epilog(RF, init=strided, store=through_shared)
    .split(8).sync
    .load(A, SH, Move.tile(128, 1).to(Warp).tile(64, 1).unroll.tile(2, 1).to(Lane).vector).toColMajor.noSync
    .load(B, SH, Move.tile(8, 16).to(Warp).tile(8, 4).unroll.tile(1, 1).to(Lane)).pad(4)
    .tile(64, 32).to(Warp)
    .tile(Strided((4, 32), (4, 16))).to(Lane).layout(ColMajor).swizzle(3, 0, 1, 2, 4)
    .split(1).unroll
    .load(A, RF, Move.tile(4, 1).vector)
    .load(B, RF, Move.tile(1, 4).vector)
    .tile(1, 1).unroll
    .done
)  # fmt: skip


def listing5(depth: int = 32, rows: int = 128) -> Schedule:
    """WMMA with padded copies of `depth` columns, for tiles of `rows` rows. The paper has 128 of both; then copies
    need more shared memory than 64 KiB, and sums in single precision all of that, so that 48 KiB have 64 rows.
    """
    return (
        MatMul
        .tile(rows, 128).to(Block)
        .epilog(FR, store=Move.stage(SH).reuseBuffer)
        .split(depth)
        .load(A, SH).pad(8)
        .load(B, SH).pad(8)
        .tile(64, 32).to(Warp)
        .mmaTile
        .done
    )  # fmt: skip


LISTINGS = {"1": listing1, "2": listing2, "3": listing3, "4": listing4, "5": listing5()}

if __name__ == "__main__":
    for number, schedule in LISTINGS.items():
        print(f"listing {number}", schedule.specs(), sep="\n", end="\n\n")
