"""The fast matcher of a rule's left side and the one that explains mismatches: they agree."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

import elevate
import strategies
from elevate.term import preorder
from rise.terms import Expr
from strategies.equations.matcher import Bindings, Matcher, NoMatch
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.registry import rules
from tests.examples import some
from tests.strategies import corpus

EQUATIONS = {
    address: rule
    for address, entry in rules().items()
    if (rule := entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule).by is None
}


@cache
def terms() -> list[Any]:
    """Every second sub-term of the redexes and contracta in some derivations."""
    found: dict[Any, None] = {}
    for name in ("gemm", "gemm_f32", "laplace", "attention"):
        for strategy in ("strategies.openmp:parallel", "strategies.tensor_core:tensorCore"):
            result = strategies.load(strategy)(corpus.program(name))
            if isinstance(result, elevate.Success):
                for step in result.steps:
                    found |= {
                        term: None for whole in (step.redex, step.contractum) for term, _ in preorder(whole)
                    }
    return some(found, apart=2)


def told(matcher: Matcher, term: Expr) -> Bindings | None:
    """The result of the matcher that explains mismatches."""
    try:
        return matcher.match(term, {})
    except NoMatch:
        return None


def anywhere(terms: Mapping[str, Any]) -> dict[str, Any]:
    """The bindings of metavariables. A term without variables is the same under any binders, and the matchers may find
    different occurrences of it first.
    """
    return {name: (term, binders if term.loose else ()) for name, (term, binders) in terms.items()}


@pytest.mark.parametrize("address", some(EQUATIONS, 9))
def test_the_fast_matcher_agrees_with_the_explaining_one(address: str) -> None:
    rule: EquationRule = EQUATIONS[address]
    matcher = rule.compiled.matcher
    fitting, others = [], []
    for term in terms():
        (fitting if matcher.fits(term) else others).append(term)
    for term in some(others, 8):
        assert told(matcher, term) is None, (rule, term)
    for term in fitting:
        expected = told(matcher, term)
        found = matcher.bind(term, {})
        assert (found is None) == (expected is None), (rule, term)
        if found is not None and expected is not None:
            assert anywhere(found.terms) == anywhere(expected.terms), (rule, term)
            assert found.types == expected.types, (rule, term)
            assert found.names == expected.names, (rule, term)
