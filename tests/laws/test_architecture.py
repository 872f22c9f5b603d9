"""The page about the architecture names each package of the tree, and no other; its tables of files, each file of a
package. Independent of packages.
"""

import re
from pathlib import Path
from typing import Final

from tests.laws.layers import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "architecture.md"
NAMED: Final = re.compile(r"`((?:[a-z_]+/)+)`")
#: the head of a table of files, with its rows
FILES: Final = re.compile(r"^\| files? in `([a-z_/]+)/` \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
#: rows name these by themselves: a target is `openmp`
BY_NAME: Final = "shine/targets/"


def unnamed(page: str, root: Path) -> list[str]:
    """The packages in the tree that a page does not name, each by its path or by the end of it."""
    named = NAMED.findall(page)
    folders = [
        f"{path.parent.relative_to(root)}/" for top in PACKAGES for path in (root / top).rglob("__init__.py")
    ]
    return sorted(
        folder
        for folder in folders
        if not any(f"/{folder}".endswith(f"/{name}") for name in named)
        and not (folder.startswith(BY_NAME) and f"`{Path(folder).name}`" in page)
    )


def absent(page: str, root: Path) -> list[str]:
    """The packages that a page names by their paths, and that are not there."""
    named = [name for name in NAMED.findall(page) if name.partition("/")[0] in PACKAGES]
    return [name for name in named if not (root / name).is_dir()]


def misplaced_files(page: str, root: Path) -> list[str]:
    """The files of packages with a table of files that are not in it, and those in it that are not there."""
    wrong: list[str] = []
    for package, rows in FILES.findall(page):
        cells = (row.split("|")[1] for row in rows.splitlines())
        listed = [name for cell in cells for name in re.findall(r"`([a-z_]+\.py)`", cell)]
        files = [path.name for path in (root / "shine" / package).glob("*.py") if path.name != "__init__.py"]
        wrong += [f"{package}/{name}" for name in sorted({*listed} ^ {*files})]
        wrong += [f"{package}/{name}" for name in sorted({*listed}) if listed.count(name) > 1]
    return wrong


def test_every_package_is_named() -> None:
    assert unnamed(PAGE.read_text(encoding="utf-8"), ROOT) == []


def test_no_other_package_is_named() -> None:
    assert absent(PAGE.read_text(encoding="utf-8"), ROOT) == []


def test_a_package_that_is_not_named_is_noticed(tmp_path: Path) -> None:
    for package in ("rise/text", "rise/texts"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    assert unnamed("| `rise/text/` | the reader |", tmp_path) == ["rise/texts/"]


def test_a_package_that_is_gone_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rise").mkdir()
    assert absent("`rise/` and `rise/gone/`, see `docs/`", tmp_path) == ["rise/gone/"]


def test_tables_of_files_are_complete() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(FILES.findall(page)) == 2
    assert misplaced_files(page, ROOT) == []


def test_a_file_that_is_not_listed_or_gone_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "shine" / "passes").mkdir(parents=True)
    for name in ("__init__", "listed", "unlisted"):
        (tmp_path / "shine" / "passes" / f"{name}.py").touch()
    rows = "| `listed.py`, `gone.py` | `other.py` |\n| `listed.py` | |\n"
    page = f"| file in `passes/` | what it does |\n|---|---|\n{rows}"
    assert misplaced_files(page, tmp_path) == ["passes/gone.py", "passes/unlisted.py", "passes/listed.py"]
