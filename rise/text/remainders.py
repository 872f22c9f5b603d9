"""Writes `x - b * (x / b)` as `x % b` in sizes. For printing only: the results are not normal forms."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rise.naturals import Nat, exact_quotient, nat, scale
from rise.quotients import NatCall, linear_in

MAX_WEIGHT: Final = 256  # of a natural that is searched for remainders


@lru_cache(maxsize=1 << 13)
def in_remainders(a: Nat) -> Nat:
    """A natural with the same value, in which `x - b * floor(x, b)` is written as `x % b`, that is `NatCall("mod", (x,
    b))`, if this is shorter. Very long naturals are unchanged.
    """
    next_form: Nat | None = a if a.weight <= MAX_WEIGHT else None
    while next_form is not None:
        a, next_form = next_form, _with_a_remainder(next_form)
    return a


def _with_a_remainder(a: Nat) -> Nat | None:
    for atom in {base: None for m, _ in a.terms for base, _ in m if isinstance(base, NatCall)}:
        linear = linear_in(a, atom) if atom.function == "floor" else None
        if linear is not None:
            x, b = atom.args
            for term in linear[0].terms:
                times = exact_quotient(scale(Nat((term,)), -1), b)
                shorter = a - times * (x - b * nat(atom)) + times * nat(NatCall("mod", (x, b)))
                if len(shorter.terms) < len(a.terms):
                    return shorter
    return None
