"""Limits the work of typing one text, counted in nodes built and terms of sizes added. Independent of types and texts.

A short text can expand enormously: types that double, sizes that are multiplied out, definitions inlined into each
other. The work is counted where it is done, in advance if it can be estimated, and the text is refused if it needs
more than is reasonable for its length. The counts depend on the text alone, so the same text is always refused.
"""

from __future__ import annotations

from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.naturals import UNIT, Nat, NatBound, NatVar, fraction_of
from rise.nodes import MAX_WEIGHT
from rise.number_functions import number_function
from rise.size_functions import MAX_SIMPLIFIED_TERMS, SizeFunction, SizeMap

BASE_EFFORT: Final = 800_000  # available to every text
EFFORT_PER_CHARACTER: Final = 8
COST_PER_NODE: Final = 6  # that is rebuilt
COST_PER_RESOLVED_PART: Final = 3  # of a size whose unknowns are replaced
COST_PER_TYPE: Final = 3  # whose unknowns are replaced, and for each part of a definition's type at each use
COST_PER_SOLVED_PART: Final = 24  # of a size that is solved for an unknown
MAX_HEIGHT: Final = 12_000  # of an expression
MAX_SIZE_WEIGHT: Final = 4096
MAX_SIZE_HEIGHT: Final = 64
MAX_DIVIDED_WEIGHT: Final = 512  # of a size that is divided and rounded
MAX_TYPE_WEIGHT: Final = 1 << 19
SMALL_WEIGHT: Final = 32  # of a size that is not analysed
NAME_IT: Final = "give the inner size its own name"


class Effort:
    """The work that is left for one text."""

    __slots__ = ("left",)

    def __init__(self, characters: int = 0) -> None:
        self.left = BASE_EFFORT + EFFORT_PER_CHARACTER * characters

    def spend(self, amount: int) -> None:
        """Subtract some work, in units of one to five microseconds. Raises RiseError if none is left."""
        self.left -= amount
        if self.left < 0:
            title = "this text needs too much work: its types, sizes and definitions grow too fast"
            hint = (
                "types and sizes that double at each step, and definitions that use each other at many sizes,"
                " multiply the work: use fewer of them, or split the text into several programs"
            )
            raise RiseError(Diagnostic("too-much-work", title, hint=hint))


def check_size(size: Nat) -> Nat:
    """Return the size. Raises RiseError if it is too large."""
    weight = max(size.weight, _common_denominator_weight(size))
    if weight > MAX_SIZE_WEIGHT or size.height > MAX_SIZE_HEIGHT:
        title = (
            f"a size may have at most {MAX_SIZE_WEIGHT:,} parts, nested {MAX_SIZE_HEIGHT} deep, but this one has"
            f" {weight:,}, nested {size.height} deep"
        )
        raise RiseError(Diagnostic("size-too-large", title, hint=NAME_IT))
    return size


def _common_denominator_weight(size: Nat) -> int:
    """An estimate of the number of parts of a long sum of fractions over a common denominator; 0 for a short sum."""
    if size.weight <= SMALL_WEIGHT:
        return 0
    divisors = {base for m, _ in size.terms for base, e in m if isinstance(e, int) and e < 0}
    return len(size.terms) * len(divisors)


def type_too_large(weight: int) -> RiseError:
    """The error for a type that is too large when written out."""
    count = f"{weight:,}" if weight < MAX_WEIGHT else "more than can be counted"
    title = f"a type may have at most {MAX_TYPE_WEIGHT:,} parts when written out, but this one has {count}"
    hint = "each pair(x, x) contains the type of x twice, so nested ones double it: keep only what is needed"
    return RiseError(Diagnostic("type-too-large", title, hint=hint))


def cost_of(operator: str, left: Nat, right: Nat) -> int:
    """Estimate the work of an operation on two sizes. Raises RiseError if one of them is too large to be rounded."""
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
            weight = max(left.weight, right.weight)
            if weight > MAX_DIVIDED_WEIGHT:
                title = (
                    f"a size of at most {MAX_DIVIDED_WEIGHT} parts can be rounded, but this one has {weight}"
                )
                raise RiseError(Diagnostic("size-too-large", title, hint=NAME_IT))
    return both * both


def cost_of_sum(count: Nat, function: SizeFunction) -> int:
    """Estimate the work of summing the first values of a function: one by one if there is no formula, as Python
    integers if possible.
    """
    known = count.constant
    if not isinstance(function, SizeMap) or known is None or known < 0 or _is_polynomial(function.body):
        return (count.weight + function.weight) ** 2
    weight = function.weight
    per_value = weight // 2 if number_function(function.body) is not None else 16 * weight + weight**2 // 8
    return min(known, MAX_SIMPLIFIED_TERMS) * per_value


def _is_polynomial(size: Nat) -> bool:
    return all(
        isinstance(b, NatBound | NatVar) and isinstance(e, int) and e > 0 for m, _ in size.terms for b, e in m
    )


def is_over_sum(size: Nat) -> bool:
    """Whether a size is a fraction whose denominator is a sum."""
    return fraction_of(size)[1] is not UNIT
