"""Solves sizes for an atom that occurs once, linearly. Independent of types other than type variables."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rise.inference.names import UNIQUE, without_numbers
from rise.naturals import (
    HEIGHT_OF_SUM,
    Atom,
    Nat,
    NatMeta,
    NatVar,
    Term,
    exact_quotient,
    polynomial,
    scale,
    variable_of,
)
from rise.nodes import Node, postorder
from rise.quotients import linear_in
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeCall, SizeFunction, SizeFunMeta, SizeFunVar, size_map
from rise.sums_of_terms import divisor_of, is_atom, sorted_terms
from rise.types import SpaceMeta, TypeVar, abstract_dependent


def isolate(zero: Nat, unknown: Atom) -> Nat | None:
    """The value of an atom that occurs once, linearly, in `zero = 0`; None if it does not."""
    linear = slope_and_product(zero, unknown)
    return None if linear is None else exact_quotient(linear[1], linear[0])


def slope_and_product(zero: Nat, unknown: Atom) -> tuple[Nat, Nat] | None:
    """(slope, product) with slope * unknown = product if zero = 0, where the unknown occurs once, linearly; otherwise
    None. A slope that is a number is positive.
    """
    slope: list[Term] = []
    rest: list[Term] = []
    for monomial, coefficient in zero.terms:
        others: list[Any] = []
        for factor in monomial:
            base, exponent = factor
            if base is unknown and type(exponent) is int and exponent == 1:
                continue
            if base is unknown or _mentions(base, unknown) or _mentions(exponent, unknown):
                return None
            others.append(factor)
        if len(others) == len(monomial):
            rest.append((monomial, coefficient))
        else:
            slope.append((tuple(others), coefficient))
    times = polynomial(slope)
    if not times.terms:
        return None
    if len(slope) == 1 and not slope[0][0] and slope[0][1] < 0:
        return scale(times, -1), Nat(tuple(rest))
    return times, Nat(tuple([(monomial, -coefficient) for monomial, coefficient in rest]))


def _mentions(part: Any, unknown: Atom) -> bool:
    return isinstance(part, Node) and bool(part.parts) and unknown in part.free


def newest(left: Nat, right: Nat) -> tuple[NatMeta, Nat] | None:
    """The newest unknown of two sizes, and its value if they are equal, if it is a summand of one of them and occurs
    nowhere else, and no unknown is a function. This is faster than to subtract the sizes and `slope_and_product`.
    """
    unknown: NatMeta | None = None
    for name in (*left.free, *right.free):
        kind = type(name)
        if kind is SizeFunMeta:
            return None
        if kind is NatMeta and (unknown is None or name.ident > unknown.ident):
            unknown = name
    if unknown is None or (unknown in left.free and unknown in right.free):
        return None
    side, other = (left, right) if unknown in left.free else (right, left)
    if is_atom(side.terms):
        return (unknown, other) if side.parts[0] is unknown else None
    if divisor_of(side.terms) or divisor_of(other.terms):
        return None
    slope: int | Fraction = 0
    total = dict(other.terms)
    for monomial, coefficient in side.terms:
        if len(monomial) == 1 and monomial[0][0] is unknown and monomial[0][1] == 1:
            slope = coefficient
        elif any(
            base is unknown or _mentions(base, unknown) or _mentions(e, unknown) for base, e in monomial
        ):
            return None
        else:
            total[monomial] = total.get(monomial, 0) - coefficient
    if slope == -1:
        total = {monomial: -coefficient for monomial, coefficient in total.items()}
    return (unknown, Nat(sorted_terms(total))) if slope in (1, -1) else None


def isolated_function(zero: Nat, forced: bool) -> tuple[SizeFunMeta, SizeFunction] | None:
    """Solve `zero = 0` for an unknown function of sizes that is applied to a variable once. Its value contains no other
    unknowns unless `forced`.
    """
    for atom in {base: None for monomial, _ in zero.terms for base, _ in monomial}:
        if not isinstance(atom, SizeCall) or not isinstance(atom.function, SizeFunMeta):
            continue
        variable, linear = variable_of(atom.argument), linear_in(zero, atom)
        if variable is None or linear is None or linear[0].constant is None:
            continue
        value = exact_quotient(linear[1], scale(linear[0], -1))
        is_open = any(isinstance(name, NatMeta | SizeFunMeta) for name in value.free)
        if atom.function in value.free or (is_open and not forced):
            continue
        return atom.function, size_map(without_numbers(variable.name), abstract_dependent(value, variable))
    return None


def rigid(name: str, kind: str, number: int) -> Node:
    """A variable of a kind that differs from all others."""
    unique = f"{name}{UNIQUE}{number}"
    match kind:
        case "nat":
            return NatVar(unique, None)
        case "space":
            return SpaceMeta(-number)
        case _ if kind == SIZE_FUNCTION:
            return SizeFunVar(unique)
    return TypeVar(unique, kind)


def is_whole(a: Nat) -> bool:
    """Whether a size contains no fraction and no quotient."""
    for part in postorder(a) if a.height > HEIGHT_OF_SUM else (a,):
        if isinstance(part, Nat):
            for monomial, coefficient in part.terms:
                if isinstance(coefficient, Fraction) or any(
                    isinstance(e, int) and e < 0 for _, e in monomial
                ):
                    return False
    return True


def is_no_natural(size: Nat) -> bool:
    """Whether a size is a constant that is negative or a fraction."""
    match size.terms:
        case (((), value),):
            return isinstance(value, Fraction) or value < 0
    return False
