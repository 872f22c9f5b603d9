"""Functions that the C text defines itself: their errors on numbers of every magnitude, and that compilers vectorise
them.

Independent of programs.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache as remembered
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import rise
import shine
import strategies
from rise.primitives import PRIMITIVES, SCALAR_FUNCTIONS
from rise.primitives.functions import FUNCTIONS
from rise.primitives.record import PrimitiveRecord
from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.cache import default_directory
from shine.targets.c.elementary import ELEMENTARY
from shine.targets.c.printer import print_procedure
from shine.targets.openmp.compiler import build, find_compiler
from tests import required_tools
from tests.examples import THOROUGH, in_whole, some
from tests.shine.procedures import BOOL, elementwise, op
from tests.shine.targets.test_scalar_functions import rise_meaning

Numbers = NDArray[Any]
DTYPES: Final = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
C: Final = {"f32": "float", "f64": "double"}
NAMES: Final = [name for name, piece in ELEMENTARY.items() if piece.units]
OF_TWO: Final = ("pow", "atan2", "hypot")
LONG: Final = np.longdouble
ROOT: Final = Path(__file__).parents[4]
COUNT: Final = 2_000_000 if THOROUGH else 6_000
needs_long_doubles = required_tools.needs(required_tools.LONG_DOUBLE, np.finfo(LONG).nmant >= 63)


def text(names: Sequence[str] = NAMES, second: str = "y[i]", first: str = "x[i]") -> str:
    """Functions, each with a loop over arrays, as in kernels."""
    lines = ["#include <stdint.h>", "#include <stdbool.h>", "#include <math.h>"]
    ordered: dict[str, str] = {}

    def add(name: str) -> None:
        for needed in ELEMENTARY[name].needs:
            add(needed)
        ordered.setdefault(name, ELEMENTARY[name].text)

    for name in names:
        add(name)
    lines += ordered.values()
    for name in names:
        operation, _, t = name.rpartition("_")
        c, arguments = C[t], f"{first}, {second}" if operation in OF_TWO else "x[i]"
        lines += [
            f"void of_{name}(const {c} *restrict x, const {c} *restrict y, {c} *restrict r, int64_t n) {{",
            "  #pragma omp parallel for num_threads(1)",
            f"  for (int64_t i = 0; i < n; i++) r[i] = {name}({arguments});",
            "}",
        ]
    return "\n".join([*lines, ""])


@remembered
def library() -> ctypes.CDLL:
    cache = default_directory()
    return build(text(), find_compiler(None, None, cache), cache, lambda path: ctypes.CDLL(str(path)))


def computed(name: str, *arguments: Numbers) -> Numbers:
    """The results of a function on arrays of numbers."""
    result = np.empty_like(arguments[0])
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (arguments[0], arguments[-1], result)]
    library()[f"of_{name}"](*pointers, ctypes.c_int64(len(result)))
    return result


def erf(x: Numbers) -> Numbers:
    """The error function, by the series whose terms all have the same sign."""
    inside = np.where(np.abs(x) < 6.5, x, 0)
    term = total = inside
    for n in range(220):
        term = term * 2 * inside * inside / (2 * n + 3)
        total = total + term
    total = total * 2 / np.sqrt(LONG("3.14159265358979323846264338327950288")) * np.exp(-inside * inside)
    return np.where(np.abs(x) < 6.5, total, np.sign(x))


def exact(operation: str, *arguments: Numbers) -> Numbers:
    """The values with 64 bits of precision."""
    function: Callable[..., Numbers] = erf if operation == "erf" else rise_meaning(operation)
    with np.errstate(all="ignore"):
        values: Numbers = function(*(one.astype(LONG) for one in arguments))
        return values


def special(dtype: Any) -> Numbers:
    """Zeros, infinities, NaN, ends of ranges, and the neighbours of all these."""
    facts = np.finfo(dtype)
    ends = [
        88.722839,
        -103.97208,
        -87.33655,
        709.782712893384,
        -745.1332191019411,
        710.4758600739439,
        128,
        1024,
    ]
    some = [
        0,
        1,
        2,
        3,
        0.5,
        1 / 3,
        np.pi / 2,
        np.pi,
        1e5,
        2.0**53,
        facts.max,
        facts.tiny,
        facts.smallest_subnormal,
    ]
    values = np.array([*some, *ends, np.inf, np.nan]).astype(dtype)
    values = np.concatenate([values, -values])
    with np.errstate(all="ignore"):
        return np.concatenate([values, *(np.nextafter(values, dtype.type(way)) for way in (np.inf, -np.inf))])


def samples(name: str) -> tuple[Numbers, ...]:
    """Numbers of all magnitudes, in ranges in which a function uses different methods, and special ones."""
    operation, _, t = name.rpartition("_")
    dtype, random = DTYPES[t], np.random.default_rng(4)
    bits = random.integers(0, 1 << dtype.itemsize * 8, COUNT, dtype=f"u{dtype.itemsize}").view(dtype)
    # nearest to multiples of a right angle: the worst of f32 and of f64 (Muller, Elementary Functions, section 11.3)
    worst = [16367173.0 * 2.0**72, 6381956970095103.0 * (2.0**797 if t == "f64" else 1.0)]
    angles = np.pi / 2 * random.integers(1, 1 << 20, COUNT) * 2.0 ** random.integers(0, 100, COUNT)
    ranges = [
        random.uniform(-1, 1, COUNT),
        random.uniform(-8, 8, COUNT),
        random.uniform(-800, 800, COUNT),
        1 + random.uniform(-0.01, 0.01, COUNT),
        2.0 ** random.uniform(-40, 40, COUNT),
    ]
    edges = special(dtype)
    xs = np.concatenate([bits, *(one.astype(dtype) for one in (*ranges, angles, np.array(worst))), edges])
    if operation not in OF_TWO:
        return (xs,)
    firsts, seconds = (one.reshape(-1) for one in np.meshgrid(edges, edges))
    ys = random.permutation(xs)
    powers = (random.uniform(-740, 740, COUNT) / np.log(ranges[-1]) * (0.12 if t == "f32" else 1)).astype(
        dtype
    )
    return (
        np.concatenate([xs, xs, firsts, ranges[-1].astype(dtype)]),
        np.concatenate([ys, np.sort(xs), seconds, powers]),
    )


@needs_long_doubles
@pytest.mark.parametrize("name", some(NAMES, 5))
def test_errors_of_functions_are_within_their_bounds(name: str) -> None:
    """In units of the exact value; special values are exact, including the sign of zeros."""
    operation, _, t = name.rpartition("_")
    arguments, dtype = samples(name), DTYPES[t]
    found, right = computed(name, *arguments), exact(operation, *arguments)
    facts = np.finfo(dtype)
    with np.errstate(all="ignore"):
        rounded = right.astype(dtype)
    finite = np.isfinite(rounded) & np.isfinite(found)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    zeros = (rounded == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(rounded[zeros]))
    exponent = np.frexp(np.maximum(np.abs(right[finite]), facts.tiny))[1]
    unit = np.ldexp(LONG(1), exponent - facts.nmant - 1)
    off = np.abs(found[finite].astype(LONG) - right[finite]) / unit
    worst = off.argmax()
    where = [float(one[finite][worst]) for one in arguments]
    assert off[worst] <= ELEMENTARY[name].units, (float(off[worst]), where)


@pytest.mark.parametrize("t", DTYPES)
def test_integral_results_are_exact(t: str) -> None:
    """Powers of two and of ten, and cubes, if the type represents them."""
    dtype = DTYPES[t]
    twos = np.arange(-126, 128).astype(dtype)
    tens = np.arange(11 if t == "f32" else 23).astype(dtype)
    units = np.arange(200).astype(dtype)
    np.testing.assert_array_equal(computed(f"exp2_{t}", twos), 2.0**twos)
    np.testing.assert_array_equal(computed(f"log2_{t}", dtype.type(2) ** twos), twos)
    np.testing.assert_array_equal(computed(f"log10_{t}", np.array([10.0**k for k in tens], dtype)), tens)
    np.testing.assert_array_equal(computed(f"cbrt_{t}", units**3), units)


def test_every_function_is_defined_within_the_bound_of_its_record() -> None:
    """Except those that take only one or two instructions."""
    for record in FUNCTIONS:
        if record.units and record.name != "rsqrt":
            for t in DTYPES:
                assert 0 < ELEMENTARY[f"{record.name}_{t}"].units <= record.units


def test_the_documentation_states_the_bounds() -> None:
    page = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+` ?)+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE)
    stated = {
        f"{operation}_{t}": float(bound)
        for operations, *bounds in rows
        for operation in re.findall(r"\w+", operations)
        for t, bound in zip(DTYPES, bounds, strict=True)
    }
    assert stated == {name: ELEMENTARY[name].units for name in NAMES}


@pytest.mark.parametrize("t", DTYPES)
def test_remainders_are_exact(t: str) -> None:
    """Of numbers of every magnitude, and next to multiples of the divisor, where rounded quotients are too large."""
    rng, dtype = np.random.default_rng(7), DTYPES[t]
    b = rng.integers(1, 100, COUNT).astype(dtype) / dtype.type(7)
    multiples = b * rng.integers(0, 2000, COUNT).astype(dtype)
    width = np.dtype(f"i{dtype.itemsize}")
    bits = rng.integers(np.iinfo(width).min, np.iinfo(width).max, (2, COUNT), width).view(dtype)
    powers = np.ldexp(np.ones(COUNT, dtype), rng.integers(-9, 40, COUNT))
    ends = np.array(
        [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, np.finfo(dtype).tiny, np.finfo(dtype).max], dtype
    )
    pairs = [
        (multiples, b),
        (np.nextafter(multiples, dtype.type(np.inf)), -b),
        (np.nextafter(multiples, dtype.type(-np.inf)), b),
        (bits[0], bits[1]),
        (powers, b),
        tuple(side.ravel() for side in np.meshgrid(ends, ends)),
    ]
    divide = shine.jit(lambda x, y: np.fmod(x, y))
    assert " = trunc" in divide.lower(*pairs[0]).source, "the library subtracts bit by bit"
    with np.errstate(all="ignore"):
        for x, y in pairs:
            got, expected = divide(x, y), np.fmod(x, y)
            same = (got.view(width) == expected.view(width)) | (np.isnan(got) & np.isnan(expected))
            assert same.all(), (x[~same][0], y[~same][0], got[~same][0], expected[~same][0])


def vectorised(source: Path) -> set[int]:
    """The lines of loops that gcc vectorises, with vectors of at most 256 bits."""
    compiler = find_compiler(None, None, default_directory())
    about = subprocess.run([compiler.path, "-v"], capture_output=True, text=True, check=False)
    if "gcc version" not in about.stderr or "x86_64" not in about.stderr:
        required_tools.skip_without(required_tools.GCC)
    flags = [flag for flag in compiler.flags if not flag.startswith(("-march", "-mprefer"))]
    command = [compiler.path, *flags, "-march=x86-64-v3", "-fopt-info-vec", "-S", source, "-o", f"{source}.s"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return {int(line) for line in re.findall(r"\.c:(\d+):\d+: optimized: loop vectorized", ran.stderr)}


def takes(record: PrimitiveRecord, t: str) -> bool:
    """Whether a function accepts numbers of a type, all of one type, and has its own form in C."""
    classes = re.match(r"\{t: \(?(\w+)", record.scheme)
    return (
        classes is not None
        and (classes[1] == "data" or classes[1] in SCALARS[t].classes)
        and record.name != "select"
    )


def test_compilers_vectorise_every_function(tmp_path: Path) -> None:
    """On a processor with vectors of 256 bits, however large the loop's body is."""
    source = tmp_path / "functions.c"
    names = some(NAMES, 5)
    source.write_text(text(names))
    lines = vectorised(source)
    assert [name for name in names if not lines & set(loop_of(name, names))] == []


