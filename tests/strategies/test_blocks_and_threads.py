"""The default strategy of GPUs: which kind of kernel it selects for which program, and that it accepts all programs."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import StrategyError, Success
from shine.translate import translate
from tests.examples import some

DEFAULT = "strategies.gpu:blocksAndThreads"
SUM = "fun(xs: N.f32 => xs |> reduce(add, 0.0))"


def lowered(text: str, **parameters: int) -> str:
    result = strategies.load(DEFAULT, **parameters)(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    return rise.show(result.program)


def test_a_sum_is_computed_by_blocks() -> None:
    assert lowered(SUM).count("mapBlock") == 1
    assert "reduceBlockAtomic" in lowered(SUM, atomic=1)


@pytest.mark.parametrize(
    ("combine", "total"), [("add", "min, inf"), ("mul", "min, inf"), ("fun(x, y => abs(x - y))", "max, 0.0")]
)
def test_a_nest_that_is_not_a_sum_of_products(combine: str, total: str) -> None:
    """Such as shortest paths, or distances."""
    text = f"""fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
      zip(row, column) |> map({combine}) |> reduce({total}))))))"""
    program = rise.parse(text).main
    result = strategies.load(DEFAULT)(program)
    assert isinstance(result, Success), result.explain()
    kernel = shine.compile(result.program, target="interpret")
    a, b = np.float32([[1, 5, 2], [0, 3, 7]]), np.float32([[4, 1], [2, 2], [6, 0]])
    np.testing.assert_array_equal(kernel(a, b), rise.evaluate(program, a, b))


@pytest.mark.parametrize("room", [1, 4])
def test_rows_of_tiles_may_have_any_padding(room: int) -> None:
    """Vector stores to padded rows were not proved to be disjoint: `parallel-write`."""
    text = """fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
      zip(row, column) |> map(mul) |> reduce(add, 0.0))))))"""
    result = strategies.load("strategies.gpu:productTiles", room=room)(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    assert translate(result.program, "kernel", shine.TARGETS["cuda"].levels).body is not None


@pytest.mark.parametrize("t", ["i8", "u8"])
def test_atomic_updates_of_eight_bits_are_not_used(t: str) -> None:
    assert "Atomic" not in lowered(f"fun(xs: N.{t} => xs |> reduce(add, 0{t}))", atomic=1)


@pytest.mark.parametrize("wrong", [{"rows": 10}, {"columns": 66}, {"depth": 7}, {"rows": 0}])
def test_tiles_that_do_not_fit_are_reported_by_their_own_names(wrong: dict[str, int]) -> None:
    with pytest.raises(StrategyError) as caught:
        strategies.load(DEFAULT, **wrong)
    ((name, size),) = wrong.items()
    assert f"`{name}`" in caught.value.diagnostic.title
    assert caught.value.diagnostic.title.endswith(f"found {size}")


NORMAL = "let ys = row |> map(exp) in let t = ys |> reduce(add, 0.0) in ys |> map(fun(y => y / t))"


@pytest.mark.parametrize("length", ["len(i)", "(i + 1)", "(N - i)"])
def test_rows_of_different_lengths_have_no_intermediate_array(length: str) -> None:
    """If the lengths of rows differ, no array can be distributed over threads."""
    head = "{N: nat}, {len: nat -> nat}, " if "len" in length else ""
    text = f"fun({head}rows: N..(i |-> {length}.f32) => rows |> depMap(fun(i: nat, row => {NORMAL})))"
    main = rise.parse(text).main
    result = strategies.load(DEFAULT)(main)
    assert isinstance(result, Success) and "toMem" not in rise.show(result.program)
    lengths = {"len(i)": [3, 0, 5], "(i + 1)": [1, 2, 3], "(N - i)": [3, 2, 1]}[length]
    rows = [np.linspace(0, 1, one, dtype=np.float32) for one in lengths]
    found = shine.compile(result.program, target="cuda-sim", check=True)(rows)
    for one, wanted in zip(found, rise.evaluate(main, rows), strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-5)


def test_an_array_whose_length_depends_on_the_thread_is_rejected() -> None:
    text = """fun(rows: N..(i |-> (i / 2 + 1).f32) => rows |> depMapGlobal(0, fun(i: nat, row =>
      row |> mapSeq(exp) |> toMem(Global) |> fun(ys => ys |> mapSeq(fun(y => y + (ys |> reduceSeq(add, 0.0))))))))"""
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(rise.parse(text).main, target="cuda-sim")
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "global-size" and "found a length that depends on it" in diagnostic.title
    assert "where it is read" in diagnostic.hint


BLURRED = (
    "padClamp(1, 1) |> slide(3, 1) |> map(fun(w => [idx(0, w) + idx(1, w), idx(1, w) + idx(2, w)])) |> join"
)
PRODUCT = "acc |> map(fun(r => transpose(a) |> map(fun(c => zip(r, c) |> map(mul) |> reduce(add, 0.0)))))"


@pytest.mark.parametrize(
    "text",
    some(
        [
            f"""fun(a: H.W.f32 => a |> map(fun(row => row |> {BLURRED})) |> transpose
          |> map(fun(row => row |> {BLURRED})) |> transpose)""",
            f"fun(a: N.N.f32 => [0..3) |> reduceSeq(fun(acc, i => {PRODUCT}), a))",
            f"fun(a: N.N.f32 => a |> fun(acc => {PRODUCT}) |> join |> reduce(add, 0.0))",
        ],
        3,
    ),
    ids=some(["rows of windows, twice", "powers of a matrix", "the sum of a product"], 3),
)
def test_programs_that_do_not_fit_tiles_are_computed_by_element(text: str) -> None:
    main = rise.parse(text).main
    result = strategies.load(DEFAULT)(main)
    assert isinstance(result, Success)
    a = np.random.default_rng(7).random((5, 5), np.float32)
    found = shine.compile(result.program, target="cuda-sim", check=True)(a)
    np.testing.assert_allclose(found, rise.evaluate(main, a), rtol=1e-5)
