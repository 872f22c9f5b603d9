"""`make first-hour` runs pages with a test that only has access to the installed packages and the other tests.

The program itself takes minutes to install, and is not run here.
"""

from __future__ import annotations

import ast
import sys
import tarfile
from pathlib import Path
from typing import Final

from tools.first_hour import copy_tests

ROOT: Final = Path(__file__).resolve().parents[1]
#: what `make first-hour` installs: the packages, their dependencies and the extra `testing`, and pytest
INSTALLED: Final = {
    "rise",
    "elevate",
    "strategies",
    "shine",
    "numpy",
    "ml_dtypes",
    "typer",
    "rich",
    "hypothesis",
    "pytest",
}


def modules_of(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return found


def test_the_test_of_pages_needs_only_tests_and_installed_packages() -> None:
    seen: set[Path] = set()
    work = [ROOT / "tests" / "test_docs.py"]
    others: set[str] = set()
    while work:
        path = work.pop()
        seen.add(path)
        for name in modules_of(path):
            file = (ROOT / name.replace(".", "/")).with_suffix(".py")
            if name.partition(".")[0] != "tests":
                others.add(name.partition(".")[0])
            elif file.exists() and file not in seen:
                work.append(file)
    assert len(seen) > 1
    assert others - INSTALLED - set(sys.stdlib_module_names) == set()


def test_tests_are_copied_from_the_archive_and_packages_are_not(tmp_path: Path) -> None:
    files = {"rise/a.py": "1", "tests/b.py": "2", "tests/cli/c.py": "3", "tests/cli/d.txt": "4"}
    with tarfile.open(tmp_path / "made-1.tar.gz", "w:gz") as content:
        for path, text in files.items():
            file = tmp_path / "made-1" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        content.add(tmp_path / "made-1", "made-1")
    copy_tests(tmp_path / "made-1.tar.gz", tmp_path / "work")
    found = {path for path in (tmp_path / "work").rglob("*") if path.is_file()}
    assert {path.relative_to(tmp_path / "work").as_posix(): path.read_text() for path in found} == {
        "tests/b.py": "2",
        "tests/cli/c.py": "3",
    }
