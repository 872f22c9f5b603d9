"""Predicates of the library return a result for any term, since a strategy may be tried on any program. Names none of
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import product
from typing import Any, Final

import pytest

import elevate
import rise
import strategies
from elevate import Predicate, Strategy, StrategyError
from elevate.term import preorder
from strategies import registry
from tests.examples import some
from tests.strategies.corpus import NAMES, program

#: values to try for parameters without a default
VALUES: Final = (4, 32, 1, "e", "views")


def library() -> Iterator[Strategy]:
    """Every strategy of the library, with the first values that it accepts for parameters without a default."""
    for address, entry in registry.strategies().items():
        missing = [name for name in entry.parameters if "=" not in name]
        for values in product(VALUES, repeat=len(missing)):
            try:
                yield strategies.load(address, **dict(zip(missing, values, strict=True)))
            except StrategyError:
                continue
            break
        else:
            raise AssertionError(f"{address} takes none of {VALUES}")


@cache
def predicates() -> dict[str, Predicate]:
    """All predicates in strategies of the library, by name."""
    found: dict[str, Predicate] = {}
    seen: dict[int, Any] = {}  # objects that were visited, kept alive, since they are identified by address
    waiting: list[Any] = list(library())
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif isinstance(one, Strategy) and id(one) not in seen:
            seen[id(one)] = one
            if isinstance(one, Predicate):
                found[repr(one)] = one
            waiting += [getattr(one, field.name) for field in fields(one)]  # type: ignore[arg-type]  # all are dataclasses
    return found


@cache
def terms() -> tuple[rise.Expr, ...]:
    """The terms in some cases and in their lowered programs."""
    found: dict[rise.Expr, None] = {}
    for name in some(NAMES, apart=32):
        for address in ("strategies.sequential:sequential", "strategies.gpu:blocksAndThreads"):
            result = strategies.load(address)(program(name))
            assert isinstance(result, elevate.Success)
            for e in (program(name), result.program):
                found |= {term: None for term, _ in preorder(e) if isinstance(term, rise.Expr)}
    return tuple(found)


def test_there_are_predicates_and_terms() -> None:
    assert len(predicates()) > 50
    assert len(terms()) > 500


@pytest.mark.parametrize("name", sorted(predicates()))
def test_a_predicate_returns_a_result_for_any_term(name: str) -> None:
    predicate = predicates()[name]
    for term in some(terms(), 2, first=len(name)):
        if predicate.roots is None or term.root in predicate.roots:
            assert predicate.holds(term) in (True, False), term
