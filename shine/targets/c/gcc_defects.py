"""Keeps gcc from two simplifications that are wrong, and one that is slow. Independent of the syntax of operations.

Zeros: if x is 0, then 0 - x is 0 and -x is -0. gcc 12 treats them as equal if x was converted from an integer, since a
converted number is never -0. The same happens with -x + 0, and with a zero that gcc computes itself, such as y - y for
another converted number y. It happens only if the zero is in the same expression, and not if it is the result of a
function, inlined or not.

Negatives: if x is the least integer, then -x is x, and (-x) / y is x / y. If gcc also computes x / y, it computes
(-x) / y as -(x / y), even if integers wrap (`-fwrapv`). A barrier between the negation and the division hides that the
dividend was negated; it costs nothing, and loops that contain it are still vectorised.

Choices: the helpers of `min` and `max` test their second operand for NaN. If this is a choice between a number and a
constant, gcc omits the test on the way on which it is the constant, and does not vectorise a loop with two such ways.
So the operands are exchanged, which changes no number but the sign of a zero, which is unspecified.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from rise.scalars import SCALARS
from rise.types import ScalarType
from shine.imperative.naturals_text import Text
from shine.imperative.nodes import Block, Constant, Define, Guarded, Local, Operation, Value
from shine.imperative.walk import everything, value_of, values
from shine.targets.c.functions import DIVISIONS
from shine.targets.c.helpers import Helpers

Inlined = Mapping[Local, Value]


def with_zeros_kept(
    operation: Operation, texts: list[Text], inlined: Inlined, helpers: Helpers
) -> list[Text]:
    """The texts of an operation's operands. In a sum or difference with a number that was converted from an integer, a
    zero becomes the result of a function. `inlined` are the variables that are printed where they are used instead of
    being declared.
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
    """Whether a compiler may find that a value is 0: whether it is computed from constants and converted
    integers only.
    """
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


def choices(block: Block) -> frozenset[Local]:
    """The variables of a block that are defined as a choice between a constant and another number."""
    defined = (statement for statement, _ in everything(block) if isinstance(statement, Define))
    return frozenset(one.local for one in defined if _is_choice(one.value))


def _is_choice(value: Value) -> bool:
    match value:
        case Operation("select", (_, first, second)) | Guarded(_, first, second):
            return isinstance(first, Constant) or isinstance(second, Constant)
    return False


def with_choice_first(operation: Operation, chosen: Container[Local]) -> Operation:
    """A minimum or maximum of floats whose second operand is no choice, unless the first is one, too. `chosen` are the
    variables that are choices.
    """
    if operation.name not in ("min", "max") or not isinstance(operation.type, ScalarType):
        return operation
    if "floating" not in SCALARS[operation.type.name].classes:
        return operation
    first, second = (_is_choice(one) or one in chosen for one in operation.arguments)
    return replace(operation, arguments=operation.arguments[::-1]) if second and not first else operation


def divides_integers(block: Block) -> bool:
    """Whether a block divides signed integers, which wrap when they are negated."""
    found = (value for statement, _ in everything(block) if (value := value_of(statement)) is not None)
    return any(
        isinstance(part, Operation) and part.name in DIVISIONS and _wraps(part)
        for value in found
        for part in values(value)
    )


def _wraps(operation: Operation) -> bool:
    t = operation.type
    return isinstance(t, ScalarType) and t.name.startswith("i")


def hidden_negative(operation: Operation, text: Text, divides: bool, helpers: Helpers) -> Text | None:
    """The negative of an integer behind a barrier, in a function that divides integers; None for other operations."""
    if (
        not divides
        or operation.name != "neg"
        or not _wraps(operation)
        or not isinstance(operation.type, ScalarType)
    ):
        return None
    return Text(f"{helpers.use(f'hidden_negative_{operation.type.name}')}({text.code})")
