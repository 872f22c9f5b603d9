"""16-bit floating-point numbers and conversions: they agree with numpy and ml_dtypes bit by bit."""

from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shine.simulator import Program
from tests.examples import some

HALF = ("__half", "cuda_fp16.h", np.dtype(np.float16))
BFLOAT = ("__nv_bfloat16", "cuda_bf16.h", np.dtype(ml_dtypes.bfloat16))
BOTH = pytest.mark.parametrize(("name", "header", "dtype"), [HALF, BFLOAT], ids=["half", "bfloat16"])
ALL_BITS = np.arange(1 << 16, dtype=np.uint16)


@pytest.fixture(autouse=True)
def _numpy_does_not_warn() -> Iterator[None]:
    """Infinities and NaNs are intended."""
    with np.errstate(all="ignore"):
        yield


def kernel(header: str, out: str, inputs: str, expression: str) -> str:
    parameters = "".join(f", const {t}* {n}" for t, n in (one.split() for one in inputs.split(",")))
    return (
        f"#include <{header}>\n"
        f'extern "C" __global__ void f({out}* y{parameters}, int n) {{\n'
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"  if (i < n) y[i] = {expression};\n"
        f"}}\n"
    )


def run(program: Program, out: Any, *inputs: Any) -> Any:
    y = np.zeros(len(inputs[0]), out)
    n = len(y)
    report = program.launch("f", (n + 255) // 256, 256, [y, *inputs, np.int32(n)])
    assert report.findings == ()
    return y


def same(found: Any, expected: Any) -> None:
    """Whether bits are equal, except for NaNs."""
    bits = found.dtype.itemsize
    nan = np.isnan(expected.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(found.astype(np.float64)), nan)
    found, expected = found[~nan], expected[~nan]
    np.testing.assert_array_equal(found.view(f"u{bits}"), expected.view(f"u{bits}"))


def pairs(dtype: Any) -> tuple[Any, Any]:
    """Numbers of all magnitudes, including subnormal ones, infinities and NaNs."""
    random = np.random.default_rng(11)
    a, b = random.integers(0, 1 << 16, (2, 40000)).astype(np.uint16)
    b[::2] = (a[::2] & 0xFF00) ^ (b[::2] & 0x80FF)  # of similar magnitude, so that sums cancel
    return a.view(dtype), b.view(dtype)


@BOTH
def test_widening_is_exact(name: str, header: str, dtype: Any, programs: Callable[..., Program]) -> None:
    x = ALL_BITS.view(dtype)
    y = run(programs(kernel(header, "float", f"{name} x", "(float)x[i]")), np.float32, x)
    same(y, x.astype(np.float32))


@BOTH
@pytest.mark.parametrize("source", some(["float", "double"], 2))
def test_narrowing_rounds_once_to_nearest_even(
    name: str, header: str, dtype: Any, source: str, programs: Callable[..., Program]
) -> None:
    wide = np.dtype(np.float32 if source == "float" else np.float64)
    numbers = ALL_BITS.view(dtype)
    finite = np.sort(numbers[np.isfinite(numbers.astype(np.float64))].astype(np.float64))
    between = (finite[1:] + finite[:-1]) / 2
    ties = between.astype(wide)
    x = np.concatenate(
        [
            ties,
            np.nextafter(ties, wide.type(np.inf)),
            np.nextafter(ties, wide.type(-np.inf)),
            finite.astype(wide),
        ]
    )
    expected = x.astype(dtype) if dtype == np.float16 else round_to_bfloat(x)
    same(run(programs(kernel(header, name, f"{source} x", f"{name}(x[i])")), dtype, x), expected)


def round_to_bfloat(x: Any) -> Any:
    """The nearest bfloat16, ties to even, computed with integers in units in the last place."""
    wide = x.astype(np.float64)
    _, exponent = np.frexp(wide)
    unit = np.ldexp(1.0, np.maximum(exponent - 8, -133))
    return (np.rint(wide / unit) * unit).astype(np.float32).astype(ml_dtypes.bfloat16)


@BOTH
@pytest.mark.parametrize("op", some(["+", "-", "*", "/"], 2))
def test_arithmetic_equals_that_of_float_rounded_once(
    name: str, header: str, dtype: Any, op: str, programs: Callable[..., Program]
) -> None:
    a, b = pairs(dtype)
    y = run(programs(kernel(header, name, f"{name} a,{name} b", f"a[i] {op} b[i]")), dtype, a, b)
    with np.errstate(all="ignore"):
        wide = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[op](
            a.astype(np.float32), b.astype(np.float32)
        )
        same(y, wide.astype(dtype))


def test_fused_multiplication_rounds_once(programs: Callable[..., Program]) -> None:
    # 1 + 2^-10 squared is 1 + 2^-9 + 2^-20; with -2^-24 it is below a tie, with 0 above it.
    a = np.array([1 + 2**-10, 1 + 2**-10, 3, 65504, 2**-24], np.float16)
    b = np.array([1 + 2**-10, 1, 5, 2, 0.5], np.float16)
    c = np.array([-(2**-24), 2**-11, -15, -65504, 2**-24], np.float16)
    text = kernel("cuda_fp16.h", "__half", "__half a,__half b,__half c", "__hfma(a[i], b[i], c[i])")
    y = run(programs(text), np.float16, a, b, c)
    exact = a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)
    same(y, exact.astype(np.float16))


