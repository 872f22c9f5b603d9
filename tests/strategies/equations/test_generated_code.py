"""The function generated for an equation has the same result as matching followed by building."""

from __future__ import annotations

import pytest

from rise.scalars import SCALARS
from strategies.equations.generated_code import rewriting
from strategies.equations.rule import EquationRule
from tests.strategies.equations.test_patterns import EQUATIONS, terms

WHOLE = {
    address: rule
    for address, rule in EQUATIONS.items()
    if not (rule.compiled.functions or rule.compiled.contexts or rule.compiled.needs or rule.compute)
}


@pytest.mark.parametrize("address", WHOLE)
def test_it_agrees_with_matching_and_building(address: str) -> None:
    rule: EquationRule = WHOLE[address]
    compiled = rule.compiled
    matcher = compiled.matcher
    rewrite = rewriting(compiled.left, compiled.right, matcher.may_mention, {}, address)
    for term in terms():
        if matcher.fits(term):
            bindings = matcher.bind(term, {})
            expected = None if bindings is None else compiled.builder.build(bindings)
            assert rewrite(term) is expected, (rule, term)


def test_all_scalars_are_data() -> None:
    assert all("data" in scalar.classes for scalar in SCALARS.values())
