"""Laws of imports: only allowed packages and lower layers, no cycles, none in functions.

Independent of the meaning of modules.

Every check takes the modules found under a root folder, so that it can be tested on a tree with violations.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.laws.layers import ABOVE, BELOW, MAY_IMPORT, MAY_IMPORT_LATE, PACKAGES
from tests.laws.sources import nodes_of, parsed

ROOT = Path(__file__).resolve().parents[2]
IMPORTS = re.compile(r"\b(?:import_module|__import__)\b")


@dataclass(frozen=True, slots=True)
class Import:
    """One import: the module, the name that is imported from it, if any, and its alias, if any."""

    module: str
    name: str | None
    known_as: str | None
    line: int
    in_function: bool
    for_types: bool


@dataclass(frozen=True, slots=True)
class Module:
    """A parsed source file of the packages."""

    name: str
    is_package: bool
    tree: ast.Module
    has_calls: bool  # calls of functions that import, which are in expressions

    @property
    def imports(self) -> tuple[Import, ...]:
        return imports_of(self)


@cache
def imports_of(module: Module) -> tuple[Import, ...]:
    """The imports of a module, which most laws need."""
    return tuple(imports_below(module, module.tree))


@cache
def modules(root: Path) -> dict[str, Module]:
    """Every module of the four packages under `root`, by dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            text = path.read_text(encoding="utf-8")
            found[name] = Module(name, is_package, parsed(text), IMPORTS.search(text) is not None)
    return found


def imports_below(
    module: Module, node: ast.AST, in_function: bool = False, for_types: bool = False
) -> Iterator[Import]:
    """The imports of a syntax tree, including `importlib.import_module("a.b")` with a constant."""
    place = (in_function, for_types)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not module.has_calls:
            continue
        match child:
            case ast.Import(names=names):
                for alias in names:
                    yield Import(
                        alias.name,
                        None,
                        alias.asname or alias.name.partition(".")[0],
                        child.lineno,
                        *place,
                    )
            case ast.ImportFrom(names=names):
                source = absolute(module, child)
                for alias in names:
                    yield Import(source, alias.name, alias.asname or alias.name, child.lineno, *place)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(target)), *_],
            ):
                yield Import(target, None, None, child.lineno, *place)
            case _:
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                typing = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
                yield from imports_below(module, child, in_function or inside, for_types or typing)


def absolute(module: Module, node: ast.ImportFrom) -> str:
    """The module that a `from` import names, with relative dots resolved."""
    if not node.level:
        return node.module or ""
    package = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


def target(imported: Import, known: Mapping[str, Module]) -> str:
    """The imported module: for `from a import b` it is `a.b` if that is a module."""
    longer = f"{imported.module}.{imported.name}"
    return longer if longer in known else imported.module


def row(name: str) -> str:
    """The key of MAY_IMPORT that applies to a module; for other packages, the top-level package."""
    prefixes = [key for key in MAY_IMPORT if name == key or name.startswith(key + ".")]
    return max(prefixes, key=len, default=name.partition(".")[0])


def package_of(name: str) -> str:
    """The package that a module belongs to; the layers above strategies and targets are packages of their own."""
    return next((layer for layer in ABOVE if f"{name}.".startswith(f"{layer}.")), name.partition(".")[0])


def forbidden(known: Mapping[str, Module]) -> list[str]:
    """Imports that the table of packages forbids."""
    return [
        f"{module.name}:{one.line} imports {target(one, known)}"
        for module in known.values()
        for one in module.imports
        if package_of(target(one, known)) not in MAY_IMPORT[row(module.name)]
        and package_of(target(one, known)) not in sys.stdlib_module_names
        and not is_late(module.name, one)
    ]


def upward(known: Mapping[str, Module]) -> list[str]:
    """Imports of a folder from one above it in its package."""
    return [
        f"{module.name}:{one.line} imports {target(one, known)}"
        for module in known.values()
        for folder, above in BELOW.items()
        if is_in(module.name, folder, known)
        for one in module.imports
        if any(is_in(target(one, known), each, known) for each in above)
    ]


def generated_at_import(known: Mapping[str, Module]) -> list[str]:
    """Classes whose methods are compiled when their module is imported, although `rise.records` would compile them
    later.
    """
    return [
        f"{module.name}:{one.line} imports dataclass from dataclasses, and not from rise.records"
        for module in known.values()
        if module.name != "rise.records"
        and package_of(module.name) != "elevate"  # which does not depend on `rise`
        for one in module.imports
        if one.module == "dataclasses" and one.name == "dataclass"
    ]


def is_in(name: str, folder: str, known: Mapping[str, Module]) -> bool:
    """Whether a module is in a subpackage or below it; for a top-level package, whether it is directly in it."""
    if folder in PACKAGES:
        is_package = name in known and known[name].is_package
        return not is_package and name.rpartition(".")[0] == folder
    return f"{name}.".startswith(f"{folder}.")


