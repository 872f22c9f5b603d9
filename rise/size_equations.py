"""Solves equations between sizes with unknowns and numbers, as found in shapes.

Depends on naturals, but not on types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NoReturn

from rise.natural_values import evaluate_natural, substitute_naturals
from rise.naturals import Atom, Nat, NatVar, variable_of
from rise.polynomials import NotComputed
from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class Equation:
    """The size of a parameter's axis, and the length of that axis in an argument."""

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
    """Find the sizes that equations determine, and check the others; sizes that stay unknown are absent.

    Bare names are solved first, then equations that have become linear in one unknown. `report` is called with an
    equation that fails, and the value of its size, or None if no natural number solves it.
    """
    pending = equations
    for equation in equations:
        variable = variable_of(equation.size)
        if variable is not None and variable not in sizes:
            sizes[variable] = equation.found
            origins[variable] = f"`{equation.parameter}`"
    while pending:
        postponed: list[Equation] = []
        for equation in pending:
            unknown = [v for v in equation.size.free if v not in sizes]
            if not unknown:
                value = value_at(equation.size, sizes)
                if value != equation.found:
                    report(equation, int(value) if value is not None else None)
                continue
            linear = _linear(substitute_naturals(equation.size, {**sizes})) if len(unknown) == 1 else None
            if linear is None:
                postponed.append(equation)
                continue
            slope, offset = linear
            solution = Fraction(equation.found - offset) / slope
            if solution.denominator != 1 or solution < 0:
                report(equation, None)
            sizes[unknown[0]] = int(solution)
            origins[unknown[0]] = f"`{equation.parameter}`"
        if len(postponed) == len(pending):
            return
        pending = postponed


def value_at(size: Nat, sizes: Mapping[Atom, int]) -> int | None:
    """The value of a size for these sizes, or None if it is not an integer or too large to compute."""
    try:
        value = evaluate_natural(size, sizes)
    except (ZeroDivisionError, NotComputed):
        return None
    return value if isinstance(value, int) else None


def _linear(size: Nat) -> tuple[Fraction, Fraction] | None:
    """(a, b) with size = a * x + b for the only unknown x, or None if the size is not linear."""
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
