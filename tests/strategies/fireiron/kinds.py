"""Schedules of computations other than products, each with a program, its sizes, and the same computation in numpy.

One subject: the cases, by kind.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

import rise
import shine
from elevate import Success
from rise.records import dataclass
from rise.terms import Expr
from strategies.fireiron import (
    CA,
    RF,
    SH,
    A,
    B,
    Block,
    ColMajor,
    Contract,
    Core,
    Lane,
    Map,
    MatMul,
    Move,
    Reduce,
    Schedule,
    Strided,
    Thread,
    Vector,
    Warp,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A schedule with a program, its sizes, and the same computation in numpy."""

    schedule: Schedule
    program: str
    sizes: tuple[dict[str, int], ...]
    expected: Callable[..., Any]
    words: tuple[str, ...] = ()
    target: str = "cuda-sim"


DIFFERENCE: Final = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(p => fst(p) - snd(p))))"
OF_ROWS: Final = (
    "fun(xs: M.N.f32, ys: N.f32 => xs |> map(fun(row => zip(row, ys) |> map(fun(p => fst(p) - snd(p))))))"
)
OF_COLUMNS: Final = (
    "fun(xs: M.N.f32, ys: M.f32 => zip(xs, ys) |> map(fun(p => fst(p) |> map(fun(x => x - snd(p))))))"
)
OUTER: Final = "fun(xs: M.f32, ys: N.f32 => xs |> map(fun(x => ys |> map(fun(y => x - y)))))"
TRANSPOSED: Final = "fun(xs: M.N.f32 => transpose(xs) |> map(map(fun(x => 2.0 * x))))"
SCALED: Final = (
    "fun(xs: N.f32, ys: N.f32, zs: N.f32 => zip(map(fun(x => x * x), xs), zip(ys, zs))"
    " |> map(fun(p => fst(p) - fst(snd(p)) * snd(snd(p)))))"
)
VECTORS: Final = ({"N": 256}, {"N": 768})
MATRICES: Final = ({"M": 32, "N": 64}, {"M": 64, "N": 192})

