"""Trigonometric functions and their inverses of f32 in C. Independent of programs.

An angle is divided by pi / 2 in f64, as in `angles`. 2 / pi modulo 4 is multiplied by one of four powers of two, which
is selected by comparisons, since reading a table takes longer. The reduced angle, at most pi / 4, is rounded to f32,
and the rest is computed in f32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import (
    ASIN_F32,
    ATAN_F32,
    COS_F32,
    SIN_F32,
    TAN_F32,
)
from shine.targets.c.elementary.piece import Piece, function, polynomial

PARTS: Final[Mapping[str, Piece]] = {
    "right_angles_f32": function(
        """int32_t right_angles_f32(float x, float *rest) { // n with x = n pi / 2 + rest, but for multiples of 4
  const float a = fabsf(x);
  double high = $TURN_0_0, low = $TURN_1_0;
  high = a >= 0x1p50f ? $TURN_0_1 : high;
  low = a >= 0x1p50f ? $TURN_1_1 : low;
  high = a >= 0x1p76f ? $TURN_0_2 : high;
  low = a >= 0x1p76f ? $TURN_1_2 : low;
  high = a >= 0x1p102f ? $TURN_0_3 : high;
  low = a >= 0x1p102f ? $TURN_1_3 : low;
  const double p = x * high, shifted = p + $round;
  const double f = fma(x, low, (p - (shifted - $round)) + fma(x, high, -p)), again = f + $round;
  *rest = (float)((f - (again - $round)) * $HALF_PI_0);
  return (int32_t)(bits_of_f64(shifted) + bits_of_f64(again));
}""",
        "bits_of_f64",
    ),
    "sine_f32": function(
        """float sine_f32(float r, int32_t n) { // of r + n pi / 2, |r| <= pi / 4
  const float z = r * r;
$s
$c
  const float w = fmaf(z, -0.5f, 1.0f), w_low = fmaf(z, -0.5f, 1.0f - w);
  const float sine = fmaf(s * z, r, r), cosine = w + fmaf(z * z, c, w_low);
  return f32_of_bits(bits_of_f32(n & 1 ? cosine : sine) ^ (n & 2) << 30);
}""",
        "bits_of_f32",
        "f32_of_bits",
        s=polynomial("s", "z", SIN_F32, "f"),
        c=polynomial("c", "z", COS_F32, "f"),
    ),
    "angle_f32": function(
        """float angle_f32(float y, float x) { // atan(y / x) of numbers that are not negative
  const bool is_steep = y > x;
  const float t = (is_steep ? -x : y) / (is_steep ? y : x), z = t * t;
$q
  return (is_steep ? ${HALF_PI_SINGLE_0}f : 0.0f) + (t + fmaf(t * z, q, is_steep ? ${HALF_PI_SINGLE_1}f : 0.0f));
}""",
        q=polynomial("q", "z", ATAN_F32, "f"),
    ),
}
ANGLES_F32: Final[Mapping[str, Piece]] = {
    "sin_f32": function(
        """float sin_f32(float x) {
  float r;
  const int32_t n = right_angles_f32(x, &r);
  const float y = sine_f32(r, n);
  return fabsf(x) < 0x1p-13f ? x : y;
}""",
        "right_angles_f32",
        "sine_f32",
        units=1.6,
    ),
    "cos_f32": function(
        """float cos_f32(float x) {
  float r;
  const int32_t n = right_angles_f32(x, &r);
  return sine_f32(r, n + 1);
}""",
        "right_angles_f32",
        "sine_f32",
        units=1.6,
    ),
    "tan_f32": function(
        """float tan_f32(float x) {
  float r;
  const int32_t n = right_angles_f32(x, &r);
  const float z = r * r;
$q
  const float t = fmaf(q * z, r, r), y = n & 1 ? -1.0f / t : t;
  return fabsf(x) < 0x1p-13f ? x : y;
}""",
        "right_angles_f32",
        units=2.8,
        q=polynomial("q", "z", TAN_F32, "f"),
    ),
    "atan_f32": function(
        "float atan_f32(float x) { return copysignf(angle_f32(fabsf(x), 1.0f), x); }", "angle_f32", units=1.3
    ),
    "atan2_f32": function(
        """float atan2_f32(float y, float x) {
  float a = fabsf(y), b = fabsf(x);
  const float most = a > b ? a : b, unit = most > 0x1p100f ? 0x1p-60f : most < 0x1p-60f ? 0x1p80f : 1.0f;
  a = (a == INFINITY) & (b == INFINITY) ? 1.0f : a * unit;
  b = (fabsf(y) == INFINITY) & (b == INFINITY) ? 1.0f : (a == 0.0f) & (b == 0.0f) ? 1.0f : b * unit;
  const float r = angle_f32(a, b);
  return copysignf(copysignf(1.0f, x) < 0.0f ? 2.0f * ${HALF_PI_SINGLE_0}f - (r - 2.0f * ${HALF_PI_SINGLE_1}f) : r, y);
}""",
        "angle_f32",
        units=1.7,
    ),
    "asin_f32": function(
        """float asin_f32(float x) { // beyond 1/2, pi / 2 - 2 asin(sqrt((1 - x) / 2))
  const float a = fabsf(x);
  const bool is_near = a <= 0.5f;
  const float z = is_near ? a * a : 0.5f * (1.0f - a), s = is_near ? a : sqrtf(z);
$q
  const float t = s * z * q, far = (${HALF_PI_SINGLE_0}f - 2.0f * s) - (2.0f * t - ${HALF_PI_SINGLE_1}f);
  return copysignf(is_near ? s + t : far, x);
}""",
        units=2.2,
        q=polynomial("q", "z", ASIN_F32, "f"),
    ),
    "acos_f32": function(
        """float acos_f32(float x) { // beyond 1/2, 2 asin(sqrt((1 - x) / 2))
  const float a = fabsf(x);
  const bool is_near = a <= 0.5f;
  const float z = is_near ? a * a : 0.5f * (1.0f - a), s = is_near ? x : sqrtf(z);
$q
  const float t = s * z * q, far = 2.0f * (s + t);
  const float left = x < 0.0f ? 2.0f * ${HALF_PI_SINGLE_0}f - (far - 2.0f * ${HALF_PI_SINGLE_1}f) : far;
  return is_near ? ${HALF_PI_SINGLE_0}f - (s - (${HALF_PI_SINGLE_1}f - t)) : left;
}""",
        units=1.3,
        q=polynomial("q", "z", ASIN_F32, "f"),
    ),
}
