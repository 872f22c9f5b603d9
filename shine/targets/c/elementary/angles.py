"""Trigonometric functions and their inverses of f64 in C. Independent of programs.

An angle is first divided by pi / 2: x = (n + f) pi / 2, n an integer, |f| <= 1/2. Only n modulo 4 matters, so the
table contains 2 / pi times powers of two, modulo 4 (Payne and Hanek, "Radian reduction for trigonometric functions",
1983). One entry suffices for each range of exponents, and no angle needs a branch. For all f64 numbers, |f| is at least
2^-62; the entries have more bits than that. Functions of f32 are in `angles_f32`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import (
    ASIN_F64,
    ATAN_F64,
    COS_F64,
    SIN_F64,
    TURNS_F64,
)
from shine.targets.c.elementary.piece import Piece, function, polynomial, table

PARTS: Final[Mapping[str, Piece]] = {
    "turns_f64": table("turns_f64", TURNS_F64),
    "without_turns_f64": function(
        """double without_turns_f64(double a) { // less the nearest multiple of 4
  return fma(-4.0, rint(a * 0.25), a);
}"""
    ),
    "sum_f64": function(
        """double sum_f64(double a, double b, double *low) { // the sum, and what its rounding lost
  const double s = a + b, t = s - a;
  *low = (a - (s - t)) + (b - t);
  return s;
}"""
    ),
    "sine_and_cosine_f64": function(
        """uint64_t sine_and_cosine_f64(double x, double *sine, double *cosine) { // of x - n pi / 2; returns n
  const int64_t e = (int64_t)(bits_of_f64(x) >> 52 & 0x7ff) - 1075;
  const uint64_t j = (uint64_t)(e > 0 ? e : 0) >> 5;
  const double a = x * f64_of_bits((1023 - 32 * j) << 52);
  const double p = a * turns_f64[0][j], q = a * turns_f64[1][j], p_low = fma(a, turns_f64[0][j], -p);
  const double t = a * turns_f64[2][j], q_low = fma(a, turns_f64[1][j], -q);
  const double t_low = fma(a, turns_f64[3][j], fma(a, turns_f64[2][j], -t));
  double low[6];
  double f = sum_f64(without_turns_f64(p), without_turns_f64(p_low), &low[0]);
  f = sum_f64(f, without_turns_f64(q), &low[1]);
  const double n = rint(f);
  const double small = sum_f64(sum_f64(t, q_low, &low[2]), sum_f64(low[0], low[1], &low[3]), &low[4]);
  f = sum_f64(f - n, small, &low[5]);
  const double rest = low[2] + low[3] + low[4] + low[5] + t_low, again = rint(f), g = f - again;
  const double r = g * $HALF_PI_0, r_low = fma(g, $HALF_PI_0, -r) + fma(g, $HALF_PI_1, rest * $HALF_PI_0);
  const double z = r * r, half = 0.5 * z, w = 1.0 - half;
$s
$c
  *sine = r + fma(z * r, s, r_low - half * r_low);
  *cosine = w + ((1.0 - w - half) + fma(z * z, c, -r * r_low));
  return bits_of_f64(n + again + $round);
}""",
        "bits_of_f64",
        "f64_of_bits",
        "turns_f64",
        "without_turns_f64",
        "sum_f64",
        s=polynomial("s", "z", SIN_F64),
        c=polynomial("c", "z", COS_F64),
    ),
    "negated_f64": function(
        """double negated_f64(double x, uint64_t condition) { // -x if the second bit of the condition is set
  return f64_of_bits(bits_of_f64(x) ^ (condition & 2) << 62);
}""",
        "bits_of_f64",
        "f64_of_bits",
    ),
    "angle_f64": function(
        """double angle_f64(double y, double x) { // atan(y / x) of numbers that are not negative
  const bool is_steep = y > x * 0x1.3504f333f9de6p+1, is_flat = !(y > x * 0x1.a827999fcef32p-2);
  const double a = is_steep ? -x : is_flat ? y : y - x, b = is_steep ? y : is_flat ? x : y + x;
  const double t = a / b, z = t * t;
$q
  const double most = is_steep ? $HALF_PI_0 : is_flat ? 0.0 : 0.5 * $HALF_PI_0;
  const double least = is_steep ? $HALF_PI_1 : is_flat ? 0.0 : 0.5 * $HALF_PI_1;
  return most + (t + fma(t * z, q, least));
}""",
        q=polynomial("q", "z", ATAN_F64),
    ),
}
ANGLES: Final[Mapping[str, Piece]] = {
    "sin_f64": function(
        """double sin_f64(double x) {
  double s, c;
  const uint64_t n = sine_and_cosine_f64(x, &s, &c);
  return fabs(x) < 0x1p-27 ? x : negated_f64(n & 1 ? c : s, n);
}""",
        "sine_and_cosine_f64",
        "negated_f64",
        units=1,
    ),
    "cos_f64": function(
        """double cos_f64(double x) {
  double s, c;
  const uint64_t n = sine_and_cosine_f64(x, &s, &c);
  return fabs(x) < 0x1p-27 ? 1.0 : negated_f64(n & 1 ? s : c, n + 1);
}""",
        "sine_and_cosine_f64",
        "negated_f64",
        units=1,
    ),
    "tan_f64": function(
        """double tan_f64(double x) {
  double s, c;
  const uint64_t n = sine_and_cosine_f64(x, &s, &c);
  const double y = n & 1 ? -c / s : s / c;
  return fabs(x) < 0x1p-27 ? x : y;
}""",
        "sine_and_cosine_f64",
        units=2.5,
    ),
    "atan_f64": function(
        "double atan_f64(double x) { return copysign(angle_f64(fabs(x), 1.0), x); }", "angle_f64", units=2
    ),
    "atan2_f64": function(
        """double atan2_f64(double y, double x) {
  double a = fabs(y), b = fabs(x);
  const double most = a > b ? a : b, unit = most > 0x1p1000 ? 0x1p-60 : most < 0x1p-900 ? 0x1p100 : 1.0;
  a = a == INFINITY && b == INFINITY ? 1.0 : a * unit;
  b = fabs(y) == INFINITY && b == INFINITY ? 1.0 : a == 0.0 && b == 0.0 ? 1.0 : b * unit;
  const double r = angle_f64(a, b);
  return copysign(copysign(1.0, x) < 0.0 ? 2.0 * $HALF_PI_0 - (r - 2.0 * $HALF_PI_1) : r, y);
}""",
        "angle_f64",
        units=2.5,
    ),
    "asin_f64": function(
        """double asin_f64(double x) { // beyond 1/2, pi / 2 - 2 asin(sqrt((1 - x) / 2))
  const double a = fabs(x);
  const bool is_near = a <= 0.5;
  const double z = is_near ? a * a : 0.5 * (1.0 - a), s = is_near ? a : sqrt(z);
$q
  const double t = s * z * q, far = ($HALF_PI_0 - 2.0 * s) - (2.0 * t - $HALF_PI_1);
  return copysign(is_near ? s + t : far, x);
}""",
        units=2.5,
        q=polynomial("q", "z", ASIN_F64),
    ),
    "acos_f64": function(
        """double acos_f64(double x) { // beyond 1/2, 2 asin(sqrt((1 - x) / 2))
  const double a = fabs(x);
  const bool is_near = a <= 0.5;
  const double z = is_near ? a * a : 0.5 * (1.0 - a), s = is_near ? x : sqrt(z);
$q
  const double t = s * z * q, far = 2.0 * (s + t);
  return is_near ? $HALF_PI_0 - (s - ($HALF_PI_1 - t)) : x < 0.0 ? 2.0 * $HALF_PI_0 - (far - 2.0 * $HALF_PI_1) : far;
}""",
        units=1.5,
        q=polynomial("q", "z", ASIN_F64),
    ),
}
