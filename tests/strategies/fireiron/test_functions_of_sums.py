"""Functions of sums, such as `max(x, 0.0)`, are computed by the units that hold the sums, in tiles after an epilog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from examples.fireiron.listings import listing1, listing2, listing4, listing5
from strategies.fireiron import (
    FR,
    RF,
    SH,
    A,
    B,
    Block,
    Chain,
    Lane,
    MatMul,
    Move,
    Reduce,
    Schedule,
    Strided,
    Thread,
    Warp,
)
from tests.examples import in_whole, some

Numpy = Callable[..., Any]
SUM: Final = "zip(row, column) |> map(mul) |> reduce(add, 0.0)"
WIDE: Final = (
    "zip(row, column) |> map(fun(ab => cast{f32}(fst(ab)) * cast{f32}(snd(ab)))) |> reduce(add, 0.0)"
)
PRODUCT: Final = (
    "fun(a: M.K.{t}, b: K.N.{t} => a |> map(fun(row => transpose(b) |> map(fun(column => {function})))))"
)


def product(function: str, t: str = "f32") -> str:
    """A product whose sums a function takes."""
    return PRODUCT.format(t=t, function=function)


PLAIN: Final = (product(SUM), np.matmul)
POSITIVE: Final = (product(f"max({SUM}, 0.0)"), lambda a, b: np.maximum(a @ b, 0))
#: the function of a map that is not written out
TWICE: Final = (product(f"2.0 * ({SUM})"), lambda a, b: 2 * (a @ b))
NARROW: Final = (product(f"cast{{f16}}({SUM})"), np.matmul)
OF_COLUMNS: Final = (
    "fun(a: M.K.f32, b: K.N.f32, c: N.f32 => a |> map(fun(row => zip(transpose(b), c) |> map(fun(both =>"
    f" fun(column => {SUM})(fst(both)) + snd(both))))))",
    lambda a, b, c: a @ b + c,
)
OF_ROWS: Final = (
    "fun(a: M.K.f32, b: K.N.f32, c: M.f32 => zip(a, c) |> map(fun(both => transpose(b) |> map(fun(column =>"
    f" fun(row => {SUM})(fst(both)) + snd(both))))))",
    lambda a, b, c: a @ b + c[:, None],
)
WITH_MATRIX: Final = (
    "fun(alpha: f32, beta: f32, a: M.K.f32, b: K.N.f32, c: M.N.f32 => zip(a, c) |> map(fun(ac =>"
    " zip(transpose(b), snd(ac)) |> map(fun(bc => fun(row => fun(column =>"
    f" alpha * ({SUM}) + beta * snd(bc)))(fst(ac))(fst(bc)))))))",
    lambda alpha, beta, a, b, c: alpha * (a @ b) + beta * c,
)
#: a product that is zipped with other arrays
NAMED: Final = """val product = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
  zip(row, column) |> map(mul) |> reduce(add, 0.0))))))
