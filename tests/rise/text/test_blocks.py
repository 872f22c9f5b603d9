"""`let` blocks: values that are computed once, and functions that replace their names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
from rise import RiseError, parse, parse_expr
from rise.inference.locals import general_functions
from rise.text.reader import read_expression
from tests.examples import deep, examples

SAME = {
    "fun(x: f32 => let y = x + x in y * y)": "fun(x: f32 => let(x + x, fun(y => y * y)))",
    "fun(x: f32 => let y = x let z = y in z)": "fun(x: f32 => let(x, fun(y => let(y, fun(z => z)))))",
    "fun(x: f32 => let y = x in let z = y in z)": "fun(x: f32 => let(x, fun(y => let(y, fun(z => z)))))",
    "fun(x: f32 => let y = let z = x in z in y)": "fun(x: f32 => let(let(x, fun(z => z)), fun(y => y)))",
    "fun(x: f32 => let x = x * x in x)": "fun(x: f32 => let(x * x, fun(x => x)))",
    "let n : f16 = 1 in n": "let(1f16, fun(n => n))",
    "fun(x: f32 => let f = add(x) in f(f(x)))": "fun(x: f32 => add(x)(add(x)(x)))",
    "fun(x: f32 => let y = x let f = fun(z => z + y) in f(y))": "fun(x: f32 => let(x, fun(y => fun(z => z + y)(y))))",
    "fun(x: f32 => let f = fun(z => z + x) let y = x in f(y))": "fun(x: f32 => let(x, fun(y => fun(z => z + x)(y))))",
    "fun(x: f32 => let f = fun(z => z + x) in map(f))": "fun(x: f32 => map(fun(z => z + x)))",
    "fun(xs: N.f32 => let f = fun(ys: N.f32 => ys) in f(xs))": "fun(xs: N.f32 => fun(ys: N.f32 => ys)(xs))",
    "fun(x: f32 => let f = (+) in f(x, x))": "fun(x: f32 => add(x, x))",
    "fun(let: i32 => let)": "fun(x: i32 => x)",
    "fun(in: f32 => let in = in * in in in)": "fun(in: f32 => let(in * in, fun(x => x)))",
}


@pytest.mark.parametrize("text", SAME)
def test_a_block_stands_for_its_term(text: str) -> None:
    e = parse_expr(text)
    assert e == parse_expr(SAME[text])
    assert parse_expr(rise.show(e)) == e


@given(
    st.lists(st.sampled_from(["let a = a + b", "let b = a * 2.0", "let f = fun(c => c + a)", "let b = f(a)"]))
)
@settings(max_examples=examples(20), deadline=None)
def test_nested_blocks_are_one_block(bindings: list[str]) -> None:
    """`let a let b in e` is `let a in let b in e`."""
    body = "fun(a: f32, b: f32 => let f = fun(c => c * b) "
    together = body + " ".join([*bindings, "in f(a) - b)"])
    apart = body + " ".join(["", *bindings, ""]).replace(" let", " in let") + " in f(a) - b)"
    assert parse_expr(together) == parse_expr(apart)


def test_a_function_without_free_variables_is_polymorphic() -> None:
    text = "fun(xs: N.f32, ys: M.f64 => let sq = fun(v => v |> map(fun(x => x * x))) in pair(sq(xs), sq(ys)))"
    assert str(parse_expr(text).type) == "{N: nat} -> {M: nat} -> N.f32 -> M.f64 -> (N.f32, M.f64)"
    one, two = rise.evaluate(parse_expr(text), np.full(2, 3, np.float32), np.full(1, 2.0))
    assert one.tolist() == [9, 9] and two.tolist() == [4]


def test_a_function_with_explicit_sizes_is_polymorphic() -> None:
    text = """fun(s: f32, xs: N.f32 =>
      let scaled = fun({n: nat}, v: n.f32 => v |> map(fun(x => x * s))) in pair(scaled(xs), scaled{2}([s, s])))"""
    assert str(parse_expr(text).type) == "{N: nat} -> f32 -> N.f32 -> (N.f32, 2.f32)"


def test_which_functions_are_general() -> None:
    text = """fun(a, b =>
      let f = fun(a => a)
      let g = fun(x => f(f(x)))
      let h = fun(x => g(x) + b)
      let i = fun(x => let h = fun(y => y) in h(x))
      let j = fun(x => let k = fun(y => y + x) let l = fun(y => i(y)) in h(l(x)))
      let n = fun(x : N.f32 => x)
      in a)"""
    found = list(general_functions(read_expression(text)))
    assert [one.binding.name for one in found] == ["f", "g", "h", "i", "l"]
    assert [sorted(one.uses) for one in found] == [[], ["f"], [], [], ["i"]]


def test_deep_blocks() -> None:
    size = deep(1000)
    chain = "".join(f"let x{n + 1} = x{n} * 2.0 " for n in range(size))
    assert parse_expr(f"fun(x0: f32 => {chain} in x{size})").type
    size = deep(20_000)
    nested = "let y = " * size + "x" + " in y" * size
    assert parse_expr(f"fun(x: f32 => {nested})").type
    size = deep(200)
    functions = "let f = fun(x => " * size + "x" + ") in f(x)" * (size - 1) + ") in f"
    assert str(parse_expr(functions).type) == "{t: data} -> t -> t"


def test_a_local_name_is_unknown_after_its_block() -> None:
    with pytest.raises(RiseError) as caught:
        parse("val f = fun(x => (let y = x in y) + y)")
    assert caught.value.diagnostic.code == "unknown-name"
