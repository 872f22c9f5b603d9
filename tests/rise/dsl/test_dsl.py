"""RISE written in Python results in the same terms as its text, and reports errors by one diagnostic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import rise
from rise import RiseError, dsl, parse, parse_expr
from rise.dsl import Term, TermLike, build, define, exact_quotient, fun, if_, lift, literal, nat, var
from rise.dsl.printer import Application, Parenthesized, TextPiece, TypeText
from rise.nodes import postorder
from rise.primitives import PRIMITIVES
from rise.printer.literals import literal_text
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive
from rise.testing import terms
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from rise.types import Space
from tests.examples import examples

SAME: list[tuple[Callable[[], TermLike], str]] = [
    (
        lambda: fun(
            lambda xs, ys: dsl.zip(xs, ys) | dsl.map(dsl.mul) | dsl.reduce(dsl.add, 0.0), "N.f32", "N.f32"
        ),
        "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))",
    ),
    (
        lambda: fun(
            lambda n, xs: xs | dsl.split(n) | dsl.map(dsl.map(lambda x: -x)), n="nat", xs="(n*4).f32"
        ),
        "fun(n: nat, xs: (n*4).f32 => xs |> split(n) |> map(map(fun(x => -x))))",
    ),
    (
        lambda: fun(lambda n, xs: dsl.take(n // 2 + 1)(xs), "nat", "(n/2+3).f32"),
        "fun(n: nat, xs: (n/2+3).f32 => take(n / 2 + 1)(xs))",
    ),
    (
        lambda: fun(lambda n, xs: dsl.split(exact_quotient(n, 4))(xs), "nat where 4 divides n", "n.f32"),
        "fun(n: nat where 4 divides n, xs: n.f32 => split(n /^ 4)(xs))",
    ),
    (
        lambda: fun(lambda n, xs: xs, "{nat where 4 divides n}", "n.f32"),
        "fun({n: nat where 4 divides n}, xs: n.f32 => xs)",
    ),
    (lambda: fun(lambda t, x: x * 2, "{num}", "t"), "fun({t: num}, x: t => x * 2)"),
    (lambda: fun(lambda x: if_(x < 0, -x, x + 1.5), "f32"), "fun(x: f32 => if x < 0 then -x else x + 1.5)"),
    (
        lambda: fun(lambda x, y: (x == y, ~(x != y)), "i32", "i32"),
        "fun(x: i32, y: i32 => pair(x == y, !(x != y)))",
    ),
    (lambda: fun(lambda x: 1 - x / 2 % 3, "i32"), "fun(x: i32 => 1 - x / 2 % 3)"),
    (lambda: [1, 2, 3], "[1, 2, 3]"),
    (lambda: [-1.5, 2], "[-1.5, 2]"),
    (lambda: -lift(1.0), "-(1.0)"),
    (lambda: lift(-1.0), "-1.0"),
    (lambda: float("-inf"), "-inf"),
    (lambda: True, "true"),
    (lambda: np.float16(0.1), "0.1f16"),
    (lambda: np.uint8(200), "200u8"),
    (lambda: np.bool_(False), "false"),
    (lambda: np.float64("nan"), "(nan : f64)"),
    (lambda: literal(3, "u8"), "3u8"),
    (lambda: fun(lambda x: dsl.cast["f32"](x), "f16"), "fun(x: f16 => cast{f32}(x))"),
    (
        lambda: fun(lambda n: dsl.generateFragment[n, 16, n * 2](0.0), "nat"),
        "fun(n: nat => generateFragment{n, 16, 2*n}(0.0))",
    ),
    (lambda: dsl.map(dsl.neg) >> (dsl.split(2) >> dsl.join), "map(neg) >> (split(2) >> join)"),
    (lambda: fun(lambda x: x | dsl.toMem(dsl.Local), "f32"), "fun(x: f32 => toMem(Local)(x))"),
    (lambda: dsl.and_(True, dsl.not_(False)), "true && !false"),
    (
        lambda: fun(lambda x: dsl.let(x + x, lambda y: y * y), "f32"),
        "fun(x: f32 => let(x + x, fun(y => y * y)))",
    ),
    (lambda: dsl.padEmpty(dsl.ceil(nat("N"), 32))(var("xs", "N.f32")), "padEmpty(ceil(N, 32))(xs)"),
    (lambda: var("xs", "n.f32") | dsl.map(dsl.neg), "xs |> map(neg)"),
    (lambda: dsl.mult(2.0, 3.0), "2.0 * 3.0"),
]


@pytest.mark.parametrize(("built", "text"), SAME, ids=[text for _, text in SAME])
def test_terms_built_in_python_equal_terms_read_from_text(built: Callable[[], TermLike], text: str) -> None:
    context = {"xs": "N.f32" if "N" in text else "n.f32"} if "fun" not in text and "xs" in text else {}
    assert build(built()) == parse_expr(text, context)


def test_the_listing_of_the_paper() -> None:
    text = """
      val dot = fun(as, fun(bs, zip(as)(bs) |> map(fun(ab, mult(fst(ab))(snd(ab)))) |> reduce(add)(0)))
      val mm = fun(a : M.K.float, fun(b : K.N.float,
        a |> map(fun(arow, transpose(b) |> map(fun(bcol, dot(arow)(bcol)))))))"""
    dot = fun(
        lambda xs, ys: dsl.zip(xs)(ys) | dsl.map(lambda p: dsl.fst(p) * dsl.snd(p)) | dsl.reduce(dsl.add)(0)
    )
    mm = fun(
        lambda a, b: (
            a | dsl.map(lambda row: dsl.transpose(b) | dsl.map(lambda col: dsl.definition("dot")(row)(col)))
        ),
        "M.K.float",
        "K.N.float",
    )
    assert dict(define(dot=dot, mm=mm)) == dict(parse(text))


@settings(max_examples=examples(30))
@given(terms())
def test_every_term_can_be_built(e: Expr) -> None:
    assert build(built(e)) == e
    assert build(e) == e


def built(e: Expr) -> TermLike:
    """A closed term, written in Python."""

    def inner(e: Expr, values: tuple[Term, ...], names: tuple[str, ...]) -> TermLike:
        match e:
            case Bound(index):
                return values[-1 - index]
            case Lam(_, parameter, body):
                return fun(lambda x: inner(body, (*values, x), names), show_type(parameter, names))
            case DepLam(_, kind, implicit, facts, body):
                name = f"n{len(names)}"
                inside = (*names, name)
                where = [
                    f"{show_nat(f.left, inside)} {f.relation} {show_nat(f.right, inside)}" for f in facts
                ]
                text = kind + "".join(f" where {fact}" for fact in where)
                shown = f"{{{text}}}" if implicit else text
                scope: dict[str, Any] = {"inner": inner, "body": body, "values": values, "names": inside}
                function = eval(
                    f"lambda {name}: inner(body, values, names)", scope
                )  # the name of a size counts
                return fun(function, shown)
            case App(f, argument):
                return lift(inner(f, values, names))(inner(argument, values, names))
            case DepApp(f, given):
                shown = given.name if isinstance(given, Space) else show_nat(given, names)
                function = lift(inner(f, values, names))
                is_implicit = getattr(f.type, "implicit", False)
                return (
                    function[shown] if is_implicit else Term(Application(function.syntax, (TypeText(shown),)))
                )
            case Literal(_, given):
                text, is_ascribed = literal_text(e)
                return Term(
                    Parenthesized((text, " : ", TypeText(show_type(given, names))))
                    if is_ascribed
                    else TextPiece(text, False)
                )
            case Primitive(name, implicits):
                shown_implicits = [
                    show_type(one, names) if isinstance(one, rise.Type) else show_nat(one, names)
                    for one in implicits
                ]
                plain = getattr(dsl, f"{name}_" if name in ("and", "or", "not") else name)
                return plain[tuple(shown_implicits)] if shown_implicits else plain
        raise AssertionError(e)

    return inner(e, (), ())


def test_every_primitive_is_available() -> None:
    for name in PRIMITIVES:
        plain = f"{name}_" if name in ("and", "or", "not") else name
        assert plain in dsl.__all__
        assert build(getattr(dsl, plain)) == parse_expr(name)


def test_all_names_can_be_imported() -> None:
    scope: dict[str, object] = {}
    exec("from rise.dsl import *", scope)
    assert scope.keys() >= set(dsl.__all__)
    assert not hasattr(dsl, "mapp")
    with pytest.raises(AttributeError, match="did you mean `map`"):
        _ = dsl.mapp


# Names


def test_variables_are_identified_by_objects_not_names() -> None:
    def add_to(y: Term) -> Term:
        return fun(lambda x: x + y, "f32")

    built = fun(lambda x: add_to(x), "f32")
    assert build(built) == parse_expr("fun(x: f32 => fun(y: f32 => y + x))")
    assert str(built) == "fun(x: f32 => fun(x1: f32 => (x1 + x)))"
    sizes = fun(lambda n: fun(lambda n: dsl.take(n), "nat")(n), "nat")
    assert build(sizes) == parse_expr("fun(n: nat => (fun(m: nat => take(m)))(n))")
    types = fun(lambda n: fun(lambda n, xs: xs, "nat", "n.f32"), "nat")
    assert build(types) == parse_expr("fun(n: nat => fun(m: nat, xs: m.f32 => xs))")


def test_names_with_a_meaning_are_not_hidden() -> None:
    assert build(fun(lambda map, id: dsl.map(map)(id), "f32 -> f32", "8.f32")) == parse_expr(
        "fun(f: f32 -> f32, xs: 8.f32 => map(f)(xs))"
    )
    assert build(fun(lambda xs: xs + var("xs", "f32"), "f32")) == parse_expr(
        "fun(x: f32 => x + xs)", {"xs": "f32"}
    )
    assert build(fun(lambda α: α, "f32")) == parse_expr("fun(x: f32 => x)")


def test_a_name_in_a_type_means_the_enclosing_size_or_type() -> None:
    inner = fun(lambda t, x: x, "{num}", "8.t")
    assert build(fun(lambda t, x: inner(x), "{num}", "8.t")) == parse_expr(
        "fun({t: num}, x: 8.t => (fun({s: num}, y: 8.s => y))(x))"
    )
    promised = fun(
        lambda n: fun(lambda n, x: x, "nat where 4 divides n", "n.f32")(n), "nat where 4 divides n"
    )
    assert build(promised) == parse_expr(
        "fun(n: nat where 4 divides n => (fun(m: nat where 4 divides m, x: m.f32 => x))(n))"
    )
    braces = fun(lambda m: fun(lambda m, x: x | dsl.split["m = 4"](2), "nat", "8.f32")(m), "nat")
    assert build(braces) == parse_expr("fun(m: nat => (fun(n: nat, x: 8.f32 => x |> split(2)))(m))")
    assert build(fun(lambda N, xs: xs | dsl.map(dsl.mul(N)), "f32", "N.f32")) == parse_expr(
        "fun(a: f32, xs: N.f32 => xs |> map(mul(a)))"
    )
    rows = fun(lambda i, n: fun(lambda xs: xs, "n..(i |-> (i + 1).f32)")(n), "nat", "3..(j |-> (j + 1).f32)")
    assert "n..(i |-> (i + 1).f32)" in str(rows)


def test_parameters_may_have_names_of_primitives() -> None:
    assert build(fun(lambda mult: dsl.mult(mult, 2.0), "f32")) == parse_expr("fun(x: f32 => x * 2.0)")
    assert build(fun(lambda makeArray2: [makeArray2, 1.0], "f32")) == parse_expr("fun(x: f32 => [x, 1.0])")
    assert dict(define(x=lift(2.0), f=fun(lambda x: x + dsl.definition("x"), "f32"))) == dict(
        parse("val x = 2.0\nval f = fun(y: f32 => y + x)")
    )


def test_terms_that_were_parsed_can_be_used() -> None:
    square = parse_expr("fun(x => x * x)")
    text = "fun(x: f32 => (fun(x: f32 => x * x))(x))"
    assert build(fun(lambda x: lift(square)(x), "f32")) == parse_expr(text)
    assert build(fun(lambda x: x | square, "f32")) == build(fun(lambda x: x | lift(square), "f32"))
    program = define(square=square, twice=fun(lambda x: dsl.definition("square")(x) * 2))
    text = "val square = fun(x => x * x)\nval twice = fun(x => square(x) * 2)"
    assert dict(program) == dict(parse(text))
    open_term = parse_expr("xs |> map(neg)", {"xs": "n.f32"})
    assert build(lift(open_term) | dsl.map(dsl.abs)) == parse_expr(
        "xs |> map(neg) |> map(abs)", {"xs": "n.f32"}
    )


def test_the_text_of_terms() -> None:
    x = var("x", "f32")
    assert repr(x + 1) == "(x + 1)"
    shown: list[str] = []
    fun(lambda y: shown.append(repr(y + 1)) or y)
    assert shown == ["(y + 1)"]
    assert len(repr(lift([1] * 1000))) <= 400


def test_deep_terms_are_built() -> None:
    x = var("x", "f32")
    for _ in range(5_000):
        x = dsl.neg(x)
    assert len(list(postorder(build(x)))) > 5_000


# Errors

MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: build(fun(lambda x: None)), "expected a term, found NoneType"),
    (lambda: build("xs"), "expected a term, found the string 'xs'"),
    (lambda: build([]), "expected a term, found an empty list"),
    (lambda: build((1, 2, 3)), "expected a term, found tuple"),
    (lambda: fun(lambda: 1), "expected a Python function of named parameters"),
    (lambda: fun(lambda *xs: xs[0]), "expected a Python function of named parameters"),
    (lambda: fun(lambda x: x, "f32", "f32"), "the function has 1 parameters, found 2 types"),
    (lambda: fun(lambda x: x, "f32", x="f32"), "`x` already has a type"),
    (lambda: fun(lambda x: x, y="f32"), "`y` is not among the parameters x"),
    (lambda: fun(3), "expected a Python function, found 3"),
    (lambda: fun(lambda x: x if x < 1 else -x), "a term has no truth value while it is built"),
    (lambda: fun(lambda p: list(p)), "a term has no elements while it is built"),
    (lambda: fun(lambda p: 1 in p), "a term has no elements while it is built"),
    (lambda: dsl.map(), "expected at least one argument, found none"),
    (lambda: dsl.cast[1.5], "expected a type or a size in braces, found float"),
    (lambda: build(np.timedelta64(1, "s")), "expected a number of a scalar type, found timedelta64[s]"),
    (lambda: build(escaped()), "the variable `x` is used outside of its function"),
    (lambda: build(var("x", "f32") + var("x", "f16")), "the free variable `x` has two types: f32 and f16"),
    (lambda: define(f=var("x", "f32")), "the definition `f` has the free variable `x`"),
    (lambda: build(fun(lambda x: x + True, "f32")), "expected f32, found bool"),
    (
        lambda: define(f=fun(lambda x: lift(parse_expr("neg{f32}"))(x))),
        "the definition `f` contains a typed term",
    ),
    (lambda: build(var("map", "f32")), "`map` has a meaning in the language: a primitive"),
]


def escaped() -> Term:
    """A parameter that leaves its function."""
    kept: list[Term] = []
    fun(lambda x: kept.append(x) or x)
    return kept[0]


@pytest.mark.parametrize(("build_it", "title"), MISTAKES, ids=[title for _, title in MISTAKES])
def test_an_error_is_one_diagnostic(build_it: Callable[[], object], title: str) -> None:
    with pytest.raises(RiseError) as caught:
        build_it()
    assert caught.value.diagnostic.title == title
    assert caught.value.diagnostic.hint


def test_a_type_error_shows_the_term_that_was_built() -> None:
    with pytest.raises(RiseError) as caught:
        build(fun(lambda xs: dsl.split(4)(xs), "10.f32"))
    assert str(caught.value).split("\n")[:3] == [
        "error[size-mismatch]: 10 is not a multiple of 4",
        "  1 | fun(xs: 10.f32 => split(4)(xs))",
        "    |                           ^^^^ this is 10.f32",
    ]
