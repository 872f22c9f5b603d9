"""Kernels that strategies derive: programs, strategies, the sizes to run them at, and the results by numpy.

All tests of derived kernels run on all entries in `make whole`. Independent of tests and kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import elevate
import rise
import strategies
from cases.answers import ANSWERS, Tree, product
from cases.bounds import exactly, wide
from cases.case_files import Numbers
from tests.examples import some

CASES: Final = Path(__file__).resolve().parents[2] / "cases"
WMMA: Final = "strategies.tensor_core:wmma"
MMA: Final = "strategies.tensor_core:mmaSync"
TENSOR_CORE: Final = "strategies.tensor_core:tensorCore"
TILES: Final = "strategies.gpu:productTiles"
ASYNCHRONOUS: Final = "strategies.parts.staging:asynchronousCopies"
PER_ELEMENT: Final = "strategies.gpu:onePerElement"


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A kernel to derive from `program`: the name of a case, or of a text below.

    It is run at `sizes`; if it `is_symbolic`, it is compiled once for all of them, otherwise for each. It is printed
    for `since` and later architectures. If it `is_exact`, its result on `digits`, which are integers, is exact. Its
    copies into shared memory may be asynchronous.
    """

    program: str
    strategy: str
    params: Mapping[str, Any]
    sizes: tuple[Numbers, ...]
    is_symbolic: bool = True
    since: str = "sm_75"
    kinds: tuple[str, ...] = ("digits", "random")
    is_exact: bool = True
    is_asynchronous: bool = False

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.params.items())
        how = f"{self.strategy.partition(':')[2]}({given}){' asynchronous' if self.is_asynchronous else ''}"
        return f"{self.program} {how} {'symbolic' if self.is_symbolic else 'fixed'}"

    @property
    def answer(self) -> Callable[..., Tree]:
        """The result by numpy."""
        return TEXTS[self.program][1] if self.program in TEXTS else ANSWERS[self.program]


def at(**sizes: int) -> Numbers:
    """Sizes by name."""
    return tuple(sizes.items())