@in_whole("test_compilers_vectorise_every_function")
@pytest.mark.parametrize(
    ("first", "second"), some([("x[i]", "2.2f"), ("x[i]", "3.0f"), ("x[i]", "x[0]"), ("y[0]", "x[i]")], 4)
)
def test_compilers_vectorise_functions_with_a_loop_invariant_argument(
    first: str, second: str, tmp_path: Path
) -> None:
    """A condition that is the same for all elements is not a mask, and gcc would not vectorise the loop."""
    names = [name for name in NAMES if name.startswith(OF_TWO)]
    source = tmp_path / "functions.c"
    source.write_text(text(names, second, first))
    lines = vectorised(source)
    assert [name for name in names if not lines & set(loop_of(name, names))] == []


@pytest.mark.parametrize(
    ("bounds", "t"), some([((), "f32"), ((), "f64"), ((0, 1), "f64"), ((0, 1), "f32")], 5)
)
def test_compilers_vectorise_several_conditions(bounds: tuple[int, ...], t: str, tmp_path: Path) -> None:
    """Those of two powers, or of a power and its operand, do not become branches."""

    def powers(x):
        return np.clip(x, *bounds) ** 0.45 if bounds else x**0.3 + x**2.5

    source = tmp_path / "kernel.c"
    source.write_text(shine.jit(powers).lower(np.ones(3, DTYPES[t])).source)
    assert vectorised(source)


