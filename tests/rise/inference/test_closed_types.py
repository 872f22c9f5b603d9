"""Types below the head of a definition: one walk gives the same as first resolving and then closing."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rise.dependent_binders import abstract_all
from rise.inference.closed_types import ClosedTypes
from rise.inference.effort import Effort
from rise.inference.solver import Solver
from rise.naturals import Nat, NatVar, nat
from rise.types import (
    F32,
    ArrayType,
    FunType,
    IndexType,
    PairType,
    Type,
    TypeVar,
    VectorType,
    abstract_dependent,
    dependent_array,
    type_family,
    wide,
)
from tests.call_counts import calls_of

SIZES = [NatVar(name, None) for name in "nm"]
TYPES = [TypeVar(name, "data") for name in "ts"]
ROW = NatVar("row", None)


def types_over(unknown_types: list[Any], unknown_sizes: list[Any]) -> st.SearchStrategy[Type]:
    size = st.sampled_from([*map(nat, SIZES), *unknown_sizes, nat(4), nat(ROW)])
    sizes = st.builds(lambda a, b, times: a * times + b, size, size, st.integers(0, 3))
    leaves = st.sampled_from([F32, *TYPES, *unknown_types]) | st.builds(IndexType, sizes)

    def larger(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
        return (
            st.builds(PairType, inner, inner)
            | st.builds(FunType, inner, inner)
            | st.builds(ArrayType, sizes, inner)
            | st.builds(VectorType, sizes, inner)
            | st.builds(wide, inner)
            | st.builds(
                lambda n, t: dependent_array(n, type_family("i", abstract_dependent(t, ROW))), sizes, inner
            )
        )

    return st.recursive(leaves, larger, max_leaves=12)


@given(st.data())
def test_one_walk_resolves_and_closes(data: st.DataObject) -> None:
    solver = Solver(Effort(1_000))
    unknown_types = [solver.fresh_type() for _ in range(4)]
    unknown_sizes: list[Nat] = [solver.fresh_natural() for _ in range(3)]
    for number, unknown in enumerate(unknown_types[:3]):  # later ones, so that none is in its own value
        solver.assign(unknown, data.draw(types_over(unknown_types[number + 1 :], unknown_sizes)))
    solver.assign(unknown_types[3], TYPES[0])
    for number, size in enumerate(unknown_sizes):
        solver.assign(size.parts[0], nat(SIZES[number % 2]) + number)
    variables = [*SIZES, *TYPES]
    closed = ClosedTypes(solver, variables)
    for t in data.draw(st.lists(types_over(unknown_types, unknown_sizes), max_size=4)):
        assert closed(t) is abstract_all(solver.resolve(t), variables)


def test_a_shared_type_is_closed_once() -> None:
    solver = Solver(Effort(1_000))
    t: Type = solver.fresh_type()
    solver.assign(t, TYPES[0])
    for _ in range(17):
        t = PairType(t, t)
    closed = ClosedTypes(solver, TYPES)
    first = calls_of(lambda: closed(t))
    assert calls_of(lambda: closed(FunType(t, t))) < first / 4
