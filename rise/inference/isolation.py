"""Sizes solved for what occurs in them once, linearly. Knows no types."""

from __future__ import annotations

from fractions import Fraction

from rise.naturals import Atom, Monomial, Nat, Term, exact_quotient, polynomial, scale
from rise.nodes import Node, postorder


def isolate(zero: Nat, unknown: Atom) -> Nat | None:
    """The value of an atom that occurs once, linearly, in `zero = 0`."""
    found = isolated(zero, unknown)
    return None if found is None else found[0]


def isolated(zero: Nat, unknown: Atom) -> tuple[Nat, Nat] | None:
    """From `slope * unknown + rest = 0`: the unknown's value, and the slope."""
    slope: list[Term] = []
    rest: list[Term] = []
    for monomial, coefficient in zero.terms:
        if unknown not in Nat(((monomial, 1),)).free:
            rest.append((monomial, coefficient))
            continue
        others: Monomial = tuple(f for f in monomial if f[0] is not unknown)
        parts = [part for factor in others for part in factor if isinstance(part, Node)]
        if (unknown, 1) not in monomial or any(unknown in part.free for part in parts):
            return None
        slope.append((others, coefficient))
    factor = polynomial(slope)
    if not factor.terms:
        return None
    return exact_quotient(scale(Nat(tuple(rest)), -1), factor), factor


def is_whole(a: Nat) -> bool:
    """Whether nothing in a size is a fraction or a quotient."""
    for part in postorder(a):
        if isinstance(part, Nat):
            for monomial, coefficient in part.terms:
                if isinstance(coefficient, Fraction) or any(
                    isinstance(e, int) and e < 0 for _, e in monomial
                ):
                    return False
    return True


def is_no_natural(size: Nat) -> bool:
    """Whether a size is a known number, and that a negative one or a fraction."""
    match size.terms:
        case (((), value),):
            return isinstance(value, Fraction) or value < 0
    return False
