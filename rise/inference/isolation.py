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
from rise.sums_of_terms import is_atom
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


def alone(left: Nat, right: Nat) -> tuple[NatMeta, Nat] | None:
    """The newer of two unknowns, or the only one, that is one of two sizes; and the other size, if all its unknowns are
    older.
    """
    first, second = _unknown(left), _unknown(right)
    if first is None or (second is not None and second.ident > first.ident):
        first, right = second, left
    if first is None:
        return None
    for name in right.free:
        kind = type(name)
        if kind is SizeFunMeta or (kind is NatMeta and name.ident >= first.ident):
            return None
    return first, right


def _unknown(a: Nat) -> NatMeta | None:
    """The unknown that a size consists of; None for others."""
    atom = a.parts[0] if len(a.parts) == 1 else None
    return atom if type(atom) is NatMeta and is_atom(a.terms) else None


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
