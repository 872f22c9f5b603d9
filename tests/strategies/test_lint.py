"""Findings of `lint` about a rule before it is used."""

import pytest

from elevate import StrategyError
from strategies import rule
from strategies.rules import fusion, movement, shapes
from strategies.testing import lint


def test_conditions_on_free_variables_are_inferred() -> None:
    constant = rule("map (fun(x => f)) xs = map (fun(y => f)) xs", why="Of constant functions.")
    assert lint(constant).not_free == ("`x` is not free in `f`",)
    assert lint(fusion.mapFusion).not_free == ()


def test_a_rule_that_fires_in_its_own_larger_result_is_found() -> None:
    for repeating in (
        movement.splitJoin,
        movement.splitJoin(2),
        rule("map f xs = map f (map id xs)", why="Again."),
    ):
        found = lint(repeating)
        assert found.repeats and found.change > 0
        assert "does not end" in str(found)
    for ending in (fusion.mapFusion, movement.joinSplit, movement.transposeTranspose):
        assert not lint(ending).repeats


def test_orientation() -> None:
    assert lint(movement.joinSplit).change < 0 < lint(movement.splitJoin(2)).change


def test_overlaps_and_rules_that_undo_each_other() -> None:
    others = [movement.splitJoin, movement.joinSplit, shapes.joinJoin, fusion.mapFission]
    found = lint(fusion.mapFission, [*others, fusion.mapFusion])
    assert "mapFusion" in found.undone_by
    pairs = {(one.outer.name, one.inner.name, one.path) for one in lint(fusion.mapFusion, others).overlaps}
    assert ("mapFusion", "splitJoin", ()) in pairs
    assert ("mapFusion", "mapFission", (1,)) in pairs
    assert not lint(movement.joinSplit, [fusion.mapFusion]).overlaps


def test_only_rules_have_lint() -> None:
    with pytest.raises(StrategyError, match="expected a rule or a family of rules, found a str"):
        lint("map id xs = xs")  # type: ignore[arg-type]  # the mistake that is tested
