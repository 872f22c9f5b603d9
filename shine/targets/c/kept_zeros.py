"""Keeps gcc from making -x of 0 - x where x was converted from an integer. Independent of the syntax of operations.

Where x is 0, 0 - x is 0 and -x is -0. gcc 12 takes them for the same, since a number that was converted is never -0; so
it does with -x + 0, and with a zero that it computes itself, such as y - y of another number that was converted. It
does so where the zero is in the same expression, and not where it is the result of a function, inlined or not.
"""

from __future__ import annotations

from collections.abc import Mapping

from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.naturals_text import Text
from shine.imperative.nodes import Constant, Local, Operation, Value
from shine.targets.c.helpers import Helpers

Inlined = Mapping[Local, Value]


def with_zeros_kept(
    operation: Operation, texts: list[Text], inlined: Inlined, helpers: Helpers
) -> list[Text]:
    """The texts of an operation's operands; in a sum or a difference, a zero beside a number that was converted from an
    integer is the result of a function. `inlined` are the variables that are not declared, but written where they are
    used.
    """
    t, values = operation.type, operation.arguments
    if operation.name not in ("add", "sub") or not isinstance(t, ScalarType):
        return texts
    kept = [
        may_be_known_zero(value, inlined)
        and any(is_of_integer(other, inlined) for other in values if other is not value)
        for value in values
    ]
    return [
        Text(f"{helpers.use(f'kept_{t.name}')}({text.code})") if keep else text
        for text, keep in zip(texts, kept, strict=True)
    ]


def is_of_integer(value: Value, inlined: Inlined) -> bool:
    """Whether a value is a float that was converted from an integer, or its negative."""
    match value:
        case Local() if value in inlined:
            return is_of_integer(inlined[value], inlined)
        case Operation("neg", (inner,)):
            return is_of_integer(inner, inlined)
        case Operation("cast", (inner,), ScalarType(name)) if isinstance(inner.type, ScalarType):
            return "floating" in SCALARS[name].classes and "integral" in SCALARS[inner.type.name].classes
    return False


def may_be_known_zero(value: Value, inlined: Inlined) -> bool:
    """Whether a compiler may find that a value is 0: one that is computed from constants and converted integers."""
    match value:
        case Constant(number):
            return number == 0
        case Local() if value in inlined:
            return may_be_known_zero(inlined[value], inlined)
        case Operation(arguments=arguments) if not is_of_integer(value, inlined):
            return all(
                isinstance(part, Constant) or is_of_integer(part, inlined) or may_be_known_zero(part, inlined)
                for part in arguments
            )
    return False
