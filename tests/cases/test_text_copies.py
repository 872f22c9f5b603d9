"""Copies and leftovers in the golden texts: variables that nothing uses, variables that only repeat another, remainders
in comparisons that are written as differences, and comparisons of two numbers. Compiles nothing.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.cases.texts import TEXTS

DECLARED: Final = re.compile(
    r"^ *(?:_Alignas\(64\) |__shared__ __align__\(16\) |const )*[a-z][\w ]*? "
    r"(?P<name>\w+)(?:\[\d+\])?(?: = (?P<value>.*))?;$"
)
#: an index that is read from a variable of a branch (`bit_reversal`)
MAX_COPIES: Final = 3
#: `i / 3 * 3 < n + i` for `0 < n + i % 3` (`game_of_life`); decision 0046 says why
MAX_REMAINDERS: Final = 8
REMAINDER: Final = re.compile(r"(\w+) / (\d+) \* \2 (?=<)|< (?=(\w+) / (\d+) \* \4 \+)")


def lines_of(text: str) -> list[str]:
    """The lines of a text without comments."""
    return [line.split("//")[0].rstrip() for line in text.splitlines()]


def unused(text: str) -> list[str]:
    """The variables and arrays that a text declares and does not use."""
    lines = lines_of(text)
    names = [found["name"] for line in lines if (found := DECLARED.match(line))]
    code = "\n".join(lines)
    return [name for name in names if len(re.findall(rf"\b{name}\b", code)) == 1]


def copies(text: str) -> list[str]:
    """The constants that are copies of a variable which is not assigned later in the block, so that it could be read
    instead.
    """
    lines, found = lines_of(text), []
    for number, line in enumerate(lines):
        declared = DECLARED.match(line)
        if declared is None or not re.fullmatch(r"[A-Za-z]\w*", declared["value"] or ""):
            continue
        depth = len(line) - len(line.lstrip())
        rest = lines[number + 1 :]
        ends = (at for at, one in enumerate(rest) if one and len(one) - len(one.lstrip()) < depth)
        block = rest[: next(ends, len(rest))]
        source = declared["value"]
        if source not in ("true", "false", "INFINITY") and not any(
            re.match(rf" *{source}(?:\[.*\])? = ", one) for one in block
        ):
            found.append(line.strip())
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("  float x;", ["x"]),
        ("  float x; // x", ["x"]),
        ("  _Alignas(64) double t[4];\n  double s;\n  s = 0.0;", ["t"]),
        ("  const int64_t n = 4;\n  return n;", []),
    ],
)
def test_unused_variables_are_found(text: str, found: list[str]) -> None:
    assert unused(text) == found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("  const float x_1 = x;\n  y[0] = x_1;", 1),
        ("  const float before = x;\n  x = x + before;", 0),
        ("  {\n    const float x_1 = x;\n  }\n  x = 0.0f;", 1),
        ("  const bool b = true;\n  const float y = x + 1;", 0),
    ],
)
def test_copies_are_found(text: str, count: int) -> None:
    assert len(copies(text)) == count


def test_remainders_are_found() -> None:
    assert REMAINDER.search("i / 3 * 3 < n + i") and REMAINDER.search("n + i < i / 3 * 3 + N")
    assert not REMAINDER.search("x[i / 3 * 3 + n]")


def test_no_text_declares_unused_variables() -> None:
    found = {path.name: unused(path.read_text(encoding="utf-8")) for path in TEXTS.iterdir()}
    assert {name: names for name, names in found.items() if names} == {}


def test_few_constants_repeat_variables() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEXTS.iterdir()]
    assert sum(len(copies(text)) for text in texts) <= MAX_COPIES


def test_few_remainders_are_written_as_differences() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEXTS.iterdir()]
    assert sum(len(REMAINDER.findall(text)) for text in texts) <= MAX_REMAINDERS


#: a condition, or its value, that compares two constants
COMPARED_NUMBERS: Final = re.compile(r"(?:= |\()\d+ (?:<|<=|>|>=|==|!=) \d+(?:;|\)| \?)")


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("  const bool is_less = 7 < 257;", True),
        ("  if (4 <= 9) {", True),
        ("  x = (0 == 1 ? y : z);", True),
        ("  if (N / 7 < 257) {", False),
        ("  if (7 < 257 * N) {", False),
        ("  for (int i = 0; i < 4; i++) {", False),
    ],
)
def test_comparisons_of_numbers_are_found(line: str, is_found: bool) -> None:
    assert (COMPARED_NUMBERS.search(line) is not None) == is_found


def test_no_text_compares_two_constants() -> None:
    """Conditions that do not depend on variables are decided before printing."""
    texts = ((path.name, path.read_text(encoding="utf-8")) for path in sorted(TEXTS.iterdir()))
    assert [(name, found[0]) for name, text in texts for found in COMPARED_NUMBERS.finditer(text)] == []
