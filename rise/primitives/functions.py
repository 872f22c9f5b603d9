"""Functions of floating-point numbers: roots, powers, trigonometry, rounding, classification. Independent of arrays.

`units` is the maximal error in units in the last place, for every executor.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from rise.meanings import Elementwise, Pointwise
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.primitives.traits import Trait
from rise.rounding import F64, convert
from rise.values import Leaf

_UNARY: Final = "{t: floating} -> t -> t"
_BINARY: Final = "{t: floating} -> t -> t -> t"
_PREDICATE: Final = "{t: (floating + ord)} -> t -> bool"
_UNITS: Final = 4  # the bound for numpy's vector functions and CUDA's functions


def _erf(x: Leaf) -> Leaf:
    exact: Any = np.frompyfunc(math.erf, 1, 1)(np.asarray(x, F64))
    return convert(np.asarray(exact, F64), x.dtype)


def _rsqrt(x: Leaf) -> Leaf:
    return convert(np.asarray(1 / np.sqrt(np.asarray(x, F64))), x.dtype)


def _pow(x: Leaf, y: Leaf) -> Leaf:
    """`np.power` of full arrays: with a single exponent 0.5, numpy computes square roots, which are NaN for -inf."""
    shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    bases, exponents = (np.array(np.broadcast_to(operand, shape or (1,))) for operand in (x, y))
    return np.asarray(np.power(bases, exponents)).reshape(shape)


def _sign(x: Leaf) -> Leaf:
    return np.asarray(np.where(x > 0, x.dtype.type(1), np.where(x < 0, np.negative(x.dtype.type(1)), x)))


def _clamp(x: Leaf, low: Leaf, high: Leaf) -> Leaf:
    return np.asarray(np.minimum(np.maximum(x, low), high))


def _exact(
    name: str,
    scheme: str,
    doc: str,
    meaning: Meaning,
    law: str = "",
    *,
    example: str = "",
    words: str = "",
    traits: tuple[Trait, ...] = (),
    cost: int = 1,
    result: str = "",
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        scheme,
        "low",
        doc,
        meaning,
        law,
        words=words,
        example=example,
        float_class="exact",
        traits=traits,
        cost=cost,
        result=result,
    )


def _library(
    name: str,
    doc: str,
    meaning: Meaning,
    law: str = "",
    scheme: str = _UNARY,
    *,
    example: str = "",
    words: str = "",
    units: int = _UNITS,
    cost: int = 16,
    result: str = "",
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        scheme,
        "low",
        doc,
        meaning,
        law,
        units=units,
        words=words,
        example=example,
        float_class="approximate",
        cost=cost,
        result=result,
    )


FUNCTIONS: Final = (
    _exact(
        "sqrt",
        _UNARY,
        "The square root.",
        Elementwise(np.sqrt),
        example="sqrt(9.0)",
        words="`sqrt (mul a a)` is `abs a` if the product is not rounded.",
        cost=8,
        result="root",
    ),
    _library(
        "rsqrt",
        "One over the square root.",
        Pointwise(_rsqrt),
        example="rsqrt(4.0)",
        words="`rsqrt a` is `div 1 (sqrt a)`, except for rounding.",
    ),
    _library(
        "cbrt", "The cube root.", Elementwise(np.cbrt), "cbrt (neg a) = neg (cbrt a)", example="cbrt(-27.0)"
    ),
    _library(
        "exp",
        "e to the power of a.",
        Elementwise(np.exp),
        example="exp(1.0)",
        words="`exp (add a b)` is `mul (exp a) (exp b)`, except for rounding.",
        result="exponential",
    ),
    _library(
        "exp2",
        "2 to the power of a.",
        Elementwise(np.exp2),
        example="exp2(3.0)",
        words="`exp2 (add a b)` is `mul (exp2 a) (exp2 b)`, except for rounding.",
    ),
    _library(
        "expm1",
        "e to the power of a, minus 1; accurate near 0.",
        Elementwise(np.expm1),
        example="expm1(0.001)",
        words="`expm1 a` is `sub (exp a) 1`, except for rounding.",
    ),
    _library(
        "log",
        "The natural logarithm.",
        Elementwise(np.log),
        example="log(10.0)",
        words="`log (exp a)` is `a`, except for rounding.",
        result="logarithm",
    ),
    _library(
        "log2",
        "The logarithm to the base 2.",
        Elementwise(np.log2),
        example="log2(8.0)",
        words="`log2 (exp2 a)` is `a`, except for rounding.",
    ),
    _library(
        "log10",
        "The logarithm to the base 10.",
        Elementwise(np.log10),
        example="log10(100.0)",
        words="`log10 (mul a b)` is `add (log10 a) (log10 b)`, except for rounding.",
    ),
    _library(
        "log1p",
        "The natural logarithm of 1 + a; accurate near 0.",
        Elementwise(np.log1p),
        example="log1p(0.001)",
        words="`log1p (expm1 a)` is `a`, except for rounding.",
    ),
    _library(
        "sin",
        "The sine of an angle in radians.",
        Elementwise(np.sin),
        "sin (neg a) = neg (sin a)",
        example="sin(1.0)",
        result="sine",
    ),
    _library(
        "cos",
        "The cosine of an angle in radians.",
        Elementwise(np.cos),
        "cos (neg a) = cos a",
        example="cos(1.0)",
        result="cosine",
    ),
    _library(
        "tan",
        "The tangent of an angle in radians.",
        Elementwise(np.tan),
        "tan (neg a) = neg (tan a)",
        example="tan(1.0)",
    ),
    _library(
        "asin",
        "The arcsine, from -pi/2 to pi/2.",
        Elementwise(np.arcsin),
        "asin (neg a) = neg (asin a)",
        example="asin(1.0)",
    ),
    _library(
        "acos",
        "The arccosine, from 0 to pi.",
        Elementwise(np.arccos),
        example="acos(0.0)",
        words="`cos (acos a)` is `a`, except for rounding.",
    ),
    _library(
        "atan",
        "The arctangent, from -pi/2 to pi/2.",
        Elementwise(np.arctan),
        "atan (neg a) = neg (atan a)",
        example="atan(1.0)",
    ),
    _library(
        "atan2",
        "The angle of the point with y-coordinate a and x-coordinate b, from -pi to pi.",
        Elementwise(np.arctan2),
        "atan2 (neg a) b = neg (atan2 a b)",
        _BINARY,
        example="atan2(1.0, -1.0)",
    ),
    _library(
        "sinh",
        "The hyperbolic sine.",
        Elementwise(np.sinh),
        "sinh (neg a) = neg (sinh a)",
        example="sinh(1.0)",
    ),
    _library(
        "cosh", "The hyperbolic cosine.", Elementwise(np.cosh), "cosh (neg a) = cosh a", example="cosh(1.0)"
    ),
    _library(
        "tanh",
        "The hyperbolic tangent.",
        Elementwise(np.tanh),
        "tanh (neg a) = neg (tanh a)",
        example="tanh(1.0)",
    ),
    _library(
        "asinh",
        "The inverse of `sinh`.",
        Elementwise(np.arcsinh),
        "asinh (neg a) = neg (asinh a)",
        example="asinh(1.0)",
    ),
    _library(
        "acosh",
        "The inverse of `cosh`; the result is not negative.",
        Elementwise(np.arccosh),
        example="acosh(2.0)",
        words="`cosh (acosh a)` is `a`, except for rounding.",
    ),
    _library(
        "atanh",
        "The inverse of `tanh`.",
        Elementwise(np.arctanh),
        "atanh (neg a) = neg (atanh a)",
        example="atanh(0.5)",
    ),
    _library("erf", "The error function.", Pointwise(_erf), "erf (neg a) = neg (erf a)", example="erf(1.0)"),
    _library(
        "pow",
        "a to the power of b.",
        Pointwise(_pow),
        scheme=_BINARY,
        units=8,
        words="`pow a (add b c)` is `mul (pow a b) (pow a c)` for positive a, except for rounding.",
        example="pow(2.0, 10.0)",
        cost=32,
        result="power",
    ),
    _library(
        "hypot",
        "The square root of a * a + b * b, without overflow in between.",
        Elementwise(np.hypot),
        "hypot a b = hypot b a",
        _BINARY,
        example="hypot(3.0, 4.0)",
    ),
    _exact(
        "floor",
        _UNARY,
        "The greatest integer that is at most a.",
        Elementwise(np.floor),
        "floor (neg a) = neg (ceil a)",
        example="floor(-2.5)",
    ),
    _exact(
        "ceil",
        _UNARY,
        "The least integer that is at least a.",
        Elementwise(np.ceil),
        "ceil (neg a) = neg (floor a)",
        example="ceil(-2.5)",
    ),
    _exact(
        "round",
        _UNARY,
        "The nearest integer; of two equally near ones, the even one.",
        Elementwise(np.rint),
        "round (neg a) = neg (round a)",
        example="round(2.5)",
    ),
    _exact(
        "trunc",
        _UNARY,
        "The integer part of a: rounds towards zero.",
        Elementwise(np.trunc),
        "trunc (neg a) = neg (trunc a)",
        example="trunc(-2.5)",
    ),
    _exact(
        "sign",
        "{t: num} -> t -> t",
        "1 for positive a, -1 for negative a; zeros and NaN stay the same.",
        Pointwise(_sign),
        "sign (sign a) = sign a",
        example="sign(-7)",
    ),
    _exact(
        "clamp",
        "{t: num} -> t -> t -> t -> t",
        "a limited to the range from b to c; NaN if one of the three is NaN.",
        Pointwise(_clamp),
        "clamp a b c = min (max a b) c",
        example="clamp(7, 0, 5)",
        traits=("unrounded",),
    ),
    _exact(
        "isnan",
        _PREDICATE,
        "Whether a is NaN.",
        Elementwise(np.isnan),
        "isnan a = ne a a",
        example="isnan(nan)",
    ),
    _exact(
        "isinf",
        _PREDICATE,
        "Whether a is infinite.",
        Elementwise(np.isinf),
        "isinf (neg a) = isinf a",
        example="isinf(-inf)",
    ),
    _exact(
        "isfinite",
        _PREDICATE,
        "Whether a is neither NaN nor infinite.",
        Elementwise(np.isfinite),
        "isfinite a = not (or (isnan a) (isinf a))",
        example="isfinite(nan)",
    ),
)