MAPS: Final = {
    "an array with itself": Case(
        Map.tile(64).to(Block).load(A, SH).tile(1).to(Thread).done,
        "fun(xs: N.f32 => zip(xs, xs) |> map(fun(p => fst(p) * snd(p))))",
        VECTORS,
        lambda xs: xs * xs,
        ("xs_tile",),
    ),
    "threads": Case(
        Map("n,n->n").tile(256).to(Block).tile(4).to(Thread).tile(1).unroll.done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("#pragma unroll", "threadIdx.x"),
    ),
    "lanes": Case(
        Map("n,n->n").tile(128).to(Block).tile(32).to(Warp).tile(1).to(Lane).done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("lane",),
    ),
    "copies of both operands": Case(
        Map("n,n->n").tile(128).to(Block).load(A, SH).load(B, SH)
        .tile(4).to(Thread).load(A, RF).load(B, RF).tile(1).unroll.done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("xs_tile[", "ys_tile[", "xs_registers[", "ys_registers["),
    ),
    "tiles of copies in registers": Case(
        Map("n,n->n").tile(32).to(Block).tile(4).to(Thread).load(B, RF).load(A, RF).tile(2).tile(1).done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("xs_registers[", "ys_registers["),
    ),
    "a third operand": Case(
        Map("n,n,n->n").tile(128).to(Block).load("C", SH).tile(1).to(Thread).done,
        SCALED,
        VECTORS,
        lambda x, y, z: x * x - y * z,
        ("zs_tile[",),
    ),
    "a row for all rows": Case(
        Map("ij,j->ij").tile(16, 64).to(Block).load(B, SH).tile(4, 4).to(Thread).load(B, RF).tile(1, 1).unroll.done,
        OF_ROWS,
        MATRICES,
        np.subtract,
        ("ys_tile[", "ys_registers["),
    ),
    "a number for each row": Case(
        Map("ij,i->ij").tile(16, 64).to(Block).load(A, SH).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done,
        OF_COLUMNS,
        MATRICES,
        lambda x, y: x - y[:, None],
        ("xs_tile[", "ys_tile["),
    ),
    "a row and a column": Case(
        Map("i,j->ij").tile(16, 64).to(Block).load(A, SH).tile(4, 4).to(Thread).layout(ColMajor).tile(1, 1).done,
        OUTER,
        MATRICES,
        np.subtract.outer,
        ("xs_tile[",),
    ),
    "tiles in strides": Case(
        Map("ij->ij", i=32, j=64).tile(16, 32).to(Block).tile(Strided((2, 8), (1, 8))).to(Thread).tile(1, 1).done,
        "fun(xs: 32.64.f32 => xs |> map(map(fun(x => 2.0 * x))))",
        ({},),
        lambda x: 2 * x,
    ),
    "units in another order": Case(
        Map("ij->ij", i=32, j=64).tile(16, 32).to(Block).tile(4, 8).to(Thread).swizzle(2, 0, 1, 3).tile(1, 1).done,
        "fun(xs: 32.64.f32 => xs |> map(map(fun(x => 2.0 * x))))",
        ({},),
        lambda x: 2 * x,
    ),
    "two numbers of one array": Case(
        Map("ij,ji->ij").tile(16, 16).to(Block).load(B, SH).pad(1).tile(1, 1).to(Thread).done,
        "fun(xs: N.N.f32 => zip(xs, transpose(xs)) |> map(fun(p => zip(fst(p), snd(p))"
        " |> map(fun(q => fst(q) - 2.0 * snd(q))))))",
        ({"N": 16}, {"N": 48}),
        lambda x: x - 2 * x.T,
        ("* 17",),
    ),
    "a matrix by columns": Case(
        Map("ij->ji").tile(32, 32).to(Block).load(A, SH).pad(1).tile(4, 1).to(Thread).tile(1, 1).unroll.done,
        TRANSPOSED,
        MATRICES,
        lambda x: 2 * x.T,
        ("* 33",),
    ),
    "a matrix by columns, moved in tiles": Case(
        Map("ij->ji").tile(32, 16).to(Block)
        .load(A, SH, Move.tile(4, 1).to(Thread).tile(1, 1).unroll).tile(4, 1).to(Thread).tile(1, 1).done,
        TRANSPOSED,
        MATRICES,
        lambda x: 2 * x.T,
    ),
    "a row for all rows of a batch": Case(
        Map("bij,j->bij").tile(16, 32).to(Block).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done,
        "fun(xs: L.M.N.f32, ys: N.f32 => xs |> map(fun(x => x |> map(fun(row =>"
        " zip(row, ys) |> map(fun(p => fst(p) - snd(p))))))))",
        ({"L": 3, "M": 32, "N": 64},),
        np.subtract,
        ("ys_tile[", "blockIdx.z"),
    ),
    "transposed matrices": Case(
        Map("bij->bji").tile(16, 32).to(Block).load(A, SH).pad(1).tile(4, 1).to(Thread).done,
        "fun(xs: L.M.N.f32 => xs |> map(fun(x => transpose(x) |> map(map(fun(y => 2.0 * y))))))",
        ({"L": 2, "M": 32, "N": 64},),
        lambda x: 2 * x.transpose(0, 2, 1),
        ("xs_tile[", "blockIdx.z"),
    ),
    "a transposition without a function": Case(
        Map("ij->ji").tile(32, 32).to(Block).load(A, SH).pad(1).tile(4, 1).to(Thread).tile(1, 1).unroll.done,
        "fun(xs: M.N.f32 => transpose(xs))",
        MATRICES,
        np.transpose,
        ("* 33",),
    ),
    "a copy of each matrix of a batch": Case(
        Map("bij->bji").tile(16, 16).to(Block).load(A, SH).tile(4, 1).to(Thread).done,
        "fun(xs: L.M.N.f32 => xs |> map(transpose))",
        ({"L": 2, "M": 32, "N": 16},),
        lambda x: x.transpose(0, 2, 1),
        ("xs_tile[", "blockIdx.z"),
    ),
    "four axes, two of a batch": Case(
        Map("abij,j->abij").tile(16, 32).to(Block).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done,
        "fun(xs: K.L.M.N.f32, ys: N.f32 => xs |> map(map(map(fun(row =>"
        " zip(row, ys) |> map(fun(p => fst(p) - snd(p)))))))) ",
        ({"K": 2, "L": 3, "M": 32, "N": 64},),
        np.subtract,
        ("ys_tile[", "blockIdx.z"),
    ),
    "five axes in another order": Case(
        Map("bcaij,b->abcji").tile(8, 16).to(Block).load(A, SH).pad(1).tile(2, 2).to(Thread).tile(1, 1).done,
        "fun(xs: I.J.K.M.N.f32, ys: I.f32 => xs |> map(transpose) |> transpose |> map(fun(w => zip(w, ys)"
        " |> map(fun(p => fst(p) |> map(fun(x => transpose(x) |> map(map(fun(y => y * snd(p)))))))))))",
        ({"I": 2, "J": 3, "K": 2, "M": 16, "N": 16},),
        lambda x, y: x.transpose(2, 0, 1, 4, 3) * y[:, None, None, None],
        ("xs_tile[", "blockIdx.z"),
    ),
}  # fmt: skip
ROWS: Final = "fun(xs: M.K.f32 => xs |> map(reduce(add, 0.0)))"
LONG_ROWS: Final = "fun(xs: M.1024.f32 => xs |> map(reduce(add, 0.0)))"
SHORT_ROWS: Final = "fun(xs: M.32.f32 => xs |> map(reduce(add, 0.0)))"
SQUARES: Final = "fun(xs: K.f32 => xs |> map(fun(x => x * x)) |> reduce(add, 0.0))"
FEW: Final = ({"M": 1}, {"M": 3})


