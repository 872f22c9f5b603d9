"""Schedules are values; they predict specifications, and report steps that do not fit."""

from __future__ import annotations

import pickle

import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success, id_, replay
from examples.fireiron.listings import LISTINGS, listing1, listing2, listing5
from rise import RiseError
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    Lane,
    MatMul,
    Schedule,
    Thread,
    Warp,
    derivation,
    read_schedule,
)
from strategies.fireiron.specs import Unit
from strategies.lookup import load
from tests.strategies.fireiron.products import HALF, SINGLE, program_for

UNFINISHED = MatMul.tile(64, 64)


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


def test_a_schedule_is_loaded_as_a_strategy_by_its_address() -> None:
    assert load("examples.fireiron.listings:listing2") == listing2.strategy()
    assert load("examples.fireiron.listings:listing5", depth=64) == listing5(64).strategy()
    with pytest.raises(StrategyError, match="expected a schedule that ends in `done`"):
        load("tests.strategies.fireiron.test_schedule:UNFINISHED")


def test_the_strategy_of_a_schedule_lowers_a_program_and_not_the_schedule() -> None:
    assert repr(listing2) == str(listing2)
    with pytest.raises(RiseError) as caught:
        shine.compile(SINGLE, strategy=listing2)  # type: ignore[arg-type]  # a mistake
    assert caught.value.diagnostic.hint == "pass what its method `strategy()` returns"


@pytest.mark.parametrize("schedule", LISTINGS.values())
def test_a_schedule_is_saved_as_text_and_read_back(schedule: Schedule) -> None:
    assert read_schedule(str(schedule)) == schedule


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
