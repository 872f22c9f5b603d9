"""Micro-kernels of arrays: the product of a thread's tiles, and moves, each with the specification that it declares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success
from examples.fireiron.listings import listing4
from rise import RiseError
from rise.terms import Expr
from shine.front.claims import check_claims
from shine.front.derivation import derive
from strategies.fireiron import (
    GL,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    Core,
    Map,
    MatMul,
    MicroKernel,
    Move,
    Reduce,
    Schedule,
    Thread,
    read_schedule,
)
from tests.examples import in_whole, some
from tests.strategies.fireiron.kinds import DIFFERENCE
from tests.strategies.fireiron.products import SINGLE, TRANSPOSED, assert_product, derived, text_of
from tests.strategies.fireiron.test_micro_kernels import HALF as OF_HALF

#: adds the product of tiles
ADD: Final = """{head} {name}(float* sums, int row, const float* a, int a_row, const float* b, int b_row) {{
  for (int i = 0; i < {rows}; i++)
    for (int j = 0; j < {columns}; j++)
      for (int k = 0; k < {depth}; k++) sums[i * row + j] {sign}= a[i * a_row + k] * b[k * b_row + j];
}}"""
#: copies a tile
COPY: Final = """__device__ void {name}({t}* to, int to_row, const {t}* from, int from_row) {{
  for (int i = 0; i < {rows}; i++)
    for (int j = 0; j < {columns}; j++) to[i * to_row + j] = from[i * from_row + {of}];
}}"""
NUMBERS: Final = {"float": "f32", "__half": "f16"}


def adds(name: str, spec: str, rows: int, columns: int, depth: int, sign: str = "+") -> MicroKernel:
    """A micro-kernel for the product of a thread or a core."""
    t = f"{rows}.{depth}.f32 -> {depth}.{columns}.f32 -> {rows}.{columns}.f32 -> {rows}.{columns}.f32"
    parts = {"name": name, "rows": rows, "columns": columns, "depth": depth, "sign": sign}
    texts = [ADD.format(head=head, **parts) for head in ("__device__ void", "static inline void")]
    return MicroKernel(name, spec, t, cuda=texts[0], c=texts[1])


def copies(name: str, spec: str, rows: int, columns: int, t: str = "float", of: str = "j") -> MicroKernel:
    """A micro-kernel for a move."""
    array = f"{rows}.{columns}.{NUMBERS[t]}"
    text = COPY.format(name=name, t=t, rows=rows, columns=columns, of=of)
    return MicroKernel(name, spec, f"{array} -> {array}", cuda=text)


TILE: Final = adds("tile", "MatMul(4, 4, 4)(RF, RF, RF)(Thread)", 4, 4, 4)
WRONG_TILE: Final = adds(TILE.name, TILE.spec, 4, 4, 4, "-")
OUTER: Final = adds("outer", "MatMul(4, 4, 1)(RF, RF, RF)(Thread)", 4, 4, 1)
SHARED: Final = adds("shared", "MatMul(4, 4, 4)(SH, SH, RF)(Thread)", 4, 4, 4)
LOAD: Final = copies("load_row", "Move(1, 4)(GL -> SH)(Thread)", 1, 4)
HOLD: Final = copies("load_tile", "Move(4, 4)(SH -> RF)(Thread)", 4, 4)
STORE: Final = copies("store", "Move(4, 4)(RF -> GL)(Thread)", 4, 4)
STAGE: Final = copies("stage_tile", "Move(4, 4)(RF -> SH)(Thread)", 4, 4)
WRONG_STAGE: Final = copies(STAGE.name, STAGE.spec, 4, 4, of="3 - j")
UNSTAGE: Final = copies("unstage", "Move(1, 4)(SH -> GL)(Thread)", 1, 4)
ROWS: Final = Move.tile(1, 4).to(Thread)
HELD: Final = Move.tile(4, 4).to(Thread)


def loaded(store: Schedule | None = None, move: Schedule | None = None, room: int = 0) -> Schedule:
    """A thread's product of tiles of 4 x 4 in shared memory."""
    loop = MatMul.tile(16, 16).to(Block).epilog(RF, store=store).split(4)
    return loop.load(A, SH, move).load(B, SH, move).pad(room).tile(4, 4).to(Thread)


def held(move: Schedule | None = None, **moves: Any) -> Schedule:
    """The same, in registers."""
    return loaded(**moves).load(A, RF, move).load(B, RF, move)


