"""The diagnostics for terms that cannot become kernels: the whole message, and its position. Depends on the errors."""

from __future__ import annotations

from typing import Any

import pytest

import rise
from rise.inference.schemes import instantiate_primitive
from rise.naturals import const
from rise.primitives import PRIMITIVES
from rise.terms import App, Bound, Expr, Lam
from rise.types import F32, ArrayType
from shine.translate import TranslationError, translate
from tests.shine.translate.interpretation import program

COPY_HINT = "hint: copy it: `mapSeq(id)`, or `mapPar(mapSeq(id))` for rows"
STORE_HINT = (
    "hint: store it with `toMem(Local)` (one thread's memory) or `toMem(Global)`,"
    " or fuse it into its consumer before it is lowered: strategies.parts.nests:fuse"
)
LOWER_HINT = (
    ": end the strategy with a lowering, such as `>> sequential`,"
    " or use the target's own (`shine list targets`)"
)
FOUND_READ = "error[not-written]: expected an expression that writes its result, found"
MESSAGES = {
    "fun(xs: N.f32 => xs)": f"""{FOUND_READ} an array that is in memory, which is only read
{COPY_HINT}""",
    "fun(xs: 8.f32 => xs |> slide(3, 1))": f"""{FOUND_READ} `slide`, which is only read
{COPY_HINT}""",
    "fun(xs: 8.f32 => toMem(Local, mapSeq(id)(xs)))": f"""{FOUND_READ} `toMem`, which is only read
{COPY_HINT}""",
    "fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)) |> reduceSeq(add)(0.0))": f"""\
error[not-stored]: expected an array to read, found `mapSeq`: the program does not say where to store its result
{STORE_HINT}""",
    "fun(xs: 2.N.f32 => xs |> map(mapSeq(fun(x => x + 1.0))) |> mapSeq(reduceSeq(add)(0.0)))": f"""\
error[not-stored]: expected an array to read, found `mapSeq`: the program does not say where to store its result
{STORE_HINT}""",
    "fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)))": f"""\
error[not-lowered]: expected a low-level program, found the high-level `map`
hint: lower it to mapSeq, mapSeqUnroll or mapPar{LOWER_HINT}""",
    "fun(xs: N.f32 => let(xs |> map(fun(x => x + 1.0)) |> split(4), fun(ys => ys)))": f"""\
error[not-lowered]: expected a low-level program, found the high-level `map`
hint: lower it to mapSeq, mapSeqUnroll or mapPar{LOWER_HINT}""",
    "fun(xs: N.f32 => (fun(ys => pair(ys, ys)))(xs |> map(fun(x => x + 1.0))))": f"""\
error[not-lowered]: expected a low-level program, found the high-level `map`
hint: lower it to mapSeq, mapSeqUnroll or mapPar{LOWER_HINT}""",
    "fun(xs: N.f32 => let(xs |> split(4), fun(ys => ys)))": f"""\
{FOUND_READ} an array that is in memory, which is only read
{COPY_HINT}""",
    "fun(xs: 8.f32 => (fun(n: nat => xs |> split(8 /^ n) |> mapSeq(reduceSeq(add, 0.0))))(0))": """\
error[size-not-natural]: expected sizes that are natural numbers, found a division by zero for `n` = 0
hint: call the function with a size for which its divisions are defined""",
    "fun(xs: M.f32 => (fun(n: nat => generate(fun(i: idx[(M + 1)^n] => 1.0))"
    " |> reduceSeq(add, 0.0)))(4611686018427387904))": """\
error[size-too-large]: a size has at most 2048 terms and 256 bits, but this one would have more
hint: give the inner size its own name""",
    "fun(xs: N.f32 => xs |> reduce(add)(0.0))": f"""\
error[not-lowered]: expected a low-level program, found the high-level `reduce`
hint: lower it to reduceSeq or reduceSeqUnroll{LOWER_HINT}""",
    "fun(xs: N.f32 => xs |> scan(add)(0.0))": f"""\
error[not-lowered]: expected a low-level program, found the high-level `scan`
hint: lower it to scanSeq{LOWER_HINT}""",
    "fun(xs: N.f32 => xs |> mapBlock(0)(fun(x => x + 1.0)))": """\
error[no-such-level]: expected a map that the target can run, found `mapBlock`
hint: lower it to mapSeq, mapSeqUnroll or mapPar here; blocks, threads, warps and lanes need a GPU target""",
    "fun(xs: 3.4.f32 => xs |> mapPar(fun(r => r |> mapPar(id) |> toMem(Local) |> mapSeq(id))))": """\
error[nested-parallel]: expected a parallel loop with sequential ones inside, found mapPar inside mapPar
hint: lower the inner map to mapSeq""",
    "fun(xs: 9.f32 => xs |> drop(1) |> asVectorAligned(4) |> mapSeq(id) |> asScalar)": """\
error[misaligned]: expected vectors at multiples of 4 elements, found one 1 past a multiple
hint: use asVector, which needs no alignment""",
    "fun(n: nat, xs: (2*n).f32 => xs |> asVector(n) |> mapSeq(id) |> asScalar)": """\
error[vector-width]: expected a vector of a known number of lanes, found a symbolic one
hint: fix it with rise.specialise""",
    "fun({t: num}, xs: 9.t => xs |> mapSeq(id))": """\
error[polymorphic]: expected a term whose types are known, found the parameter `t: num`
hint: choose it with rise.specialise(e, t=...)""",
    "fun(f: f32 -> f32, xs: 9.f32 => xs |> mapSeq(f))": """\
error[function-parameter]: expected data, found a function as `f`
hint: apply it before compiling""",
    "fun(k: nat, m: nat, xs: (m*2^k).f32 => xs |> iterate(k)(fun(l: nat, ys: (l*2).f32 =>"
    " ys |> split(2) |> mapSeq(reduceSeq(add)(0.0)))))": """\
error[iterate]: expected a known number of steps of at most 64, for arrays that get shorter
hint: fix it with rise.specialise""",
}


