"""Generates programs that can be evaluated: closed terms over known sizes, and arguments of their types."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from rise.records import dataclass
from rise.terms import Expr, Var, abstract
from rise.testing.arguments import value
from rise.testing.terms import DEPTH, Maker, Scope
from rise.testing.types import data_types
from rise.types import Type


@dataclass(frozen=True, slots=True)
class Run:
    """A program and arguments for it."""

    program: Expr
    arguments: tuple[Any, ...]


@st.composite
def programs(draw: st.DrawFn, depth: int = DEPTH) -> Run:
    """A program with one to three parameters, and arguments. It may divide by zero, which is an error."""
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
    return st.integers(0, 1 << 32).map(lambda seed: value(t, np.random.default_rng(seed)))
