"""Whether a term is another one below binders is decided without moving that one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import rise
from rise.nodes import postorder
from rise.terms import Expr, is_shifted, shift
from tests.call_counts import calls_of

CASES: Final = sorted((Path(__file__).parents[2] / "cases").glob("*.rise"))[::7]
MAX_NODES: Final = 80  # of a case, so that there are few pairs


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_it_agrees_with_moving_the_term(path: Path) -> None:
    nodes = [node for node in postorder(rise.parse_file(path).main) if isinstance(node, Expr)][-MAX_NODES:]
    for term in nodes:
        for by in range(3):
            moved = shift(term, by)
            assert is_shifted(moved, term, by)
            for other in nodes:
                assert is_shifted(other, term, by) is (other == moved)


def test_terms_that_differ_in_a_literal_or_a_variable_do_not_agree() -> None:
    body = (
        rise.parse("fun(x: f32, y: f32 => pair(x + 1.0, pair(x + 2.0, y + 1.0)))")
        .main.children[0]
        .children[0]
    )
    sums = [node for node in postorder(body) if isinstance(node, Expr) and node.root == ("add", 2)]
    assert len(sums) == 3
    for one in sums:
        assert [is_shifted(shift(other, 2), one, 2) for other in sums] == [other is one for other in sums]


def test_unlike_terms_are_told_apart_early() -> None:
    chain = "x" + " |> map(fun(v => v * 2.0))" * 50
    first, second = (
        rise.parse(f"fun(x: 64.f32 => {chain} |> map({last}))").main.children[0] for last in ("neg", "abs")
    )
    assert calls_of(lambda: is_shifted(shift(first, 0), second, 3)) < 20
