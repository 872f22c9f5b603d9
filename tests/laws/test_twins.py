"""Law of functions that are written twice: no two functions of the packages are equal up to local names.

The check takes a root folder, so that it can be tested on a tree with violations.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.laws.sources import nodes_of, parsed
from tests.laws.test_files import PACKAGES, ROOT, plant, texts

#: the least number of lines of a body: a call of a function is as long as a shorter one
LINES: Final = 4


def twins(root: Path) -> list[list[str]]:
    """Groups of functions with equal bodies."""
    places: dict[str, list[str]] = {}
    for name, text in texts(root, ".py"):
        if name.partition("/")[0] in PACKAGES:
            for function in long_functions(parsed(text)):
                places.setdefault(shape_of(function), []).append(f"{name}:{function.name}")
    return [group for group in places.values() if len(group) > 1]


def long_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions whose bodies have enough lines, without their docstrings."""
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef):
            body = body_of(node)
            if body and (body[-1].end_lineno or 0) - body[0].lineno + 1 >= LINES:
                yield node


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function after its docstring."""
    return function.body[ast.get_docstring(function, clean=False) is not None :]


def shape_of(function: ast.FunctionDef) -> str:
    """The text of a function's parameters and body, in which its own variables are numbered; types are omitted."""
    numbers: dict[str, str] = {}
    arguments = function.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        numbers.setdefault(parameter.arg, f"v{len(numbers)}")
    for statement in body_of(function):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                numbers.setdefault(node.id, f"v{len(numbers)}")
    copy = ast.parse(ast.unparse(ast.Module(body_of(function), [])))
    for node in ast.walk(copy):
        match node:
            case ast.Name(name):
                node.id = numbers.get(name, name)
            case ast.AnnAssign(value=value) if value is not None:
                node.annotation = ast.Name("Any", ast.Load())
            case _:
                pass
    return f"{len(numbers)} {ast.dump(copy)}"


def test_no_function_is_written_twice() -> None:
    assert twins(ROOT) == []


FIRST: Final = '''
def total(values):
    """The sum."""
    result: int = 0
    for value in values:
        result += value
    return result
'''
SECOND: Final = """
class A:
    def sum_of(self, many: list[float]) -> float:
        return total(many)

def summed(numbers: list[float]) -> float:
    found: float = 0
    for number in numbers:
        found += number
    return found
"""


def test_a_function_that_is_written_twice_is_found(tmp_path: Path) -> None:
    plant(tmp_path, {"rise/a.py": FIRST, "shine/b.py": SECOND, "tests/c.py": FIRST})
    assert twins(tmp_path) == [["rise/a.py:total", "shine/b.py:summed"]]


def test_functions_that_differ_pass(tmp_path: Path) -> None:
    plant(tmp_path, {"rise/a.py": FIRST, "shine/b.py": FIRST.replace("+=", "-=")})
    assert twins(tmp_path) == []
