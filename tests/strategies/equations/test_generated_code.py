"""The function generated for an equation has the same result as matching followed by building."""

from __future__ import annotations

import pytest

from rise.scalars import SCALARS
from strategies.equations.generated_code import rewriting
from strategies.equations.rule import EquationRule
from tests.examples import some
from tests.strategies.equations.test_patterns import EQUATIONS, terms


def is_whole(rule: EquationRule) -> bool:
    """Whether code can be generated for an equation: it builds its right side from what matches, and nothing else."""
    compiled = rule.compiled
    return not (compiled.functions or compiled.contexts or compiled.needs or rule.compute)


def test_code_is_generated_for_most_equations() -> None:
    assert sum(map(is_whole, EQUATIONS.values())) > len(EQUATIONS) * 0.7


@pytest.mark.parametrize("address", some(EQUATIONS, 26, first=1))
def test_it_agrees_with_matching_and_building(address: str) -> None:
    rule: EquationRule = EQUATIONS[address]
    compiled = rule.compiled
    if not is_whole(rule):
        return
    matcher = compiled.matcher
    rewrite = rewriting(compiled.left, compiled.right, matcher.may_mention, {}, address)
    for term in terms():
        if matcher.fits(term):
            bindings = matcher.bind(term, {})
            expected = None if bindings is None else compiled.builder.build(bindings)
            assert rewrite(term) is expected, (rule, term)


def test_all_scalars_are_data() -> None:
    assert all("data" in scalar.classes for scalar in SCALARS.values())
