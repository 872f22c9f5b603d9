"""Random terms on which rules are tested: operations that are valid for their types."""

from __future__ import annotations

from typing import Any

import pytest

import rise
from rise.scalars import SCALARS
from rise.terms import Var
from rise.types import ScalarType
from strategies.testing.terms import Source, closed, digest, operations_on

NUMBERS = [ScalarType(name) for name, facts in SCALARS.items() if "ring" in facts.classes]


def never(*_: Any) -> Any:
    raise AssertionError("nothing is drawn")


@pytest.mark.parametrize("t", NUMBERS, ids=str)
def test_operations_and_digests_have_types(t: ScalarType) -> None:
    x = Var("x", t)
    assert operations_on(t) == ["add", "sub", "mul"] + ["max"] * (not SCALARS[t.name].part)
    for name in operations_on(t):
        assert rise.parse(f"fun(x: {t} => {name}(x, x))").main.type
    for wanted in NUMBERS:
        e = closed(digest(Source(never), x, wanted), [x])
        assert rise.parse_expr(rise.show(e)) == e
