"""The documentation names rules, strategies and predicates by addresses that exist. Independent of what they mean.

Each check takes the text of a page, so that it can be tested on wrong pages.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.laws.layers import PACKAGES
from tests.laws.test_architecture import defined

ROOT: Final = Path(__file__).resolve().parents[2]
#: current pages; decisions also name what they replaced
PAGES: Final = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")
ADDRESS: Final = re.compile(rf"\b((?:{'|'.join(PACKAGES)})(?:\.\w+)+):([A-Za-z_]\w*)")
#: a table of predicates, whose first column contains their names
PREDICATES: Final = re.compile(
    r"^\| (?:name|predicate) \| holds for \|\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE
)
NAME: Final = re.compile(r"`(?:[\w.]+:)?(\w+)`")


def wrong_addresses(page: str) -> list[str]:
    """The addresses `module:name` in a page whose module does not define the name."""
    wrong = []
    for module, name in sorted(set(ADDRESS.findall(page))):
        path = ROOT / module.replace(".", "/")
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not file.is_file() or name not in defined(file):
            wrong.append(f"{module}:{name}")
    return wrong


def unknown_predicates(page: str) -> list[str]:
    """The names in tables of predicates that nothing in `strategies` defines."""
    rows = [row for table in PREDICATES.findall(page) for row in table.splitlines()]
    names = [name for row in rows for name in NAME.findall(row.split("|")[1])]
    known = set().union(*map(defined, (ROOT / "strategies").rglob("*.py"))) if names else set()
    return [name for name in names if name not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_addresses_in_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert wrong_addresses(text) == []
    assert unknown_predicates(text) == []


def test_the_pages_contain_addresses_and_tables() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert sum(len(ADDRESS.findall(text)) for text in texts) > 80
    assert sum(len(PREDICATES.findall(text)) for text in texts) == 2


def test_a_wrong_address_is_found() -> None:
    page = "`strategies.openmp:parallel`, `strategies.openmp:gone`, `strategies.gone:parallel`"
    assert wrong_addresses(page) == ["strategies.gone:parallel", "strategies.openmp:gone"]


def test_an_unknown_predicate_is_found() -> None:
    page = "| name | holds for |\n|---|---|\n| `isLet`, `isGone` | a term |\n| `strategies.tiling:isOld` | one |\n"
    assert unknown_predicates(page) == ["isGone", "isOld"]
