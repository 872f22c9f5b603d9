"""`exp`, `log`, `tanh`, other logarithms, powers and cube roots of f32 in C, computed in f32. Independent of programs.

`exp`: 2^n e^r, n an integer, |r| <= log(2) / 2. `log`: n log 2 + log(1 + f), 1 + f in [sqrt(1/2), sqrt(2)). `tanh`: a
polynomial up to 0.7, and 1 - 2 / (e^2x + 1) above. The polynomials are minimax approximations of the relative error.
`log2`, `log10`: n + f / log 2 + f^2 q(f), the second term in two parts, and the same by log10 2.
`pow`: 2^(y log2 x), with log2 x and the product in two parts, with a relative error of about 2^-36; log2 m is
2 / log 2 (s + s^3 / 3 + s^5 q(s^2)), s = (m - 1) / (m + 1).

No result is selected by a condition on the exponent of `pow` alone: gcc does not vectorise a loop with a selection
whose condition is the same in all iterations. Numbers computed from such a condition are no obstacle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import CBRT_F32, EXP2_F32, EXP2_TAIL_F32, LOG2_F32, LOG2_TAIL_F32
from shine.targets.c.elementary.piece import Piece, function, polynomial

_BITS: Final = function(
    "int32_t bits_of_f32(float a) {\n  union { float value; int32_t bits; } r = {a};\n  return r.bits;\n}"
)
_OF_BITS: Final = function(
    "float f32_of_bits(int32_t a) {\n  union { int32_t bits; float value; } r = {a};\n  return r.value;\n}"
)
_HALVINGS: Final = function(
    """int32_t halvings_f32(float x, float *rest) { // n with x = n log 2 + rest, |x| < 2^22
  const float shifted = fmaf(x, 0x1.715476p+0f, 0x1.8p+23f); // its last bits are n
  const float n = shifted - 0x1.8p+23f;
  *rest = fmaf(-n, 0x1.7f7d1cp-20f, fmaf(-n, 0x1.62e4p-1f, x));
  return bits_of_f32(shifted) - 0x4b400000;
}""",
    "bits_of_f32",
)
_EXP_LESS_1: Final = function(
    """float exp_less_1_f32(float r) { // e^r - 1, |r| <= log(2) / 2
  float q = fmaf(0x1.6a243p-10f, r, 0x1.1239e4p-7f);
  q = fmaf(q, r, 0x1.5558f2p-5f);
  q = fmaf(q, r, 0x1.555492p-3f);
  q = fmaf(q, r, 0x1.fffffcp-2f);
  return fmaf(q * r, r, r);
}"""
)
_EXP: Final = function(
    """float exp_f32(float x) {
  float r;
  const int32_t n = halvings_f32(x, &r), half = n >> 1; // 2^n may not be a number: in two halves
  float y = exp_less_1_f32(r) + 1.0f;
  y = y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
  y = x > 0x1.62e42ep+6f ? INFINITY : y;
  y = x < -104.0f ? 0.0f : y;
  return x != x ? x : y;
}""",
    "halvings_f32",
    "exp_less_1_f32",
    "f32_of_bits",
    units=1.1,
)
_SPLIT: Final = function(
    """int32_t split_f32(float x, float *m) { // x = m 2^n, m from sqrt(1/2) to sqrt(2); returns n
  const bool is_small = x < 0x1p-126f;
  const int32_t bits = bits_of_f32(is_small ? x * 0x1p+25f : x);
  const int32_t e = (bits - 0x3f3504f3) >> 23;
  *m = f32_of_bits(bits - (e << 23));
  return is_small ? e - 25 : e;
}""",
    "bits_of_f32",
    "f32_of_bits",
)
_LOG_OF_PARTS: Final = function(
    """float log_of_parts_f32(float n, float f) { // log(2^n (1 + f))
  float q = fmaf(0x1.14573ep-4f, f, -0x1.de3bf8p-4f);
  q = fmaf(q, f, 0x1.e6f08cp-4f);
  q = fmaf(q, f, -0x1.fc220ep-4f);
  q = fmaf(q, f, 0x1.233766p-3f);
  q = fmaf(q, f, -0x1.555c4ep-3f);
  q = fmaf(q, f, 0x1.99a4b6p-3f);
  q = fmaf(q, f, -0x1.000006p-2f);
  q = fmaf(q, f, 0x1.555548p-2f);
  const float y = fmaf(n, 0x1.7f7d1cp-20f, fmaf(q * f - 0.5f, f * f, f));
  return fmaf(n, 0x1.62e4p-1f, y);
}"""
)
_LOG: Final = function(
    """float log_f32(float x) {
  float m;
  const int32_t n = split_f32(x, &m);
  return log_of_parts_f32((float)n, m - 1.0f) + end_of_log_f32(x);
}""",
    "split_f32",
    "log_of_parts_f32",
    "end_of_log_f32",
    units=0.9,
)
_HALF_EXP: Final = function(
    """float half_exp_f32(float x) { // e^x / 2, of a number that is not negative
  float r;
  const int32_t k = halvings_f32(x > 90.0f ? 90.0f : x, &r) - 1, half = k >> 1;
  return (exp_less_1_f32(r) + 1.0f) * f32_of_bits((half + 127) << 23) * f32_of_bits((k - half + 127) << 23);
}""",
    "halvings_f32",
    "exp_less_1_f32",
    "f32_of_bits",
)
_TANH: Final = function(
    """float tanh_f32(float x) {
  const float a = fabsf(x), z = a * a;
  float q = fmaf(-0x1.4fb1fap-8f, z, 0x1.48db46p-6f);
  q = fmaf(q, z, -0x1.b6aee6p-5f);
  q = fmaf(q, z, 0x1.10fa24p-3f);
  q = fmaf(q, z, -0x1.5554f0p-2f);
  const float near = fmaf(q * z, a, a);
  const float far = 1.0f - 1.0f / (half_exp_f32(a + a) + 0.5f);
  return copysignf(a < 0x1.666666p-1f ? near : far, x);
}""",
    "half_exp_f32",
    units=1.5,
)
_LONG_LOG2: Final = function(
    """float long_log2_f32(float a, float *low) { // log2 of a positive number, in two parts
  const bool is_small = a < 0x1p-126f;
  const int32_t bits = bits_of_f32(is_small ? a * 0x1p+25f : a);
  const int32_t e = (bits - 0x3f3504f3) >> 23;
  const float m = f32_of_bits(bits - (e << 23)), n = (float)(is_small ? e - 25 : e);
  const float f = m - 1.0f, d = m + 1.0f, inverse = 1.0f / d;
  const float s = f * inverse, s_low = (fmaf(-s, d, f) - s * (m - (d - 1.0f))) * inverse;
  const float z = s * s, z_low = fmaf(s, s, -z) + 2.0f * s * s_low;
$q
  const float a_3 = ${THIRD_TWO_LOG2_E_0}f, t = z * a_3;
  const float t_low = fmaf(z, a_3, -t) + fmaf(z, ${THIRD_TWO_LOG2_E_1}f, z_low * a_3);
  const float a_1 = ${TWO_LOG2_E_0}f, u = t + a_1, u_low = (a_1 - u) + t + (fmaf(z * z, q, t_low) + ${TWO_LOG2_E_1}f);
  const float p = s * u, p_low = fmaf(s, u, -p) + fmaf(s, u_low, s_low * u);
  const float high = n + p;
  *low = (n - high) + p + p_low;
  return high;
}""",
    "bits_of_f32",
    "f32_of_bits",
    q=polynomial("q", "z", LOG2_TAIL_F32, "f"),
)
_LONG_EXP2: Final = function(
    """float long_exp2_f32(float x, float low) { // 2^(x + low)
  x = x > 200.0f ? 200.0f : x;
  x = x < -200.0f ? -200.0f : x;
  const float shifted = x + 0x1.8p+23f; // its last bits are n
  const float rest = x - (shifted - 0x1.8p+23f), f = rest + low, f_low = (rest - f) + low;
$q
  const int32_t n = bits_of_f32(shifted) - 0x4b400000, half = n >> 1; // 2^n may not be a number: in two halves
  const float w = f * ${LOG_2_SINGLE_0}f, above = w + 1.0f;
  const float w_low = fmaf(f, ${LOG_2_SINGLE_0}f, -w) + fmaf(f, ${LOG_2_SINGLE_1}f, f_low * ${LOG_2_SINGLE_0}f);
  const float y = above + ((1.0f - above) + w + fmaf(f * f, q, w_low));
  return y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
}""",
    "bits_of_f32",
    "f32_of_bits",
    q=polynomial("q", "f", EXP2_TAIL_F32, "f"),
)
_EXP2: Final = function(
    """float exp2_f32(float x) {
  x = x > 200.0f ? 200.0f : x;
  x = x < -200.0f ? -200.0f : x;
  const float shifted = x + 0x1.8p+23f, f = x - (shifted - 0x1.8p+23f); // its last bits are n
$q
  const int32_t n = bits_of_f32(shifted) - 0x4b400000, half = n >> 1; // 2^n may not be a number: in two halves
  const float y = fmaf(q, f, 1.0f);
  return y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
}""",
    "bits_of_f32",
    "f32_of_bits",
    units=0.9,
    q=polynomial("q", "f", EXP2_F32, "f"),
)
_END_OF_LOG: Final = function(
    """float end_of_log_f32(float x) { // what to add to a logarithm of x, for what is no positive number
  const uint32_t is_zero = x == 0.0f, is_infinite = x == INFINITY, has_none = !(x >= 0.0f);
  return f32_of_bits((-is_zero & 0xff800000) | (-is_infinite & 0x7f800000) | (-has_none & 0x7fc00000));
}""",
    "f32_of_bits",
)
_LOG2: Final = function(
    """float log2_f32(float x) {
  float m;
  const float n = (float)split_f32(x, &m), f = m - 1.0f, p = f * ${LOG2_E_SINGLE_0}f;
$q
  const float p_low = fmaf(f * f, q, fmaf(f, ${LOG2_E_SINGLE_0}f, -p) + f * ${LOG2_E_SINGLE_1}f), y = n + p;
  return y + ((n - y) + p + p_low) + end_of_log_f32(x);
}""",
    "split_f32",
    "end_of_log_f32",
    units=1,
    q=polynomial("q", "f", LOG2_F32, "f"),
)
_LOG10: Final = function(
    """float log10_f32(float x) {
  float m;
  const float n = (float)split_f32(x, &m), f = m - 1.0f, p = f * ${LOG10_E_SINGLE_0}f;
$q
  const float rounded = fmaf(f, ${LOG10_E_SINGLE_0}f, -p) + f * ${LOG10_E_SINGLE_1}f;
  const float a = n * ${LOG10_2_SHORT_SINGLE_0}f, y = a + p, p_low = fmaf(f * f, q * ${LOG10_2_SINGLE_0}f, rounded);
  return y + ((a - y) + p + fmaf(n, ${LOG10_2_SHORT_SINGLE_1}f, p_low)) + end_of_log_f32(x);
}""",
    "split_f32",
    "end_of_log_f32",
    units=1,
    q=polynomial("q", "f", LOG2_F32, "f"),
)
_CBRT: Final = function(
    """float cbrt_f32(float x) { // of 2^(3 n + i) m, i from -1 to 1; one step of Halley's iteration
  float m;
  const int32_t e = split_f32(fabsf(x), &m);
  const float n = fmaf((float)e, 0x1.555556p-2f, 0x1.8p+23f) - 0x1.8p+23f, f = m - 1.0f;
  const int32_t i = e - 3 * (int32_t)n;
$q
  const float t = q * (i == 0 ? 1.0f : i > 0 ? 0x1.428a3p+0f : 0x1.965feap-1f), b = m * f32_of_bits((i + 127) << 23);
  const float square = t * t, excess = fmaf(square, t, -b) + fmaf(t, t, -square) * t;
  const float y = (t - t * excess / fmaf(2.0f * square, t, b)) * f32_of_bits(((int32_t)n + 127) << 23);
  return (x == 0.0f) | (x - x != 0.0f) ? x : copysignf(y, x);
}""",
    "split_f32",
    "f32_of_bits",
    units=0.51,
    q=polynomial("q", "f", CBRT_F32, "f"),
)
_POW: Final = function(
    """float pow_f32(float x, float y) {
  const float a = fabsf(x);
  float log_low;
  float log_a = long_log2_f32(a, &log_low);
  log_a += end_of_log_f32(a);
  const float p = y * log_a, p_low = fmaf(y, log_a, -p) + y * log_low;
  const int32_t is_one = (x == 1.0f) | (y == 0.0f) | ((x == -1.0f) & (y - y != 0.0f) & (y == y));
  const int32_t is_usual = (fabsf(p) < 200.0f) & ~is_one;
  float r = long_exp2_f32(f32_of_bits(bits_of_f32(p) & (is_one - 1)), f32_of_bits(bits_of_f32(p_low) & -is_usual));
  const float half = y * 0.5f, nearest = rintf(y);
  const int32_t odd = (nearest == y) & (rintf(half) != half), broken = (nearest != y) & (x < 0.0f) & (a < INFINITY);
  r += f32_of_bits(-broken & 0x7fc00000);
  return f32_of_bits(bits_of_f32(r) | (bits_of_f32(x) & odd << 31));
}""",
    "long_log2_f32",
    "end_of_log_f32",
    "long_exp2_f32",
    units=0.8,
)
PARTS: Final[Mapping[str, Piece]] = {
    "bits_of_f32": _BITS,
    "f32_of_bits": _OF_BITS,
    "halvings_f32": _HALVINGS,
    "exp_less_1_f32": _EXP_LESS_1,
    "half_exp_f32": _HALF_EXP,
    "split_f32": _SPLIT,
    "log_of_parts_f32": _LOG_OF_PARTS,
    "end_of_log_f32": _END_OF_LOG,
    "long_log2_f32": _LONG_LOG2,
    "long_exp2_f32": _LONG_EXP2,
}
SINGLES: Final[Mapping[str, Piece]] = {
    "exp_f32": _EXP,
    "log_f32": _LOG,
    "tanh_f32": _TANH,
    "exp2_f32": _EXP2,
    "log2_f32": _LOG2,
    "log10_f32": _LOG10,
    "pow_f32": _POW,
    "cbrt_f32": _CBRT,
}
