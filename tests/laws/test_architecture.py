"""The page about the architecture names each package of the tree, and no other. Independent of packages."""

import re
from pathlib import Path
from typing import Final

from tests.laws.layers import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "architecture.md"
NAMED: Final = re.compile(r"`((?:[a-z_]+/)+)`")
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
