"""Policies on a space with a table of results: what they find, what they omit, and that they resume in the same way."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from random import Random
from statistics import median

import pytest

import rise
from elevate import Strategy, id_
from rise import RiseError
from rise.hardware import DEFAULT
from strategies.spaces import Leaf, Open, choose, leaves, replay, space
from strategies.spaces.bounds import Bound
from strategies.spaces.holes import Decisions, bounded
from strategies.spaces.models import Setting
from strategies.spaces.policies import POLICIES, policy_of
from strategies.spaces.replay import text_of
from strategies.spaces.tree import Tree
from tests.examples import THOROUGH, in_whole, some

SEEDS = range(30 if THOROUGH else 9)
SETTING = Setting(rise.parse("val main = fun(xs: 8.f32 => xs |> map(fun(x => x + 1.0)))").main, {}, DEFAULT)


def cycles(at: Setting, decisions: Decisions) -> Bound:
    """A bound for tiles in registers: small tiles wait for sums, and load more for each element."""
    rows, vectors = decisions["rows"], decisions["vectors"]
    assert isinstance(rows, int) and isinstance(vectors, int)
    each = {"units": rows * vectors / 2, "loads": (rows + vectors) / 2, "latency": 4.0}
    why = max(each, key=lambda name: each[name])
    return Bound(each[why] / (rows * vectors), why)


@bounded(cycles)
@space
def tiles() -> Strategy:
    vectors = choose("vectors", (1, 2, 3, 4, 6))
    choose("rows", range(1, 25), where=lambda rows: rows * vectors + vectors + 1 <= 32)
    choose("prefetch", (True, False))
    choose("height", (2, 4))
    return id_


def seconds(decisions: Decisions) -> float:
    """A reproducible result: the bound, and up to half as much again, depending on the other decisions."""
    digest = hashlib.sha256(text_of(decisions).encode()).digest()
    odd = 0.1 if decisions["prefetch"] else 0.0
    return float(cycles(SETTING, decisions).time) * (1.02 + odd + 0.4 * digest[0] / 255)


ALL = {text_of(leaf.decisions): seconds(leaf.decisions) for leaf in leaves(tiles)}
BEST = min(ALL.values())


def search(
    policy: str, seed: int = 0, most: int = 10**6, told: Tree | None = None, speed: float = 1.0
) -> Iterator[Decisions]:
    """The candidates that a policy selects, in order, on a machine that is `speed` times as fast as its record."""
    tree, one = told or Tree(tiles, SETTING), policy_of(policy)
    while tree.results < most and (found := one.ask(tree, Random(f"{seed}/{tree.results}"))) is not None:
        yield found
        tree.tell(found, seconds(found) / speed)
        one.tell(found, seconds(found) / speed)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_search_without_limit_finds_the_best_and_tries_nothing_twice(policy: str) -> None:
    tree = Tree(tiles, SETTING)
    found = [text_of(one) for one in search(policy, told=tree)]
    assert len(found) == len(set(found)) and set(found) <= ALL.keys()
    assert min(ALL[one] for one in found) == BEST == tree.best
    is_pruning = policy_of(policy).prunes
    assert (len(found) < 0.6 * len(ALL)) == is_pruning
    if is_pruning:
        lower = tree.lower()
        assert tree.gap() == 0 and lower is not None and lower.time >= BEST
    else:
        assert tree.lower() is None


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy_of(policy).prunes])
def test_the_best_is_found_on_a_machine_that_is_faster_than_its_record(policy: str) -> None:
    """Every time is half of what the record allows, so that the first results seem to rule out all other candidates."""
    tree = Tree(tiles, SETTING)
    found = [text_of(one) for one in search(policy, told=tree, speed=2.0)]
    assert tree.best == BEST / 2 and min(ALL[one] for one in found) == BEST
    assert len(found) == len(ALL) and tree.gap() is None


def test_bounds_of_prefixes_are_the_minimum_below_and_increase() -> None:
    tree = Tree(tiles, SETTING)
    assert tree.bounds.is_complete
    waiting = [tree.root]
    while waiting:
        prefix = waiting.pop()
        below = [cycles(SETTING, leaf.decisions).time for leaf in leaves(tiles, prefix.decisions)]
        assert math.isclose(prefix.bound.time, min(below)) and prefix.bound.why in (
            "units",
            "loads",
            "latency",
        )
        if not prefix.is_leaf:
            assert all(child.bound.time >= prefix.bound.time for child in tree.below(prefix))
            waiting += tree.below(prefix)


def test_no_bound_is_above_a_result_below_it() -> None:
    tree = Tree(tiles, SETTING)
    for leaf in leaves(tiles):
        prefix = tree.find(leaf.decisions)
        assert prefix is not None and prefix.is_leaf and prefix.decisions == leaf.decisions
        assert prefix.bound.time <= seconds(leaf.decisions)


@pytest.mark.parametrize("policy", some(POLICIES, 2))
def test_an_interrupted_search_resumes_in_the_same_way(policy: str) -> None:
    """A search that is given stored results selects the same next candidates as the first search."""
    whole = [text_of(one) for one in search(policy, most=24)]
    for stop in some((7, 0, 1, 16), 2):
        tree = Tree(tiles, SETTING)
        for one in list(search(policy, most=stop)):
            tree.tell(one, seconds(one))
        again = [text_of(one) for one in search(policy, most=24, told=tree)]
        assert not {*again} & {*whole[:stop]}
        assert len(again) == 24 - stop
        if policy != "bnb":  # the order of equal bounds depends on the results that it knows
            assert again == whole[stop:]


def test_bounds_find_better_candidates_sooner() -> None:
    """The median over seeds of the best found, relative to the best of all, after the first few candidates."""

    def after(policy: str) -> float:
        return median(min(seconds(one) for one in search(policy, seed, 5)) / BEST for seed in SEEDS)

    assert after("bound") < after("random")
    assert after("tag") < after("random")


def test_dead_candidates_are_results_without_a_time() -> None:
    tree = Tree(tiles, SETTING)
    one = policy_of("tag")
    for _ in range(10):
        found = one.ask(tree, Random(tree.results))
        assert found is not None
        tree.tell(found, None)
    assert tree.best is None and tree.gap() is None and tree.results == 10


def test_dead_prefixes_are_stored_with_their_diagnostics() -> None:
    @space
    def narrow() -> Strategy:
        rows = choose("rows", (1, 2))
        choose("columns", (1, 2), where=lambda columns: columns > rows)
        return id_

    tree = Tree(narrow)
    one = policy_of("exhaustive")
    assert one.ask(tree, Random(0)) == {"rows": 1, "columns": 2}
    assert one.ask(tree, Random(0)) is None
    assert [dead.diagnostic.code for dead in tree.dead] == ["no-value"]


@in_whole("test_bounds_find_better_candidates_sooner")
def test_a_space_with_too_many_prefixes_has_the_bound_of_the_program() -> None:
    @bounded(cycles)
    @space
    def large() -> Strategy:
        for name in ("vectors", "rows", "c"):
            choose(name, range(1, 29))
        return id_

    tree = Tree(large, SETTING)
    assert not tree.bounds.is_complete
    outcome = replay(large, {})
    assert isinstance(outcome, Open) and tree.root.bound.time <= tree.below(tree.root)[0].bound.time
    decisions = policy_of("random").ask(tree, Random(0))
    assert decisions is not None and isinstance(replay(large, decisions), Leaf)
    leaf = tree.find(decisions)
    assert leaf is not None and leaf.bound.time == cycles(SETTING, decisions).time


def test_a_wrong_bound_is_rejected() -> None:
    @bounded(lambda at, decisions: -1)
    @space
    def odd() -> Strategy:
        choose("a", (1, 2))
        return id_

    with pytest.raises(RiseError) as caught:
        Tree(odd, SETTING)
    assert caught.value.diagnostic.code == "no-bound"


@pytest.mark.parametrize("prefixes", [False, True])
def test_a_bound_that_fails_is_reported_with_its_place(prefixes: bool) -> None:
    @bounded(lambda at, decisions: 1 // 0, prefixes=prefixes)
    @space
    def broken() -> Strategy:
        choose("a", (1, 2))
        return id_

    with pytest.raises(RiseError) as caught:
        Tree(broken, SETTING)
    found = caught.value.diagnostic
    assert found.code == "broken-bound"
    assert found.title.startswith("calling the bound of `broken` failed: ")
    assert found.title.endswith("ZeroDivisionError: integer division or modulo by zero")
    assert found.hint == ("it fails for {}" if prefixes else 'it fails for {"a": 2}')


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(RiseError) as caught:
        policy_of("tga")
    assert caught.value.diagnostic.hint == "did you mean `tag`?"