def sums(x: Any) -> Any:
    """The sum of each row."""
    return x.sum(axis=1)


REDUCTIONS: Final = {
    "a row for each thread": Case(
        Reduce.tile(64).to(Block).tile(1).to(Thread).done, ROWS, ({"M": 64, "K": 5}, {"M": 192, "K": 32}), sums
    ),
    "rows in shared memory": Case(
        Reduce("M", 32).tile(64).to(Block)
        .load(A, SH, Move.tile(2, 4).to(Thread).tile(1, 4).vector).pad(4).tile(1).to(Thread).done,
        SHORT_ROWS,
        ({"M": 64}, {"M": 128}),
        sums,
        ("xs_tile[", "vec<float, 4>"),
    ),
    "rows of any length, in parts in shared memory": Case(
        Reduce.tile(32).to(Block).epilog(RF).split(16).load(A, SH).pad(1).tile(1).to(Thread).done,
        ROWS,
        ({"M": 32, "K": 16}, {"M": 96, "K": 48}),
        sums,
        ("xs_tile[", "* 17"),
    ),
    "several sums in registers": Case(
        Reduce.tile(32).to(Block).epilog(RF).split(16).load(A, SH).tile(4).to(Thread)
        .split(1).load(A, RF).tile(1).unroll.done,
        ROWS,
        ({"M": 32, "K": 16}, {"M": 96, "K": 48}),
        sums,
        ("xs_tile[", "xs_registers["),
    ),
    "columns of rows in shared memory": Case(
        Reduce.tile(32).to(Block).epilog(RF).split(1).load(A, SH).tile(1).to(Thread).done,
        ROWS,
        ({"M": 32, "K": 3}, {"M": 96, "K": 48}),
        sums,
        ("xs_tile[",),
    ),
    "columns, in an unrolled loop over parts": Case(
        Reduce("mn->n").tile(32).to(Block).tile(1).to(Thread).split(4).unroll.done,
        "fun(xs: M.N.f32 => transpose(xs) |> map(reduce(add, 0.0)))",
        ({"M": 8, "N": 32}, {"M": 16, "N": 96}),
        lambda x: x.sum(axis=0),
        ("#pragma unroll",),
    ),
    "a row for each warp": Case(
        Reduce("M", 32).tile(4).to(Block).tile(1).to(Warp).split(4).to(Lane).done,
        SHORT_ROWS,
        ({"M": 4}, {"M": 64}),
        sums,
        ("__shfl_sync",),
    ),
    "a row for each block": Case(
        Reduce("M", 1024).tile(1).to(Block).split(128).to(Warp).split(4).to(Lane).layout(ColMajor).done,
        LONG_ROWS,
        FEW,
        sums,
        ("__shfl_sync", "__shared__", "lane + xs_column_strip * 32]"),
    ),
    "parts for threads, in their order": Case(
        Reduce("M", 1024).tile(1).to(Block).split(16).to(Thread).done,
        LONG_ROWS.replace("add, 0.0", "max, -99.0"),
        FEW,
        lambda x: x.max(axis=1),
        ("__syncthreads",),
    ),
    "a loop over parts of a block": Case(
        Reduce("M", 1024).tile(1).to(Block).split(512).split(128).to(Warp).split(4).to(Lane).load(A, RF).done,
        LONG_ROWS,
        FEW,
        sums,
        ("xs_registers[",),
    ),
    "rows of a batch": Case(
        Reduce("lmk->lm").tile(16).to(Block).epilog(RF).split(16).load(A, SH).pad(1).tile(1).to(Thread).done,
        "fun(xs: L.M.K.f32 => xs |> map(map(reduce(add, 0.0))))",
        ({"L": 3, "M": 32, "K": 48},),
        lambda x: x.sum(axis=2),
        ("xs_tile[", "blockIdx.z"),
    ),
    "a row for each block, of a batch with two axes": Case(
        Reduce("hlmk->hlm", k=1024).tile(1).to(Block).split(128).to(Warp).split(4).to(Lane).layout(ColMajor).done,
        "fun(xs: H.L.M.1024.f32 => xs |> map(map(map(reduce(add, 0.0)))))",
        ({"H": 2, "L": 2, "M": 3},),
        lambda x: x.sum(axis=3),
        ("__shfl_sync", "blockIdx.z"),
    ),
    "a whole array, in two kernels": Case(
        Reduce("k->").split(1024).to(Block).split(128).to(Warp).split(4).to(Lane).layout(ColMajor).done,
        SQUARES,
        ({"K": 2048}, {"K": 5120}),
        lambda x: (x * x).sum(),
        ("kernel_1",),
    ),
}  # fmt: skip


