"""Conversions of floats of 8 and 16 bits in C and CUDA, on their bits. Independent of programs.

A conversion rounds once, to nearest, ties to even. The formats of 8 bits are those of Micikevicius et al., "FP8 Formats
for Deep Learning" (2022): E5M2 has infinities as f16 has; E4M3 has none, and numbers that are too large become NaN, as
in ml_dtypes and PyTorch. All values are compared with ml_dtypes in tests/shine/targets/test_narrow_floats.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rise.scalars import SCALARS, is_only_stored

#: types that have no operations but casts, as in `Dialect.storage`
WITHOUT_ARITHMETIC: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset() for name in SCALARS if is_only_stored(name)
}
_TO_F32: Final[Mapping[str, str]] = {
    "bf16": """float f32_of_bf16($bf16 a) {
  union { $u32 bits; float value; } r = {($u32)a << 16};
  return r.value;
}""",
    "f8e4m3": """float f32_of_f8e4m3($f8e4m3 a) {
  const $u32 x = ($u32)(a & 0x7f) << 20;
  union { $u32 bits; float value; } tiny = {x + 0x3c800000}, r = {x + 0x3c000000};
  tiny.value -= 0x1p-6f;
  r.bits = (x < 0x800000 ? tiny.bits : x == 0x7f00000 ? 0x7fc00000 : r.bits) | ($u32)(a & 0x80) << 24;
  return r.value;
}""",
    "f8e5m2": """float f32_of_f8e5m2($f8e5m2 a) {
  const $u32 x = ($u32)(a & 0x7f) << 21;
  union { $u32 bits; float value; } tiny = {x + 0x38800000}, r = {x + 0x38000000};
  tiny.value -= 0x1p-14f;
  r.bits = (x < 0x800000 ? tiny.bits : x >= 0xf800000 ? x + 0x70000000 : r.bits) | ($u32)(a & 0x80) << 24;
  return r.value;
}""",
}
#: A number below the least normal one is added to a number whose last bit is worth the least subnormal one.
_FROM_F32: Final[Mapping[str, str]] = {
    "bf16": """$bf16 bf16_of_f32(float a) { // to nearest, ties to even
  union { float value; $u32 bits; } r = {a};
  return a != a ? ($bf16)(r.bits >> 16 | 0x40) : ($bf16)((r.bits + 0x7fff + (r.bits >> 16 & 1)) >> 16);
}""",
    "f8e4m3": """$f8e4m3 f8e4m3_of_f32(float a) { // to nearest, ties to even; above 464 to NaN
  union { float value; $u32 bits; } r = {a}, tiny;
  const $u32 x = r.bits & 0x7fffffff, sign = r.bits >> 24 & 0x80;
  tiny.bits = x;
  tiny.value += 0x1p14f;
  const $u32 normal = x > 0x43e80000 ? 0x7f : (x - 0x3c000000 + 0x7ffff + (x >> 20 & 1)) >> 20;
  return ($f8e4m3)((x < 0x3c800000 ? tiny.bits - 0x46800000 : normal) | sign);
}""",
    "f8e5m2": """$f8e5m2 f8e5m2_of_f32(float a) { // to nearest, ties to even
  union { float value; $u32 bits; } r = {a}, tiny;
  const $u32 x = r.bits & 0x7fffffff, sign = r.bits >> 24 & 0x80;
  tiny.bits = x;
  tiny.value += 0x1p7f;
  const $u32 large = x > 0x7f800000 ? 0x7e : 0x7c;
  const $u32 normal = x >= 0x47700000 ? large : (x - 0x38000000 + 0xfffff + (x >> 21 & 1)) >> 21;
  return ($f8e5m2)((x < 0x38800000 ? tiny.bits - 0x43000000 : normal) | sign);
}""",
}
_FROM_WIDER: Final[Mapping[str, str]] = {
    "f64": """$NARROW NARROW_of_f64(double a) { // rounded once: to odd first, then to nearest
  union { float value; $u32 bits; } r = {(float)a};
  const bool is_short = (a < 0 ? -a : a) > (a < 0 ? -r.value : r.value);
  if (r.value != a && a == a && !(r.bits & 1)) r.bits += is_short ? 1 : -1;
  return $NARROW_of_f32(r.value);
}""",
    "i64": """$NARROW NARROW_of_i64($i64 a) { // bits that a double lacks are kept as one sticky bit
  const bool wide = a > 9007199254740992LL || a < -9007199254740992LL;
  return $NARROW_of_f64((double)(wide ? (a & ~2047LL) | ((a & 2047) != 0 ? 2048 : 0) : a));
}""",
    "u64": """$NARROW NARROW_of_u64($u64 a) { // bits that a double lacks are kept as one sticky bit
  const bool wide = a > 9007199254740992ULL;
  return $NARROW_of_f64((double)(wide ? (a & ~2047ULL) | ((a & 2047) != 0 ? 2048 : 0) : a));
}""",
}
_FUSED: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "fma_bf16": (
        ("f32_of_bf16", "bf16_of_f64"),
        """$bf16 fma_bf16($bf16 a, $bf16 b, $bf16 c) { // the product is exact, the sum is rounded to odd
  const double p = (double)$f32_of_bf16(a) * $f32_of_bf16(b), q = $f32_of_bf16(c), s = p + q, t = s - p;
  const double error = (p - (s - t)) + (q - t);
  union { double value; $u64 bits; } r = {s};
  if (error != 0 && error == error && !(r.bits & 1)) r.bits += (error > 0) == (s > 0) ? 1 : -1;
  return $bf16_of_f64(r.value);
}""",
    ),
    "fma_f16": (
        (),
        """$f16 fma_f16($f16 a, $f16 b, $f16 c) { // as double it is exact where it matters
  return ($f16)((double)a * (double)b + (double)c);
}""",
    ),
}


def _conversions(name: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """The conversions from and to a narrow type, by their names, each with those that it uses."""
    through = {"f64": "f32", "i64": "f64", "u64": "f64"}
    return {
        f"f32_of_{name}": ((), _TO_F32[name]),
        f"{name}_of_f32": ((), _FROM_F32[name]),
        **{
            f"{name}_of_{source}": ((f"{name}_of_{through[source]}",), text.replace("NARROW", name))
            for source, text in _FROM_WIDER.items()
        },
    }


#: functions by name, each with those that it uses and its text, in which `$name` is what is called `name` in the source
NARROW_FLOATS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    **{function: text for name in _TO_F32 for function, text in _conversions(name).items()},
    **_FUSED,
}
