"""Checks whether tensor cores support the types of a program's matrices, and suggests changes otherwise."""

from __future__ import annotations

from typing import Any, ClassVar

from elevate import Path, Predicate
from elevate.term import path_of, preorder
from rise.hardware import family_of, legal
from rise.records import dataclass
from rise.terms import Expr
from rise.types import ScalarType
from strategies.parts.parameters import listed, shown_shape, types_of
from strategies.parts.products import factors, nests
from strategies.rules.matrix_products import isProductNest


def unfitFactors(e: Expr, shape: tuple[int, int, int], rounded: int = 0) -> tuple[str, ...]:
    """The types of a program's factors that no instruction of a shape multiplies; empty if all known types fit."""
    return next((names for nest in nests(e) if (names := _unfit(nest, shape, rounded))), ())


def _unfit(nest: Expr, shape: tuple[int, int, int], rounded: int) -> tuple[str, ...]:
    """The types of the factors of one matrix product if no instruction multiplies one of them; otherwise empty."""
    names = dict.fromkeys(t.name for t in factors(nest) or () if isinstance(t, ScalarType))
    return tuple(names) if names.keys() - types_of(shape, family_of(shape), rounded) else ()


@dataclass(frozen=True, slots=True)
class HasFactorsOfTensorCores(Predicate):
    """Holds if an instruction of the shape m x n x k multiplies the factors of all matrix products of a program."""

    m: int
    n: int
    k: int
    tf32: int = 0
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape."""
        return self.m, self.n, self.k

    def holds(self, term: Any) -> bool:
        return not unfitFactors(term, self.shape, self.tf32)

    def focus(self, term: Any) -> Path:
        """The path of the first matrix product with such factors."""
        for node, place in preorder(term):
            if isinstance(node, Expr) and isProductNest(node) and _unfit(node, self.shape, self.tf32):
                return path_of(place)
        return ()

    def objection(self, term: Any) -> str:
        supported = types_of(self.shape, family_of(self.shape), self.tf32)
        names = listed(unfitFactors(term, self.shape, self.tf32))
        return f"factors are {names}; tensor cores take {listed(supported)} in {shown_shape(self.shape)}"

    def remedy(self, term: Any) -> str:
        names, family = unfitFactors(term, self.shape, self.tf32), family_of(self.shape)
        shapes = [one.shape for one in legal(family) if names == (one.a,)]
        if self.tf32:
            return "omit tf32=1, which is for factors of f32"
        if names == ("f32",):
            m, n, k = next(one.shape for one in legal(family) if one.a == "tf32" and one.k == 8)
            round_them = f"set the parameters tf32=1, m={m}, n={n}, k={k}, which rounds factors to tf32"
            return (
                f"{round_them}; or convert them by `cast{{f16}}`, or choose a strategy without tensor cores"
            )
        if shapes:
            m, n, k = shapes[0]
            return f"choose the parameters m={m}, n={n}, k={k}, a shape of {names[0]}"
        taken = types_of(self.shape, family)
        return f"convert the factors, for example by `cast{{{taken[0]}}}`, or choose a strategy without tensor cores"
