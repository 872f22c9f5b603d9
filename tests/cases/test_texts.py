"""What is printed for every case by default, to the byte: tests/golden/texts. Compiles nothing."""

from __future__ import annotations

import difflib

import pytest

from cases.reading import Case
from tests.cases.derived import CASES, text
from tests.cases.texts import ENDINGS, TEXTS, files, golden


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_text_is_the_golden_one(case: Case, target: str) -> None:
    path = golden(case.name, target)
    expected, found = path.read_text(encoding="utf-8"), text(case, target)
    difference = difflib.unified_diff(expected.splitlines(), found.splitlines(), path.name, "printed now")
    assert found == expected, "\n".join([*difference, "`make texts` writes them; say in CHANGELOG.md why"])


def test_every_case_has_its_texts_and_no_other_is_there() -> None:
    assert set(TEXTS.iterdir()) == set(files())
    assert len(files()) == len(CASES) * len(ENDINGS)
