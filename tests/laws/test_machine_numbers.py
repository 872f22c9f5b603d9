"""No strategy or pass contains a number about a machine: such numbers follow from a record of `rise.hardware`.

Every integer above 1 in a module's constants or in the defaults of its functions is computed from a record, or is in
the list of `tests/laws/machine_numbers.py` with a reason. Depends only on names and literals.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.laws.machine_numbers import REASONS
from tests.laws.sources import parsed
from tests.laws.test_imports import ROOT

FOLDERS = ("strategies", "shine/passes")
#: the tests of strategies are not strategies
OUTSIDE = ("strategies/testing/", "strategies/proof/", "strategies/equations/")


def numbers(root: Path) -> dict[str, list[int]]:
    """The integers above 1 in modules, by `module:name` or `module:function(parameter)`."""
    found: dict[str, list[int]] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if file.startswith(OUTSIDE):
                continue
            module = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            for name, value in stated(parsed(path.read_text(encoding="utf-8"))):
                if literals := list(integers(value)):
                    found[f"{module}:{name}"] = literals
    return found


def stated(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The constants of a module and the defaults of its functions, with their expressions."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                yield name, value
            case _:
                pass
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            with_default = positional[len(positional) - len(arguments.defaults) :]
            for one, default in zip(with_default, arguments.defaults, strict=True):
                yield f"{node.name}({one.arg})", default
            for one, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
                if given is not None:
                    yield f"{node.name}({one.arg})", given


def integers(value: ast.expr) -> Iterator[int]:
    """The integers above 1 in an expression, except numbers of arguments next to a name, `("map", 2)`, and numbers of
    levels at which a rule looks.
    """
    match value:
        case ast.Call(func=ast.Name(id="Reach")):
            return
        case ast.Tuple(elts=[ast.Constant(value=str()), *_]):
            return
        case ast.Constant(value=int(number)) if not isinstance(number, bool) and number > 1:
            yield number
        case ast.Lambda():
            return
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr | ast.keyword | ast.comprehension):
            inner = child.value if isinstance(child, ast.keyword) else child
            if isinstance(inner, ast.expr):
                yield from integers(inner)


def covers(pattern: str, name: str) -> bool:
    """Whether a reason is for this number."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def test_numbers_follow_from_records_or_have_a_reason() -> None:
    found = numbers(ROOT)
    missing = {
        name: literals for name, literals in found.items() if not any(covers(one, name) for one in REASONS)
    }
    assert missing == {}, "compute them from a record of rise.hardware, or say in machine_numbers.py why not"


def test_every_reason_is_needed() -> None:
    found = numbers(ROOT)
    assert [one for one in REASONS if not any(covers(one, name) for name in found)] == []
    assert all(len(reason.split()) >= 4 for reason in REASONS.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LANES: Final = 32\n", {"strategies.a:LANES": [32]}),
        ("LINE = 64 // 4\n", {"strategies.a:LINE": [64, 4]}),
        ("SHAPE = (16, 16)\n", {"strategies.a:SHAPE": [16, 16]}),
        ("def tile(rows: int = 6, up: bool = True): ...\n", {"strategies.a:tile(rows)": [6]}),
        ("def tile(*, rows=6): ...\n", {"strategies.a:tile(rows)": [6]}),
        ("inRegisters = named('x', splitJoin(8))\n", {"strategies.a:inRegisters": [8]}),
        ("PRICES = Prices(near=2)\n", {"strategies.a:PRICES": [2]}),
        ("LANES = 2 * DEFAULT.lanes\n", {"strategies.a:LANES": [2]}),
        ("LANES = DEFAULT.lanes\nROOT = ('map', 2)\nFIRST = 0\nFLAG = True\n", {}),
        ("def tile(rows: int | None = None, more: int = 1): ...\n", {}),
    ],
)
def test_it_finds_numbers(text: str, expected: dict[str, list[int]], tmp_path: Path) -> None:
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies/a.py").write_text(text, encoding="utf-8")
    assert numbers(tmp_path) == expected
