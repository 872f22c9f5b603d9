"""Arithmetic: every row of docs/semantics.md, on every executor. Independent of programs.

One subject: the operations of one table, on the same numbers and with the same comparisons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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
from tests.examples import THOROUGH, in_turns, some
from tests.shine.procedures import BOOL, Loop, elementwise, elementwise_loops, flatten, op

INTEGERS = [name for name, facts in SCALARS.items() if "integral" in facts.classes]
FLOATS = [name for name, facts in SCALARS.items() if "floating" in facts.classes]
TYPES = [*INTEGERS, *FLOATS]
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
BINARY = ("add", "sub", "mul", "min", "max", "div", "mod")
UNARY = ("neg", "abs")
PAGE = Path(__file__).parents[3] / "docs" / "semantics.md"
EXAMPLE = re.compile(r"`(\w+)\(([^)`]*)\) : (\w+)(?: -> (\w+))? = ([^`]+)`")
PREDICATES = ("isnan", "isinf", "isfinite")
LIBRARY = tuple(record.name for record in SCALAR_FUNCTIONS if record.units)


def run_each(loops: Mapping[str, Sequence[tuple[Loop, Any]]], cache: Path) -> tuple[list[Any], list[Any]]:
    """The results of the C code and of the interpreter for loops and their arrays, by a kernel for each type.

    One kernel for all would be compiled sooner, but gcc inlines less in a long text, and its defects, for which some
    operations are written as they are, do not show.
    """
    c: list[Any] = []
    interpreted: list[Any] = []
    for t, given in loops.items():
        arrays = [one for _, arrays in given for one in arrays]
        kernel = elementwise_loops(f"of_{t}", [loop for loop, _ in given])
        for found, results in zip((c, interpreted), run(kernel, cache, *arrays), strict=True):
            found += results
    return c, interpreted


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
    (found,) = meanings([name], t, *arrays)
    return found


def meanings(names: Sequence[str], t: str, *arrays: Any) -> list[Any]:
    """The results of `rise.evaluate` for operations on arrays, by one program."""
    typed = ", ".join(f"x{i}: N.{t}" for i in range(len(arrays)))
    elements = {1: "x0", 2: "zip(x0, x1)", 3: "zip(x0, zip(x1, x2))"}[len(arrays)]
    at = {1: "e", 2: "fst(e), snd(e)", 3: "fst(e), fst(snd(e)), snd(snd(e))"}[len(arrays)]
    results = ", ".join(f"{elements} |> map(fun(e => {name}({at})))" for name in names)
    return flatten(rise.evaluate(rise.parse(f"fun({typed} => ({results}))").main, *arrays))


#: a type, operations on numbers of the type, and the numbers
Case = tuple[str, Sequence[str], list[Any]]


class Applied(NamedTuple):
    """An operation, the numbers, and its results on the executors."""

    name: str
    arrays: list[Any]
    found: tuple[Any, ...]


def loops_of(cases: Sequence[Case], lanes: int = 1) -> dict[str, list[tuple[Loop, list[Any]]]]:
    """For each type the loops over the numbers, as vectors if `lanes` > 1."""
    found: dict[str, list[tuple[Loop, list[Any]]]] = {}
    for t, names, arrays in cases:
        wide = arrays if lanes == 1 else [one.reshape(-1, lanes) for one in arrays]
        found.setdefault(t, []).append((([ScalarType(t)] * len(arrays), applied(names), lanes), wide))
    return found


def applied(names: Sequence[str]) -> Callable[..., Sequence[Value]]:
    def values(*given: Load) -> Sequence[Value]:
        return [
            op(f, *given, type=BOOL) if f in (*PREDICATES, *COMPARISONS) else op(f, *given) for f in names
        ]

    return values


def by_type(cases: Sequence[Case], *results: list[Any]) -> dict[str, list[Applied]]:
    """The results of some cases on executors, as operations of each type; cases of one type follow one another."""
    rest = zip(*results, strict=True)
    found: dict[str, list[Applied]] = {}
    for t, names, arrays in cases:
        found.setdefault(t, []).extend(Applied(f, arrays, next(rest)) for f in names)
    assert next(rest, None) is None
    return found


def check_meaning(t: str, results: Sequence[Applied], signed_zero: Callable[[str], bool]) -> None:
    """Assert that all results are those of `rise.evaluate`; the sign of zeros need not agree where it is undefined."""
    alike: dict[tuple[int, ...], list[Applied]] = {}
    for one in results:
        alike.setdefault(tuple(map(id, one.arrays)), []).append(one)
    for several in alike.values():
        expected = meanings([one.name for one in several], t, *several[0].arrays)
        for (f, _, found), meant in zip(several, expected, strict=True):
            for one in found:
                assert same(one.reshape(-1), meant, signed_zero(f)), f


@pytest.fixture(scope="module")
def operations(cache: Path) -> dict[str, list[Applied]]:
    cases: list[Case] = []
    for name in TYPES:
        cases.append((name, (*BINARY, *COMPARISONS), combinations(name, 2, divisor=True)))
        cases.append((name, UNARY, combinations(name, 1)))
    return by_type(cases, *run_each(loops_of(cases), cache))


@pytest.mark.parametrize("name", some(TYPES, 2))
def test_operations_agree(name: str, operations: dict[str, list[Applied]]) -> None:
    assert [one.name for one in operations[name]] == [*BINARY, *COMPARISONS, *UNARY]
    check_meaning(name, operations[name], lambda f: f not in ("min", "max"))


def test_fused_multiply_add_rounds_once(cache: Path) -> None:
    """On all triples in C, and on a part of them, with all numbers, in the interpreter."""
    apart = 1 if THOROUGH else 23
    for name in FLOATS:
        arrays = combinations(name, 3)
        near = np.array([1 + 2.0**-7, 1.0, 2.0**-30, 1 - 2.0**-8, 2.0**-100]).astype(SCALARS[name].dtype)
        more = [np.ascontiguousarray(g.reshape(-1)) for g in np.meshgrid(near, near, near)]
        arrays = [np.concatenate(both) for both in zip(more, arrays, strict=True)]
        assert np.gcd(apart, len(interesting(name))) == 1
        part = np.concatenate([np.arange(125), np.arange(125, len(arrays[0]), apart)])
        procedure = elementwise(
            f"fma_{name}",
            [ScalarType(name)] * 3,
            lambda a, b, c: [op("fma", a, b, c), op("sqrt", a)],
        )
        c = flatten(make_kernel(procedure, "openmp", cache=str(cache))(*arrays))
        interpreted = flatten(make_kernel(procedure, "interpret")(*(one[part] for one in arrays)))
        expected = meaning("fma", name, *arrays), meaning("sqrt", name, arrays[0])
        for meant, one, other in zip(expected, c, interpreted, strict=True):
            assert same(one, meant) and same(other, meant[part]), name


#: types that are converted; their results are of all types
SOURCES = some(SCALARS, 2)


def cast_values(source: str) -> Any:
    """Numbers whose conversions differ between implementations."""
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
    return values


def cast_results(source: str) -> list[str]:
    """The types to which numbers are converted."""
    return [name for name in SCALARS if is_complex(name) or not is_complex(source)]


def casts_to(results: Sequence[str]) -> Callable[[Load], Sequence[Value]]:
    return lambda a: [op("cast", a, type=ScalarType(r)) for r in results]


@pytest.fixture(scope="module")
def casts(cache: Path) -> dict[str, list[tuple[Any, Any]]]:
    """The results of the C code and of the interpreter."""
    loops: dict[str, list[tuple[Loop, Any]]] = {}
    for source in SOURCES:
        casts = casts_to(cast_results(source))
        loops[source] = [(([ScalarType(source)], casts, 1), [cast_values(source)])]
    found = zip(*run_each(loops, cache), strict=True)
    by_source = {source: [next(found) for _ in cast_results(source)] for source in SOURCES}
    assert next(found, None) is None
    return by_source


@pytest.mark.parametrize("source", some(SOURCES, 2))
def test_casts_agree(source: str, casts: dict[str, list[tuple[Any, Any]]]) -> None:
    found = dict(zip(cast_results(source), casts[source], strict=True))
    for r, (c, interpreted) in found.items():
        assert same(c, interpreted), r
    meant = [r for r in found if "bool" not in (source, r)]
    expected = meanings([f"cast{{{r}}}" for r in meant], source, cast_values(source)) if meant else []
    for r, one in zip(meant, expected, strict=True):
        assert same(found[r][0], one), r


def test_a_cast_to_an_integer_and_back_gives_no_negative_zero(cache: Path) -> None:
    """Some compilers replace both casts by a truncation, which keeps the sign. 37 is not a multiple of any vector
    length.
    """
    sources = [name for name in FLOATS if name != "bf16"]

    def back(t: ScalarType) -> Callable[[Load], Sequence[Value]]:
        return lambda a: [op("cast", op("cast", a, type=ScalarType(r)), type=t) for r in INTEGERS]

    loops: dict[str, list[tuple[Loop, Any]]] = {}
    for source in sources:
        t, values = ScalarType(source), np.linspace(-0.96, 1.5, 37).astype(SCALARS[source].dtype)
        loops[source] = [(([t], back(t), 1), [values])]
    cases = [(source, r) for source in sources for r in INTEGERS]
    for case, c, interpreted in zip(cases, *run_each(loops, cache), strict=True):
        assert same(c, interpreted), case
        assert not np.signbit(c[c == 0]).any(), case


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_zero_minus_a_number_that_is_not_a_negative_zero(target: str, cache: Path) -> None:
    """gcc's front end negates numbers that it knows not to be -0.0: found by the soak."""
    cases = [
        (t, number.format(f"cast{{{t}}}(indexAsInt(i))")) for t in FLOATS for number in ("{}", "abs({})")
    ]
    generated = ", ".join(f"generate(fun(i: idx[3] => cast{{{t}}}(0.0) - {number}))" for t, number in cases)
    found = flatten(shine.compile(rise.parse(f"({generated})").main, target, cache=str(cache))())
    for case, one in zip(cases, found, strict=True):
        wide = np.asarray(one).astype(np.float64)
        assert wide.tolist() == [0, -1, -2] and not np.signbit(wide[0]), case


