"""Helper functions in C, by name, each printed once and only when used. Knows no programs.

A helper's name says what it does on which type: `max_f32`, `i32_of_f64`, `fma_f32x16`. What each computes is
the row of `docs/semantics.md` of the same operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rise.scalars import SCALARS
from shine.targets.c.types import C_TYPES, is_float, is_small

_NATURALS: Final[Mapping[str, str]] = {
    "min_i64": "int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }",
    "max_i64": "int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }",
    "xor_i64": "int64_t xor_i64(int64_t a, int64_t b) { return a ^ b; }",
    "floor_div_i64": "int64_t floor_div_i64(int64_t a, int64_t b) { return a / b - (a % b < 0); }",
    "floor_mod_i64": "int64_t floor_mod_i64(int64_t a, int64_t b) { return a % b < 0 ? a % b + b : a % b; }",
    "ceil_div_i64": "int64_t ceil_div_i64(int64_t a, int64_t b) { return a / b + (a % b > 0); }",
    "power_i64": """int64_t power_i64(int64_t a, int64_t b) {
  int64_t r = 1;
  for (; b > 0; b--) r *= a;
  return r;
}""",
}
#: the helper that computes a function of naturals
NATURAL_FUNCTIONS: Final[Mapping[str, str]] = {
    "min": "min_i64",
    "max": "max_i64",
    "xor": "xor_i64",
    "floor": "floor_div_i64",
    "mod": "floor_mod_i64",
    "ceil": "ceil_div_i64",
    "power": "power_i64",
}
_BF16: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "f32_of_bf16": (
        (),
        """float f32_of_bf16(bf16 a) {
  union { uint32_t bits; float value; } r = {(uint32_t)a << 16};
  return r.value;
}""",
    ),
    "bf16_of_f32": (
        (),
        """bf16 bf16_of_f32(float a) { // to nearest, ties to even
  union { float value; uint32_t bits; } r = {a};
  return a != a ? (bf16)(r.bits >> 16 | 0x40) : (bf16)((r.bits + 0x7fff + (r.bits >> 16 & 1)) >> 16);
}""",
    ),
    "bf16_of_f64": (
        ("bf16_of_f32",),
        """bf16 bf16_of_f64(double a) { // rounded once: to odd first, then to nearest
  union { float value; uint32_t bits; } r = {(float)a};
  const bool is_short = (a < 0 ? -a : a) > (a < 0 ? -r.value : r.value);
  if (r.value != a && a == a && !(r.bits & 1)) r.bits += is_short ? 1 : -1;
  return bf16_of_f32(r.value);
}""",
    ),
    "bf16_of_i64": (
        ("bf16_of_f64",),
        """bf16 bf16_of_i64(int64_t a) { // bits that a double lacks are kept as one sticky bit
  const bool wide = a > 9007199254740992LL || a < -9007199254740992LL;
  return bf16_of_f64((double)(wide ? (a & ~2047LL) | ((a & 2047) != 0 ? 2048 : 0) : a));
}""",
    ),
    "bf16_of_u64": (
        ("bf16_of_f64",),
        """bf16 bf16_of_u64(uint64_t a) { // bits that a double lacks are kept as one sticky bit
  const bool wide = a > 9007199254740992ULL;
  return bf16_of_f64((double)(wide ? (a & ~2047ULL) | ((a & 2047) != 0 ? 2048 : 0) : a));
}""",
    ),
    "fma_bf16": (
        ("f32_of_bf16", "bf16_of_f64"),
        """bf16 fma_bf16(bf16 a, bf16 b, bf16 c) { // the product is exact, the sum is rounded to odd
  const double p = (double)f32_of_bf16(a) * f32_of_bf16(b), q = f32_of_bf16(c), s = p + q, t = s - p;
  const double error = (p - (s - t)) + (q - t);
  union { double value; uint64_t bits; } r = {s};
  if (error != 0 && error == error && !(r.bits & 1)) r.bits += (error > 0) == (s > 0) ? 1 : -1;
  return bf16_of_f64(r.value);
}""",
    ),
    "fma_f16": (
        (),
        """_Float16 fma_f16(_Float16 a, _Float16 b, _Float16 c) { // as double it is exact where it matters
  return (_Float16)((double)a * (double)b + (double)c);
}""",
    ),
}
_REPORT: Final = """void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}"""
_ALLOCATE: Final = """void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return aligned_alloc(64, (bytes + 64) / 64 * 64);
}"""


class Helpers:
    """The helper functions, types and headers that a source needs, in an order that C takes."""

    def __init__(self) -> None:
        self.types: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.headers: set[str] = {"stdint"}

    def define(self, name: str, text: str) -> str:
        """Add a function whose text is at hand."""
        self.functions.setdefault(name, f"static inline {text}")
        return name

    def use(self, name: str) -> str:
        """Add the scalar function of a name, and what it needs."""
        if name in self.functions:
            return name
        if name in _NATURALS:
            return self.define(name, _NATURALS[name])
        if name in _BF16:
            needs, text = _BF16[name]
            self.headers.add("stdbool")
            for need in needs:
                self.use(need)
            return self.define(name, text)
        if name == "report":
            return self.define(name, _REPORT)
        if name == "allocate":
            self.headers |= {"stdlib", "stddef"}
            return self.define(name, _ALLOCATE)
        if "_of_" in name:
            result, _, source = name.partition("_of_")
            return self.define(name, _saturating_cast(result, source))
        operation, _, element = name.rpartition("_")
        if operation in ("div", "mod"):
            self.use("report")
            return self.define(name, _guarded_division(operation, element))
        return self.define(name, _selection(operation, element))

    def element(self, name: str) -> str:
        """The C type of a scalar type, declared where C lacks it."""
        if name == "bf16":
            self.types.setdefault("bf16", "typedef uint16_t bf16; // the upper half of a float")
        elif name == "bool":
            self.headers.add("stdbool")
        return C_TYPES[name]


def _saturating_cast(result: str, source: str) -> str:
    """A floating value to an integer: towards zero; beyond the range to its end; NaN to 0."""
    bits = SCALARS[result].bits
    c, c_source = C_TYPES[result], C_TYPES[source]
    suffix = "f" if source == "f32" else ""
    macro = result.replace("i", "INT").replace("u", "UINT")
    if result.startswith("u"):
        low = "a <= 0 ? 0"
        high = f"a >= {float(2**bits)!r}{suffix} ? {macro}_MAX"
    else:
        low = f"a <= {-float(2 ** (bits - 1))!r}{suffix} ? {macro}_MIN"
        high = f"a >= {float(2 ** (bits - 1))!r}{suffix} ? {macro}_MAX"
    return f"{c} {result}_of_{source}({c_source} a) {{ return a != a ? 0 : {low} : {high} : ({c})a; }}"


def _guarded_division(operation: str, element: str) -> str:
    """Integer division towards zero, or its remainder; a zero divisor is reported, and gives 0."""
    c = C_TYPES[element]
    sign = "/" if operation == "div" else "%"
    overflow = ""
    if element.startswith("i"):
        wrapped = f"({c})-a" if is_small(element) else "-a"
        overflow = (
            f"\n  if (b == -1) return {wrapped if operation == 'div' else '0'}; // the least integer wraps"
        )
    return f"""{c} {operation}_{element}({c} a, {c} b, int *status, int site) {{
  if (b == 0) {{
    report(status, site);
    return 0;
  }}{overflow}
  return a {sign} b;
}}"""


def _selection(operation: str, element: str) -> str:
    c = C_TYPES[element]
    head = f"{c} {operation}_{element}"
    nan = " || a != a" if is_float(element) else ""
    match operation:
        case "min":
            return f"{head}({c} a, {c} b) {{ return a <= b{nan} ? a : b; }}"
        case "max":
            return f"{head}({c} a, {c} b) {{ return a >= b{nan} ? a : b; }}"
        case "abs":
            return f"{head}({c} a) {{ return a < 0 ? -a : a; }}"
    raise AssertionError(f"no helper function is called {operation}_{element}")
