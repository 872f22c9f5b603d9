"""Runs that never end, and rules that break their contract: each is reported early with its rules; runs that end are
not.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elevate import (
    FunctionRule,
    Rule,
    Strategy,
    StrategyError,
    Success,
    normalize,
    repeat,
    rule,
    run,
    topDown,
)
from elevate.engine.nontermination import MIN_GROWTH_FACTOR, MIN_GROWTH_FIRINGS, size_of
from elevate.engine.run import Engine
from elevate.testing import wrapped
from elevate.toy import Tree, fToG, grow, mergeH, node, swap, tree
from tests.examples import examples


def error_of(
    strategy: Strategy, program: Tree, fuel: int | None = None, engine: Engine = "fast"
) -> StrategyError:
    with pytest.raises(StrategyError) as caught:
        run(strategy, program, fuel=fuel, engine=engine)
    return caught.value


@rule(roots=[("k", 1)], depth=0)
def kToJ(term: Tree) -> Tree | None:
    """`k x = j x`, which `jToKs` turns into two k again."""
    return node("j", term.children) if term.root == ("k", 1) else None


@rule(roots=[("j", 1)], depth=0)
def jToKs(term: Tree) -> Tree | None:
    """`j x = k (k x)`"""
    return tree("k", node("k", term.children)) if term.root == ("j", 1) else None


@rule(roots=[("p", 2)], depth=0)
def double(term: Tree) -> Tree | None:
    """`p x y = p (p x y) (p x y)`: doubles the term each time."""
    return tree("p", term, term) if term.root == ("p", 2) else None


@pytest.mark.parametrize(
    ("strategy", "program", "rules"),
    [
        (normalize(grow), tree("k", "a"), ["grow"]),
        (normalize(mergeH | grow), wrapped("hhhh", tree("k", "a")), ["grow"]),
        (normalize(kToJ | jToKs), tree("h", tree("k", "a")), ["kToJ", "jToKs"]),
        (repeat(topDown(kToJ) >> topDown(jToKs)), tree("h", tree("k", "a")), ["kToJ", "jToKs"]),
        (repeat(double), tree("p", "a", "b"), ["double"]),
    ],
    ids=str,
)
def test_growth_without_end_is_reported_early(strategy: Strategy, program: Tree, rules: list[str]) -> None:
    diagnostic = error_of(strategy, program).diagnostic
    assert diagnostic.code == "endless-growth"
    assert str(strategy) in diagnostic.title
    names = diagnostic.title.partition(" firings of the rules ")[2]
    assert sorted(names.split(", ")) == sorted(rules)
    firings = int(diagnostic.title.partition(" nodes in ")[2].split()[0])
    assert MIN_GROWTH_FIRINGS <= firings <= 3 * MIN_GROWTH_FIRINGS


GROWTH = """
error[endless-growth]: normalize(grow) makes the program grow without bound: from 2 to 4,098 nodes in 4096 firings \
of the rules grow
note: grow: k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k... = k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k(k...
hint: a repeated strategy must fail when nothing is left to do: guard one of these rules; if it does end, \
call `elevate.run` with enough fuel
"""


def test_the_message_about_growth() -> None:
    assert str(error_of(normalize(grow), tree("k", "a"))) == GROWTH.strip()


def test_the_reference_reports_growth_too() -> None:
    assert (
        error_of(repeat(double), tree("p", "a", "b"), engine="reference").diagnostic.code == "endless-growth"
    )


def test_the_given_fuel_is_used_up() -> None:
    error = error_of(normalize(grow), tree("k", "a"), fuel=2 * MIN_GROWTH_FIRINGS)
    assert error.diagnostic.code == "fuel-spent"
    assert (
        f"has not ended after {2 * MIN_GROWTH_FIRINGS} firings; the last rules fired are grow"
        in error.diagnostic.title
    )


def countdown(copies: int) -> FunctionRule:
    """`n x = x' (n-1 x)`: unrolls a loop of this many rounds."""

    def apply(term: Tree) -> Tree | None:
        if term.label != "loop" or term.remark == "0":
            return None
        rest = tree("loop", *term.children, remark=str(int(term.remark) - 1))
        return tree("p", *term.children, rest)

    return FunctionRule("countdown", apply, frozenset([("loop", 1)]), 0)


def widen(term: Tree) -> Tree | None:
    return tree("x", *[tree("y", tree("y", tree("y", "b")))] * 3) if term.root == ("a", 0) else None


def wide(places: int) -> Tree:
    """A balanced term with this many distinct leaves."""
    row = [tree("n", "a", tree(f"c{number}")) for number in range(places)]
    while len(row) > 1:
        row = [tree("p", *row[at : at + 2]) for at in range(0, len(row), 2)]
    return row[0]


WIDEN = FunctionRule("widen", widen, frozenset([("a", 0)]), 0)


@pytest.mark.parametrize(
    ("strategy", "program", "firings"),
    [
        (normalize(countdown(0)), tree("loop", wrapped("fgfgfg", tree("a")), remark="3000"), 3000),
        (normalize(WIDEN), wide(5000), 5000),
        (normalize(fToG), wrapped("f" * 9000, tree("a")), 9000),
    ],
    ids=["an unrolled loop", "growth at each place", "no growth"],
)
def test_runs_that_end_are_not_reported(strategy: Strategy, program: Tree, firings: int) -> None:
    result = strategy(program)
    assert isinstance(result, Success)
    assert result.firings == firings


@settings(max_examples=examples(60))
@given(st.integers(1, 40), st.integers(1, 6))
def test_a_cycle_is_reported_whatever_came_before(before: int, pairs: int) -> None:
    program = wrapped("f" * before, tree("a"))
    for _ in range(pairs):
        program = tree("p", "a", program)
    diagnostic = error_of(normalize(fToG | swap), program).diagnostic
    assert diagnostic.code == "endless-repeat"
    assert diagnostic.title.endswith("by firing swap")


def test_sizes_count_shared_subterms_each_time() -> None:
    program = tree("a")
    for _ in range(50):
        program = tree("p", program, program)
    assert size_of([program]) == 2**51 - 1
    assert size_of([tree("a"), tree("h", "a")]) == 3
    assert MIN_GROWTH_FACTOR > 1


class Typed(Tree):
    """A tree that must not become a g."""

    __slots__ = ()

    def breach(self, contractum: Any) -> tuple[str, str, str] | None:
        return ("makes a g", "anything else", repr(contractum)) if contractum.label == "g" else None


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("wrap", [topDown, normalize, repeat], ids=lambda wrap: wrap.__name__)
def test_a_broken_contract_names_rule_and_place(engine: Engine, wrap: Callable[[Rule], Strategy]) -> None:
    program = Typed()
    program.label, program.children, program.remark, program._twin = "f", (tree("a"),), "", None
    error = error_of(wrap(fToG), program, engine=engine)
    assert error.diagnostic.code == "rule-broken"
    assert error.diagnostic.title == "fToG makes a g at the root: expected anything else, found g(a)"
    assert error.diagnostic.notes == ("it rewrote f(a) to g(a)",)
