"""Functions of CUDA's headers: every one that NVIDIA's declare is there, and values agree with exact arithmetic, numpy
and the C library.

One subject: the functions of these headers, which are run by one helper.
"""

from __future__ import annotations

import math
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from shine.simulator import Program
from shine.simulator.compiler import INCLUDE, find_compiler
from tests import required_tools

#: NVIDIA's headers of functions for kernels, and what a text includes to have them
HEADERS = {
    "": (
        "crt/device_functions.h crt/device_double_functions.h crt/math_functions.h device_atomic_functions.h "
        "sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_61_intrinsics.h crt/sm_70_rt.h crt/sm_80_rt.h "
        "crt/sm_90_rt.h sm_20_atomic_functions.h sm_60_atomic_functions.h sm_32_atomic_functions.h vector_functions.h"
    ),
    "cuda_fp16.h": "cuda_fp16.h",
    "cuda_bf16.h": "cuda_bf16.h",
    "cuda_fp8.h": "cuda_fp8.h",
}
#: names that are no functions for kernels, or were removed from CUDA, or that the simulator lacks
OTHERS = re.compile(
    r"_[A-Za-z]\w+|throw|if|__CUDA_ALIGN__|__half2?|__has_\w+|__is_trivially_copyable|__NV_\w+|__func__|__cuda\w+|__nv_(?!cvt)\w+|__DEPRECATED__|__\w+_impl|_*[a-z]|move|__HALF2_TO_CUI|__(?:FLOAT|DOUBLE)_BITS|__pow_helper"
    r"|__cmath_power|__(?:isfinite|finite|isinf|isnan|signbit|fpclassify)[dfl]*|__signbitd"  # of hosts
    r"|__(?:all|any|ballot)|__shfl(?:_up|_down|_xor)?"  # without a mask: removed
    r"|dadd|dmul|dsub|fdivide|(?:float|int|uint|ll|ull)2double|double2(?:int|uint|ll|ull)"  # likewise
    r"|__u128Atomic\w+|make_\w+4_(?:16|32)a|__brkpt|__pm[0-3]|__prof_trigger|\w+_grid_constant|\w+GridConstant"
    r"|__nv_cvt_\w*e8m0\w*|__cvta_\w*(?:constant|local)\w*|__is(?:Constant|Local)|__barrier_sync\w*|__uni_sync|__clusterDimIsSpecified"
)
_DECLARED = re.compile(
    r"\b([A-Za-z_]\w*)\s*\((?:[^();]|\([^()]*\))*\)\s*(?:__DEF_IF_HOST|__THROW|noexcept|asm\([^)]*\))*\s*[;{]"
)


def test_every_function_of_cuda_is_declared(tmp_path: Path) -> None:
    compiler = shutil.which("nvcc")
    if compiler is None:
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    probe = tmp_path / "probe.cu"
    probe.write_text("#include <cuda_fp16.h>\n", encoding="utf-8")
    used = subprocess.run([compiler, "-M", probe], capture_output=True, text=True, check=True).stdout
    place = re.search(r"(\S+)/cuda_fp16\.h", used)
    assert place is not None, used
    folder = Path(place[1])
    for included, headers in HEADERS.items():
        names: set[str] = set()
        for header in headers.split():
            text = (folder / header).read_text(encoding="utf-8", errors="replace")
            text = re.sub(
                r"/\*.*?\*/|//[^\n]*|^\s*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.DOTALL | re.MULTILINE
            )
            names |= {name for name in _DECLARED.findall(text) if not OTHERS.fullmatch(name)}
        assert len(names) >= (10 if included == "cuda_fp8.h" else 150)
        unit = tmp_path / "names.cpp"
        lines = [
            '#include "simulator/vocabulary.h"',
            '#include "simulator/lanes_of_words.h"',
            f'#include "{included}"' if included else "",
        ]
        unit.write_text(
            "\n".join([*lines, *(f"using ::{name};" for name in sorted(names))]), encoding="utf-8"
        )
        words = [find_compiler(None).path, "-std=c++17", "-fsyntax-only", "-w", "-I", INCLUDE, unit]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]


class Wanted(NamedTuple):
    """The values of an expression in `a`, `b` and `c`, elements of inputs, after the statements `before`."""

    expression: str
    out: Any
    inputs: tuple[Any, ...]
    before: str = ""


