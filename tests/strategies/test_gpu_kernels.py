"""The default strategy of GPUs lowers each stored value separately: the number of kernels, and the results."""

import numpy as np
import pytest

import rise
import shine
import strategies
from cases.idioms import IDIOMS, ON_GPUS
from elevate import Success, run
from rise.nodes import postorder
from rise.terms import App, Expr, Primitive
from shine.imperative.kernels import GpuProgram
from shine.passes.record import run_passes
from shine.translate import translate
from strategies.gpu_kernels import isViewOfRows, storedApart
from strategies.parts.launchable import (
    fitsShared,
    keepsOwn,
    keepsWithinBlocks,
    startsOnGrid,
    startsOutsideOfLoops,
    storesLoops,
)
from strategies.rules.gpu_kernels import size_in_bytes
from tests.examples import THOROUGH, in_whole, some

DEFAULT = "strategies.gpu:blocksAndThreads"
#: programs that were rejected before values were lowered separately, and similar ones
FIRST = ("row_softmax", "attention", "jacobi_steps", "named_windows", "cosines", "generated_from_sums")


def lowered(main: Expr) -> Expr:
    result = strategies.load(DEFAULT)(main)
    assert isinstance(result, Success), result.explain()
    return result.program


@pytest.mark.parametrize("name", some(list(ON_GPUS) if THOROUGH else FIRST, 2))
def test_first_programs_run(name: str) -> None:
    idiom = ON_GPUS[name]
    program = idiom.program()
    kernel = shine.compile(lowered(program.main), target="cuda-sim", check=True, schedule="random:1")
    keys = list(idiom.tiny)
    several = {key: 33 + number for number, key in enumerate(keys)}
    for sizes in (idiom.tiny, dict.fromkeys(keys, 1), *([several] if THOROUGH else ())):
        arguments = idiom.arguments(program, sizes)
        assert idiom.wrong(kernel(*arguments), idiom.reference(arguments)) == []


@pytest.mark.parametrize("name", some(list(ON_GPUS) if THOROUGH else some(list(ON_GPUS), 6), 2))
def test_lowered_programs_can_be_translated(name: str) -> None:
    """The predicates that select kernels agree with the translation."""
    assert_translated(lowered(ON_GPUS[name].program().main))


def assert_translated(low: Expr) -> None:
    target = shine.TARGETS["cuda"]
    procedure = translate(low, "kernel", target.levels)
    settings = target.settle(target.complete({"arch": "sm_80"}))
    assert isinstance(run_passes(target.passes, procedure, settings), GpuProgram)


@pytest.mark.parametrize("name", ["row_softmax", "layer_norm", "rms_norm", "row_normalise"])
def test_rows_are_one_kernel(name: str) -> None:
    """All that is computed from a row is in one loop, in either notation, and no array is stored in global memory."""
    text = rise.show(lowered(ON_GPUS[name].program().main))
    assert text.count("mapBlock") == 1 and "toMem(Global)" not in text


def test_both_products_of_attention_are_in_tiles() -> None:
    text = rise.show(lowered(ON_GPUS["attention"].program().main))
    assert text.count("fma") == 2


def test_a_factor_with_rows_and_columns_has_no_tile() -> None:
    """A tile of such a matrix for each vector of the batch does not fit into shared memory; it was once rejected."""
    program = rise.parse("""
    val main = fun(a: B.M.N.f32, x: B.N.f32 => zip(a, x) |> map(fun(p => fst(p) |> map(fun(row =>
      zip(row, snd(p)) |> map(mul) |> reduce(add, 0.0))))))
    """)
    low = lowered(program.main)
    assert_translated(low)
    shared = [node for node in postorder(low) if isinstance(node, App) and node.root == ("toMem", 1)]
    assert all(size_in_bytes(node.type) for node in shared)


def test_steps_run_on_the_threads_of_one_block() -> None:
    """Blocks cannot wait for each other."""
    text = rise.show(lowered(ON_GPUS["jacobi_steps"].program().main))
    assert "mapThreads" in text and "mapBlock" not in text and "mapGlobal" not in text


@pytest.mark.parametrize("name", some(["ludcmp", "nussinov"], 2))
def test_nested_steps_can_be_translated(name: str) -> None:
    """Threads of one block would have to wait for each other where only some of them run."""
    assert_translated(lowered(IDIOMS[name].program().main))


def main_of(text: str) -> Expr:
    return rise.parse(text).main