def contraction(spec: str, a: str, b: str, *sizes: dict[str, int]) -> Case:
    """A contraction in tiles of blocks and threads, with copies in shared memory and registers."""
    tiles = Contract(spec).tile(16, 16).to(Block).epilog(RF).split(4).load(A, SH).load(B, SH)
    schedule = tiles.tile(4, 4).to(Thread).split(1).unroll.load(A, RF).load(B, RF).tile(1, 1).unroll.done
    program = rise.show(shine.contraction(spec, a, b).main)
    return Case(
        schedule, program, sizes, lambda *arrays: np.einsum(spec, *arrays), ("a_tile[", "b_tile[", "fmaf")
    )


CONTRACTIONS: Final = {
    "letters of rows and columns": contraction(
        "abk,cdk->acbd",
        "A.B.K.f32",
        "C.D.K.f32",
        {"A": 4, "B": 4, "C": 2, "D": 8, "K": 4},
        {"A": 2, "B": 16, "C": 4, "D": 8, "K": 12},
    ),
    "columns of the first operand": contraction(
        "kab,kc->cab",
        "K.A.B.f32",
        "K.C.f32",
        {"A": 2, "B": 8, "C": 16, "K": 8},
        {"A": 4, "B": 8, "C": 32, "K": 4},
    ),
    "several summed letters": contraction(
        "akl,klb->ab",
        "A.K.L.f32",
        "K.L.B.f32",
        {"A": 16, "B": 32, "K": 2, "L": 2},
        {"A": 16, "B": 16, "K": 4, "L": 3},
    ),
    "a batch": contraction(
        "lab,lcb->lac",
        "L.A.B.f32",
        "L.C.B.f32",
        {"A": 16, "B": 8, "C": 32, "L": 3},
        {"A": 32, "B": 4, "C": 16, "L": 1},
    ),
    "a batch of two letters, behind the rows": contraction(
        "klab,klcb->kalc", "K.L.A.B.f32", "K.L.C.B.f32", {"A": 16, "B": 4, "C": 16, "K": 2, "L": 3}
    ),
}
PRODUCT: Final = rise.show(rise.parse_file("examples/mm.rise").main)
BLOCKS: Final = ({"M": 64, "N": 128, "K": 5}, {"M": 128, "N": 64, "K": 40})


def product_of_cores(*packed: str) -> Schedule:
    """Tiles of cores with vectors in registers, from packed copies of some factors, A by columns."""
    tiles = MatMul.tile(64, 64).to(Core)
    for operand in packed:
        tiles = tiles.load(operand, CA).toColMajor if operand == A else tiles.load(operand, CA)
    return tiles.tile(4, 16).epilog(RF).split(1).tile(1, 16).to(Vector).unroll.done