@BOTH
def test_minimum_and_maximum_treat_nan_as_missing(
    name: str, header: str, dtype: Any, programs: Callable[..., Program]
) -> None:
    a, b = pairs(dtype)
    for function, expected in (("__hmin", np.fmin), ("__hmax", np.fmax)):
        y = run(programs(kernel(header, name, f"{name} a,{name} b", f"{function}(a[i], b[i])")), dtype, a, b)
        same(
            y + dtype.type(0),
            expected(a.astype(np.float32), b.astype(np.float32)).astype(dtype) + dtype.type(0),
        )


@BOTH
def test_integers_are_rounded_to_the_nearest(
    name: str, header: str, dtype: Any, programs: Callable[..., Program]
) -> None:
    random = np.random.default_rng(3)
    x = random.integers(-(2**62), 2**62, 5000) >> random.integers(0, 62, 5000)
    exact = np.array([float(one) for one in x])
    y = run(
        programs(kernel(header, name, "longlong x", f"{name}(x[i])").replace("longlong", "long long")),
        dtype,
        x,
    )
    expected = exact.astype(np.float16) if dtype == np.float16 else round_to_bfloat(exact)
    same(y, expected)


@pytest.mark.parametrize(
    ("function", "source", "expected"),
    some(
        [
            ("__float2int_rz", np.float32, np.int32),
            ("__float2uint_rz", np.float32, np.uint32),
            ("__double2int_rz", np.float64, np.int32),
            ("__float2ll_rz", np.float32, np.int64),
        ],
        2,
    ),
)
def test_conversions_to_integers_saturate(
    function: str, source: Any, expected: Any, programs: Callable[..., Program]
) -> None:
    words = {np.int32: "int", np.uint32: "unsigned", np.int64: "long long"}
    word = "float" if source is np.float32 else "double"
    x = np.array([0.9, -0.9, 1e30, -1e30, np.inf, -np.inf, np.nan, 3.5, -7.5], source)
    text = kernel("cuda_fp16.h", "out", f"{word} x", f"{function}(x[i])").replace(
        "out*", f"{words[expected]}*"
    )
    limits = np.iinfo(expected)
    none = limits.min if expected is np.int64 else 0
    low = max(limits.min, -7)
    clipped = [0, 0, limits.max, limits.min, limits.max, limits.min, none, 3, low]
    np.testing.assert_array_equal(run(programs(text), expected, x), np.array(clipped, expected))


def test_tf32_keeps_ten_bits_of_fraction(programs: Callable[..., Program]) -> None:
    x = np.array([1 + 2**-11, 1 + 2**-11 - 2**-23, -(1 + 2**-11), np.inf, 1 + 2**-10], np.float32)
    text = kernel("mma.h", "float", "float x", "nvcuda::wmma::__float_to_tf32(x[i])")
    expected = np.array([1 + 2**-10, 1, -(1 + 2**-10), np.inf, 1 + 2**-10], np.float32)
    same(run(programs(text), np.float32, x), expected)


@pytest.mark.parametrize(
    ("call", "reference", "units"),
    some(
        [
            ("sqrtf(x[i])", np.sqrt, 0),
            ("rsqrtf(x[i])", lambda x: 1 / np.sqrt(x), 2),
            ("expf(x[i])", np.exp, 2),
            ("logf(x[i])", np.log, 2),
            ("sinf(x[i])", np.sin, 2),
            ("cosf(x[i])", np.cos, 2),
            ("tanhf(x[i])", np.tanh, 2),
            ("powf(x[i], 1.5f)", lambda x: x**1.5, 2),
            ("fmaf(x[i], x[i], -1.0f)", lambda x: x * x - 1, 0),
            ("fmaxf(x[i], 1.0f)", lambda x: np.maximum(x, 1), 0),
        ],
        2,
    ),
)
def test_functions_are_close_to_the_exact_result(
    call: str, reference: Callable[[Any], Any], units: int, programs: Callable[..., Program]
) -> None:
    x = np.linspace(0.01, 8, 2000, dtype=np.float32)
    y = run(programs(kernel("cuda_fp16.h", "float", "float x", call)), np.float32, x)
    exact = reference(x.astype(np.float64))
    assert np.all(np.abs(y - exact) <= (units + 0.5) * np.spacing(np.abs(exact.astype(np.float32))))