def test_a_target_lists_what_is_not_vectorised() -> None:
    """Functions that are defined in C are vectorised, and so are operations of processors; others are listed."""
    one_by_one = shine.TARGETS["openmp"].one_by_one
    assert one_by_one is not None and one_by_one.keys() == SCALARS.keys()
    assert not {"exp", "pow", "sqrt", "floor", "isinf", "add", "div"} & one_by_one["f64"]
    assert one_by_one["f32"] == {"mod"} and {"div", "mod", "floorMod"} < one_by_one["i32"]
    assert shine.TARGETS["cuda"].one_by_one is None


LOOPS: Final = [
    (record.name, t)
    for t in ("f32", "f64", "i32", "u8")
    for record in SCALAR_FUNCTIONS
    if takes(record, t) and record.relation != "parts"  # operations on complex numbers are not vectorised
]


@pytest.mark.parametrize(("name", "t"), some(LOOPS, 41))
def test_functions_are_vectorised_unless_the_target_lists_them(name: str, t: str, tmp_path: Path) -> None:
    record = PRIMITIVES[name]
    count = record.scheme.rpartition("}")[2].count("->") - 1
    result = BOOL if record.scheme.endswith("bool") else ScalarType(t)
    procedure = elementwise("kernel", [ScalarType(t)] * count, lambda *given: [op(name, *given, type=result)])
    source = tmp_path / "kernel.c"
    source.write_text(print_procedure(procedure, check=False, threads=None).text)
    one_by_one = shine.TARGETS["openmp"].one_by_one
    assert one_by_one is not None
    assert bool(vectorised(source)) == (name not in one_by_one[t])


def loop_of(name: str, names: Sequence[str] = NAMES) -> Iterator[int]:
    """The numbers of the lines of a function's loop."""
    for number, line in enumerate(text(names).splitlines(), start=1):
        if line.startswith(f"void of_{name}("):
            yield from range(number, number + 3)


def test_half_precision_is_computed_by_functions_of_f32() -> None:
    program = rise.parse("fun(xs: N.f16 => xs |> map(exp))").main
    lowered = strategies.load("strategies.sequential:sequential")(program).program
    half = shine.compile(lowered, target="openmp")
    xs = np.linspace(-12, 11, 999, dtype=np.float16)
    np.testing.assert_allclose(half(xs), np.exp(xs.astype(np.float64)), rtol=2**-10, atol=2**-24)
    assert "exp_f32" in half.source and "expf(" not in half.source


@in_whole("test_errors_of_functions_are_within_their_bounds")
def test_the_numbers_are_those_that_the_tool_computes() -> None:
    subprocess.run([sys.executable, "tools/make_polynomials.py", "--check"], cwd=ROOT, check=True)
