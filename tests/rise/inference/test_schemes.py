"""Types of primitives applied to arguments: instantiated in steps, as if the arguments were substituted one by one."""

from typing import Any

import pytest

from rise.inference.elaboration import opened
from rise.inference.schemes import (
    applied,
    instantiate_primitive,
    scheme_at_sizes,
    scheme_of,
    substitute_names,
)
from rise.inference.uses import MAX_FIRST_SIZES
from rise.naturals import NatBound, nat, var
from rise.primitives import PRIMITIVES
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunVar
from rise.terms import Expr
from rise.types import F32, DepFunType, PairType, Type, TypeBound, TypeVar
from tests.call_counts import calls_of


def closed(kind: str, position: int) -> Any:
    if kind == "nat":
        return 2 * var(f"a{position}") + position
    if kind == SIZE_FUNCTION:
        return SizeFunVar(f"g{position}")
    return PairType(TypeVar(f"a{position}", kind), F32) if kind == "data" else TypeVar(f"a{position}", kind)


def loose(kind: str, position: int) -> Any:
    if kind == "nat":
        return nat(NatBound(position))
    return SizeFunVar(f"g{position}") if kind == SIZE_FUNCTION else TypeBound(position, kind)


@pytest.mark.parametrize("argument", [closed, loose])
def test_steps_substitute_all_arguments(argument: Any) -> None:
    for record in PRIMITIVES.values():
        scheme = scheme_of(record.scheme)
        arguments = tuple(argument(kind, i) for i, (_, kind) in enumerate(scheme.parameters))
        put_in: Type = substitute_names(scheme.body, dict(zip(scheme.variables, arguments, strict=True)))
        assert scheme.instance(arguments) is put_in, record.name


def test_the_sizes_that_a_primitive_takes_first_are_given_with_the_implicit_arguments() -> None:
    counts = []
    for record in PRIMITIVES.values():
        count, at_sizes = scheme_at_sizes(record.scheme)
        implicit = tuple(closed(kind, i) for i, (_, kind) in enumerate(scheme_of(record.scheme).parameters))
        sizes = tuple(var(f"s{i}") + i for i in range(count))
        t = scheme_of(record.scheme).instance(implicit)
        for taken, size in enumerate(sizes):
            limited, at_some = scheme_at_sizes(record.scheme, taken)
            assert limited == taken and at_some.instance((*implicit, *sizes[:taken])) is t, record.name
            assert isinstance(t, DepFunType)
            t = opened(t, size)
        assert at_sizes.instance((*implicit, *sizes)) is t, record.name
        counts.append(count)
    assert max(counts) == MAX_FIRST_SIZES


def test_a_primitive_applied_to_sizes_has_the_type_that_substitution_gives() -> None:
    for record in PRIMITIVES.values():
        arguments = tuple(closed(kind, i) for i, (_, kind) in enumerate(scheme_of(record.scheme).parameters))
        e: Expr = instantiate_primitive(record, arguments)
        applications: list[Expr] = []
        for i in range(scheme_at_sizes(record.scheme)[0]):
            e = applied(e, var(f"s{i}") + i)
            applications.append(e)
        t = scheme_of(record.scheme).instance(arguments)
        types: list[Type] = []
        for i in range(len(applications)):
            assert isinstance(t, DepFunType)
            types.append(t := opened(t, var(f"s{i}") + i))
        for application, expected in reversed([*zip(applications, types, strict=True)]):
            assert application.type is expected, record.name


def test_steps_take_less_work_than_searching_for_variables() -> None:
    scheme = scheme_of(PRIMITIVES["map"].scheme)
    first: tuple[Any, ...] = (var("k1"), TypeVar("u1", "data"), TypeVar("v1", "data"))
    second: tuple[Any, ...] = (var("k2"), TypeVar("u2", "data"), TypeVar("v2", "data"))
    in_steps = calls_of(lambda: scheme.instance(first))
    put_in = calls_of(lambda: substitute_names(scheme.body, dict(zip(scheme.variables, second, strict=True))))
    assert 2 * in_steps < put_in
