"""The listings of the Fireiron paper (PACT 2020) as schedules. `python examples/fireiron/listings.py` prints them."""

from strategies.fireiron import FR, RF, SH, A, B, Block, Lane, MatMul, Move, Schedule, Warp

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
#: each warp computes one tile by the WMMA instructions of tensor cores
listing3 = (
    MatMul
    .tile(64, 64).to(Block)
    .epilog(FR)
    .split(16)
    .load(A, SH)
    .load(B, SH)
    .tile(16, 16).to(Warp)
    .load(A, FR)
    .load(B, FR)
    .done
)  # fmt: skip


def listing5(depth: int = 32) -> Schedule:
    """WMMA with padded copies of `depth` columns; 128 as in the paper needs more shared memory than 48 KiB."""
    return (
        MatMul
        .tile(128, 128).to(Block)
        .epilog(FR, store=Move.stage(SH))
        .split(depth)
        .load(A, SH).pad(8)
        .load(B, SH).pad(8)
        .tile(64, 32).to(Warp)
        .mmaTile
        .done
    )  # fmt: skip


LISTINGS = {"1": listing1, "2": listing2, "3": listing3, "5": listing5()}

if __name__ == "__main__":
    for number, schedule in LISTINGS.items():
        print(f"listing {number}", schedule.specs(), sep="\n", end="\n\n")
