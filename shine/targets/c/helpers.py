"""Helper functions in C, by name, each printed once and only if it is used. Independent of programs.

A helper's name is an operation with a type: `max_f32`, `i32_of_f64`, `fma_f32x16`. It computes the operation as
`docs/semantics.md` defines it.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Final

from rise.scalars import SCALARS
from shine.targets.c.dialect import Dialect
from shine.targets.c.functions import DIVISIONS, division, scalar_function
from shine.targets.c.narrow_floats import NARROW_FLOATS
from shine.targets.c.types import is_float, is_small

#: functions of naturals, with the names of their helpers
NATURAL_FUNCTIONS: Final[Mapping[str, str]] = {
    "min": "min",
    "max": "max",
    "xor": "xor",
    "floor": "floor_div",
    "mod": "floor_mod",
    "ceil": "ceil_div",
    "power": "power",
}
_NATURALS: Final[Mapping[str, str]] = {
    "min": "$t min_$n($t a, $t b) { return a < b ? a : b; }",
    "max": "$t max_$n($t a, $t b) { return a > b ? a : b; }",
    "xor": "$t xor_$n($t a, $t b) { return a ^ b; }",
    "floor_div": "$t floor_div_$n($t a, $t b) { return a / b - (a % b < 0); }",
    "floor_mod": "$t floor_mod_$n($t a, $t b) { return a % b < 0 ? a % b + b : a % b; }",
    "ceil_div": "$t ceil_div_$n($t a, $t b) { return a / b + (a % b > 0); }",
    "power": """$t power_$n($t a, $t b) {
  $t r = 1;
  while (b > 0) {
    if (b % 2) r *= a;
    b /= 2;
    if (b > 0) a *= a;
  }
  return r;
}""",
}
_KEEP_SCALAR: Final = """void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}"""
_HIDDEN_NEGATIVE: Final = """$t hidden_negative_$n($t x) { // gcc makes -(x / y) of (-x) / y, also if -x wraps
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12 && (!defined __CUDACC__ || defined SIMULATED_CUDA)
  return ($t)__builtin_assoc_barrier(-x);
#else
  return ($t)-x;
#endif
}"""
_ROUNDED: Final = """$t rounded_$n($t x) { // gcc 12 adds products without rounding them first, whatever its flags
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
}"""
_KEPT: Final = "gcc 12 makes -x of 0 - x where x was converted from an integer, also if x is 0"
_REPORT: Final = """void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}"""
#: a caller may replace the first two: see `shine.targets.openmp.kept_memory`
_MEMORY: Final = """static void *new_memory(size_t bytes) { return aligned_alloc(64, bytes); }
static void *(*take_memory)(size_t bytes) = new_memory; // or where the caller keeps it for the next calls
static void (*give_memory)(void *memory) = free;"""
_ALLOCATE: Final = """static __attribute__((malloc, noinline))
void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return take_memory((bytes + 64) / 64 * 64);
}"""


class Helpers:
    """The helper functions, types and headers that a source needs, each after those that it uses."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect: Final = dialect
        self.types: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.headers: set[str] = {"stdint"}

    def define(self, name: str, text: str, reports: bool = False) -> str:
        """Add a function with its text, and return its name. `reports`: whether it is called on failure only."""
        prefix = self.dialect.failing if reports else self.dialect.function
        self.functions.setdefault(name, f"{prefix} {text}")
        return name

    def use(self, name: str) -> str:
        """Add the scalar function with this name and what it needs, and return its name in the source."""
        if name in self.dialect.builtin:
            return self.dialect.builtin[name]
        if name in self.functions:
            return name
        for functions in (self.dialect.conversions, self.dialect.instructions):
            if name in functions:
                return self.define(name, functions[name])
        operation, _, element = name.rpartition("_")
        types = self.dialect.types
        if operation in _NATURALS and (operation not in ("min", "max") or element == self.dialect.counting):
            text = Template(_NATURALS[operation])
            return self.define(name, text.substitute(t=types[element], n=element))
        if name in NARROW_FLOATS:
            needs, template = NARROW_FLOATS[name]
            self.element("bool")
            needed_names = {need: self.use(need) for need in needs}
            return self.define(name, Template(template).substitute(types, **needed_names))
        if name == "report":
            return self.define(name, _REPORT)
        if name == "keep_scalar":
            return self.define(name, _KEEP_SCALAR)
        if operation == "hidden_negative":
            return self.define(name, Template(_HIDDEN_NEGATIVE).substitute(t=types[element], n=element))
        if operation == "rounded":
            return self.define(name, Template(_ROUNDED).substitute(t=types[element], n=element))
        if operation == "kept":
            return self.define(
                name, f"{types[element]} {name}({types[element]} zero) {{ return zero; }} // {_KEPT}"
            )
        if name == "allocate":
            self.headers |= {"stdlib", "stddef"}
            self.functions.setdefault("take_memory", _MEMORY)
            self.functions.setdefault(name, _ALLOCATE)
            return name
        if "_of_" in name:
            result, _, source = name.partition("_of_")
            return self.define(name, _saturating_cast(result, source, self.dialect))
        if operation in DIVISIONS:
            if self.dialect.reports:
                self.use("report")
            negated = f"({types[element]})-a" if is_small(element) else _negated(element, self.dialect)
            return self.define(name, division(operation, element, negated, self.dialect))
        text_of_function = scalar_function(operation, element, self.dialect)
        if text_of_function is not None:
            return self.define(name, text_of_function)
        if operation == "sub" and is_float(element):
            c = types[element]
            return self.define(name, f"{c} {name}({c} a, {c} b) {{ return a - b; }}")
        if operation in ("add", "sub", "mul", "neg"):
            return self.define(name, _wrapping(operation, element, types))
        return self.define(name, _selection(operation, element, self.dialect))

    def elementary(self, name: str) -> str:
        """Add an elementary function and what it needs, and return its name."""
        self.element("bool")
        self.headers.add("math")
        piece = self.dialect.elementary[name]
        for needed in piece.needs:
            self.elementary(needed)
        self.functions.setdefault(name, piece.text)
        return name

    def bits(self, source: str, result: str) -> str:
        """The function that reinterprets the bits of a number as another type."""
        name, c, of = f"{result}_bits_of_{source}", self.dialect.types[result], self.dialect.types[source]
        union = f"union {{ {of} from; {c} to; }} r = {{a}};"
        return self.define(name, f"{c} {name}({of} a) {{\n  {union}\n  return r.to;\n}}")

    def within(self) -> str:
        """The function that returns an index if it is within the array, and otherwise ends the program."""
        n = self.dialect.counting
        t = self.dialect.types[n]
        failure = f"if (i < 0 || i >= n) {self.dialect.on_failure}"
        return self.define(f"within_{n}", f"{t} within_{n}({t} i, {t} n) {{\n  {failure}\n  return i;\n}}")

    def element(self, name: str) -> str:
        """The name of a scalar type, which is declared if the language lacks it."""
        if name in self.dialect.declared:
            self.types.setdefault(name, self.dialect.declared[name])
        self.headers.add(name)
        return self.dialect.types[name]

    def includes(self) -> list[str]:
        """The lines that include the headers."""
        files = {self.dialect.headers[name] for name in self.headers if name in self.dialect.headers}
        return [f"#include <{header}>" for header in sorted(files)]


