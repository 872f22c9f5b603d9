"""Arithmetic: every row of docs/semantics.md, on every executor. Independent of programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rise
import shine
from rise.complex_numbers import joined
from rise.diagnostics import RiseError
from rise.naturals import const
from rise.primitives import SCALAR_FUNCTIONS, with_trait
from rise.scalars import SCALARS, is_complex
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import Load, Procedure, Value
from shine.kernel import make_kernel
from shine.targets.interpreter.arithmetic import OPERATIONS
from tests.shine.procedures import BOOL, elementwise, flatten, op

INTEGERS = [name for name, facts in SCALARS.items() if "integral" in facts.classes]
FLOATS = [name for name, facts in SCALARS.items() if "floating" in facts.classes]
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
BINARY = ("add", "sub", "mul", "min", "max", "div", "mod")
UNARY = ("neg", "abs")
PAGE = Path(__file__).parents[3] / "docs" / "semantics.md"
EXAMPLE = re.compile(r"`(\w+)\(([^)`]*)\) : (\w+)(?: -> (\w+))? = ([^`]+)`")
PREDICATES = ("isnan", "isinf", "isfinite")
LIBRARY = tuple(record.name for record in SCALAR_FUNCTIONS if record.units)


def run(procedure: Procedure, cache: Path, *arguments: Any) -> tuple[list[Any], list[Any]]:
    """The results of the C code and of the interpreter."""
    c = make_kernel(procedure, "openmp", cache=str(cache))
    return flatten(c(*arguments)), flatten(make_kernel(procedure, "interpret")(*arguments))


def interesting(name: str) -> Any:
    """Numbers of a type for which implementations differ: extremes, halves, signed zeros, infinities, NaN, random
    ones.
    """
    dtype = SCALARS[name].dtype
    random = np.random.default_rng(1)
    if name == "bool":
        return np.array([False, True])
    if name in INTEGERS:
        limits = np.iinfo(dtype)
        ends = [limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, 2, 3, 7]
        negative = [-1, -2, -7] if limits.min < 0 else []
        return np.concatenate(
            [np.array(ends + negative, dtype), random.integers(limits.min, limits.max, 12, dtype)]
        )
    if part := SCALARS[name].part:
        parts = interesting(part)
        return joined(np.concatenate([parts, parts]), np.concatenate([np.roll(parts, 3), parts]), dtype=dtype)
    finite = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.5,
        -2.5,
        0.1,
        3.0,
        100.25,
        -7.75,
        2.0**-14,
        2.0**-24,
        60000.0,
        1e-40,
        3e38,
    ]
    special = [np.inf, -np.inf, np.nan]
    with np.errstate(over="ignore"):
        return np.concatenate([np.array(finite + special), random.normal(0, 50, 12)]).astype(dtype)


def combinations(name: str, arity: int, divisor: bool = False) -> list[Any]:
    """All tuples of interesting numbers, as an array for each position; integer divisors are not zero."""
    values = interesting(name)
    last = values[values != 0] if divisor and name in INTEGERS else values
    grids = np.meshgrid(*([values] * (arity - 1)), last, indexing="ij")
    return [np.ascontiguousarray(grid.reshape(-1)) for grid in grids]


def same(a: Any, b: Any, signed_zero: bool = True) -> bool:
    """Whether two arrays have the same numbers; all NaNs are equal."""
    assert a.dtype == b.dtype and a.shape == b.shape
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    if a.dtype.kind == "c":
        return same(a.real, b.real, signed_zero) and same(a.imag, b.imag, signed_zero)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    equal = (a64 == b64) | (np.isnan(a64) & np.isnan(b64))
    if signed_zero:
        equal &= np.isnan(a64) | (np.signbit(a64) == np.signbit(b64))
    return bool(equal.all())


def meaning(name: str, t: str, *arrays: Any) -> Any:
    """The result of `rise.evaluate` for an operation on arrays."""
    names = [f"x{i}" for i in range(len(arrays))]
    typed = ", ".join(f"{x}: N.{t}" for x in names)
    elements = {1: "x0", 2: "zip(x0, x1)", 3: "zip(x0, zip(x1, x2))"}[len(arrays)]
    at = {
        1: f"{name}(e)",
        2: f"{name}(fst(e), snd(e))",
        3: f"{name}(fst(e), fst(snd(e)), snd(snd(e)))",
    }[len(arrays)]
    return rise.evaluate(rise.parse(f"fun({typed} => {elements} |> map(fun(e => {at})))").main, *arrays)


@pytest.mark.parametrize("name", [*INTEGERS, *FLOATS])
def test_operations_agree(name: str, cache: Path) -> None:
    t = ScalarType(name)
    arrays = combinations(name, 2, divisor=True)
    binary = run(
        elementwise(f"binary_{name}", [t, t], lambda a, b: [op(f, a, b) for f in BINARY]), cache, *arrays
    )
    compare = run(
        elementwise(f"compare_{name}", [t, t], lambda a, b: [op(f, a, b, type=BOOL) for f in COMPARISONS]),
        cache,
        *arrays,
    )
    for f, c, interpreted in zip(
        (*BINARY, *COMPARISONS), [*binary[0], *compare[0]], [*binary[1], *compare[1]], strict=True
    ):
        zeros = f not in ("min", "max")
        assert same(c, interpreted, zeros), f
        assert same(c, meaning(f, name, *arrays), zeros), f
    one = combinations(name, 1)
    for f, c, interpreted in zip(
        UNARY,
        *run(elementwise(f"unary_{name}", [t], lambda a: [op(g, a) for g in UNARY]), cache, *one),
        strict=True,
    ):
        assert same(c, interpreted), f
        assert same(c, meaning(f, name, *one)), f


@pytest.mark.parametrize("name", FLOATS)
def test_fused_multiply_add_rounds_once(name: str, cache: Path) -> None:
    t = ScalarType(name)
    arrays = combinations(name, 3)
    near = np.array([1 + 2.0**-7, 1.0, 2.0**-30, 1 - 2.0**-8, 2.0**-100]).astype(SCALARS[name].dtype)
    more = [np.ascontiguousarray(g.reshape(-1)) for g in np.meshgrid(near, near, near)]
    arrays = [np.concatenate(both) for both in zip(arrays, more, strict=True)]
    procedure = elementwise(f"fma_{name}", [t, t, t], lambda a, b, c: [op("fma", a, b, c), op("sqrt", a)])
    (c, c_root), (interpreted, root) = run(procedure, cache, *arrays)
    assert same(c, interpreted)
    assert same(c, meaning("fma", name, *arrays))
    assert same(c_root, root)
    assert same(c_root, meaning("sqrt", name, arrays[0]))


@pytest.mark.parametrize("source", SCALARS)
def test_casts_agree(source: str, cache: Path) -> None:
    t = ScalarType(source)
    values = interesting(source)
    if source in ("f32", "f64"):
        halves = [1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-30]
        ends = [float(2**k) for k in (7, 8, 15, 16, 31, 32, 63, 64)]
        close = [float(np.nextafter(np.array(e, values.dtype), np.array(0, values.dtype))) for e in ends]
        all_ends = [*ends, *close, *(-e for e in ends), -0.75, 0.75, 65520.0, 65519.99, 65504.0]
        values = np.concatenate([values, np.array([*halves, *all_ends], values.dtype)])
    elif source in ("i64", "u64"):
        sticky = [2**62 + 2**54 + 1, 2**62 + 2**54, 2**53 + 1, 2**60 + 2**52 + 2**20, 2049, 65519, 65520]
        values = np.concatenate([values, np.array(sticky, values.dtype)])
    results = [ScalarType(name) for name in SCALARS if is_complex(name) or not is_complex(source)]
    procedure = elementwise(f"casts_{source}", [t], lambda a: [op("cast", a, type=r) for r in results])
    for r, c, interpreted in zip(results, *run(procedure, cache, values), strict=True):
        assert same(c, interpreted), r.name
        if "bool" not in (source, r.name):
            e = rise.parse(f"fun(xs: N.{source} => xs |> map(fun(x => cast{{{r.name}}}(x))))").main
            assert same(c, rise.evaluate(e, values)), r.name


@pytest.mark.parametrize("source", [name for name in FLOATS if name != "bf16"])
def test_a_cast_to_an_integer_and_back_gives_no_negative_zero(source: str, cache: Path) -> None:
    """Some compilers replace both casts by a truncation, which keeps the sign. 37 is not a multiple of any vector
    length.
    """
    t = ScalarType(source)
    values = np.linspace(-0.96, 1.5, 37).astype(SCALARS[source].dtype)
    integers = [ScalarType(name) for name in INTEGERS]
    procedure = elementwise(
        f"back_{source}", [t], lambda a: [op("cast", op("cast", a, type=r), type=t) for r in integers]
    )
    for r, c, interpreted in zip(integers, *run(procedure, cache, values), strict=True):
        assert same(c, interpreted), r.name
        assert not np.signbit(c[c == 0]).any(), r.name


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
@pytest.mark.parametrize("t", FLOATS)
def test_zero_minus_a_number_that_is_not_a_negative_zero(t: str, target: str, cache: Path) -> None:
    """gcc's front end negates numbers that it knows not to be -0.0: found by the soak."""
    made = f"cast{{{t}}}(indexAsInt(i))"
    for number in (made, f"abs({made})"):
        e = rise.parse(f"generate(fun(i: idx[3] => cast{{{t}}}(0.0) - {number}))").main
        found = shine.compile(e, target, cache=str(cache))().astype(np.float64)
        assert found.tolist() == [0, -1, -2] and not np.signbit(found[0]), number