@pytest.mark.parametrize("text", MESSAGES)
def test_an_error_is_explained(text: str) -> None:
    title, note, hint = message(program(text)).splitlines()
    assert f"{title}\n{hint}" == MESSAGES[text]
    assert note.startswith("note: in ")


def message(e: Expr, **options: Any) -> str:
    with pytest.raises(TranslationError) as caught:
        translate(e, **options)
    return str(caught.value)


def test_an_error_has_a_position() -> None:
    e = program("fun(xs: N.f32 => xs |> mapSeq(fun(x => x + 1.0)) |> reduceSeq(add)(0.0))")
    with pytest.raises(TranslationError) as caught:
        translate(e)
    for step in caught.value.origin:
        e = e.children[step]
    assert e.root == ("mapSeq", 2)


def test_an_error_shows_the_sub_term_with_the_names_of_the_text() -> None:
    (note,) = [
        line
        for line in message(program("fun(rows: M.N.f32 => rows |> mapSeq(fun(row => row)))")).splitlines()
        if line.startswith("note")
    ]
    assert note == "note: in row"


def test_a_target_without_threads_has_no_parallel_map() -> None:
    e = program("fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))")
    found = message(e, levels=frozenset())
    assert "found `mapPar`" in found
    assert "lower it to mapSeq or mapSeqUnroll here" in found


@pytest.mark.parametrize(
    "text",
    [
        "fun(xs: 12.f32 => xs |> mapPar(fun(x => x + 1.0)) |> split(4) |> transpose |> join)",
        "fun(n: nat, xs: n.n.f32 => xs |> mapPar(mapSeq(id)) |> transpose)",
        "fun(n: nat, xs: (8*n).f32 => xs |> split(8) |> mapSeq(mapPar(id)) |> transpose |> join)",
    ],
)
def test_writes_that_are_proved_to_be_disjoint_are_no_error(text: str) -> None:
    translate(program(text))


def test_a_deep_nest_is_refused() -> None:
    def nest(depth: int) -> Expr:
        t = ArrayType(const(2), F32)
        copy: Expr = instantiate_primitive(PRIMITIVES["id"], (F32,))
        t_inner: Any = F32
        for _ in range(depth):
            t = ArrayType(const(2), t_inner)
            copy = App(instantiate_primitive(PRIMITIVES["mapSeq"], (const(2), t_inner, t_inner)), copy)
            t_inner = t
        return Lam("xs", t, App(copy, Bound(0, t)))

    translate(nest(64))
    assert message(nest(65)).startswith("error[too-deep]")
    loops = "xs |> reduceSeq(fun(a, x => {}))(0.0)"
    text = "a + x"
    for _ in range(201):
        text = loops.format(text)
    assert message(program(f"fun(xs: 2.f32 => {text})")).startswith(
        "error[too-deep]: expected at most 200 nested loops"
    )


def test_a_free_variable_is_refused() -> None:
    found = message(rise.parse_expr("xs |> mapSeq(id)", context={"xs": "2.f32"}))
    assert found.startswith("error[free-variable]: `xs` is free")


def test_sizes_that_do_not_fit_are_refused_before_an_index_is_divided_by_one() -> None:
    """`take` needs an element; `join` would count rows of no elements."""
    e = program(
        "fun({K: nat}, xs: (2 * K).f32 => xs |> split(2) |> transpose |> join |> take(1) |> mapSeq(id))"
    )
    e = rise.specialise(e, K=0)
    with pytest.raises(TranslationError) as caught:
        translate(e, "none")
    assert caught.value.diagnostic.code == "size-mismatch"