#: schedules, each with the text of a call
SCHEDULES: Final[dict[str, tuple[Schedule, str]]] = {
    "a product in registers": (
        held().done(TILE),
        "tile(&tiles_by_thread[0], 4, &a_registers[0], 4, &b_registers[0], 4);",
    ),
    "a product in padded shared memory": (
        loaded(room=3).done(SHARED),
        "shared(&tiles_by_thread[0], 4, &a_tile[thread_y * 16], 4, &b_tile[thread * 4], 19);",
    ),
    "single products": (
        loaded().split(1).unroll.load(A, RF).load(B, RF).done(OUTER),
        "outer(&tiles[0], 4, &a_registers[0], 1, &b_registers[0], 4);",
    ),
    "copies of factors": (
        held(move=Move.done(HOLD)).done(TILE),
        "load_tile(&a_registers[0], 4, &a_tile[thread_y * 16], 4);",
    ),
    "copies in shared memory": (loaded(move=ROWS.done(LOAD)).done, "load_row(&a_tile[row_thread * 4], 4, &a["),
    "sums": (
        held(store=HELD.done(STORE)).done,
        "* 4], 32, &tiles_by_thread[0], 4);",
    ),
    "sums through shared memory": (
        held(store=Move.stage(SH, HELD.done(STAGE)).tile(1, 4).to(Thread).done(UNSTAGE)).done,
        "stage_tile(&tiles_by_thread[thread_y * 64 + column_thread * 4], 16, &",
    ),
    "a part of the sums": (
        held(store=HELD.tile(2, 4).done(copies("store", "Move(2, 4)(RF -> GL)(Thread)", 2, 4))).done,
        "row_strip * 8], 4);",
    ),
}  # fmt: skip


def compiled(schedule: Schedule, program: Expr, target: str, cache: Path, **sizes: int) -> shine.Kernel:
    """The kernel of a schedule with the code of its micro-kernels."""
    result = schedule.strategy()(program)
    assert isinstance(result, Success), result.explain()
    code = [kernel.code for kernel in schedule.kernels]
    lowered = rise.specialise(result.program, **sizes)
    return shine.compile(lowered, target=target, check=True, cache=str(cache), foreign=code)


def test_the_end_before_single_numbers_is_the_loops_over_them() -> None:
    assert str(derived(held().done)) == str(derived(held().tile(1, 1).done))


@pytest.mark.parametrize("name", some(SCHEDULES, 2))
def test_a_micro_kernel_is_called_with_arrays(name: str, cache: Path) -> None:
    schedule, call = SCHEDULES[name]
    kernel = compiled(schedule, SINGLE, "cuda-sim", cache, M=32, N=32, K=8)
    assert call in kernel.source
    assert_product(kernel, 32, 32, 8, "float32")


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_with_such_a_micro_kernel_is_a_value(name: str) -> None:
    schedule, _ = SCHEDULES[name]
    assert read_schedule(str(schedule), schedule.kernels) == schedule
    executed = [kernel.name for kernel in schedule.kernels]
    assert all(f"done({one})" in str(schedule) and one in schedule.picture() for one in executed)


#: a lane's sums go to shared memory by code, as in the paper, here in tiles of 4 x 4 of its strided tile
STORE_ROWS: Final = copies("store_rows", "Move(4, 4)(RF -> SH)(Lane)", 4, 4, "__half")


def listing_4() -> Schedule:
    text = str(listing4(OF_HALF))
    text = text.replace("tile(1, 4).vector).tile(16, 128)", "tile(4, 4).done(store_rows)).tile(16, 128)")
    return read_schedule(text, [STORE_ROWS, OF_HALF])


@in_whole("test_a_micro_kernel_is_called_with_arrays")
def test_micro_kernels_multiply_in_listing_4_and_store_its_sums() -> None:
    assert listing_4().kernels == (STORE_ROWS, OF_HALF)
    result = listing_4().strategy()(TRANSPOSED)
    assert isinstance(result, Success), result.explain()
    text = text_of(result.program, [STORE_ROWS.code, OF_HALF.code], M=128, N=128, K=8)
    assert "], 128, &tiles_from_A_registers[i_row * 32 + i_tile * 4], 8);" in text
    assert "__hfma(" not in text and " = fused_half(" in text


