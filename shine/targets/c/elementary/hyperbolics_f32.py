"""`expm1`, `log1p`, hyperbolic functions and their inverses of f32 in C, computed in f32. Independent of programs.

The algorithms are those for f64 in `exponentials` and `logarithms`, with shorter polynomials.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import SINH_F32
from shine.targets.c.elementary.piece import Piece, function, polynomial

HYPERBOLICS_F32: Final[Mapping[str, Piece]] = {
    "expm1_f32": function(
        """float expm1_f32(float x) { // 2^n e^r - 1 = 2^n (e^r - 1) + (2^n - 1), at half the size
  float a = x > 89.0f ? 89.0f : x, r;
  a = a < -20.0f ? -20.0f : a;
  const float scale = f32_of_bits((halvings_f32(a, &r) + 126) << 23);
  const float y = fmaf(scale, exp_less_1_f32(r), scale - 0.5f) * 2.0f;
  return x == 0.0f ? x : y;
}""",
        "halvings_f32",
        "exp_less_1_f32",
        "f32_of_bits",
        units=1.5,
    ),
    "log1p_f32": function(
        """float log1p_f32(float x) { // log(u + c), u = 1 + x rounded and c what the rounding lost
  const float u = 1.0f + x, lost = u - 1.0f, c = (1.0f - (u - lost)) + (x - lost);
  float m;
  const int32_t e = split_f32(u, &m), kept = e < 60 ? e : 60;
  const float y = log_of_parts_f32((float)e, fmaf(x < 0x1p+60f ? c : 0.0f, f32_of_bits((127 - kept) << 23), m - 1.0f));
  return x == 0.0f ? x : y + end_of_log_f32(u);
}""",
        "split_f32",
        "f32_of_bits",
        "log_of_parts_f32",
        "end_of_log_f32",
        units=1.5,
    ),
    "sinh_f32": function(
        """float sinh_f32(float x) {
  const float a = fabsf(x), z = a * a, half = half_exp_f32(a);
$q
  return copysignf(a < 1.0f ? fmaf(a * z, q, a) : half - 0.25f / half, x);
}""",
        "half_exp_f32",
        units=1.7,
        q=polynomial("q", "z", SINH_F32, "f"),
    ),
    "cosh_f32": function(
        """float cosh_f32(float x) {
  const float half = half_exp_f32(fabsf(x));
  return half + 0.25f / half;
}""",
        "half_exp_f32",
        units=1.5,
    ),
    "asinh_f32": function(
        """float asinh_f32(float x) {
  const float a = fabsf(x), z = a * a;
  const bool is_large = a > 0x1p+30f;
  const float y = log1p_f32(is_large ? a : a + z / (1.0f + sqrtf(z + 1.0f)));
  return copysignf(y + (is_large ? ${LOG_2_SINGLE_0}f : 0.0f), x);
}""",
        "log1p_f32",
        units=2.2,
    ),
    "acosh_f32": function(
        """float acosh_f32(float x) {
  const float t = x - 1.0f;
  const bool is_large = x > 0x1p+30f;
  const float y = log1p_f32(is_large ? x : t + sqrtf(t * (t + 2.0f)));
  return y + (is_large ? ${LOG_2_SINGLE_0}f : x < 1.0f ? NAN : 0.0f);
}""",
        "log1p_f32",
        units=2.7,
    ),
    "atanh_f32": function(
        """float atanh_f32(float x) {
  const float a = fabsf(x), t = a + a;
  return copysignf(0.5f * log1p_f32(t + t * a / (1.0f - a)) + (a > 1.0f ? NAN : 0.0f), x);
}""",
        "log1p_f32",
        units=2,
    ),
}
