"""Repetitions in the golden texts: an index, or the value of a variable, that occurs twice in a block. Compiles
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import pytest

from tests.cases.texts import TEXTS

#: An index with fewer operations is as short as the name that it would get.
MIN_OPERATIONS: Final = 3
#: The number of repetitions within a block, over all texts: decision 0046 says which they are.
MAX_REPEATED_INDICES: Final = 31
MAX_REPEATED_VALUES: Final = 8
INDEX: Final = re.compile(r"\[([^\[\]]+)\]")
OPERATION: Final = re.compile(r" [-+*/%] ")
CONDITIONAL: Final = re.compile(r" [-+*/%<>?:] |\w\(")


def repeated(text: str) -> tuple[list[str], list[str]]:
    """The indices, and the values of constants, that occur repeatedly in the lines of one block, without those in
    nested blocks.
    """
    indices: list[str] = []
    values: list[str] = []
    blocks: list[tuple[Counter[str], Counter[str]]] = [(Counter(), Counter())]

    def close() -> None:
        for found, repeats in zip(blocks.pop(), (indices, values), strict=True):
            repeats += [one for one, count in found.items() for _ in range(count - 1)]

    for line in text.splitlines():
        code = line.split("//")[0].strip()
        if code.startswith("}") and len(blocks) > 1:
            close()
        blocks[-1][0].update(
            one for one in INDEX.findall(code) if len(OPERATION.findall(one)) >= MIN_OPERATIONS
        )
        _, equals, value = code.partition(" = ")
        if equals and code.startswith("const ") and CONDITIONAL.search(value):
            blocks[-1][1].update([value])
        if code.endswith(("{", ") {")):
            blocks.append((Counter(), Counter()))
    while blocks:
        close()
    return indices, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[i * N + j * 4 + 1] = y[i * N + j * 4 + 1];", (["i * N + j * 4 + 1"], [])),
        ("x[i + 1] = y[i + 1];", ([], [])),
        ("const int a = f(x);\nconst int b = f(x);", ([], ["f(x);"])),
        ("if (a) {\nconst int a = f(x);\n} else {\nconst int b = f(x);\n}", ([], [])),
        ("for (;;) {\nx[a * b * c + 1] = 0;\n}\nx[a * b * c + 1] = 0;", ([], [])),
    ],
)
def test_repeats_are_found(text: str, expected: tuple[list[str], list[str]]) -> None:
    assert repeated(text) == expected


def test_few_indices_and_values_occur_twice_in_a_block() -> None:
    found = [repeated(path.read_text(encoding="utf-8")) for path in sorted(TEXTS.iterdir())]
    assert sum(len(indices) for indices, _ in found) <= MAX_REPEATED_INDICES
    assert sum(len(values) for _, values in found) <= MAX_REPEATED_VALUES
