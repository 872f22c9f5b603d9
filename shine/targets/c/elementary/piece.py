"""C functions with the functions that they need, and polynomials as text. Independent of functions."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Final

from rise.records import dataclass
from shine.targets.c.elementary import numbers

#: Calls that remain in a loop prevent its vectorisation, however large the function is.
INLINE: Final = "static inline __attribute__((always_inline))"
_PARTS: Final = (
    "LOG_2",
    "LOG_2_SHORT",
    "LOG2_E",
    "LOG10_E",
    "LOG10_2",
    "LOG10_2_SHORT",
    "THIRD",
    "HALF_PI",
    "HALF_PI_SINGLE",
    "LOG_2_SINGLE",
    "LOG2_E_SINGLE",
    "LOG10_E_SINGLE",
    "LOG10_2_SHORT_SINGLE",
    "LOG10_2_SINGLE",
    "TWO_LOG2_E",
    "THIRD_TWO_LOG2_E",
)
_CONSTANTS: Final = {
    "round": "0x1.8p52",
    **{f"{name}_{i}": value for name in _PARTS for i, value in enumerate(getattr(numbers, name))},
    # 2 / pi without multiples of 4, for numbers that are 2^(26 i) times as large
    **{
        f"TURN_{part}_{i}": f"{value} * 0x1p-{26 * i}" if i else value
        for part, row in enumerate(numbers.TURNS_F32)
        for i, value in enumerate(row)
    },
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A function or a table in C, and the names of the functions and tables that it uses.

    - `units`: for a function that programs call, a bound on its error in units in the last place; 0 for helpers.
    """

    text: str
    needs: tuple[str, ...] = ()
    units: float = 0


def function(text: str, *needs: str, units: float = 0, **polynomials: str) -> Piece:
    """A function. In its text, names of constants and polynomials are preceded by `$`."""
    return Piece(f"{INLINE} {Template(text).substitute(_CONSTANTS, **polynomials)}", needs, units)


def polynomial(result: str, argument: str, coefficients: Sequence[str], suffix: str = "") -> str:
    """The statements that declare `result` and compute a polynomial by Horner's rule; `suffix` is "f" for float."""
    c, fma = ("float", "fmaf") if suffix else ("double", "fma")
    *rest, last = coefficients
    lines = [f"  {c} {result} = {fma}({last}{suffix}, {argument}, {rest.pop()}{suffix});"]
    lines += [f"  {result} = {fma}({result}, {argument}, {one}{suffix});" for one in reversed(rest)]
    return "\n".join(lines)


def table(name: str, rows: Sequence[Sequence[str]]) -> Piece:
    """A table of doubles."""
    texts = []
    for row in rows:
        lines = ",\n   ".join(", ".join(row[i : i + 4]) for i in range(0, len(row), 4))
        texts.append(f"  {{{lines}}}")
    joined = ",\n".join(texts)
    return Piece(f"static const double {name}[{len(rows)}][{len(rows[0])}] = {{\n{joined}}};")
