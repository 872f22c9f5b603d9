"""Matrix products of the cases are computed in register tiles by default, whatever is zipped with their factors.

tests/cases/test_cases.py checks the results.
"""

import re
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, Success, alltd, topDown
from strategies.openmp import parallel
from strategies.parts.nests import fuse
from strategies.parts.products import hasProductNest, nests, readsLeftByColumns
from strategies.parts.register_tiles import (
    RowsFirst,
    columnsByRows,
    numbersBefore,
    productsInRegisters,
    storeProducts,
)
from strategies.rules.fusion import mapFissionZip
from strategies.rules.matrix_products import mulAddToFma
from strategies.rules.movement import columnsFirstDependent
from strategies.rules.sharing import callWithin
from tests.examples import some
from tests.strategies import corpus

DOT = "map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"
PRODUCTS = {
    "batched_mm",
    "covariance",
    "gemm",
    "gemm_alpha",
    "gemm_bf16",
    "gemm_bias",
    "gemm_f32",
    "gemm_left_transposed",
    "gemm_plain",
    "linear_layer",
    "matrix_chain",
    "min_plus",
    "mm",
    "mm_both_transposed",
    "mm_left_transposed",
    "mm_right_transposed",
    "syrk",
}


def fused(name: str) -> rise.Expr:
    result = (storeProducts >> fuse)(corpus.program(name))
    assert isinstance(result, Success)
    e: rise.Expr = result.program
    return e


def test_the_products_of_the_corpus_are_recognised() -> None:
    assert {name for name in corpus.NAMES if hasProductNest(fused(name))} >= PRODUCTS


@pytest.mark.parametrize("name", some(sorted(PRODUCTS), 6))
def test_every_product_is_tiled(name: str) -> None:
    e = fused(name)
    result = productsInRegisters(6, 64)(e)
    assert isinstance(result, Success), result.explain()
    assert list(nests(result.program)) == []