def test_casts_to_f16_and_back_round_in_vectors(cache: Path) -> None:
    """With AVX512-FP16, gcc 12 combined both into one vector operation: found by the soak."""
    for t in ("f32", "f64"):
        e = rise.parse(f"fun(xs: N.{t} => xs |> map(fun(x => cast{{{t}}}(cast{{f16}}(x)) + x)))").main
        xs = (np.linspace(-9, 9, 53) * 10.0 ** (np.arange(53) % 7)).astype(SCALARS[t].dtype)
        kernel = shine.compile(e, "openmp", cache=str(cache))
        assert same(kernel(xs), rise.evaluate(e, xs)), t


@pytest.mark.parametrize("t", ["f32", "f64"])
def test_remainders_of_powers_of_two_need_no_call(t: str, cache: Path) -> None:
    """Integers and larger numbers: `fmod` is a call, so that a loop with it is not vectorised."""
    fractions = np.array([0.5, -0.5, 1.5, -3.25, 4097.75, -1e30, 3.0])
    xs = np.concatenate([interesting(t), fractions.astype(SCALARS[t].dtype)])
    for divisor, is_called in ((1.0, False), (8.0, False), (2.0**60, False), (0.5, True), (3.0, True)):
        number = f"{divisor!r}{'f64' if t == 'f64' else ''}"
        e = rise.parse(f"fun(xs: N.{t} => xs |> map(fun(x => x % {number})))").main
        kernel = shine.compile(e, "openmp", cache=str(cache))
        assert ("fmod" in kernel.source) == is_called
        found, expected = kernel(xs), rise.evaluate(e, xs)
        assert same(found, expected), divisor
        signs = (np.signbit(found) == np.signbit(expected))[expected == expected]
        assert signs.all(), divisor


