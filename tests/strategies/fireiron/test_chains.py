"""Chains of two products: the first one is computed where the second one reads it, by a schedule of its own.

One subject: chains, and the mistakes in them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success
from shine.front.claims import check_claims
from strategies.fireiron import (
    CA,
    FR,
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    ColMajor,
    Core,
    Lane,
    MatMul,
    Move,
    Schedule,
    Strided,
    Thread,
    Vector,
    Warp,
    read_schedule,
)
from strategies.fireiron.steps import FirstStep
from tests.examples import some
from tests.strategies.fireiron.kinds import Case, assert_same

PRODUCT: Final = (
    "val dot = fun(xs: K.f32, ys: K.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))\n"
    "val product = fun(a: M.K.f32, b: K.N.f32 =>"
    " a |> map(fun(row => transpose(b) |> map(fun(column => dot(row, column))))))\n"
)
HEAD: Final = "val main = fun(a: M.K.f32, b: K.L.f32, c: L.N.f32 => "
TWICE: Final = f"{PRODUCT}{HEAD}product(product(a, b), c))"
NAMED: Final = f"{PRODUCT}{HEAD}let ab = product(a, b) in product(ab, c))"
RECTIFIED: Final = f"{PRODUCT}{HEAD}product(map(map(fun(x => max(x, 0.0))), product(a, b)), c))"
RIGHT: Final = f"{PRODUCT}val main = fun(a: M.L.f32, b: L.K.f32, c: K.N.f32 => product(a, product(b, c)))"
RECTIFIED_RIGHT: Final = RIGHT.replace("product(b, c)", "map(map(fun(x => max(x, 0.0))), product(b, c))")
SIZES: Final = ({"M": 32, "N": 64, "K": 12, "L": 32}, {"M": 64, "N": 32, "K": 4, "L": 64})


def twice(a: Any, b: Any, c: Any) -> Any:
    return a @ b @ c


def rectified(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(a @ b, 0) @ c


def right(a: Any, b: Any, c: Any) -> Any:
    return a @ (b @ c)


def rectified_right(a: Any, b: Any, c: Any) -> Any:
    return a @ np.maximum(b @ c, 0)


def added(schedule: Schedule) -> Schedule:
    """The remaining steps of a block of 4 x 4 threads, each with 4 x 4 sums."""
    return schedule.tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF).tile(1, 1).unroll.done


SPLIT: Final = Chain.tile(16, 16).to(Block).epilog(RF).split(8)
DIRECT: Final = MatMul.by(Block).tile(4, 2).to(Thread).tile(1, 1).done
STAGED: Final = added(MatMul(16, 16, "K").by(Block).epilog(RF).split(4).load(A, SH).load(B, SH))
ROWS: Final = Chain("M", "N", "K", 32).tile(16, 16).to(Block)
OF_RIGHT: Final = Chain("A @ (B @ C)").tile(16, 16).to(Block).epilog(RF).split(8)
COLUMNS: Final = MatMul.by(Block).tile(2, 4).to(Thread).tile(1, 1).done
CHAINS: Final = {
    "a right factor in global memory": Case(
        Chain("A @ (B @ C)").first(GL, MatMul.tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done)
        .tile(8, 32).to(Block).tile(4, 4).to(Thread).tile(1, 1).done,
        RIGHT,
        SIZES,
        right,
        ("kernel_1(",),
    ),
    "a part of a right factor in each iteration": Case(
        added(OF_RIGHT.first(SH, COLUMNS).load(A, SH)),
        RECTIFIED_RIGHT,
        SIZES,
        rectified_right,
        ("max_f32", "a_tile[128]"),
    ),
    "a right factor with sums of its own": Case(
        added(Chain("A @ (B @ C)").tile(16, 16).to(Block).epilog(RF).split(16).load(A, SH).pad(1).first(SH, STAGED)),
        RIGHT,
        SIZES,
        right,
        ("a_tile[272]", "b_tile[64]", "c_tile[64]"),
    ),
    "a right factor for all columns of a core": Case(
        Chain("A @ (B @ C)").tile(16, 32).to(Core)
        .first(CA, MatMul.by(Core).tile(4, 8).epilog(RF).split(1).tile(1, 8).to(Vector).unroll.done)
        .load(A, CA).tile(4, 16).epilog(RF).split(1).tile(1, 16).to(Vector).unroll.done,
        RECTIFIED_RIGHT,
        SIZES,
        rectified_right,
        ("#pragma omp parallel for", "a_tile"),
        "openmp",
    ),
    "a temporary in global memory": Case(
        Chain.first(GL, MatMul.tile(16, 16).to(Block).tile(4, 4).to(Thread).tile(1, 1).done)
        .tile(8, 32).to(Block).tile(4, 4).to(Thread).tile(1, 1).done,
        TWICE,
        SIZES,
        twice,
        ("kernel_1(",),
    ),
    "all rows of a block": Case(
        added(ROWS.first(SH, MatMul.by(Block).tile(4, 8).to(Thread).tile(1, 1).done).epilog(RF).split(8)),
        NAMED.replace("L.", "32.").replace(".L", ".32"),
        ({"M": 32, "N": 48, "K": 12},),
        twice,
        ("__shared__ __align__(16) float operand_by_thread4[512]",),
    ),
    "a part in each iteration": Case(
        added(SPLIT.first(SH, DIRECT).load(B, SH)), RECTIFIED, SIZES, rectified, ("max_f32", "c_tile[128]")
    ),
    "the last operand is loaded before": Case(
        added(SPLIT.load("C", SH).pad(1).first(SH, DIRECT)), RECTIFIED, SIZES, rectified, ("max_f32", "c_tile[136]")
    ),
    "parts of one column": Case(
        Chain.tile(16, 16).to(Block).epilog(RF).split(1).load("C", SH)
        .first(SH, MatMul.by(Block).tile(2, 1).to(Thread).tile(1, 1).done)
        .tile(4, 4).to(Thread).load(A, RF).load(B, RF).tile(1, 1).done,
        RECTIFIED,
        SIZES,
        rectified,
        ("__shared__",),
    ),
    "parts of one column on a core": Case(
        Chain.tile(16, 32).to(Core).epilog(RF).split(1).first(CA, MatMul.by(Core).tile(1, 1).done).tile(1, 1).done,
        TWICE,
        SIZES,
        twice,
        target="openmp",
    ),
    "a chain that is zipped with a matrix": Case(
        added(SPLIT.first(SH, DIRECT).load(B, SH)),
        f"{PRODUCT}{HEAD.removesuffix(' => ')}, d: M.N.f32 => zip(product(product(a, b), c), d) |> map(fun(rows =>"
        " zip(fst(rows), snd(rows)) |> map(fun(p => fst(p) + snd(p))))))",
        SIZES,
        lambda a, b, c, d: a @ b @ c + d,
    ),
    "sums of the first product in registers": Case(
        added(Chain.tile(16, 16).to(Block).epilog(RF).split(16).first(SH, STAGED).load(B, SH)),
        TWICE,
        SIZES,
        twice,
        ("a_tile[64]", "b_tile[64]", "a_registers[4]", "c_registers[4]"),
    ),
    "warps and lanes in another grid": Case(
        Chain.tile(32, 32).to(Block).epilog(RF).split(16)
        .first(SH, MatMul.by(Block).tile(16, 8).to(Warp).tile(1, 4).to(Lane).tile(1, 1).done)
        .load(B, SH).tile(8, 32).to(Warp).tile(Strided((1, 2), (4, 16))).to(Lane).layout(ColMajor)
        .split(1).load(A, RF).load(B, RF).tile(1, 1).done,
        RECTIFIED,
        ({"M": 32, "N": 64, "K": 12, "L": 32},),
        rectified,
        ("lane",),
    ),
    "behind a second split": Case(
        added(Chain.tile(16, 16).to(Block).epilog(RF).split(16).load("C", SH).split(4).first(
            SH, MatMul.by(Block).tile(4, 2).to(Thread).tile(1, 1).done
        )),
        RECTIFIED,
        ({"M": 32, "N": 48, "K": 12, "L": 32},),
        rectified,
        ("c_tile[256]",),
    ),
    "behind tiles of sums, and split then": Case(
        SPLIT.tile(8, 8).first(SH, DIRECT).split(1).tile(4, 4).to(Thread).tile(1, 1).done,
        RECTIFIED,
        ({"M": 32, "N": 16, "K": 12, "L": 32},),
        rectified,
    ),
    "registers of a thread": Case(
        Chain.tile(32, 16).to(Block).epilog(RF).split(8).load("C", SH).tile(2, 16).to(Thread).first(
            RF, MatMul(2, 8, "K").by(Thread).epilog(RF).split(1).load(A, RF).load(B, RF).tile(1, 1).done
        ).split(1).load(B, RF).tile(1, 1).unroll.done,
        RECTIFIED,
        ({"M": 32, "N": 48, "K": 12, "L": 32},),
        rectified,
        ("c_tile[128]", "operand[16]", "a_registers[2]"),
    ),
    "registers of a lane, of a right factor": Case(
        Chain("A @ (B @ C)").tile(16, 32).to(Block).epilog(RF).split(4).load(A, SH).tile(16, 32).to(Warp)
        .tile(16, 1).to(Lane).first(RF, MatMul.by(Lane).tile(1, 1).done).tile(1, 1).done,
        RECTIFIED_RIGHT,
        ({"M": 32, "N": 64, "K": 12, "L": 8},),
        rectified_right,
        ("a_tile[64]", "operand[4]"),
    ),
    "behind tiles of sums and a third split": Case(
        SPLIT.tile(8, 16).split(4).split(2).first(SH, MatMul.by(Block).tile(4, 1).to(Thread).tile(1, 1).done)
        .tile(4, 4).to(Thread).tile(1, 1).done,
        RECTIFIED,
        ({"M": 32, "N": 16, "K": 12, "L": 32},),
        rectified,
    ),
    "rows of a core": Case(
        Chain.tile(16, 32).to(Core)
        .first(CA, MatMul.by(Core).tile(4, 8).epilog(RF).split(1).tile(1, 8).to(Vector).unroll.done)
        .load(B, CA).tile(4, 16).epilog(RF).split(1).tile(1, 16).to(Vector).unroll.done,
        RECTIFIED,
        SIZES,
        rectified,
        ("#pragma omp parallel for", "float operand"),
        "openmp",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", some(CHAINS, 9))
def test_a_chain_computes_what_numpy_computes(name: str, cache: Path) -> None:
    assert_same(CHAINS[name], cache)


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_read_from_its_text(name: str) -> None:
    schedule = CHAINS[name].schedule
    assert read_schedule(str(schedule)) == schedule


@pytest.mark.parametrize("name", CHAINS)
def test_a_picture_has_the_steps_of_both_products(name: str) -> None:
    case = CHAINS[name]
    program = rise.specialise(rise.parse(case.program).main, **case.sizes[0])
    picture = case.schedule.picture(program)
    regions = case.schedule.regions(program)
    (first,) = (moved for region in regions for kind, moved in region.moves if kind == "first")
    for region in (*regions, *first):
        assert all(step.split(".")[-1] in picture for step in region.steps)
        assert all(str(matrix) in picture and matrix.bytes is not None for matrix in region.matrices)


def test_a_product_remains_after_the_first_one() -> None:
    lines = SPLIT.first(SH, DIRECT).specs().splitlines()
    assert [line.split("  // ")[1] for line in lines] == [
        "Chain(M, N, K, L)(GL, GL, GL, GL)(Kernel)",
        "Chain(16, 16, K, L)(GL, GL, GL, GL)(Block)",
        "Chain(16, 16, K, L)(GL, GL, GL, RF)(Block)",
        "Chain(16, 16, K, 8)(GL, GL, GL, RF)(Block)",
        "MatMul(16, 16, 8)(SH, GL, RF)(Block)",
    ]
    assert lines[-1].startswith("  .first(SH, MatMul.by(Block).tile(4, 2).to(Thread).tile(1, 1).done)  // ")


def test_the_right_factor_is_the_first_product_if_the_chain_says_so() -> None:
    lines = OF_RIGHT.first(SH, COLUMNS).specs().splitlines()
    assert lines[0].startswith("Chain('A @ (B @ C)')  ")
    assert lines[-2].endswith("// Chain(16, 16, K, 8)(GL, GL, GL, RF)(Block)")
    assert lines[-1].endswith("// MatMul(16, 16, 8)(GL, SH, RF)(Block)")
    assert Chain("(A @ B) @ C") == Chain != Chain("A @ (B @ C)")
    (first,) = (step for step in OF_RIGHT.first(SH, COLUMNS).steps if isinstance(step, FirstStep))
    assert str(first.start(OF_RIGHT.residual)) == "MatMul(8, 16, K)(GL, GL, SH)(Block)"


def test_where_the_first_product_is_computed_changes_the_kernel() -> None:
    """It is computed once for all tiles, for each row of tiles, or for each iteration."""
    counts = {}
    for name in ("a temporary in global memory", "all rows of a block", "a part in each iteration"):
        case = CHAINS[name]
        result = case.schedule.strategy()(rise.specialise(rise.parse(case.program).main, **case.sizes[0]))
        assert isinstance(result, Success)
        counts[name] = (
            str(result.program).count("toMem(Global)"),
            str(result.program).count("toMem(Shared)"),
        )
    assert counts == {
        "a temporary in global memory": (1, 0),
        "all rows of a block": (0, 1),
        "a part in each iteration": (0, 2),
    }


def test_units_of_the_first_product_are_its_own() -> None:
    other = MatMul.by(Block).tile(2, 4).to(Thread).tile(1, 1).done
    texts = set()
    for first in (DIRECT, other):
        result = added(SPLIT.first(SH, first)).strategy()(rise.parse(TWICE).main)
        assert isinstance(result, Success)
        texts.add(str(result.program))
    assert len(texts) == 2


def test_barriers_of_a_chain_are_claims() -> None:
    schedule = added(
        Chain.tile(16, 16).to(Block).epilog(RF).split(8).sync.load("C", SH).noSync.first(SH, DIRECT)
    )
    waits, copied = check_claims(schedule, rise.parse(TWICE).main)
    assert waits.holds
    assert str(waits).startswith("confirmed: .split(8).sync: without a barrier between iterations there is")
    assert not copied.holds
    assert str(copied).startswith("refuted: .load(C, SH).noSync: without a barrier after it there is a race")


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (f"{PRODUCT}val main = product", "no product of a product and a matrix found"),
        (RIGHT, "no product of a product and a matrix found"),
        (
            TWICE.replace("product(product(a, b), c)", "map(map(fun(x => x + x)), product(a, b))"),
            "found MatMul(M, L, K)(GL, GL, GL)(Kernel)",
        ),
    ],
)
def test_other_programs_are_no_chains(program: str, found: str) -> None:
    result = added(SPLIT.first(SH, DIRECT)).strategy()(rise.parse(program).main)
    assert isinstance(result, Failure)
    assert found in str(result.explain())


def test_a_product_of_a_product_is_no_right_factor() -> None:
    result = added(OF_RIGHT.first(SH, COLUMNS)).strategy()(rise.parse(TWICE).main)
    assert isinstance(result, Failure)
    assert "no product of a matrix and a product found" in str(result.explain())


def test_a_chain_of_other_sizes_fails_where_it_is_recognised() -> None:
    schedule = added(Chain("M", "N", "K", 32).tile(16, 16).to(Block).epilog(RF).split(8).first(SH, DIRECT))
    result = schedule.strategy()(rise.specialise(rise.parse(TWICE).main, L=64))
    assert isinstance(result, Failure)
    assert (
        "expected Chain(M, N, K, 32)(GL, GL, GL, GL)(Kernel) before all steps,"
        " found Chain(M, N, K, 64)(GL, GL, GL, GL)(Kernel)" in str(result.explain())
    )


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "not a chain": (
        lambda: MatMul.first(SH, DIRECT),
        "expected a chain of products with `first`, found MatMul(M, N, K)(GL, GL, GL)(Kernel)",
    ),
    "a second time": (
        lambda: SPLIT.first(SH, DIRECT).first(SH, DIRECT),
        "expected a chain of products with `first`, found MatMul(16, 16, 8)(SH, GL, RF)(Block)",
    ),
    "not computed": (
        lambda: SPLIT.tile(4, 4).to(Thread).split(1).tile(1, 1).done,
        "expected a specification that an instruction executes, found Chain(1, 1, K, 1)(GL, GL, GL, RF)(Thread)",
    ),
    "another location": (
        lambda: SPLIT.first(FR, DIRECT),
        "expected the first product in GL or SH or RF or CA, found FR",
    ),
    "registers of a block": (
        lambda: SPLIT.first(RF, DIRECT),
        "expected a Lane or Thread to compute the first product in RF, found a Block",
    ),
    "a location of another unit": (
        lambda: SPLIT.first(GL, DIRECT),
        "expected a Kernel to compute the first product in GL, found a Block",
    ),
    "a schedule for another unit": (
        lambda: SPLIT.first(SH, MatMul.tile(4, 4).to(Block).tile(1, 1).to(Thread).done),
        "expected a schedule of the first product by a Block, found a schedule by a Kernel",
    ),
    "rows of unknown length": (
        lambda: Chain.tile(16, 16).to(Block).first(SH, DIRECT),
        "expected a matrix of known size in SH, found 16 x L of the first product",
    ),
    "a schedule for other sizes": (
        lambda: SPLIT.first(SH, STAGED),
        "expected a first product of 16 x 8 x K, found a schedule for 16 x 16 x K",
    ),
    "tiles that do not divide the part": (
        lambda: SPLIT.first(SH, MatMul.by(Block).tile(4, 3).to(Thread).tile(1, 1).done),
        "expected a tile with 1 or 2 or 4 or 8 columns, found 3",
    ),
    "an unfinished schedule": (
        lambda: SPLIT.first(SH, MatMul.by(Block).tile(4, 2).to(Thread)),
        "expected a first product that ends in `done`,"
        " found `first(SH, MatMul.by(Block).tile(4, 2).to(Thread))`",
    ),
    "sums through shared memory": (
        lambda: ROWS.first(
            SH, added(MatMul.by(Block).epilog(RF, store=Move.stage(SH)).split(4).tile(8, 8))
        ),
        "expected sums that are stored in SH directly, found `first(SH, MatMul.by(Block).epilog(RF, "
        "store=Move.stage(SH)).split(4).tile(8, 8).tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF)"
        ".tile(1, 1).unroll.done)`",
    ),
    "another machine": (
        lambda: (
            Chain.first(GL, MatMul.tile(16, 16).to(Block).tile(1, 1).to(Thread).done).tile(8, 8).to(Core)
        ),
        "expected tiles for a Block, as those of the first product, found `tile(8, 8).to(Core)`",
    ),
    "threads and warps in a block": (
        lambda: SPLIT.first(SH, DIRECT).tile(8, 8).to(Warp),
        "expected tiles for a Thread, as those of the first product, found `tile(8, 8).to(Warp)`",
    ),
    "a move": (lambda: SPLIT.first(SH, Move.tile(1, 1)), "expected a schedule of a product, found Move.tile(1, 1)"),
    "a chain of other products": (
        lambda: Chain("A @ B"),
        "expected (A @ B) @ C or A @ (B @ C), found 'A @ B'",
    ),
    "an operand of the right factor": (lambda: OF_RIGHT.load(B, SH), "expected A, found 'B'"),
    "an operand of the first product": (lambda: SPLIT.load(A, SH), "expected C, found 'A'"),
    "a part alone": (
        lambda: DIRECT.strategy(),
        "expected the schedule of a whole program, found one by a Block",
    ),
    "a warp's product": (
        lambda: MatMul.by(Warp),
        "expected a product without steps by a Block, Core, Lane or Thread, or a move by a Warp, found MatMul by Warp",
    ),
    "steps before the unit": (
        lambda: MatMul.tile(4, 4).by(Block),
        "expected a product without steps by a Block, Core, Lane or Thread, or a move by a Warp,"
        " found MatMul.tile(4, 4) by Block",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_step_that_does_not_fit_a_chain_is_rejected(name: str) -> None:
    build, title = MISTAKES[name]
    with pytest.raises(StrategyError) as caught:
        build()
    assert caught.value.diagnostic.title == title


def test_the_steps_that_fit_a_chain_are_listed() -> None:
    with pytest.raises(StrategyError) as caught:
        _ = SPLIT.done
    assert caught.value.diagnostic.hint == (
        "steps that fit here: tile(r, c) with 1 or 2 or 4 or 8 or 16 rows and 1 or 2 or 4 or 8 or 16 columns,"
        " to(Warp or Thread), split(k) with k 1 or 2 or 4 or 8, first(SH, ..), load(C, SH)"
    )


def test_a_first_product_of_unknown_size_is_not_listed() -> None:
    with pytest.raises(StrategyError) as caught:
        Chain.tile(16, 16).to(Block).split(4)
    assert "first(" not in caught.value.diagnostic.hint and "epilog(RF)" in caught.value.diagnostic.hint


def test_both_products_of_a_chain_use_matrix_instructions(cache: Path) -> None:
    first = MatMul(32, 16, "K").by(Block).epilog(FR).split(16).load(A, SH).load(B, SH)
    chain = Chain.tile(32, 32).to(Block).epilog(FR).split(16).load("C", SH)
    chain = chain.first(SH, first.tile(16, 16).to(Warp).mmaTile.done).tile(16, 16).to(Warp).mmaTile.done
    result = chain.strategy()(rise.parse(TWICE.replace("f32", "f16")).main)
    assert isinstance(result, Success), result.explain()
    program = rise.specialise(result.program, M=32, N=64, K=16, L=32)
    kernel = shine.compile(program, target="cuda-sim", check=True, cache=str(cache))
    random = np.random.default_rng(0)
    a, b, c = (random.integers(-2, 3, shape).astype(np.float16) for shape in ((32, 16), (16, 32), (32, 64)))
    np.testing.assert_array_equal(kernel(a, b, c), a @ b @ c)
    assert kernel.source.count("mma_sync(") == 2 and kernel.source.count("__global__") == 1
