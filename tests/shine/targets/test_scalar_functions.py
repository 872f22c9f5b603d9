"""Scalar functions have the results of `rise.evaluate` on every executor. Independent of programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.diagnostics import RiseError
from rise.naturals import const
from rise.primitives import PRIMITIVES
from rise.primitives.functions import FUNCTIONS as FUNCTIONS_OF_RISE
from rise.primitives.integers import INTEGERS as INTEGERS_OF_RISE
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.targets.cuda.compiler import compile_text, find_compiler
from shine.targets.cuda.module import CudaModule
from tests.examples import THOROUGH, in_turns, some
from tests.shine.procedures import elementwise, elementwise_loops, flatten, op
from tests.shine.targets.cuda.test_arithmetic import simulated
from tests.shine.targets.test_arithmetic import (
    FLOATS,
    INTEGERS,
    LIBRARY,
    PREDICATES,
    TYPES,
    Applied,
    Case,
    by_type,
    check_meaning,
    combinations,
    interesting,
    loops_of,
    meaning,
    run_each,
    same,
)

BITS: Final = ("bitAnd", "bitOr", "bitXor", "shiftLeft", "shiftRight")
DIVISIONS: Final = ("floorDiv", "floorMod", "euclidMod")
WHOLE: Final = ("floor", "ceil", "round", "trunc")
_OF_TWO: Final = ("pow", "atan2", "hypot")
MOST: Final = 2000  # tuples of numbers
TRIPLES: Final = MOST if THOROUGH else 500
#: each type is tested in one of these ways, and in `make whole` in both
TYPES_OF_SCALARS: Final = some(TYPES, 2)
TYPES_OF_VECTORS: Final = some(TYPES, 2, 1)


def operands(name: str, arity: int) -> list[Any]:
    """Tuples of interesting numbers; integers include small ones, for shifts; divisors are not zero."""
    grids = combinations(name, arity, divisor=arity == 2)
    if name in INTEGERS and arity == 2:
        values = interesting(name)
        amounts = [0, 1, 5, 7, 8, 15, 16, 31, 32, 63, 64, 127, *([-1, -8, -64] if name[0] == "i" else [])]
        more = np.meshgrid(values, np.array([b for b in amounts if b], values.dtype))
        grids = [np.concatenate([g, m.reshape(-1)]) for g, m in zip(grids, more, strict=True)]
    keep = np.random.default_rng(5).permutation(len(grids[0]))[: MOST if arity < 3 else TRIPLES]
    return [np.ascontiguousarray(grid[keep]) for grid in grids]


def functions(name: str) -> dict[int, tuple[str, ...]]:
    """The exact functions of a type, by the number of their operands."""
    if name in INTEGERS:
        return {1: ("bitNot", "sign"), 2: (*BITS, *DIVISIONS), 3: ("clamp",)}
    return {1: (*WHOLE, "sign", *PREDICATES), 3: ("clamp",)}


def compile_where_possible(module: CudaModule, cache: Path) -> None:
    """Compile a text if NVRTC is installed."""
    try:
        find_compiler("nvrtc")
    except RiseError:
        return
    names = [one.name for one in module.kernels]
    compile_text(module.source, "sm_80", names, compiler="nvrtc", cache=cache)


def on_executors(name: str, cases: Sequence[Case], lanes: int, cache: Path) -> dict[str, list[Applied]]:
    """The results of functions for each type in C, of the interpreter and in CUDA, by one CUDA text for all types."""
    loops = loops_of(cases, lanes)
    c, interpreted = run_each(loops, cache)
    every = [one for each in loops.values() for one in each]
    procedure = elementwise_loops(name, [loop for loop, _ in every])
    module, cuda = simulated(procedure, [one for _, arrays in every for one in arrays], cache)
    compile_where_possible(module, cache)
    return by_type(cases, c, interpreted, cuda)


@pytest.fixture(scope="module")
def scalars(cache: Path) -> dict[str, list[Applied]]:
    cases = [
        (t, names, operands(t, arity)) for t in TYPES_OF_SCALARS for arity, names in functions(t).items()
    ]
    return on_executors("scalars", cases, 1, cache)


@pytest.fixture(scope="module")
def vectors(cache: Path) -> dict[str, list[Applied]]:
    cases: list[Case] = []
    for t in TYPES_OF_VECTORS:
        for arity, names in functions(t).items():
            arrays = [one[: len(one) // 4 * 4] for one in operands(t, arity)]
            cases.append((t, tuple(f for f in names if f not in PREDICATES), arrays))
    return on_executors("vectors", cases, 4, cache)


@pytest.mark.parametrize("name", some(TYPES_OF_SCALARS, 5))
def test_exact_functions_agree(name: str, scalars: dict[str, list[Applied]]) -> None:
    """Evaluated, interpreted, in C and in CUDA."""
    assert {one.name for one in scalars[name]} == {f for names in functions(name).values() for f in names}
    check_meaning(name, scalars[name], lambda f: f != "clamp")


@pytest.mark.parametrize("name", some(TYPES_OF_VECTORS, 5))
def test_vectors_agree_with_scalars_lane_by_lane(name: str, vectors: dict[str, list[Applied]]) -> None:
    names = {f for names in functions(name).values() for f in names}
    assert {one.name for one in vectors[name]} == names - set(PREDICATES)
    check_meaning(name, vectors[name], lambda f: f != "clamp")


def exact(name: str, *arguments: Any) -> Any:
    """The value in a precision that is much higher than f32's; for f64, 64 bits of fraction."""
    return rise_meaning(name)(*(np.asarray(a, np.longdouble) for a in arguments))


