"""The notation of operators in printed terms, and how tightly texts hold together. Knows no term.

The levels are those of the grammar: a text stands without parentheses where its level is at least what is
asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ANYTHING: Final = 0
PIPED: Final = 1
COMPOSED: Final = 2
_DISJUNCT: Final = 3
_CONJUNCT: Final = 4
_COMPARISON: Final = 5
_SUM: Final = 6
_PRODUCT: Final = 7
UNARY: Final = 8
APPLIED: Final = 9
ATOM: Final = 10


@dataclass(frozen=True, slots=True)
class Infix:
    """An operator between two operands, the level of the whole, and those that its operands must have."""

    symbol: str
    level: int
    left: int
    right: int


def _left(symbol: str, level: int) -> Infix:
    return Infix(symbol, level, level, level + 1)


def _single(symbol: str) -> Infix:
    return Infix(symbol, _COMPARISON, _SUM, _SUM)


#: primitives that are printed between their operands
INFIX: Final[Mapping[str, Infix]] = {
    "or": _left("||", _DISJUNCT),
    "and": _left("&&", _CONJUNCT),
    "lt": _single("<"),
    "le": _single("<="),
    "gt": _single(">"),
    "ge": _single(">="),
    "eq": _single("=="),
    "ne": _single("!="),
    "add": _left("+", _SUM),
    "sub": _left("-", _SUM),
    "mul": _left("*", _PRODUCT),
    "div": _left("/", _PRODUCT),
    "mod": _left("%", _PRODUCT),
}
#: primitives that are printed before their operand
PREFIX: Final[Mapping[str, str]] = {"neg": "-", "not": "!"}
#: `if c then t else e`
SELECT: Final = "select"
#: `let x = e in body`
LET: Final = "let"
_ARRAY_LITERAL: Final = re.compile(r"makeArray([1-9][0-9]*)")


def is_array_literal(name: str, count: int) -> bool:
    """Whether a primitive with that many arguments is printed `[a, b, c]`."""
    found = _ARRAY_LITERAL.fullmatch(name)
    return found is not None and int(found[1]) == count
