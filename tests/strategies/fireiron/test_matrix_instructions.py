"""Products of warps end in any matrix instruction whose factors are read as they are: WMMA and `mma.sync`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from elevate import StrategyError, Success
from examples.fireiron.matrix_instructions import VOLTA, large, small
from rise.hardware import INSTRUCTIONS, MatrixInstruction
from rise.scalars import SCALARS
from rise.terms import Expr
from strategies.fireiron import FR, SH, A, B, Block, MatMul, Schedule, Warp, read_schedule
from tests.examples import some
from tests.strategies.fireiron.products import assert_product, simulated

#: the instructions that read factors as they are, with coordinates for each lane
DOCUMENTED: Final = [
    one
    for one in INSTRUCTIONS.values()
    if one.coordinates is not None and one.stored_type_of("AMatrix") == one.a
]
GROUPS: Final = [one for one in DOCUMENTED if one.part != one.shape]


def product_of(one: MatrixInstruction, function: str = "x") -> Expr:
    """The product of matrices of the types of an instruction, with a function of each sum `x`."""
    read = "fst(ab) * snd(ab)" if one.a == one.accumulator else "cast{T}(fst(ab)) * cast{T}(snd(ab))"
    zero = "0.0" if one.accumulator[0] == "f" else "0"
    text = f"""val main = fun(a: M.K.{one.a}, b: K.N.{one.b} => a |> map(fun(row => transpose(b) |> map(fun(column =>
      (fun(x: T => {function}))(zip(row, column) |> map(fun(ab => {read})) |> reduce(add, {zero})))))))"""
    return rise.parse(text.replace("T", one.accumulator)).main


def in_shared(one: MatrixInstruction, times: tuple[int, int, int] = (2, 1, 2)) -> Schedule:
    """A block with two warps, each of which multiplies `times` tiles of an instruction in each direction."""
    m, n, k = (size * count for size, count in zip(one.shape, times, strict=True))
    return MatMul.tile(2 * m, n).to(Block).epilog(FR).split(k).load(A, SH).load(B, SH).tile(m, n).to(Warp)


def assert_multiplies(
    one: MatrixInstruction, schedule: Schedule, blocks: tuple[int, int, int], cache: Path, twice: bool = False
) -> str:
    """Assert that a kernel is right without a finding, at a multiple of the block's tile; return its source."""
    derived = schedule.strategy()(product_of(one, "x + x" if twice else "x"))
    assert isinstance(derived, Success), derived.explain()
    specs = [spec for _, spec in schedule.trail]
    tile = next(spec for spec in specs if spec.unit == Block)
    depth = next(spec.depth for spec in specs if isinstance(spec.depth, int))
    m, n, k = (int(size) * count for size, count in zip((*tile.shape, depth), blocks, strict=True))
    program = rise.specialise(derived.program, M=m, N=n, K=k)
    kernel = shine.compile(program, target="cuda-sim", arch="sm_90", check=True, cache=str(cache))
    random = np.random.default_rng(m + k)
    a, b = (
        random.integers(0 if one.a == "u8" else -3, 4, shape).astype(SCALARS[one.a].dtype)
        for shape in ((m, k), (k, n))
    )
    expected = a.astype(np.float64) @ b.astype(np.float64) * (2 if twice else 1)
    np.testing.assert_array_equal(kernel(a, b), expected.astype(SCALARS[one.accumulator].dtype))
    return kernel.source


@pytest.mark.parametrize(
    ("one", "blocks"),
    some(
        some(
            [(one, b) for turn, one in enumerate(DOCUMENTED) for b in some([(1, 2, 1), (2, 1, 2)], 2, turn)],
            2,
        ),
        2,
    ),
)
def test_tiles_of_a_shape_are_multiplied_by_its_instruction(
    one: MatrixInstruction, blocks: tuple[int, int, int], cache: Path
) -> None:
    schedule = in_shared(one).mma(*one.shape).done
    source = assert_multiplies(one, schedule, blocks, cache)
    assert f"mma.sync.aligned.m{one.part[0]}n{one.part[1]}k{one.part[2]}.row.col" in source


