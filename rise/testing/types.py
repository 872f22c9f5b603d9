"""Generates sizes and types, as Hypothesis strategies that shrink to small ones. Independent of terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.naturals import Nat, NatVar, const, exact_quotient, nat, power
from rise.quotients import ceiling_quotient, floor_quotient, maximum, minimum, remainder
from rise.scalars import ROLES, SCALARS, kind_classes
from rise.types import (
    ArrayType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    TypeVar,
    VectorType,
)

#: constant sizes, many of which divide each other
CONSTANTS: Final = (1, 2, 3, 4, 8, 12, 16)
#: the classes of type variables to draw from
KINDS: Final = ("data", "num", "ord", "floating", "integral", "floating + ord")
_SCALARS: Final = tuple(map(ScalarType, SCALARS))

_Operation = Callable[[Nat, Nat], Nat]
_OPERATIONS: Final[tuple[_Operation, ...]] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    floor_quotient,
    remainder,
    exact_quotient,
    ceiling_quotient,
    minimum,
    maximum,
)


def naturals(names: Sequence[str] = ("n", "m", "N")) -> st.SearchStrategy[Nat]:
    """Arithmetic on variables and numbers, in all its forms; it need not be >= 0."""
    atoms = st.one_of(st.integers(0, 40).map(const), st.sampled_from([nat(NatVar(n, None)) for n in names]))
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(_operate, st.sampled_from(_OPERATIONS), inner, inner),
            st.builds(_operate, st.just(power), inner, st.integers(-2, 3).map(const)),
        ),
        max_leaves=6,
    )


def _operate(operation: _Operation, a: Nat, b: Nat) -> Nat:
    """The result of an operation, or `a` if it is undefined."""
    try:
        return operation(a, b)
    except (ZeroDivisionError, RiseError):
        return a


@lru_cache(maxsize=1 << 8)
def sizes(variables: tuple[Nat, ...] = ()) -> st.SearchStrategy[Nat]:
    """Constants and, if there are variables, the variables and their products and sums."""
    numbers = st.sampled_from(CONSTANTS).map(const)
    if not variables:
        return numbers
    variable = st.sampled_from(variables)
    return st.one_of(
        numbers,
        variable,
        st.builds(lambda a, b: a * b, variable, st.sampled_from((const(2), const(4), *variables))),
        st.builds(lambda a, b: a + b, variable, st.sampled_from((const(1), const(3), *variables))),
    )


@lru_cache(maxsize=1 << 8)
def scalars(kind: str = "data") -> st.SearchStrategy[Type]:
    """The scalar types of a class, f32 first."""
    classes = kind_classes(kind)
    fitting = [t for t in _SCALARS if classes <= SCALARS[t.name].classes]
    fitting.sort(key=lambda t: t.name != "f32")
    return st.sampled_from(fitting)


@lru_cache(maxsize=1 << 8)
def data_types(
    variables: tuple[Nat, ...] = (), type_variables: tuple[TypeVar, ...] = (), max_leaves: int = 4
) -> st.SearchStrategy[Type]:
    """Types of values that can be stored, except fragments."""
    size = sizes(variables)
    named = st.sampled_from(type_variables) if type_variables else st.nothing()
    leaf = st.one_of(
        scalars(), named, st.builds(VectorType, size, scalars("num")), st.builds(IndexType, size)
    )
    return st.recursive(
        st.one_of(scalars(), leaf),
        lambda inner: st.one_of(
            st.builds(ArrayType, size, inner),
            st.builds(ArrayType, size, scalars()),
            st.builds(PairType, inner, inner),
        ),
        max_leaves=max_leaves,
    )


def types(variables: Sequence[Nat] = (), type_variables: Sequence[TypeVar] = ()) -> st.SearchStrategy[Type]:
    """All types except dependent functions: data, fragments, functions."""
    size = sizes(variables)
    fragment = st.builds(
        FragmentType, size, size, size, scalars("num"), st.sampled_from(ROLES), st.just("warp")
    )
    data = data_types(variables, type_variables)
    return st.one_of(data, fragment, st.builds(FunType, data, data), st.builds(_curried, data, data, data))


def _curried(first: Type, second: Type, result: Type) -> Type:
    return FunType(first, FunType(second, result))
