"""Expressions of naturals, drawn as trees, to be evaluated in two ways: built as naturals, and computed with
fractions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from rise.naturals import Atom, Nat, NatVar, const, exact_quotient, nat, power, var
from rise.quotients import ceiling_quotient, floor_quotient, maximum, minimum, remainder

NAMES = "abckmn"
A, B, C, K, M, N = (var(name) for name in NAMES)
VARIABLES = {name: NatVar(name, None) for name in NAMES}

Values = dict[Atom, int]
assignments = st.fixed_dictionaries({v: st.integers(1, 12) for v in VARIABLES.values()})


SMALL = st.integers(-3, 6)


@dataclass(frozen=True)
class Tree:
    """An expression: an operator over trees, a name or a number."""

    head: str | int
    args: tuple[Tree, ...] = ()


BUILD: Mapping[str, Callable[..., Nat]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/^": exact_quotient,
    "^": power,
    "floor": floor_quotient,
    "ceil": ceiling_quotient,
    "mod": remainder,
    "min": minimum,
    "max": maximum,
}
COMPUTE: Mapping[str, Callable[..., Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/^": operator.truediv,
    "^": lambda a, b: a ** int(b),
    "floor": lambda a, b: Fraction(a // b),
    "ceil": lambda a, b: Fraction(-(-a // b)),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}


def build(tree: Tree, variables: Mapping[str, Atom] = VARIABLES) -> Nat:
    if isinstance(tree.head, int):
        return const(tree.head)
    if not tree.args:
        return nat(variables[tree.head])
    return BUILD[tree.head](*(build(a, variables) for a in tree.args))


def compute(tree: Tree, values: Mapping[str, int]) -> Fraction:
    if isinstance(tree.head, int):
        return Fraction(tree.head)
    if not tree.args:
        return Fraction(values[tree.head])
    return COMPUTE[tree.head](*(compute(a, values) for a in tree.args))


def trees(
    *operators: str, names: str = NAMES, numbers: st.SearchStrategy[int] = SMALL, leaves: int = 8
) -> st.SearchStrategy[Tree]:
    leaf = st.one_of(st.sampled_from(names).map(Tree), numbers.map(Tree))

    def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return st.builds(lambda o, a, b: Tree(o, (a, b)), st.sampled_from(operators), inner, inner)

    return st.recursive(leaf, larger, max_leaves=leaves)


polynomials = trees("+", "-", "*").map(build)
sizes = trees("+", "*", numbers=st.integers(0, 6))  # never negative
divisors = st.one_of(trees("+", "*", numbers=st.integers(1, 6), leaves=4), st.integers(1, 9).map(Tree))  # > 0
