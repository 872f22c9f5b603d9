"""The texts of all cases under default strategies equal tests/golden/texts, to the byte. Compiles nothing."""

from __future__ import annotations

import difflib
import re
from typing import Final

import pytest

import shine
from cases.reading import Case
from tests.cases.derived import ARCH, CASES, passed, text
from tests.cases.texts import ENDINGS, TEXTS, files, golden
from tests.examples import some

#: what a line of `--stage imperative` declares: a loop, an array, a variable
DECLARED: Final = re.compile(r"^ *(?:for|new) (\w+)|^ *(\w+) : ", re.MULTILINE)
WORD: Final = re.compile(r"[A-Za-z]\w*")


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_text_is_the_golden_one(case: Case, target: str) -> None:
    path = golden(case.name, target)
    expected, found = path.read_text(encoding="utf-8"), text(case, target)
    difference = difflib.unified_diff(expected.splitlines(), found.splitlines(), path.name, "printed now")
    assert found == expected, "\n".join([*difference, "`make texts` writes them; say in CHANGELOG.md why"])


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("case", some(CASES, 6), ids=str)
def test_the_stage_imperative_has_the_names_of_the_text(case: Case, target: str) -> None:
    """Loops, arrays and variables that are used have names that the text has; `--stage imperative` adds none."""
    program, _ = shine.TARGETS[target].outline(passed(case, target), {"arch": ARCH})
    declared = {name for match in DECLARED.finditer(program) for name in match.groups() if name}
    used = declared & set(WORD.findall(DECLARED.sub("", program)))
    assert used <= set(WORD.findall(text(case, target)))


def test_every_case_has_its_texts_and_no_other_is_there() -> None:
    assert set(TEXTS.iterdir()) == set(files())
    assert len(files()) == len(CASES) * len(ENDINGS)
