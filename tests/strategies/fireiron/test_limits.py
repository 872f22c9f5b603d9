"""Too many threads, bytes of shared memory or registers are reported at the step of a schedule that needs them."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

import pytest

import rise
from elevate import StrategyError
from examples.fireiron.listings import LISTINGS, listing2, listing5
from rise import RiseError
from rise.terms import Expr
from shine.front.derivation import derive
from shine.passes.gpu import make_kernels
from shine.passes.gpu.lay_out_shared import shared_bytes
from shine.translate import GPU_LEVELS, translate
from strategies.fireiron import FR, RF, SH, A, B, Block, Chain, MatMul, Move, Reduce, Schedule, Thread, Warp
from strategies.fireiron.limits import most_kept
from strategies.fireiron.recognition import types_of_sums
from tests.examples import some
from tests.strategies.fireiron.products import ARCH, HALF, SINGLE, derived, program_for

THREADS: Final = "expected at most 1,024 threads in a block, found "
SHARED: Final = "expected at most 232,448 bytes in the shared memory of a block, found "
REGISTERS: Final = "expected at most 255 registers of a thread, found "
LARGE: Final = MatMul.tile(128, 128).to(Block)
DEEP: Final = LARGE.epilog(RF).split(1024)
SUMS: Final = LARGE.epilog(RF).split(8)
#: steps that need more than there is, for any type of numbers
MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "threads": (lambda: SUMS.tile(1, 1).to(Thread), THREADS + "16,384 with `tile(1, 1).to(Thread)`"),
    "warps": (lambda: SUMS.tile(4, 4).to(Warp), THREADS + "32,768 with `tile(4, 4).to(Warp)`"),
    "threads of a move": (
        lambda: DEEP.load(A, SH, Move.tile(64, 1).to(Thread)),
        THREADS + "2,048 with `load(A, SH, Move.tile(64, 1).to(Thread))`",
    ),
    "threads that store sums": (
        lambda: LARGE.epilog(RF, store=Move.stage(SH).tile(1, 1).to(Thread)),
        THREADS + "16,384 with `epilog(RF, store=Move.stage(SH).tile(1, 1).to(Thread))`",
    ),
    "warps that share a sum": (
        lambda: MatMul.tile(16, 16).to(Block).split(1, 64).to(Warp),
        THREADS + "2,048 with `split(1, 64).to(Warp)`",
    ),
    "one copy": (
        lambda: LARGE.epilog(RF).split(4096).load(A, SH),
        SHARED + "524,288 with `load(A, SH)`",
    ),
    "two copies": (lambda: DEEP.load(A, SH).load(B, SH), SHARED + "262,144 with `load(B, SH)`"),
    "padded rows": (lambda: DEEP.load(A, SH).pad(1000), SHARED + "259,072 with `load(A, SH).pad(1000)`"),
    "a copy of each warp": (
        lambda: MatMul.tile(64, 64).to(Block).split(512, 8192).to(Warp).epilog(FR).split(512).load(A, SH),
        SHARED + "524,288 with `load(A, SH)`",
    ),
    "sums that are staged": (
        lambda: MatMul.tile(512, 512).to(Block).epilog(RF, store=Move.stage(SH)),
        SHARED + "262,144 with `epilog(RF, store=Move.stage(SH))`",
    ),
    "a first product": (
        lambda: (
            Chain.tile(512, 16)
            .to(Block)
            .epilog(RF)
            .split(512)
            .first(SH, MatMul.by(Block).tile(32, 16).to(Thread).tile(1, 1).done)
        ),
        SHARED + "262,144 with `first(SH, MatMul.by(Block).tile(32, 16).to(Thread).tile(1, 1).done)`",
    ),
    "a first product in registers": (
        lambda: (
            Chain.tile(32, 16)
            .to(Block)
            .epilog(RF)
            .split(128)
            .tile(16, 16)
            .to(Thread)
            .first(RF, MatMul.by(Thread).tile(1, 1).done)
        ),
        REGISTERS + "576 with `first(RF, MatMul.by(Thread).tile(1, 1).done)`",
    ),
    "rows of a reduction": (
        lambda: Reduce("M", 8192).tile(32).to(Block).load(A, SH),
        SHARED + "262,144 with `load(A, SH)`",
    ),
    "sums of a thread": (
        lambda: SUMS.tile(64, 64).to(Thread),
        REGISTERS + "1,024 with `tile(64, 64).to(Thread)`",
    ),
    "copies of a thread": (
        lambda: LARGE.epilog(RF).split(128).tile(16, 16).to(Thread).load(A, RF),
        REGISTERS + "576 with `load(A, RF)`",
    ),
    "registers of all threads": (
        lambda: MatMul.tile(512, 512).to(Block).epilog(RF).split(1).tile(16, 16).to(Thread).load(A, RF),
        "expected at most 65,536 registers of a block, found 68 of each of 1,024 threads with `load(A, RF)`",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_no_architecture_has_is_refused_at_the_step(name: str) -> None:
    make, title = MISTAKES[name]
    with pytest.raises(StrategyError) as caught:
        make()
    diagnostic = caught.value.diagnostic
    assert diagnostic.title == title
    assert "the specification here is " in diagnostic.notes[0]
    assert (diagnostic.hint or "").startswith("steps that fit here: ")


def test_steps_without_room_are_not_among_those_that_fit() -> None:
    with pytest.raises(StrategyError) as caught:
        DEEP.load(A, SH).load(B, SH)
    assert "split(k)" in (caught.value.diagnostic.hint or "")
    assert "load(" not in (caught.value.diagnostic.hint or "")


#: schedules whose limits depend on the types of numbers, or on the architecture
LATER: Final[dict[str, tuple[Schedule, Expr, str | None, str]]] = {
    "a copy for an older architecture": (
        listing5(128),
        HALF,
        "sm_75",
        "expected at most 65,536 bytes in the shared memory of a block, found 69,632 with `load(B, SH).pad(8)`"
        " at MatMul(128, 128, 128)(SH, GL, FR)(Block), for sm_75",
    ),
    "wide numbers": (
        LARGE.epilog(RF).split(512).load(A, SH).tile(8, 8).to(Thread).tile(1, 1).done,
        SINGLE,
        None,
        SHARED
        + "262,144 with `load(A, SH)` at MatMul(128, 128, 512)(GL, GL, RF)(Block), for any architecture",
    ),
    "sums in fragments": (
        LARGE.epilog(FR).split(16).tile(128, 128).to(Warp).mmaTile.done,
        HALF,
        None,
        REGISTERS + "512 with `tile(128, 128).to(Warp)` at MatMul(128, 128, 16)(GL, GL, FR)(Block), for any",
    ),
}


@pytest.mark.parametrize("name", LATER)
def test_limits_that_depend_on_types_are_reported_with_the_step(name: str) -> None:
    schedule, program, arch, title = LATER[name]
    with pytest.raises(RiseError) as caught:
        derive(schedule.strategy(arch), program)
    assert any(title in note for note in caught.value.diagnostic.notes)
    assert (caught.value.diagnostic.hint or "").startswith("steps that fit here: tile(r, c) with ")


def test_listing_5_has_room_for_the_depth_of_the_paper_on_newer_architectures() -> None:
    derive(listing5(128).strategy("sm_80"), HALF)
    with pytest.raises(RiseError, match="expected an architecture, found `sm_1`"):
        listing2.strategy("sm_1")


@pytest.mark.parametrize("number", some(LISTINGS, 2))
def test_a_kernel_keeps_at_least_what_is_counted(number: str) -> None:
    """What the target lays out is never less, so no schedule that fits is refused; threads are counted exactly."""
    schedule = LISTINGS[number]
    program = program_for(schedule)
    counted = most_kept(schedule.start, schedule.trail, types_of_sums(program, schedule.start))
    sizes = {"M": 128, "N": 128, "K": 64}
    known = {name for name, size in schedule.sizes if isinstance(size, int)}
    lowered = rise.specialise(
        derived(schedule), **{name: size for name, size in sizes.items() if name not in known}
    )
    (kernel,) = make_kernels(translate(lowered, "kernel", GPU_LEVELS), ARCH).kernels
    assert counted.threads == prod(kernel.launch.block)
    assert counted.shared == shared_bytes(kernel)
