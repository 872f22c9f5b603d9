"""Conversions between `_Float16` and `float` in C, of numbers in loops and of vectors. Independent of programs.

gcc up to 12 does not vectorise loops with its own conversions, but vectorises these functions on bits. Their results
are the same except for the payloads of NaNs; all halves and one in seven floats were tested. If the processor has no
`_Float16` arithmetic, gcc loads at most four such numbers at once, so array elements are loaded as bits, in full
vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OWN: Final = "#if defined __clang__ || __GNUC__ > 12 // compilers that make vectors of the conversion itself"
_WIDENED: Final = """  const uint32_t x = (uint32_t)({0} & 0x7fff) << 13, e = x & 0x0f800000;
  union {{ uint32_t bits; float value; }} tiny = {{x + 0x38800000}}, r = {{x + 0x38000000}};
  tiny.value -= 0x1p-14f;
  r.bits = (e == 0 ? tiny.bits : e == 0x0f800000 ? x + 0x70000000 : r.bits) | (uint32_t)({0} & 0x8000) << 16;
  return r.value;"""
#: conversion functions by their names
CONVERSIONS: Final[Mapping[str, str]] = {
    "f32_of_f16": f"""float f32_of_f16(_Float16 a) {{
{_OWN}
  return (float)a;
#else
  const union {{ _Float16 value; uint16_t bits; }} h = {{a}};
{_WIDENED.format("h.bits")}
#endif
}}""",
    "f32_of_f16_at": f"""float f32_of_f16_at(const _Float16 *p) {{
{_OWN}
  return (float)*p;
#else
  typedef uint16_t __attribute__((may_alias)) half_bits;
  const uint16_t bits = *(const half_bits *)p;
{_WIDENED.format("bits")}
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
#: numbers that an instruction of F16C converts at once; one of AVX-512 converts twice as many
TOGETHER: Final = 8
_WIDE_PART: Final = "typedef float wide_part __attribute__((vector_size({bytes})));"
_NARROW_PART: Final = "typedef short narrow_part __attribute__((vector_size({bytes})));"
#: by the numbers converted at once: from f16, and to f16, rounding to nearest whatever the mode is
_BUILTIN: Final = {
    8: ("__builtin_ia32_vcvtph2ps256({})", "__builtin_ia32_vcvtps2ph256({}, 0)"),
    16: (
        "__builtin_ia32_vcvtph2ps512_mask({}, (wide_part){{0}}, -1, 4)",
        "__builtin_ia32_vcvtps2ph512_mask({}, 0, (narrow_part){{0}}, -1)",
    ),
}


def vector_conversion(result: str, source: str, lanes: int) -> str:
    """The function that converts a vector of a multiple of `TOGETHER` lanes: `f32x16` from `f16x16`, or the reverse.

    gcc 12 converts such vectors number by number or on their bits, although an instruction converts 8 or 16 numbers.
    """
    element, other = ("f16", "f32") if result.startswith("f16") else ("f32", "f16")
    branches = []
    if lanes % 16 == 0:
        branches += [
            "#if defined __AVX512F__",
            *_by_parts(result, source, lanes, 16),
            "#elif defined __F16C__",
        ]
    else:
        branches.append("#if defined __F16C__")
    branches += [
        *_by_parts(result, source, lanes, 8),
        "#else",
        f"  {result} r;",
        f"  for (int l = 0; l < {lanes}; l++) r[l] = {element}_of_{other}(a[l]);",
        "  return r;",
        "#endif",
    ]
    return "\n".join([f"{result} {result}_of_{source}({source} a) {{", *branches, "}"])


def _by_parts(result: str, source: str, lanes: int, together: int) -> list[str]:
    """The lines that convert the given number of lanes at a time; a union with several parts goes through memory."""
    narrows = result.startswith("f16")
    builtin, count = _BUILTIN[together][narrows], lanes // together
    first, last = ("wide_part", "narrow_part") if narrows else ("narrow_part", "wide_part")
    types = [f"  {_WIDE_PART.format(bytes=4 * together)}", f"  {_NARROW_PART.format(bytes=2 * together)}"]
    if count == 1:
        return [*types, f"  return ({result}){builtin.format(f'({first})a')};"]
    return [
        *types,
        f"  union {{ {source} all; {first} parts[{count}]; }} from = {{a}};",
        f"  union {{ {last} parts[{count}]; {result} all; }} to;",
        f"  for (int i = 0; i < {count}; i++) to.parts[i] = {builtin.format('from.parts[i]')};",
        "  return to.all;",
    ]
