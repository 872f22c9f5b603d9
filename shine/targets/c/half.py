"""Conversions between `_Float16` and `float` in C that compilers vectorise. Knows no programs.

gcc up to 12 does not vectorise a loop with its own conversions, but does with these functions on bits. They give the
same results, except for the payload of a NaN: checked with all halves, and with one in seven floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OWN: Final = "#if defined __clang__ || __GNUC__ > 12 // compilers that make vectors of the conversion itself"
#: conversion functions by their names
CONVERSIONS: Final[Mapping[str, str]] = {
    "f32_of_f16": f"""float f32_of_f16(_Float16 a) {{
{_OWN}
  return (float)a;
#else
  const union {{ _Float16 value; uint16_t bits; }} h = {{a}};
  const uint32_t x = (uint32_t)(h.bits & 0x7fff) << 13, e = x & 0x0f800000;
  union {{ uint32_t bits; float value; }} tiny = {{x + 0x38800000}}, r = {{x + 0x38000000}};
  tiny.value -= 0x1p-14f;
  r.bits = (e == 0 ? tiny.bits : e == 0x0f800000 ? x + 0x70000000 : r.bits) | (uint32_t)(h.bits & 0x8000) << 16;
  return r.value;
#endif
}}""",
    "f16_of_f32": f"""_Float16 f16_of_f32(float a) {{ // to nearest, ties to even
{_OWN}
  return (_Float16)a;
#else
  union {{ float value; uint32_t bits; }} r = {{a}}, tiny;
  const uint32_t sign = r.bits & 0x80000000, x = r.bits ^ sign;
  tiny.bits = x;
  tiny.value += 0.5f;
  const uint32_t is_tiny = -(uint32_t)(x < 0x38800000), is_infinite = -(uint32_t)(x >= 0x47800000);
  const uint32_t finite = (x + 0xc8000fff + (x >> 13 & 1)) >> 13 & ~(is_tiny | is_infinite);
  const uint32_t other = (0x7c00 & is_infinite) | (0x200 & -(uint32_t)(a != a));
  const uint32_t bits = finite | ((tiny.bits - 0x3f000000) & is_tiny) | other;
  const union {{ uint16_t bits; _Float16 value; }} h = {{(uint16_t)(bits | sign >> 16)}};
  return h.value;
#endif
}}""",
}
