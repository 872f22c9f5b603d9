"""Claims of schedules about barriers are confirmed or refuted by the checked simulator."""

from __future__ import annotations

import pytest

import rise
import shine
from elevate import StrategyError
from shine.front.claims import check_claims
from strategies.fireiron import (
    FR,
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    Contract,
    Lane,
    Map,
    MatMul,
    Move,
    Schedule,
    Thread,
    Warp,
    read_schedule,
)
from tests.examples import in_whole
from tests.strategies.fireiron.products import HALF
from tests.strategies.fireiron.test_chains import STAGED, TWICE

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


def test_a_barrier_belongs_to_the_iterations_that_copy() -> None:
    """The inner loop copies nothing that other threads read, so that no thread waits between its iterations."""
    loads = MatMul.tile(16, 16).to(Block).epilog(RF).split(8).sync.load(A, SH).load(B, SH)
    inner = loads.tile(4, 4).to(Thread).split(1).sync.load(A, RF).load(B, RF).tile(1, 1).done
    assert [claim.holds for claim in check_claims(inner, PRODUCT)] == [True, False]


def test_a_loop_around_the_one_that_copies_waits_too() -> None:
    outer = MatMul.tile(16, 16).to(Block).epilog(RF).split(8).sync.split(4).sync.load(A, SH).load(B, SH)
    claims = check_claims(outer.tile(4, 4).to(Thread).done, PRODUCT)
    assert [claim.holds for claim in claims] == [True, True]


@pytest.mark.parametrize(("number", "zero"), [("f64", "0.0"), ("i32", "0")])
def test_claims_are_checked_for_other_numbers(number: str, zero: str) -> None:
    program = rise.parse(f"""fun(a: M.K.{number}, b: K.N.{number} => a |> map(fun(row => transpose(b)
      |> map(fun(column => zip(row, column) |> map(mul) |> reduce(add, {zero}))))))""").main
    (claim,) = check_claims(product(second=False), program)
    assert not claim.holds


def test_without_claims_nothing_is_run() -> None:
    assert check_claims(product(), PRODUCT) == ()


def staged(store: Schedule, right: bool = False) -> Schedule:
    """A product on tensor cores whose sums go through shared memory."""
    split = MatMul.tile(32, 32).to(Block).epilog(FR, store=store).split(32).load(A, SH).load(B, SH)
    split = split.reuseBuffer if right else split
    return split.tile(32, 16).to(Warp).mmaTile.done


def test_sums_are_staged_in_bytes_of_copies() -> None:
    (claim,) = check_claims(staged(Move.stage(SH).reuseBuffer), HALF)
    assert claim.holds
    assert claim.reason == "stored lies in bytes of B_tile and A_tile, and the simulator finds nothing"


def test_copies_that_are_read_together_have_bytes_of_their_own() -> None:
    (claim,) = check_claims(staged(Move.stage(SH), right=True), HALF)
    assert not claim.holds
    assert str(claim).startswith("refuted: .load(B, SH).reuseBuffer: B_tile has bytes of its own: ")


def test_a_copy_outside_of_shared_memory_has_no_bytes_to_reuse() -> None:
    loaded = MatMul.tile(16, 16).to(Block).epilog(RF).split(4).tile(4, 4).to(Thread)
    with pytest.raises(StrategyError, match="expected bytes of SH to reuse, found a copy in RF"):
        _ = loaded.load(A, RF).reuseBuffer


def test_claims_about_memory_are_read_from_their_text() -> None:
    schedule = staged(Move.stage(SH).pad(8).reuseBuffer, right=True)
    assert "store=Move.stage(SH).pad(8).reuseBuffer" in str(schedule) and "load(B, SH).reuseBuffer" in str(
        schedule
    )
    assert read_schedule(str(schedule)) == schedule


@in_whole("tests/strategies/fireiron/test_chains.py::test_barriers_of_a_chain_are_claims")
def test_claims_of_units_that_share_a_sum_are_checked() -> None:
    """Lanes of a warp copy what the warp alone reads, and wait for each other."""
    parts = MatMul.tile(16, 16).to(Block).split(2, 8).to(Warp).epilog(RF).split(2).load(A, SH).noSync
    lanes = parts.load(B, SH).noSync.tile(4, 2).to(Lane).split(1).load(A, RF).load(B, RF).tile(1, 1).done
    first, second = check_claims(lanes, PRODUCT)
    assert first.holds and not second.holds
    assert "without a barrier after it there is a race" in second.reason


def test_claims_of_the_first_product_of_a_chain_are_checked() -> None:
    first = read_schedule(str(STAGED).replace("load(B, SH)", "load(B, SH).noSync.reuseBuffer"))
    chain = Chain.tile(16, 16).to(Block).epilog(RF).split(16).first(SH, first)
    chain = chain.tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF).tile(1, 1).done
    waits, shares = check_claims(chain, rise.parse(TWICE).main)
    assert not waits.holds and waits.reason.startswith("without a barrier after it there is a race: b_tile")
    assert not shares.holds and shares.reason.startswith("b_tile has bytes of its own")


def test_claims_of_a_batch_are_checked_for_one_of_its_elements() -> None:
    loop = Contract("xab,xcb->xac").tile(8, 8).to(Block).epilog(RF).split(4).sync.load(A, SH).noSync
    batch = shine.contraction("xab,xcb->xac", "X.A.B.f32", "X.C.B.f32").main
    claims = check_claims(loop.load(B, SH).tile(4, 4).to(Thread).done, batch)
    assert [claim.holds for claim in claims] == [True, True]


def test_claims_of_a_map_are_checked_for_sizes_of_any_name() -> None:
    program = rise.parse("fun(xs: P.Q.f32 => transpose(xs) |> map(map(fun(x => 2.0 * x))))").main
    (claim,) = check_claims(
        Map("ij->ji").tile(8, 8).to(Block).load(A, SH).noSync.tile(2, 2).to(Thread).done, program
    )
    assert not claim.holds


def test_claims_about_several_kernels_are_rejected() -> None:
    first = MatMul.tile(8, 8).to(Block).tile(4, 4).to(Thread).tile(1, 1).done
    chain = Chain.first(GL, first).tile(16, 16).to(Block).epilog(RF).split(4).sync
    chain = chain.tile(4, 4).to(Thread).split(1).tile(1, 1).done
    with pytest.raises(StrategyError, match="expected the claims of one kernel, found 2 kernels"):
        check_claims(chain, rise.parse(TWICE).main)
