"""The primitives that permit changes of loops mark the right loops, and passes change no others."""

from collections.abc import Iterator

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.hardware.processors import PREFETCHES
from rise.primitives import THEMES
from rise.primitives.record import PrimitiveRecord
from shine.imperative.nodes import Block, For, If, omission
from shine.imperative.text import write_procedure
from shine.passes.cpu.unroll_and_jam import unroll_and_jam
from shine.passes.record import run_passes
from shine.targets import TARGETS
from shine.translate import translate

RECORDS = THEMES["Loop transformations"]
OPENMP = TARGETS["openmp"]
SETTLED = OPENMP.settle(OPENMP.complete({}))
NAMES = {one.name for one in OPENMP.passes}
#: the marks of loops that omit prefetches
OMISSIONS = {omission(kind) for kind in PREFETCHES}
SUM = "reduceSeq(add, 0.0)"
#: sums of columns, and then of windows that reach the borders
COLUMNS = "xs |> transpose |> mapSeq(fun(c => c |> reduceSeq(add, 1.0)))"
WINDOWS = "row |> padClamp(1, 1) |> slide(3, 1) |> mapSeq(fun(w => idx(0, w) + idx(2, w)))"
BOTH = "fun(xs: N.M.f32, row: N.f32 => pair({}, {}))"


def loops(block: Block) -> Iterator[For]:
    """All loops of a block, outer ones first."""
    for statement in block.statements:
        match statement:
            case For(body=body):
                yield statement
                yield from loops(body)
            case If(body=body):
                yield from loops(body)
            case _:
                pass


def body_of(text: str) -> Block:
    return translate(rise.parse(text).main).body


def changed(text: str) -> list[str]:
    """The passes of openmp that change loops of a program, among those that programs can permit."""
    program = translate(rise.parse(text).main)
    found = []
    for one, after in OPENMP.steps(program, {}):
        if after != program and one.name in ALLOWED:
            found.append(one.name)
        program = after  # type: ignore[assignment]  # this target's programs are procedures
    return found


def marks(record: PrimitiveRecord) -> frozenset[str]:
    """The passes that a primitive permits."""
    return next(loops(body_of(f"fun(xs: N.f32 => xs |> mapSeq(sqrt) |> {record.name})"))).allowed


ALLOWED = frozenset().union(*map(marks, RECORDS))


@pytest.mark.parametrize("record", RECORDS, ids=lambda one: one.name)
def test_each_primitive_marks_all_loops_inside_with_a_pass_or_an_omission(record: PrimitiveRecord) -> None:
    inside = body_of(f"fun(xs: N.M.f32 => xs |> mapSeq({SUM}) |> {record.name})")
    assert [one.allowed for one in loops(inside)] == [marks(record)] * 2
    assert len(marks(record)) == 1 and marks(record) <= NAMES | OMISSIONS
    assert not any(one.allowed for one in loops(body_of(f"fun(xs: N.M.f32 => xs |> mapSeq({SUM}))")))


def test_each_primitive_has_a_different_mark() -> None:
    assert len(ALLOWED) == len(RECORDS)


def test_a_number_that_a_loop_computes_is_marked_where_it_is_read() -> None:
    (loop,) = loops(body_of(f"fun(xs: N.f32 => unrollAndJam(xs |> {SUM}) * 2.0)"))
    assert loop.allowed == {unroll_and_jam.__name__}


def test_loops_may_be_marked_twice() -> None:
    (loop,) = loops(body_of("fun(xs: N.f32 => xs |> mapSeq(sqrt) |> peelBorders |> prefetchRows)"))
    assert loop.allowed == {"peel_borders", "prefetch_rows"}


def test_loops_of_other_results_are_unchanged() -> None:
    """Only the loops of one of two results may be changed: the pass does not change the loops of the other."""
    assert changed(BOTH.format(COLUMNS, WINDOWS)) == []
    assert changed(BOTH.format(f"unrollAndJam({COLUMNS})", WINDOWS)) == ["unroll_and_jam"]
    assert changed(BOTH.format(COLUMNS, f"peelBorders({WINDOWS})")) == ["peel_borders"]
    assert changed(BOTH.format(f"peelBorders({COLUMNS})", f"unrollAndJam({WINDOWS})")) == []


def test_loops_around_it_are_unchanged() -> None:
    rows = "fun(xs: N.M.f32 => xs |> mapPar(fun(row => {})))"
    assert changed(rows.format(f"peelBorders({WINDOWS})")) == ["peel_borders"]
    text = write_procedure(translate(rise.parse(rows.format(f"peelBorders({WINDOWS})")).main))[0]
    assert text.count("(parallel)") == 1


def test_marks_do_not_change_sharing() -> None:
    """Values that are computed once still are: marks change no statement."""
    shared = f"let s = xs |> mapSeq({SUM}) |> toMem(Local) in zip(s, s) |> mapSeq(mul)"
    programs = (f"fun(xs: N.M.f32 => {one})" for one in (shared, f"unrollAndJam({shared})"))
    texts = [write_procedure(translate(rise.parse(one).main))[0] for one in programs]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("target", ["openmp", "interpret", "cuda-sim"])
def test_results_are_the_same_on_every_target(target: str) -> None:
    text = f"fun(xs: 5.40.f32 => unrollAndJam({COLUMNS}))"
    xs = np.arange(200, dtype=np.float32).reshape(5, 40)
    np.testing.assert_array_equal(shine.compile(rise.parse(text).main, target=target)(xs), xs.sum(0) + 1)


def test_columns_are_summed_in_order_several_rows_at_a_time() -> None:
    kernel = shine.compile(
        rise.parse(
            "fun(v: M.f32, a: M.N.f32 => a |> transpose |> map(fun(c => zip(v, c)"
            " |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))"
        ).main
    )
    assert "m_step * 4 + 3" in kernel.source
    rng = np.random.default_rng(0)
    for rows, columns in ((0, 3), (1, 300), (3, 1), (4, 128), (7, 1100), (8, 257), (21, 1024)):
        v, a = rng.random(rows, np.float32), rng.random((rows, columns), np.float32)
        expected = np.cumsum(np.vstack([np.zeros((1, columns), np.float32), v[:, None] * a]), axis=0)[-1]
        np.testing.assert_array_equal(kernel(v, a), expected)


@pytest.mark.parametrize("option", ["borders", "together", "prefetch"])
def test_a_parameter_of_the_default_strategy_removes_a_permission(option: str) -> None:
    program = rise.parse(
        f"fun(xs: N.M.f32 => {COLUMNS.replace('mapSeq', 'map').replace('reduceSeq', 'reduce')})"
    )
    every, less = (
        rise.show(strategies.load(OPENMP.strategy, **given)(program.main).program)
        for given in ({}, {option: False})
    )
    gone = {one.name for one in RECORDS if one.name in every and one.name not in less}
    assert (
        gone
        == {
            "borders": {"peelBorders"},
            "together": {"unrollAndJam", "unjoinLoops"},
            "prefetch": {"prefetchRows"},
        }[option]
    )


def test_a_parameter_that_is_not_a_switch_is_rejected() -> None:
    with pytest.raises(elevate.StrategyError, match="expected 0 or 1 for `together`"):
        strategies.load(OPENMP.strategy, together=3)


def test_loops_that_may_be_changed_are_unchanged_if_the_option_is_off() -> None:
    program = translate(rise.parse(f"fun(xs: N.M.f32 => unrollAndJam({COLUMNS}))").main)
    options = {**SETTLED, "together": False}
    assert run_passes(OPENMP.passes, program, options) == program
    assert run_passes(OPENMP.passes, program, SETTLED) != program
