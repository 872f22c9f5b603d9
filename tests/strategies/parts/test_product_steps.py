"""Products that are summed over the rows of both factors, such as `x.T @ y`: computed in steps if they have few
columns.
"""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, Success
from strategies.lowering.levels import SEQ
from strategies.lowering.positions import Write
from strategies.lowering.predicates import isChoiceOfLoops
from strategies.openmp import parallel
from strategies.parts.nests import fuse
from strategies.parts.register_tiles import registerTilesInSteps
from tests import required_tools
from tests.examples import in_whole, some

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
DOT = "map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"


def product(columns: str = "N", epilogue: str = "") -> rise.Expr:
    return rise.parse(
        f"fun(x: K.M.f32, y: K.{columns}.f32 => transpose(x) |> map(fun(r => transpose(y)"
        f" |> map(fun(c => (zip(r, c) |> {DOT}) {epilogue})))))"
    ).main


def rules_of(e: rise.Expr) -> set[str]:
    result = parallel()(e)
    assert isinstance(result, Success)
    return {step.rule.name for step in result.steps}


STEPS, TRANSPOSED, CHOICE = "productsInSteps", "nameRows", "productBySize"


@pytest.mark.parametrize(
    ("columns", "found"),
    some(
        [
            ("N", {STEPS, TRANSPOSED, CHOICE}),
            ("256", {STEPS}),
            ("257", {TRANSPOSED}),
            ("(N+257)", {TRANSPOSED}),
        ],
        5,
    ),
)
def test_the_rules_depend_on_the_number_of_columns(columns: str, found: set[str]) -> None:
    rules = {name.split("(")[0] for name in rules_of(product(columns))}
    assert rules & {STEPS, TRANSPOSED, CHOICE} == found


def test_symmetric_products_are_halved_even_with_fewer_columns() -> None:
    square = (
        "fun(x: K.{0}.f32 => transpose(x) |> map(fun(r => transpose(x) |> map(fun(c => zip(r, c) |> {1})))))"
    )
    for columns, halved in (("128", False), ("192", True)):
        rules = rules_of(rise.parse(square.format(columns, DOT)).main)
        assert ("symmetricBlocks" in {name.split("(")[0] for name in rules}) == halved


def test_only_products_that_are_summed_over_rows_have_steps() -> None:
    text = f"fun(x: M.K.f32, y: K.N.f32 => x |> map(fun(r => transpose(y) |> map(fun(c => zip(r, c) |> {DOT})))))"
    nest = fuse(rise.parse(text).main)
    assert isinstance(nest, Success)
    body = nest.program
    while isinstance(body, rise.Lam | rise.DepLam):
        body = body.body
    assert isinstance(registerTilesInSteps(6, 64, 16, 256)(body), Failure)


@in_whole("tests/strategies/test_products_before_loops.py::test_results_are_those_of_numpy")
@needs_openmp
@pytest.mark.parametrize("epilogue", some(["", "* 0.5"], 2, first=1))
def test_sums_of_any_numbers_of_rows_are_correct(epilogue: str) -> None:
    kernel = shine.compile(product(epilogue=epilogue), threads=1)
    rng = np.random.default_rng(3)
    for rows, left, right in (
        *((k, 7, 17) for k in (0, 1, 255, 256, 257, 700)),
        *((300, m, 70) for m in (0, 1, 6, 11, 48)),
        *((520, 13, n) for n in (0, 1, 15, 64, 65, 80, 256, 257)),
    ):
        x = rng.integers(-4, 5, (rows, left)).astype(np.float32)
        y = rng.integers(-4, 5, (rows, right)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x, y), x.T @ y * (0.5 if epilogue else 1), str(x.shape))
    assert "next" not in kernel.source  # sums are updated in place


def test_each_branch_of_a_choice_writes_its_array() -> None:
    text = "fun(c: i32, x: N.M.f32 => if c < 5 then x |> map(fun(r => {})) else x |> map(reduce(max, 0.0)))"
    e = rise.parse(text.format("reduce(add, 0.0, r)")).main
    assert isChoiceOfLoops(e.body.body.body.body)  # type: ignore[attr-defined]  # below four parameters
    lowered = Write((SEQ,))(e)
    assert isinstance(lowered, Success)
    source = shine.compile(lowered.program, target="openmp").source
    assert source.count("for (int64_t n = 0") == 2 and "else" in source
