"""Generates programs that run, with arguments: closed terms over known sizes, and arrays of their types.

Knows how values lie at the boundary, as `rise.evaluate` takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from rise.scalars import SCALARS
from rise.terms import Expr, Var, abstract
from rise.testing.terms import DEPTH, Maker, Scope
from rise.testing.types import data_types
from rise.types import ArrayType, IndexType, PairType, ScalarType, Type, VectorType


@dataclass(frozen=True, slots=True)
class Run:
    """A program and arguments for it."""

    program: Expr
    arguments: tuple[Any, ...]


@st.composite
def programs(draw: st.DrawFn, depth: int = DEPTH) -> Run:
    """A program of one to three parameters, and arguments. It may divide by zero, which is an error."""
    maker = Maker(draw, is_runnable=True)
    count = draw(st.integers(1, 3))
    parameters = [Var(f"p{i}", draw(data_types(max_leaves=2))) for i in range(count)]
    body = maker.term(draw(data_types(max_leaves=2)), depth, Scope(tuple(parameters)))
    parameters += maker.holes
    for parameter in reversed(parameters):
        body = abstract(body, parameter)
    return Run(body, tuple(draw(values(parameter.given)) for parameter in parameters))


def values(t: Type) -> st.SearchStrategy[Any]:
    """The values of a type over known sizes: an array of pairs is a pair of arrays, a scalar has no axis."""
    return st.integers(0, 1 << 32).map(lambda seed: _value(t, np.random.default_rng(seed), ()))


def _value(t: Type, random: np.random.Generator, shape: tuple[int, ...]) -> Any:
    match t:
        case PairType(first, second):
            return _value(first, random, shape), _value(second, random, shape)
        case ArrayType(size, element) | VectorType(size, element):
            assert size.constant is not None, f"{t!r} has a size that is not known"
            return _value(element, random, (*shape, size.constant))
        case IndexType(size):
            assert size.constant is not None, f"{t!r} has a size that is not known"
            return random.integers(0, max(size.constant, 1), shape).astype(np.int64)
        case ScalarType("bool"):
            return random.integers(0, 2, shape).astype(np.bool_)
        case ScalarType(name):
            # Small multiples of a quarter, which every type holds, so that sums of few are exact.
            facts = SCALARS[name]
            whole = random.integers(0 if name.startswith("u") else -8, 9, shape)
            is_floating = "floating" in facts.classes
            return np.asarray(whole / 4 if is_floating else whole).astype(facts.dtype)
    raise AssertionError(f"{t!r} is no type of data at the boundary")
