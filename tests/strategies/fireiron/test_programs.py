"""Programs of another kind or of other axes are refused, with what the program is and the steps that fit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

import rise
import shine
from elevate import Failure, StrategyError
from rise import RiseError
from rise.terms import Expr
from shine.front.derivation import derive
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    Contract,
    Map,
    MatMul,
    MicroKernel,
    Move,
    Reduce,
    Schedule,
    Thread,
    Warp,
    read_schedule,
)
from tests.strategies.fireiron.products import HALF, SINGLE
from tests.strategies.fireiron.test_chains import RIGHT, TWICE

#: a program of each kind, with the specification that it is, and how its schedules begin
PROGRAMS: Final[dict[str, tuple[Expr, str, str]]] = {
    "a product": (SINGLE, "MatMul(M, N, K)(GL, GL, GL)(Kernel)", "MatMul"),
    "a product of a product": (
        rise.parse(TWICE).main,
        "Chain(M, N, K, L)(GL, GL, GL, GL)(Kernel)",
        "Chain",
    ),
    "a product with a product": (
        rise.parse(RIGHT).main,
        "Chain(M, N, K, L)(GL, GL, GL, GL)(Kernel)",
        "Chain('A @ (B @ C)')",
    ),
    "sums of rows": (
        rise.parse("fun(xs: M.K.f32 => xs |> map(reduce(add, 0.0)))").main,
        "Reduce(m: M, k: K)(GL -> GL)(Kernel)",
        "Reduce('mk->m')",
    ),
    "sums of columns": (
        rise.parse("fun(xs: M.N.f32 => transpose(xs) |> map(reduce(add, 0.0)))").main,
        "Reduce(m: N, k: M)(GL -> GL)(Kernel)",
        "Reduce('km->m')",
    ),
    "one sum": (
        rise.parse("fun(xs: K.f32 => xs |> reduce(add, 0.0))").main,
        "Reduce(k: K)(GL -> GL)(Kernel)",
        "Reduce('k->')",
    ),
    "a map": (
        rise.parse("fun(xs: N.f32 => xs |> map(fun(x => 2.0 * x)))").main,
        "Map(j: N)(GL -> GL)(Kernel)",
        "Map('j->j')",
    ),
    "a map of columns": (
        rise.parse("fun(xs: M.N.f32 => transpose(xs) |> map(map(fun(x => 2.0 * x))))").main,
        "Map(i: N, j: M)(GL -> GL)(Kernel)",
        "Map('ji->ij')",
    ),
    "a map of a matrix and a row": (
        rise.parse("""fun(xs: M.N.f32, v: N.f32 =>
          xs |> map(fun(row => zip(row, v) |> map(fun(p => fst(p) + snd(p))))))""").main,
        "Map(i: M, j: N)(GL, GL -> GL)(Kernel)",
        "Map('ij,j->ij')",
    ),
    "a map of a matrix and a column": (
        rise.parse("""fun(xs: M.N.f32, v: M.f32 =>
          zip(xs, v) |> map(fun(p => fst(p) |> map(fun(x => x + snd(p))))))""").main,
        "Map(i: M, j: N)(GL, GL -> GL)(Kernel)",
        "Map('ij,i->ij')",
    ),
}
#: a schedule of each kind, for programs of the same name
SCHEDULES: Final[dict[str, Schedule]] = {
    "a product": MatMul.tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done,
    "a product of a product": (
        Chain.tile(16, 16)
        .to(Block)
        .epilog(RF)
        .split(8)
        .first(SH, MatMul.by(Block).tile(4, 2).to(Thread).tile(1, 1).done)
        .tile(4, 4)
        .to(Thread)
        .tile(1, 1)
        .done
    ),
    "a product with a product": (
        Chain("A @ (B @ C)")
        .tile(16, 32)
        .to(Block)
        .epilog(RF)
        .split(8)
        .tile(16, 2)
        .to(Thread)
        .first(RF, MatMul.by(Thread).tile(1, 1).done)
        .tile(1, 1)
        .done
    ),
    "sums of rows": Reduce.tile(16).to(Block).tile(1).to(Thread).done,
    "sums of columns": Reduce("km->m").tile(16).to(Block).tile(1).to(Thread).done,
    "one sum": Reduce("k->").split(64).to(Block).split(8).to(Thread).done,
    "a map": Map.tile(256).to(Block).tile(1).to(Thread).done,
    "a map of columns": Map("ij->ji")
    .tile(32, 32)
    .to(Block)
    .load(A, SH)
    .tile(4, 4)
    .to(Thread)
    .tile(1, 1)
    .done,
    "a map of a matrix and a row": Map("ij,j->ij")
    .tile(32, 32)
    .to(Block)
    .tile(4, 4)
    .to(Thread)
    .tile(1, 1)
    .done,
    "a map of a matrix and a column": (
        Map("ij,i->ij").tile(32, 32).to(Block).tile(4, 4).to(Thread).tile(1, 1).done
    ),
}


@pytest.mark.parametrize("kind", SCHEDULES)
def test_a_program_of_another_kind_is_shown_with_the_steps_that_fit_it(kind: str) -> None:
    schedule = SCHEDULES[kind]
    for name, (program, spec, head) in PROGRAMS.items():
        if name == kind:
            derive(schedule.strategy(), program)
            continue
        with pytest.raises(RiseError) as caught:
            derive(schedule.strategy(), program)
        diagnostic = caught.value.diagnostic
        assert f"expected {schedule.start} before all steps, found {spec}" in " ".join(diagnostic.notes)
        assert diagnostic.hint.startswith(f"begin the schedule with {head}; steps that fit here: "), name
        with pytest.raises(StrategyError) as refused:
            schedule.specs(program)
        assert refused.value.diagnostic.title.startswith(
            f"expected a program with {schedule.start}, found {spec}"
        )
        assert refused.value.diagnostic.hint == diagnostic.hint


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_schedule_that_a_hint_begins_is_one_for_the_program(name: str) -> None:
    program, spec, head = PROGRAMS[name]
    begun = read_schedule(f"{head}.split(8)" if head == "Reduce('k->')" else head)
    assert begun.specs(program).splitlines()[0].partition("// ")[2].replace("f32 in ", "") == spec


@pytest.mark.parametrize(
    ("subscripts", "name"),
    [
        ("ij,ij->ij", "a map of a matrix and a row"),
        ("ij,i->ij", "a map of a matrix and a row"),
        ("ji,j->ij", "a map of a matrix and a row"),
        ("ij,j->ij", "a map of a matrix and a column"),
        ("ij->ij", "a map of columns"),
    ],
)
def test_a_map_of_arrays_with_other_axes_is_refused(subscripts: str, name: str) -> None:
    """Its specification would have the sizes of other arrays."""
    program, _, head = PROGRAMS[name]
    schedule = Map(subscripts).tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done
    result = schedule.strategy()(program)
    assert isinstance(result, Failure)
    assert f"before all steps, found Map(i: {'N' if 'ji' in head else 'M'}" in str(result.explain())
    assert f"that is {head}" in str(result.explain())


@pytest.mark.parametrize(
    ("subscripts", "program", "head"),
    [
        ("abk,cdk->acbd", SINGLE, "MatMul"),
        ("ak,bk->ab", SINGLE, "MatMul"),
        (
            "abk,cdk->acbd",
            shine.contraction("abk,ck->abc", "A.B.K.f32", "C.K.f32").main,
            "Contract and the letters of the arrays, such as Contract('abk,cdk->acbd')",
        ),
    ],
)
def test_a_contraction_of_arrays_with_other_axes_is_refused(
    subscripts: str, program: Expr, head: str
) -> None:
    schedule = Contract(subscripts).tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done
    with pytest.raises(RiseError) as caught:
        derive(schedule.strategy(), program)
    assert caught.value.diagnostic.hint.startswith(
        f"begin the schedule with {head}; steps that fit here: tile("
    )


def test_a_batch_of_products_is_refused_as_one_product() -> None:
    batch = shine.contraction("lmk,lkn->lmn", "L.M.K.f32", "L.K.N.f32").main
    with pytest.raises(RiseError) as caught:
        derive(SCHEDULES["a product"].strategy(), batch)
    diagnostic = caught.value.diagnostic
    assert "found Contract(M, N, K)(GL, GL, GL)(Kernel) for each b" in " ".join(diagnostic.notes)
    assert diagnostic.hint.startswith("begin the schedule with Contract and the letters of the arrays")


def test_rows_that_are_computed_from_two_arrays_are_not_copied() -> None:
    rows = rise.parse("""fun(a: M.32.f32, x: 32.f32 =>
      a |> map(fun(row => zip(row, x) |> map(mul) |> reduce(add, 0.0))))""").main
    tiles = Reduce("M", 32).tile(4).to(Block)
    derive(tiles.tile(1).to(Thread).done.strategy(), rows)
    with pytest.raises(RiseError) as caught:
        derive(tiles.load(A, SH).tile(1).to(Thread).done.strategy(), rows)
    diagnostic = caught.value.diagnostic
    assert (
        "expected rows of one array for `load(A, SH)`, found rows computed from 2, at "
        "Reduce(4, 32)(GL -> GL)(Block)" in " ".join(diagnostic.notes)
    )
    assert diagnostic.hint == (
        "omit the step; steps that fit here: tile(n) with 1 or 2 or 4 elements, to(Warp or Thread), epilog(RF)"
    )


def test_a_program_of_no_kind_is_refused_with_the_kinds_that_there_are() -> None:
    scan = rise.parse("fun(xs: N.f32 => xs |> scan(add, 0.0))").main
    for schedule in SCHEDULES.values():
        with pytest.raises(RiseError) as caught:
            derive(schedule.strategy(), scan)
        assert caught.value.diagnostic.hint == (
            "choose a program that is a MatMul, Chain, Contract, Map or Reduce; steps that fit here: none"
        )


def test_other_sizes_are_refused_with_those_of_the_program() -> None:
    with pytest.raises(RiseError) as caught:
        derive(MatMul("M", "N", 8).tile(16, 16).to(Block).tile(1, 1).to(Thread).done.strategy(), SINGLE)
    diagnostic = caught.value.diagnostic
    assert "found MatMul(M, N, K)(GL, GL, GL)(Kernel)" in " ".join(diagnostic.notes)
    assert diagnostic.hint.startswith(
        "begin the schedule with MatMul and the sizes of the program, or none; steps that fit here: tile(r, c)"
    )


def test_factors_of_other_types_are_refused_with_the_instructions_that_there_are() -> None:
    tiles = MatMul.tile(32, 32).to(Block).epilog(FR).split(16).load(A, SH).load(B, SH).tile(16, 16).to(Warp)
    with pytest.raises(RiseError) as caught:
        derive(tiles.mmaTile.done.strategy(), SINGLE)
    assert "found f32, at MatMul(16, 16, 16)(SH, SH, FR)(Warp)" in " ".join(caught.value.diagnostic.notes)
    steps = caught.value.diagnostic.hint.partition("steps that fit here: ")[2]
    assert steps.startswith("tile(r, c)") and "mmaTile" not in steps


def test_instructions_that_an_architecture_lacks_are_refused_with_those_that_it_has() -> None:
    tiles = MatMul.tile(32, 32).to(Block).epilog(FR).split(16).load(A, SH).load(B, SH).tile(16, 16).to(Warp)
    derive(tiles.mma(16, 8, 16).done.strategy("sm_80"), HALF)
    derive(tiles.mma(16, 8, 8).done.strategy("sm_75"), HALF)
    with pytest.raises(RiseError) as caught:
        derive(tiles.mma(16, 8, 16).done.strategy("sm_75"), HALF)
    title = (
        "expected a matrix instruction on sm_75, found 16 x 8 x 16, at MatMul(16, 16, 16)(SH, SH, FR)(Warp)"
    )
    assert title in " ".join(caught.value.diagnostic.notes)
    steps = caught.value.diagnostic.hint.partition("steps that fit here: ")[2]
    assert "mmaTile, mma(16, 8, 8)" in steps and "mma(16, 8, 16)" not in steps


HELD: Final = MatMul.tile(16, 16).to(Block).epilog(RF).split(4).load(A, SH).load(B, SH).tile(4, 4).to(Thread)
KERNELS: Final[dict[str, tuple[Callable[[], Schedule], Expr, str]]] = {
    "numbers": (
        lambda: HELD.split(1).load(A, RF).load(B, RF).tile(1, 1).done(
            MicroKernel("fused", "MatMul(1, 1, 1)(RF, RF, RF)(Thread)", "f16 -> f16 -> f16 -> f16")
        ),
        SINGLE,
        "done",
    ),
    "arrays": (
        lambda: HELD.done(
            MicroKernel(
                "tile",
                "MatMul(4, 4, 4)(SH, SH, RF)(Thread)",
                "4.4.f16 -> 4.4.f16 -> 4.4.f16 -> 4.4.f16",
            )
        ),
        SINGLE,
        "tile(r, c) with 1 or 2 or 4 rows",
    ),
    "fragments": (
        lambda: MatMul.tile(32, 32).to(Block).epilog(FR).split(16).tile(16, 16).to(Warp).mma(16, 8, 16).done(
            MicroKernel("by_hand", "MatMul(16, 8, 16)(FR, FR, FR)(Warp)", "f16 -> f16 -> f16 -> f16")
        ),
        HALF,
        "tile(r, c)",
    ),
    "a move": (
        lambda: MatMul.tile(16, 16)
        .to(Block)
        .epilog(
            RF,
            store=Move.tile(4, 4)
            .to(Thread)
            .done(MicroKernel("store", "Move(4, 4)(RF -> GL)(Thread)", "4.4.f16 -> 4.4.f16")),
        )
        .split(4)
        .tile(4, 4)
        .to(Thread)
        .tile(1, 1)
        .done,
        SINGLE,
        "tile(r, c) with 1 or 2 or 4 rows",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_a_micro_kernel_of_other_types_is_refused_with_the_steps_that_fit(name: str) -> None:
    make, program, steps = KERNELS[name]
    schedule = make()
    (kernel,) = schedule.kernels
    with pytest.raises(RiseError) as caught:
        derive(schedule.strategy(), program)
    diagnostic = caught.value.diagnostic
    expected = (
        f"declare the types of the program for `{kernel}`, at {kernel.spec}; steps that fit here: {steps}"
    )
    assert diagnostic.hint.startswith(expected)