#: programs that are not cases: their texts, and what they compute
TEXTS: Final[Mapping[str, tuple[str, Callable[..., Tree]]]] = {
    "right transposed": (
        """val main = fun(a: M.K.f16, bt: N.K.f16 => a |> map(fun(row => bt |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))))""",
        product(lambda a, bt: a @ bt.T),
    ),
    "both transposed": (
        """val main = fun(at: K.M.f16, bt: N.K.f16 => transpose(at) |> map(fun(row => bt |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))))""",
        product(lambda at, bt: at.T @ bt.T),
    ),
    "batched": (
        """val main = fun(as: P.M.K.f16, bs: P.K.N.f16 => zip(as, bs) |> map(fun(a, b =>
        a |> map(fun(row => transpose(b) |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))))))""",
        product(lambda a, b: a @ b),
    ),
    "bytes": (
        """val main = fun(a: M.K.i8, bt: N.K.i8 => a |> map(fun(row => bt |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => cast{i32}(x) * cast{i32}(y))) |> reduce(add, 0))))))""",
        lambda a, bt: exactly(a.astype(np.int32) @ bt.T.astype(np.int32)),
    ),
    "doubles": (
        """val main = fun(a: M.K.f64, b: K.N.f64 => a |> map(fun(row => transpose(b) |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => x * y)) |> reduce(add, 0.0))))))""",
        product(lambda a, b: a @ b),
    ),
    "halves": (
        """val main = fun(at: K.M.f16, bt: N.K.f16 => transpose(at) |> map(fun(row => bt |> map(fun(column =>
        zip(row, column) |> map(fun(x, y => x * y)) |> reduce(add, 0.0))))))""",
        product(lambda at, bt: at.T @ bt.T),
    ),
    "offsets": (
        """val main = fun(a: M.K.f16, b: K.N.f16, offsets: M.f32 => zip(a, offsets) |> map(fun(row, offset =>
        transpose(b) |> map(fun(column => offset * 2.0 +
        (zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0)))))))""",
        lambda a, b, offsets: exactly(wide(a) @ wide(b) + 2 * wide(offsets)[:, None]),
    ),
    "linear": (
        """val main = fun(a: M.K.f16, b: K.N.f16, bias: N.f16, c: M.N.f16 => zip(a, c) |> map(fun(row, old =>
        zip(transpose(b), zip(bias, old)) |> map(fun(column, more => snd(more) +
        cast{f16}(max(0.0, cast{f32}(fst(more)) +
        (zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0)))))))))""",
        lambda a, b, bias, c: exactly(np.maximum(wide(a) @ wide(b) + wide(bias), 0) + wide(c)),
    ),
    "rectified": (
        """val main = fun(scale: f32, a: M.K.f16, b: K.N.f16 =>
        a |> map(fun(row => transpose(b) |> map(fun(column => max(0.0,
        scale * (zip(row, column) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))))))""",
        lambda scale, a, b: exactly(np.maximum(wide(scale) * (wide(a) @ wide(b)), 0)),
    ),
}
#: four warps with one fragment each; two warps with two fragments each, which copy rows in another way
TILINGS: Final[tuple[Mapping[str, int], ...]] = (
    {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16},
    {"rows": 16, "columns": 64, "depth": 32, "warp_rows": 16, "warp_columns": 32, "vector": 4, "room": 16},
)
#: fragments that are not square, and copies of single numbers
WIDE: Final = {
    "rows": 16,
    "columns": 64,
    "depth": 16,
    "warp_rows": 8,
    "warp_columns": 32,
    "m": 8,
    "n": 32,
    "vector": 1,
    "room": 0,
}
TALL: Final = {"rows": 64, "columns": 16, "depth": 16, "warp_rows": 32, "warp_columns": 8, "m": 32, "n": 8}


def products(program: str, since: str = "sm_75", **more: int) -> Iterator[Entry]:
    """A product of half-precision matrices in two tilings: one for any size, one for fixed sizes."""
    for tile, is_symbolic in zip(TILINGS, (True, False), strict=True):
        rows, columns, depth = tile["rows"], tile["columns"], tile["depth"]
        sizes = [at(M=2 * rows, N=2 * columns, K=2 * depth, **more)]
        if is_symbolic:
            sizes += [at(M=rows, N=3 * columns, K=depth, **more), at(M=rows, N=columns, K=3 * depth, **more)]
        yield Entry(program, WMMA, tile, tuple(sizes), is_symbolic, since)


#: sizes that are not multiples of the tiles
EDGES: Final = (at(M=40, N=50, K=40), at(M=70, N=3, K=0), at(M=5, N=33, K=17))


def tiles(program: str, **more: int) -> Iterator[Entry]:
    """A product of matrices in tiles of threads: with partial tiles, and with sizes that are multiples of the tiles."""
    small = {"rows": 16, "columns": 32, "depth": 8}
    yield Entry(program, TILES, small, tuple(at(**dict(one), **more) for one in EDGES))
    wide = {
        "rows": 32,
        "columns": 16,
        "depth": 4,
        "thread_rows": 4,
        "thread_columns": 2,
        "vector": 4,
        "room": 4,
        "edges": 0,
    }
    yield Entry(program, TILES, wide, (at(M=64, N=32, K=12, **more),), is_symbolic=False)


