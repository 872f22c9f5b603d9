"""Values of naturals for given values of their atoms, and naturals in which atoms are replaced."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rise.diagnostics import number_text
from rise.monomials import as_integer
from rise.naturals import (
    Atom,
    Coefficient,
    Nat,
    NatLike,
    nat,
)
from rise.nodes import Node, postorder, transform
from rise.polynomials import NotComputed
from rise.quotients import INTEGER_FUNCTIONS, NatCall
from rise.size_functions import SizeFunction, without_sums


def evaluate_natural(a: NatLike, values: Mapping[Atom, int]) -> Coefficient:
    """The value of a natural for given values of its atoms; a fraction if a quotient is not exact.

    Raises KeyError for an atom without a value, ZeroDivisionError for a zero divisor, and NotComputed for a power that
    is not rational or has more than 2^20 bits, and for a sum of very many values.
    """
    known: dict[int, Coefficient] = {}
    root = nat(a)
    nodes = list(postorder(root))
    if any(isinstance(node, SizeFunction) for node in nodes):
        root = without_sums(substitute_naturals(root, values), evaluate_natural)
        nodes = list(postorder(root))
    for node in nodes:
        match node:
            case Nat(terms):
                total: Coefficient = 0
                for monomial, coefficient in terms:
                    product = coefficient
                    for base, exponent in monomial:
                        product *= _integer_power(
                            known[id(base)], known[id(exponent)] if isinstance(exponent, Nat) else exponent
                        )
                    total += product
                known[id(node)] = as_integer(total)
            case NatCall() if node not in values:
                arguments = [Fraction(known[id(x)]) for x in node.args]
                known[id(node)] = as_integer(Fraction(INTEGER_FUNCTIONS[node.function](*arguments)))
            case Atom():
                value = values[node]
                known[id(node)] = value if type(value) is int else as_integer(Fraction(value))
    return known[id(root)]


def _integer_power(base: Coefficient, exponent: Coefficient) -> Coefficient:
    if exponent == 1:
        return base
    whole = int(exponent)
    bits = 0 if abs(base) == 1 else max(abs(base.numerator), base.denominator).bit_length() * abs(whole)
    if whole != exponent or bits > 1 << 20:
        shown = number_text(whole) if whole == exponent else f"({exponent})"
        raise NotComputed(f"{base}^{shown}")
    return as_integer(base**whole if whole >= 0 else Fraction(base) ** whole)


def substitute_naturals(a: Nat, values: Mapping[Any, Any]) -> Nat:
    """Replace atoms by naturals and functions of sizes by other functions, and simplify."""

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        if isinstance(node, SizeFunction):
            return values.get(node)
        return nat(values[node]) if isinstance(node, Atom) and node in values else None

    return transform(a, visit, lambda node, depth, dep_depth: False)