val main = fun(a: M.K.f32, b: K.N.f32, c: {t} => {sums} |> map(fun(row =>
  zip({row}) |> map(fun(p => fst(p) + snd(p))))))"""
ZIPPED_ROWS: Final = (
    NAMED.format(t="N.f32", sums="product(a, b)", row="row, c"),
    lambda a, b, c: a @ b + c,
)
ZIPPED_MATRIX: Final = (
    NAMED.format(t="M.N.f32", sums="zip(product(a, b), c)", row="fst(row), snd(row)"),
    lambda a, b, c: a @ b + c,
)
HALF: Final = (product(f"max({WIDE}, 0.0)", "f16"), lambda a, b: np.maximum(a @ b, 0))
HALF_OF_COLUMNS: Final = (
    "fun(a: M.K.f16, b: K.N.f16, c: N.f32 => a |> map(fun(row => zip(transpose(b), c) |> map(fun(both =>"
    f" max(fun(column => {WIDE})(fst(both)) + snd(both), 0.0))))))",
    lambda a, b, c: np.maximum(a @ b + c, 0),
)
HALF_OF_COLUMN_MAJOR: Final = (
    "fun(a: K.M.f16, b: K.N.f16 => transpose(a) |> map(fun(row => transpose(b) |> map(fun(column =>"
    " max(zip(row, column) |> map(mul) |> reduce(add, 0.0), 0.0))))))",
    lambda a, b: np.maximum(a.T @ b, 0),
)
OF_REDUCTION: Final = (
    "fun(xs: M.K.f32 => xs |> map(fun(row => 2.0 * reduce(add, 0.0, row))))",
    lambda xs: 2 * xs.sum(1),
)


def finished(store: Schedule | None = None, tile: Schedule | None = None) -> Schedule:
    """A schedule of blocks of 4 x 4 threads with 4 x 4 sums each, in the tiles of a move."""
    loop = MatMul.tile(16, 16).to(Block).epilog(RF, store=store).split(4).load(A, SH).load(B, SH)
    for step in (tile or HELD).steps:
        loop = loop.then(step)
    return finished_by(loop)


def finished_by(loop: Schedule) -> Schedule:
    """The last steps of a schedule, in a loop over products."""
    return loop.split(1).load(A, RF).load(B, RF).tile(1, 1).done


HELD: Final = Move.tile(4, 4).to(Thread)
STRIDED: Final = Move.tile(Strided((2, 8), (2, 8))).to(Thread)
SWIZZLED: Final = Move.tile(4, 4).to(Thread).swizzle(2, 0, 1, 3)
LANES: Final = Move.tile(16, 8).to(Warp).tile(4, 4).to(Lane)
MMA: Final = MatMul.tile(32, 32).to(Block).epilog(FR).split(32).load(A, SH).load(B, SH).tile(32, 16).to(Warp)
STAGED_MMA: Final = (
    (MatMul.tile(32, 32).to(Block).epilog(FR, store=Move.stage(SH)).split(32).load(A, SH).load(B, SH))
    .tile(32, 16)
    .to(Warp)
)
ROWS: Final = (
    Reduce.tile(32).to(Block).epilog(RF).split(16).load(A, SH).pad(1).tile(4).to(Thread).tile(1).done
)
SMALL: Final = {"M": 32, "N": 48, "K": 16}
LARGE: Final = {"M": 128, "N": 128, "K": 32}


def of_factors(function: str, parameters: str = "a: M.K.f32, b: K.N.f32") -> str:
    """A product whose products are a function of a pair `ab`."""
    return (
        f"fun({parameters} => a |> map(fun(row => transpose(b) |> map(fun(column =>"
        f" zip(row, column) |> map(fun(ab => {function})) |> reduce(add, 0.0))))))"
    )


#: programs whose factors are computed from numbers of arrays and from other numbers
FACTORS: Final[dict[str, tuple[str, Numpy]]] = {
    "a constant": (of_factors("2.0 * fst(ab) * snd(ab)"), lambda a, b: 2 * (a @ b)),
    "a constant behind both": (of_factors("fst(ab) * snd(ab) * 2.0"), lambda a, b: 2 * (a @ b)),
    "a constant before both": (of_factors("2.0 * (fst(ab) * snd(ab))"), lambda a, b: 2 * (a @ b)),
    "a sum": (of_factors("(fst(ab) + 1.0) * snd(ab)"), lambda a, b: (a + 1) @ b),
    "a square": (of_factors("fst(ab) * fst(ab) * snd(ab)"), lambda a, b: (a * a) @ b),
    "a number that is given": (
        of_factors("alpha * fst(ab) * snd(ab)", "alpha: f32, a: M.K.f32, b: K.N.f32"),
        lambda alpha, a, b: alpha * (a @ b),
    ),
}


@pytest.mark.parametrize("name", some(FACTORS, 3))
def test_factors_are_loaded_from_the_arrays_that_they_are_computed_from(name: str, cache: Path) -> None:
    text, expected = FACTORS[name]
    kernel = assert_computes(finished(), text, expected, SMALL, cache)
    assert "a_tile" in kernel.source and "b_tile" in kernel.source


CASES: Final[dict[str, tuple[Schedule, tuple[str, Numpy], dict[str, int], str]]] = {
    "tiles of threads": (finished(), POSITIVE, SMALL, ""),
    "a function that is not written out": (finished(), TWICE, SMALL, ""),
    "another type": (finished(), NARROW, SMALL, ""),
    "a number for each column": (finished(), OF_COLUMNS, SMALL, ""),
    "a number for each row": (finished(tile=LANES), OF_ROWS, SMALL, ""),
    "a matrix": (finished(), WITH_MATRIX, SMALL, ""),
    "a product that is zipped with rows": (finished(), ZIPPED_ROWS, SMALL, ""),
    "a product that is zipped with a matrix": (finished(), ZIPPED_MATRIX, SMALL, ""),
    "a move of the sums": (finished(HELD), POSITIVE, SMALL, ""),
    "vectors": (
        finished(HELD.tile(1, 4).vector),
        WITH_MATRIX,
        SMALL,
        "*reinterpret_cast<vec<float, 4>*>(&out",
    ),
    "staged vectors": (finished(Move.stage(SH, HELD.tile(1, 2).vector)), POSITIVE, SMALL, "vec<float, 2>"),
    "staged sums": (finished(Move.stage(SH)), OF_COLUMNS, SMALL, "__shared__"),
    "strides": (finished(tile=STRIDED), WITH_MATRIX, SMALL, ""),
    "strides, and a move": (finished(STRIDED.tile(1, 2).vector, STRIDED), OF_COLUMNS, SMALL, "vec<float, 2>"),
    "units in another order": (finished(tile=SWIZZLED), POSITIVE, SMALL, ""),
    "units in another order, and a number for each column": (finished(tile=SWIZZLED), OF_COLUMNS, SMALL, ""),
    "units in another order, and a number for each row": (finished(tile=SWIZZLED), OF_ROWS, SMALL, ""),
    "fragments": (MMA.mmaTile.done, HALF, SMALL | {"N": 32, "K": 32}, "mma_sync"),
    "fragments and a number for each column": (
        STAGED_MMA.mmaTile.done,
        HALF_OF_COLUMNS,
        SMALL | {"N": 32, "K": 32},
        "",
    ),
    "rows": (ROWS, OF_REDUCTION, {"M": 64, "K": 32}, ""),
    "tiles before the split": (
        finished_by(MatMul.tile(16, 16).to(Block).epilog(RF).tile(4, 4).to(Thread).split(4)),
        WITH_MATRIX,
        SMALL,
        "",
    ),
    "tiles before the split, and moves": (
        finished_by(
            MatMul.tile(16, 16).to(Block).epilog(RF, init=HELD, store=HELD).tile(4, 4).to(Thread).split(4)
        ),
        PLAIN,
        SMALL,
        "",
    ),
    "tiles before the split, and vectors": (
        finished_by(
            MatMul.tile(16, 16)
            .to(Block)
            .epilog(RF, store=HELD.tile(1, 4).vector)
            .tile(4, 4)
            .to(Thread)
            .split(4)
        ),
        WITH_MATRIX,
        SMALL,
        "*reinterpret_cast<vec<float, 4>*>(&out",
    ),
    "tiles before the split and behind it": (
        finished_by(
            (MatMul.tile(16, 16).to(Block).epilog(RF, init=LANES, store=LANES.tile(1, 2).vector))
            .tile(16, 8)
            .to(Warp)
            .split(4)
            .load(A, SH)
            .load(B, SH)
            .tile(4, 4)
            .to(Lane)
        ),
        OF_ROWS,
        SMALL,
        "*reinterpret_cast<vec<float, 2>*>(&out",
    ),
    "a copy of rows before the epilog": (
        Reduce("M", 16).tile(8).to(Block).load(A, SH).epilog(RF).split(4).tile(2).to(Thread).tile(1).done,
        (OF_REDUCTION[0].replace("K", "16"), OF_REDUCTION[1]),
        {"M": 64},
        "",
    ),
    "listing 1": (listing1, (TWICE[0].replace("K", "8"), TWICE[1]), {"M": 128, "N": 128}, ""),
    "listing 2": (listing2, OF_COLUMNS, LARGE, ""),
    "listing 4": (listing4, HALF_OF_COLUMN_MAJOR, LARGE, "vec<__half, 4>"),
    "listing 5": (listing5(), HALF, LARGE, "mma_sync"),
}


CHAIN: Final = """val product = fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>
  zip(row, column) |> map(mul) |> reduce(add, 0.0))))))
