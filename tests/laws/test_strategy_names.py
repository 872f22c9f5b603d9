"""A public name means one thing in all of `strategies`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.laws.sources import parsed
from tests.laws.test_imports import ROOT

#: names that several modules define, and why
SHARED: Final[Mapping[str, str]] = {
    "parallel": "the last version of each case study, as in their papers; for a loop `vectorizing.parallel`, as there",
    "check": "`strategies.testing.check` tests a rule; `check(s)` is the papers' name of `test(s)`",
}


def defined_names(root: Path) -> dict[str, list[str]]:
    """The public names that modules of `strategies` define, each with the modules."""
    names: dict[str, list[str]] = {}
    for path in sorted((root / "strategies").rglob("*.py")):
        module = path.relative_to(root).with_suffix("").as_posix().replace("/", ".")
        for node in parsed(path.read_text(encoding="utf-8")).body:
            for name in _names_of(node):
                if not name.startswith("_"):
                    names.setdefault(name, []).append(module)
    return names


def _names_of(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(name)):
            return [name]
    return []


def ambiguous_names(root: Path) -> dict[str, list[str]]:
    """The names with several meanings for which no reason is given."""
    return {
        name: modules
        for name, modules in defined_names(root).items()
        if len(modules) > 1 and name not in SHARED
    }


def test_a_name_means_one_thing() -> None:
    assert ambiguous_names(ROOT) == {}
    names = defined_names(ROOT)
    assert all(len(names[name]) > 1 for name in SHARED), "a reason for a name that has one meaning"


def test_a_second_meaning_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "strategies" / "parts"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("swap = 1\n_inner = 2\ndef parallel(): ...\n", encoding="utf-8")
    (folder / "b.py").write_text("def swap(): ...\n_inner: int = 2\nclass parallel: ...\n", encoding="utf-8")
    assert ambiguous_names(tmp_path) == {"swap": ["strategies.parts.a", "strategies.parts.b"]}
