"""Complex numbers: every executor computes the same as numpy does for single numbers. Independent of strategies."""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.complex_numbers import conjugate, joined, product
from rise.diagnostics import RiseError
from rise.rounding import fma
from rise.scalars import SCALARS
from tests.examples import some
from tests.shine.executors import in_turn

TYPES: Final = ("c64", "c128")
TARGETS: Final = ("interpret", "openmp", "cuda-sim")
#: the text of each operation on two numbers, and its result by numpy for single numbers
OPERATIONS: Final = {
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y,
    "-x": lambda x, y: -x,
    "conj(x)": lambda x, y: np.conj(x),
    "complex(realPart(x), imagPart(y))": lambda x, y: joined(x.real, y.imag, dtype=x.dtype)[()],
    "if x == y then x else y": lambda x, y: x if x == y else y,
    "if x != y then x else -x": lambda x, y: x if x != y else -x,
    "fma(x, y, conj(x))": lambda x, y: fused(x, y, np.conj(x)),
    "x * 0.5 + 2": lambda x, y: x * x.dtype.type(0.5) + x.dtype.type(2),
}


def fused(a: Any, b: Any, c: Any) -> Any:
    """a * b + c as four multiply-adds of the parts."""
    parts = [np.asarray(part) for x in (a, b, c) for part in (x.real, x.imag)]
    (a_re, a_im), (b_re, b_im), (c_re, c_im) = zip(parts[::2], parts[1::2], strict=True)
    re = fma(a_re, b_re, fma(-a_im, b_im, c_re))
    return joined(re, fma(a_re, b_im, fma(a_im, b_re, c_im)), dtype=a.dtype)[()]


def pairs_of(t: str) -> tuple[Any, Any]:
    """All pairs of numbers whose parts are zeros of both signs, infinities, NaN, and others, and random pairs."""
    dtype, part = SCALARS[t].dtype, SCALARS[SCALARS[t].part].dtype
    edges = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e30], part)
    real, imaginary = (grid.reshape(-1) for grid in np.meshgrid(edges, edges))
    numbers = joined(real, imaginary, dtype=dtype)
    x, y = (grid.reshape(-1) for grid in np.meshgrid(numbers, numbers))
    rng = np.random.default_rng(3)
    more = [joined(rng.normal(size=301), rng.normal(size=301), dtype=dtype) for _ in range(2)]
    return np.concatenate([x, more[0]]), np.concatenate([y, more[1]])


def same(found: Any, expected: Any) -> bool:
    """Whether numbers are equal, including the signs of their zeros; all NaNs are equal."""
    if found.dtype.kind == "c":
        return same(found.real, expected.real) and same(found.imag, expected.imag)
    equal = (found == expected) & (np.signbit(found) == np.signbit(expected))
    return found.dtype == expected.dtype and bool((equal | (np.isnan(found) & np.isnan(expected))).all())


@pytest.mark.parametrize(("t", "target"), some(in_turn(TYPES, TARGETS), 2))
def test_executors_agree_with_single_numbers_of_numpy(t: str, target: str, cache: Path) -> None:
    x, y = pairs_of(t)
    texts = list(OPERATIONS)
    *results, last = (f"map(fun(x, y => {text}))(zip(xs, ys))" for text in texts)
    pairs = reduce(lambda pair, one: f"pair({one}, {pair})", reversed(results), last)
    program = rise.parse(f"fun(xs: N.{t}, ys: N.{t} => {pairs})").main
    with np.errstate(all="ignore"):
        expected = [
            np.array([OPERATIONS[text](a, b) for a, b in zip(x, y, strict=True)], x.dtype) for text in texts
        ]
    options = {"cache": str(cache)} if target != "interpret" else {}
    found = {
        "evaluate": rise.evaluate(program, x, y),
        target: shine.compile(program, target, **options)(x, y),
    }
    for executor, value in found.items():
        for text, numbers in zip(texts, expected, strict=True):
            one, value = value if text != texts[-1] else (value, None)
            assert same(one, numbers), (executor, text)


@pytest.mark.parametrize("t", TYPES)
def test_products_of_arrays_are_close_to_those_of_numpy(t: str) -> None:
    x, y = (numbers[-301:] for numbers in pairs_of(t))
    unit = np.finfo(x.dtype).eps
    assert (np.abs(product(x, y) - x * y) <= 2 * unit * np.abs(x) * np.abs(y)).all()
    assert same(conjugate(x), np.conj(x))