PROCESSORS: Final = {
    "vectors of a row": Case(
        Map("n,n->n").tile(128).to(Core).tile(8).to(Vector).done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("load_f32x8(&xs[",),
        "openmp",
    ),
    "vectors of a matrix": Case(
        Map("ij,j->ij").tile(8, 64).to(Core).tile(1, 8).to(Vector).done,
        OF_ROWS,
        MATRICES,
        np.subtract,
        ("load_f32x8(&xs[",),
        "openmp",
    ),
    "vectors of a batch with two axes": Case(
        Map("abij,j->abij").tile(8, 32).to(Core).tile(1, 8).to(Vector).done,
        MAPS["four axes, two of a batch"].program,
        MAPS["four axes, two of a batch"].sizes,
        np.subtract,
        ("load_f32x8(&xs[",),
        "openmp",
    ),
    "vectors that are copied": Case(
        Map("ij->ji").tile(32, 16).to(Core).load(A, CA).tile(1, 8).to(Vector).done,
        "fun(xs: M.N.f32 => transpose(xs) |> map(map(id)))",
        MATRICES,
        np.transpose,
        ("xs_tile[", "store_f32x8(&output["),
        "openmp",
    ),
    "a packed tile by columns": Case(
        Map("ij->ji").tile(32, 16).to(Core).load(A, CA).tile(1, 1).done,
        TRANSPOSED,
        MATRICES,
        lambda x: 2 * x.T,
        ("xs_tile[",),
        "openmp",
    ),
    "cores along columns": Case(
        Map("ij->ij", i=32, j=64).tile(16, 16).to(Core).layout(ColMajor).tile(1, 8).to(Vector).done,
        "fun(xs: 32.64.f32 => xs |> map(map(fun(x => 2.0 * x))))",
        ({},),
        lambda x: 2 * x,
        target="openmp",
    ),
    "rows of cores": Case(
        Reduce.tile(16).to(Core).tile(1).split(4).done, ROWS, ({"M": 16, "K": 4}, {"M": 64, "K": 32}), sums,
        target="openmp",
    ),
    "vectors of the sums of columns": Case(
        Reduce("mn->n").tile(64).to(Core).tile(32).epilog(RF).split(4).split(1).tile(8).to(Vector).unroll.done,
        "fun(xs: M.N.f32 => transpose(xs) |> map(fun(column => column |> map(fun(x => x * x)) |> reduce(add, 0.0))))",
        ({"M": 8, "N": 64}, {"M": 24, "N": 128}),
        lambda x: (x * x).sum(axis=0),
        ("load_f32x8(&xs[",),
        "openmp",
    ),
    "vectors of the largest numbers of rows, of a packed copy": Case(
        Reduce.tile(16).to(Core).load(A, CA).toColMajor.epilog(RF).split(1).tile(8).to(Vector).done,
        ROWS.replace("add, 0.0", "max, -99.0"),
        ({"M": 16, "K": 4}, {"M": 64, "K": 32}),
        lambda x: x.max(axis=1),
        ("xs_tile[", "f32x8"),
        "openmp",
    ),
    "parts of cores": Case(
        Reduce("k->").split(256).to(Core).done, SQUARES, ({"K": 1024}, {"K": 5120}), lambda x: (x * x).sum(),
        (), "openmp",
    ),
    "a product": Case(
        product_of_cores(), PRODUCT, BLOCKS, np.matmul, ("fma_f32x",), "openmp"
    ),
    "a product of packed factors": Case(
        product_of_cores(A, B), PRODUCT, BLOCKS, np.matmul, ("fma_f32x", "a_tile[", "b_tile["), "openmp"
    ),
    "a contraction of packed factors": Case(
        Contract("abk,cdk->acbd").tile(16, 16).to(Core).load(B, CA)
        .tile(4, 8).epilog(RF).split(1).tile(1, 8).to(Vector).done,
        CONTRACTIONS["letters of rows and columns"].program,
        CONTRACTIONS["letters of rows and columns"].sizes,
        lambda a, b: np.einsum("abk,cdk->acbd", a, b),
        ("fma_f32x", "b_tile["),
        "openmp",
    ),
    "a batch of products": Case(
        Contract("lab,lcb->lac").tile(16, 16).to(Core).load(A, CA).load(B, CA)
        .tile(4, 8).epilog(RF).split(1).tile(1, 8).to(Vector).done,
        CONTRACTIONS["a batch"].program,
        CONTRACTIONS["a batch"].sizes,
        lambda a, b: np.einsum("lab,lcb->lac", a, b),
        ("fma_f32x", "b_tile["),
        "openmp",
    ),
}  # fmt: skip
CASES: Final = {**MAPS, **REDUCTIONS, **CONTRACTIONS, **PROCESSORS}


def lowered(case: Case) -> Expr:
    """The program of a case after its schedule."""
    result = case.schedule.strategy()(rise.parse(case.program).main)
    assert isinstance(result, Success), f"{case.schedule}\n{result.explain()}"
    return result.program


def assert_same(case: Case, cache: Path) -> None:
    """Assert that the kernels of a case compute what numpy computes, and that their sources contain its words."""
    program = lowered(case)
    random = np.random.default_rng(0)
    for sizes in case.sizes:
        at_sizes = rise.specialise(program, **sizes)
        kernel = shine.compile(at_sizes, target=case.target, check=True, cache=str(cache))
        assert [word for word in case.words if word not in kernel.source] == []
        shapes = [tuple(_extents(one.type)) for one in kernel.procedure.inputs]
        arrays = [random.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
        np.testing.assert_array_equal(kernel(*arrays), case.expected(*arrays))


def _extents(t: Any) -> list[int]:
    extents = []
    while hasattr(t, "element"):
        extents.append(t.size.constant)
        t = t.element
    return extents
