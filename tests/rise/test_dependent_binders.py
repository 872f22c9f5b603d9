"""Binders that are opened and closed together, compared with doing so one by one."""

from hypothesis import given
from hypothesis import strategies as st

from rise.dependent_binders import abstract_all, instantiate_all
from rise.naturals import Nat, NatVar, nat, var
from rise.testing.types import types
from rise.types import F32, PairType, Type, TypeVar, abstract_dependent, instantiate_dependent

N, M = NatVar("n", None), NatVar("m", None)
T = TypeVar("t", "data")
TYPES = types((nat(N), nat(M), var("k")), (T,))


@given(TYPES)
def test_opening_undoes_closing(t: Type) -> None:
    closed = abstract_all(t, (N, T, M))
    assert closed.free.isdisjoint((N, T, M))
    assert instantiate_all(closed, (nat(N), T, nat(M))) is t


@given(TYPES, st.permutations([N, T, M]))
def test_closing_binders_together_equals_one_by_one(t: Type, variables: list[NatVar | TypeVar]) -> None:
    one_by_one = t
    for variable in variables:
        one_by_one = abstract_dependent(one_by_one, variable)
    assert abstract_all(t, variables) == one_by_one


@given(TYPES)
def test_substituting_arguments_together_equals_one_by_one(t: Type) -> None:
    closed = abstract_all(t, (N, T, M))
    arguments: tuple[Nat | Type, ...] = (var("a") * 2, PairType(F32, F32), var("b") + 1)
    one_by_one = closed
    for argument in reversed(arguments):  # none mentions a bound variable, so nothing needs a shift
        one_by_one = instantiate_dependent(one_by_one, argument)
    assert instantiate_all(closed, arguments) == one_by_one


@given(TYPES)
def test_nodes_that_were_rebuilt_before_are_reused(t: Type) -> None:
    closed = PairType(abstract_all(t, (N, T, M)), F32)
    done: dict[tuple[int, int, int], object] = {}
    arguments = (nat(M), F32, nat(N))
    first = instantiate_all(closed, arguments, done)
    rebuilt = len(done)
    assert instantiate_all(closed, arguments, done) is first
    assert len(done) == rebuilt
