"""Law of long functions: one whose body exceeds 60 lines is a single table or algorithm, and is listed with the reason.

The check takes a root folder, so that it can be tested on a tree with violations.
"""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import PACKAGES, ROOT, plant, texts

LINES: Final = 60
EVERY_NODE: Final = "a single `match`, with a case for each kind of node"
ALGORITHM: Final = "a single loop, whose steps share its variables"
OPERATIONS: Final = "a single table, from the name of an operation to its text"

#: the reason for each
LISTED: Final[Mapping[str, str]] = {
    "elevate/analysis/requirements.py:_needed": EVERY_NODE,
    "elevate/derivations/explanation.py:why": EVERY_NODE,
    "elevate/engine/compiler.py:compiled": EVERY_NODE,
    "elevate/engine/reference.py:meaning": EVERY_NODE,
    "elevate/engine/search.py:call": ALGORITHM,
    "elevate/engine/search.py:normalize_call": ALGORITHM,
    "rise/inference/sizes.py:_read_size": EVERY_NODE,
    "rise/text/type_printer.py:type_in": EVERY_NODE,
    "shine/targets/c/operations.py:_scalar": OPERATIONS,
}


def long_functions(root: Path) -> set[str]:
    """The functions of the packages with longer bodies; signatures and docstrings do not count."""
    return {
        f"{name}:{node.name}"
        for name, text in texts(root, ".py")
        if name.partition("/")[0] in PACKAGES and text.count("\n") > LINES
        for node in nodes_of(parsed(text))
        if isinstance(node, ast.FunctionDef) and _length(node) > LINES
    }


def _length(function: ast.FunctionDef) -> int:
    body = function.body[ast.get_docstring(function, clean=False) is not None :]
    return 0 if not body else (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_long_functions_are_listed() -> None:
    assert long_functions(ROOT) == set(LISTED)


def test_a_long_function_is_found(tmp_path: Path) -> None:
    body = "    x = 1\n" * 61
    documented = '    """One.\n' + "    More.\n" * 61 + '    """\n    x = 1\n'
    tree = {
        "rise/a.py": f"def f():\n{body}def g():\n{documented}",
        "rise/b.py": "class A:\n    def f(self):\n" + "        x = 1\n" * 61,
        "tests/test_a.py": f"def test_f():\n{body}",
    }
    assert long_functions(plant(tmp_path, tree)) == {"rise/a.py:f", "rise/b.py:f"}
