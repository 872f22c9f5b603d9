"""Diagnostics of the reader: snapshots of source and message, and laws of all messages.

`tests/rise/snapshots/reader_errors.txt` contains the cases; run this file as a program to rewrite the messages.
"""

import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.diagnostics import RiseError
from rise.text.reader import decode, read_equation, read_expression, read_program, read_type
from tests.examples import deep, some

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "reader_errors.txt"
LISTINGS: Final = [
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[2] / "data" / "listings").glob("*.rise"))
]
READERS: Final = {
    "program": read_program,
    "expression": read_expression,
    "equation": read_equation,
    "type": read_type,
}
CASE: Final = re.compile(
    r"=== (?P<name>[^\n\[]*?)(?: \[(?P<kind>\w+)\])?\n(?P<source>.*?)\n---\n(?P<said>.*?)\n(?:\n(?==== )|\Z)",
    re.DOTALL,
)


def cases() -> dict[str, tuple[str, str, str]]:
    """Kind, source and message of every case, by name."""
    found = {}
    for one in CASE.finditer(SNAPSHOTS.read_text(encoding="utf-8")):
        assert one["name"] not in found, one["name"]
        found[one["name"]] = (one["kind"] or "program", one["source"], one["said"])
    return found


def refusal(kind: str, source: str) -> RiseError:
    try:
        tree = READERS[kind](source)
    except RiseError as error:
        return error
    raise AssertionError(f"this was read: {source!r} as {tree!r}")


def speaks_well(error: RiseError, source: str) -> None:
    """Check the laws of every diagnostic of the reader."""
    diagnostic = error.diagnostic
    assert diagnostic.code and diagnostic.title
    assert diagnostic.source == (" " + source[1:] if source[:1] == "\ufeff" else source)
    assert all(0 <= label.start <= label.end <= len(source) for label in diagnostic.labels)
    assert diagnostic.labels or not source.strip() or diagnostic.code == "empty-text"
    rendered = diagnostic.render()
    rendered.encode("utf-8")
    assert all(len(line) < 800 for line in rendered.split("\n"))
    assert str(error) == rendered
    assert not re.search(
        r"\b(?:invalid|illegal|unexpected)\b|[A-Z]{4,}", diagnostic.title.partition("found")[0]
    )


@pytest.mark.parametrize("name", cases())
def test_messages(name: str) -> None:
    kind, source, said = cases()[name]
    error = refusal(kind, source)
    speaks_well(error, source)
    assert str(error) == said


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == written(cases())


def written(found: dict[str, tuple[str, str, str]]) -> str:
    kinds = {name: "" if kind == "program" else f" [{kind}]" for name, (kind, _, _) in found.items()}
    return "\n".join(
        f"=== {name}{kinds[name]}\n{source}\n---\n{said}\n" for name, (_, source, said) in found.items()
    )


@pytest.mark.parametrize(
    ("text", "code", "start", "hint"),
    [
        ("", "empty-text", None, "write definitions"),
        ("\n // nothing\r\n", "empty-text", None, "write definitions"),
        ("\tf(\tx", "unclosed-bracket", 2, "write the missing `)`"),
        ("x\u00a0y", "character", 1, "write a space, found U+00A0"),
        ("x \x00", "character", 2, "U+0000"),
        ("f(\u2018a\u2019)", "character", 2, "write `'`"),
        ("x \ud800", "character", 2, "U+D800"),
        ("val f = 1\n\nval g = \n\n// end", "syntax", 18, ""),
        ("val val = 1", "reserved-word", 4, "another name"),
        ("val a = b; c", "character", 9, "remove `;`"),
        ("1e99999999999999999999", "number-too-long", 0, "fewer digits"),
        ("1" * 5000, "number-too-long", 0, "fewer digits"),
        ("x : " + "1" * 5000 + ".t", "number-too-long", 4, "fewer digits"),
    ],
)
def test_places_and_hints(text: str, code: str, start: int | None, hint: str) -> None:
    error = refusal("program", text)
    speaks_well(error, text)
    diagnostic = error.diagnostic
    assert (diagnostic.code, hint in diagnostic.hint) == (code, True), str(error)
    assert [label.start for label in diagnostic.labels[:1]] == ([] if start is None else [start])


def test_the_file_is_named() -> None:
    with pytest.raises(RiseError, match=r"(?m)^ --> dir/a\.rise:2:3$"):
        read_program("val f =\n  )", "dir/a.rise")


