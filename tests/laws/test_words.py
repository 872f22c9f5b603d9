"""Every word has its line in docs/language.md, and every subject that users look for has its words and its row in a
benchmark.

The section of the page is generated: `python -m tests.laws.test_words` rewrites it.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import rise.embedding
from cases.idioms import IDIOMS
from cases.idioms import WORDS as ROWS
from rise.embedding import numpy_functions, scalars
from rise.embedding.creators import CREATORS
from rise.embedding.numpy_definitions import METHODS_OF_UFUNCS, NUMPY_DEFINITIONS
from rise.embedding.rearrangements import LISTING
from rise.primitives import PRIMITIVES, THEMES
from rise.text.libraries import library_names, library_path
from rise.text.names import RESERVED
from tests.laws.words import WORDS, Word

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "language.md"
TITLE: Final = "## All words\n"
MODULES: Final = {"np": np, "np.linalg": np.linalg, "np.lib.stride_tricks": np.lib.stride_tricks}


@cache
def definitions() -> dict[str, list[str]]:
    """The names that each library defines."""
    return {name: list(rise.parse_file(library_path(name))) for name in library_names()}


@cache
def numpys() -> frozenset[str]:
    """The functions of numpy that Python programs may call, as they are written."""
    known = [*NUMPY_DEFINITIONS, *numpy_functions.FUNCTIONS, *CREATORS, *LISTING]
    known += [ufunc for name in scalars.UFUNCS if isinstance(ufunc := getattr(np, name, None), np.ufunc)]
    known.append(np.nonzero)
    found = set()
    for prefix, module in MODULES.items():
        found |= {
            f"{prefix}.{name}" for name in dir(module) if any(getattr(module, name) is one for one in known)
        }
    found |= {
        f"np.{one.__self__.__name__}.at"
        for one in known
        if isinstance(getattr(one, "__self__", None), np.ufunc)
    }
    return frozenset(name for name in found if not name.rpartition(".")[2].startswith("_"))


def section() -> str:
    """The section of the page about all words."""
    return "\n".join([TITLE, *_lines()]).rstrip() + "\n"


def _lines() -> Iterator[str]:
    yield "What users look for, in RISE text and in [Python programs](embedding.md):"
    yield ""
    yield "| subject | in text | in Python programs |"
    yield "|---|---|---|"
    for one in WORDS:
        text = ", ".join(f"`{name}`" for name in one.text)
        python = ", ".join(name if name.startswith("`") else f"`{name}`" for name in one.python)
        yield f"| {one.subject} | {text} | {python} |"
    yield ""
    yield "The [primitives](primitives.md), by theme:"
    yield ""
    for theme, records in THEMES.items():
        yield from _entry(theme, [one.name for one in records])
    yield ""
    yield "The definitions of the [libraries](#imports); `shine list library NAME` shows their types:"
    yield ""
    for name, defined in definitions().items():
        yield from _entry(f"`{name}`", defined)
    yield ""
    yield "numpy's functions in Python programs:"
    yield ""
    yield from _wrapped(
        f"{', '.join(f'`{name}`' for name in sorted(numpys(), key=str.lower))}; and of all functions of"
        f" two numbers the methods {', '.join(f'`{name}`' for name in METHODS_OF_UFUNCS)}."
    )


def _entry(title: str, names: list[str]) -> Iterator[str]:
    yield from _wrapped(f"- {title}: {', '.join(f'`{name}`' for name in names)}", "  ")


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    """The text in lines of at most 120 characters, broken at blanks."""
    line = ""
    for word in text.split(" "):
        if len(line) + len(word) >= 120:
            yield line
            line = indent + word
        else:
            line += f" {word}" if line else word
    yield line


def test_the_page_lists_every_word() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page[page.index(TITLE) :].rstrip() + "\n" == section()
    listed = set(re.findall(r"`([\w.]+)`", section()))
    assert PRIMITIVES.keys() <= listed and numpys() <= listed
    assert {name for defined in definitions().values() for name in defined} <= listed


@pytest.mark.parametrize("word", WORDS, ids=operator.attrgetter("subject"))
def test_a_subject_has_all_that_users_need(word: Word) -> None:
    defined = {name for names in definitions().values() for name in names}
    assert [
        name for name in word.text if name not in PRIMITIVES.keys() | defined | set(RESERVED) | {"complex"}
    ] == []
    for name in word.python:
        if name.count(".") == 2 and name.rpartition(".")[2] in METHODS_OF_UFUNCS:
            assert isinstance(getattr(np, name.split(".")[1]), np.ufunc)
        elif name.startswith("np."):
            assert name in numpys() | {"np.nonzero"}, name
        else:
            assert name.startswith("`") or name in rise.embedding.__all__, name


@pytest.mark.parametrize("word", WORDS, ids=operator.attrgetter("subject"))
def test_a_subject_is_compared_with_numpy_in_a_benchmark(word: Word) -> None:
    measured = {str(row[0]) for name in ("words_rows", "idioms_rows") for row in _rows(name)}
    assert word.rows
    assert [
        name for name in word.rows if name not in ROWS.keys() | IDIOMS.keys() or name not in measured
    ] == []


def test_every_program_of_words_has_a_subject() -> None:
    assert ROWS.keys() - {name for word in WORDS for name in word.rows} == set()


@cache
def _rows(name: str) -> list[list[str]]:
    results = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))
    return [row for table in results["tables"] for row in table["rows"]]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.partition(TITLE)[0].rstrip() + "\n\n" + section(), encoding="utf-8")
