"""What it may cost to type one text, in nodes made and in terms of sizes added up. Knows no types and no texts.

A short text can mean very much: types that double, sizes that are multiplied out, definitions that are put into each
other. The work is counted where it is done, before it is done where it can be foreseen, and refused when it is more
than a text of this length has reason for. The counts depend on the text alone, so the same text is always refused.
"""

from __future__ import annotations

from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import UNIT, Nat, NatBound, NatVar, fraction_of
from rise.nodes import HEAVIEST
from rise.number_functions import number_function
from rise.size_functions import MOST_SUMMED, SizeFunction, SizeMap

LEAST: Final = 800_000  # however short the text
FOR_A_CHARACTER: Final = 12
EACH: Final = 6  # for a node that is rebuilt
PUT_IN: Final = 4  # for a part of a size in which what is known is put in
SOLVED: Final = 32  # for a part of a size that is solved for
LONGEST_SIZE: Final = 4096  # weight of one natural
DEEPEST_SIZE: Final = 64  # how deep its parts are nested
LONGEST_QUOTIENT: Final = 512  # weight of what is divided, and rounded
LARGEST_TYPE: Final = 1 << 19  # weight of a type
SHORT: Final = 32  # weight of a size that is not looked into
NAME_IT: Final = "give the inner size a name of its own"


class Effort:
    """How much work is left for one text."""

    __slots__ = ("left",)

    def __init__(self, characters: int = 0) -> None:
        self.left = LEAST + FOR_A_CHARACTER * characters

    def spend(self, amount: int) -> None:
        """Count some work, of about a microsecond each. Raises RiseError when there has been too much."""
        self.left -= amount
        if self.left < 0:
            title = "this text needs too much work: its types, sizes and definitions grow too fast"
            hint = (
                "types and sizes that double at each step, and definitions used inside each other at ever new sizes,"
                " multiply the work: use fewer of them, or write parts of the text as programs of their own"
            )
            raise RiseError(Diagnostic("too-much-work", title, hint=hint))


def check_size(size: Nat) -> Nat:
    """A size, if it is short enough to work with. Raises RiseError otherwise."""
    if size.weight > LONGEST_SIZE or size.height > DEEPEST_SIZE or _over_one_divisor(size) > LONGEST_SIZE:
        title = (
            f"a size has at most {LONGEST_SIZE:,} parts, nested {DEEPEST_SIZE} deep, but this one has"
            f" {max(size.weight, _over_one_divisor(size)):,}, nested {size.height} deep"
        )
        raise RiseError(Diagnostic("size-too-large", title, hint=NAME_IT))
    return size


def _over_one_divisor(size: Nat) -> int:
    """How many parts a long sum of fractions has, about, when it is brought over one divisor."""
    if size.weight <= SHORT:
        return 0
    below = {base for m, _ in size.terms for base, e in m if isinstance(e, int) and e < 0}
    return len(size.terms) * len(below)


def type_too_large(weight: int) -> RiseError:
    """What is said of a type that is too long to work with when it is written out."""
    found = f"{weight:,}" if weight < HEAVIEST else "more than can be counted"
    title = f"a type has at most {LARGEST_TYPE:,} parts when it is written out, but this one has {found}"
    hint = "a type that holds another one twice, as that of pair(x, x), doubles: keep of it what is needed"
    return RiseError(Diagnostic("type-too-large", title, hint=hint))


def cost_of(operator: str, left: Nat, right: Nat) -> int:
    """About how much work an operation on two sizes is. Raises RiseError where one is too long to be rounded."""
    both = left.weight + right.weight
    is_plain = not (is_over_sum(left) or is_over_sum(right))
    match operator:
        case "*" if is_plain:
            return len(left.terms) * right.weight + len(right.terms) * left.weight
        case "/^" if is_plain and len(right.terms) == 1:
            return len(left.terms) * right.weight + left.weight
        case "^" if len(left.terms) == 1 and right.constant is not None:
            return both
        case "^" if left.constant is not None:
            return both + min(abs(left.constant), 1 << 16) // 16  # for its prime factors
        case "min" | "max":
            return left.weight * right.weight
        case "/" | "%" | "floor" | "mod" | "ceil":
            if max(left.weight, right.weight) > LONGEST_QUOTIENT:
                title = f"a size of at most {LONGEST_QUOTIENT} parts can be rounded, but this one has {left.weight}"
                raise RiseError(Diagnostic("size-too-large", title, hint=NAME_IT))
    return both * both


def cost_of_sum(count: Nat, function: SizeFunction) -> int:
    """About how much work it is to add up the first values of a function: one by one, where no formula does it, as
    numbers where they are such.
    """
    known = count.constant
    if not isinstance(function, SizeMap) or known is None or known < 0 or _is_polynomial(function.body):
        return (count.weight + function.weight) ** 2
    weight = function.weight
    each = weight // 2 if number_function(function.body) is not None else 16 * weight + weight * weight // 8
    return min(known, MOST_SUMMED) * each


def _is_polynomial(size: Nat) -> bool:
    return all(
        isinstance(b, NatBound | NatVar) and isinstance(e, int) and e > 0 for m, _ in size.terms for b, e in m
    )


def is_over_sum(size: Nat) -> bool:
    """Whether a size is a fraction over a sum."""
    return fraction_of(size)[1] is not UNIT
