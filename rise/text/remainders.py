"""Sizes as people write them: `x - b * (x / b)` as `x % b`. For printing only: the answers are no normal forms."""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, exact_quotient, nat, scale
from rise.quotients import NatCall, linear_in

LONGEST: Final = 256  # weight of a natural in which remainders are looked for


def in_remainders(a: Nat) -> Nat:
    """The same value with `x - b * floor(x, b)` written as `x % b`, which is `NatCall("mod", (x, b))`, where that is
    shorter. A very long one stays as it is.
    """
    shorter: Nat | None = a if a.weight <= LONGEST else None
    while shorter is not None:
        a, shorter = shorter, _with_a_remainder(shorter)
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