def _saturating_cast(result: str, source: str, dialect: Dialect) -> str:
    """A conversion from floating point to integer: truncates, saturates if the number is out of range, and gives 0 for
    NaN.

    Values between -1 and 1, and NaN, are handled by comparisons first: with `-fno-trapping-math`, gcc 12 turns this
    cast followed by the opposite one into a truncation, which gives -0.0 for numbers between -1 and 0.
    """
    bits = SCALARS[result].bits
    c, c_source = dialect.types[result], dialect.types[source]
    suffix = "f" if source == "f32" else ""
    is_signed = not result.startswith("u")
    high = f"a >= {float(2 ** (bits - is_signed))!r}{suffix} ? {dialect.limit(result, True)}"
    is_whole, low = f"a >= 1.0{suffix}", ""
    if is_signed:
        is_whole += f" || a <= -1.0{suffix}"
        low = f"a <= {-float(2 ** (bits - 1))!r}{suffix} ? {dialect.limit(result, False)} : "
    return f"{c} {result}_of_{source}({c_source} a) {{ return !({is_whole}) ? 0 : {low}{high} : ({c})a; }}"


def _wrapping(operation: str, element: str, types: Mapping[str, str]) -> str:
    """Wrapping arithmetic where the language does not define it: on unsigned integers of at least 32 bits."""
    c = types[element]
    unsigned = types["u64" if element == "i64" else "u32"]
    if operation == "neg":
        return f"{c} neg_{element}({c} a) {{ return ({c})-({unsigned})a; }}"
    sign = {"add": "+", "sub": "-", "mul": "*"}[operation]
    return f"{c} {operation}_{element}({c} a, {c} b) {{ return ({c})(({unsigned})a {sign} ({unsigned})b); }}"


def _negated(element: str, dialect: Dialect) -> str:
    """The text of `-a`, which may be the least integer."""
    if dialect.wraps or is_small(element):
        return "-a"
    return f"({dialect.types[element]})-({dialect.types[f'u{element[1:]}']})a"


def _selection(operation: str, element: str, dialect: Dialect) -> str:
    c = dialect.types[element]
    head = f"{c} {operation}_{element}"
    match operation:
        case "min" | "max":
            sign = "<" if operation == "min" else ">"
            if not is_float(element):
                return f"{head}({c} a, {c} b) {{ return a {sign}= b ? a : b; }}"
            # a if one is NaN, then b if it is NaN: two choices that compilers vectorise, also one inside of the other.
            # Where `a` is the result so far of a reduction, the next step waits for one comparison only.
            return f"{head}({c} a, {c} b) {{ const {c} r = b {sign} a ? b : a; return b != b ? b : r; }}"
        case "abs":
            return f"{head}({c} a) {{ return a < 0 ? {_negated(element, dialect)} : a; }}"
    raise AssertionError(f"no helper function is called {operation}_{element}")
