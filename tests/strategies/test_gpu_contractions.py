"""Contractions on GPUs: one kernel in tiles of any rank that agrees with numpy in the checked simulator."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from elevate import Failure, StrategyError, Success
from rise.hardware import DEVICES
from rise.scalars import SCALARS
from shine.passes.gpu import conflicts, make_kernels
from shine.translate import GPU_LEVELS, translate
from strategies.costs.gpu_contractions import GpuContraction, OperandLayout, best_block_tile
from strategies.gpu_contractions import gpu_contraction, inBlockTiles, sumsLeftAcross, sumsRightAcross
from strategies.parts.contraction_nests import groups_of, matricise
from strategies.testing.values import differ, inputs
from tests.examples import in_turns, some
from tests.strategies import corpus

STRATEGY: Final = "strategies.gpu_contractions:contractionTiles"
GOLDEN: Final = Path(__file__).parents[1] / "golden" / "contraction_tiles.cu"
#: the contraction of docs/contractions.md: the seventh of the first family of CCSD(T)
GOLDEN_SPEC: Final = "icaq,qbjk->abcijk"
SCHEDULES: Final = (
    {"rows": 8, "columns": 8, "depth": 4, "thread_rows": 2, "thread_columns": 2},
    {"rows": 4, "columns": 16, "depth": 2, "thread_rows": 4, "thread_columns": 1, "vector": 1, "room": 0},
    {"rows": 16, "columns": 8, "depth": 8, "thread_rows": 1, "thread_columns": 4, "vector": 2},
)
#: specification, type, and extents of the letters in alphabetical order: within a tile, ones, primes and beyond tiles
PRODUCTS: Final = (
    ("mk,kn->mn", "f32", (5, 17, 19)),
    ("mk,kn->nm", "f32", (16, 8, 32)),
    ("km,nk->mn", "f64", (1, 1, 1)),
    ("adb,cd->cba", "f32", (7, 5, 3, 4)),
    ("aebd,ce->dcba", "f32", (3, 5, 2, 3, 7)),
    ("dabe,ec->dcba", "f64", (3, 2, 9, 1, 5)),
    ("afbce,df->edcba", "f32", (2, 3, 2, 3, 2, 5)),
    ("abk,cdk->acbd", "i32", (3, 4, 5, 2, 7)),
    ("icaq,qbjk->abcijk", "f32", (2, 3, 1, 2, 3, 2, 5)),
    ("kiaq,bcjq->abcijk", "f32", (2, 1, 3, 2, 2, 3, 3)),
    ("gdab,efgc->abcdef", "f32", (2, 3, 1, 2, 3, 2, 9)),
)
#: letters that occur in both operands and the result
BATCHES: Final = (
    ("lmk,lkn->lmn", "f32", (5, 3, 9, 10)),
    ("abk,cbk->abc", "f32", (9, 3, 10, 5)),
    ("abk,cbk->cab", "i32", (1, 4, 17, 2)),
    ("xaybk,yckx->bxcya", "f32", (3, 2, 3, 2, 2, 3)),
)
#: several letters in the sum
SUMS: Final = (
    ("dca,cbd->ba", "f32", (9, 5, 7, 3)),
    ("abcd,befd->acef", "f64", (3, 2, 3, 4, 5, 2)),
    ("kalb,lckd->abcd", "f32", (2, 3, 4, 5, 3, 2)),
    ("pqrm,rnpq->mn", "i32", (9, 3, 3, 2, 5)),
)


def program(spec: str, t: str = "f32", extents: tuple[int, ...] = ()) -> rise.Expr:
    """A contraction at given extents, or at symbolic ones."""
    names = {c: str(n) for c, n in zip(letters(spec), extents, strict=False)} or {}
    operands = spec.partition("->")[0].split(",")
    types = [".".join([*(names.get(c, c.upper()) for c in operand), t]) for operand in operands]
    return shine.contraction(spec, *types).main


def letters(spec: str) -> list[str]:
    return sorted(set(spec) - set(",->"))


def arrays(spec: str, t: str, extents: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    sizes = dict(zip(letters(spec), extents, strict=True))
    rng = np.random.default_rng(21)
    operands = spec.partition("->")[0].split(",")
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[t]
    return [rng.integers(-8, 8, [sizes[c] for c in operand]).astype(kind) for operand in operands]


@cache
def lowered(spec: str, t: str, extents: tuple[int, ...], schedule: int) -> rise.Expr:
    strategy = strategies.load(STRATEGY, **SCHEDULES[schedule])
    result = strategy(program(spec, t, extents))
    assert isinstance(result, Success), result.explain()
    return result.program


@pytest.mark.parametrize(
    ("spec", "t", "extents", "schedule"),
    some(((*case, n) for case in (*PRODUCTS, *BATCHES, *SUMS) for n in range(len(SCHEDULES))), 81),
)
def test_a_contraction_is_one_kernel(spec: str, t: str, extents: tuple[int, ...], schedule: int) -> None:
    """For all sizes, run at these: tiles in shared memory, sums in registers, and nothing in global memory."""
    low = lowered(spec, t, (), schedule)
    assert "toMem(Global)" not in rise.show(low)
    assert not rise.obligations(low)  # sizes need not be multiples of tiles
    kernel = shine.compile(low, target="cuda-sim", check=True)
    assert kernel.source.count("__global__") == 1
    assert kernel.source.count("__shared__") == 2
    given = arrays(spec, t, extents)
    np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))


def test_a_conflict_of_two_accesses_is_decided_once_for_all_iterations() -> None:
    """Tiles are at the same place in every iteration of the loops around them: there are ten times as many queries."""
    procedure = translate(lowered("adb,cd->cba", "f32", (), 0), "kernel", GPU_LEVELS)
    conflicts._meet.cache_clear()
    make_kernels(procedure, "sm_80")
    asked = conflicts._meet.cache_info()
    assert asked.misses < 60 < 600 < asked.hits


@pytest.mark.parametrize(("spec", "t", "extents"), some([*PRODUCTS[::2], *BATCHES[::2], *SUMS[::2]], 9, 1))
def test_known_sizes_are_computed_in_the_same_way(spec: str, t: str, extents: tuple[int, ...]) -> None:
    kernel = shine.compile(lowered(spec, t, extents, 0), target="cuda-sim", check=True)
    given = arrays(spec, t, extents)
    np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))


@pytest.mark.parametrize("spec", some(["mk,kn->mn", "icaq,qbjk->abcijk", "abk,cbk->abc"], 3))
def test_one_kernel_accepts_all_sizes(spec: str) -> None:
    """Ones, primes, whole tiles and a little more; and empty sums and results."""
    kernel = shine.compile(lowered(spec, "f32", (), 0), target="cuda-sim", check=True)
    count = len(letters(spec))
    for extents in ((1,) * count, (8,) * count if count < 5 else (2,) * count, (*(1,) * (count - 1), 13)):
        given = arrays(spec, "f32", extents)
        np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))
    for empty in range(count):
        extents = tuple(0 if axis == empty else 3 for axis in range(count))
        given = arrays(spec, "f32", extents)
        np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))


@pytest.mark.parametrize(
    ("spec", "left", "right"),
    [
        ("mk,nk->mn", False, False),
        ("mk,kn->mn", False, True),
        ("km,nk->mn", True, False),
        ("km,kn->mn", True, True),
        ("icaq,qbjk->abcijk", False, True),
        ("gdab,efgc->abcdef", True, True),
        ("kiaq,bcjq->abcijk", False, False),
    ],
)
def test_operands_are_copied_in_the_order_of_storage(spec: str, left: bool, right: bool) -> None:
    """A warp copies neighbours in memory, whichever letter is innermost there."""
    e = matricise(program(spec)).program
    assert (sumsLeftAcross(e), sumsRightAcross(e)) == (left, right)


@pytest.mark.parametrize(("spec", "t", "extents"), some([*PRODUCTS[4::3], *BATCHES[1:], *SUMS[:2]], 9))
def test_the_default_strategy_uses_tiles(spec: str, t: str, extents: tuple[int, ...]) -> None:
    """Also for batches of small matrices, which once did not fit into shared memory."""
    kernel = shine.compile(program(spec, t), target="cuda-sim", check=True)
    assert kernel.source.count("__global__") == 1
    assert kernel.source.count("__shared__") == 2
    given = arrays(spec, t, extents)
    np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))


#: CCSD(T), by families: a sum that is innermost in one operand, and in both
TRIPLES: Final = ("icaq,qbjk->abcijk", "kbaq,qcij->abcijk", "kiaq,bcjq->abcijk", "jibq,ackq->abcijk")


@pytest.mark.parametrize("spec", some(TRIPLES, 2))
@pytest.mark.parametrize("schedule", [{}, {"rows": 64, "columns": 64}])
def test_threads_do_not_wait_for_each_other_at_banks(spec: str, schedule: dict[str, int]) -> None:
    """Counted by the simulator, in tiles chosen by the model and in larger ones; also if sums end within a step."""
    for q in (8, 13):
        extents = (4, 4, 2, 16, 4, 32, q)
        low = strategies.load(STRATEGY, **schedule)(program(spec, "f32", extents)).program
        kernel = shine.compile(low, target="cuda-sim", check=True)
        given = arrays(spec, "f32", extents)
        np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))
        total = kernel.profile(*given).total
        assert total.passes > 0 == total.bank_conflicts
        if not schedule and q % 4 == 0:  # all copies and stores are of whole sectors
            assert total.sectors == total.ideal_sectors
            assert re.search(r"<vec<float, [24]>\*>\(&output\[", kernel.source)


@pytest.mark.parametrize(
    ("spec", "extents"),
    [
        ("fbea,cedf->dcba", (8, 8, 8, 8, 16, 8)),
        ("dca,cbd->ba", (24, 20, 4, 16)),
        ("bgfd,caeg->fedcba", (8, 4, 4, 16, 4, 4, 12)),
    ],
)
def test_subscripts_are_in_the_order_in_which_operands_are_stored(
    spec: str, extents: tuple[int, ...]
) -> None:
    """Those of the rows and of the sum, so that a copy reads neighbours in memory, as the simulator counts."""
    start = matricise(program(spec, "f32", extents)).program
    found = gpu_contraction(start)
    assert found is not None and not found.left.is_read_whole
    tile = best_block_tile(found, DEVICES["A100-SXM4-40GB"])
    assert tile is not None
    as_written = inBlockTiles(tile)(start).program
    given = arrays(spec, "f32", extents)
    totals = []
    for low in (as_written, strategies.load(STRATEGY)(program(spec, "f32", extents)).program):
        kernel = shine.compile(low, target="cuda-sim", check=True)
        np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))
        totals.append(kernel.profile(*given).total)
    assert totals[1].sectors <= totals[0].sectors
    assert totals[1].bank_conflicts == 0
    assert totals[1].sectors < 2 * totals[1].ideal_sectors + 100


#: the thesis's data sets, smaller: whole tiles; a sum that ends within a step; extents of 7 throughout; a long sum
DATA_SETS: Final = (
    (4, 4, 4, 4, 4, 4, 8),
    (4, 4, 4, 4, 4, 4, 7),
    (7, 3, 3, 3, 3, 7, 7),
    (2, 2, 2, 2, 2, 2, 256),
)


@pytest.mark.parametrize(("spec", "extents"), in_turns(TRIPLES[::2], [(one,) for one in DATA_SETS]))
def test_data_sets_of_the_thesis_are_one_kernel_by_default(spec: str, extents: tuple[int, ...]) -> None:
    kernel = shine.compile(program(spec, "f32", extents), target="cuda-sim", check=True)
    assert kernel.source.count("__global__") == 1
    assert kernel.source.count("__shared__") == 2
    given = arrays(spec, "f32", extents)
    np.testing.assert_array_equal(kernel(*given), np.einsum(spec, *given))


def test_tiles_follow_from_sizes_and_the_gpu() -> None:
    """A narrow operand has narrow tiles; on a GPU with more multiplications in a cycle, memory counts for more."""
    chosen = {}
    for extents in ((32,) * 7, (32, 2, 2, 32, 2, 3, 32)):
        found = gpu_contraction(matricise(program(TRIPLES[0], "f32", extents)).program)
        assert found is not None
        chosen[extents] = best_block_tile(found, DEVICES["A100-SXM4-40GB"])
    large, narrow = chosen.values()
    assert large is not None and large.rows * large.columns == 128 * 128
    assert narrow is not None and narrow.columns < 64
    assert gpu_contraction(matricise(program(TRIPLES[0])).program) is None  # sizes are not known


def test_the_layout_of_operands_is_read_from_the_program() -> None:
    found = gpu_contraction(matricise(program("icaq,qbjk->abcijk", "f32", (2, 3, 4, 5, 6, 7, 8))).program)
    assert found == GpuContraction(1, 40, 126, 8, "f32", OperandLayout(8, 1), OperandLayout(1, 126), run=7)


#: operators, and types of numbers
OPERATORS: Final = (
    (("max", "add"), "f32"),
    (("min", "add"), "i32"),
    (("max", "min"), "f64"),
    (("fun(x, y => max(x, y))", "fun(x, y => x * y)", 0), "i32"),
    (None, "c64"),
    (None, "bool"),
)


@pytest.mark.parametrize(("operators", "t"), some(OPERATORS, 2))
@pytest.mark.parametrize("sizes", [(), (3, 4, 5, 2, 7)])
def test_other_operators_and_types_have_tiles_too(operators: Any, t: str, sizes: tuple[int, ...]) -> None:
    """Sums end within a step: the last product is combined once more, which changes neither least nor greatest."""
    names = dict(zip("abcdk", map(str, sizes or "ABCDK"), strict=True))
    types = [".".join([*(names[c] for c in operand), t]) for operand in ("abk", "cdk")]
    program = shine.contraction("abk,cdk->acbd", *types, operators=operators).main
    kernel = shine.compile(program, target="cuda-sim", check=True)
    assert (kernel.source.count("__global__"), kernel.source.count("__shared__")) == (1, 2)
    rng = np.random.default_rng(21)
    given = [rng.integers(0, 5, one).astype(SCALARS[t].dtype) for one in ((3, 4, 7), (5, 2, 7))]
    expected = shine.einsum("abk,cdk->acbd", *given, operators=operators, target="interpret")
    np.testing.assert_array_equal(kernel(*given), expected)


def test_every_step_preserves_type_and_meaning() -> None:
    start = program("abk,cdk->acbd")
    result = strategies.load(STRATEGY, **SCHEDULES[0])(start)
    assert isinstance(result, Success)
    sizes = {"A": 3, "B": 4, "C": 2, "D": 5, "K": 6}
    arguments = inputs(corpus.at(start, **sizes).type)
    expected = rise.evaluate(start, *arguments, sizes=sizes)
    programs = list(elevate.replay(start, result.steps))
    float_class = max((step.rule.float_class for step in result.steps), key=list(elevate.FloatClass).index)
    for number, after in enumerate(programs):
        assert after.type == start.type
        if number % 16 == 0 or number + 1 == len(programs):
            found = rise.evaluate(after, *arguments, sizes=sizes)
            assert not differ(expected, found, float_class, False)


@pytest.mark.parametrize(
    ("spec", "groups", "found"),
    [
        ("mk,k->m", [1], "found subscripts of one operand: choose strategies.gpu:blocksAndThreads"),
        ("lmk,lk->lm", [2, 1], "found subscripts of both operands, and of one: choose"),
        ("lk,lk->l", [2], "found subscripts of both operands: choose"),
    ],
)
def test_vectors_are_refused(spec: str, groups: list[int], found: str) -> None:
    assert groups_of(matricise(program(spec)).program) == groups
    result = strategies.load(STRATEGY)(program(spec))
    assert isinstance(result, Failure)
    assert found in str(result.explain())


def test_programs_without_a_contraction_are_rejected() -> None:
    result = strategies.load(STRATEGY)(rise.parse("fun(xs: N.f32 => map(neg, xs))").main)
    assert isinstance(result, Failure)
    assert "not a single sum of products of two operands" in str(result.explain())


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        ({"room": True}, "expected an integer >= 0 for `room`, found True"),
        ({"rows": 0}, "expected an integer >= 1 for `rows`, found 0"),
        ({"room": -1}, "expected an integer >= 0 for `room`, found -1"),
        ({"vector": 3}, "expected a power of two from 1 to 16 for `vector`, found 3"),
        ({"thread_rows": 3}, "expected `thread_rows` to divide rows = 64, found 3"),
        ({"rows": 6, "thread_rows": 2}, "expected `vector` to divide rows = 6, found 4"),
        ({"thread_rows": 1, "thread_columns": 1}, "expected at most 1024 threads in a block, found 4096"),
    ],
)
def test_tiles_that_do_not_fit_are_refused(wrong: dict[str, int], title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        strategies.load(STRATEGY, **wrong)
    assert title in refused.value.diagnostic.title
    assert refused.value.diagnostic.hint


def printed() -> str:
    """The CUDA text of the contraction of docs/contractions.md."""
    result = strategies.load(STRATEGY)(program(GOLDEN_SPEC, "f32", (32,) * 7))
    assert isinstance(result, Success)
    return shine.compile(result.program, target="cuda-sim", name="contraction").source


def test_the_text_is_the_golden_one() -> None:
    """`python -m tests.strategies.test_gpu_contractions` rewrites it."""
    assert printed() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(printed(), encoding="utf-8")
