"""Schedules are values; they predict specifications, and report steps that do not fit."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

import rise
from elevate import Failure, StrategyError, Success, id_, replay
from examples.fireiron.listings import LISTINGS, listing1, listing2
from strategies.fireiron import (
    FR,
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    Lane,
    MatMul,
    Move,
    Schedule,
    Strided,
    Thread,
    Warp,
    derivation,
    read_schedule,
)
from strategies.fireiron.specs import Unit
from strategies.fireiron.steps import DoneStep
from tests.strategies.fireiron.products import HALF, SINGLE, program_for


def test_a_schedule_prints_the_specification_after_each_step() -> None:
    schedule = MatMul.tile(64, 64).to(Block).epilog(RF).split(8).load(A, SH).pad(1).tile(8, 8).to(Thread)
    assert schedule.specs().splitlines() == [
        "MatMul                     // MatMul(M, N, K)(GL, GL, GL)(Kernel)",
        "  .tile(64, 64).to(Block)  // MatMul(64, 64, K)(GL, GL, GL)(Block)",
        "  .epilog(RF)              // MatMul(64, 64, K)(GL, GL, RF)(Block)",
        "  .split(8)                // MatMul(64, 64, 8)(GL, GL, RF)(Block)",
        "  .load(A, SH).pad(1)      // MatMul(64, 64, 8)(SH, GL, RF)(Block)",
        "  .tile(8, 8).to(Thread)   // MatMul(8, 8, 8)(SH, GL, RF)(Thread)",
    ]
    assert listing2.specs().endswith("// MatMul(1, 1, 1)(RF, RF, RF)(Lane)")


def test_the_specifications_for_a_program_have_types_and_layouts() -> None:
    loaded = MatMul.tile(64, 32).to(Block).epilog(FR).split(16).load(A, SH).toColMajor.load(B, SH)
    lines = loaded.specs(rise.specialise(HALF, M=128, N=64, K=32)).splitlines()
    assert [line.split("  // ")[1] for line in lines] == [
        "MatMul(128, 64, 32)(f16 in GL, f16 in GL, f32 in GL)(Kernel)",
        "MatMul(64, 32, 32)(f16 in GL, f16 in GL, f32 in GL)(Block)",
        "MatMul(64, 32, 32)(f16 in GL, f16 in GL, f32 in FR)(Block)",
        "MatMul(64, 32, 16)(f16 in GL, f16 in GL, f32 in FR)(Block)",
        "MatMul(64, 32, 16)(f16 in SH by columns, f16 in GL, f32 in FR)(Block)",
        "MatMul(64, 32, 16)(f16 in SH by columns, f16 in SH, f32 in FR)(Block)",
    ]
    with pytest.raises(StrategyError, match=r"expected a program with MatMul\(M, N, 8\)"):
        listing1.specs(SINGLE)


@pytest.mark.parametrize("number", ["1", "3"])
def test_a_derivation_is_nothing_but_steps_of_rules(number: str) -> None:
    program = program_for(LISTINGS[number])
    result = LISTINGS[number].strategy()(program)
    assert isinstance(result, Success) and result.steps
    assert list(replay(program, result.steps))[-1] == result.program


def test_a_step_that_leaves_another_specification_than_predicted_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both are shown, here for a tile that does nothing."""
    monkeypatch.setattr(derivation, "_tile", lambda place, step, spec: (place, id_))
    result = listing2.strategy()(SINGLE)
    assert isinstance(result, Failure)
    assert (
        "expected MatMul(128, 128, K)(GL, GL, GL)(Block) after `.tile(128, 128).to(Block)`,"
        " found MatMul(M, N, K)(GL, GL, GL)(Kernel)"
    ) in str(result.explain())


@pytest.mark.parametrize("schedule", LISTINGS.values())
def test_a_schedule_is_a_value(schedule: Schedule) -> None:
    again = Schedule(schedule.kind, schedule.sizes)
    for step in schedule.steps:
        again = again.then(step)
    assert again == schedule and hash(again) == hash(schedule)
    assert pickle.loads(pickle.dumps(schedule)) == schedule
    assert schedule.strategy() == again.strategy()
    assert MatMul.steps == ()
    with pytest.raises(AttributeError):
        schedule.steps = ()  # type: ignore[misc]  # a mistake: it is immutable


