"""Law of small files: a module of fewer than 50 lines that only one other imports is merged into it, or is listed with
the reason.

The check takes a root folder, so that it can be tested on a tree with violations.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import PACKAGES, ROOT, plant, texts

LINES: Final = 50
#: folders of code that is in no package
OUTSIDE_OF_THEM: Final = ("tests", "benchmarks", "cases", "tools")
BELOW: Final = "lower than what imports it: joined, an import would run uphill"
FAMILY: Final = "one of several files of one kind, each collected by its name"
ADDRESS: Final = "an address that users write"
OUTSIDE: Final = "the only file that depends on this library or program"
SUBJECT: Final = "a subject of its own, which a page of another would hide"

#: the reason for each
LEFT: Final[Mapping[str, str]] = {
    "cases/ragged_rows.py": FAMILY,
    "rise/checker/orders.py": SUBJECT,
    "rise/checker/single_steps.py": "not trusted, unlike the only file that imports it",
    "rise/fingerprints.py": SUBJECT,
    "rise/binary_nodes.py": BELOW,
    "rise/text/parser.py": OUTSIDE,
    "shine/jax.py": ADDRESS,
    "shine/front/tuner/other_machines.py": SUBJECT,
    "shine/machines/detection.py": "the front page of its package, whose `__init__` only exports",
    "shine/simulator/ptx_barriers.py": FAMILY,
    "shine/simulator/ptx_narrow.py": FAMILY,
    "shine/targets/c/elementary/error_function.py": FAMILY,
    "shine/targets/cuda/libcuda.py": OUTSIDE,
    "shine/targets/openmp/xla.py": OUTSIDE,
    "shine/torch.py": ADDRESS,
    "shine/translate/causes.py": SUBJECT,
    "shine/translate/measured_sizes.py": SUBJECT,
    "shine/translate/selections.py": FAMILY,
    "shine/translate/loop_bounds.py": SUBJECT,
    "strategies/sequential.py": ADDRESS,
    "strategies/spaces/open_programs/spaces.py": ADDRESS,
    "strategies/spaces/rows.py": ADDRESS,
    "strategies/spaces/stencils.py": ADDRESS,
    "strategies/streaming.py": ADDRESS,
    "tests/growing/types.py": FAMILY,
}


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that a file may import, by their full names."""
    for node in nodes_of(tree):
        match node:
            case ast.ImportFrom(str() as module, names):
                yield from (module, *(f"{module}.{name.name}" for name in names))
            case ast.Import(names):
                yield from (name.name for name in names)


def small(root: Path) -> set[str]:
    """The modules with fewer than 50 lines that one other file imports, or none if they are in a package.

    Imports of a package's modules from outside of the packages do not count.
    """
    sources = {
        name: text
        for name, text in texts(root, ".py")
        if name.partition("/")[0] in (*PACKAGES, *OUTSIDE_OF_THEM)
    }
    importers: dict[str, set[str]] = {}
    for name, text in sources.items():
        for module in imported(parsed(text)):
            importers.setdefault(module, set()).add(name)
    return {
        name
        for name, text in sources.items()
        if text.count("\n") < LINES
        and not Path(name).stem.startswith(("__", "test_"))
        and len(_importers(name, importers)) in ((0, 1) if _is_in_a_package(name) else (1,))
    }


def _importers(name: str, importers: Mapping[str, set[str]]) -> set[str]:
    module = name.removesuffix(".py").replace("/", ".")
    if _is_in_a_package(name):
        return set(filter(_is_in_a_package, importers.get(module, ())))
    by_scripts = importers.get(module.removeprefix("benchmarks."), set())  # benchmarks run in their folder
    return importers.get(module, set()) | by_scripts


def _is_in_a_package(name: str) -> bool:
    return name.partition("/")[0] in PACKAGES


def test_small_files_are_merged_into_their_users() -> None:
    assert small(ROOT) == set(LEFT)


def test_a_small_file_that_one_file_imports_is_found(tmp_path: Path) -> None:
    tree = {
        "rise/a.py": "x = 1\n",
        "rise/b.py": "from rise import a\n",
        "rise/c.py": "import rise.d\n" + "x = 1\n" * 50,
        "rise/d.py": "from rise.b import a\n",
        "rise/e.py": "import rise.d\n" + "x = 1\n" * 50,
        "rise/__init__.py": "",
        "tests/a.py": "import rise.a\n",
        "tests/test_b.py": "import tests.a\n" + "x = 1\n" * 50,
        "tests/data/loaded_by_its_name.py": "x = 1\n",
        "benchmarks/_parts.py": "x = 1\n",
        "benchmarks/a.py": "import _parts\n" + "x = 1\n" * 50,
    }
    found = {"rise/a.py", "rise/b.py", "tests/a.py", "benchmarks/_parts.py"}
    assert small(plant(tmp_path, tree)) == found
