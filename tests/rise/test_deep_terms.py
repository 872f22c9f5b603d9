"""Terms 100,000 deep: nothing that handles them recurses, so the depth of Python's stack does not matter.

Each of the texts nests another construct; the cost is proportional to the length of the text.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator

import pytest

from rise import RiseError, parse, parse_expr, show
from rise.inference.schemes import instantiate_primitive, substitute_names
from rise.naturals import NatVar as NatVariable
from rise.naturals import const, nat
from rise.nodes import postorder
from rise.primitives import PRIMITIVES
from rise.terms import App, Bound, Expr, Lam, Var, abstract, occurs, shift, spine, substitute
from rise.types import F32, ArrayType
from tests.examples import SAMPLED, in_whole, some
from tests.examples import deep as deep_as

DEPTH = deep_as(100_000)
SOME = 500 if SAMPLED else 1_000  # the limit for operations that are too slow for more

TEXTS: dict[str, Callable[[int], str]] = {
    "calls": lambda n: "fun(x: f32 => " + "neg(" * n + "x" + ")" * n + ")",
    "pipeline": lambda n: "fun(x: 8.f32 => x" + " |> map(neg)" * n + ")",
    "composition": lambda n: "fun(x: 8.f32 => x |> (" + " >> ".join(["map(neg)"] * n) + "))",
    "after": lambda n: "fun(x: 8.f32 => x |> (" + " . ".join(["map(neg)"] * n) + "))",
    "sum": lambda n: "fun(x: f32 => x" + " + x" * n + ")",
    "right sum": lambda n: "fun(x: f32 => " + "x + (" * n + "x" + ")" * n + ")",
    "lets": lambda n: "fun(x: f32 => " + "let(x + x)(fun(x => " * n + "x" + "))" * n + ")",
    "lets of names": lambda n: (
        "fun(x0: f32 => "
        + "".join(f"let(x{i} + x{i // 2})(fun(x{i + 1} => " for i in range(n))
        + f"x{n} + x0"
        + "))" * n
        + ")"
    ),
    "functions": lambda n: "".join(f"fun(x{i}: f32 => " for i in range(n)) + f"x0 + x{n // 2}" + ")" * n,
    "parameters": lambda n: "fun(" + ", ".join(f"x{i}: f32" for i in range(n)) + f" => x0 + x{n // 2})",
    "sizes": lambda n: "fun(" + ", ".join(f"n{i}: nat" for i in range(n)) + " => 1.0)",
    "branches": lambda n: "fun(x: f32 => " + "if x < 0.0 then x else " * n + "x)",
    "elements": lambda n: "[" + ", ".join(["1.0"] * n) + "]",
    "pairs": lambda n: "fun(x: f32 => " + "pair(x, " * n + "x" + ")" * n + ")",
    "redexes": lambda n: "fun(x: f32 => " + "(fun(y => " * n + "x" + "))(x)" * n + ")",
    "blocking": lambda n: "fun(x: N.f32 => x" + " |> split(4) |> join" * (n // 4) + ")",
    "type": lambda n: "fun(x: " + "8." * n + "f32 => x)",
    "function type": lambda n: "fun(x: " + "f32 -> " * n + "f32 => x)",
}


@pytest.fixture(autouse=True)
def little_stack() -> Iterator[None]:
    """Few frames, so that functions that recurse on a term fail at a depth of hundreds."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize("name", some(TEXTS, 5))
def test_deep_texts_are_inferred_printed_and_read_back(name: str) -> None:
    e = parse_expr(TEXTS[name](SOME))
    shown = show(e)
    again = parse_expr(shown)
    assert again == e and hash(again) == hash(e)
    assert show(again) == shown
    assert pickle.loads(pickle.dumps(e)) is e
    assert len(repr(e)) <= 400 and len(repr(e.type)) <= 400


def test_parameters_without_types_are_generalised_together() -> None:
    count = 300
    e = parse_expr("fun(" + ", ".join(f"x{i}" for i in range(count)) + " => x0)")
    assert str(e.type).count("{") == count
    assert parse_expr(show(e)) == e


def test_many_definitions() -> None:
    program = parse("\n".join(["val g0 = fun(x => x)"] + [f"val g{i} = g{i - 1}" for i in range(1, 1000)]))
    assert program["g999"] == program["g0"]


@in_whole("test_deep_texts_are_inferred_printed_and_read_back")
def test_a_very_deep_text_is_inferred() -> None:
    e = parse_expr(TEXTS["calls"](DEPTH))
    assert sum(isinstance(node, App) for node in postorder(e)) == DEPTH


@pytest.mark.parametrize(
    "text",
    [
        "neg(" * SOME + "true" + ")" * SOME,
        "fun(x: " + "8." * SOME + "f32 => neg(neg(fst(x))))",
        "fun(x: " + "vec[2, " * SOME + "f32" + "]" * SOME + " => sqrt(x) + 1)",
        "".join(f"fun(x{i} => " for i in range(SOME)) + "y" + ")" * SOME,
        "(" * SOME + "y" + ")" * SOME,
    ],
)
def test_errors_in_deep_texts_are_one_diagnostic(text: str) -> None:
    with pytest.raises(RiseError) as caught:
        parse_expr(text)
    assert len(str(caught.value)) < 4000


def deep(depth: int = DEPTH) -> Expr:
    """`neg` applied repeatedly to a variable."""
    e: Expr = Var("x", F32)
    neg = instantiate_primitive(PRIMITIVES["neg"], (F32,))
    for _ in range(depth):
        e = App(neg, e)
    return e


@in_whole("test_deep_texts_are_inferred_printed_and_read_back")
def test_operations_on_a_very_deep_term() -> None:
    e = deep()
    f = abstract(e, Var("x", F32))
    assert isinstance(f, Lam)
    assert occurs(f.body) and not occurs(e)
    assert substitute(f.body, Var("x", F32)) is e
    assert substitute(f.body, Var("y", F32)) == substitute_names(e, {Var("x", F32): Var("y", F32)})
    assert shift(f.body, 1) != f.body and shift(shift(f.body, 1), -1) is f.body
    assert f == Lam("other", F32, f.body) and f is not Lam("other", F32, f.body)
    assert hash(f) == hash(Lam("other", F32, f.body))
    assert pickle.loads(pickle.dumps(f)) is f
    assert show(f).count("neg") + show(f).count("-") >= DEPTH
    assert len(spine(e)[1]) == 1


def test_very_deep_types() -> None:
    n = NatVariable("n", None)
    t = F32
    other = F32
    for _ in range(DEPTH):
        t, other = ArrayType(nat(n), t), ArrayType(const(8), other)  # type: ignore[assignment]  # a type, too
    assert substitute_names(t, {n: const(8)}) is other
    assert pickle.loads(pickle.dumps(t)) is t
    assert Lam("x", t, Bound(0, t)).type.parts[0] is t


@pytest.mark.parametrize("count", [3, 61, 64, 509, 510, 511, 512, 600])
def test_variables_of_terms_with_many_functions_are_told_apart(count: int) -> None:
    """`mentions` has bits for 510 functions; a rewrite below more of them captures nothing."""
    inner: Expr = Bound(count - 1, F32)
    for _ in range(count):
        inner = Lam("x", F32, inner)
    variable = Bound(1, F32)

    def ignoring(result: Expr) -> Expr:
        return App(Lam("ignored", inner.type, shift(result, 1)), inner)

    assert variable.breach(ignoring(variable)) is None
    captured = variable.breach(ignoring(Bound(0, F32)))
    assert captured is not None
    assert captured[0] == "captures a variable"
