"""The notation and precedence of operators in printed terms. Independent of terms.

The levels are those of the grammar: a text is printed without parentheses if its level is at least the required one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rise.primitives import PRIMITIVES, operands_of
from rise.records import dataclass

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
    """An infix operator, the level of its application, and the levels that its operands must have."""

    symbol: str
    level: int
    left: int
    right: int


def _left(symbol: str, level: int) -> Infix:
    return Infix(symbol, level, level, level + 1)


def _single(symbol: str) -> Infix:
    return Infix(symbol, _COMPARISON, _SUM, _SUM)


_SIGNS: Final[Mapping[str, Infix]] = {
    infix.symbol: infix
    for infix in (
        _left("||", _DISJUNCT),
        _left("&&", _CONJUNCT),
        *(_single(symbol) for symbol in ("<", "<=", ">", ">=", "==", "!=")),
        *(_left(symbol, _SUM) for symbol in "+-"),
        *(_left(symbol, _PRODUCT) for symbol in "*/%"),
    )
}
_OPERATORS: Final = {name: infix.operator for name, infix in PRIMITIVES.items() if infix.operator}
#: primitives that are printed as infix operators
INFIX: Final[Mapping[str, Infix]] = {
    name: _SIGNS[sign] for name, sign in _OPERATORS.items() if operands_of(name) == 2
}
#: primitives that are printed as prefix operators
PREFIX: Final[Mapping[str, str]] = {name: sign for name, sign in _OPERATORS.items() if operands_of(name) == 1}
#: `if c then t else e`
SELECT: Final = "select"
#: `let x = e in body`
LET: Final = "let"
_ARRAY_LITERAL: Final = re.compile(r"makeArray([1-9][0-9]*)")


def is_array_literal(name: str, count: int) -> bool:
    """Whether a primitive with `count` arguments is printed as `[a, b, c]`."""
    match = _ARRAY_LITERAL.fullmatch(name)
    return match is not None and int(match[1]) == count