#: products by `mma.sync`: each order of the factors, epilogues, types, and sizes that are not multiples of the tiles
FOUR: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16}
TWO: Final = {"rows": 16, "columns": 64, "depth": 32, "warp_rows": 16, "warp_columns": 32, "room": 16}
#: factors of f32, rounded to tf32
ROUNDED: Final = FOUR | {"m": 16, "n": 8, "k": 8, "vector": 4, "tf32": 1}
SYNCHRONOUS: Final = (
    Entry("gemm", MMA, FOUR, (at(M=64, N=32, K=32), at(M=32, N=96, K=16)), since="sm_80"),
    Entry("gemm_bias", MMA, TWO | {"k": 8}, (at(M=32, N=64, K=64),), is_symbolic=False),
    Entry("rectified", MMA, FOUR, (at(M=32, N=32, K=48),), since="sm_80", kinds=("digits",)),
    Entry("offsets", MMA, FOUR, (at(M=64, N=32, K=32),), since="sm_80", kinds=("digits",)),
    Entry("offsets", WMMA, FOUR, (at(M=64, N=32, K=32),), kinds=("digits",)),
    Entry("linear", MMA, FOUR | {"edges": 1}, (at(M=40, N=41, K=24),), since="sm_80", kinds=("digits",)),
    Entry("linear", WMMA, FOUR, (at(M=64, N=32, K=32),), kinds=("digits",)),
    Entry("gemm_f32", MMA, ROUNDED, (at(M=64, N=32, K=32),), since="sm_80", kinds=("digits",)),
    Entry("mm", WMMA, ROUNDED | {"n": 16}, (at(M=32, N=32, K=32),), since="sm_80", kinds=("digits",)),
    Entry("gemm_left_transposed", MMA, FOUR, (at(M=64, N=32, K=32),), is_symbolic=False, since="sm_80"),
    Entry("right transposed", MMA, TWO, (at(M=16, N=128, K=64),), is_symbolic=False, since="sm_80"),
    Entry("halves", MMA, FOUR, (at(M=32, N=32, K=32),), since="sm_80", kinds=("digits",)),
    Entry("gemm_bf16", MMA, FOUR, (at(M=32, N=32, K=32),), is_symbolic=False, since="sm_80"),
    Entry("bytes", MMA, TWO | {"k": 32}, (at(M=16, N=64, K=64),), since="sm_80", kinds=("digits",)),
    # with a warp's tile of 16 x 16, ptxas spills registers on sm_90, though it uses only 64
    Entry(
        "doubles",
        MMA,
        FOUR | {"k": 4, "vector": 2, "room": 8, "warp_columns": 32},
        (at(M=32, N=32, K=32),),
        since="sm_90",
    ),
    Entry("both transposed", MMA, TWO, (at(M=32, N=64, K=64),), is_symbolic=False, since="sm_80"),
    Entry(
        "batched",
        MMA,
        FOUR | {"edges": 1},
        (at(P=2, M=17, N=41, K=40), at(P=1, M=5, N=3, K=0)),
        since="sm_80",
    ),
)
#: fragments of WMMA of other types: accumulators of the factors' type, and of 64 bits
WHOLE: Final = (
    Entry("bytes", WMMA, FOUR | {"room": 16}, (at(M=32, N=32, K=32),), kinds=("digits",)),
    Entry("halves", WMMA, FOUR, (at(M=32, N=32, K=32),), kinds=("digits",)),
    Entry(
        "doubles", WMMA, FOUR | {"m": 8, "n": 8, "k": 4, "vector": 2}, (at(M=32, N=32, K=32),), since="sm_80"
    ),
)

