"""Literals of vectors, ranges and indices, and `let` blocks: their meaning, and that they are printed as written."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
from rise import parse, parse_expr
from rise.naturals import nat
from rise.types import instantiate_dependent
from tests.examples import deep, examples

SAME = {
    "[0..8)": "generate(fun(k: idx[8] => k))",
    "fun(n: nat => [n..2 * n))": "fun(n: nat => drop(n, generate(fun(k: idx[2 * n] => k))))",
    "[1..1)": "drop(1, generate(fun(k: idx[1] => k)))",
    "vec[1.0, 2.0]": "[1.0, 2.0] |> asVector(2) |> idx(0)",
    "fun(x: f16 => vec[x, 2])": "fun(x: f16 => idx(0, asVector(2, [x, 2.0f16])))",
    "fun(v: vec[2, f32] => v * vec[1, 2])": "fun(v: vec[2, f32] => v * vec[1.0, 2.0])",
    "fun(xs: 8.f32 => gather([0, 4, 2], xs))": (
        "fun(xs: 8.f32 => gather([(0 : idx[8]), (4 : idx[8]), (2 : idx[8])], xs))"
    ),
    "fun(xs: N.f32 => xs |> gather([1]))": "fun(xs: N.f32 => gather(([1] : 1.idx[N]), xs))",
    "fun(xs: 8.f32, c: bool => xs |> idx(if c then 0 else 3))": (
        "fun(xs: 8.f32, c: bool => xs |> idx(if c then (0 : idx[8]) else (3 : idx[8])))"
    ),
    "fun(xs: 8.f32 => let is = [0, 4] in gather(is, xs))": (
        "fun(xs: 8.f32 => let(([0, 4] : 2.idx[8]), fun(is => gather(is, xs))))"
    ),
    "fun(xs: 8.f32 => [[0, 1], [2, 3]] |> map(fun(is => gather(is, xs))))": (
        "fun(xs: 8.f32 => ([[0, 1], [2, 3]] : 2.2.idx[8]) |> map(fun(is => gather(is, xs))))"
    ),
}
PRINTED = [
    "[0..8)",
    "fun(n: nat => [n..2 * n))",
    "fun(n: nat => [0..ceil(n, 2)) |> take(1))",
    "fun(n: nat => [0..n) |> drop(0))",
    "vec[1.0, -2.0]",
    "fun(x: f16 => vec[x, 2.0f16])",
    "fun(xs: 8.f32 => gather([0, 4, 2], xs))",
    "fun(xs: 8.f32 => idx(3, xs))",
    "fun(xs: 8.f32 => sqrt(xs |> map(sqrt{f32}) |> idx(3)))",
    "fun(x: f32 => let y = x + x let z: f32 = 2.0 in y * z)",
    "fun(x: f32 => (let y = x * x in y) + 1.0)",
    "fun(x: f32 => let y = let z = x * x in z + z in y)",
    "fun(c: bool, x: f32 => if c then let y = x * x in y + y else let y = x + x in y)",
    "fun({N: nat}, xs: N.f32 => xs |> map(fun(x: f32 => let y = x + x in y * y)))",
    "fun(x: f32 => let(x, sqrt{f32}))",
]


@pytest.mark.parametrize("text", SAME)
def test_a_literal_stands_for_its_term(text: str) -> None:
    assert parse_expr(text) == parse_expr(SAME[text])
    assert parse_expr(rise.show(parse_expr(text))) == parse_expr(text)


HIDDEN = {
    "fun(generate: f32 => [0..4))": "fun(x: f32 => [0..4))",
    "fun(drop: f32 => [1..4))": "fun(x: f32 => [1..4))",
    "fun(idx: f32, asVector: f32 => vec[idx, asVector])": "fun(x: f32, y: f32 => vec[x, y])",
    "fun(add: f32, makeArray2: f32 => [add + makeArray2, add])": "fun(x: f32, y: f32 => [x + y, x])",
    "fun(select: f32, neg: f32 => if select < neg then -select else -neg)": (
        "fun(x: f32, y: f32 => if x < y then -x else -y)"
    ),
}


@pytest.mark.parametrize("text", HIDDEN)
def test_variables_do_not_hide_the_meaning_of_notation(text: str) -> None:
    assert parse_expr(text) == parse_expr(HIDDEN[text])


@pytest.mark.parametrize("text", PRINTED)
def test_the_printed_text_is_as_people_write_it(text: str) -> None:
    assert rise.show(parse_expr(text)) == text


def test_the_meaning_of_literals() -> None:
    xs = np.arange(8, dtype=np.float32)
    assert rise.evaluate(parse_expr("fun(xs: 8.f32 => gather([4, 0, 4], xs))"), xs).tolist() == [4, 0, 4]
    assert rise.evaluate(parse_expr("[2..5)")).tolist() == [2, 3, 4]
    assert rise.evaluate(parse_expr("vec[1.0, 2.0] + vec[3.0, 4.0]")).tolist() == [4, 6]


def test_integers_without_a_type_stay_numbers_elsewhere() -> None:
    program = parse("val two = 2 val scaled = fun(x => x * 2) val order : 2.idx[8] = [1, 0]")
    assert [str(e.type) for e in program.values()] == ["i32", "{t: ring} -> t -> t", "2.idx[8]"]


VALUES = ["x", "1.0", "x * y", "let z = x in z + y", "(let z = y * 2.0 in z)", "vec[x, y] |> fun(v => x)"]


@given(st.lists(st.tuples(st.sampled_from("xyzuv"), st.sampled_from(VALUES)), min_size=1), st.integers(1, 60))
@settings(max_examples=examples(30), deadline=None)
def test_a_block_is_read_back_in_any_width(bindings: list[tuple[str, str]], width: int) -> None:
    block = " ".join(f"let {name} = {value}" for name, value in bindings)
    e = parse_expr(f"fun(x: f32, y: f32 => {block} in x - y)")
    shown = rise.show(e, width)
    assert parse_expr(shown) == e
    assert shown.count("let ") >= len(bindings) and "let(" not in shown


def test_deep_blocks_print() -> None:
    size = deep(1000)
    chain = "".join(f"let x{n + 1} = x{n} * 2.0 " for n in range(size))
    e = parse_expr(f"fun(x0: f32 => {chain}in x{size})")
    assert parse_expr(rise.show(e)) == e
    nested = "fun(x: f32 => " + "let y = " * size + "x" + " in y" * size + ")"
    assert parse_expr(rise.show(parse_expr(nested))) == parse_expr(nested)


@pytest.mark.parametrize(
    "text",
    [
        "val f = fun({t: num}, x: t => x + 300)\nval main = fun(x: i8 => f(x))",
        "val f = fun({t: num}, x: t => x + 1" + 400 * "0" + ")\nval main = fun(x: i64 => f(x))",
        "val main = fun(x: f32 => let y = fun(n => n > 99999999999999999999) in y(3i64))",
    ],
)
def test_a_definition_is_rejected_at_a_type_without_its_numbers(text: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.parse(text)
    found = caught.value.diagnostic
    assert found.code == "number" and found.labels and found.hint and len(found.title) < 200
    start = found.labels[0].start
    assert text[start] in "fy"


THREE = "xs |> map(fun(x => (3 : idx[N])))"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            f"fun(p: 2.f32 => p |> fun(N: nat, xs: N.f32 => {THREE})(2))",
            f"fun(N: nat, xs: N.f32 => {THREE})",
        ),
        (f"fun(p: 2.f32 => p |> fun(M: nat => fun(N: nat, xs: N.f32 => {THREE})(M))(2))", None),
        (f"val f = fun(N: nat, xs: N.f32 => {THREE})\nval g = fun(p: 2.f32 => f(2, p))", "f"),
        (
            f"val f = fun(M: nat => fun(N: nat, xs: N.f32 => {THREE})(M))\nval g = fun(p: 2.f32 => f(2)(p))",
            "f",
        ),
    ],
)
def test_an_index_that_is_out_of_range_at_a_call_is_rejected_there(text: str, place: str | None) -> None:
    with pytest.raises(rise.RiseError) as caught:
        parse(text)
    told = caught.value.diagnostic
    assert told.code == "number" and "expected an index below 2, found 3" in told.title
    (label,) = told.labels
    assert place is None or text[label.start : label.end] == place
    parse(text.replace("2.f32", "4.f32").replace("(2", "(4"))


def test_an_index_out_of_range_at_a_size_is_one_diagnostic() -> None:
    """Also without a text, since the library and rewriting also create terms."""
    e = parse_expr(f"fun(N: nat, xs: N.f32 => {THREE})")
    with pytest.raises(rise.RiseError) as caught:
        instantiate_dependent(e.body, nat(2))
    assert caught.value.diagnostic.code == "number"
