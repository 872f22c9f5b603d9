"""The canonical text: reading it gives the term that was printed, and it has the expected form. Independent of
rules.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.inference.names import is_reserved
from rise.inference.schemes import instantiate_primitive
from rise.inference.uses import OPERATORS
from rise.naturals import NatBound, const, nat
from rise.primitives import lookup
from rise.printer.operators import INFIX
from rise.printer.terms import show, show_brief, show_program
from rise.programs.program import parse, parse_expr
from rise.scalars import SCALARS
from rise.terms import (
    App,
    Bound,
    DepLam,
    Expr,
    Fact,
    Lam,
    Literal,
    Primitive,
    Var,
    apply,
    make_literal,
)
from rise.text.names import Names
from rise.types import (
    BOOL,
    F32,
    I32,
    Argument,
    ArrayType,
    ScalarType,
    TypeVar,
)
from tests.examples import deep

F16 = ScalarType("f16")


def use(name: str, *implicits: Argument) -> Primitive:
    """A primitive with its implicit arguments."""
    record = lookup(name)
    assert record is not None, name
    return instantiate_primitive(record, implicits)


# Literals

FLOATING = ("f16", "bf16", "f32", "f64")


@given(st.sampled_from(FLOATING), st.integers(0, (1 << 64) - 1))
def test_the_digits_of_a_literal_give_its_bits_back(name: str, bits: int) -> None:
    facts = SCALARS[name]
    value = float(np.array([bits & ((1 << facts.bits) - 1)], f"u{facts.bits // 8}").view(facts.dtype)[0])
    literal = make_literal(value, ScalarType(name))
    assert isinstance(literal, Literal)
    if math.isfinite(value):
        assert parse_expr(show(literal)) is literal


@pytest.mark.parametrize(
    ("literal", "shown"),
    [
        (make_literal(3, I32), "3"),
        (make_literal(-3, I32), "-3"),
        (make_literal(3, ScalarType("i64")), "3i64"),
        (make_literal(255, ScalarType("u8")), "255u8"),
        (make_literal(Fraction(1, 10), F32), "0.1"),
        (make_literal(-0.0, F32), "-0.0"),
        (make_literal(1, F32), "1.0"),
        (make_literal(Fraction(10) ** -7, F32), "1e-07"),
        (make_literal(Fraction(1, 10), F16), "0.1f16"),
        (make_literal(Fraction(1, 10), ScalarType("bf16")), "0.1bf16"),
        (make_literal(Fraction(1, 10), ScalarType("f64")), "0.1f64"),
        (make_literal(math.inf, F32), "inf"),
        (make_literal(-math.inf, F32), "-inf"),
        (make_literal(math.nan, F16), "(nan : f16)"),
        (make_literal(1, BOOL), "true"),
        (Literal(0, TypeVar("t", "num")), "(0 : t)"),
        (Literal(Fraction(-1, 8), TypeVar("t", "floating")), "(-0.125 : t)"),
        (Literal(struct.pack("<d", -0.0), TypeVar("t", "floating")), "(-0.0 : t)"),
    ],
)
def test_literals(literal: Literal, shown: str) -> None:
    assert show(literal) == shown


# Terms


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("fun(xs: 8.f32 => map(neg, xs))", "fun(xs: 8.f32 => map(neg{f32}, xs))"),
        (
            "fun(xs: 8.f32 => join(map(map(fun(x => x + 1.0)), split(4, xs))))",
            "fun(xs: 8.f32 => xs |> split(4) |> map(map{4}(fun(x: f32 => x + 1.0))) |> join)",
        ),
        (
            "fun(xs: 8.f32, ys: 8.f32 => map(mul, zip(xs, ys)))",
            "fun(xs: 8.f32, ys: 8.f32 => zip(xs, ys) |> map(fun(p: (f32, f32) => fst(p) * snd(p))))",
        ),
        ("fun(x: f16 => cast{f32}(x))", "fun(x: f16 => cast{f32}(x))"),
        ("generate(fun(i: idx[16] => 1u8))", "generate(fun(i: idx[16] => 1u8))"),
        (
            "fun(a: f32, b, c => (a + b) * c - (a - (b - c)))",
            "fun(a: f32, b: f32, c: f32 => (a + b) * c - (a - (b - c)))",
        ),
        ("fun(a: f32, b: f32 => if a < b && !(a == b) then -a else -(1.0))",) * 2,
        ("fun(a: f32 => [a, a * a])", "fun(a: f32 => [a, a * a])"),
        ("fun(f: f32 -> f32, x: f32 => f(f(x)))", "fun(f: f32 -> f32, x: f32 => f(f(x)))"),
        ("add{f32}(1.0)", "add{f32}(1.0)"),
        ("add(1f16)", "add(1.0f16)"),
        (
            "fun(x: f32 => map{4, f32, f32}(fun(y => 1.0)))",
            "fun(x: f32 => map{4, t = f32}(fun(y: f32 => 1.0)))",
        ),
        (
            "fun(x: f32 => x) >> fun(y: f32 => y)",
            "fun(x: f32 => x |> fun(x1: f32 => x1) |> fun(y: f32 => y))",
        ),
        ("fun(xs: N.f32 => split(4, xs))", "fun({N: nat}, xs: N.f32 => split(4, xs))"),
        (
            "fun({n: nat where 32 divides n, n <= 64}, xs: n.f32 => xs)",
            "fun({n: nat where 32 divides n, n <= 64}, xs: n.f32 => xs)",
        ),
        (
            "fun(n: nat, a: space, xs: n.f32 => toMem(a, xs))",
            "fun(n: nat, a: space, xs: n.f32 => toMem(a, xs))",
        ),
        ("fun({t: floating}, x: t => x * 0.5)", "fun({t: floating}, x: t => x * (0.5 : t))"),
        (
            "fun(x: 16.16.f16, i: Fragment[16, 16, 16, f16, Accum] =>"
            " tensorMatMulAdd(asFragment x, asFragment x, i))",
            "fun(x: 16.16.f16, i: Fragment[16, 16, 16, f16, Accum] =>\n"
            "  tensorMatMulAdd(asFragmentA{n = 16}(x), asFragmentB{16}(x), i))",
        ),
        (
            "fun(x: f32 => asMatrix(generateFragment{16, 16, 16} x))",
            "fun(x: f32 => generateFragment{16, 16, 16}(x) |> asMatrix)",
        ),
    ],
)
def test_terms(written: str, shown: str) -> None:
    e = parse_expr(written)
    assert show(e) == shown
    assert parse_expr(shown) == e


def test_long_terms_break_at_stages_and_bodies() -> None:
    written = """fun({K: nat}, {M: nat}, {N: nat}, a: M.K.f32, b: K.N.f32 =>
  a
  |> map(fun(aRow: K.f32 =>
    b
    |> transpose
    |> map(fun(bCol: K.f32 =>
      zip(aRow, bCol) |> map(fun(p: (f32, f32) => fst(p) * snd(p))) |> reduce(add{f32}, 0.0))))))"""
    assert show(parse_expr(written)) == written


def test_a_program_reads_back() -> None:
    program = parse(
        "val f = fun(x: f32 => x * x)\nval g = fun(xs: n.f32 => xs |> map(f))".replace("n.", "N.")
    )
    shown = show_program(program)
    assert shown == (
        "val f = fun(x: f32 => x * x)\n\n"
        "val g = fun({N: nat}, xs: N.f32 => xs |> map(fun(x: f32 => x * x)))\n"
    )
    assert dict(parse(shown)) == dict(program)


# Names


def test_names_capture_nothing() -> None:
    x = Var("x", F32)
    inner = Lam("x", F32, apply(use("add", F32), Bound(0, F32), x))
    assert show(inner) == "fun(x1: f32 => x1 + x)"
    nested = Lam("y", F32, Lam("y", F32, apply(use("add", F32), Bound(0, F32), Bound(1, F32))))
    assert show(nested) == "fun(y: f32, y1: f32 => y1 + y)"
    size = DepLam(
        "y",
        "nat",
        True,
        (),
        Lam("y", ArrayType(nat(NatBound(0)), F32), Bound(0, ArrayType(nat(NatBound(0)), F32))),
    )
    assert show(size) == "fun({y: nat}, y1: y.f32 => y1)"


@pytest.mark.parametrize("name", ["", "map", "fun", "f32", "Global", "no name", "inf", "makeArray3"])
def test_reserved_names_are_replaced(name: str) -> None:
    e = Lam(name, F32, Bound(0, F32))
    assert parse_expr(show(e)) == e


def test_names_are_free_again_after_their_scope() -> None:
    names = Names()
    first = names.bind_ordinary("x")
    second = names.bind_ordinary("x")
    assert (first.name, second.name) == ("x", "x1")
    names.release(second, names.ordinary)
    assert names.bind_ordinary("x").name == "x1"


def test_outer_bindings_are_shown_but_cannot_be_read() -> None:
    assert show(apply(use("add", F32), Bound(1, F32), Bound(0, F32))) == "%1 + %0"
    with pytest.raises(RiseError):
        parse_expr("%0")


def test_printing_inverts_reading() -> None:
    assert {operator.symbol: name for name, operator in INFIX.items()} == OPERATORS
    assert is_reserved("mapSeq") and is_reserved("then") and not is_reserved("xs")


def test_facts_refer_to_the_parameter_that_they_constrain() -> None:
    fact = Fact("divides", const(4), nat(NatBound(0)))
    assert (
        show(DepLam("n", "nat", True, (fact,), make_literal(1, F32)))
        == "fun({n: nat where 4 divides n} => 1.0)"
    )


# Depth and layout

DEPTH = deep(100_000)


def test_a_deep_pipeline_is_printed_with_one_stage_per_line() -> None:
    xs = ArrayType(const(16), F32)
    e: Expr = Var("xs", xs)
    stage = App(use("map", const(16), F32, F32), use("neg", F32))
    for _ in range(DEPTH):
        e = App(stage, e)
    shown = show(e)
    assert shown.count("\n") == DEPTH
    assert shown.endswith("\n|> map(neg{f32})\n|> map(neg{f32})")


def test_the_indentation_of_deep_nesting_is_limited() -> None:
    e: Expr = Var("x", F32)
    for _ in range(DEPTH // 5):
        e = apply(use("min", F32), e, make_literal(1, F32))
    assert len(show(e)) < 200 * DEPTH
    assert show_brief(e).startswith("min(min(min(") and len(show_brief(e)) <= 400
