"""Strategies that do not apply: every diagnostic shows the place in the user's source, and what to do next."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Success
from rise import f32
from shine.front.derivation import StrategyFailed, derive
from shine.front.failure_places import locating_failures, parameters_of, title_of
from tests.examples import in_whole, some

K, M, N = rise.sizes("K M N")
_PRODUCT: Final = (
    "val product = fun(A: M.K.{0}, B: K.N.{0} => A |> map(fun(row =>\n"
    "  transpose(B) |> map(fun(column => zip(row, column) |> map(fun(p => {1}(fst p) * {1}(snd p)))"
    " |> reduce(add, 0.0{2}))))))\n"
)
#: programs that some strategies do not apply to
PROGRAMS: Final = {
    "a map": "val twice = fun(xs: N.f32 => xs |> map(fun(x => x + x)))",
    "a sum": "val total = fun(xs: N.f32 => xs |> reduce(add, 0.0))",
    "a product of f32": _PRODUCT.format("f32", "cast{f32}", ""),
    "a product of f64": _PRODUCT.format("f64", "cast{f64}", "f64"),
    "a product of maxima": _PRODUCT.format("f16", "cast{f32}", "").replace("reduce(add", "reduce(max"),
    "a product of integers": _PRODUCT.format("i16", "cast{i32}", "").replace("0.0", "0"),
    "a product of known sizes": _PRODUCT.format("f16", "cast{f32}", "")
    .replace("M.K", "128.24")
    .replace("K.N", "24.128"),
    "windows of two arrays": "val pairs = fun(xs: H.W.f32, ys: H.W.f32 =>\n"
    "  zip(xs |> slide(3, 1), ys |> slide(3, 1)) |> map(fun(a, b => zip(idx(0, a), idx(2, b)) |> map(mul))))",
    "rows of different lengths": "val sums = fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) =>\n"
    "  rows |> depMap(fun(i: nat, row => row |> reduce(add, 0.0))))",
    "a sort": "val sorted = fun(xs: N.M.f32 => xs |> map(sort))",
    "a scan": "val running = fun(xs: N.f32 => xs |> scan(add, 0.0))",
}
ADDRESSES: Final = (
    *(f"strategies.gpu:{name}" for name in ("blocksAndThreads", "productTiles", "rowsOnThreads")),
    *(f"strategies.gpu_reductions:{name}" for name in ("reduceOnBlocks", "scanOnBlocks")),
    *(f"strategies.tensor_core:{name}" for name in ("tensorCore", "wmma", "mmaSync")),
    *(f"strategies.images:{name}" for name in ("cbuf", "vectorised")),
    *(f"strategies.cpu_gemm:{name}" for name in ("blocking", "packed")),
    "strategies.streaming:circularBuffers",
    "strategies.stencils:tileStencil",
    "strategies.rules.fusion:mapFusion",
    "strategies.rules.reductions:splitReduceSeq",
)


def refused(program: rise.Program, address: str) -> StrategyFailed | None:
    """The error of a strategy that does not apply to a program; None if it applies."""
    parameters = {"n": 7} if address.endswith("splitReduceSeq") else {}
    strategy = strategies.load(address, **parameters)
    if isinstance(strategy(program.main), Success):
        return None
    with pytest.raises(StrategyFailed) as caught, locating_failures(program):
        derive(strategy, program.main, title_of(program))
    return caught.value


@pytest.mark.parametrize(("name", "address"), some(product(PROGRAMS, ADDRESSES), 13))
def test_a_strategy_that_does_not_apply_shows_the_place(name: str, address: str) -> None:
    program = rise.parse(PROGRAMS[name], "bad.rise")
    error = refused(program, address)
    if error is None:
        return
    diagnostic = error.diagnostic
    assert diagnostic.code == "strategy-failed"
    assert diagnostic.title.partition(" does not apply to `")[2].startswith(program.main_name)
    assert diagnostic.notes and diagnostic.hint
    (label,) = diagnostic.labels
    start, end = program.spans[program.main_name]
    assert start <= label.start < label.end <= end
    assert "--> bad.rise:" in str(error)


@in_whole("test_a_strategy_that_does_not_apply_shows_the_place")
def test_most_programs_and_strategies_of_the_list_are_refused() -> None:
    programs = [rise.parse(text) for text in list(PROGRAMS.values())[:4]]
    applied = [refused(p, address) for p in programs for address in ADDRESSES]
    assert sum(error is not None for error in applied) > len(applied) / 2


@pytest.mark.parametrize(
    ("name", "address", "start", "end"),
    some(
        [
            ("a product of f32", "strategies.tensor_core:wmma", "A |> map", "0.0)))))"),
            ("a product of integers", "strategies.tensor_core:mmaSync", "A |> map", "0)))))"),
            ("a product of maxima", "strategies.tensor_core:wmma", "A |> map", "0.0)))))"),
            ("a product of known sizes", "strategies.tensor_core:wmma", "zip(row", "reduce(add, 0.0)"),
            ("windows of two arrays", "strategies.images:cbuf", "ys |> slide", "slide(3, 1)"),
        ],
        2,
    ),
)
def test_the_place_is_the_part_that_does_not_fit(name: str, address: str, start: str, end: str) -> None:
    program = rise.parse(PROGRAMS[name])
    error = refused(program, address)
    assert error is not None
    (label,) = error.diagnostic.labels
    shown = program.text[label.start : label.end]
    assert shown.startswith(start) and shown.endswith(end), shown


def python_product(a: f32[M, K], b: f32[K, N]) -> Any:
    return a @ b


def errors_of_python() -> Iterator[rise.RiseError]:
    program = rise.program(python_product)
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(program, target="cuda-sim", strategy="strategies.tensor_core:wmma")
    yield caught.value
    kernel = shine.jit(python_product, target="cuda-sim", strategy="strategies.tensor_core:wmma")
    ones = np.ones((16, 16), np.float32)
    with pytest.raises(rise.RiseError) as caught:
        kernel(ones, ones)
    yield caught.value


def test_the_place_of_a_python_program_is_its_function() -> None:
    for error in errors_of_python():
        diagnostic = error.diagnostic
        assert diagnostic.title == "wmma does not apply to `python_product`"
        assert diagnostic.file.endswith("test_failure_places.py")
        (label,) = diagnostic.labels
        assert diagnostic.source[label.start : label.end] == "def python_product"


def test_compile_shows_the_place_in_a_text() -> None:
    program = rise.parse(PROGRAMS["a product of f32"], "bad.rise")
    with pytest.raises(rise.RiseError, match=r"--> bad.rise:1:\d+"):
        shine.compile(program, target="cuda-sim", strategy="strategies.tensor_core:wmma")


SCATTERED: Final = """\
val main = fun(is: N.idx[M], js: M.idx[M], xs: N.f32 =>
  xs |> scatter(is |> map(fun(i => idx(i, js)))))
"""


def test_a_part_that_cannot_be_translated_shows_its_place() -> None:
    program = rise.parse(SCATTERED, "bad.rise")
    with pytest.raises(rise.RiseError, match="not-distinct") as caught:
        shine.compile(program, target="interpret")
    diagnostic = caught.value.diagnostic
    (label,) = diagnostic.labels
    assert "--> bad.rise:2:" in str(caught.value)
    assert program.text[label.start : label.end].startswith("xs |> scatter(")


def test_a_program_at_fixed_sizes_has_fewer_parameters() -> None:
    program = rise.parse(PROGRAMS["a product of f32"])
    assert parameters_of(program.main) == 3
    assert parameters_of(rise.specialise(program.main, K=24)) == 2
