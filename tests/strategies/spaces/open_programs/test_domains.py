"""Propagation: no solution is lost, what is decided is a solution, and the order of decisions does not matter."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strategies.spaces.open_programs.domains import (
    Conflict,
    Constraint,
    Domains,
    decide,
    is_decided,
    propagate,
    relation,
)

NAMES = ("a", "b", "c", "d")
VALUES = (0, 1, 2)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Domains, list[Constraint], list[tuple[tuple[str, ...], set[Any]]]]:
    """Domains with some relations: the combinations of values that each allows."""
    domains = {name: tuple(draw(st.sets(st.sampled_from(VALUES), min_size=1))) for name in NAMES}
    tables, constraints = [], []
    for _ in range(draw(st.integers(0, 4))):
        names = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)))
        allowed = draw(st.sets(st.tuples(*(st.sampled_from(VALUES) for _ in names)), min_size=1))
        tables.append((names, allowed))
        constraints.append(relation(names, lambda *values, among=allowed: values in among, "allowed"))
    return domains, constraints, tables


def solutions(domains: Domains, tables: list[tuple[tuple[str, ...], set[Any]]]) -> list[dict[str, Any]]:
    every = (dict(zip(NAMES, values, strict=True)) for values in product(*(domains[name] for name in NAMES)))
    return [one for one in every if all(tuple(one[n] for n in names) in table for names, table in tables)]


@given(problems())
def test_no_solution_is_lost(problem: Any) -> None:
    domains, constraints, tables = problem
    found = propagate(domains, constraints)
    wanted = solutions(domains, tables)
    if isinstance(found, Conflict):
        assert wanted == [] and found.why == "allowed"
    else:
        assert solutions(found, tables) == wanted
        assert propagate(found, constraints) == found


@given(problems(), st.permutations(NAMES), st.data())
def test_decisions_commute(problem: Any, order: list[str], data: st.DataObject) -> None:
    """The same decisions in any order leave the same domains, and in the end a solution."""
    domains, constraints, tables = problem
    start = propagate(domains, constraints)
    if isinstance(start, Conflict):
        return
    values = {name: data.draw(st.sampled_from(start[name])) for name in NAMES}

    def after(names: list[str]) -> Domains | Conflict:
        found: Domains | Conflict = start
        for name in names:
            if isinstance(found, Conflict):
                return found
            found = decide(found, constraints, name, values[name])
        return found

    one, other = after(list(NAMES)), after(order)
    assert (
        isinstance(one, Conflict) == isinstance(other, Conflict) == (values not in solutions(domains, tables))
    )
    if not isinstance(one, Conflict) and not isinstance(other, Conflict):
        assert one == other and is_decided(one)


def test_a_conflict_names_the_constraint() -> None:
    less = relation(("a", "b"), lambda a, b: a < b, "a is less than b")
    assert propagate({"a": (2, 3), "b": (1, 2)}, [less]) == Conflict("a", "a is less than b")
    found = propagate({"a": (1, 2, 3), "b": (1, 2, 3)}, [less])
    assert found == {"a": (1, 2), "b": (2, 3)}
    assert decide(found, [less], "a", 3) == Conflict("a", "3 was excluded by earlier decisions")
