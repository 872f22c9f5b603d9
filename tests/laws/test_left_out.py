"""Law of tests that only `make whole` runs: each names a test of `make test` that finds the same mistakes.

Independent of what the tests are about.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import ROOT, plant, texts

MARK = "in_whole"


def marks(text: str) -> Iterator[tuple[str, int, str]]:
    """The tests of a file that are marked, with their lines and the tests that they name."""
    for function in nodes_of(parsed(text)):
        if isinstance(function, ast.FunctionDef):
            for mark in function.decorator_list:
                match mark:
                    case ast.Call(ast.Name(name), [ast.Constant(str(like))]) if name == MARK:
                        yield function.name, mark.lineno, like


def left_in_of(text: str) -> set[str]:
    """The tests of a file that `make test` runs."""
    left_out = {name for name, _, _ in marks(text)} if MARK in text else set()
    return {
        one.name
        for one in nodes_of(parsed(text))
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_") and one.name not in left_out
    }


def without_a_like(root: Path) -> list[str]:
    """Marks of tests that name no test that `make test` runs."""
    files = dict(texts(root, ".py"))
    found = []
    for file, text in files.items():
        for _, line, like in marks(text) if MARK in text else ():
            place, _, name = like.rpartition("::") if "::" in like else ("", "", like)
            other = like if like.endswith(".py") else place or file
            left_in = left_in_of(files.get(other, ""))
            if not left_in if other == like else name not in left_in:
                found.append(f"{file}:{line}: expected a test that `make test` runs, found `{like}`")
    return found


ONE = "@in_whole({!r})\ndef test_one():\n    pass\n"
OTHER = "def test_other():\n    pass\n"
BREAKS = [
    {"tests/a.py": ONE.format("test_other")},
    {"tests/a.py": ONE.format("test_one")},
    {"tests/a.py": ONE.format("tests/b.py::test_other"), "tests/b.py": "def test_another():\n    pass\n"},
    {"tests/a.py": ONE.format("tests/b.py"), "tests/b.py": "def other():\n    pass\n"},
    {"tests/a.py": ONE.format("tests/c.py"), "tests/b.py": OTHER},
]
ALLOWED = [
    {"tests/a.py": ONE.format("test_other") + OTHER},
    {"tests/a.py": ONE.format("tests/b.py::test_other"), "tests/b.py": OTHER},
    {"tests/a.py": ONE.format("tests/b.py"), "tests/b.py": OTHER},
]


@pytest.mark.parametrize("tree", BREAKS)
def test_a_violation_is_found(tree: dict[str, str], tmp_path: Path) -> None:
    plant(tmp_path, tree)
    assert len(without_a_like(tmp_path)) == 1


@pytest.mark.parametrize("tree", ALLOWED)
def test_what_is_allowed_is_not_reported(tree: dict[str, str], tmp_path: Path) -> None:
    plant(tmp_path, tree)
    assert without_a_like(tmp_path) == []


def test_the_repository_keeps_the_law() -> None:
    assert without_a_like(ROOT) == []
