"""Tuples, and patterns that name their parts: as parameters, in blocks, in types, and as arguments of calls."""

import numpy as np
import pytest

import rise
import shine
from rise import RiseError, parse_expr
from rise.text.reader import read_equation, read_expression
from rise.text.trees import same_tree
from tests.examples import deep

SAME = {
    "fun(x: f32 => (x, 1.0))": "fun(x: f32 => pair(x, 1.0))",
    "fun(x: f32 => (x, (x, x), x))": "fun(x: f32 => pair(x, pair(pair(x, x), x)))",
    "fun(x: (f32, i32, bool) => x)": "fun(x: (f32, (i32, bool)) => x)",
    "fun(x: ((f32, i32), bool, N.f32) => x)": "fun(x: ((f32, i32), (bool, N.f32)) => x)",
    "fun((a, b): (f32, f32) => a - b)": "fun(p: (f32, f32) => fst(p) - snd(p))",
    "fun((a: f32, b: i32) => b)": "fun(p: (f32, i32) => snd(p))",
    "fun((a, b, c): (f32, i32, f64), fun(c: f32, (c, b)))": "fun(p: (f32, (i32, f64)), c: f32 => pair(c, fst(snd(p))))",
    "fun(((a, b): (f32, f32), c: f32) => a * b + c)": "fun(p: ((f32, f32), f32) => fst(fst(p)) * snd(fst(p)) + snd(p))",
    "fun(xs: N.(f32, f32) => xs |> map(fun((a, b) => a * b)))": "fun(xs: N.(f32, f32) => xs |> map(mul))",
    "fun(x: f32, p: f32 => let (a, (b, c)) = (x, (p, 1.0)) in a * p + b * c)": (
        "fun(x: f32, p: f32 => let q = pair(x, pair(p, 1.0)) in fst(q) * p + fst(snd(q)) * snd(snd(q)))"
    ),
    "fun(x: (f32, f32) => let (a, b) : (f32, f32) = x let c = a + b let (_, d) = (c, a) in d)": (
        "fun(x: (f32, f32) => let p = x let c = fst(p) + snd(p) let q = pair(c, fst(p)) in snd(q))"
    ),
    "fun(x: (f32, f32) => let f = fun((a, b) => (b, a)) in f(f(x)))": (
        "fun(x: (f32, f32) => let f = fun(p => pair(snd(p), fst(p))) in f(f(x)))"
    ),
    "fun(e: f32, f: f32 -> f32 => let (e, f) |> add(e))": "fun(e: f32, f: f32 -> f32 => let(e, f) |> add(e))",
    "fun(x: f32 => add (x, x))": "fun(x: f32 => x + x)",
}


@pytest.mark.parametrize("text", SAME)
def test_patterns_and_tuples_are_pairs(text: str) -> None:
    e = parse_expr(text)
    assert e == parse_expr(SAME[text])
    assert parse_expr(rise.show(e)) == e


def test_let_in_an_equation_is_the_primitive() -> None:
    assert same_tree(read_equation("let(x, f) = f(x)"), read_equation("let x f = f x"))


def test_a_pattern_matches_only_pairs() -> None:
    with pytest.raises(RiseError, match=r"expected \(.*\), found f32"):
        parse_expr("fun(x: f32 => let (a, b) = x in a)")
    with pytest.raises(RiseError, match=r"expected \(.*\), found f32"):
        parse_expr("fun(x: (f32, f32) => let (_, _, _) = x in 1)")
    with pytest.raises(RiseError, match="found the function"):
        parse_expr("let (f, x) = (fun(y => y), 1.0) in f(x)")


def test_holes_list_the_names_of_a_pattern() -> None:
    with pytest.raises(RiseError) as caught:
        parse_expr("fun((a, b): (f32, i32) => add(typeHole, a))")
    assert caught.value.diagnostic.notes == ("in scope: b : i32", "in scope: a : f32")


def test_long_and_deep_patterns_are_read() -> None:
    """The names of a pattern are as many as its parts, whose types are nested as deeply."""
    n = deep(300)
    names = ", ".join(f"x{i}" for i in range(n))
    e = parse_expr(f"fun(x: f32 => let ({names}) = ({', '.join(['x'] * n)}) in x0 + x{n - 1})")
    assert str(e.type) == "f32 -> f32"
    nested = "(" * n + "a" + ", b)" * n
    assert read_expression(f"fun({nested} => a)".replace("b", "_"))


def test_a_tuple_of_three_may_be_one_argument() -> None:
    program = rise.parse("""
    val main = fun(xs: N.(f32, f32, i32), (a, b, c): (f32, f32, f32) =>
      (xs |> map(fun((x, y, z) => x * a + y * b + cast{f32}(z) * c)), a, b - c))
    """)
    xs, zs = np.arange(4, dtype=np.float32), np.arange(4, dtype=np.int32)
    expected = (xs * 6).tolist(), (1, -1)
    kernel = shine.compile(program, target="interpret")
    for arrays, numbers in (((xs, xs, zs), (1.0, 2.0, 3.0)), ((xs, (xs, zs)), (1.0, (2.0, 3.0)))):
        for run in (kernel, lambda *given: rise.evaluate(program, *given)):
            found, (first, second) = run(arrays, numbers)
            assert (found.tolist(), (first, second)) == expected
    for run in (kernel, lambda *given: rise.evaluate(program, *given)):
        with pytest.raises(RiseError, match="found a tuple of 3"):
            run((xs, xs, zs, xs), (1.0, 2.0, 3.0))