@pytest.mark.parametrize("one", some(DOCUMENTED, 18))
def test_one_fragment_of_a_warp_needs_no_tiles(one: MatrixInstruction, cache: Path) -> None:
    schedule = in_shared(one, (1, 1, 1)).load(A, FR).load(B, FR).done
    assert str(schedule.residual).endswith("(FR, FR, FR)(Warp)")
    assert "mma.sync" in assert_multiplies(one, schedule, (1, 1, 2), cache)


@pytest.mark.parametrize(
    "one", some([*GROUPS, *some([one for one in DOCUMENTED if one not in GROUPS], 6)], 2)
)
def test_a_function_of_sums_is_computed_from_the_fragments(one: MatrixInstruction, cache: Path) -> None:
    assert_multiplies(one, in_shared(one).mma(*one.shape).done, (1, 1, 1), cache, twice=True)


def test_groups_of_eight_lanes_need_a_product_of_a_whole_warp() -> None:
    """The paper's `HMMA.884`: the four groups are in a square, above each other, or beside each other."""
    assert {(one.shape, one.part) for one in GROUPS} == {
        (shape, (8, 8, 4)) for shape in ((16, 16, 4), (32, 8, 4), (8, 32, 4))
    }


def test_the_shape_is_part_of_the_text_and_of_the_specification() -> None:
    schedule = MatMul.tile(64, 64).to(Block).epilog(FR).split(16).tile(32, 32).to(Warp).mma(16, 8, 16)
    assert str(schedule).endswith(".mma(16, 8, 16)")
    assert str(schedule.residual) == "MatMul(16, 8, 16)(FR, FR, FR)(Warp)"
    assert read_schedule(str(schedule.done)) == schedule.done
    warp = MatMul.tile(64, 64).to(Block).epilog(FR).split(16).tile(32, 32).to(Warp)
    assert schedule != warp.mma(16, 16, 16) == warp.mmaTile


@pytest.mark.parametrize(
    ("shape", "title", "hint"),
    [
        ((16, 16, 32), "expected the shape of a matrix instruction, found 16 x 16 x 32", "or 8 x 32 x 4"),
        (
            (16, 16, 8),
            "expected the shape of a matrix instruction, found 16 x 16 x 8",
            "16 x 8 x 8",
        ),  # of tf32
        ((8, 8, 16), "expected multiples of 8 x 8 x 16, found 32 x 32 x 8", "mma(16, 8, 8)"),
        ((0, 8, 16), "expected an integer >= 1 for `m`, found 0", "mma(16, 8, 8)"),
    ],
)
def test_other_shapes_are_rejected_with_those_that_exist(
    shape: tuple[int, int, int], title: str, hint: str
) -> None:
    warp = MatMul.tile(64, 64).to(Block).epilog(FR).split(8).tile(32, 32).to(Warp)
    with pytest.raises(StrategyError) as caught:
        warp.mma(*shape)
    assert title in caught.value.diagnostic.title and hint in caught.value.diagnostic.hint


def test_a_program_with_other_types_is_rejected_with_those_of_the_instruction() -> None:
    single = rise.parse_file("examples/mm.rise").main
    schedule = MatMul.tile(16, 16).to(Block).epilog(FR).split(4).tile(16, 16).to(Warp).mma(16, 16, 4).done
    explained = str(schedule.strategy()(single).explain())
    assert "expected factors of f16 for 16 x 16 x 4, found f32" in explained


@pytest.mark.parametrize(
    ("schedule", "sizes"),
    some(
        [
            (large(), (128, 256, 64)),
            (large(64, 64, 32, (32, 32), VOLTA), (128, 64, 32)),
            (small(), (32, 16, 128)),
            (small(32, 16, 64, 4), (32, 48, 64)),
            (small(instruction=VOLTA), (16, 32, 64)),
        ],
        2,
    ),
    ids=str,
)
def test_the_decompositions_of_section_5_3_compute_products(
    schedule: Schedule, sizes: tuple[int, int, int], cache: Path
) -> None:
    assert read_schedule(str(schedule)) == schedule
    assert_product(simulated(schedule, *sizes, cache), *sizes, "float16")