def unplaced(known: Mapping[str, Module]) -> list[str]:
    """Subpackages of RISE that are in none of the layers."""
    return [
        name
        for name, module in known.items()
        if module.is_package and name.startswith("rise.") and name not in BELOW
    ]


def hidden(known: Mapping[str, Module]) -> list[str]:
    """Imports inside a function."""
    return [
        f"{module.name}:{one.line} imports {one.module} inside a function"
        for module in known.values()
        for one in module.imports
        if one.in_function and not is_late(module.name, one)
    ]


def is_late(name: str, imported: Import) -> bool:
    """Whether an import runs on demand or is for types only, and is allowed."""
    late = MAY_IMPORT_LATE.get(name, ())
    is_deferred = imported.in_function or imported.for_types
    return is_deferred and any(f"{imported.module}.".startswith(f"{one}.") for one in late)


def borrowed(known: Mapping[str, Module]) -> list[str]:
    """Private names of one package that are used in another, imported or reached through an imported module."""
    found = []
    for module in known.values():
        foreign = [
            one
            for one in module.imports
            if package_of(one.module) in (*PACKAGES, *ABOVE)
            and package_of(one.module) != package_of(module.name)
        ]
        for one in foreign:
            path = [*one.module.split("."), one.name or ""]
            found += [
                f"{module.name}:{one.line} imports {'.'.join(path)}" for part in path if is_private(part)
            ]
        names = {one.known_as for one in foreign}
        for node in nodes_of(module.tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr):
                path = ast.unparse(node).split(".")
                found += [f"{module.name}:{node.lineno} uses {'.'.join(path)}" for _ in names & {path[0]}]
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def cycles(known: Mapping[str, Module]) -> list[list[str]]:
    """Groups of modules that import each other (Tarjan's strongly connected components, with an explicit stack).

    Imports for type checking count; the implicit import of a submodule's package does not.
    """
    edges = {
        name: sorted({target(one, known) for one in module.imports} & known.keys())
        for name, module in known.items()
    }
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    found = []
    for start in edges:
        work = [(start, iter(edges[start]))] if start not in index else []
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                path.append(node)
            after = next(rest, None)
            if after is not None:
                if after not in index:
                    work.append((after, iter(edges[after])))
                elif after in path:
                    low[node] = min(low[node], index[after])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = path[path.index(node) :]
                del path[path.index(node) :]
                if len(group) > 1 or node in edges[node]:
                    found.append(sorted(group))
    return found


CHECKS = {
    "forbidden": forbidden,
    "upward": upward,
    "generated_at_import": generated_at_import,
    "unplaced": unplaced,
    "hidden": hidden,
    "borrowed": borrowed,
    "cycles": cycles,
}

