"""Sizes solved from shapes: equations between a size with unknowns and a number. Knows naturals, no types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from rise.naturals import Atom, Nat, NatVar
from rise.polynomials import NotComputed
from rise.quotients import evaluate_natural, substitute_naturals


@dataclass(frozen=True, slots=True)
class Equation:
    """The size of a parameter's axis, and the number that was found there."""

    size: Nat
    found: int
    parameter: str
    axis: int


def solve(
    equations: list[Equation],
    sizes: dict[Atom, int],
    origins: dict[NatVar, str],
    report: Callable[[Equation, int | None], NoReturn],
) -> None:
    """Find the sizes that equations determine, and check the others; those that stay unknown are absent.

    Bare names come first, then whatever has become linear in one unknown. `report` gets an equation that
    fails, and what its size is, or None where no natural number solves it.
    """
    rest = equations
    for equation in equations:
        name = _bare(equation.size)
        if name is not None and name not in sizes:
            sizes[name] = equation.found
            origins[name] = f"`{equation.parameter}`"
    while rest:
        waiting: list[Equation] = []
        for equation in rest:
            unknown = [v for v in equation.size.free if v not in sizes]
            if not unknown:
                value = value_at(equation.size, sizes)
                if value != equation.found:
                    report(equation, int(value) if value is not None else None)
                continue
            linear = _linear(substitute_naturals(equation.size, {**sizes})) if len(unknown) == 1 else None
            if linear is None:
                waiting.append(equation)
                continue
            slope, offset = linear
            solution = Fraction(equation.found - offset) / slope
            if solution.denominator != 1 or solution < 0:
                report(equation, None)
            sizes[unknown[0]] = int(solution)
            origins[unknown[0]] = f"`{equation.parameter}`"
        if len(waiting) == len(rest):
            return
        rest = waiting


def _bare(size: Nat) -> NatVar | None:
    match size.terms:
        case ((((NatVar() as name, 1),), 1),):
            return name
    return None


def value_at(size: Nat, sizes: Mapping[Atom, int]) -> int | None:
    """The integer that a size is at these sizes, if it is one, and not far beyond all sizes."""
    try:
        found = evaluate_natural(size, sizes)
    except (ZeroDivisionError, NotComputed):
        return None
    return found if isinstance(found, int) else None


def _linear(size: Nat) -> tuple[Fraction, Fraction] | None:
    """(a, b) with size = a * x + b for the one unknown x, if it is so."""
    slope = offset = Fraction(0)
    for monomial, coefficient in size.terms:
        match monomial:
            case ():
                offset = Fraction(coefficient)
            case ((NatVar(), 1),):
                slope = Fraction(coefficient)
            case _:
                return None
    return (slope, offset) if slope else None
