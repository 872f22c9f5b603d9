"""The text of helper functions on one scalar type: shifts, divisions that round down, signs, classes of floats.

Independent of programs, and of when a helper is used. `docs/semantics.md` defines each operation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import frexp
from string import Template
from typing import Final

from rise.primitives import with_trait
from rise.scalars import SCALARS
from shine.targets.c.dialect import Dialect
from shine.targets.c.types import is_float

#: divisions of integers, which fail on zero
DIVISIONS: Final = with_trait("divides")
_FLOATING: Final[Mapping[str, str]] = {
    "rsqrt": "$t rsqrt_$n($t a) { return 1 / $sqrt(a); }",
    "isnan": "bool isnan_$n($t a) { return a != a; }",
    "isinf": "bool isinf_$n($t a) { return (a == a) & (a - a != 0); }",
    "isfinite": "bool isfinite_$n($t a) { return a - a == 0; }",
    "sign": "$t sign_$n($t a) { return a > 0 ? ($t)1 : a < 0 ? -($t)1 : a; }",
}
#: functions of floating-point numbers that are written out here; of `&&` gcc makes a branch, and no vectors
WRITTEN_OUT: Final = frozenset(_FLOATING)
_SIGNED: Final[Mapping[str, str]] = {
    "sign": "$t sign_$n($t a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }",
    "shiftLeft": "$t shiftLeft_$n($t a, $t b) { return ($u)b < $bits ? ($t)(($w)a << b) : 0; }",
    "shiftRight": "$t shiftRight_$n($t a, $t b) { return ($u)b < $bits ? a >> b : a < 0 ? -1 : 0; }",
}
#: `sign` is no comparison: of a loop over the lanes of a vector of bytes gcc 12 makes one that gives -1
_UNSIGNED: Final[Mapping[str, str]] = {
    "sign": "$t sign_$n($t a) { return ($t)(a | ($t)-a) >> $last; }",
    "shiftLeft": "$t shiftLeft_$n($t a, $t b) { return b < $bits ? ($t)(($w)a << b) : 0; }",
    "shiftRight": "$t shiftRight_$n($t a, $t b) { return b < $bits ? a >> b : 0; }",
}
#: what a division does when neither zero nor the least integer is in its way
_SIGNED_DIVISIONS: Final[Mapping[str, str]] = {
    "div": "  return a / b;",
    "mod": "  return a % b;",
    "floorDiv": "  return a / b - (a % b != 0 && (a < 0) != (b < 0));",
    "floorMod": "  const $t r = a % b;\n  return r != 0 && (r < 0) != (b < 0) ? r + b : r;",
    "euclidMod": "  const $t r = a % b;\n  return r < 0 ? (b < 0 ? r - b : r + b) : r;",
}
#: a floating-point number as it is printed
_NUMBER: Final = re.compile(r"(\d+\.\d+(?:e[+-]?\d+)?)f?")
#: the last letter of the names of mathematical functions on a type
_LETTERS: Final[Mapping[str, str]] = {"f32": "f", "f64": ""}
_QUOTIENTS: Final = ("div", "floorDiv")


def computed_one_by_one(element: str) -> frozenset[str]:
    """The operations on a scalar type that C compilers do not vectorise: integer divisions, and remainders
    unless the divisor is a constant for which `is_power_of_two` holds.

    On processors without f16 vectors, f16 arithmetic and comparisons are not vectorised either; this function does not
    take the processor into account.
    """
    if element == "bool":
        return frozenset()
    return frozenset(("mod",)) if is_float(element) else DIVISIONS


def scalar_function(operation: str, element: str, dialect: Dialect) -> str | None:
    """The text of a helper function, or None if there is none of this name."""
    if is_float(element):
        table = _FLOATING
    else:
        table = _SIGNED if element.startswith("i") else _UNSIGNED
    if operation not in table:
        return None
    return Template(table[operation]).substitute(
        t=dialect.types[element],
        n=element,
        u=dialect.types[f"u{element[1:]}"] if element.startswith("i") else "",
        w=dialect.types["u64" if SCALARS[element].bits == 64 else "u32"],
        bits=SCALARS[element].bits,
        last=SCALARS[element].bits - 1,
        sqrt="sqrt" if element == "f64" else "sqrtf",
    )


def division(operation: str, element: str, negated: str, dialect: Dialect) -> str:
    """An integer division, or its remainder. For a zero divisor, it reports a failure and returns 0.

    `negated` is the text of `-a`, which may be the least integer.
    """
    c = dialect.types[element]
    quotient = operation in _QUOTIENTS
    lines = [f"  if (b == 0) {dialect.on_failure}"]
    where = ""
    if dialect.reports:
        where = ", int *status, int site"
        lines = ["  if (b == 0) {", "    report(status, site);", "    return 0;", "  }"]
    if element.startswith("i"):
        lines.append(f"  if (b == -1) return {negated if quotient else '0'}; // the least integer wraps")
        lines.append(Template(_SIGNED_DIVISIONS[operation]).substitute(t=c))
    else:
        lines.append(f"  return a {'/' if quotient else '%'} b;")
    return "\n".join([f"{c} {operation}_{element}({c} a, {c} b{where}) {{", *lines, "}"])


def is_power_of_two(divisor: str, element: str) -> bool:
    """Whether the text of an f32 or f64 divisor is a power of two that is at least 1."""
    number = _NUMBER.fullmatch(divisor) if element in _LETTERS else None
    value = float(SCALARS[element].dtype.type(number[1])) if number is not None else 0.0
    return value >= 1.0 and frexp(value)[0] == 0.5


def remainder(element: str, dialect: Dialect) -> str:
    """The text of a function that returns the result of `fmod` for a divisor that is a power of two and at least 1. No
    step rounds, the sign of zero is kept, and loops that call it are vectorised.
    """
    c, letter = dialect.types[element], _LETTERS[element]
    value = f"copysign{letter}(a - trunc{letter}(a / b) * b, a)"
    return f"{c} remainder_{element}({c} a, {c} b) {{ return {value}; }}"
