"""Rules that create vectors of numbers fail if there are none."""

import pytest

import rise
from elevate import Failure, Strategy, topDown
from strategies.rules.cpu import vectorOperation
from strategies.rules.images import vectorsOfMap


@pytest.mark.parametrize(
    ("law", "numbers"),
    [
        (vectorOperation, "map(neg, xs)"),
        (vectorOperation, "map(fun(x => x * x), xs)"),
        (vectorsOfMap, "padEmpty(0, map(fun(x => neg(x)), xs))"),
    ],
)
def test_empty_vectors_are_not_created(law: Strategy, numbers: str) -> None:
    e = rise.parse_expr(f"asVector{{1}}(0)({numbers})", {"xs": "0.f32"})
    assert isinstance(topDown(law)(e), Failure)
