"""Records that users construct with wrong fields: one diagnostic at the user's line, with the field, what was expected
and what was found.

Users raise their own diagnostics, and limit a search. Other records of the public API are returned by functions.
"""

import pickle
import traceback
from typing import Any

import pytest

import rise
import shine

RISE: Any = rise
SHINE: Any = shine
RIGHT = rise.Diagnostic(
    "far", "too far", (rise.Label(0, 4, "here"),), "go back", ("a note",), "text", "f.rise"
)
DIAGNOSTIC = "Diagnostic(code, title, labels, hint, notes, source, file)"
MISTAKES = {
    "an end as text": (lambda: RISE.Label(0, "x"), "expected an int as `end` of Label(start, end, text)"),
    "a text that is a number": (lambda: RISE.Label(0, 1, 2), "expected a str as `text`"),
    "no start": (lambda: RISE.Label(start=None, end=1), "expected an int as `start`"),
    "numbers": (
        lambda: RISE.Diagnostic(1, 2),
        f"expected a str as `code` of {DIAGNOSTIC}, found 1, of type int",
    ),
    "a list of labels": (lambda: RISE.Diagnostic("far", "t", []), "expected a tuple, each item a Label,"),
    "a label as text": (lambda: RISE.Diagnostic("far", "t", ("here",)), "found 'here', of type str"),
    "a note in no tuple": (
        lambda: RISE.Diagnostic("far", "t", notes="a"),
        "expected a tuple, each item a str,",
    ),
    "no hint": (lambda: RISE.Diagnostic("far", "t", hint=None), "expected a str as `hint`"),
    "an error of text": (lambda: RISE.RiseError("far"), "expected a Diagnostic as `diagnostic` of RiseError"),
}
LIMITS = {
    "no time": (lambda: SHINE.Limits(0), "`build_seconds`: expected a positive number, found 0"),
    "memory as text": (lambda: SHINE.Limits(memory="4 GiB"), "`memory`: expected a positive number"),
    "truth": (lambda: SHINE.Limits(run_seconds=True), "`run_seconds`: expected a positive number"),
    "a number as text": (lambda: SHINE.Budget("10"), "`evaluations`: expected a positive number"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_field_is_named_at_the_users_line(name: str) -> None:
    build, title = MISTAKES[name]
    with pytest.raises(rise.RiseError) as refused:
        build()
    assert title in refused.value.diagnostic.title and refused.value.diagnostic.hint
    assert traceback.extract_tb(refused.value.__traceback__)[-1].filename == __file__


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_positive_numbers(name: str) -> None:
    build, title = LIMITS[name]
    with pytest.raises(rise.RiseError) as refused:
        build()
    assert title in refused.value.diagnostic.title and refused.value.diagnostic.hint


def test_copies_keep_correct_fields() -> None:
    assert pickle.loads(pickle.dumps(RIGHT)) == RIGHT
    assert "go back" in str(rise.RiseError(RIGHT))
