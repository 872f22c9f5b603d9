"""Diagnostics: how they are shown. Independent of users' mistakes."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import Diagnostic, Label, RiseError, did_you_mean, quoted, width

MISMATCH = Diagnostic(
    "size-mismatch",
    "12 is not a multiple of 5",
    (Label(23, 30, "m*5 must equal 12"),),
    "split by a divisor of 12, or `padEmpty 3` first",
    source="fun(xs: 12.f32 =>\n  xs |> split 5 |> join)",
)


def shown(source: str, *labels: Label) -> list[str]:
    """The rendered excerpt alone."""
    return Diagnostic("c", "t", labels, source=source).render().split("\n")[1:]


def test_a_diagnostic_shows_fact_place_and_next_action() -> None:
    diagnostic = Diagnostic(
        MISMATCH.code,
        MISMATCH.title,
        (Label(26, 33, "m*5 must equal 12"),),
        MISMATCH.hint,
        (),
        MISMATCH.source,
    )
    assert diagnostic.render().split("\n") == [
        "error[size-mismatch]: 12 is not a multiple of 5",
        "  2 |   xs |> split 5 |> join)",
        "    |         ^^^^^^^ m*5 must equal 12",
        "hint: split by a divisor of 12, or `padEmpty 3` first",
    ]


def test_file_and_notes_are_shown() -> None:
    diagnostic = Diagnostic("c", "t", (Label(3, 4),), "h", ("one", "two"), "a\nbcd", "dir/a.rise")
    assert diagnostic.render().split("\n") == [
        "error[c]: t",
        " --> dir/a.rise:2:2",
        "  2 | bcd",
        "    |  ^",
        "note: one",
        "note: two",
        "hint: h",
    ]
    assert Diagnostic("c", "t", file="a.rise").render() == "error[c]: t\n --> a.rise"


def test_labels_are_shown_in_order_and_each_line_once() -> None:
    assert shown("f(a\nb]", Label(5, 6, "here"), Label(1, 2, "opened"), Label(0, 1)) == [
        "  1 | f(a",
        "    | ^",
        "    |  ^ opened",
        "  2 | b]",
        "    |  ^ here",
    ]


@pytest.mark.parametrize(
    ("source", "label", "excerpt"),
    [
        ("", Label(0, 0, "end"), ["  1 |", "    | ^ end"]),
        ("ab", Label(2, 2), ["  1 | ab", "    |   ^"]),
        ("ab\n", Label(3, 3), ["  2 |", "    | ^"]),
        ("ab\r\ncd", Label(4, 6), ["  2 | cd", "    | ^^"]),
        ("ab\rcd", Label(3, 9), ["  2 | cd", "    | ^^"]),
        ("ab\ncd", Label(1, 5, "both lines"), ["  1 | ab", "    |  ^ both lines"]),
        ("\ta\tb", Label(3, 4), ["  1 |     a   b", "    |         ^"]),
        ("\ta", Label(0, 1), ["  1 |     a", "    | ^^^^"]),
        ("漢字 x", Label(3, 4), ["  1 | 漢字 x", "    |      ^"]),
        ("漢字", Label(1, 2), ["  1 | 漢字", "    |   ^^"]),
        ("e\u0301x", Label(2, 3), ["  1 | e\u0301x", "    |  ^"]),
        ("a\x1bb", Label(2, 3), ["  1 | a\\x1bb", "    |      ^"]),
        ("a\u202eb", Label(1, 2), ["  1 | a\\u202eb", "    |  ^^^^^^"]),
        ("a\ud800b", Label(1, 2), ["  1 | a\\ud800b", "    |  ^^^^^^"]),
        ("ab", Label(70, 80), ["  1 | ab", "    |   ^"]),
        ("ab", Label(-5, -3), ["  1 | ab", "    | ^"]),
        ("\n" * 99 + "x", Label(99, 100), ["  100 | x", "      | ^"]),
    ],
)  # fmt: skip
def test_places(source: str, label: Label, excerpt: list[str]) -> None:
    assert shown(source, label) == excerpt


def test_long_lines_are_clipped_around_the_label() -> None:
    code, carets = shown("a" * 500 + "b" + "a" * 500, Label(500, 501, "here"))
    assert code.startswith("  1 | ...aaa") and code.endswith("aaa...") and len(code) < 130
    assert code[carets.index("^")] == "b" and carets.endswith("^ here")
    first, last = shown("ab" + "c" * 500, Label(1, 2)), shown("c" * 500 + "ab", Label(501, 502))
    assert first[0].startswith("  1 | abc") and first[1] == "    |  ^"
    assert last[0].endswith("cab") and len(last[0]) == len(last[1])


def test_labels_far_apart_on_one_line_are_both_shown() -> None:
    excerpt = shown("a" * 500 + "b" * 500, Label(0, 1), Label(999, 1000))
    assert [line.count("^") for line in excerpt] == [0, 1, 0, 1]


def test_titles_and_hints_are_shown_completely() -> None:
    rendered = Diagnostic("c", "a\x1b[31m", hint="\u200b").render()
    assert rendered == "error[c]: a\\x1b[31m\nhint: \\u200b"


def test_an_error_carries_its_diagnostic_and_pickles() -> None:
    error = RiseError(MISMATCH)
    assert str(error) == MISMATCH.render()
    assert pickle.loads(pickle.dumps(error)).diagnostic == MISMATCH


def test_plain_values_for_json() -> None:
    plain = Diagnostic("c", "t", (Label(3, 4, "x"),), "h", ("n",), "a\nbcd", "f").to_dict()
    assert json.loads(json.dumps(plain)) == {
        "severity": "error",
        "code": "c",
        "title": "t",
        "file": "f",
        "labels": [{"start": 3, "end": 4, "line": 2, "column": 2, "text": "x"}],
        "notes": ["n"],
        "hint": "h",
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mapSec", "did you mean `mapSeq` or `map`?"),
        ("MAP", "did you mean `map`?"),
        ("redce", "did you mean `reduce` or `reduceSeq`?"),
        ("qqq", ""),
        ("", ""),
        ("m" * 100_000, ""),
    ],
)
def test_did_you_mean(name: str, hint: str) -> None:
    assert did_you_mean(name, ["map", "mapSeq", "reduce", "reduceSeq"]) == hint


def test_quoted_fragments_are_short_and_visible() -> None:
    assert quoted("a\u00a0\n") == "`a\\xa0\\n`"
    assert len(quoted("x" * 1000)) == 62


@given(st.text(), st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30), st.text()), max_size=4))
def test_any_diagnostic_can_be_shown(source: str, places: list[tuple[int, int, str]]) -> None:
    labels = tuple(Label(*place) for place in places)
    rendered = Diagnostic("c", source, labels, source, (source,), source, source).render()
    rendered.encode("utf-8")
    assert all(line.isprintable() or not line.strip(" ") for line in rendered.split("\n"))
    marks = [line for line in shown(source, *labels) if line.lstrip(" ").startswith("| ")]
    assert len(marks) == len(labels)


@given(st.text(alphabet="ab\t漢e\u0301\x07", min_size=1, max_size=300), st.data())
def test_carets_are_under_their_characters(source: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(source) - 1))
    code, carets = shown(source + "|", Label(at, at + 1))
    assert width(carets) <= width(code) or source[at:].strip() == ""
    assert len(code) < 6 * 130
