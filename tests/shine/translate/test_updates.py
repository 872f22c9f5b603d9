"""Updates of the state of a loop: only parts that change are stored, in place if nothing overwritten is read.

One subject: steps of loops, written in RISE and in Python, and drawn at random.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rise
import shine
import strategies
from rise import embedding
from rise.types import F32
from shine.imperative.nodes import Allocate, Block, Operation
from shine.imperative.walk import everything, value_of, values
from shine.translate import translate
from tests.examples import examples, in_whole, some

ROWS = "generate(fun(k: idx[N] => {}))"
CELLS = "generate(fun(k: idx[N] => generate(fun(l: idx[N] => {}))))"
IS_I = "indexAsInt(k) == indexAsInt(i)"
IS_J = "indexAsInt(l) == indexAsInt(i)"
IS_OPPOSITE = "indexAsInt(k) == indexAsInt(fromEnd(i))"


def doubling(state: str, start: str, part: str, more: str = "") -> str:
    """A loop that ends by a condition, whose state is a number and `start`; it doubles element i of a part."""
    new = ROWS.format(f"if {IS_I} then idx(i, {part}) * 2.0{more} else idx(k, {part})")
    t = f"(i64, {state})"
    changed = new if part == "snd(t)" else f"pair({new}, snd(snd(t)))"
    return (
        f"iterateWhile(9, fun(t: {t} => fst(t) < 3i64),"
        f" fun(t: {t} => pair(fst(t) + 1i64, {changed})), pair(indexAsInt(i), {start}))"
    )


#: for each step `s, i -> ..` of a loop over idx[N]: the type of its state, the step, the number of arrays besides the
#: state to which a step stores, and whether it stores single elements
STEPS: dict[str, tuple[str, str, int, bool]] = {
    "one element": ("N.f32", ROWS.format(f"if {IS_I} then idx(i, s) * 2.0 + 1.0 else idx(k, s)"), 0, True),
    "an element from all": (
        "N.f32",
        f"let v = reduce(add, 0.0, s) in {ROWS.format(f'if {IS_I} then v else idx(k, s)')}",
        0,
        True,
    ),
    "other elements": ("N.f32", ROWS.format(f"if {IS_I} then idx(k, s) else 2.0 * idx(k, s)"), 0, False),
    "one that may be outside": (
        "N.f32",
        ROWS.format("if indexAsInt(k) == indexAsInt(i) + 1i64 then 9.0 else idx(k, s)"),
        0,
        True,
    ),
    "one that is never there": (
        "N.f32",
        ROWS.format("if indexAsInt(k) == 99i64 then 9.0 else idx(k, s)"),
        0,
        True,
    ),
    "a row": (
        "N.N.f32",
        f"s |> map(map(fun(x => x))) |> fun(t => {ROWS.format(f'if {IS_I} then idx(i, s) else idx(k, s)')})",
        0,
        True,
    ),
    "a cell": ("N.N.f32", CELLS.format(f"if {IS_I} && {IS_J} then 7.0 else idx(l, idx(k, s))"), 0, True),
    "a cell or a row": (
        "N.N.f32",
        CELLS.format(f"if {IS_I} || {IS_J} then 7.0 else idx(l, idx(k, s))"),
        0,
        False,
    ),
    "every element": ("N.f32", "s |> map(fun(x => x * 2.0 + 1.0))", 0, False),
    "every element from one that changes": ("N.f32", "s |> map(fun(x => x + idx(i, s)))", 0, False),
    "backwards": ("N.f32", ROWS.format("idx(fromEnd(k), s)"), 1, False),
    "one after the other": (
        "N.f32",
        f"let t = {ROWS.format(f'if {IS_I} then idx(i, s) + 1.0 else idx(k, s)')} in"
        f" let u = {ROWS.format(f'if {IS_I} then idx(k, t) else idx(k, t) + idx(i, t)')} in"
        f" {ROWS.format(f'if {IS_I} then idx(i, u) * 2.0 else idx(k, u)')}",
        0,
        False,
    ),
    "one after the other, of which the first is read again": (
        "N.f32",
        f"let t = {ROWS.format(f'if {IS_I} then idx(i, s) + 1.0 else idx(k, s)')} in"
        " zip(s, t) |> map(fun(p => fst(p) * 2.0 + snd(p)))",
        0,
        False,
    ),
    "one after the other, where a view of the first is read again": (
        "N.N.f32",
        "let row = idx(i, s) in let t = s |> map(map(fun(x => x + 1.0))) in"
        " t |> map(fun(r => zip(r, row) |> map(fun(p => fst(p) + snd(p)))))",
        1,
        False,
    ),
    "elements that are at their own index": (
        "N.f32",
        ROWS.format(
            "if indexAsInt(k) == indexAsInt(toIndex{N}(cast{i64}(idx(k, y)))) then 7.0 else idx(k, s)"
        ),
        0,
        False,
    ),
    "two elements that change places": (
        "N.f32",
        ROWS.format(f"if {IS_I} then idx(fromEnd(i), s) else if {IS_OPPOSITE} then idx(i, s) else idx(k, s)"),
        0,
        False,
    ),
    "two elements, which may be one": (
        "N.f32",
        ROWS.format(f"if {IS_I} || {IS_OPPOSITE} then 2.0 * idx(k, s) + 1.0 else idx(k, s)"),
        0,
        False,
    ),
    "two rows that change places": (
        "N.N.f32",
        CELLS.format(
            f"if {IS_I} then idx(l, idx(fromEnd(i), s)) else"
            f" if {IS_OPPOSITE} then idx(l, idx(i, s)) else idx(l, idx(k, s))"
        ),
        1,
        False,
    ),
    "two columns that change places": (
        "N.N.f32",
        CELLS.format(
            f"if {IS_J} then idx(fromEnd(i), idx(k, s)) else"
            " if indexAsInt(l) == indexAsInt(fromEnd(i)) then idx(i, idx(k, s)) else idx(l, idx(k, s))"
        ),
        1,
        False,
    ),
    "every row and the one that changes": (
        "N.N.f32",
        CELLS.format("idx(l, idx(k, s)) + idx(l, idx(i, s))"),
        1,
        False,
    ),
    "two, apart": (
        "(N.f32, N.f32)",
        "pair(fst(s) |> map(fun(x => x + 1.0)), snd(s) |> map(fun(x => x * 2.0)))",
        0,
        False,
    ),
    "two, the second from the first": (
        "(N.f32, N.f32)",
        "let both = zip(fst(s), snd(s)) in"
        " pair(both |> map(fun(p => fst(p) + snd(p))), both |> map(fun(p => fst(p) * snd(p))))",
        1,
        False,
    ),
    "two that change places": ("(N.f32, N.f32)", "pair(snd(s), fst(s))", 1, False),
    "two, each named first": (
        "(N.f32, N.f32)",
        f"let t = {ROWS.format(f'if {IS_I} then idx(i, fst(s)) + 1.0 else idx(k, fst(s))')} in"
        f" let u = {ROWS.format(f'if {IS_I} then idx(i, t) + idx(k, snd(s)) else idx(k, snd(s))')} in"
        f" pair({ROWS.format(f'if {IS_I} then idx(i, u) * 2.0 else idx(k, t)')}, u)",
        0,
        False,
    ),
    "two, of which the one that is named is read again": (
        "(N.f32, N.f32)",
        f"let t = {ROWS.format(f'if {IS_I} then idx(i, fst(s)) + 1.0 else idx(k, fst(s))')} in"
        " let u = snd(s) |> map(fun(x => x + idx(i, t))) in"
        " pair(zip(t, fst(s)) |> map(fun(p => fst(p) + snd(p))), u)",
        1,
        False,
    ),
    "turns of a loop within": (
        "N.f32",
        "let t = generate(fun(j: idx[N] => j)) |> reduceSeq(fun(u: N.f32, j: idx[N] =>"
        f" {ROWS.format('if indexAsInt(k) == indexAsInt(j) then idx(j, u) + idx(i, u) else idx(k, u)')}), s) in"
        f" {ROWS.format(f'if {IS_I} then idx(i, t) * 2.0 else idx(k, t)')}",
        0,
        True,
    ),
    "turns of a loop within that reads the state before": (
        "N.f32",
        "generate(fun(j: idx[N] => j)) |> reduceSeq(fun(u: N.f32, j: idx[N] =>"
        f" {ROWS.format('if indexAsInt(k) == indexAsInt(j) then idx(j, u) + idx(i, s) else idx(k, u)')}), s)",
        0,
        True,
    ),
    "turns of a loop within that starts from the next state": (
        "N.f32",
        "generate(fun(j: idx[N] => j)) |> reduceSeq(fun(u: N.f32, j: idx[N] =>"
        f" {ROWS.format('if indexAsInt(k) == indexAsInt(j) then idx(j, u) + idx(i, u) else idx(k, u)')}),"
        f" {ROWS.format(f'if {IS_I} then idx(i, s) * 2.0 else idx(k, s)')})",
        0,
        True,
    ),
    "turns of a loop within that starts from the next state and reads the state before": (
        "N.f32",
        "generate(fun(j: idx[N] => j)) |> reduceSeq(fun(u: N.f32, j: idx[N] =>"
        f" {ROWS.format('if indexAsInt(k) == indexAsInt(j) then idx(j, u) + idx(i, s) else idx(k, u)')}),"
        f" {ROWS.format(f'if {IS_I} then idx(i, s) * 2.0 else idx(k, s)')})",
        1,
        False,
    ),
    "turns of a loop within that starts transposed": (
        "N.N.f32",
        "let t = transpose(s) in generate(fun(j: idx[N] => j))"
        " |> reduceSeq(fun(u: N.N.f32, j: idx[N] => u |> map(map(fun(x => x + 1.0)))), t)",
        1,
        False,
    ),
    "a part of the last state of a loop": ("N.f32", f"snd({doubling('N.f32', 's', 'snd(t)')})", 0, True),
    "a part of the last state of a loop that reads an element of the state before": (
        "N.f32",
        f"snd({doubling('N.f32', 's', 'snd(t)', ' + idx(i, s)')})",
        0,
        True,
    ),
    "a part of the last state of a loop that reads the state before": (
        "N.f32",
        f"snd({doubling('N.f32', 's', 'snd(t)', ' + reduce(add, 0.0, s)')})",
        1,
        True,
    ),
    "a part of the last state of a loop that starts from the next state": (
        "N.f32",
        f"snd({doubling('N.f32', ROWS.format(f'if {IS_I} then idx(i, s) * 2.0 else idx(k, s)'), 'snd(t)')})",
        0,
        True,
    ),
    "a part of the last state of a reduction": (
        "N.f32",
        "fst(generate(fun(j: idx[N] => j)) |> reduceSeq(fun(t: (N.f32, f32), j: idx[N] => pair("
        f"{ROWS.format('if indexAsInt(k) == indexAsInt(j) then snd(t) else idx(k, fst(t))')}, snd(t) + 1.0)),"
        " pair(s, 1.0)))",
        0,
        True,
    ),
    "two parts of the last state of a loop": (
        "(N.f32, N.f32)",
        f"snd({doubling('(N.f32, N.f32)', 's', 'fst(snd(t))')})",
        0,
        True,
    ),
    "the named last state of a loop": (
        "N.f32",
        f"let r = {doubling('N.f32', 's', 'snd(t)')} in snd(r) |> map(fun(x => x + cast{{f32}}(fst(r))))",
        0,
        False,
    ),
    "the named last state of a loop, and the state before": (
        "N.f32",
        f"let r = {doubling('N.f32', 's', 'snd(t)')} in zip(snd(r), s) |> map(fun(p => fst(p) + snd(p)))",
        1,
        False,
    ),
    "the last states of two loops": (
        "N.f32",
        f"let r = {doubling('N.f32', 's', 'snd(t)')} in let q = {doubling('N.f32', 'snd(r)', 'snd(t)', ' + 1.0')}"
        " in snd(q) |> map(fun(x => x + cast{f32}(fst(r) + fst(q))))",
        0,
        False,
    ),
    "the last states of two loops, of which the first is read again": (
        "N.f32",
        f"let r = {doubling('N.f32', 's', 'snd(t)')} in let q = {doubling('N.f32', 'snd(r)', 'snd(t)', ' + 1.0')}"
        " in zip(snd(q), snd(r)) |> map(fun(p => fst(p) - snd(p)))",
        1,
        False,
    ),
    "two, of which one stays": (
        "(N.f32, N.f32)",
        "pair(fst(s), snd(s) |> map(fun(x => x + idx(i, fst(s)))))",
        0,
        False,
    ),
}


def program(name: str) -> rise.Expr:
    t, step, *_ = STEPS[name]
    start = "pair(x, y)" if t.startswith("(") else "x"
    row = t.strip("()").split(",")[0]
    text = (
        f"fun({{N: nat}}, x: {row}, y: {row} =>"
        f" generate(fun(i: idx[N] => i)) |> reduceSeq(fun(s: {t}, i: idx[N] => {step}), {start}))"
    )
    return rise.parse(text).main


@cache
def sequential(name: str) -> rise.Expr:
    """The program lowered for one thread."""
    return strategies.load("strategies.sequential:sequential")(program(name)).program


def arrays(name: str, size: int) -> list[Any]:
    rng = np.random.default_rng(size)
    shape = (size, size) if STEPS[name][0].startswith("N.N") else (size,)
    return [rng.integers(0, 5, shape).astype(np.float32) for _ in range(2)]


@pytest.mark.parametrize(("name", "is_compiled"), some([(name, name in some(STEPS, 9)) for name in STEPS], 2))
def test_steps_compute_the_next_state(name: str, is_compiled: bool) -> None:
    e = program(name)
    kernels = [shine.compile(sequential(name), target="interpret")]
    if is_compiled:
        parallel = strategies.load("strategies.openmp:parallel")(e).program
        kernels.append(shine.compile(parallel, target="openmp"))
    for size in (0, 1, 2, 5):
        given = arrays(name, size)
        expected = rise.evaluate(e, *given)
        for kernel in kernels:
            found = kernel(*given)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


def temporaries(body: Block) -> list[str]:
    """The arrays of unknown size that are allocated in loops."""
    return [
        one.buffer.name
        for one, loops in everything(body)
        if isinstance(one, Allocate) and loops and one.buffer.size.constant is None
    ]


@pytest.mark.parametrize("name", STEPS)
def test_steps_store_only_what_changes(name: str) -> None:
    _, _, copies, is_single = STEPS[name]
    body = translate(sequential(name), "kernel").body
    found = [one for one, _ in everything(body)]
    assert len(temporaries(body)) == copies
    whole = (value for one in found if (value := value_of(one)) is not None)
    has_choice = any(
        isinstance(part, Operation) and part.name == "select" and part.type == F32
        for each in whole
        for part in values(each)
    )
    assert not (is_single and has_choice)


ROW_INDICES, COLUMN_INDICES = ("k", "i", "fromEnd(i)"), ("l", "i", "fromEnd(i)")


def conditions() -> st.SearchStrategy[str]:
    """Comparisons of the indices of a cell with those of a loop, and combinations of two."""
    indices = st.sampled_from(("k", "l", "i", "fromEnd(i)"))
    comparisons = st.builds(
        lambda a, op, b, more: f"indexAsInt({a}) {op} indexAsInt({b}){more}",
        indices,
        st.sampled_from(("==", "<=", "<", ">")),
        indices,
        st.sampled_from(("", " + 1i64")),
    )
    both = st.builds(
        lambda a, op, b: f"({a}) {op} ({b})", comparisons, st.sampled_from(("&&", "||")), comparisons
    )
    return comparisons | both


def cells(states: tuple[str, ...]) -> st.SearchStrategy[str]:
    """The next value of the cell (k, l), from cells of some states."""
    reads = st.builds(
        lambda state, row, column: f"idx({column}, idx({row}, {state}))",
        st.sampled_from(states),
        st.sampled_from(ROW_INDICES),
        st.sampled_from(COLUMN_INDICES),
    )
    return st.recursive(
        reads,
        lambda inner: (
            st.builds(lambda c, a, b: f"(if {c} then {a} else {b})", conditions(), inner, inner)
            | st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(("+", "-")), inner)
        ),
        max_leaves=4,
    )


@st.composite
def matrix_steps(draw: st.DrawFn) -> str:
    """A step of a loop over idx[N] whose state is a matrix; it may name an intermediate matrix."""
    if draw(st.booleans()):
        return CELLS.format(draw(cells(("s",))))
    first, second = draw(cells(("s",))), draw(cells(("t", "s")))
    return f"let t = {CELLS.format(first)} in {CELLS.format(second)}"


@in_whole("test_steps_compute_the_next_state")
@settings(max_examples=examples(80))
@given(step=matrix_steps())
@example(
    step=CELLS.format(
        "(if indexAsInt(k) == indexAsInt(i) then idx(l, idx(fromEnd(i), s)) else idx(l, idx(k, s)))"
    )
)
def test_any_step_computes_the_next_state(step: str) -> None:
    text = (
        "fun({N: nat}, x: N.N.i32 =>"
        f" generate(fun(i: idx[N] => i)) |> reduceSeq(fun(s: N.N.i32, i: idx[N] => {step}), x))"
    )
    e = rise.parse(text).main
    low = strategies.load("strategies.sequential:sequential")(e).program
    kernel = shine.compile(low, target="interpret")
    for size in (1, 2, 5):
        x = np.arange(size * size, dtype=np.int32).reshape(size, size)
        np.testing.assert_array_equal(kernel(x), rise.evaluate(e, x))


def seidel(a: N.N.f64):  # type: ignore[no-untyped-def]
    n = a.shape[0]
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] + a[i, j]) / 5.0
    return a


def eliminated(a: N.N.f64):  # type: ignore[no-untyped-def]
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            a[i, j] -= a[i, 0] * a[0, j]
    return a


def counted(counts: N.i64, keys: M.idx[N]):  # type: ignore[no-untyped-def]
    for i in range(keys.shape[0]):
        counts[keys[i]] += 1
    return counts


def substituted(x: N.f64):  # type: ignore[no-untyped-def]
    n = x.shape[0]
    for i in range(n - 2, -1, -1):
        x[i] -= 2 * x[i + 1]
    return x


@pytest.mark.parametrize("size", some([1, 2, 9], 3))
def test_only_elements_at_indices_from_data_and_at_descending_indices_are_stored(size: int) -> None:
    rng = np.random.default_rng(size)
    given: list[tuple[Any, list[Any]]] = [
        (counted, [rng.integers(0, 9, size), rng.integers(0, size, 20)]),
        (substituted, [rng.integers(0, 9, size).astype(np.float64)]),
    ]
    for function, arrays in given:
        for target in ("openmp", "interpret", "cuda-sim"):
            kernel = shine.compile(embedding.program(function), target=target)
            assert not re.search(r"== v\d|select\(eq", kernel.source)
            expected = function(*(array.copy() for array in arrays))
            np.testing.assert_array_equal(kernel(*arrays), expected)


def test_an_index_from_data_may_be_out_of_range() -> None:
    step = ROWS.format("if indexAsInt(k) == p then 9.0 else idx(k, s)")
    text = f"fun(x: N.f32, ps: M.i64 => ps |> reduceSeq(fun(s: N.f32, p: i64 => {step}), x))"
    low = strategies.load("strategies.sequential:sequential")(rise.parse(text).main).program
    ps = np.array([-1, 0, 5, 6, 2**62, -(2**63), 2**63 - 1, 3])
    for target in ("openmp", "interpret"):
        found = shine.compile(low, target=target)(np.ones(6, np.float32), ps)
        np.testing.assert_array_equal(found, [9, 1, 1, 9, 1, 9])


@pytest.mark.parametrize("function", some([seidel, eliminated], 2))
def test_assignments_in_python_loops_are_single_assignments(function: Any) -> None:
    kernel = shine.compile(embedding.program(function), target="openmp")
    loops = kernel.source[kernel.source.index("int kernel") :]
    assert " ? " not in loops and "next" not in loops
    assert loops.count("for (") == 4  # those of the copy of the input, and of the function
    for size in (2, 3, 9):
        a = np.random.default_rng(size).integers(0, 9, (size, size)).astype(np.float64)
        np.testing.assert_array_equal(kernel(a), function(a.copy()))


def swept(a: N.M.f64, b: N.M.f64):  # type: ignore[no-untyped-def]  # as a user writes it
    m = a.shape[1]
    for j in range(1, m):
        a[:, j] = b[:, j] - 2.0 * a[:, j - 1] + a[:, j]
    for j in range(m - 2, -1, -1):
        a[1:, j] += a[1:, j + 1] * a[:-1, j + 1]
    return a


def tripled(a: "N.3.M.f64"):  # type: ignore[no-untyped-def]  # as above
    for j in range(1, a.shape[2]):
        a[:, 1, j] = a[:, 0, j] + a[:, 1, j - 1]
    return a


def mixed(a: N.M.f64):  # type: ignore[no-untyped-def]
    for j in range(1, a.shape[1]):
        a[1:, j] = a[:-1, j] + a[1:, j - 1]
    return a


def overlapping(x: N.f64):  # type: ignore[no-untyped-def]
    for i in range(1, x.shape[0] - 1):
        x[i - 1 : i + 1] = x[i : i + 2]
    return x


def decomposed(a: N.N.f64):  # type: ignore[no-untyped-def]  # as above
    for k in range(a.shape[0]):
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k][:, None] * a[k, k + 1 :]
    return a


def decomposed_from_the_pivot(a: N.N.f64):  # type: ignore[no-untyped-def]  # as above
    for k in range(a.shape[0]):
        a[k:, k:] -= a[k:, k][:, None] * a[k, k:]
    return a


def rows_from_those_above(a: N.N.f64):  # type: ignore[no-untyped-def]  # as above
    for k in range(1, a.shape[0]):
        a[k:, k:] += a[k - 1 : -1, k:]
    return a


def with_pivots(a: N.N.f64):  # type: ignore[no-untyped-def]  # as above
    for k in range(a.shape[0]):
        p = np.argmax(a[:, k])
        a[[k, p]] = a[[p, k]]
    return a


def rows_from_one(a: N.N.f64):  # type: ignore[no-untyped-def]  # as above
    for k in range(a.shape[0]):
        a[k + 1 :, :k] += a[k, :k]
    return a


@pytest.mark.parametrize(
    ("function", "copies"),
    some(
        [
            (swept, 0),
            (tripled, 0),
            (mixed, 1),
            (overlapping, 1),
            (decomposed, 0),
            (rows_from_one, 0),
            (decomposed_from_the_pivot, 2),
            (rows_from_those_above, 1),
            (with_pivots, 2),
        ],
        2,
    ),
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_columns_are_stored_in_place_if_only_others_are_read(function: Any, copies: int) -> None:
    kernel = shine.compile(embedding.program(function), target="openmp")
    assert len(re.findall(r"^ +.*[=:] allocate", kernel.source.split("for (", 1)[1], re.MULTILINE)) == copies
    for size in (2, 3, 7):
        rng = np.random.default_rng(size)
        shapes = {swept: [(size, 4)] * 2, tripled: [(size, 3, 4)], mixed: [(size, 5)], overlapping: [(size,)]}
        given = shapes.get(function, [(size, size)])
        arrays = [rng.integers(0, 9, shape).astype(np.float64) for shape in given]
        np.testing.assert_array_equal(kernel(*arrays), function(*(array.copy() for array in arrays)))


def test_loops_over_threads_of_a_gpu_are_unchanged() -> None:
    text = """fun(x: 64.f32 => x |> split(64) |> mapBlock(0, fun(r: 64.f32 =>
        (generate(fun(i: idx[5] => i))
        |> reduceSeq(fun(s: 64.f32, i: idx[5] =>
             generate(fun(k: idx[64] => if indexAsInt(k) == indexAsInt(i) then 2.0 * idx(k, s) else idx(k, s)))
             |> mapThreads(0, fun(v: f32 => v))), r |> mapThreads(0, fun(v: f32 => v))))
        |> mapThreads(0, fun(v: f32 => v)))) |> join)"""
    kernel = shine.compile(rise.parse(text).main, target="cuda-sim", check=True)
    x = np.ones(64, np.float32)
    np.testing.assert_array_equal(kernel(x), [2.0] * 5 + [1.0] * 59)
