"""The normal form of contractions: nests of loops over letters in any order become batches of matrix products."""

from __future__ import annotations

import random
from typing import Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Failure, StrategyError, topDown
from rise.einsum.elaboration import einsum_text
from rise.einsum.specs import read_spec
from rise.programs.contraction_operators import operators_of
from rise.scalars import SCALARS
from shine.front.contractions import loop_order
from strategies.contractions import contraction, contraction_sizes
from strategies.costs.contractions import MODEL_METHODS
from strategies.lowering.levels import PAR, SEQ
from strategies.lowering.positions import Write
from strategies.parts.contraction_nests import isContraction, matricise, readyForTiles
from strategies.parts.packed_tiles import packedPanels
from strategies.parts.products import isNest, nests
from tests.examples import SAMPLED, examples, in_whole, some

DOT: Final = "zip({}, {}) |> map(mul) |> reduce(add, 0.0)"


def nest(head: str, loops: str, body: str, then: str = "") -> str:
    """A program of nested loops, each given as `variable in array`, outermost first."""
    text = body
    for variable, xs in reversed([loop.split(" in ") for loop in loops.split("; ")]):
        text = f"{xs} |> map(fun({variable} => {text}))"
    return f"fun({head} => {text}{then})"


#: programs, and the same for numpy
PROGRAMS: Final = {
    "a product": (nest("a: 4.5.f32, b: 6.5.f32", "x in a; y in b", DOT.format("x", "y")), "mk,nk->mn"),
    "a product, transposed": (
        nest("a: 4.5.f32, b: 6.5.f32", "x in a; y in b", DOT.format("x", "y"), " |> transpose"),
        "mk,nk->nm",
    ),
    "letters in turn": (
        nest("a: 2.3.4.f32, b: 5.6.4.f32", "x in a; y in b; u in x; v in y", DOT.format("u", "v")),
        "abk,cdk->acbd",
    ),
    "the second operand first": (
        nest("a: 2.3.4.f32, b: 5.6.4.f32", "y in b; x in a; v in y; u in x", DOT.format("u", "v")),
        "abk,cdk->cadb",
    ),
    "a batch inside rows": (
        nest("a: 2.3.4.f32, b: 3.6.4.f32", "x in a; p in zip(x, b); v in snd(p)", DOT.format("fst(p)", "v")),
        "mlk,lnk->mln",
    ),
    "a batch inside columns": (
        nest("a: 3.4.f32, b: 6.3.4.f32", "y in b; p in zip(a, y)", DOT.format("fst(p)", "snd(p)")),
        "lk,nlk->nl",
    ),
    "a batch inside both": (
        nest(
            "a: 2.3.7.4.f32, b: 5.3.6.4.f32",
            "x in a; y in b; p in zip(x, y); u in fst(p); v in snd(p)",
            DOT.format("u", "v"),
        ),
        "alck,bldk->ablcd",
    ),
    "two batches": (
        nest(
            "a: 2.3.4.5.f32, b: 2.3.6.5.f32",
            "p in zip(a, b); q in zip(fst(p), snd(p)); u in fst(q); v in snd(q)",
            DOT.format("u", "v"),
        ),
        "lmak,lmbk->lmab",
    ),
    "a sum of sums": (
        nest(
            "a: 2.3.4.f32, b: 5.3.4.f32",
            "x in a; y in b",
            f"zip(x, y) |> map(fun(p => {DOT.format('fst(p)', 'snd(p)')})) |> reduce(add, 0.0)",
        ),
        "mkl,nkl->mn",
    ),
    "a joined sum": (
        nest("a: 2.3.4.f32, b: 5.3.4.f32", "x in a; y in b", DOT.format("join(x)", "join(y)")),
        "mkl,nkl->mn",
    ),
    "three rows": (
        nest("a: 2.3.4.5.f32, b: 6.5.f32", "x in a; u in x; v in u; y in b", DOT.format("v", "y")),
        "abck,nk->abcn",
    ),
    "views that are written as functions": (
        nest(
            "a: 2.4.f32, b: 3.4.5.6.f32",
            "x in a; y in b |> map(fun(m => m |> transpose |> map(fun(n => n |> transpose)))); v in y; w in v",
            DOT.format("x", "w"),
        ),
        "mk,akbc->mabc",
    ),
    "a matrix and a vector": (nest("a: 4.5.f32, b: 5.f32", "x in a", DOT.format("x", "b")), "mk,k->m"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_contraction_has_a_normal_form(name: str) -> None:
    text, spec = PROGRAMS[name]
    e = rise.parse(text).main
    result = matricise(e)
    assert isContraction(result.program)
    arrays = operands(e)
    expected = np.einsum(spec, *arrays)
    np.testing.assert_array_equal(rise.evaluate(result.program, *arrays), expected)
    assert len(matricise(result.program).steps) == 0  # it is in normal form


@pytest.mark.parametrize(
    ("target", "name"),
    some(
        [
            (target, name)
            for turn, target in enumerate(("interpret", "openmp"))
            for name in some(
                ["letters in turn", "a batch inside both", "a joined sum", "a matrix and a vector"], 2, turn
            )
        ],
        3,
    ),
)
def test_a_contraction_is_computed_in_tiles(name: str, target: str) -> None:
    text, spec = PROGRAMS[name]
    e = rise.parse(text).main
    arrays = operands(e)
    kernel = shine.compile(e, target=target, strategy=strategies.load("strategies.contractions:contraction"))
    np.testing.assert_array_equal(kernel(*arrays), np.einsum(spec, *arrays))


def test_symbolic_sizes_have_a_normal_form() -> None:
    text = nest("a: A.B.K.f64, b: C.D.K.f64", "x in a; y in b; u in x; v in y", DOT.format("u", "v"))
    e = rise.parse(text.replace("0.0", "0.0f64")).main
    assert isContraction(matricise(e).program)
    result = strategies.load("strategies.contractions:contraction")(e)
    assert {"splitJoinPadded", "mulAddToFma"} <= {str(step.rule).partition("(")[0] for step in result.steps}
    low = result.program
    rng = np.random.default_rng(1)
    a, b = rng.integers(-4, 4, (7, 9, 5)).astype(float), rng.integers(-4, 4, (3, 11, 5)).astype(float)
    np.testing.assert_array_equal(shine.compile(low)(a, b), np.einsum("abk,cdk->acbd", a, b))


@pytest.mark.parametrize(
    "name", [name for name in PROGRAMS if "vector" not in name and name != "a batch inside columns"]
)
def test_every_contraction_of_rows_and_columns_gets_tiles(name: str) -> None:
    """Also if the sum is over several letters, which are joined."""
    result = strategies.load("strategies.contractions:contraction")(rise.parse(PROGRAMS[name][0]).main)
    assert {"mulAddToFma", "transposeRowsTwice"} <= {str(step.rule) for step in result.steps}


@pytest.mark.parametrize(
    ("number", "columns", "tile"),
    some([("f32", "36", 48), ("f32", "48", 48), ("f32", "640", 16), ("f32", "N", 16), ("f64", "36", 40)], 2),
)
def test_few_columns_are_computed_in_tiles_of_all_columns(number: str, columns: str, tile: int) -> None:
    text = nest(f"a: 500.64.{number}, b: {columns}.64.{number}", "x in a; y in b", DOT.format("x", "y"))
    e = rise.parse(text.replace("0.0", f"0.0{number}")).main
    steps = strategies.load("strategies.contractions:contraction")(e).steps
    assert f"splitJoinPadded({tile})" in {str(step.rule) for step in steps}


def test_threads_divide_the_panels_of_a_single_block() -> None:
    """93 rows are a block of 48 and a part of one: threads compute panels of both, and not one block each."""
    e = shine.contraction("ap,ikp->iak", "93.21.f32", "40.100.21.f32").main
    kernel = shine.compile(e, strategy=contraction(12, 16, height=48, method="blocks"))
    assert kernel.source.count("#pragma omp parallel for") == 3  # and the copy of the columns
    rng = np.random.default_rng(0)
    a, b = rng.integers(-4, 4, (93, 21)).astype("f4"), rng.integers(-4, 4, (40, 100, 21)).astype("f4")
    np.testing.assert_array_equal(kernel(a, b), np.einsum("ap,ikp->iak", a, b))


SHAPES: Final = [(1, 40, 7), (13, 33, 5), (24, 16, 100), (12, 50, 3), (7, 3, 1)]


@pytest.mark.parametrize(("method", "shape"), some([(m, s) for m in MODEL_METHODS for s in SHAPES], 3))
def test_each_method_computes_the_same(method: str, shape: tuple[int, int, int]) -> None:
    """Letters in another order than in the result, and sizes that are no multiples of tiles."""
    m, n, k = shape
    rng = np.random.default_rng(0)
    a, b = rng.integers(-4, 4, (k, m, 3)).astype("f4"), rng.integers(-4, 4, (2, n, k)).astype("f4")
    e = shine.contraction("kmp,qnk->pnmq", f"{k}.{m}.3.f32", f"2.{n}.{k}.f32").main
    for rows, columns in ((None, None), (2, 4), (5, 16)):
        strategy = contraction(rows=rows, columns=columns, method=method)
        found = shine.compile(e, strategy=strategy)(a, b)
        np.testing.assert_array_equal(found, np.einsum("kmp,qnk->pnmq", a, b))


@pytest.mark.parametrize("columns", some([16, 6, 4], 2))
def test_panels_of_rows_compute_the_same(columns: int) -> None:
    """Rows of 21 columns: whole panels, and a narrower one that is packed by itself."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(-4, 4, (5, 4, 21)).astype("f4"), rng.integers(-4, 4, (3, 4)).astype("f4")
    e = shine.contraction("akb,ck->cab", "5.4.21.f32", "3.4.f32").main
    strategy = matricise >> readyForTiles >> topDown(isNest >> packedPanels(2, columns, 21))
    low = (strategy >> Write((PAR, SEQ)))(e).program
    for target in ("interpret", "openmp"):
        np.testing.assert_array_equal(shine.compile(low, target=target)(a, b), np.einsum("akb,ck->cab", a, b))


def in_the_order_of_einsum(spec: str, sizes: dict[str, int]) -> rise.Expr:
    """The program that `shine.einsum` has compiled for operands of these sizes."""
    left, right, result = spec.replace("->", ",").split(",")
    shapes = [[str(sizes[c]) for c in term] for term in (left, right)]
    loops = loop_order([left, right], result, sizes)
    text = einsum_text(
        read_spec(spec, [len(left), len(right)]), shapes, "f32", operators_of(None, "f32"), [(0, 1)], loops
    )
    return rise.parse(text).main


def test_the_columns_of_a_panel_of_rows_are_adjacent() -> None:
    """Rows of 164 columns, no multiple of a tile: the default divides no index by 164."""
    e = in_the_order_of_einsum("adb,cd->cba", {"a": 164, "b": 164, "c": 12, "d": 164})
    source = shine.compile(e, strategy=contraction()).source
    assert "/ 164" not in source and "/ 164" in shine.compile(e, strategy=contraction(method="blocks")).source


@pytest.mark.parametrize(("spec", "row"), [("aeb,ce->cba", 40), ("abe,ce->cba", 0), ("aeb,ce->acb", 40)])
def test_columns_are_in_rows_if_they_are_adjacent(spec: str, row: int) -> None:
    """Columns that are far apart in memory are copied one by one in any case."""
    e = in_the_order_of_einsum(spec, {"a": 50, "b": 40, "e": 100, "c": 8})
    sizes = contraction_sizes(next(nests(readyForTiles(matricise(e).program).program)))
    assert sizes is not None and sizes.row == row


def test_panels_need_no_copy_of_the_operand_with_the_columns() -> None:
    """Twelve rows, and three million numbers that each of them reads once."""
    e = in_the_order_of_einsum("adb,cd->cba", {"a": 180, "b": 180, "c": 12, "d": 100})
    copies = {
        method: shine.compile(e, strategy=contraction(method=method)).source.count("allocate(3240000")
        for method in (*MODEL_METHODS, None)
    }
    assert copies == {"blocks": 1, "panels": 0, None: 0}  # the model chooses panels


@pytest.mark.parametrize(("columns", "t"), [(36, "f32"), (36, "f64"), (30, "f32")])
def test_rows_that_are_read_once_are_not_copied(columns: int, t: str) -> None:
    """All columns are in one tile, and the sum is innermost in the operand of the rows."""
    sizes = {"a": columns, "b": 12, "c": 10, "d": 50, "e": 36}
    types = [".".join([*(str(sizes[c]) for c in term), t]) for term in ("ae", "dcbe")]
    plan = shine.contraction("ae,dcbe->dcba", *types)
    tiles = plan.tiles()
    assert tiles is not None and tiles.method == "one" and tiles.columns >= columns
    source = shine.compile(plan.main, strategy=contraction()).source
    assert f"allocate({12 * 10 * 50 * 36}" not in source
    rng = np.random.default_rng(5)
    dtype = SCALARS[t].dtype
    a, b = (rng.integers(-4, 5, [sizes[c] for c in term]).astype(dtype) for term in ("ae", "dcbe"))
    np.testing.assert_array_equal(plan(a, b), np.einsum("ae,dcbe->dcba", a, b))


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        (
            {"method": "rows"},
            "expected blocks, panels, one, views, matrices, loops or steps for `method`, found 'rows'",
        ),
        ({"rows": 0}, "expected an integer >= 1 for `rows`, found 0"),
        ({"columns": "16"}, "expected an integer >= 1 for `columns`, found '16'"),
    ],
)
def test_choices_that_do_not_exist_are_refused(wrong: dict[str, object], title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        strategies.load("strategies.contractions:contraction", **wrong)
    assert title in refused.value.diagnostic.title


@pytest.mark.parametrize(
    "text",
    [
        "fun(a: 4.5.f32 => a |> map(map(fun(x => x + 1.0))))",
        "fun(a: 4.5.f32 => a |> map(reduce(add, 0.0)))",
        "fun(a: 4.f32, b: 5.f32 => a |> map(fun(x => b |> map(fun(y => x * y)))))",
        nest("a: 4.5.f32, b: 6.5.f32", "x in a; y in b", "1.0 + (" + DOT.format("x", "y") + ")"),
    ],
)
def test_other_programs_have_no_normal_form(text: str) -> None:
    result = matricise(rise.parse(text).main)
    assert isinstance(result, Failure)
    assert "not a single sum of products" in str(result.explain())


def permuted(name: str, have: str, want: str) -> str:
    """An array with its axes in another order, by swaps of neighbours."""
    text, current = name, list(have)
    for place, letter in enumerate(want):
        for axis in reversed(range(place, current.index(letter))):
            current[axis : axis + 2] = current[axis + 1], current[axis]
            text += " |> " + "map(" * axis + "transpose" + ")" * axis
    return f"({text})" if "|>" in text else text


def drawn(draw: random.Random) -> tuple[str, str]:
    """A contraction of up to eight letters as nested loops, in any order, around sums; and the same for numpy."""
    letters = iter("abcdefgh")
    groups = [[next(letters) for _ in range(draw.randint(low, 2))] for low in (0, 1, 1, 1)]
    both, rows, columns, summed = groups
    left, right, result = [
        "".join(draw.sample(one, len(one)))
        for one in (both + rows + summed, both + columns + summed, both + rows + columns)
    ]
    size = {c: draw.choice((1, 2, 3)) for c in left + right}
    order = "".join(draw.sample(summed, len(summed)))
    loops = "".join(draw.sample(result, len(result)))
    x = permuted("xs", left, "".join(c for c in loops if c in left) + order)
    y = permuted("ys", right, "".join(c for c in loops if c in right) + order)
    around: list[tuple[str, str]] = []
    for c in loops:
        if c in left and c in right:
            around.append((f"p{c}", f"zip({x}, {y})"))
            x, y = f"fst(p{c})", f"snd(p{c})"
        elif c in left:
            around.append((c, x))
            x = c
        else:
            around.append((c, y))
            y = c
    if len(summed) == 2 and draw.random() < 0.5:
        body = f"zip({x}, {y}) |> map(fun(q => {DOT.format('fst(q)', 'snd(q)')})) |> reduce(add, 0.0)"
    else:
        joined = [f"join({one})" if len(summed) == 2 else one for one in (x, y)]
        body = DOT.format(*joined)
    for variable, over in reversed(around):
        body = f"{over} |> map(fun({variable} => {body}))"
    head = ", ".join(
        f"{name}: {'.'.join(str(size[c]) for c in axes)}.f32" for name, axes in (("xs", left), ("ys", right))
    )
    then = permuted("", loops, result).removeprefix("(").removesuffix(")") if loops != result else ""
    return f"fun({head} => {body} {then})", f"{left},{right}->{result}"


@in_whole("test_a_contraction_has_a_normal_form")
def test_any_order_of_loops_has_a_normal_form() -> None:
    draw = random.Random(3)
    for _ in range(max(40, examples(40))):
        text, spec = drawn(draw)
        e = rise.parse(text).main
        result = matricise(e)
        assert isContraction(result.program), text
        arrays = operands(e)
        np.testing.assert_array_equal(rise.evaluate(result.program, *arrays), np.einsum(spec, *arrays), text)


def operands(e: rise.Expr) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    arrays, t = [], e.type
    while hasattr(t, "parameter"):
        shape, inner = [], t.parameter
        while hasattr(inner, "size"):
            shape.append(inner.size.constant)
            inner = inner.element
        arrays.append(rng.integers(-4, 4, shape).astype(np.float32))
        t = t.result
    return arrays


def test_small_tiles_of_any_contraction_write_different_elements() -> None:
    """The interpreter records what each iteration of a parallel loop reads and writes, with tiles that cover parts of
    rows.
    """
    draw = random.Random(5)
    strategy = contraction(rows=2, columns=3, height=4)
    for _ in range(max(20 if not SAMPLED else 6, examples(20))):
        text, spec = drawn(draw)
        e = rise.parse(text).main
        arrays = operands(e)
        found = shine.compile(e, target="interpret", strategy=strategy)(*arrays)
        np.testing.assert_array_equal(found, np.einsum(spec, *arrays), text)


def test_a_whole_program_is_rejected() -> None:
    program = shine.contraction("ij,jk->ik", "N.M.f32", "M.K.f32")
    with pytest.raises(StrategyError) as error:
        isContraction(program)  # type: ignore[arg-type]  # a mistake of its caller
    assert error.value.diagnostic.code == "no-term"
    assert isContraction(program.main)