@pytest.mark.parametrize(("t", "target"), in_turn(TYPES, TARGETS))
def test_reductions_and_products_of_matrices(t: str, target: str, cache: Path) -> None:
    options = {"cache": str(cache)} if target != "interpret" else {}
    rng, dtype = np.random.default_rng(5), SCALARS[t].dtype
    a, b = (joined(*(rng.integers(-3, 4, (2, 9, 7))), dtype=dtype) for _ in range(2))
    dot = f"""fun(xs: N.M.{t}, ys: K.M.{t} => xs |> map(fun(r => ys |> map(fun(c =>
      zip(r, c) |> map(fun(x, y => x * conj(y))) |> reduce(add, 0))))))"""
    found = shine.compile(rise.parse(dot), target, **options)(a, b)
    assert same(found, a @ b.conj().T)  # small integers, so that every order gives the same result
    text = f"fun(xs: N.{t} => xs |> reduce(mul, 1))"
    units = np.array([1, -1, 1j, -1j, 1, 1j, 1j], dtype)
    assert shine.compile(rise.parse(text), target, **options)(units) == units.prod()
    many = joined(*rng.integers(-9, 9, (2, 5000)), dtype=dtype)
    total = shine.compile(rise.parse(f"fun(xs: N.{t} => xs |> reduce(add, 0))"), target, **options)(many)
    assert total == many.sum()


def test_arrays_are_passed_as_numpy_stores_them(cache: Path) -> None:
    """Strided views are copied, contiguous arrays are not; other types and byte orders are rejected."""
    kernel = shine.compile(
        rise.parse(
            "fun(z: c128, xs: N.c128, ys: N.f64 => zip(xs, ys) |> map(fun(x, y => z * x + cast{c128}(y))))"
        ),
        cache=str(cache),
    )
    numbers = np.arange(8) * (1 - 0.5j)
    expected = (1 + 2j) * numbers[::2] + numbers[1::2].imag
    for z in (1 + 2j, np.complex128(1 + 2j), np.array(1 + 2j)):
        for _ in range(3):  # the third call is a repeated one
            assert np.array_equal(kernel(z, numbers[::2], numbers.imag[1::2]), expected)
    out = np.empty(4, np.complex128)
    assert kernel(2, numbers[:4], numbers.real[:4], out=out) is out
    for wrong, found in ((numbers.astype(">c16")[:4], "non-native byte order"), (numbers.real[:4], "of f64")):
        with pytest.raises(RiseError, match=found):
            kernel(2, wrong, numbers.real[:4])
    with pytest.raises(RiseError, match="expected f64, found"):
        shine.compile(rise.parse("fun(x: f64 => x + 1.0)"), "interpret")(1 + 2j)


REFUSED: Final = {
    "fun(x: c64, y: c64 => x < y)": "class ord",
    "fun(xs: N.c64 => xs |> reduce(max, 0))": "class num",
    "fun(x: c128 => abs(x))": "class num",
    "fun(x: c128 => sqrt(x))": "class floating",
    "fun(x: c128 => x % x)": "class num",
    "fun(x: c64 => bitCast{f64}(x))": "class num",
    "fun(xs: (4 * N).c64 => xs |> asVector(4) |> asScalar)": "class num",
    "fun(xs: N.c64, is: N.idx[M], ys: M.c64 => scatterAdd(is, xs, ys))": "class num",
    "fun(x: c64 => cast{f32}(x))": "expected a complex type to convert c64 to, found f32",
    "fun(x: f32 => complex{c128}(x, x))": "found c128|expected f64",
    "fun(x: i32 => complex(x, x))": "floating",
    "fun(x: vec[4, c64] => x + x)": "vec\\[4, c64\\]",
    "fun(i: c64, xs: 4.f32 => xs |> idx(i))": "idx",
    "fun(x: c64 => if x then 1 else 2)": "bool",
}


@pytest.mark.parametrize("text", REFUSED)
def test_unsupported_operations_on_complex_numbers_are_rejected(text: str) -> None:
    with pytest.raises(RiseError, match=REFUSED[text]):
        rise.parse(text)