@pytest.mark.parametrize(
    ("holds", "text", "expected"),
    [
        (storesLoops, "fun(xs: N.f32 => xs |> mapGlobal(0, exp) |> mapGlobal(0, exp))", False),
        (
            storesLoops,
            "fun(xs: N.f32 => xs |> mapGlobal(0, exp) |> toMem(Global) |> mapGlobal(0, exp))",
            True,
        ),
        (storesLoops, "fun(is: N.idx[N], xs: N.f32 => scatter(is, xs |> mapGlobal(0, exp)))", True),
        (storesLoops, "fun(is: N.idx[N], xs: N.f32 => scatter(is |> mapGlobal(0, fun(i => i)), xs))", False),
        (storesLoops, "fun(xs: 4.N.f32 => xs |> mapBlock(0, mapThreads(0, exp)) |> join)", True),
        (
            startsOutsideOfLoops,
            "fun(xs: 4.f32 => [0..3) |> reduceSeq(fun(ys, i => ys |> mapGlobal(0, exp)), xs))",
            False,
        ),
        (
            startsOutsideOfLoops,
            "fun(xs: 4.f32 => [0..3) |> reduceSeq(fun(ys, i => ys |> mapThreads(0, exp)), xs))",
            True,
        ),
        (startsOnGrid, "fun(xs: 4.f32 => xs |> mapThreads(0, exp))", False),
        (startsOnGrid, "fun(xs: 4.4.f32 => xs |> mapBlock(0, mapThreads(0, exp)))", True),
        (
            keepsOwn,
            "fun(xs: 4.4.f32 => xs |> mapBlock(0, fun(x => x |> mapThreads(0, exp) |> toMem(Local))))",
            False,
        ),
        (
            keepsOwn,
            "fun(xs: 4.4.f32 => xs |> mapThreads(0, fun(x => x |> mapSeq(exp) |> toMem(Local))))",
            True,
        ),
        (fitsShared, "fun(xs: 4.16385.f32 => xs |> mapBlock(0, mapThreads(0, exp) >> toMem(Shared)))", False),
        (fitsShared, "fun(xs: 4.16384.f32 => xs |> mapBlock(0, mapThreads(0, exp) >> toMem(Shared)))", True),
        (
            keepsWithinBlocks,
            "fun(xs: 4.4.f32 => xs |> mapBlock(0, fun(x => x |> mapBlock(1, exp) |> toMem(Local))))",
            False,
        ),
        (
            keepsWithinBlocks,
            "fun(xs: 4.4.f32 => xs |> mapBlock(0, fun(x => x |> mapThreads(0, exp) |> toMem(Local))))",
            True,
        ),
    ],
)
def test_which_programs_can_be_translated(holds: object, text: str, expected: bool) -> None:
    assert callable(holds) and holds(main_of(text)) is expected


def test_a_matrix_product_and_its_rows_are_separate_kernels() -> None:
    """Tiles only compute a product; what a factor is computed from is stored."""
    found = storedApart(ON_GPUS["cosines"].program().main)
    assert isinstance(found, Success)
    stored = [
        node for node in postorder(found.program) if isinstance(node, Primitive) and node.name == "toMem"
    ]
    assert stored


@in_whole("test_first_programs_run")
def test_products_scaled_by_sums_of_columns_can_be_compiled() -> None:
    """Blocks of one product share no memory for the sums, so these are not computed in its tiles."""
    program = rise.parse("""
    val main = fun(a: B.M.K.f32, b: B.K.N.f32 =>
      zip(
        zip(a, b) |> map(fun(ab => fst(ab) |> map(fun(row => transpose(snd(ab)) |> map(fun(column =>
          zip(row, column) |> map(mul) |> reduce(add, 0.0))))))),
        b
        |> map(fun(m => m |> map(map(abs)) |> transpose |> map(reduce(add, 0.0))))
        |> map(fun(sums => generate(fun(i: idx[1] => sums))))
        |> map(map(map(add(1.0)))))
      |> map(fun(p => fst(p) |> map(fun(row => zip(row, snd(p) |> idx(0)) |> map(fun(q =>
        fst(q) * snd(q))))))))
    """).main
    kernel = shine.compile(lowered(program), target="cuda-sim", check=True, schedule="random:1")
    a, b = np.arange(30.0, dtype="f").reshape(2, 5, 3), np.arange(24.0, dtype="f").reshape(2, 3, 4)
    assert (kernel(a, b) == (a @ b) * (1 + abs(b).sum(axis=1, keepdims=True))).all()


@pytest.mark.parametrize("loop", ["map", "mapSeq"])
def test_a_named_value_is_not_named_again(loop: str) -> None:
    """What reads it is not lowered by a kernel of its own: it was once named endlessly."""
    program = main_of(f"""
      fun(p: (f32, i16), xs: 16.f32, ys: 2.f32 =>
        xs |> reduceSeq(fun(acc: 2.f32, x => ys), ys) |> {loop}(fun(x => p)) |> mapThreads(1, fst))
    """)
    assert isinstance(run(strategies.load(DEFAULT), program, fuel=200).result, Success)


@in_whole("test_first_programs_run")
def test_scatters_run_on_the_grid() -> None:
    program = rise.parse("""
    val main = fun(is: N.idx[N], xs: N.f32 =>
      let total = xs |> reduce(add, 0.0)
      in scatter(is, xs |> map(fun(x => x - total))) |> map(abs))
    """).main
    low = lowered(program)
    assert rise.show(low).count("mapGlobal") == 2
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule="random:1")
    order, xs = np.arange(40)[::-1].copy(), np.arange(40, dtype="f")
    assert (kernel(order, xs) == rise.evaluate(program, order, xs)).all()


def test_only_arrays_are_views_of_rows() -> None:
    """`pair` applied only to such rows, which is a function, was once named as if it were a view of them."""
    rows = "x |> map(fun(row => row |> map(exp) |> toMem(Local) |> map(sqrt)))"
    for text, views in ((f"pair({rows}, x)", 0), (f"pair(x, {rows})", 0), (f"{rows} |> transpose", 1)):
        nodes = postorder(main_of(f"fun(x: M.N.f32 => {text})"))
        found = [node for node in nodes if isinstance(node, Expr) and isViewOfRows(node)]
        assert len(found) == views
