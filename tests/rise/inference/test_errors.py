"""Diagnostics of inference: snapshots of source and message, and laws of all messages.

`snapshots/inference_errors.txt` contains the cases; `python -m tests.rise.inference.test_errors` rewrites the messages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from rise import RiseError, parse, parse_expr

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "inference_errors.txt"
CASE: Final = re.compile(
    r"=== (?P<name>[^\n]*)\n(?P<source>.*?)\n---\n(?P<said>.*?)\n(?:\n(?==== )|\Z)", re.DOTALL
)


def cases() -> dict[str, tuple[str, str]]:
    """Source and message of every case, by name."""
    found = {}
    for one in CASE.finditer(SNAPSHOTS.read_text(encoding="utf-8")):
        assert one["name"] not in found, one["name"]
        found[one["name"]] = (one["source"], one["said"])
    return found


def refusal(source: str) -> RiseError:
    """The error with which a text is rejected."""
    try:
        program = parse(source)
    except RiseError as error:
        return error
    raise AssertionError(f"this was read: {source!r} as {program.main!r}")


def written(found: dict[str, tuple[str, str]]) -> str:
    """The contents of the file of cases."""
    return "\n".join(f"=== {name}\n{source}\n---\n{said}\n" for name, (source, said) in found.items())


@pytest.mark.parametrize("name", cases())
def test_messages(name: str) -> None:
    source, said = cases()[name]
    error = refusal(source)
    diagnostic = error.diagnostic
    assert str(error) == said
    assert diagnostic.source == source
    assert diagnostic.labels and all(0 <= one.start < one.end <= len(source) for one in diagnostic.labels)
    assert not re.search(r"\b(?:invalid|illegal|unexpected)\b", diagnostic.title)
    assert not re.search(r"[#%]|'[0-9]", said.replace(source, "")), "an inner name is shown"


def test_the_snapshot_file_is_read_completely() -> None:
    assert SNAPSHOTS.read_text(encoding="utf-8") == written(cases())


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
    again = {name: (source, str(refusal(source))) for name, (source, _) in cases().items()}
    SNAPSHOTS.write_text(written(again), encoding="utf-8")