def test_types_of_numbers_and_parts_are_inferred_from_each_other() -> None:
    for text, t in (
        ("fun(x: f32, y => complex(x, y))", "f32 -> f32 -> c64"),
        ("fun(x, y: f64 => complex(x, y))", "f64 -> f64 -> c128"),
        ("fun(z: c128 => realPart(z) + 1.0)", "c128 -> f64"),
        ("complex(1.0, 2.0)", "c64"),
        ("fun(x: f64 => (complex(x, 1.0) : c128))", "f64 -> c128"),
        ("fun(z: c128 => z * 0.5 + 2)", "c128 -> c128"),
        ("fun(x, y => x * y + 1)", "{t: ring} -> t -> t -> t"),
        ("fun(x, y => fma(x, y, x))", "{t: inexact} -> t -> t -> t"),
        ("fun(x => x * 0.5)", "{t: floating} -> t -> t"),
        ("fun(z => conj(z) * 0.5)", "{t: complex} -> t -> t"),
    ):
        e = rise.parse_expr(text)
        assert str(e.type) == t, text
        assert rise.parse_expr(rise.show(e)) == e, text


def test_relations_are_checked_where_a_definition_is_used() -> None:
    part = "val part = fun({t: complex}, {s: floating}, z: t => (realPart(z) : s))"
    program = rise.parse(f"{part}\nval f = fun(z: c64 => part{{c64, f32}}(z) + 1.0)")
    assert rise.evaluate(program["f"], np.complex64(3 - 4j)) == np.float32(4)
    with pytest.raises(RiseError, match="expected f32 as the parts of c64, found f64"):
        rise.parse(f"{part}\nval f = fun(z: c64 => part{{c64, f64}}(z))")


def test_foreign_functions_take_complex_numbers(cache: Path) -> None:
    function = rise.Foreign(
        "turned",
        "c128 -> c128",
        meaning=lambda z: z * 1j,
        c="static c128 turned(c128 z) { return (c128){-z.im, z.re}; }",
    )
    program = rise.parse("foreign turned : c128 -> c128\nval f = fun(xs: N.c128 => xs |> map(turned))")
    xs = np.array([1 + 2j, -3.5j])
    assert np.array_equal(shine.compile(program["f"], foreign=[function], cache=str(cache))(xs), xs * 1j)


def test_numbers_of_numpy_become_terms() -> None:
    x = np.complex64(1.5 - 2j)
    assert rise.evaluate(rise.dsl.build(x)) == x


def test_products_and_their_sums_are_written_by_parts(cache: Path) -> None:
    """gcc does not vectorize copies of numbers into the parameters of helpers, if a function is long."""
    update = "fun(x: c128, xs: N.c128, ys: N.c128 => zip(xs, ys) |> map(fun(p => fst(p) - x * snd(p))))"
    source = shine.compile(rise.parse(update), cache=str(cache)).source
    assert "sub_c128" not in source and "mul_c128" not in source
    assert ".re - (rounded_f64(x.re * ys[" in source
    product = """fun(xs: N.K.c128, ys: K.M.c128 => xs |> map(fun(x => transpose(ys) |> map(fun(y =>
      zip(x, y) |> map(fun(a, b => a * b)) |> reduce(add, 0))))))"""
    source = shine.compile(rise.parse(product), cache=str(cache)).source
    assert re.search(r"fma_parts_c128\(xs\[.*\]\.re, xs\[.*\]\.im, ", source) and " fma_c128(" not in source


TEXTS: Final = Path(__file__).parent / "snapshots"
DOT: Final = """fun(xs: N.M.c64, y: M.c64 => xs |> map(fun(x =>
  zip(x, y) |> map(fun(a, b => a * conj(b))) |> reduce(add, 0))))"""


@pytest.mark.parametrize(
    ("target", "file"), [("openmp", "complex_numbers.c"), ("cuda-sim", "complex_numbers.cu")]
)
def test_the_printed_text(target: str, file: str, cache: Path) -> None:
    """`python -m tests.shine.test_complex_numbers` writes the texts."""
    assert shine.compile(rise.parse(DOT), target, cache=str(cache)).source == (TEXTS / file).read_text(
        "utf-8"
    )


if __name__ == "__main__":
    for target, file in (("openmp", "complex_numbers.c"), ("cuda-sim", "complex_numbers.cu")):
        (TEXTS / file).write_text(shine.compile(rise.parse(DOT), target).source, "utf-8")
