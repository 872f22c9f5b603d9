"""Schedules of other computations than products of matrices: they derive, print and compute what numpy computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success
from strategies.fireiron import (
    CA,
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    ColMajor,
    Contract,
    Core,
    Lane,
    Map,
    MatMul,
    Move,
    Reduce,
    Thread,
    Vector,
    Warp,
    read_schedule,
)
from tests.examples import some
from tests.strategies.fireiron.kinds import (
    CASES,
    CONTRACTIONS,
    LONG_ROWS,
    assert_same,
)

TWICE: Final = "fun(xs: N.f32 => xs |> map(fun(x => 2.0 * x)))"


@pytest.mark.parametrize("name", some(CASES, 5))
def test_a_schedule_computes_what_numpy_computes(name: str, cache: Path) -> None:
    assert_same(CASES[name], cache)


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_is_read_from_its_text(name: str) -> None:
    schedule = CASES[name].schedule
    assert read_schedule(str(schedule)) == schedule


@pytest.mark.parametrize("name", some(CASES, 2))
def test_a_picture_has_each_step_and_array(name: str) -> None:
    case = CASES[name]
    program = rise.specialise(rise.parse(case.program).main, **case.sizes[0])
    picture = case.schedule.picture(program)
    for region in case.schedule.regions(program):
        assert all(step.split(".")[-1] in picture for step in region.steps)
        assert all(str(matrix) in picture and matrix.bytes is not None for matrix in region.matrices)


def test_an_operation_without_a_neutral_element_is_not_reduced_in_parts() -> None:
    differences = rise.parse(LONG_ROWS.replace("add", "fun(x, y => x - y)")).main
    parts = Reduce("M", 1024).tile(1).to(Block).split(16).to(Thread).done
    result = parts.strategy()(differences)
    assert isinstance(result, Failure)
    assert "expected an associative operation" in str(result.explain())
    assert isinstance(Reduce.tile(1).to(Block).tile(1).to(Thread).done.strategy()(differences), Success)


def test_specifications_have_the_sizes_of_axes_by_letters() -> None:
    schedule = Map("ij,j->ij", i=64).tile(16, 64).to(Block).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done
    assert str(schedule).startswith("Map('ij,j->ij', i=64).tile(16, 64)")
    assert schedule.specs().splitlines() == [
        "Map('ij,j->ij', i=64)      // Map(i: 64, j: J)(GL, GL -> GL)(Kernel)",
        "  .tile(16, 64).to(Block)  // Map(i: 16, j: 64)(GL, GL -> GL)(Block)",
        "  .load(B, SH)             // Map(i: 16, j: 64)(GL, SH -> GL)(Block)",
        "  .tile(4, 4).to(Thread)   // Map(i: 4, j: 4)(GL, SH -> GL)(Thread)",
        "  .tile(1, 1)              // Map(i: 1, j: 1)(GL, SH -> GL)(Thread)",
        "  .done                    // Map(i: 1, j: 1)(GL, SH -> GL)(Thread)",
    ]
    assert Map(1024).tile(256).to(Block).specs().splitlines()[0].endswith("// Map(1024)(GL -> GL)(Kernel)")
    assert str(Map(1024)) == "Map(1024)"


def test_parts_of_a_reduction_go_to_units() -> None:
    schedule = Reduce("M", 1024).tile(1).to(Block).split(128).to(Warp).split(4).to(Lane).layout(ColMajor).done
    assert schedule.specs().splitlines() == [
        "Reduce('M', 1024)                      // Reduce(M, 1024)(GL -> GL)(Kernel)",
        "  .tile(1).to(Block)                   // Reduce(1, 1024)(GL -> GL)(Block)",
        "  .split(128).to(Warp)                 // Reduce(1, 128)(GL -> GL)(Warp)",
        "  .split(4).to(Lane).layout(ColMajor)  // Reduce(1, 4)(GL -> GL)(Lane)",
        "  .done                                // Reduce(1, 4)(GL -> GL)(Lane)",
    ]


def test_specifications_of_contractions_have_the_letters_of_groups() -> None:
    schedule = (
        Contract("kab,kc->cab", ab=4096).tile(64, 128).to(Block).epilog(RF).split(8).load(A, SH).load(B, SH)
    )
    assert schedule.specs().splitlines() == [
        "Contract('kab,kc->cab', ab=4096)  // Contract(c: C, ab: 4096, k: K)(GL, GL, GL)(Kernel)",
        "  .tile(64, 128).to(Block)        // Contract(c: 64, ab: 128, k: K)(GL, GL, GL)(Block)",
        "  .epilog(RF)                     // Contract(c: 64, ab: 128, k: K)(GL, GL, RF)(Block)",
        "  .split(8)                       // Contract(c: 64, ab: 128, k: 8)(GL, GL, RF)(Block)",
        "  .load(A, SH)                    // Contract(c: 64, ab: 128, k: 8)(SH, GL, RF)(Block)",
        "  .load(B, SH)                    // Contract(c: 64, ab: 128, k: 8)(SH, SH, RF)(Block)",
    ]


def test_a_batch_of_contractions_is_no_contraction() -> None:
    batch = shine.contraction("xak,xkb->xab", "X.A.K.f32", "X.K.B.f32").main
    result = CONTRACTIONS["several summed letters"].schedule.strategy()(batch)
    assert isinstance(result, Failure)
    assert "found Contract(A, B, K)(GL, GL, GL)(Kernel) for each b" in str(result.explain())


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "a tile that does not divide": (
        lambda: Map.tile(256).to(Block).tile(3),
        "expected a tile with 16 or 32 or 64 or 128 or 256 elements, found 3",
    ),
    "a tile of rows and columns": (
        lambda: Map.tile(16, 16),
        "expected the elements of a tile, found tile(16, 16)",
    ),
    "a sum": (
        lambda: Map.tile(256).to(Block).split(4),
        "expected a sum to split, found Map(256)(GL -> GL)(Block)",
    ),
    "sums in registers": (
        lambda: Map.tile(256).to(Block).epilog(RF),
        "expected several sums with an epilog, found Map(256)(GL -> GL)(Block)",
    ),
    "an operand that is not there": (lambda: Map.tile(256).to(Block).load(B, SH), "expected A, found 'B'"),
    "a padded row": (
        lambda: Map.tile(256).to(Block).load(A, SH).pad(1),
        "expected A to be copied as it is, since it is a row, found `load(A, SH).pad(1)`",
    ),
    "the end before a number": (
        lambda: Map.tile(256).to(Block).done,
        "expected a specification that an instruction executes, found Map(256)(GL -> GL)(Block)",
    ),
    "units of elements along columns": (
        lambda: Map.tile(256).to(Block).layout(ColMajor),
        "expected tiles of rows and columns to number in another order, found `tile(256).to(Block).layout(ColMajor)`",
    ),
    "sizes of other axes": (lambda: Map("M", "N"), "expected the sizes N of Map, found Map('M', 'N')"),
    "no arrow": (
        lambda: Map("i,j"),
        "expected the letters of operands and `->` before those of the result, found 'i,j'",
    ),
    "a missing letter": (
        lambda: Map("ik,kj->ij"),
        "expected no letters that are missing from the result of Map, found 'ik,kj->ij'",
    ),
    "a letter of no operand": (
        lambda: Map("i->ij"),
        "expected each axis of the result in an operand, found 'j' in none",
    ),
    "a fragment of a reduction": (
        lambda: Reduce("M", 32).tile(16).to(Block).tile(16).to(Warp).load(A, FR),
        "expected A to be loaded from GL to SH or RF, found FR",
    ),
    "a diagonal": (lambda: Map("ii->i"), "expected different letters for the axes of an array, found 'ii'"),
    "parts that do not divide": (
        lambda: Reduce("M", 1024).tile(1).to(Block).split(100),
        "expected parts of 64 or 128 or 256 or 512 or 1024 elements, found 100",
    ),
    "parts of several results": (
        lambda: Reduce("M", 1024).tile(4).to(Block).split(128),
        "expected a single result to reduce in parts, found 4",
    ),
    "parts of an unknown number": (
        lambda: Reduce.tile(1).to(Block).split(32).to(Warp),
        "expected a known number of parts, found K / 32",
    ),
    "too many lanes": (
        lambda: Reduce("M", 1024).tile(1).to(Block).split(256).to(Warp).split(4).to(Lane),
        "expected a power of two up to 32 as the number of Lanes, found 64",
    ),
    "parts for units that are not inside": (
        lambda: Reduce("M", 1024).tile(1).to(Block).split(32).to(Lane),
        "expected parts of a Block to go to Warp or Thread, found Lane",
    ),
    "a single sum in registers": (
        lambda: Reduce.tile(1).to(Block).epilog(RF),
        "expected several sums with an epilog, found Reduce(1, K)(GL -> GL)(Block)",
    ),
    "sums in registers without a loop": (
        lambda: Reduce.tile(32).to(Block).epilog(RF).tile(1).to(Thread).done,
        "expected a split of the sums after `epilog(RF)`, found none",
    ),
    "a copy for single numbers": (
        lambda: Map.tile(256).to(Block).tile(4).to(Thread).tile(1).load(A, RF),
        "expected the end after tiles of single numbers, found `load(A, RF)`",
    ),
    "tiles of a vector": (
        lambda: Map.tile(256).to(Core).tile(8).to(Vector).tile(4),
        "expected the end after a vector, found `tile(4)`",
    ),
    "tiles of parts": (
        lambda: Reduce("M", 64).tile(1).to(Block).split(8).to(Warp).tile(1).to(Lane),
        "expected no tiles of the result of a part, found `tile(1).to(Lane)`",
    ),
    "parts of one element": (
        lambda: Reduce("M", 64).tile(1).to(Block).split(1).split(1),
        "expected several elements to reduce in parts, found Reduce(1, 1)(GL -> GL)(Block)",
    ),
    "a split of one product": (
        lambda: MatMul.tile(64, 64).to(Block).epilog(RF).split(1).split(1),
        "expected sums of several products to split, found MatMul(64, 64, 1)(GL, GL, RF)(Block)",
    ),
    "fragments of a reduction": (
        lambda: Reduce.tile(32).to(Block).epilog(FR),
        "expected sums in RF, found FR",
    ),
    "moves of a row of sums": (
        lambda: Reduce.tile(32).to(Block).epilog(RF, store=Move.tile(1, 4).to(Thread)),
        "expected moves of a matrix of sums, found a row of sums",
    ),
    "tiles of a single number": (
        lambda: Reduce("k->").tile(4),
        "expected no tiles of a single number, found tile(4)",
    ),
    "a reduction of nothing": (
        lambda: Reduce("ij->ij"),
        "expected one letter that is missing from the result of Reduce, found 'ij->ij'",
    ),
    "a reduction of two arrays": (
        lambda: Reduce("k,k->"),
        "expected the letters of one operand of Reduce, found 'k,k->'",
    ),
    "a letter of one array": (
        lambda: Contract("xak,kb->ab"),
        "expected 'x' in two arrays of Contract, or in all three, found it in 1",
    ),
    "a batch without columns": (
        lambda: Contract("xak,xk->xa"),
        "expected letters of each operand alone and letters of both, found 'xak,xk->xa'",
    ),
    "a number to load": (
        lambda: Map("bij,b->bij").tile(16, 16).to(Block).load(B, SH),
        "expected an array to load, found B, which is a number",
    ),
    "a contraction without columns": (
        lambda: Contract("ak,k->a"),
        "expected letters of each operand alone and letters of both, found 'ak,k->a'",
    ),
    "a contraction of one array": (
        lambda: Contract("ak->ka"),
        "expected the letters of two operands of Contract, found 'ak->ka'",
    ),
    "a tile of a contraction that does not divide": (
        lambda: Contract("abk,cdk->acbd").tile(64, 64).to(Block).tile(48, 8),
        "expected a tile with 4 or 8 or 16 or 32 or 64 rows, found 48",
    ),
    "blocks of a core": (
        lambda: MatMul.tile(64, 64).to(Core).tile(8, 8).to(Warp),
        "expected tiles of a Core to go to Vector, found Warp",
    ),
    "shared memory of a core": (
        lambda: MatMul.tile(64, 64).to(Core).load(A, SH),
        "expected A to be loaded from GL to CA, found SH",
    ),
    "a second packed copy": (
        lambda: MatMul.tile(64, 64).to(Core).load(A, CA).load(A, CA),
        "expected A to be loaded from CA to no other location, found CA",
    ),
    "cores along columns of unknown sizes": (
        lambda: MatMul.tile(64, 64).to(Core).layout(ColMajor),
        "expected a known number of Cores to number along columns, found M x N",
    ),
    "a packed copy of a block": (
        lambda: MatMul.tile(64, 64).to(Block).load(A, CA),
        "expected A to be loaded from GL to SH or RF or FR, found CA",
    ),
    "a padded copy in the cache": (
        lambda: MatMul.tile(64, 64).to(Core).load(A, CA).pad(1),
        "expected padded rows for a copy in SH, found them in CA",
    ),
    "a vector of two rows": (
        lambda: Map("ij->ij").tile(64, 64).to(Core).tile(2, 8).to(Vector),
        "expected a vector of 2 or 4 or 8 or 16 numbers of a row, found `tile(2, 8).to(Vector)`",
    ),
    "a vector of sums": (
        lambda: MatMul.tile(64, 64).to(Core).tile(1, 8).to(Vector),
        "expected a vector of results with one product each, found MatMul(64, 64, K)(GL, GL, GL)(Core)",
    ),
    "parts of vectors": (
        lambda: Reduce("M", 64).tile(1).to(Core).split(8).to(Vector),
        "expected parts of a Core to go to no unit, found Vector",
    ),
    "the size of another axis": (lambda: Map("i->i", j=4), "expected sizes of i, found one of j"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_diagnostic_with_a_hint(mistake: str) -> None:
    make, title = MISTAKES[mistake]
    with pytest.raises(StrategyError) as caught:
        make()
    assert caught.value.diagnostic.title == title
    assert caught.value.diagnostic.hint


def test_the_hint_names_the_steps_that_fit_a_map() -> None:
    with pytest.raises(StrategyError) as caught:
        Map("n,n->n").tile(256).to(Block).split(2)
    assert caught.value.diagnostic.notes == ("the specification here is Map(n: 256)(GL, GL -> GL)(Block)",)
    assert caught.value.diagnostic.hint == (
        "steps that fit here: tile(n) with 16 or 32 or 64 or 128 or 256 elements, to(Warp or Thread), "
        "load(A, SH), load(B, SH)"
    )
