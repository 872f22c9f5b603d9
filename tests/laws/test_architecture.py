"""The page about the architecture names each package of the tree, and no package, file or module that does not exist.
Its tables of files are complete. Folders of tests mirror the packages. Independent of packages.
"""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

from tests.laws.layers import PACKAGES, RISE, STRATEGIES
from tests.laws.sources import nodes_of, parsed

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "architecture.md"
NAMED: Final = re.compile(r"`((?:[a-z_]+/)+)`")
#: the head of a table of files, with its rows
FILES: Final = re.compile(r"^\| files? in `([a-z_/]+)/` \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
#: a row of a table of packages: their paths, and what they contain
ROW: Final = re.compile(r"^\| (`[a-z_]+/[^|]*) \| (.*) \|$", re.MULTILINE)
#: a module, or a name that one defines: `walk`, `shine.compile`
WORD: Final = re.compile(r"`((?:\w+\.)*\w+)`")
#: a file or a folder, possibly below a package that the sentence is about; a name with `<name>` stands for many
PLACE: Final = re.compile(r"`((?:[\w.]+/)+[\w.]*|[\w./]+\.(?:py|cpp|rise|lark))`")
#: the sentence about the layers of strategies
LAYERS: Final = re.compile(r"the layers are, from the lowest: ([^.]*)\.")
#: names that a row may use without a path: a target is called `openmp`
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
    """The packages that a page names by their paths, and that do not exist."""
    named = [name for name in NAMED.findall(page) if name.partition("/")[0] in PACKAGES]
    return [name for name in named if not (root / name).is_dir()]


def misplaced_files(page: str, root: Path) -> list[str]:
    """The files of packages with a table of files that the table does not list, and listed files that do not exist."""
    wrong: list[str] = []
    for package, rows in FILES.findall(page):
        cells = (row.split("|")[1] for row in rows.splitlines())
        listed = [name for cell in cells for name in re.findall(r"`([a-z_]+\.py)`", cell)]
        files = [path.name for path in (root / "shine" / package).glob("*.py") if path.name != "__init__.py"]
        wrong += [f"{package}/{name}" for name in sorted({*listed} ^ {*files})]
        wrong += [f"{package}/{name}" for name in sorted({*listed}) if listed.count(name) > 1]
    return wrong


def misplaced_names(page: str, root: Path) -> list[str]:
    """The names in rows about packages that are neither a package nor a file, and that nothing in the packages
    defines.
    """
    wrong: list[str] = []
    for paths, contents in ROW.findall(page):
        places = [root / path for path in NAMED.findall(paths)]
        files = [
            file for place in places for file in place.rglob("*") if file.suffix in (".py", ".cpp", ".h")
        ]
        known = {*PACKAGES, *(name for file in files for name in (file.stem, file.name, file.parent.name))}
        for file in files:
            known |= defined(file) if file.suffix == ".py" else set()
        wrong += [
            name
            for name in WORD.findall(contents)
            if not {name, name.rpartition(".")[2]} & known and not (root / name.replace(".", "/")).is_dir()
        ]
    return wrong


@cache
def defined(file: Path) -> set[str]:
    """The names that a file defines, at any depth, and those of its parameters and exports."""
    names: set[str] = set()
    for node in nodes_of(parsed(file.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.alias(name):
                names.add(name)
            case ast.Name(name, ast.Store()) | ast.arg(name):
                names.add(name)
    return names


def misplaced_places(page: str, root: Path) -> list[str]:
    """The files and folders that a page names, and that exist neither at the root nor in a package."""
    homes = [
        root,
        *(path for top in (*PACKAGES, "tests") for path in (root / top).glob("**/") if path.is_dir()),
    ]
    return [place for place in PLACE.findall(page) if not any((home / place).exists() for home in homes)]


#: folders of tests that are not named after a package: what tests compare with, and bytecode
NOT_MIRRORS: Final = {"snapshots", "data", "__pycache__"}


def strange_folders(root: Path) -> list[str]:
    """The folders of tests of a package that do not have the path of a subpackage: `tests/elevate/engine` has tests of
    `elevate/engine`.
    """
    folders = [
        path.relative_to(root / "tests")
        for package in PACKAGES
        for path in (root / "tests" / package).rglob("*")
        if path.is_dir()
    ]
    return sorted(
        f"tests/{folder}"
        for folder in folders
        if NOT_MIRRORS.isdisjoint(folder.parts) and not (root / folder / "__init__.py").is_file()
    )


def test_folders_of_tests_mirror_packages() -> None:
    assert strange_folders(ROOT) == []


def test_a_folder_of_tests_without_a_package_is_noticed(tmp_path: Path) -> None:
    for folder in ("elevate/engine", "tests/elevate/engine/snapshots/small", "tests/elevate/engines"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "elevate" / "engine" / "__init__.py").touch()
    assert strange_folders(tmp_path) == ["tests/elevate/engines"]


def test_every_package_is_named() -> None:
    assert unnamed(PAGE.read_text(encoding="utf-8"), ROOT) == []


def test_no_other_package_is_named() -> None:
    assert absent(PAGE.read_text(encoding="utf-8"), ROOT) == []


def test_each_name_of_a_row_is_in_its_packages() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(ROW.findall(page)) > 40
    assert misplaced_names(page, ROOT) == []


def test_each_file_and_folder_exists() -> None:
    assert misplaced_places(PAGE.read_text(encoding="utf-8"), ROOT) == []


def test_the_layers_are_those_that_the_law_of_imports_checks() -> None:
    page = PAGE.read_text(encoding="utf-8")
    (sentence,) = LAYERS.findall(page)
    names = [name.rstrip("/") for name in re.findall(r"`([a-z]+/?)`", sentence)]
    assert names == [layer.rpartition(".")[2] for layer in STRATEGIES]
    rows = [path for paths, _ in ROW.findall(page) for path in NAMED.findall(paths)]
    assert [path for path in rows if path.rstrip("/").replace("/", ".") in RISE] == [
        f"{layer.replace('.', '/')}/" for layer in RISE
    ]


def test_a_name_that_is_in_no_package_of_its_row_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rise" / "text").mkdir(parents=True)
    (tmp_path / "rise" / "text" / "parser.py").write_text("def parse(text): pass\n", encoding="utf-8")
    row = "| `rise/text/` | the `parser`, its function `rise.parse`, and `reader`, with `read` |\n"
    assert misplaced_names(row, tmp_path) == ["reader", "read"]


def test_a_file_or_folder_that_is_gone_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rise" / "text").mkdir(parents=True)
    (tmp_path / "rise" / "text" / "parser.py").touch()
    page = "`rise/text/parser.py`, `text/parser.py`, `rise/text/gone.py`, `text/gone/`, `rise/<name>.py`"
    assert misplaced_places(page, tmp_path) == ["rise/text/gone.py", "text/gone/"]


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