# Bytes


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf_8_is_decoded_with_or_without_a_byte_order_mark(mark: bytes) -> None:
    assert decode(mark + "val f = 1 // λ".encode()) == "val f = 1 // λ"


@pytest.mark.parametrize(
    ("data", "code", "title"),
    [
        (b"", "empty-text", "expected a program, found nothing"),
        (b"\xef\xbb\xbf", "empty-text", "expected a program, found nothing"),
        (b"a\nb\xffc", "not-utf-8", "expected UTF-8, found the byte 0xff"),
        ("é = 1".encode("latin-1"), "not-utf-8", "expected UTF-8, found the byte 0xe9"),
        ("val".encode("utf-16"), "not-utf-8", "expected UTF-8, found UTF-16"),
        ("val".encode("utf-32"), "not-utf-8", "expected UTF-8, found UTF-32"),
        (b"\x7fELF\0\0", "nul-character", "expected text, found a NUL character"),
    ],
)
def test_other_bytes_are_refused(data: bytes, code: str, title: str) -> None:
    with pytest.raises(RiseError) as caught:
        decode(data, "a.rise")
    assert (caught.value.diagnostic.code, caught.value.diagnostic.title) == (code, title)
    assert "a.rise" in str(caught.value)


# Laws

WORDS: Final = [
    "val",
    "fun",
    "if",
    "then",
    "else",
    "where",
    "divides",
    "f",
    "x",
    "t",
    "1",
    "2.5",
    "7f32",
    "1e9",
    "0x1",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "=",
    "==",
    "=>",
    "->",
    "|->",
    "|>",
    ">>",
    ">",
    "<",
    "<=",
    "||",
    "&&",
    "+",
    "-",
    "*",
    "/",
    "%",
    "/^",
    "^",
    "**",
    ".",
    "..",
    "!",
    "|",
    "&",
    "\\",
    "λ",
    "‘",
    '"',
    "'",
    "//",
    "/*",
    *" \n\t\0\u00a0\u202e\ufeff\ud800",
]


def read_or_refused(kind: str, text: str) -> None:
    try:
        READERS[kind](text)
    except RiseError as error:
        speaks_well(error, text)


@given(st.sampled_from(sorted(READERS)), st.lists(st.sampled_from(WORDS), max_size=25), st.booleans())
def test_any_words_are_read_or_refused(kind: str, words: list[str], is_spaced: bool) -> None:
    read_or_refused(kind, (" " if is_spaced else "").join(words))


@given(st.sampled_from(sorted(READERS)), st.text())
def test_any_text_is_read_or_refused(kind: str, text: str) -> None:
    read_or_refused(kind, text)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except RiseError as error:
        speaks_well(error, error.diagnostic.source)
    else:
        read_or_refused("program", text)


@given(st.sampled_from(LISTINGS), st.data())
def test_listings_with_an_error_are_read_or_rejected(listing: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(listing)))
    end = data.draw(st.integers(start, min(start + 5, len(listing))))
    instead = data.draw(st.sampled_from(["", *WORDS]))
    read_or_refused("program", listing[:start] + instead + listing[end:])


@given(st.sampled_from(LISTINGS), st.data())
def test_a_truncated_listing_is_read_or_rejected_at_its_end(listing: str, data: st.DataObject) -> None:
    text = listing[: data.draw(st.integers(0, len(listing)))]
    try:
        read_program(text)
    except RiseError as error:
        speaks_well(error, text)
        if error.diagnostic.labels and not text.rstrip().endswith("/"):
            last = max(label.end for label in error.diagnostic.labels)
            assert re.fullmatch(r"(?:\s|//[^\n]*)*", text[last:])


@pytest.mark.parametrize(
    ("text", "code"),
    some(
        [
            ("(" * deep(100_000), "syntax"),
            ("f(" * deep(50_000) + "x", "unclosed-bracket"),
            ("f . " * deep(20_000) + "]", "unopened-bracket"),
            ("fun(x => " * deep(20_000) + "$", "character"),
            ("a " * deep(50_000) + "= 1", "syntax"),
        ],
        2,
    ),
)
def test_deep_texts_are_refused_by_one_diagnostic(text: str, code: str) -> None:
    error = refusal("program", text)
    speaks_well(error, text)
    assert error.diagnostic.code == code


if __name__ == "__main__":
    current = {name: (kind, text, str(refusal(kind, text))) for name, (kind, text, _) in cases().items()}
    SNAPSHOTS.write_text(written(current), encoding="utf-8")
