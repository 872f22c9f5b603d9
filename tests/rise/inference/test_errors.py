"""Diagnostics of inference: snapshots of source and message, and laws of all messages.

`snapshots/inference_errors.txt` contains the cases; `python -m tests.rise.inference.test_errors` rewrites the messages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from rise import RiseError, parse, parse_expr
from tests.snapshot_files import read_sources, snapshots_text, write_snapshots

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "inference_errors.txt"


def refusal(source: str) -> RiseError:
    """The error with which a text is rejected."""
    try:
        program = parse(source)
    except RiseError as error:
        return error
    raise AssertionError(f"this was read: {source!r} as {program.main!r}")


@pytest.mark.parametrize("name", read_sources(SNAPSHOTS))
def test_messages(name: str) -> None:
    source, said = read_sources(SNAPSHOTS)[name]
    error = refusal(source)
    diagnostic = error.diagnostic
    assert str(error) == said
    assert diagnostic.source == source
    assert diagnostic.labels and all(0 <= one.start < one.end <= len(source) for one in diagnostic.labels)
    assert not re.search(r"\b(?:invalid|illegal|unexpected)\b", diagnostic.title)
    assert not re.search(r"[#%]|'[0-9]", said.replace(source, "")), "an inner name is shown"


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == snapshots_text(read_sources(SNAPSHOTS))


@pytest.mark.parametrize(
    ("context", "title"),
    [
        ({"map": "f32"}, "`map` has a meaning in the language: a primitive"),
        ({"nat": "f32"}, "`nat` has a meaning in the language: a kind of arguments"),
        ({"x": "t"}, "the type `t` is not defined"),
        ({"x": "n.f32", "n": "f32"}, "the size `n` is not defined"),
        ({"x": "2"}, "expected a type"),
        ({"x": "n."}, None),
    ],
)
def test_contexts(context: dict[str, str], title: str | None) -> None:
    with pytest.raises(RiseError) as caught:
        parse_expr("1", context)
    assert title in (None, caught.value.diagnostic.title)


def test_the_file_is_named() -> None:
    with pytest.raises(RiseError, match=r"(?m)^ --> dir/a\.rise:1:9$"):
        parse("val f = g", "dir/a.rise")


if __name__ == "__main__":
    again = {name: (source, str(refusal(source))) for name, (source, _) in read_sources(SNAPSHOTS).items()}
    write_snapshots(SNAPSHOTS, again)