def rise_meaning(name: str) -> Callable[..., Any]:
    """numpy's function on numbers of extended precision."""
    inverses = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
    hyperbolic = {"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "pow": "power"}
    own: dict[str, Callable[..., Any]] = {"rsqrt": lambda a: 1 / np.sqrt(a), "erf": erf}
    known = {**inverses, **hyperbolic}
    return own.get(name) or getattr(np, known.get(name, name))


def erf(a: Any) -> Any:
    """The error function by its series, which converges quickly for the numbers that are tested."""
    total, term = np.zeros_like(a), a
    for n in range(120):
        total = total + term / (2 * n + 1)
        term = -term * a * a / (n + 1)
    return total * 2 / np.sqrt(np.longdouble("3.14159265358979323846264338327950288"))


def library_numbers(name: str) -> list[Any]:
    """Pairs of numbers in the domains of the functions."""
    dtype = SCALARS[name].dtype
    random = np.random.default_rng(2)
    x, y = (random.uniform(0.01, 2.5, 200).astype(dtype) for _ in "xy")
    x[:100] = random.uniform(-1, 1, 100).astype(dtype)
    return [x, y]


#: signed zeros, infinities and NaN, and the results
SPECIAL: Final = {
    "rsqrt": [(0.0, np.inf), (-0.0, -np.inf), (np.inf, 0.0), (-1.0, np.nan)],
    "log": [(0.0, -np.inf), (-1.0, np.nan)],
    "exp": [(-np.inf, 0.0), (1000.0, np.inf)],
    "erf": [(np.inf, 1.0), (-0.0, -0.0), (np.nan, np.nan)],
    "cbrt": [(-8.0, -2.0)],
    "expm1": [(-0.0, -0.0)],
}


@pytest.fixture(scope="module")
def library(cache: Path) -> dict[str, list[Applied]]:
    of_one = [f for f in LIBRARY if f not in _OF_TWO]
    cases: list[Case] = []
    for t in FLOATS:
        x, y = library_numbers(t)
        cases += [(t, of_one, [x]), (t, _OF_TWO, [x, y])]
        for f, pairs in SPECIAL.items():
            cases.append((t, (f,), [np.array([x for x, _ in pairs]).astype(SCALARS[t].dtype)]))
    return on_executors("library", cases, 1, cache)


@pytest.mark.parametrize("name", some(FLOATS, 5))
def test_errors_of_functions_are_within_their_bounds(name: str, library: dict[str, list[Applied]]) -> None:
    """Evaluated, interpreted, in C and on the simulator."""
    dtype = SCALARS[name].dtype
    results = library[name][: -len(SPECIAL)]
    assert {one.name for one in results} == set(LIBRARY)
    for f, arguments, found in results:
        with np.errstate(all="ignore"):
            expected = exact(f, *arguments)
            unit = np.spacing(np.abs(expected).astype(dtype)).astype(np.longdouble)
        units = PRIMITIVES[f].units if name in ("f32", "f64") else 1
        for one in (*found, meaning(f, name, *arguments)):
            wide = one.astype(np.longdouble)
            assert (np.isnan(wide) == np.isnan(expected)).all(), f
            assert (np.isnan(wide) | (np.abs(wide - expected) <= units * unit)).all(), f


@pytest.mark.parametrize("t", FLOATS)
def test_functions_of_special_values_are_exact(t: str, library: dict[str, list[Applied]]) -> None:
    """On every executor."""
    results = library[t][-len(SPECIAL) :]
    assert [one.name for one in results] == list(SPECIAL)
    for f, (x,), found in results:
        expected = np.array([result for _, result in SPECIAL[f]]).astype(x.dtype)
        for one in (*found, meaning(f, t, x)):
            assert same(one, expected), f


@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.parametrize("t", ["i8", "u32", "i64"])
@pytest.mark.parametrize("target", ["openmp", "interpret", "evaluate"])
def test_division_by_zero_is_an_error(name: str, t: str, target: str, cache: Path) -> None:
    e = rise.parse(f"fun(xs: 4.{t}, y: {t} => xs |> mapSeq(fun(x => {name}(x, y))))").main
    xs, y = np.arange(4, dtype=SCALARS[t].dtype), SCALARS[t].dtype.type(0)
    found: Callable[..., Any] = (
        (lambda *a: rise.evaluate(e, *a))
        if target == "evaluate"
        else shine.compile(e, target=target, cache=str(cache))
        if target == "openmp"
        else shine.compile(e, target=target)
    )
    with pytest.raises(RiseError, match="expected a divisor other than 0, found 0"):
        found(xs, y)
    assert found(xs, y + y.dtype.type(3)).dtype == xs.dtype


def text_of(t: str, level: str) -> str:
    """A program that applies every function of a type to pairs of numbers."""
    wanted = "floating" if t == "f32" else "integral"
    called = []
    for record in (*INTEGERS_OF_RISE, *FUNCTIONS_OF_RISE):
        kind, *_ = record.scheme.split("}")
        if wanted in kind or "num" in kind:
            arity = record.scheme.count("->") - 1
            called.append(f"{record.name}({', '.join(['x', 'y', 'x'][:arity])})")
    *rest, last = called
    body = "".join(f"pair({one}, " for one in rest) + last + ")" * len(rest)
    return f"fun(xs: N.{t}, ys: N.{t} => zip(xs, ys) |> {level}(fun(p => (fun(x, y => {body}))(fst(p), snd(p)))))"


@pytest.mark.parametrize(
    ("target", "level", "t"),
    in_turns([("interpret", "mapSeq"), ("openmp", "mapPar"), ("cuda-sim", "mapGlobal(0)")], ["i32", "f32"]),
)
def test_programs_call_every_function(t: str, target: str, level: str) -> None:
    random = np.random.default_rng(7)
    xs, ys = (random.uniform(1, 9, 65).astype(SCALARS[t].dtype) for _ in "xy")
    program = rise.parse(text_of(t, level)).main
    found = flatten(shine.compile(program, target=target)(xs, ys))
    expected = flatten(rise.evaluate(program, xs, ys))
    assert len(found) == len(expected) > (10 if t == "i32" else 30)
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_integer_vectors_use_the_operators_of_c(cache: Path) -> None:
    """Vectors of integers are combined by the operators of the language."""
    t = VectorType(const(4), ScalarType("i32"))
    procedure = elementwise("plain", [ScalarType("i32")] * 2, lambda a, b: [op("bitXor", a, b, type=t)], 4)
    assert " ^ " in shine.kernel.make_kernel(procedure, "openmp", cache=str(cache)).source
