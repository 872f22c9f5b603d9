"""Sums, means and counts: those of 16-bit floats are computed in f32 and rounded once, and counts are exact.

This holds in the libraries and in Python programs; a user's own text keeps its meaning.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import rise
from rise import RiseError
from rise.embedding import program
from rise.naturals import const
from rise.programs.program import library
from rise.scalars import SCALARS
from rise.types import BOOL, F32, F64, ScalarType, TypeVar, VectorType, WideType, wide
from tests.examples import some

HALVES: Final = ("f16", "bf16")
RNG: Final = np.random.default_rng(11)


def typed(name: str, *shape: int) -> Any:
    return RNG.uniform(0.5, 2, shape).astype(SCALARS[name].dtype)


def in_f64(function: Callable[..., Any], *arrays: Any) -> Any:
    return function(*(np.asarray(one, np.float64) for one in arrays))


def near(found: Any, wanted: Any, name: str) -> bool:
    """Whether numbers differ by at most one rounding to the type after the roundings of f32."""
    step = 2.0**-11 if name == "f16" else 2.0**-8
    return found.dtype == SCALARS[name].dtype and bool(
        np.allclose(np.asarray(found, np.float64), wanted, rtol=1.01 * step, atol=2.0**-24)
    )


# Libraries


@pytest.mark.parametrize("name", some(HALVES, 2))
def test_sums_of_the_libraries_are_rounded_once(name: str) -> None:
    statistics, algebra = library("statistics"), library("linear_algebra")
    x, y, a = typed(name, 300) * 8, typed(name, 300) * 8, typed(name, 3, 300) * 8
    cases: list[tuple[Any, tuple[Any, ...], Callable[..., Any]]] = [
        (statistics["sum"], (x,), np.sum),
        (statistics["mean"], (x,), np.mean),
        (statistics["variance"], (x,), np.var),
        (statistics["deviation"], (x,), np.std),
        (statistics["meanSquaredError"], (x, y), lambda a, b: np.mean((a - b) ** 2)),
        (statistics["logsumexp"], (x,), np.logaddexp.reduce),
        (statistics["softmax"], (x,), lambda x: np.exp(x) / np.exp(x).sum()),
        (statistics["correlation"], (x, y), lambda a, b: np.corrcoef(a, b)[0, 1]),
        (algebra["dot"], (x, y), np.dot),
        (algebra["asum"], (-x,), lambda x: np.abs(x).sum()),
        (algebra["nrm2"], (x * 12,), np.linalg.norm),
        (algebra["mv"], (a, y), np.dot),
        (algebra["mm"], (a, a.T.copy()), np.dot),
    ]
    for term, given, wanted in cases:
        assert near(rise.evaluate(term, *given), in_f64(wanted, *given), name), term


def test_means_and_counts_of_the_libraries_are_exact() -> None:
    statistics = library("statistics")
    few = np.zeros(8192, np.float16)
    few[:64] = 1
    assert rise.evaluate(statistics["mean"], few) == 64 / 8192
    assert rise.evaluate(statistics["mean"], np.ones(70_000, np.float16)) == 1
    assert rise.evaluate(statistics["mean"], np.ones(300, ml_dtypes.bfloat16)) == 1
    for name, many in (("i8", 300), ("bf16", 257), ("f16", 70_000), ("f32", 20_000_001)):
        e = rise.specialise(statistics["count"], t=name, n=many)
        assert rise.evaluate(e, np.empty(many, SCALARS[name].dtype)) == many
    number, (mean, away) = rise.evaluate(statistics["moments"], np.tile(np.array([1, 3], np.float16), 200))
    assert (number, mean) == (400, 2) and np.isclose(away, 400)
    assert number.dtype == np.int64 and mean.dtype == away.dtype == np.float32


def test_types_of_other_widths_are_not_converted() -> None:
    for name in ("statistics", "linear_algebra", "stencils", "images"):
        for definition, e in library(name).items():
            if "{t: " in str(e.type) and "num" in str(e.type) + "floating" and definition != "mergeMoments":
                text = rise.show(rise.specialise(e, t="f64"))
                assert "Wide" not in text and "cast{f64, f64}" not in text, definition
    dot = rise.specialise(library("linear_algebra")["dot"], t="f32")
    assert (
        dot
        == rise.parse(
            "fun({n: nat}, xs: n.f32, ys: n.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.0))"
        ).main
    )
    assert "cast{f32}" in rise.show(rise.specialise(library("linear_algebra")["dot"], t="f16"))


def test_a_sum_in_a_text_keeps_its_type() -> None:
    own = rise.parse("fun(xs: N.f16 => xs |> reduce(add, 0.0f16))").main
    assert rise.evaluate(own, np.ones(4096, np.float16)) == 2048
    same = rise.parse("fun(xs: N.f32 => xs |> map(cast{f32}))").main
    assert "cast" in rise.show(same)


# Python programs


def functions() -> dict[str, Callable[..., Any]]:
    return {
        "sum": lambda x: x.sum(),
        "sum of rows": lambda x: x.sum(axis=1, keepdims=True),
        "mean": lambda x: x.mean(),
        "mean of columns": lambda x: np.mean(x, axis=0),
        "var": lambda x: np.var(x),
        "var of a sample": lambda x: np.var(x, axis=1, ddof=1),
        "std": lambda x: x.std(axis=0),
        "norm": lambda x: np.linalg.norm(x, axis=1),
        "product": lambda x: x @ x.T,
        "dot": lambda x: np.dot(x[0], x[1]),
        "inner": lambda x: np.inner(x, x),
        "vdot": lambda x: np.vdot(x, x),
        "add.reduce": lambda x: np.add.reduce(x, axis=1),
    }


@pytest.mark.parametrize("what", functions())
@pytest.mark.parametrize("name", HALVES)
def test_sums_of_python_programs_are_rounded_once(name: str, what: str) -> None:
    function = functions()[what]
    function.__annotations__ = {"x": f"M.N.{name}"}
    built = program(function)
    x = typed(name, 7, 400)
    assert near(built(x), in_f64(function, x), name), built.text
    assert "cast{f32" in built.text


def test_means_of_half_precision_agree_with_numpy() -> None:
    @program
    def mean(x: N.f16):
        return x.mean(), x.sum() / x.shape[0]

    few = np.zeros(8192, np.float16)
    few[:64] = 1
    assert mean(few) == mean.python(few) == (0.0078125, 0.0078125)
    assert mean(np.ones(70_000, np.float16))[0] == 1
    assert mean(np.full(3000, 1000, np.float16))[0] == np.mean(np.full(3000, 1000, np.float16)) == 1000


@pytest.mark.parametrize("name", ["i8", "u8", "i32", "bool", "f32", "f64"])
def test_means_of_other_types_have_the_type_of_numpy(name: str) -> None:
    def means(x):
        return x.mean(), (np.var(x, axis=0), (x.std(axis=1), np.linalg.norm(x, axis=0)))

    def plain(x):
        first, (second, (third, fourth)) = means(x)
        return [first, second, third, fourth]

    means.__annotations__ = {"x": f"M.N.{name}"}
    x = (typed("f32", 30, 20) * 60).astype(SCALARS[name].dtype)
    if name == "bool":
        x = RNG.uniform(size=(30, 20)) > 0.4
        means = lambda x: (x.mean(), (np.var(x, axis=0), (x.std(axis=1), x.sum(axis=0))))  # noqa: E731
        means.__annotations__ = {"x": "M.N.bool"}
    built = program(means)
    first, (second, (third, fourth)) = built(x)
    for found, wanted in zip([first, second, third, fourth], plain(x), strict=True):
        assert found.dtype == wanted.dtype
        assert np.allclose(found, wanted, rtol=1e-5)


def test_sums_of_integers_have_64_bits_and_booleans_are_counted() -> None:
    @program
    def totals(x: N.i8, y: N.bool):
        return x.sum(), y.sum(), np.cumsum(y), x @ x

    total, (flags, (running, product)) = totals(np.ones(300, np.int8), np.ones(300, bool))
    assert (total, total.dtype) == (300, np.int64)
    assert (product, product.dtype) == (np.ones(300, np.int8) @ np.ones(300, np.int8), np.int8)
    assert (flags, flags.dtype) == (300, np.int64) and running[-1] == 300


# Types of sums


def test_the_type_of_sums() -> None:
    assert [wide(ScalarType(name)) for name in ("f16", "bf16", "f32", "i8")] == [
        F32,
        F32,
        F32,
        ScalarType("i8"),
    ]
    assert wide(F64) is F64 and wide(BOOL) is BOOL
    assert wide(VectorType(const(4), ScalarType("f16"))) == VectorType(const(4), F32)
    t = TypeVar("t", "num")
    assert wide(t) is WideType(t) and wide(wide(t)) is wide(t)


def test_the_type_of_sums_is_read_printed_and_inferred() -> None:
    text = "fun({n: nat}, {t: num}, xs: n.t => xs |> map(cast{Wide[t]}) |> reduce(add, 0))"
    e = rise.parse_expr(text)
    assert str(e.type) == "{n: nat} -> {t: num} -> n.t -> Wide[t]"
    assert rise.parse_expr(rise.show(e)) == e
    assert str(rise.specialise(e, t="f16").type) == "{n: nat} -> n.f16 -> f32"
    used = rise.parse(f"val total = {text}\nval main = fun(xs: N.f16, y: f32 => total(xs) + y)").main
    assert rise.evaluate(used, np.ones(3000, np.float16), 0.5) == 3000.5
    other = rise.parse_expr("fun({t: num}, x: t, y: Wide[t] => cast{Wide[t]}(x) + y)")
    assert rise.evaluate(other, np.float16(2), np.float32(1e6)) == 1_000_002


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("fun({t: num}, x: t => (x : Wide[t]))", "expected Wide[t], found t"),
        ("fun({t: data}, x: t => cast{Wide[t]}(x))", "expected a type of numbers, found Wide[t]"),
        ("fun({t: num}, x: Wide[t], y: f32 => x + y)", "expected Wide[t], found f32"),
        ("fun(x: Wide => x)", "the type `Wide` is not defined"),
        ("fun(x: Wide[3] => x)", "expected a type"),
        ("val Wide = 1", "`Wide` has a meaning in the language: a type"),
    ],
)
def test_errors_about_the_type_of_sums_are_reported(text: str, title: str) -> None:
    with pytest.raises(RiseError) as caught:
        rise.parse(text)
    assert caught.value.diagnostic.title == title


def test_a_sum_whose_type_no_argument_determines_is_rejected() -> None:
    e = rise.parse_expr("fun({t: num}, y: Wide[t] => y + y)")
    with pytest.raises(RiseError) as caught:
        rise.evaluate(e, np.float32(1))
    assert caught.value.diagnostic.title == "no argument before `y` determines the type `t`"