def test_booleans(cache: Path) -> None:
    a, b = combinations("bool", 2)

    def values(x: Load, y: Load) -> Sequence[Value]:
        return [op("and", x, y), op("or", x, y), op("not", x), op("select", x, y, op("not", y), type=BOOL)]

    for found in run(elementwise("truth", [BOOL, BOOL], values), cache, a, b):
        assert (found[0] == (a & b)).all()
        assert (found[1] == (a | b)).all()
        assert (found[2] == ~a).all()
        assert (found[3] == np.where(a, b, ~b)).all()


class Row(NamedTuple):
    """An example in the table: an operation on numbers of a type, and the resulting number or Boolean."""

    name: str
    arguments: tuple[str, ...]
    source: str
    result: str
    expected: str


def rows() -> list[Row]:
    """The examples of docs/semantics.md."""
    found = []
    for name, arguments, source, cast, expected in EXAMPLE.findall(PAGE.read_text(encoding="utf-8")):
        result = cast or ("bool" if name in (*COMPARISONS, *PREDICATES) else source)
        found.append(Row(name, tuple(arguments.split(", ")), source, result, expected))
    return found


def exactly(text: str, t: str) -> Any:
    """The number that a text describes."""
    if t == "bool":
        return np.array([text == "true"])
    if is_complex(t):
        return np.array([complex(text)]).astype(SCALARS[t].dtype)
    number = int(text) if text.lstrip("-").isdigit() and "integral" in SCALARS[t].classes else float(text)
    return np.array([number]).astype(SCALARS[t].dtype)


