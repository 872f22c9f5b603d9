"""Prints values, to report where a comparison stopped. Independent of comparisons."""

from __future__ import annotations

from typing import Final

from rise.checker.values import (
    Array,
    Call,
    Choice,
    Element,
    Equal,
    Fold,
    Function,
    Half,
    Holds,
    Index,
    Less,
    Number,
    Operation,
    Pair,
    Symbol,
    Unspecified,
    Value,
)
from rise.naturals import Nat
from rise.primitives import PROJECTIONS
from rise.terms import Literal
from rise.text.nat_printer import show_nat

MAX_DEPTH: Final = 5


def value_text(value: Value, depth: int = 0) -> str:
    """A value in the notation of programs, as far as it is known. Deeply nested parts are omitted.

    >>> from rise.naturals import var
    >>> value_text(Element(Symbol("xs"), var("n") + 1))
    'xs[n + 1]'
    """
    if depth > MAX_DEPTH:
        return "..."

    def inner(part: Value) -> str:
        return value_text(part, depth + 1)

    match value:
        case Symbol(name):
            return name
        case Number(bits, t):
            return f"{Literal(bits, t).value}"
        case Element(of, index):
            return f"{inner(of)}[{show_nat(index)}]"
        case Half(of, which):
            return f"{PROJECTIONS[which]}({inner(of)})"
        case Call(of, argument, _):
            shown = show_nat(argument) if isinstance(argument, Nat) else inner(argument)
            return f"{inner(of)}({shown})"
        case Operation(name, _, operands):
            return f"{name}({', '.join(inner(x) for x, _ in operands)})"
        case Choice(Less(left, right)):
            return f"(if {show_nat(left)} < {show_nat(right)} ...)"
        case Choice(Equal(left, right)):
            return f"(if {show_nat(left)} == {show_nat(right)} ...)"
        case Choice(Holds(condition)):
            return f"(if {inner(condition)} ...)"
        case Fold(length, _, start):
            return f"reduce(..., {inner(start)}, {show_nat(length)} elements)"
        case Pair(first, second):
            return f"({inner(first)}, {inner(second)})"
        case Index(index):
            return show_nat(index)
        case Array(length=length):
            return f"an array of {show_nat(length)}"
        case Function():
            return "a function"
        case Unspecified():
            return "an unspecified element"
    return "a size, a type or a space"


def side_text(side: Value) -> str:
    """A side of a comparison that stopped: a value, a natural, or a function that returns a text."""
    if isinstance(side, Nat):
        return show_nat(side)
    return str(side()) if callable(side) else value_text(side)
