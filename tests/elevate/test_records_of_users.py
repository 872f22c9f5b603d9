"""Records that users construct with wrong fields: one diagnostic with the field, what was expected and found, and the
user's line.

Users raise diagnostics, and write strategies that return results, orders of children, and rules that explain a
mismatch. Records that only the package constructs, such as `Outcome` and `Counters`, are not checked.
"""

from typing import Any

import pytest

import elevate
from elevate import StrategyError
from elevate.toy import tree

E: Any = elevate
LEAF = tree("a")
STEPS = elevate.id_(LEAF).steps  # type: ignore[union-attr]  # a success
MISTAKES = {
    "a success of a number": (lambda: E.Success(1, STEPS), "a term as `program` of Success, found 1"),
    "a success with a list": (lambda: E.Success(LEAF, []), "a Steps as `steps` of Success, found []"),
    "a failure of text": (lambda: E.Failure("id", (), E.id_, LEAF), "a Strategy as `strategy` of Failure"),
    "a failure at text": (lambda: E.Failure(E.id_, "0", E.id_, LEAF), "a path, a tuple of child indices"),
    "a failure on nothing": (lambda: E.Failure(E.id_, (), E.id_, None), "a term as `given` of Failure"),
    "a step of text": (lambda: E.Step("rule", (), LEAF, LEAF), "a rule as `rule` of Step"),
    "a step at a number": (lambda: E.Step(FUSE, 0, LEAF, LEAF), "a path, a tuple"),
    "a step to a number": (lambda: E.Step(FUSE, (), LEAF, 3), "a term as `contractum` of Step"),
    "what happened to text": (lambda: E.Happened("a", STEPS), "a term as `term` of Happened"),
    "an order of numbers": (lambda: E.Order("twice", (0, 0)), "a function as `indices` of Order"),
    "an order by a number": (lambda: E.Order(1, len), "a str as `name` of Order"),
    "a mismatch of terms": (lambda: E.Mismatch((), LEAF, "a"), "a str as `expected` of Mismatch"),
    "a mismatch at a list": (lambda: E.Mismatch([0], "f", "a"), "a path, a tuple"),
    "a diagnostic of numbers": (lambda: E.Diagnostic(1, 2), "a str as `code` of Diagnostic, found 1"),
    "a list of notes": (lambda: E.Diagnostic("c", "t", notes=[]), "a tuple as `notes` of Diagnostic"),
    "a number as a note": (lambda: E.Diagnostic("c", "t", notes=(1,)), "a tuple, each item a str,"),
    "a label of text": (lambda: E.Label("0", 1, ""), "an int as `start` of Label, found '0'"),
    "an error of text": (lambda: E.StrategyError("t"), "a Diagnostic as `diagnostic` of StrategyError"),
}


@elevate.rule(roots=[("a", 0)], depth=0)
def FUSE(term: Any) -> Any:
    return None


@pytest.mark.parametrize("name", MISTAKES)
def test_the_field_is_named_with_the_users_line(name: str) -> None:
    build, title = MISTAKES[name]
    with pytest.raises(StrategyError) as refused:
        build()
    diagnostic = refused.value.diagnostic
    assert f"expected {title}" in diagnostic.title and diagnostic.hint
    assert "test_records_of_users.py:" in diagnostic.notes[0]
