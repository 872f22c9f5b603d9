"""Solves sizes for an atom that occurs once, linearly. Independent of types other than type variables."""

from __future__ import annotations

from fractions import Fraction

from rise.inference.names import UNIQUE, without_numbers
from rise.naturals import (
    Atom,
    Monomial,
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
from rise.types import SpaceMeta, TypeVar, abstract_dependent


def isolate(zero: Nat, unknown: Atom) -> Nat | None:
    """The value of an atom that occurs once, linearly, in `zero = 0`; None if it does not."""
    linear = slope_and_rest(zero, unknown)
    return None if linear is None else quotient_of(*linear)


def slope_and_rest(zero: Nat, unknown: Atom) -> tuple[Nat, Nat] | None:
    """(slope, rest) with zero = slope * unknown + rest, if the unknown occurs once, linearly; otherwise None."""
    slope: list[Term] = []
    rest: list[Term] = []
    for monomial, coefficient in zero.terms:
        others: Monomial = tuple([f for f in monomial if f[0] is not unknown])
        if any(unknown in part.free for factor in others for part in factor if isinstance(part, Node)):
            return None
        if len(others) == len(monomial):
            rest.append((monomial, coefficient))
        elif (unknown, 1) in monomial:
            slope.append((others, coefficient))
        else:
            return None
    factor = polynomial(slope)
    return (factor, Nat(tuple(rest))) if factor.terms else None


def quotient_of(slope: Nat, rest: Nat) -> Nat:
    """The value of an unknown with `slope * unknown + rest = 0`."""
    return exact_quotient(scale(rest, -1), slope)


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
    for part in postorder(a):
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