@in_whole("test_a_micro_kernel_is_called_with_arrays")
def test_listing_4_computes_products_by_micro_kernels(cache: Path) -> None:
    kernel = compiled(listing_4(), TRANSPOSED, "cuda-sim", cache, M=128, N=128, K=8)
    assert_product(kernel, 128, 128, 8, "float16", by_columns=True)


def test_a_core_calls_a_micro_kernel_too(cache: Path) -> None:
    code = adds("tile", "MatMul(4, 8, 4)(GL, GL, RF)(Core)", 4, 8, 4)
    schedule = MatMul.tile(16, 16).to(Core).tile(4, 8).epilog(RF).split(4).done(code)
    kernel = compiled(schedule, SINGLE, "openmp", cache, M=32, N=32, K=8)
    assert_product(kernel, 32, 32, 8, "float32")
    assert " tile(&" in kernel.source


def test_a_micro_kernel_computes_a_tile_of_a_map(cache: Path) -> None:
    text = """__device__ void less(float* to, int, const float* x, int, const float* y, int) {
      for (int i = 0; i < 4; i++) to[i] = __fsub_rn(x[i], y[i]);
    }"""
    code = MicroKernel("less", "Map(n: 4)(GL, GL -> GL)(Thread)", "4.f32 -> 4.f32 -> 4.f32", cuda=text)
    schedule = Map("n,n->n").tile(64).to(Block).tile(4).to(Thread).done(code)
    kernel = compiled(schedule, rise.parse(DIFFERENCE).main, "cuda-sim", cache, N=128)
    xs = np.arange(128, dtype=np.float32)
    np.testing.assert_array_equal(kernel(xs, 3 * xs), -2 * xs)
    assert "less(&output[" in kernel.source


def test_the_code_for_arrays_is_a_claim() -> None:
    right = held(store=Move.stage(SH, HELD.done(STAGE))).done(TILE)
    assert [str(claim) for claim in check_claims(right, SINGLE)] == [
        f"confirmed: .done({name}): the simulator computes the same numbers as without it"
        for name in ("stage_tile", "tile")
    ]
    wrong = read_schedule(str(right), [WRONG_STAGE, WRONG_TILE])
    assert [claim.holds for claim in check_claims(wrong, SINGLE)] == [False, False]


def test_arrays_of_another_type_are_refused_when_the_schedule_is_applied() -> None:
    half = MicroKernel("tile", TILE.spec, TILE.type.replace("f32", "f16"))
    result = held().done(half).strategy()(SINGLE)
    assert isinstance(result, Failure)
    assert f"expected arrays of the types of `tile`, {half.type}" in str(result.explain())
    assert "f32 -> f32 -> 4.4.f32" in str(result.explain())


def test_a_function_of_sums_is_not_lost_beside_a_store_micro_kernel() -> None:
    positive = rise.parse("""val main = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row =>
      transpose(b) |> map(fun(column => max(zip(row, column) |> map(mul) |> reduce(add, 0.0), 0.0))))))""").main
    with pytest.raises(RiseError) as caught:
        derive(held(store=HELD.done(STORE)).done.strategy(), positive)
    diagnostic = caught.value.diagnostic
    assert "expected sums for `store` to store, found a function of sums, at MatMul(" in diagnostic.notes[-1]
    assert diagnostic.hint.startswith(
        "store them by a move without a micro-kernel; steps that fit here: tile(r, c)"
    )