def test_casts_to_f16_and_back_round_in_vectors(cache: Path) -> None:
    """With AVX512-FP16, gcc 12 combined both into one vector operation: found by the soak."""
    for t in ("f32", "f64"):
        e = rise.parse(f"fun(xs: N.{t} => xs |> map(fun(x => cast{{{t}}}(cast{{f16}}(x)) + x)))").main
        xs = (np.linspace(-9, 9, 53) * 10.0 ** (np.arange(53) % 7)).astype(SCALARS[t].dtype)
        kernel = shine.compile(e, "openmp", cache=str(cache))
        assert same(kernel(xs), rise.evaluate(e, xs)), t


@pytest.mark.parametrize("t", some(["f32", "f64"], 2))
def test_remainders_of_powers_of_two_need_no_call(t: str, cache: Path) -> None:
    """Integers and larger numbers: `fmod` is a call, so that a loop with it is not vectorised."""
    fractions = np.array([0.5, -0.5, 1.5, -3.25, 4097.75, -1e30, 3.0])
    xs = np.concatenate([interesting(t), fractions.astype(SCALARS[t].dtype)])
    for divisors, is_called in (((1.0, 8.0, 2.0**60), False), ((0.5,), True), ((3.0,), True)):
        numbers = [f"{divisor!r}{'f64' if t == 'f64' else ''}" for divisor in divisors]
        remainders = ", ".join(f"xs |> map(fun(x => x % {number}))" for number in numbers)
        e = rise.parse(f"fun(xs: N.{t} => ({remainders}))").main
        kernel = shine.compile(e, "openmp", cache=str(cache))
        assert ("fmod" in kernel.source) == is_called
        results = zip(divisors, flatten(kernel(xs)), flatten(rise.evaluate(e, xs)), strict=True)
        for divisor, found, expected in results:
            assert isinstance(found, np.ndarray) and isinstance(expected, np.ndarray)
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
    "number", some(range(len(rows())), 2), ids=lambda i: f"{rows()[i].name}-{rows()[i].source}-{i}"
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


