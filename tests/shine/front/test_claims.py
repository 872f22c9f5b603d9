"""Claims of schedules about barriers are confirmed or refuted by the checked simulator."""

from __future__ import annotations

import rise
from shine.front.claims import check_claims
from strategies.fireiron import RF, SH, A, B, Block, MatMul, Schedule, Thread

PRODUCT = rise.parse_file("examples/mm.rise").main


def product(first: bool = True, second: bool = True, between: bool = False, tile: int = 16) -> Schedule:
    """A product in which threads wait for loads unless it claims that they need not; they wait between iterations if it
    claims so.
    """
    split = MatMul.tile(tile, tile).to(Block).epilog(RF).split(4)
    split = split.sync if between else split
    left = split.load(A, SH) if first else split.load(A, SH).noSync
    right = left.load(B, SH) if second else left.load(B, SH).noSync
    return right.tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF).tile(1, 1).done


def test_the_first_of_two_copies_needs_no_barrier() -> None:
    (claim,) = check_claims(product(first=False), PRODUCT)
    assert claim.holds
    assert str(claim) == (
        "confirmed: .load(A, SH).noSync: no thread waits between this copy and the next one"
    )


def test_the_last_copy_needs_a_barrier() -> None:
    (claim,) = check_claims(product(second=False), PRODUCT)
    assert not claim.holds
    assert str(claim).startswith("refuted: .load(B, SH).noSync: without a barrier after it there is a race")


def test_iterations_need_a_barrier_between_them() -> None:
    (claim,) = check_claims(product(between=True), PRODUCT)
    assert claim.holds
    assert str(claim).startswith(
        "confirmed: .split(4).sync: without a barrier between iterations there is a race"
    )


def test_iterations_without_shared_copies_need_no_barrier() -> None:
    split = MatMul.tile(16, 16).to(Block).epilog(RF).split(4).sync
    schedule = split.tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF).tile(1, 1).done
    (claim,) = check_claims(schedule, PRODUCT)
    assert not claim.holds
    assert claim.reason == "no thread waits between iterations, and the simulator finds nothing"


def test_without_claims_nothing_is_run() -> None:
    assert check_claims(product(), PRODUCT) == ()
