"""Cases of functions of numbers, whose oracles are Python's own integers and its module `math`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tests.rise.primitives.cases import Case, binary, unary


def of_python(function: Callable[..., float]) -> Callable[..., Any]:
    """A function of Python's floats; NaN where it is undefined."""

    def of(*arguments: Any) -> Any:
        try:
            return np.float64(function(*(float(a) for a in arguments)))
        except ValueError:
            return np.float64(np.nan)

    return of


def on_integers(function: Callable[..., int]) -> Callable[..., Any]:
    """A function of Python's integers, modulo the width."""
    return lambda *arguments: np.array(function(*(int(a) for a in arguments))).astype(arguments[0].dtype)


def shifted_left(bits: int) -> Callable[[int, int], int]:
    return lambda a, b: (a << b) % 2**bits if 0 <= b < bits else 0


def shifted_right(bits: int) -> Callable[[int, int], int]:
    return lambda a, b: a >> (b if 0 <= b < bits else bits)


def clamped(a: Any, low: Any, high: Any) -> Any:
    return sorted([a, low, high])[1] if low <= high else high


FUNCTIONS: Final[dict[str, Callable[..., float]]] = {
    "rsqrt": lambda a: 1 / math.sqrt(a),
    "cbrt": math.cbrt,
    "exp": math.exp,
    "exp2": math.exp2,
    "expm1": math.expm1,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "log1p": math.log1p,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": math.acosh,
    "atanh": math.atanh,
    "erf": math.erf,
}
SCALAR_CASES: Final = [
    *(unary(name, "f64", of_python(function)) for name, function in FUNCTIONS.items()),
    *(binary(name, "f64", of_python(getattr(math, name))) for name in ("pow", "atan2", "hypot")),
    unary("floor", "f32", lambda a: np.float32(math.floor(a))),
    unary("ceil", "f16", lambda a: np.float16(math.ceil(a))),
    unary("round", "f64", lambda a: np.float64(round(float(a)))),
    unary("trunc", "bf16", lambda a: a.dtype.type(math.trunc(float(a)))),
    unary("floor", "vec[4, f32]", lambda a: np.array([math.floor(x) for x in a], np.float32)),
    unary("sign", "f32", lambda a: np.float32(int(a > 0) - int(a < 0))),
    unary("sign", "i8", on_integers(lambda a: (a > 0) - (a < 0))),
    *(Case("clamp", (t,) * 3, "clamp(a, b, c)", lambda s, *x: clamped(*x)) for t in ("i32", "f16", "u64")),
    unary("isnan", "f32", lambda a: math.isnan(a)),
    unary("isinf", "bf16", lambda a: math.isinf(a)),
    unary("isfinite", "f16", lambda a: math.isfinite(a)),
    *(binary("bitAnd", t, on_integers(lambda a, b: a & b)) for t in ("i32", "u8")),
    *(binary("bitOr", t, on_integers(lambda a, b: a | b)) for t in ("i64", "u16")),
    *(binary("bitXor", t, on_integers(lambda a, b: a ^ b)) for t in ("i8", "u32")),
    unary("bitNot", "i16", on_integers(lambda a: ~a)),
    Case("bitCast", ("f32",), "bitCast{u32}(a)", lambda s, a: np.frombuffer(a.tobytes(), np.uint32)[0]),
    Case("bitCast", ("i64",), "bitCast{f64}(a)", lambda s, a: np.frombuffer(a.tobytes(), np.float64)[0]),
    Case(
        "bitCast",
        ("vec[4, u16]",),
        "bitCast{vec[4, f16]}(a)",
        lambda s, a: np.frombuffer(a.tobytes(), np.float16),
    ),
    binary("shiftLeft", "i8", on_integers(shifted_left(8))),
    binary("shiftRight", "i64", on_integers(shifted_right(64))),
    binary("bitXor", "vec[4, u8]", lambda a, b: np.array([x ^ y for x, y in zip(a, b, strict=True)])),
    *(binary("floorDiv", t, on_integers(lambda a, b: a // b)) for t in ("i32", "u8")),
    *(binary("floorMod", t, on_integers(lambda a, b: a % b)) for t in ("i64", "u16")),
    *(binary("euclidMod", t, on_integers(lambda a, b: a % abs(b))) for t in ("i8", "u32")),
]