ENTRIES: Final[tuple[Entry, ...]] = (
    *products("gemm"),
    *products("gemm_plain"),
    *products("gemm_bias"),
    *products("gemm_alpha"),
    *products("gemm_left_transposed"),
    *products("right transposed"),
    *products("both transposed"),
    *products("gemm_bf16", since="sm_80"),
    *products("batched", P=2),
    Entry("gemm", WMMA, WIDE, (at(M=32, N=64, K=32),)),
    Entry("right transposed", WMMA, TALL, (at(M=64, N=32, K=48),)),
    Entry("gemm", TENSOR_CORE, {}, (at(M=32, N=16, K=32), at(M=16, N=48, K=16))),
    Entry("gemm_bias", TENSOR_CORE, {"rows": 8, "columns": 32}, (at(M=16, N=32, K=32),), is_symbolic=False),
    *(Entry(one, WMMA, TILINGS[0] | {"edges": 1}, EDGES) for one in ("gemm", "right transposed")),
    Entry("batched", WMMA, TILINGS[1] | {"edges": 1}, (at(P=2, M=17, N=70, K=40), at(P=3, M=33, N=5, K=0))),
    *SYNCHRONOUS,
    *WHOLE,
    *tiles("mm"),
    *tiles("mm_left_transposed"),
    *tiles("mm_right_transposed"),
    *tiles("mm_both_transposed"),
    *tiles("gemm_f32"),
    *tiles("gemm_bias"),
    *tiles("batched_mm", P=2),
    Entry("mm", TILES, {"rows": 12, "columns": 20, "depth": 12}, (at(M=24, N=20, K=12), at(M=13, N=7, K=30))),
    Entry(
        "mm", TILES, {"rows": 16, "columns": 32, "depth": 8, "vector": 1, "room": 3}, (at(M=20, N=33, K=9),)
    ),
    Entry("jacobi", "strategies.stencils:tileStencil", {}, (at(M=40, N=70),), is_exact=False),
    Entry("softmax", PER_ELEMENT, {}, (at(M=3, N=70), at(M=2, N=1)), is_exact=False),
    Entry("matrix_chain", PER_ELEMENT, {}, (at(M=5, K=4, L=6, N=50),)),
    Entry("attention", PER_ELEMENT, {}, (at(M=3, D=4, N=40, E=5),), is_symbolic=False, is_exact=False),
)
#: those that `make test` runs: each kind of program, tiling, strategy and size, but not each combination. Tests share
#: them, since deriving one takes longer than running it.
TRIED: Final = tuple(some(ENTRIES, 3))


def copying(program: str, strategy: str, params: Mapping[str, int], *sizes: Numbers, **more: Any) -> Entry:
    """A kernel whose copies into shared memory are asynchronous."""
    return Entry(program, strategy, params, sizes, is_asynchronous=True, **more)


#: vectors of 16 and of 8 bytes, alternating; partial rows, padded with zeros; one warp; single numbers, for any size
COPYING: Final = (
    copying("gemm", WMMA, TILINGS[0], at(M=64, N=64, K=32), at(M=32, N=96, K=48)),
    copying("right transposed", WMMA, TILINGS[1], at(M=32, N=128, K=64), is_symbolic=False),
    copying("batched", WMMA, TILINGS[0] | {"edges": 1}, at(P=2, M=40, N=48, K=24), is_symbolic=False),
    copying("mm", TILES, {"rows": 16, "columns": 32, "depth": 8}, at(M=50, N=52, K=20), is_symbolic=False),
    copying(
        "mm_left_transposed",
        TILES,
        {"rows": 32, "columns": 32, "depth": 8, "vector": 2, "edges": 0},
        at(M=64, N=32, K=16),
        is_symbolic=False,
    ),
    copying("jacobi", "strategies.stencils:tileStencil", {}, at(M=40, N=70), is_exact=False),
)


@cache
def program(name: str) -> rise.Expr:
    """A program with symbolic sizes."""
    text = TEXTS[name][0] if name in TEXTS else (CASES / f"{name}.rise").read_text(encoding="utf-8")
    return rise.parse(text, name).main


def derive(entry: Entry) -> rise.Expr:
    """The low-level program that an entry's strategy derives, with symbolic sizes."""
    strategy = strategies.load(entry.strategy, **entry.params)
    if entry.is_asynchronous:
        strategy = strategy >> strategies.load(ASYNCHRONOUS)
    result = strategy(program(entry.program))
    assert isinstance(result, elevate.Success), f"{entry}:\n{result.explain()}"
    low: rise.Expr = result.program
    return low