@pytest.fixture(scope="module")
def computed(cache: Path) -> list[tuple[Any, Any]]:
    """The results of the C code and of the interpreter for each row."""
    types = [ScalarType(row.source) for row in rows() for _ in row.arguments]
    arrays = [exactly(argument, row.source) for row in rows() for argument in row.arguments]

    def values(*given: Load) -> Sequence[Value]:
        rest = iter(given)
        return [
            op(row.name, *[next(rest) for _ in row.arguments], type=ScalarType(row.result)) for row in rows()
        ]

    c, interpreted = run(elementwise("table", types, values), cache, *arrays)
    return list(zip(c, interpreted, strict=True))


@pytest.mark.parametrize(
    "number", range(len(rows())), ids=lambda i: f"{rows()[i].name}-{rows()[i].source}-{i}"
)
def test_rows_of_the_table(number: int, computed: list[tuple[Any, Any]]) -> None:
    row = rows()[number]
    expected = exactly(row.expected, row.result)
    name = f"{row.name}{{{row.result}}}" if row.name in ("cast", "bitCast") else row.name
    evaluated = meaning(name, row.source, *[exactly(argument, row.source) for argument in row.arguments])
    for found in (*computed[number], evaluated):
        assert same(found, expected), (row, found)


def test_every_operation_has_a_row() -> None:
    """Operations that return an index are in the table of failures."""
    operations = OPERATIONS.keys() | {"cast", "bitCast", "makeComplex"}
    assert {row.name for row in rows()} == operations - {*LIBRARY, *with_trait("indexes")}


@pytest.mark.parametrize("name", ["div", "mod"])
@pytest.mark.parametrize("t", ["i8", "u32", "i64"])
def test_integer_division_by_zero_is_an_error(name: str, t: str, cache: Path) -> None:
    procedure = elementwise(f"zero_{name}", [ScalarType(t)] * 2, lambda a, b: [op(name, a, b)])
    a = np.arange(4, dtype=SCALARS[t].dtype)
    b = np.array([1, 2, 0, 3], a.dtype)
    for kernel in (make_kernel(procedure, "openmp", cache=str(cache)), make_kernel(procedure, "interpret")):
        with pytest.raises(RiseError, match="expected a divisor other than 0, found 0"):
            kernel(a, b)


def test_operands_that_are_not_selected_are_not_evaluated(cache: Path) -> None:
    t = ScalarType("i32")

    def values(a: Load, b: Load) -> Sequence[Value]:
        is_zero = op("eq", b, op("sub", b, b), type=BOOL)
        return [op("select", is_zero, a, op("div", a, b), type=t)]

    a, b = np.array([5, 6, 7], np.int32), np.array([0, 2, 0], np.int32)
    for found in run(elementwise("guarded", [t, t], values), cache, a, b):
        assert found[0].tolist() == [5, 3, 7]


WIDTHS = [
    *((name, 8) for name, facts in SCALARS.items() if name == "bool" or "num" in facts.classes),
    ("f32", 2),
    ("f32", 16),
    ("f32", 32),
    ("f64", 4),
    ("i8", 64),
]


@pytest.mark.parametrize(("name", "lanes"), WIDTHS)
def test_vectors_agree_with_scalars_lane_by_lane(name: str, lanes: int, cache: Path) -> None:
    scalar = ScalarType(name)
    functions: tuple[str, ...] = ("and", "or") if name == "bool" else BINARY
    result = ScalarType("f32") if name != "f32" else ScalarType("i16")

    def values(lanes_of: int) -> Callable[[Load, Load], Sequence[Value]]:
        def of(a: Load, b: Load) -> Sequence[Value]:
            wide = VectorType(const(lanes_of), result) if lanes_of > 1 else result
            found: list[Value] = [op(f, a, b) for f in functions]
            found.append(op("cast", a, type=wide))
            if name != "bool":
                found += [op(f, a) for f in UNARY]
                found.append(op("fma", a, b, a))
            if name in FLOATS:
                found.append(op("sqrt", a))
            return found

        return of

    a, b = combinations(name, 2, divisor=True)
    count = len(a) // lanes * lanes
    a, b = a[:count], b[:count]
    shape = (count // lanes, lanes)
    c, interpreted = run(
        elementwise(f"lanes_{name}", [scalar] * 2, values(lanes), lanes),
        cache,
        a.reshape(shape),
        b.reshape(shape),
    )
    one_by_one = flatten(make_kernel(elementwise("scalars", [scalar] * 2, values(1)), "interpret")(a, b))
    for found, other, expected in zip(c, interpreted, one_by_one, strict=True):
        assert same(found.reshape(-1), expected, signed_zero=False)
        assert same(other.reshape(-1), expected, signed_zero=False)
