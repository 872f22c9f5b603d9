"""Each mistake in a schedule is one diagnostic with the specification there and the steps that fit.

One subject: the mistakes, and what is reported.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rise
from elevate import StrategyError, Success
from examples.fireiron.listings import listing1, listing2
from rise import RiseError
from shine.front.derivation import derive
from strategies.fireiron import (
    FR,
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    ColMajor,
    Contract,
    Core,
    Lane,
    MatMul,
    Move,
    Schedule,
    Strided,
    Thread,
    Warp,
    read_schedule,
)
from strategies.fireiron.steps import DoneStep
from tests.strategies.fireiron.products import SINGLE


def block(rows: int = 64, columns: int = 64) -> Schedule:
    return MatMul.tile(rows, columns).to(Block)


HELD = Move.tile(8, 8).to(Thread)


def stored(store: Schedule, init: Schedule | None = None, tile: Strided | None = None) -> Schedule:
    """A schedule whose threads hold 8 x 8 sums, or those of a tile with strides."""
    loop = block().epilog(RF, init=init, store=store).split(1)
    tiles = loop.tile(8, 8) if tile is None else loop.tile(tile)
    return tiles.to(Thread).load(A, RF).load(B, RF).tile(1, 1).done


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a tile that does not divide": (
        lambda: block().tile(48, 8),
        "expected a tile with 4 or 8 or 16 or 32 or 64 rows, found 48",
    ),
    "a tile of more": (
        lambda: block().tile(64, 128),
        "expected a tile with 4 or 8 or 16 or 32 or 64 columns, found 128",
    ),
    "a unit that is not inside": (
        lambda: block().tile(8, 8).to(Lane),
        "expected tiles of a Block to go to Warp or Thread, found Lane",
    ),
    "a split without sums": (lambda: block().split(8), "expected sums in RF or FR, found C in GL"),
    "a step of the sum that does not divide": (
        lambda: block().epilog(RF).split(12).split(8),
        "expected a step of 2 or 3 or 4 or 6 or 12 products, found 8",
    ),
    "an epilog in shared memory": (lambda: block().epilog(SH), "expected sums in RF or FR, found SH"),
    "a second epilog": (
        lambda: block().epilog(RF).epilog(FR),
        "expected C in GL, computed by a Block or below, found C in RF",
    ),
    "a load of an unknown size": (
        lambda: block().load(A, SH),
        "expected a matrix of known size in SH, found 64 x K of A",
    ),
    "a load by the wrong unit": (
        lambda: block().epilog(RF).split(8).load(A, RF),
        "expected a Lane or Thread to load to RF, found a Block",
    ),
    "a claim about a copy in registers": (
        lambda: block().tile(8, 8).to(Thread).epilog(RF).split(4).load(A, RF).noSync,
        "expected a copy in SH, for which threads might wait, found one in RF",
    ),
    "a load that leads back": (
        lambda: block().epilog(RF).split(8).load(A, SH).load(A, GL),
        "expected A to be loaded from SH to RF or FR, found GL",
    ),
    "a move that does not fit": (
        lambda: block().epilog(RF).split(8).load(B, SH, Move.tile(16, 16).to(Thread)),
        "expected a tile with 1 or 2 or 4 or 8 rows, found 16",
    ),
    "a refinement of another step": (
        lambda: block().epilog(RF).split(8).pad(4),
        "expected a refinement of the last step, found `pad` behind `split(8)`",
    ),
    "a refinement of nothing": (
        lambda: MatMul.unroll,
        "expected a refinement of the last step, found `unroll` before any step",
    ),
    "an instruction that there is not": (
        lambda: block().done,
        "expected a specification that an instruction executes, found MatMul(64, 64, K)(GL, GL, GL)(Block)",
    ),
    "a step after the end": (
        lambda: listing1.split(2),
        "expected no step after `done`, found `split(2)`",
    ),
    "an unfinished schedule": (
        lambda: block().strategy(),
        "expected a schedule that ends in `done`, found MatMul.tile(64, 64).to(Block)",
    ),
    "a size that is none": (lambda: MatMul.tile(0, 8), "expected an integer >= 1 for `rows`, found 0"),
    "an epilog with other tiles": (
        lambda: (
            block(8, 8)
            .epilog(RF, store=Move.tile(4, 4).to(Thread))
            .split(1)
            .tile(2, 2)
            .to(Thread)
            .load(A, RF)
            .load(B, RF)
            .tile(1, 1)
            .done
        ),
        "expected the tiles of the sums, `tile(2, 2).to(Thread)` and `tile(1, 1)`, in `store` of the epilog, found "
        "`tile(4, 4).to(Thread)`",
    ),
    "a fifth tile of sums": (
        lambda: block().epilog(RF).split(8).tile(32, 32).tile(16, 16).tile(8, 8).tile(4, 4).tile(2, 2),
        "expected at most 4 tilings of sums after a split, found another: `tile(2, 2)`",
    ),
    "a fifth tile of sums, for an instruction": (
        lambda: (
            block().epilog(FR).split(16).tile(64, 64).tile(64, 32).tile(64, 16).tile(32, 16).to(Warp).mmaTile
        ),
        "expected at most 4 tilings of sums after a split, found another: `mmaTile`",
    ),
    "strides that do not divide": (
        lambda: block().epilog(RF).split(8).tile(Strided((4, 48), (4, 16))),
        "expected parts that divide strides that divide 64 x 64, found Strided((4, 48), (4, 16))",
    ),
    "strides of an unknown size": (
        lambda: MatMul.tile(Strided((4, 32), (4, 16))),
        "expected parts that divide strides that divide M x N, found Strided((4, 32), (4, 16))",
    ),
    "strides that are none": (
        lambda: block().tile(Strided(4, 32)),  # type: ignore[arg-type]  # a mistake
        "expected a part and a stride for rows and for columns, found Strided(4, 32)",
    ),
    "strides in the move of a factor": (
        lambda: block().epilog(RF).split(8).load(A, SH, Move.tile(Strided((2, 4), (1, 2))).to(Thread)),
        "expected tiles without strides in the move of a factor, found `tile(Strided((2, 4), (1, 2))).to(Thread)`",
    ),
    "bits that are no permutation": (
        lambda: block().tile(8, 8).to(Thread).swizzle(0, 0, 1),
        "expected the place of each bit of a unit's number, lowest first, found (0, 0, 1)",
    ),
    "bits of other units": (
        lambda: block().tile(8, 8).to(Thread).swizzle(1, 0, 2),
        "expected the places of the bits of 64 units' numbers, found 3 places",
    ),
    "bits of no units": (
        lambda: block().tile(32, 32).swizzle(1, 0),
        "expected units to swizzle, found tiles without units",
    ),
    "an order of no units": (
        lambda: block().tile(32, 32).layout(ColMajor),
        "expected units to number along columns, found `tile(32, 32).layout(ColMajor)` without units",
    ),
    "units that are unrolled": (
        lambda: block().tile(8, 8).to(Thread).unroll,
        "expected a loop over tiles to unroll, found `tile(8, 8).to(Thread).unroll`, of which each unit has one",
    ),
    "a loop that goes to units": (
        lambda: block().tile(8, 8).unroll.to(Thread),
        "expected a loop over tiles to unroll, found `tile(8, 8).to(Thread).unroll`, of which each unit has one",
    ),
    "bits of unknown units": (
        lambda: block().swizzle(1, 0),
        "expected a known number of units to swizzle, found M x N",
    ),
    "vectors across the copy": (
        lambda: (
            block()
            .epilog(RF)
            .split(8)
            .load(A, SH, Move.tile(4, 1).to(Thread).vector)
            .tile(8, 8)
            .to(Thread)
            .tile(1, 1)
            .done
        ),
        "expected vectors along rows, as A is stored, found `tile(4, 1).to(Thread).vector`",
    ),
    "vectors of sums along columns": (
        lambda: stored(HELD.tile(4, 1).vector),
        "expected vectors of sums in `store`, along rows, found `tile(4, 1).vector` in `store`",
    ),
    "vectors of zeros": (
        lambda: stored(HELD, init=HELD.tile(1, 4).vector),
        "expected vectors of sums in `store`, along rows, found `tile(1, 4).vector` in `init`",
    ),
    "vectors of sums that are no neighbours": (
        lambda: stored(
            Move.stage(SH, Move.tile(Strided((4, 32), (2, 16))).to(Thread).tile(1, 4).vector),
            tile=Strided((4, 32), (2, 16)),
        ),
        "expected vectors of 1 or 2 columns in `store`, found `tile(1, 4).vector`",
    ),
    "vectors of other units' sums": (
        lambda: stored(Move.stage(SH, Move.tile(1, 4).vector)),
        "expected the tiles of the sums, `tile(8, 8).to(Thread)` and `tile(1, 1)`, in `store` of the epilog, found "
        "`tile(1, 4).vector`",
    ),
    "a move through shared memory through shared memory": (
        lambda: stored(Move.stage(SH, Move.stage(SH))),
        "expected tiles in the move to SH, found `stage(SH)`",
    ),
    **{
        f"sums of a {unit} through shared memory": (
            lambda unit=unit, tile=tile: tile.epilog(RF, store=Move.stage(SH)),
            f"expected sums of a Block to go through SH, found `stage(SH)` of a {unit}",
        )
        for unit, tile in {
            "Core": MatMul.tile(64, 64).to(Core),
            "Thread": MatMul.tile(64, 64).to(Block).tile(8, 8).to(Thread),
            "Warp": MatMul.tile(64, 64).to(Block).tile(32, 32).to(Warp),
        }.items()
    },
    "tiles of sums in fragments": (
        lambda: (
            MatMul.tile(32, 32)
            .to(Block)
            .epilog(FR, store=Move.tile(16, 16).to(Warp))
            .split(16)
            .tile(16, 16)
            .to(Warp)
            .load(A, FR)
            .load(B, FR)
            .done
        ),
        "expected no tiles in `store` of an epilog in FR, found `tile(16, 16).to(Warp)`",
    ),
    "another operand": (lambda: block().load("C", SH), "expected A or B, found 'C'"),
    "a load in a move": (lambda: Move.load(A, SH), "expected no load in a move, found 'A'"),
    "sums of a whole kernel": (
        lambda: MatMul.epilog(RF),
        "expected sums of a Block, a Core or below, found MatMul(M, N, K)(GL, GL, GL)(Kernel)",
    ),
    "no location": (lambda: block().load(A, "SH"), "expected GL, SH, RF, FR or CA, found 'SH'"),  # type: ignore[arg-type]  # a mistake
    "no unit": (
        lambda: block().tile(8, 8).to("Thread"),  # type: ignore[arg-type]  # a mistake
        "expected Block, Warp, Lane, Thread, Core or Vector, found 'Thread'",
    ),
    "no number of products": (
        lambda: block().epilog(RF).split("8"),  # type: ignore[arg-type]  # a mistake
        "expected an integer >= 1 for `depth`, found '8'",
    ),
    "no order": (
        lambda: block().tile(8, 8).to(Thread).layout("rows first"),
        "expected RowMajor or ColMajor, found 'rows first'",
    ),
    "rows that are shortened": (
        lambda: block().epilog(RF).split(8).load(A, SH).pad(-1),
        "expected an integer >= 0 for `room`, found -1",
    ),
    "a tile of one size": (
        lambda: block().tile(8),
        "expected the rows and columns of a tile, found tile(8)",
    ),
    "two sizes of a product": (
        lambda: MatMul(64, 64),
        "expected the sizes M, N, K of MatMul, found MatMul(64, 64)",
    ),
    "a program as a size": (
        lambda: block()(SINGLE),  # type: ignore[arg-type]  # a mistake
        "expected sizes, found a program: MatMul.tile(64, 64).to(Block)(..)",
    ),
    "a name of a micro-kernel": (
        lambda: listing2("fused"),
        f"expected a micro-kernel at the end of a schedule, found {listing2}('fused')",
    ),
    "sums of a core in fragments": (
        lambda: MatMul.tile(64, 64).to(Core).epilog(FR),
        "expected sums in RF, found FR",
    ),
    "sums of a thread in fragments": (
        lambda: block().tile(8, 8).to(Thread).epilog(FR),
        "expected sums in RF, found FR",
    ),
    "sizes behind steps": (
        lambda: block()(64, 64, 64),
        "expected the sizes of a schedule without steps, found MatMul.tile(64, 64).to(Block)",
    ),
    "a product of a warp": (
        lambda: MatMul.by(Warp),
        "expected a product without steps by a Block, Core, Lane or Thread, or a move by a Warp, found MatMul by Warp",
    ),
    "a step that is no function": (
        lambda: block().apply(3),  # type: ignore[arg-type]  # a mistake
        "expected a function of schedules, found 3",
    ),
    "subscripts without a result": (
        lambda: Contract("ab,bc"),
        "expected the letters of operands and `->` before those of the result, found 'ab,bc'",
    ),
    "a first product that is none": (
        lambda: Chain.first(SH, 3),  # type: ignore[arg-type]  # a mistake
        "expected a schedule of a product, found 3",
    ),
    "a refinement behind the end": (
        lambda: listing1.pad(2),
        "expected a refinement of the last step, found `pad` behind `done`",
    ),
    "no move": (
        lambda: block().epilog(RF).split(8).load(A, SH, block()),
        "expected a schedule of a move, found MatMul.tile(64, 64).to(Block)",
    ),
    "matrix instructions without fragments": (
        lambda: block().epilog(RF).split(16).tile(16, 16).to(Warp).mmaTile,
        "expected a product of a Warp with sums in FR, found MatMul(16, 16, 16)(GL, GL, RF)(Warp)",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_diagnostic_with_what_fits(mistake: str) -> None:
    make, title = MISTAKES[mistake]
    with pytest.raises(StrategyError) as caught:
        make()
    diagnostic = caught.value.diagnostic
    assert diagnostic.title == title
    assert diagnostic.code == "schedule" and "-p " not in diagnostic.hint
    assert any("the specification here is " in note for note in diagnostic.notes)
    assert "steps that fit here: " in diagnostic.hint


def test_the_hint_of_a_refinement_names_those_of_the_last_step_and_the_steps_that_fit() -> None:
    with pytest.raises(StrategyError) as caught:
        block().epilog(RF).split(8).pad(4)
    assert caught.value.diagnostic.hint.startswith(
        "refinements of `split(8)`: unroll, sync; steps that fit here: tile("
    )
    with pytest.raises(StrategyError) as caught:
        listing1.pad(2)
    assert caught.value.diagnostic.hint.endswith(
        "steps that fit here: none, since the schedule ends in `done`"
    )


def test_the_hint_has_no_step_that_the_schedule_would_reject() -> None:
    with pytest.raises(StrategyError) as caught:
        MISTAKES["a fifth tile of sums"][0]()
    assert "steps that fit here: split(k) with k 1 or 2 or 4 or 8" in caught.value.diagnostic.hint


def test_mistakes_in_a_text_are_reported_with_the_steps_that_fit() -> None:
    for text in (
        "MatMul.tile(64, 64).til(8, 8)",
        "MatMul.tile(64, 64).tile(8)",
        "MatMul.tile(64, 64).pad(1, 2)",
    ):
        with pytest.raises(StrategyError) as caught:
            read_schedule(text)
        assert caught.value.diagnostic.notes == (
            "the specification here is MatMul(64, 64, K)(GL, GL, GL)(Kernel)",
        )
        assert "steps that fit here: tile(r, c)" in caught.value.diagnostic.hint


def test_sizes_of_a_program_that_do_not_divide_are_reported_with_the_steps_that_fit() -> None:
    """The diagnostic is that of the same schedule for these sizes."""
    schedule = listing2.strategy()
    for sizes, title, here in (
        (
            {"K": 20},
            "expected a step of 2 or 4 or 5 or 10 or 20 products, found 8",
            "128, 128, 20)(GL, GL, RF)(Block",
        ),
        (
            {"M": 100},
            "expected a tile with 10 or 20 or 25 or 50 or 100 rows, found 128",
            "100, N, K)(GL, GL, GL)(Kernel",
        ),
    ):
        with pytest.raises(RiseError) as caught:
            derive(schedule, rise.specialise(SINGLE, **sizes))
        diagnostic = caught.value.diagnostic
        assert f"{title}; the specification here is MatMul({here})" in " ".join(diagnostic.notes)
        assert diagnostic.hint.startswith("steps that fit here: tile(r, c) with ")
    ones = block(16, 16).epilog(RF).split(1).tile(4, 4).to(Thread).tile(1, 1).done
    assert isinstance(ones.strategy()(rise.specialise(SINGLE, K=1)), Success)


def test_the_hint_names_the_steps_that_fit() -> None:
    schedule = block().epilog(RF).split(8)
    with pytest.raises(StrategyError) as caught:
        schedule.then(DoneStep())
    assert caught.value.diagnostic.hint == (
        "steps that fit here: tile(r, c) with 4 or 8 or 16 or 32 or 64 rows and 4 or 8 or 16 or 32 or 64 columns, "
        "to(Warp or Thread), split(k) with k 1 or 2 or 4 or 8, load(A, SH), load(B, SH)"
    )
    assert schedule.load(A, SH).load(B, SH).tile(64, 32).to(Warp).residual.unit == Warp


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("MatMul.tile(8, 8", "expected the text of a schedule, found a syntax error: '(' was never closed"),
        (
            "__import__('os').system('true')",
            "expected a schedule that begins with MatMul or Chain or Contract or Map or Reduce or Move,"
            " found `__import__('os')`",
        ),
        (
            "open('x')",
            "expected a schedule that begins with MatMul or Chain or Contract or Map or Reduce or Move,"
            " found `open('x')`",
        ),
        ("MatMul.__class__", "expected a step or a refinement, found `__class__`"),
        (
            "MatMul.tile(8, size)",
            "expected a number or one of A, B, Block, CA, ColMajor, Core, FR, GL, Kernel, Lane, RF, RowMajor, SH, "
            "Thread, Vector, Warp, found `size`",
        ),
        ("MatMul.tile(8)", "expected the rows and columns of a tile, found tile(8)"),
        ("MatMul.pad(1, 2)", "expected the arguments of `pad`, found `pad(1, 2)`"),
        ("MatMul.tile(8, 8).split(4)", "expected sums in RF or FR, found C in GL"),
    ],
)
def test_a_text_that_is_not_a_schedule_is_rejected(text: str, title: str) -> None:
    with pytest.raises(StrategyError) as caught:
        read_schedule(text)
    assert caught.value.diagnostic.title == title