def test_a_factor_by_columns_is_refused_when_the_kernel_is_compiled(cache: Path) -> None:
    loop = MatMul.tile(16, 16).to(Block).epilog(RF).split(4)
    schedule = loop.load(A, SH).toColMajor.load(B, SH).tile(4, 4).to(Thread).done(SHARED)
    with pytest.raises(RiseError, match=r"expected rows of .* whose numbers are neighbours in `shared`"):
        compiled(schedule, SINGLE, "cuda-sim", cache, M=32, N=32, K=8)


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "another specification": (
        lambda: loaded().done(TILE),
        "expected MatMul(4, 4, 4)(RF, RF, RF)(Thread), which `tile` executes,"
        " found MatMul(4, 4, 4)(SH, SH, RF)(Thread)",
    ),
    "another move": (
        lambda: loaded(move=HELD.done(LOAD)),
        "expected Move(1, 4)(GL -> SH)(Thread), which `load_row` executes, found Move(4, 4)(GL -> SH)(Thread)",
    ),
    "a move to another memory": (
        lambda: held(store=HELD.done(STAGE)),
        "expected Move(4, 4)(RF -> SH)(Thread), which `stage_tile` executes, found Move(4, 4)(RF -> GL)(Thread)",
    ),
    "a move of another size": (
        lambda: held(move=Move.tile(2, 2).done(HOLD)),
        "expected Move(4, 4)(SH -> RF)(Thread), which `load_tile` executes, found Move(2, 2)(SH -> RF)(Thread)",
    ),
    "arrays of other sizes": (
        lambda: held().done(MicroKernel("tile", TILE.spec, "4.4.f32 -> 4.8.f32 -> 4.4.f32 -> 4.4.f32")),
        "expected arrays of 4 x 4 in the type of `tile`, found 4.4.f32 -> 4.8.f32 -> 4.4.f32 -> 4.4.f32",
    ),
    "without the sums": (
        lambda: held().done(MicroKernel("tile", TILE.spec, "4.4.f32 -> 4.4.f32 -> 4.4.f32")),
        "expected arrays of 4 x 4 in the type of `tile`, found 4.4.f32 -> 4.4.f32 -> 4.4.f32",
    ),
    "sums in memory": (
        lambda: MatMul(16, 16, 4).tile(16, 16).to(Block).tile(4, 4).to(Thread).done(
            adds("tile", "MatMul(4, 4, 4)(GL, GL, GL)(Thread)", 4, 4, 4)
        ),
        "expected sums in RF, to which `tile` adds, found MatMul(4, 4, 4)(GL, GL, GL)(Thread)",
    ),
    "a block": (
        lambda: MatMul.tile(16, 16).to(Block).epilog(RF).split(4).done(TILE),
        "expected a specification that an instruction executes, found MatMul(16, 16, 4)(GL, GL, RF)(Block)",
    ),
    "a reduction": (
        lambda: Reduce("M", 8).tile(16).to(Block).tile(4).to(Thread).done(TILE),
        "expected a product, a map or a move of a Thread, Lane or Core for `tile`,"
        " found Reduce(4, 8)(GL -> GL)(Thread)",
    ),
    "a chain": (
        lambda: Chain("M", "N", 4, 4).tile(16, 16).to(Block).tile(4, 4).to(Thread).done(TILE),
        "expected a specification that an instruction executes, found Chain(4, 4, 4, 4)(GL, GL, GL, GL)(Thread)",
    ),
    "zeros": (
        lambda: MatMul.tile(16, 16).to(Block).epilog(RF, init=HELD.done(STORE)),
        "expected no micro-kernel in the move of zeros, found `store`",
    ),
    "a copy by columns": (
        lambda: MatMul.tile(16, 16).to(Block).epilog(RF).split(4).load(A, SH, ROWS.done(LOAD)).toColMajor,
        "expected a copy by rows for `load_row`, found one by columns",
    ),
    "a row": (
        lambda: loaded().split(1).load(A, RF, Move.done(HOLD)),
        "expected a matrix that `load_tile` copies, found a row: A of single products",
    ),
    "tiles of single numbers": (
        lambda: held().tile(1, 1).done(adds("dot", "MatMul(1, 1, 4)(RF, RF, RF)(Thread)", 1, 1, 4)),
        "expected a micro-kernel of numbers after tiles of single numbers, found `done(dot)` of arrays",
    ),
    "a move of a block": (
        lambda: loaded(move=Move.done(LOAD)),
        "expected a product, a map or a move of a Thread, Lane or Core for `load_row`,"
        " found Move(16, 4)(GL -> SH)(Block)",
    ),
    "a load of a chain's operand": (
        lambda: Chain.first(GL, MatMul.tile(16, 16).to(Block).tile(4, 4).to(Thread).done(TILE)),
        "expected sums in RF, to which `tile` adds, found MatMul(4, 4, K)(GL, GL, GL)(Thread)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_micro_kernel_that_does_not_fit_is_rejected(name: str) -> None:
    build, title = MISTAKES[name]
    with pytest.raises(StrategyError) as caught:
        build()
    assert caught.value.diagnostic.title == title
    assert "the specification here is" in caught.value.diagnostic.notes[0]
    assert "steps that fit here: " in (caught.value.diagnostic.hint or "")