def run(programs: Callable[..., Program], *wanted: Wanted) -> list[Any]:
    """What is wanted, each by a kernel of one text."""
    kinds = {"float32": "float", "float64": "double", "int32": "int", "uint32": "unsigned", "int64": "long long",
             "uint64": "unsigned long long", "float16": "__half"}  # fmt: skip
    kernels = []
    for number, (expression, out, inputs, before) in enumerate(wanted):
        names = "abc"[: len(inputs)]
        given = "".join(f", const {kinds[x.dtype.name]}* {n}s" for n, x in zip(names, inputs, strict=True))
        read = "".join(f"auto {n} = {n}s[i]; " for n in names)
        kernels.append(
            f"__global__ void f{number}({kinds[np.dtype(out).name]}* y{given}, int n) {{\n"
            f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  {read}{before}\n"
            f"  y[i] = {expression};\n}}\n"
        )
    program = programs("#include <cuda_fp16.h>\n" + "".join(kernels))
    found = []
    for number, one in enumerate(wanted):
        y = np.zeros(len(one.inputs[0]), one.out)
        report = program.launch(f"f{number}", -(-len(y) // 256), 256, [y, *one.inputs, np.int32(len(y))])
        assert report.findings == ()
        found.append(y)
    return found


def rounded(exact: Fraction, kind: Any, direction: str) -> Any:
    """An exact number rounded to a type: `rz`, `rd` or `ru`."""
    nearest = kind(float(exact)) if kind is not np.float32 else kind(np.float64(float(exact)))
    while True:  # float(Fraction) is correctly rounded for double, and one step away at most for float
        if np.isinf(nearest):
            nearest = np.nextafter(nearest, kind(0))
            continue
        below = Fraction(float(nearest)) <= exact
        lower = nearest if below else np.nextafter(nearest, kind(-np.inf))
        if Fraction(float(lower)) > exact:
            nearest = lower
            continue
        upper = lower if Fraction(float(lower)) == exact else np.nextafter(lower, kind(np.inf))
        down = direction == "rd" or (direction == "rz" and exact > 0)
        return lower if down else upper


@pytest.mark.parametrize("direction", ["rz", "rd", "ru"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_directed_rounding_is_exact(kind: Any, direction: str, programs: Callable[..., Program]) -> None:
    random = np.random.default_rng(7)
    few = 120
    spread = 20 if kind is np.float32 else 200
    a, b, c = (
        (random.standard_normal(few) * np.exp2(random.integers(-spread, spread, few))).astype(kind)
        for _ in "abc"
    )
    b[::3] = a[::3] * kind(1 + 2**-20)  # sums that cancel
    c[::4] = -(a[::4] * b[::4])
    a[:3], b[:3], c[:3] = 3, 0.25, -0.75  # results that are exact
    a[:2] = (1, 5) if kind is np.float32 else (1, 7)
    tiny = np.finfo(kind).smallest_subnormal
    a[5], b[5] = tiny, kind(0.75)
    add, fma = ("__fadd", "__fmaf") if kind is np.float32 else ("__dadd", "__fma")
    letter = add[2]
    operations: dict[str, Callable[..., Fraction]] = {
        f"{add}_{direction}(a, b)": lambda x, y, z: x + y,
        f"__{letter}sub_{direction}(a, b)": lambda x, y, z: x - y,
        f"__{letter}mul_{direction}(a, b)": lambda x, y, z: x * y,
        f"__{letter}div_{direction}(a, b)": lambda x, y, z: x / y,
        f"__{letter}rcp_{direction}(b)": lambda x, y, z: 1 / y,
        f"{fma}_{direction}(a, b, c)": lambda x, y, z: x * y + z,
    }
    greatest = np.full(1, np.finfo(kind).max, kind)
    roots, beyond, zero, *results = run(
        programs,
        Wanted(f"__{letter}sqrt_{direction}(a * a + 1)", kind, (a,)),
        Wanted(f"{add}_{direction}(a, a)", kind, (greatest,)),
        Wanted(f"{add}_{direction}(a, -a)", kind, (greatest,)),
        *(Wanted(expression, kind, (a, b, c)) for expression in operations),
    )
    for (expression, exact), found in zip(operations.items(), results, strict=True):
        for i, value in enumerate(found):
            x, y, z = (Fraction(float(one[i])) for one in (a, b, c))
            result = exact(x, y, z)
            if result != 0:
                assert value == rounded(result, kind, direction), (expression, i, a[i], b[i], c[i])
    for value, x in zip(roots, a, strict=True):
        argument = Fraction(float(kind(x * x) + kind(1)))
        near = Fraction(float(value))
        if near**2 != argument:
            other = Fraction(float(np.nextafter(value, kind(np.inf if direction != "ru" else 0))))
            assert min(near, other) ** 2 < argument < max(near, other) ** 2
    assert beyond[0] == (np.inf if direction == "ru" else greatest[0])
    assert math.copysign(1, zero[0]) == (-1 if direction == "rd" else 1)


@pytest.mark.parametrize("direction", ["rz", "rd", "ru"])
def test_conversions_are_rounded_in_a_direction(direction: str, programs: Callable[..., Program]) -> None:
    random = np.random.default_rng(8)
    wide = random.integers(-(2**63), 2**63, 200)
    wide[:4] = 2**62 + 1, -(2**62) - 1, 2**24 + 1, 7
    conversions = (
        ("ll2float", np.float32, wide),
        ("ull2float", np.float32, wide.view(np.uint64)),
        ("ll2double", np.float64, wide),
        ("ull2double", np.float64, wide.view(np.uint64)),
        ("int2float", np.float32, (wide >> 32).astype(np.int32)),
        ("uint2float", np.float32, (wide.view(np.uint64) >> 32).astype(np.uint32)),
        ("double2float", np.float32, random.standard_normal(200)),
    )
    low, *results = run(
        programs,
        Wanted("__ll2float_rn(a)", np.float32, (wide,)),
        *(Wanted(f"__{name}_{direction}(a)", kind, (numbers,)) for name, kind, numbers in conversions),
    )
    for (name, kind, numbers), found in zip(conversions, results, strict=True):
        expected = [rounded(Fraction(number.item()), kind, direction) for number in numbers]
        np.testing.assert_array_equal(found, np.array(expected, kind), err_msg=name)
    np.testing.assert_array_equal(low, wide.astype(np.float32))


def test_special_functions(programs: Callable[..., Program]) -> None:
    x = np.concatenate([np.linspace(-5, 5, 101), [1e-9, 12.25, -1e-20, 20.0]])
    positive = np.abs(x) + 0.01
    inside = np.tanh(x) * 0.999999
    share = np.concatenate([np.linspace(0.001, 0.999, 99), [1e-30, 1e-300, 1 - 1e-12]])

    half = np.arange(-8, 9) / 2
    far = np.array([6.0, 10.0, 100.0, 1e10])
    series = 1 - 1 / (2 * far**2) + 3 / (4 * far**4) - 15 / (8 * far**6) + 105 / (16 * far**8)
    wide = np.array([40.0, 300.0])
    step = 1e-5
    slope = (np.i0(x + step) - np.i0(x - step)) / (2 * step)  # the derivative of the one of order 0
    words = "__hiloint2double(__double2hiint(a), __double2loint(a))"
    close = 4e-15
    table: list[tuple[str, Any, Any, float]] = [  # expression, input, result, relative error
        ("sinpi(a)", half, [math.sin(math.pi * (h % 2)) if h % 1 else 0 for h in half], 0),
        ("cospi(a)", half, np.where(half % 1 == 0, 1 - 2 * (np.abs(half) % 2), 0), 0),
        ("sinpi(a)", x / 50, [math.sin(math.pi * one) for one in x / 50], close),
        ("normcdf(a)", x, [math.erfc(-one / math.sqrt(2)) / 2 for one in x], 1e-14),
        ("normcdf(normcdfinv(a))", share, share, 1e-12),
        ("erf(erfinv(a))", inside, inside, close),
        ("erfc(erfcinv(a))", 2 * share, 2 * share, 3e-13),
        ("erfcx(a)", x[x < 5], [math.exp(one * one) * math.erfc(one) for one in x[x < 5]], 1e-13),
        ("erfcx(a)", far[1:], (series / far / math.sqrt(math.pi))[1:], 1e-8),
        ("erfcx(a)", far[:1], [math.exp(36) * math.erfc(6)], 1e-13),
        ("cyl_bessel_i0(a)", x, np.i0(x), 1e-14),
        ("cyl_bessel_i0(a)", wide, np.i0(wide), 1e-13),
        ("rcbrt(a)", positive, np.cbrt(positive) ** -1, close),
        ("norm3d(a, 2 * a, 1e-200) * rnorm3d(a, 2 * a, 1e-200)", positive, np.ones_like(x), close),
        ("norm4d(a, a, a, a)", 1e300 * positive[:50], 2e300 * positive[:50], close),
        ("rhypot(a, 2 * a)", positive, 1 / np.hypot(positive, 2 * positive), close),
        (words, x, x, 0),
    ]
    bessel = "j0(a) * j0(a) + y0(a) * y0(a)"
    slopes, by_order, by_number, pieces, rests, third, *found = run(
        programs,
        Wanted("cyl_bessel_i1(a)", np.float64, (x,)),
        Wanted(bessel, np.float64, (positive,)),
        Wanted(re.sub(r"([jy])0\(", r"\1n(0, ", bessel), np.float64, (positive,)),
        Wanted(
            "f * exp2(e) + 100 * (w + r - a)",
            np.float64,
            (x,),
            "int e; double w; double f = frexp(a, &e); double r = modf(a, &w);",
        ),
        Wanted("remquo(a, 0.75, &q) + q * 0", np.float64, (x,), "int q = 0;"),
        Wanted("erfinvf(a)", np.float32, (np.array([0.5], np.float32),)),
        *(
            Wanted(expression, np.float64, (np.ascontiguousarray(given),))
            for expression, given, _, _ in table
        ),
    )
    for (expression, _, expected, limit), values in zip(table, found, strict=True):
        least = 1e-300 if limit else 0
        np.testing.assert_allclose(values, expected, rtol=limit, atol=least, err_msg=expression)
    np.testing.assert_allclose(slopes, slope, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(by_order, by_number, rtol=close, atol=1e-300)
    np.testing.assert_array_equal(pieces, x)
    np.testing.assert_array_equal(rests, [math.remainder(one, 0.75) for one in x])
    assert third[0] == np.float32(0.47693628)


def parts(words: Any, kind: str) -> Any:
    return words.view(kind).reshape(len(words), -1).astype(np.int64)


@pytest.mark.parametrize(("count", "bits"), [(2, 16), (4, 8)])
def test_parts_of_words(count: int, bits: int, programs: Callable[..., Program]) -> None:
    random = np.random.default_rng(count)
    a, b = random.integers(0, 2**32, (2, 300)).astype(np.uint32)
    b[::5] = a[::5]
    a[0], b[0] = 0x80008080, 0x7FFF7F7F
    wanted: dict[str, tuple[str, Any]] = {}  # calls, and the type and values of the parts of their results
    for letter in "su":
        kind = f"{'i' if letter == 's' else 'u'}{bits // 8}"
        x, y = parts(a, kind), parts(b, kind)
        least, greatest = np.iinfo(kind).min, np.iinfo(kind).max
        results = {
            f"__vadd{count}": x + y,
            f"__vsub{count}": x - y,
            f"__vadd{letter}s{count}" if letter == "u" else f"__vaddss{count}": np.clip(
                x + y, least, greatest
            ),
            f"__vsub{letter}s{count}" if letter == "u" else f"__vsubss{count}": np.clip(
                x - y, least, greatest
            ),
            f"__vmax{letter}{count}": np.maximum(x, y),
            f"__vmin{letter}{count}": np.minimum(x, y),
            f"__vabsdiff{letter}{count}": np.abs(x - y),
            f"__vcmpgt{letter}{count}": -(x > y).astype(int),
            f"__vcmple{letter}{count}": -(x <= y).astype(int),
            f"__vsetge{letter}{count}": (x >= y).astype(int),
            f"__vcmpeq{count}": -(x == y).astype(int),
            f"__vsetne{count}": (x != y).astype(int),
        }
        if letter == "u":
            results[f"__vavgu{count}"], results[f"__vhaddu{count}"] = (x + y + 1) >> 1, (x + y) >> 1
        else:
            results[f"__vavgs{count}"] = (x + y + (x + y >= 0)) >> 1
        wanted |= {f"{name}(a, b)": (kind, values) for name, values in results.items()}
        wanted[f"__vsad{letter}{count}(a, b)"] = ("u4", np.abs(x - y).sum(1)[:, None])
    kind = f"i{bits // 8}"
    signed = parts(a, kind)
    least, greatest = np.iinfo(kind).min, np.iinfo(kind).max
    for name, values in (
        ("__vabs", np.abs(signed)),
        ("__vabsss", np.minimum(np.abs(signed), greatest)),
        ("__vneg", -signed),
        ("__vnegss", np.clip(-signed, least, greatest)),
    ):
        wanted[f"{name}{count}(a)"] = (kind, values)
    found = run(programs, *(Wanted(call, np.uint32, (a, b)) for call in wanted))
    for (call, (kind, expected)), words in zip(wanted.items(), found, strict=True):
        np.testing.assert_array_equal(parts(words, kind), expected.astype(kind), err_msg=call)


def test_functions_for_dynamic_programming(programs: Callable[..., Program]) -> None:
    a, b, c = np.random.default_rng(3).integers(-(2**31), 2**31, (3, 200)).astype(np.int32)

    def of(expression: str, before: str = "") -> Wanted:
        return Wanted(expression, np.int32, (a, b, c), before)

    with np.errstate(over="ignore"):
        total = a + b
    x, y, z = (one.view(np.int16).reshape(-1, 2).astype(int) for one in (a, b, c))
    sums = (x + y).astype(np.int16)
    largest, least, of_three, of_unsigned, of_halves, both, is_less = run(
        programs,
        of("__viaddmax_s32(a, b, c)"),
        of("__viaddmin_s32_relu(a, b, c)"),
        of("__vimax3_s32(a, b, c)"),
        of("__vimin3_u32(a, b, c)"),
        of("__viaddmax_s16x2(a, b, c)"),
        of("__vibmax_s16x2(a, b, &high, &low) * 0 + high * 2 + low", "bool high, low;"),
        of("__vibmin_s32(a, b, &is) * 0 + is", "bool is;"),
    )
    np.testing.assert_array_equal(largest, np.maximum(total, c))
    np.testing.assert_array_equal(least, np.maximum(np.minimum(total, c), 0))
    np.testing.assert_array_equal(of_three, np.maximum(np.maximum(a, b), c))
    unsigned = (one.view(np.uint32) for one in (a, b, c))
    np.testing.assert_array_equal(of_unsigned.view(np.uint32), np.minimum.reduce(list(unsigned)))
    np.testing.assert_array_equal(of_halves.view(np.int16).reshape(-1, 2), np.maximum(sums, z))
    np.testing.assert_array_equal(both, (x >= y)[:, 1] * 2 + (x >= y)[:, 0])
    np.testing.assert_array_equal(is_less, a <= b)


def test_other_functions_of_integers(programs: Callable[..., Program]) -> None:
    a, b = np.random.default_rng(4).integers(-(2**31), 2**31, (2, 200)).astype(np.int32)

    def of(expression: str) -> Wanted:
        return Wanted(expression, np.int32, (a, b))

    def bytes_of(words: Any) -> Any:
        return words.view(np.int8).reshape(-1, 4).astype(int)

    low, high, means, swapped, second, last = run(
        programs,
        of("__dp2a_lo(a, b, 5)"),
        of("__dp2a_hi(a, b, 5)"),
        of("__rhadd(a, b)"),
        of("(int)__nv_bswap32((unsigned)a)"),
        of("(int)__fns((unsigned)a, 4, 2)"),
        of("(int)__fns((unsigned)a, 20, -1)"),
    )
    halves = a.view(np.int16).reshape(-1, 2).astype(int)
    np.testing.assert_array_equal(low, (halves * bytes_of(b)[:, :2]).sum(1) + 5)
    np.testing.assert_array_equal(high, (halves * bytes_of(b)[:, 2:]).sum(1) + 5)
    np.testing.assert_array_equal(means, (a.astype(int) + b + 1) >> 1)
    np.testing.assert_array_equal(swapped, a.byteswap())
    for number, place in zip(a, second, strict=True):
        its = [bit for bit in range(4, 32) if int(number) >> bit & 1]
        assert place == (its[1] if len(its) > 1 else -1)
    for number, place in zip(a, last, strict=True):
        its = [bit for bit in range(21) if int(number) >> bit & 1]
        assert place == (its[-1] if its else -1)


@pytest.mark.parametrize(
    ("name", "its", "header"), [("half", "half", "fp16"), ("__nv_bfloat16", "bfloat16", "bf16")]
)
def test_pairs_of_16_bits(name: str, its: str, header: str, programs: Callable[..., Program]) -> None:
    pair = "half2" if its == "half" else "__nv_bfloat162"
    joined = "half2" if its == "half" else "bfloat162"
    text = f"""#include <cuda_{header}.h>
    __device__ bool is({name} a, float b) {{ return __{its}2float(a) == b; }}
    __global__ void f(int* y) {{
      {name} one = __float2{its}(1.0f), two = 2.0f, nan = __float2{its}(NAN);
      {pair} p(one, two), q = __halves2{joined}(two, nan);
      int i = 0;
      y[i++] = is(__low2{its}(p), 1) && is(__high2{its}(p), 2);
      y[i++] = is(__low2{joined}(p).y, 1) && is(__high2{joined}(p).x, 2);
      y[i++] = is(__lows2{joined}(p, q).y, 2) && is(__highs2{joined}(p, q).x, 2) && is(__lowhigh2highlow(p).x, 2);
      y[i++] = __hbeq2(p, p) && !__hbeq2(q, q) && __hbequ2(q, q) && !(p == q) && p != q && !__hbne2(q, q);
      y[i++] = __heq2_mask(q, q) == 0xffff && __hneu2_mask(q, q) == 0xffff0000 && is(__hlt2(p, q).x, 1);
      y[i++] = __hltu(nan, one) && !__hlt(nan, one) && __hgeu(two, one) && !__hequ(two, one) && is(__hisnan2(q).y, 1);
      y[i++] = is(__hadd_sat(one, two), 1) && is(__hsub_sat(one, two), 0) && is(__hmul_sat(nan, one), 0);
      y[i++] = is(__hfma_relu(one, -two, one), 0) && __hisnan(__hfma_relu(nan, one, one));
      y[i++] = is(__hfma2_sat(p, p, p).y, 1) && is(__habs2(-p).x, 1);
      y[i++] = is(__hmax2_nan(p, q).x, 2) && __hisnan(__hmax2_nan(p, q).y) && is(__hneg2(p).y, -2);
      y[i++] = is(h2rcp(p).y, 0.5f) && is(h2sqrt(__hmul2(p, p)).y, 2) && is(h2floor(__hadd2_rn(p, p)).x, 2);
      {pair} z = __hcmadd({pair}(one, two), {pair}(two, one), {pair}(one, one));  // (1 + 2i)(2 + i) + 1 + i
      y[i++] = is(z.x, 1) && is(z.y, 6);
      {name} n = one;
      y[i++] = is(n++, 1) && is(n, 2) && is(--n, 1);
      y[i++] = __{its}2int_rd(__float2{its}(-1.5f)) == -2 && __{its}2int_ru(__float2{its}(-1.5f)) == -1;
      y[i++] = __{its}2ll_rd(__float2{its}(2.5f)) == 2 && __{its}2ushort_ru(__float2{its}(2.5f)) == 3;
      float down = __{its}2float(__int2{its}_rd(4097)), up = __{its}2float(__int2{its}_ru(4097));
      y[i++] = down == 4096 && up > 4097 && is(__int2{its}_rz(-4097), -4096) && is(__ull2{its}_rz(4097), 4096);
      y[i++] = is(__ll2{its}_rd(-4097), -up) && is(__short2{its}_ru(-4097), -4096) && __{its}2uchar_rz(two) == 2;
    }}"""
    y = np.zeros(17, np.int32)
    assert programs(text, True).launch("f", 1, 1, [y]).findings == ()
    assert y.tolist() == [1] * 17


def test_functions_write_by_pointers_where_the_checks_see_it(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(float* s, float* c) {
      sincosf(0.5f, &s[0], &c[threadIdx.x]);
    }"""
    s, c = np.zeros(1, np.float32), np.zeros(32, np.float32)
    (found,) = programs(text, True).launch("f", 1, 32, [s, c]).findings
    assert found.kind == "race" and found.array == "s"


def test_functions_of_integers_and_of_mixed_types_are_in_double(programs: Callable[..., Program]) -> None:
    text = """__global__ void f(double* y, float x, int n) {
      y[0] = pow(x, 2), y[1] = pow(2, n), y[2] = sqrt(n), y[3] = exp2(n), y[4] = fmax(x, 7), y[5] = atan2(n, 3);
      y[6] = fma(x, x, 0.1), y[7] = std::floor(n / 3.0f), y[8] = hypot(3, 4), y[9] = log2(n) + fabs(-n);
    }"""
    y = np.zeros(10)
    assert programs(text).launch("f", 1, 1, [y, np.float32(1.5), np.int32(8)]).findings == ()
    expected = [2.25, 256, 8**0.5, 256, 7, math.atan2(8, 3), 2.35, 2, 5, 11]
    np.testing.assert_allclose(y, expected, rtol=1e-15)


def test_rounding_of_the_test_itself() -> None:
    third = Fraction(1, 3)
    down, up = rounded(third, np.float32, "rd"), rounded(third, np.float32, "ru")
    assert struct.unpack("I", struct.pack("f", up))[0] - struct.unpack("I", struct.pack("f", down))[0] == 1
    assert Fraction(float(down)) < third < Fraction(float(up))