val main = fun(a: M.K.f32, b: K.L.f32, c: L.N.f32 => let hidden = product(a, b) in
  map(map(fun(x => max(x, 1.0))), product(map(map(fun(x => max(x, 0.0))), hidden), c)))"""


@in_whole("test_a_function_of_sums_is_computed_in_tiles")
@pytest.mark.parametrize("store", some([None, Move.stage(SH)], 2))
def test_a_function_of_a_chain_is_computed_in_tiles(store: Schedule | None, cache: Path) -> None:
    part = MatMul(16, 8, "K").by(Block).epilog(RF).split(4).load(A, SH).tile(4, 2).to(Thread).tile(1, 1).done
    chain = Chain.tile(16, 16).to(Block).epilog(RF, store=store).split(8).load("C", SH).first(SH, part)
    chain = chain.tile(4, 4).to(Thread).split(1).load(A, RF).load(B, RF).tile(1, 1).done
    sizes = {"M": 32, "N": 48, "K": 12, "L": 16}
    assert_computes(chain, CHAIN, lambda a, b, c: np.maximum(np.maximum(a @ b, 0) @ c, 1), sizes, cache)


@pytest.mark.parametrize("name", some(CASES, 5))
def test_a_function_of_sums_is_computed_in_tiles(name: str, cache: Path) -> None:
    schedule, (text, expected), sizes, words = CASES[name]
    assert words in assert_computes(schedule, text, expected, sizes, cache).source


def assert_computes(
    schedule: Schedule, text: str, expected: Numpy, sizes: dict[str, int], cache: Path
) -> shine.Kernel:
    """Assert that the kernel of a schedule computes what numpy computes from small integers."""
    result = schedule.strategy()(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    program = rise.specialise(result.program, **sizes)
    kernel = shine.compile(program, target="cuda-sim", check=True, cache=str(cache))
    random = np.random.default_rng(0)
    arrays = [random.integers(-3, 4, one.shape).astype(one.dtype) for one in empty_inputs(kernel)]
    np.testing.assert_array_equal(kernel(*arrays), expected(*(one.astype(np.float32) for one in arrays)))
    return kernel


def empty_inputs(kernel: shine.Kernel) -> list[np.ndarray[Any, Any]]:
    """Arrays of the shapes and types of a kernel's inputs."""
    found = []
    for one in kernel.procedure.inputs:
        t: Any = one.type
        shape = []
        while hasattr(t, "element"):
            shape.append(t.size.constant)
            t = t.element
        found.append(np.empty(shape, {"f16": np.float16, "f32": np.float32}[str(t)]))
    return found
