"""Products of a matrix with its own transpose: which are symmetric, and that half of each is computed."""

import numpy as np
import pytest

import rise
import shine
from elevate import Success, topDown
from rise.terms import Lam
from strategies.openmp import parallel
from strategies.parts.nests import fuse
from strategies.rules.symmetric_products import isSymmetric, symmetricBlocks, symmetricRest
from tests.examples import some

SUM = "|> reduce(add, 0.0)"
PRODUCT = "zip(r, c) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"


@pytest.mark.parametrize(
    ("value", "is_symmetric"),
    [
        (PRODUCT, True),
        (f"a * ({PRODUCT}) + 1.0", True),
        ("zip(c, r) |> map(fun(p => neg(fst(p)) * neg(snd(p)))) |> reduce(add, a)", True),
        ("zip(r, c) |> map(fun(p => min(fst(p) + snd(p), 1.0))) |> reduce(max, 0.0)", True),
        (f"({PRODUCT}) / ({PRODUCT})", True),
        ("zip(r, c) |> map(fun(p => fst(p) - snd(p))) |> reduce(add, 0.0)", False),
        ("zip(r, c) |> map(fun(p => fst(p) * neg(snd(p)))) |> reduce(add, 0.0)", False),
        ("zip(r, c) |> map(fun(p => fst(p) * fst(p))) |> reduce(add, 0.0)", False),
        ("zip(r, r) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)", False),
        (f"({PRODUCT}) * idx((0 : idx[3]), r)", False),
        (f"zip(r, c) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, r {SUM})", False),
        ("a * 2.0", False),
    ],
)
def test_which_products_are_symmetric(value: str, is_symmetric: bool) -> None:
    e = rise.parse(f"fun(a: f32, r: 3.f32, c: 3.f32 => {value})").main
    for body in (e, fuse(e).program):  # unchanged, and with sums of products as one loop
        for _ in range(3):
            assert isinstance(body, Lam)
            body = body.body
        assert isSymmetric(body) == is_symmetric


TRANSPOSED = f"x |> transpose |> map(fun(r => x |> transpose |> map(fun(c => ({PRODUCT}) * 0.5))))"
ROWS = f"x |> map(fun(r => x |> map(fun(c => ({PRODUCT}) * 0.5))))"


@pytest.mark.parametrize("text", some([ROWS, TRANSPOSED], 2))
def test_half_of_a_symmetric_product_is_computed(text: str) -> None:
    program = rise.parse(f"fun(x: N.K.f32 => {text})").main
    result = parallel(rows=2, columns=4)(program)
    assert isinstance(result, Success), result.explain()
    assert {step.rule for step in result.steps} >= {symmetricRest(4), symmetricBlocks(4)}
    kernel = shine.compile(result.program, target="interpret")
    for shape in ((0, 3), (1, 0), (3, 5), (4, 4), (9, 2), (13, 7)):
        x = np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)
        assert (kernel(x) == rise.evaluate(program, x)).all()


def test_other_products_are_computed_completely() -> None:
    text = ROWS.replace("fst(p) * snd(p)", "fst(p) - snd(p)")
    result = parallel(rows=2, columns=4)(rise.parse(f"fun(x: N.K.f32 => {text})").main)
    assert symmetricRest(4) not in {step.rule for step in result.steps}


def test_a_length_that_is_a_multiple_of_the_block_leaves_no_remainder() -> None:
    program = fuse(rise.parse(f"fun(x: 12.K.f32 => {ROWS})").main).program
    assert isinstance(topDown(symmetricBlocks(4))(program), Success)
    assert not isinstance(topDown(symmetricBlocks(5))(program), Success)
