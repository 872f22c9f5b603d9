"""Laws of starred expressions: the elements of a literal are written where they are used.

Each check takes a root folder, so that it can be tested on trees that break the law.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import PACKAGES, ROOT, plant, texts

Check: TypeAlias = Callable[[Path], list[str]]

#: a starred literal or bracket, that is, one that is unpacked; comments may be in between
GAP = r"(?:\s|\\|#[^\n]*)*"
STARRED = re.compile(rf"(?:[(\[{{,=:]|\b(?:in|return|yield)\b){GAP}\*{GAP}[\[({{]")


def starred(root: Path) -> list[str]:
    """Starred literals inside another literal or a call, whose elements can be written without the star."""
    return [
        f"{name}:{node.lineno}"
        for name, text in texts(root, ".py")
        if STARRED.search(text)
        for node in nodes_of(parsed(text))
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple | ast.List | ast.Set)
    ]


def starred_names(root: Path) -> list[str]:
    """Calls with a starred tuple that has no other use, whose elements can be written in the call."""
    return [
        f"{name}:{call.lineno}"
        for name, text in texts(root, ".py")
        if name.partition("/")[0] in PACKAGES
        if any(
            re.search(rf"^ +{spread} = (?:[(\[]|.*, )", text, re.MULTILINE)
            for spread in {*re.findall(r"(?<![*\w])\*(\w+)\b", text)}
        )
        for function in nodes_of(parsed(text))
        if isinstance(function, ast.FunctionDef)
        for call in _calls_with_tuples_of_their_own(function)
    ]


def _calls_with_tuples_of_their_own(function: ast.FunctionDef) -> Iterator[ast.Call]:
    nodes = list(ast.walk(function))
    reads = Counter(
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], value):
                values.setdefault(name, []).append(value)
    for node in nodes:
        if isinstance(node, ast.Call):
            for argument in node.args:
                match argument:
                    case ast.Starred(ast.Name(name)) if reads[name] == 1 and len(values.get(name, ())) == 1:
                        match values[name][0]:
                            case ast.Tuple(items) | ast.List(items) if not any(
                                isinstance(item, ast.Starred) for item in items
                            ):
                                yield node


BREAKS = [
    (starred, "NAMES = (*('a', 'b'), 'c')"),
    (starred, "f(*[x, y], z)"),
    (starred_names, "def f(x):\n    ends = x, 1\n    return g(*ends, 2)"),
    (starred_names, "def f(x):\n    many = (\n        x,\n        1,\n    )\n    return g(0, *many)"),
]
ALLOWED = """NAMES = (*(f(x) for x in "ab"), *[1] * 3)
def f(x):
    ends = x, 1
    return g(*ends, 2) if ends[0] else h(*ends)
def k(x):
    ends = x, *x
    return g(*ends)
"""


@pytest.mark.parametrize("check", [starred, starred_names])
def test_the_repository_keeps_the_law(check: Check) -> None:
    assert check(ROOT) == []


@pytest.mark.parametrize(("check", "text"), BREAKS)
def test_a_break_is_caught(tmp_path: Path, check: Check, text: str) -> None:
    assert check(plant(tmp_path, {"rise/a.py": text})) == ["rise/a.py:" + str(1 + text.count("\n"))]


@pytest.mark.parametrize("check", [starred, starred_names])
def test_what_is_allowed_passes(tmp_path: Path, check: Check) -> None:
    assert check(plant(tmp_path, {"rise/a.py": ALLOWED})) == []
