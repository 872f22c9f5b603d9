"""`exp`, `log` and `tanh` of f32 in C, computed in f32. Independent of programs.

`exp`: 2^n e^r, n whole, |r| <= log(2) / 2. `log`: n log 2 + log(1 + f), 1 + f in [sqrt(1/2), sqrt(2)). `tanh`: a
polynomial up to 0.7, from there 1 - 2 / (e^2x + 1). The polynomials are minimax approximations of the relative error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.piece import Piece, function

_BITS: Final = function(
    "int32_t bits_of_f32(float a) {\n  union { float value; int32_t bits; } r = {a};\n  return r.bits;\n}"
)
_OF_BITS: Final = function(
    "float f32_of_bits(int32_t a) {\n  union { int32_t bits; float value; } r = {a};\n  return r.value;\n}"
)
_EXP: Final = function(
    """float exp_f32(float x) {
  const float shifted = fmaf(x, 0x1.715476p+0f, 0x1.8p+23f); // its last bits are n
  const float n = shifted - 0x1.8p+23f;
  const float r = fmaf(-n, 0x1.7f7d1cp-20f, fmaf(-n, 0x1.62e4p-1f, x));
  float q = fmaf(0x1.6a243p-10f, r, 0x1.1239e4p-7f);
  q = fmaf(q, r, 0x1.5558f2p-5f);
  q = fmaf(q, r, 0x1.555492p-3f);
  q = fmaf(q, r, 0x1.fffffcp-2f);
  const int32_t k = bits_of_f32(shifted) - 0x4b400000, half = k >> 1; // 2^n may not be a number: in two halves
  float y = fmaf(q * r, r, r) + 1.0f;
  y = y * f32_of_bits((half + 127) << 23) * f32_of_bits((k - half + 127) << 23);
  y = x > 0x1.62e42ep+6f ? INFINITY : y;
  y = x < -104.0f ? 0.0f : y;
  return x != x ? x : y;
}""",
    "bits_of_f32",
    "f32_of_bits",
    units=1.1,
)
_LOG: Final = function(
    """float log_f32(float x) {
  const bool is_small = x < 0x1p-126f;
  const int32_t bits = bits_of_f32(is_small ? x * 0x1p+25f : x);
  const int32_t e = (bits - 0x3f3504f3) >> 23;
  const float f = f32_of_bits(bits - (e << 23)) - 1.0f;
  const float n = (float)(is_small ? e - 25 : e);
  float q = fmaf(0x1.14573ep-4f, f, -0x1.de3bf8p-4f);
  q = fmaf(q, f, 0x1.e6f08cp-4f);
  q = fmaf(q, f, -0x1.fc220ep-4f);
  q = fmaf(q, f, 0x1.233766p-3f);
  q = fmaf(q, f, -0x1.555c4ep-3f);
  q = fmaf(q, f, 0x1.99a4b6p-3f);
  q = fmaf(q, f, -0x1.000006p-2f);
  q = fmaf(q, f, 0x1.555548p-2f);
  float y = fmaf(n, 0x1.7f7d1cp-20f, fmaf(q * f - 0.5f, f * f, f));
  y = fmaf(n, 0x1.62e4p-1f, y);
  return y + (x == 0.0f ? -INFINITY : x == INFINITY ? INFINITY : x > 0.0f ? 0.0f : NAN);
}""",
    "bits_of_f32",
    "f32_of_bits",
    units=0.9,
)
_TANH: Final = function(
    """float tanh_f32(float x) {
  const float a = fabsf(x), z = a * a;
  float q = fmaf(-0x1.4fb1fap-8f, z, 0x1.48db46p-6f);
  q = fmaf(q, z, -0x1.b6aee6p-5f);
  q = fmaf(q, z, 0x1.10fa24p-3f);
  q = fmaf(q, z, -0x1.5554f0p-2f);
  const float near = fmaf(q * z, a, a);
  const float far = 1.0f - 2.0f / (exp_f32(a + a) + 1.0f);
  return copysignf(a < 0x1.666666p-1f ? near : far, x);
}""",
    "exp_f32",
    units=1.5,
)
#: by name
SINGLES: Final[Mapping[str, Piece]] = {
    "bits_of_f32": _BITS,
    "f32_of_bits": _OF_BITS,
    "exp_f32": _EXP,
    "log_f32": _LOG,
    "tanh_f32": _TANH,
}