@pytest.mark.parametrize(("t", "name"), in_turns(["i8", "u32", "i64"], ["div", "mod"]))
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
    *some(((name, 8) for name, facts in SCALARS.items() if name == "bool" or "num" in facts.classes), 2),
    ("f32", 2),
    ("f32", 16),
    ("f32", 32),
    ("f64", 4),
    ("i8", 64),
]


def vector_results(name: str, lanes: int) -> Callable[[Load, Load], Sequence[Value]]:
    """Operations on vectors, and casts of them, in the order of `vector_names`."""
    *names, to = vector_names(name)
    result = ScalarType(to)

    def of(a: Load, b: Load) -> Sequence[Value]:
        operands = {**dict.fromkeys((*UNARY, "sqrt"), (a,)), "fma": (a, b, a)}
        found: list[Value] = [op(f, *operands.get(f, (a, b))) for f in names]
        return [*found, op("cast", a, type=VectorType(const(lanes), result))]

    return of


def vector_names(name: str) -> list[str]:
    """The operations on vectors of a type, and the type to which they are converted."""
    to = "f32" if name != "f32" else "i16"
    if name == "bool":
        return ["and", "or", to]
    return [*BINARY, *UNARY, "fma", *(["sqrt"] if name in FLOATS else []), to]


@pytest.fixture(scope="module")
def vectors(cache: Path) -> dict[tuple[str, int], list[tuple[Any, Any]]]:
    """The results of the C code and of the interpreter for each width."""
    loops: dict[str, list[tuple[Loop, Any]]] = {}
    for name, lanes in WIDTHS:
        arrays = [one.reshape(-1, lanes) for one in vector_numbers(name, lanes)]
        loop = [ScalarType(name)] * 2, vector_results(name, lanes), lanes
        loops[f"{name}_{lanes}"] = [(loop, arrays)]
    found = zip(*run_each(loops, cache), strict=True)
    by_width = {(name, lanes): [next(found) for _ in vector_names(name)] for name, lanes in WIDTHS}
    assert next(found, None) is None
    return by_width