def sizes_of_panels(number: str) -> set[str]:
    """The numbers of columns by which the right factor of a product with this number type is split."""
    text = (
        f"fun(x: N.K.{number}, y: K.M.{number} => x |> map(fun(row => transpose(y) |> map(fun(column =>"
        f" zip(row, column) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, (0 : {number})))))))"
    )
    result = (fuse >> productsInRegisters(6, 64))(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    assert any(step.rule == mulAddToFma for step in result.steps)
    return set(re.findall(r"split\((\d+)\)", rise.show(result.program))) - {"1", "6"}


@pytest.mark.parametrize(
    ("update", "added"),
    [
        ("x |> map(fun(row => {dot}))", lambda x, z: 0),
        ("zip(x, z) |> map(fun(row, sums => zip({dot}, sums) |> map(add)))", lambda x, z: z),
        ("x |> map(fun(row => zip({dot}, row |> take(M)) |> map(add)))", lambda x, z: x[:, :30]),
    ],
    ids=["written", "added to other rows", "added to another part of the row"],
)
def test_parts_of_rows_are_factors(update: str, added: Any) -> None:
    """Blocks of a matrix are multiplied in tiles that read the matrix, perhaps beside other parts of the same rows."""
    dot = f"transpose(y) |> map(fun(column => zip(row |> drop(M), column) |> {DOT}))"
    text = f"fun(x: N.(M + K).f64, y: K.M.f64, z: N.M.f64 => {update.format(dot=dot)})"
    kernel = shine.compile(rise.parse(text), target="openmp")
    assert "fma(x[" in kernel.source
    x, y, z = (
        np.random.default_rng(seed).random(shape) for seed, shape in enumerate(((9, 41), (11, 30), (9, 30)))
    )
    np.testing.assert_allclose(kernel(x, y, z), x[:, 30:] @ y + added(x, z), rtol=1e-13)


def test_narrow_panels_are_wide_enough_for_vectors() -> None:
    assert sizes_of_panels("f32") == {"64", "16"}
    assert sizes_of_panels("f64") == {"64", "32", "16"}  # two panels are packed together
    assert sizes_of_panels("c64") == {"64", "32", "16"}
    assert sizes_of_panels("c128") == {"64", "16"}  # four panels


def test_a_program_without_a_product_is_left_to_other_strategies() -> None:
    failure = productsInRegisters(6, 64)(fused("dot"))
    assert isinstance(failure, Failure)
    assert "no matrix product found" in str(failure.explain())


def test_named_rows_are_stored_for_one_product() -> None:
    e = fused("attention")
    assert not hasProductNest(e)
    result = (alltd(RowsFirst()) >> productsInRegisters(6, 64))(e)
    assert isinstance(result, Success)
    assert sum(step.rule == mapFissionZip for step in result.steps) >= 2
    assert list(nests(result.program)) == []


def test_rows_are_not_stored_without_a_product() -> None:
    assert isinstance(topDown(RowsFirst())(fused("softmax")), Failure)


def test_columns_that_are_centred_are_stored_by_rows() -> None:
    e = fused("covariance")
    result = topDown(columnsByRows)(e)
    assert isinstance(result, Success)
    assert sum(step.rule == columnsFirstDependent for step in result.steps) == 1
    assert any(readsLeftByColumns(nest) for nest in nests(result.program))
    assert not any(readsLeftByColumns(nest) for nest in nests(e))


CENTRED = "map(fun(r => let y = reduce(add, 0.0, r) / m in r |> map(fun(v => v - y))))"


@pytest.mark.parametrize(
    ("named", "is_before"), [("a + a", True), ("map(exp, a)", False)], ids=["a number", "an array"]
)
def test_numbers_are_named_before_the_columns_that_need_them(named: str, is_before: bool) -> None:
    t, m = ("f32", "m") if is_before else ("3.f32", "reduce(add, 0.0, m)")
    rows = f"(fun(m: {t} => transpose(x) |> {CENTRED.replace('/ m', f'/ {m}')}))({named})"
    text = f"fun(x: N.K.f32, a: {t} => (fun(c: K.N.f32 => zip(c, c) |> map(fst)))({rows}))"
    result = numbersBefore(rise.parse(text).main)
    assert isinstance(result, Success)
    assert (callWithin in {step.rule for step in result.steps}) == is_before


@pytest.mark.parametrize("name", some(["mm_left_transposed", "covariance"], 2))
def test_copies_for_reading_in_order_are_kept(name: str) -> None:
    result = parallel()(corpus.program(name))
    assert isinstance(result, Success)
    assert "transpose |> transpose" not in str(result.program)


@pytest.mark.parametrize("name", some(["gemm", "gemm_alpha", "gemm_bf16", "gemm_bias"], 2))
def test_left_factors_are_converted_once(name: str) -> None:
    result = (storeProducts >> fuse >> productsInRegisters(6, 64))(corpus.program(name))
    assert isinstance(result, Success)
    text = " ".join(str(result.program).split())
    stored = r"=> (A|a) \|> map\(fun\((\w+): K\.\w+ => map\(cast\{f32, \w+\}, \2\)\)\) \|> toMem\(Local\) \|> fun\("
    assert re.search(stored, text), text
    assert text.count("(cast{f32") == 3, (
        text
    )  # the others are panels of the right factor, and the last, narrower ones


def test_factors_zipped_with_other_rows_are_stored_for_one_product_each() -> None:
    text = (
        "fun(a: M.K.f32, b: K.L.f32, c: L.N.f32, d: M.N.f32, s: f32 => zip(a, d) |> map(fun(p => fst(p)"
        f" |> map(fun(v => s * v)) |> fun(row => transpose(b) |> map(fun(column => zip(row, column) |> {DOT})))"
        f" |> fun(row => zip(transpose(c), snd(p)) |> map(fun(q => (zip(row, fst(q)) |> {DOT}) + snd(q))))))"
    )
    result = (fuse >> alltd(RowsFirst()) >> productsInRegisters(6, 64))(rise.parse(text + ")").main)
    assert isinstance(result, Success), result.explain()
    assert (
        rise.show(result.program).count("fma(") == 8
    )  # whole and narrow panels, whole tiles and single rows, twice
    assert list(nests(result.program)) == []


def unrepeated(text: str) -> int:
    """The number of sums of products that the default strategy leaves outside of register tiles, and repeats in
    loops.
    """
    result = parallel()(rise.parse(text).main)
    assert isinstance(result, Success)
    return rise.show(result.program).count("acc + fst(") + rise.show(result.program).count("acc + snd(")


@pytest.mark.parametrize(
    "text",
    some(
        [
            # attention with a late division: values that are computed from a stored product are computed once
            "fun(q: T.D.f32, k: T.D.f32, v: T.E.f32 =>"
            f" let s = (q |> map(fun(row => k |> map(fun(column => zip(row, column) |> {DOT}))))) in"
            " let w = (s |> map(fun(r => let top = (r |> reduce(max, -inf)) in r |> map(fun(x => exp(x - top)))))) in"
            " w |> map(fun(r => let total = (r |> reduce(add, 0.0)) in"
            f" transpose(v) |> map(fun(column => (zip(r, column) |> {DOT}) / total)))"
            "))",
            # squared distances: a factor and a sum of the same row, both named
            "fun(x: N.D.f32, y: M.D.f32 => x |> map(fun(row => let twice = (row |> map(fun(v => 2.0 * v))) in"
            " let length = (row |> map(fun(v => v * v)) |> reduce(add, 0.0)) in"
            f" y |> map(fun(column => length - (zip(twice, column) |> {DOT}))))))",
        ],
        2,
    ),
)
def test_products_combined_with_named_numbers_are_tiled(text: str) -> None:
    assert unrepeated(text) == 0


@pytest.mark.parametrize(
    "added", some(["", " |> zip(transpose(x)) |> map(fun(p => map(fun(v => v + 1.0), snd(p))))"], 2)
)
def test_a_product_beside_other_columns_is_tiled(added: str) -> None:
    """As in `np.concatenate((x.T @ x, (x.T @ y)[:, None]), axis=1)`, from which a system of equations is solved; also
    if it is changed first.
    """
    product = (
        f"transpose(x) |> map(fun(row => transpose(x) |> map(fun(column => zip(row, column) |> {DOT}))))"
    )
    last = f"transpose(x) |> map(fun(row => [zip(row, y) |> {DOT}]))"
    text = f"fun(x: N.M.f32, y: N.f32 => transpose(concat(transpose({product}{added}), transpose({last}))))"
    result = parallel()(rise.parse(text).main)
    assert isinstance(result, Success)
    assert list(nests(result.program)) == []
    assert re.search(r"acc: 6\.\d+\.f32", rise.show(result.program)), "no tiles"
