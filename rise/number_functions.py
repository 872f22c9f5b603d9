"""Sizes over one index as functions on Python numbers, to add up many values without building sizes.

Independent of sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from rise.naturals import Atom, Nat, NatBound
from rise.nodes import Node, postorder
from rise.polynomials import MAX_BITS, MAX_NUMBER, check_size

#: higher powers are neither computed nor summed by a formula
MAX_POWER: Final = 32
MAX_DEPTH: Final = 64  # of nested sizes, whose functions call each other

_Function: TypeAlias = Callable[[int], Any]


def number_function(size: Nat) -> _Function | None:
    """The value of a size as a function of the innermost dependent index; None if the size mentions anything else.

    The function raises ZeroDivisionError for a zero divisor, and RiseError for a number that is too large, as sizes do.

    >>> from rise.naturals import nat
    >>> number_function(nat(NatBound(0)) * 2 + 1)(20)
    41
    """
    if size.height > MAX_DEPTH:
        return None
    functions: dict[Node, _Function] = {}
    for node in postorder(size):
        function = _function(node, functions)
        if function is None:
            return None
        functions[node] = function
    return functions[size]


def _function(node: Node, functions: dict[Node, _Function]) -> _Function | None:
    match node:
        case NatBound(0):
            return int
        case Nat(terms) if all(_is_power(exponent) for m, _ in terms for _, exponent in m):
            return _sum_of([(c, [(functions[base], e) for base, e in m]) for m, c in terms])
        case Atom() if node.of_numbers is not None:
            return _call_of(node.of_numbers, [functions[part] for part in node.parts])
    return None


def _is_power(exponent: int | Nat) -> bool:
    return isinstance(exponent, int) and 0 < exponent <= MAX_POWER


def _sum_of(terms: list[tuple[Any, list[tuple[_Function, Any]]]]) -> _Function:
    def value(index: int) -> Any:
        total = 0
        for coefficient, factors in terms:
            product = coefficient
            for factor, exponent in factors:
                product *= factor(index) ** exponent
            total += product
        if not -MAX_NUMBER <= total <= MAX_NUMBER:
            check_size(bits=MAX_BITS + 1)
        return total

    return value


def _call_of(function: Callable[..., Any], arguments: list[_Function]) -> _Function:
    return lambda index: function(*[argument(index) for argument in arguments])