def vector_numbers(name: str, lanes: int) -> list[Any]:
    arrays = combinations(name, 2, divisor=True)
    return [one[: len(one) // lanes * lanes] for one in arrays]


@pytest.mark.parametrize(("name", "lanes"), some(WIDTHS, 2))
def test_vectors_agree_with_scalars_lane_by_lane(
    name: str, lanes: int, vectors: dict[tuple[str, int], list[tuple[Any, Any]]]
) -> None:
    """The scalars are those of the evaluator."""
    *names, to = vector_names(name)
    a, b = vector_numbers(name, lanes)
    of_one = [f for f in names if f in (*UNARY, "sqrt")]
    of_two = [f for f in names if f not in (*of_one, "fma")]
    expected = dict(zip(of_two, meanings(of_two, name, a, b), strict=True))
    if name != "bool":
        expected |= zip((*of_one, to), meanings([*of_one, f"cast{{{to}}}"], name, a), strict=True)
        expected["fma"] = meaning("fma", name, a, b, a) if name in FLOATS else a * b + a
    else:
        expected[to] = a.astype(SCALARS[to].dtype)
    assert len(vectors[name, lanes]) == len(expected)
    for f, found in zip((*names, to), vectors[name, lanes], strict=True):
        for one in found:
            assert same(one.reshape(-1), expected[f], signed_zero=False), f