@pytest.mark.parametrize("schedule", LISTINGS.values())
def test_a_schedule_is_saved_as_text_and_read_back(schedule: Schedule) -> None:
    assert read_schedule(str(schedule)) == schedule


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("MatMul.tile(8, 8", "expected the text of a schedule, found a syntax error: '(' was never closed"),
        (
            "__import__('os').system('true')",
            "expected a step or a refinement, found `system`",
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
    "a third tile of sums": (
        lambda: block().epilog(RF).split(8).tile(32, 32).tile(16, 16).tile(8, 8),
        "expected at most 2 tilings of sums after a split, found another: `tile(8, 8)`",
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
        lambda: Strided(4, 32),  # type: ignore[arg-type]  # a mistake
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
    "no location": (lambda: block().load(A, "SH"), "expected a location: GL, SH, RF or FR, found 'SH'"),  # type: ignore[arg-type]  # a mistake
    "no move": (
        lambda: block().epilog(RF).split(8).load(A, SH, block()),
        "expected a schedule of a move, found MatMul.tile(64, 64).to(Block)",
    ),
    "matrix instructions without fragments": (
        lambda: block().epilog(RF).split(16).tile(16, 16).to(Warp).mmaTile,
        "expected a product of a Warp with sums in FR, found MatMul(16, 16, 16)(GL, GL, RF)(Warp)",
    ),
}


#: mistakes in the arguments of a step, which fit no specification
WRONG_ARGUMENTS = (
    "a size that is none",
    "strides that are none",
    "bits that are no permutation",
    "no location",
    "no move",
)
#: mistakes after which no step helps, but another refinement, another operand, or none
NO_STEPS = (
    "a refinement of another step",
    "a refinement of nothing",
    "a step after the end",
    "another operand",
    "a load in a move",
)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_diagnostic_with_what_fits(mistake: str) -> None:
    make, title = MISTAKES[mistake]
    with pytest.raises(StrategyError) as caught:
        make()
    diagnostic = caught.value.diagnostic
    assert diagnostic.title == title
    assert diagnostic.hint
    if mistake not in WRONG_ARGUMENTS:
        assert any("the specification here is " in note for note in diagnostic.notes)
    if mistake not in (*WRONG_ARGUMENTS, *NO_STEPS):
        assert "steps that fit here: " in diagnostic.hint


def test_the_hint_names_the_steps_that_fit() -> None:
    schedule = block().epilog(RF).split(8)
    with pytest.raises(StrategyError) as caught:
        schedule.then(DoneStep())
    assert caught.value.diagnostic.hint == (
        "steps that fit here: tile(r, c) with 4 or 8 or 16 or 32 or 64 rows and 4 or 8 or 16 or 32 or 64 columns, "
        "to(Warp or Thread), split(k) with k 1 or 2 or 4 or 8, load(A, SH), load(B, SH)"
    )
    assert schedule.load(A, SH).load(B, SH).tile(64, 32).to(Warp).residual.unit == Warp


def test_a_program_of_another_size_shows_both_specifications() -> None:
    result = listing1.strategy()(SINGLE)
    assert isinstance(result, Failure)
    text = str(result.explain())
    assert "expected MatMul(M, N, 8)(GL, GL, GL)(Kernel) before all steps" in text
    assert "found MatMul(M, N, K)(GL, GL, GL)(Kernel)" in text


def test_steps_and_refinements_of_a_users_own_are_functions_of_schedules() -> None:
    def quarters(schedule: Schedule, unit: Unit) -> Schedule:
        rows, columns = (int(size) for size in schedule.residual.shape)
        return schedule.tile(rows // 2, columns // 2).to(unit)

    def wide(schedule: Schedule) -> Schedule:
        return schedule.pad(8).toColMajor

    before = MatMul.tile(64, 64).to(Block).epilog(RF).split(16).load(A, SH)
    found = before.apply(wide).apply(quarters, Warp).apply(quarters, Lane)
    assert found == before.pad(8).toColMajor.tile(32, 32).to(Warp).tile(16, 16).to(Lane)
    assert read_schedule(str(found)) == found
    with pytest.raises(StrategyError) as caught:
        before.apply(lambda schedule: None)  # type: ignore[arg-type, return-value]  # a mistake
    assert caught.value.diagnostic.title == "expected a schedule from `<lambda>`, found None"
    with pytest.raises(StrategyError, match="expected a function of schedules, found 8"):
        before.apply(8)  # type: ignore[arg-type]  # a mistake
    with pytest.raises(StrategyError, match="expected tiles of a Block to go to Warp or Thread, found Lane"):
        before.apply(quarters, Lane)