BREAKS = [
    ("forbidden", {"rise/a.py": "import elevate"}),
    ("forbidden", {"elevate/a.py": "import numpy"}),
    ("forbidden", {"strategies/a.py": "import numpy as np"}),
    ("forbidden", {"strategies/a.py": "from shine import compile"}),
    ("forbidden", {"shine/a.py": "from strategies.openmp import parallel"}),
    ("forbidden", {"shine/a.py": "import ml_dtypes"}),
    ("forbidden", {"shine/__init__.py": "from shine.front import compile", "shine/front/__init__.py": ""}),
    ("forbidden", {"shine/targets/a.py": "import shine.front", "shine/front/__init__.py": ""}),
    ("forbidden", {"shine/front/a.py": "import shine.cli", "shine/cli/__init__.py": ""}),
    ("forbidden", {"shine/front/a.py": "import typer"}),
    ("forbidden", {"rise/arguments/torch_tensors.py": "import torch"}),
    ("forbidden", {"shine/front/jit.py": "import jax"}),
    ("hidden", {"shine/front/jit.py": "import importlib\ndef f(): return importlib.import_module('torch')"}),
    ("forbidden", {"shine/kernel.py": "from shine.torch import op", "shine/torch.py": ""}),
    ("hidden", {"shine/a.py": "def f(): import shine.front", "shine/front/__init__.py": ""}),
    ("forbidden", {"shine/targets/cuda/printer.py": "import pycuda.driver"}),
    (
        "forbidden",
        {"shine/a.py": "import importlib\ndef f(): return importlib.import_module('pycuda.driver')"},
    ),
    ("forbidden", {"shine/a.py": "from shine import cli", "shine/cli/__init__.py": ""}),
    ("forbidden", {"shine/a.py": "from .cli.main import app_main", "shine/cli/main.py": ""}),
    ("forbidden", {"rise/terms.py": "from hypothesis import given"}),
    ("forbidden", {"shine/pipeline.py": "import typer"}),
    ("forbidden", {"rise/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import shine"}),
    ("generated_at_import", {"shine/a.py": "from dataclasses import dataclass, replace"}),
    ("upward", {"shine/passes/cpu/a.py": "from shine.translate.core import read"}),
    ("upward", {"shine/imperative/a.py": "from shine import passes", "shine/passes/__init__.py": ""}),
    ("upward", {"shine/passes/gpu/a.py": "from shine.calling.storage import NO_ROOM"}),
    ("upward", {"shine/translate/a.py": "from shine.calling.storage import NO_ROOM"}),
    ("upward", {"strategies/lowering/a.py": "from strategies.parts.windows import isSlide"}),
    ("upward", {"strategies/equations/a.py": "import strategies.parts.nests"}),
    ("upward", {"strategies/vocabulary/a.py": "from strategies.equations.rule import rule"}),
    ("upward", {"strategies/parts/a.py": "from strategies.openmp import parallel"}),
    ("upward", {"strategies/parts/a.py": "from strategies import openmp", "strategies/openmp.py": ""}),
    ("upward", {"rise/a.py": "from rise.text import names", "rise/text/names.py": ""}),
    ("upward", {"rise/primitives/a.py": "from rise.inference.schemes import scheme_of"}),
    ("upward", {"rise/text/a.py": "import rise.printer.terms"}),
    ("upward", {"rise/hardware/a.py": "from rise.text.names import bounded"}),
    ("upward", {"rise/inference/deeper/a.py": "from rise.programs.program import parse"}),
    ("unplaced", {"rise/new/__init__.py": ""}),
    ("hidden", {"rise/a.py": "def f():\n    if True:\n        import math"}),
    ("hidden", {"rise/a.py": "class A:\n    async def f(self):\n        from . import b", "rise/b.py": ""}),
    ("hidden", {"rise/a.py": "import importlib\ndef f(): return importlib.import_module('rise.b')"}),
    ("borrowed", {"strategies/a.py": "from rise.terms import _intern"}),
    ("borrowed", {"strategies/a.py": "from rise._terms import intern"}),
    ("borrowed", {"shine/cli/a.py": "from shine.pipeline import _order"}),
    ("borrowed", {"strategies/a.py": "import rise\nx = rise._table"}),
    ("borrowed", {"strategies/a.py": "from rise import terms as terms\nx = terms._table"}),
    ("borrowed", {"strategies/a.py": "import rise.terms as t\nx = t._table"}),
    ("borrowed", {"strategies/a.py": "import rise.terms\nx = rise.terms._table[0]"}),
    ("cycles", {"rise/a.py": "from rise import b", "rise/b.py": "from rise.a import x"}),
    (
        "cycles",
        {"rise/a.py": "import rise.b", "rise/b.py": "from . import c", "rise/c.py": "from .a import x"},
    ),
    ("cycles", {"rise/__init__.py": "from rise.a import x", "rise/a.py": "from rise import x"}),
]


def plant(root: Path, files: Mapping[str, str]) -> dict[str, Module]:
    """Write a small tree, and read its modules."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return modules(root)


@pytest.mark.parametrize("check", CHECKS)
def test_the_repository_keeps_the_laws(check: str) -> None:
    known = modules(ROOT)
    assert {package_of(name) for name in known} >= set(PACKAGES)
    assert CHECKS[check](known) == []


@pytest.mark.parametrize(("check", "files"), BREAKS)
def test_a_violation_is_found(tmp_path: Path, check: str, files: Mapping[str, str]) -> None:
    assert CHECKS[check](plant(tmp_path, files)) != []


@pytest.mark.parametrize("check", CHECKS)
def test_allowed_imports_pass(tmp_path: Path, check: str) -> None:
    allowed = {
        "elevate/__init__.py": "from elevate.results import Success",
        "elevate/results.py": "import ast\nfrom collections.abc import Iterator",
        "elevate/testing.py": "import hypothesis",
        "rise/__init__.py": "from . import programs, terms",
        "rise/terms.py": "import numpy as np\nimport ml_dtypes, lark\nfrom rise.naturals import _form",
        "rise/naturals.py": "_form = 0",
        "rise/text/__init__.py": "from rise import terms",
        "rise/programs/__init__.py": "from rise.programs import heads\nfrom rise.text import names",
        "rise/programs/heads.py": "",
        "strategies/__init__.py": "from strategies.parts.nests import tidy",
        "strategies/openmp.py": "from strategies.parts import nests",
        "strategies/parts/nests.py": "from strategies.vocabulary.traversals import body",
        "strategies/testing/__init__.py": "from hypothesis import given\nimport rise, elevate",
        "shine/targets/cuda/loader.py": "import importlib\n"
        "def load(): return importlib.import_module('pycuda.driver')",
        "shine/load.py": "import importlib\ndef load(name): return importlib.import_module(name)",
        "shine/cli/main.py": "import typer, rich, rise, strategies, elevate, numpy\nfrom shine import load\n"
        "from shine.cli import show",
        "shine/__init__.py": "import importlib\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    from shine.front import compile\ndef __getattr__(name): importlib.import_module('shine.front')",
        "shine/front/__init__.py": "import rise, strategies, elevate\nfrom shine.load import load",
        "shine/cli/show.py": "import shine.front\nfrom rich.console import Console",
    }
    assert CHECKS[check](plant(tmp_path, allowed)) == []
