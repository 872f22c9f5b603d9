"""`make first-hour` runs pages with a test that only has access to the installed packages and the other tests.

The program itself takes minutes to install, and is not run here.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Final

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
