"""Laws of rules by a function: each is listed with its reason, they are few, and their functions are short.

Every check takes a folder of rules and returns violations, so that it can be tested on a folder with violations.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.laws.rules_by_functions import BY_A_FUNCTION, MOST_LINES, MOST_RULES
from tests.laws.sources import parsed

RULES = Path(__file__).resolve().parents[2] / "strategies" / "rules"


def trees(folder: Path) -> Iterator[ast.Module]:
    """The modules of a folder of rules."""
    for path in sorted(folder.glob("*.py")):
        yield parsed(path.read_text(encoding="utf-8"))


def computed(folder: Path) -> dict[str, ast.expr]:
    """The functions of rules, as they are written after `by=`, by the names of the rules."""
    found: dict[str, ast.expr] = {}
    for tree in trees(folder):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            for keyword in node.value.keywords:
                if keyword.arg == "by":
                    found[ast.unparse(node.targets[0])] = keyword.value
    return found


def lines(folder: Path) -> int:
    """The number of lines of the functions and classes that compute rules, and of all that these call."""
    homes: dict[str, list[ast.FunctionDef | ast.ClassDef]] = {}
    for tree in trees(folder):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                homes.setdefault(node.name, []).append(node)
    waiting: list[ast.AST] = list(computed(folder).values())
    met: dict[int, int] = {}
    while waiting:
        for name in ast.walk(waiting.pop()):
            for node in homes.get(name.id, []) if isinstance(name, ast.Name) else []:
                if id(node) not in met:
                    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                    met[id(node)] = (node.end_lineno or first) - first + 1
                    waiting.append(node)
    return sum(met.values())


def broken(folder: Path) -> list[str]:
    """The violations of the law in a folder of rules."""
    found = computed(folder)
    said = [
        f"{name} is computed by a function without a reason" for name in sorted(found.keys() - BY_A_FUNCTION)
    ]
    if len(found) > MOST_RULES:
        said.append(f"{len(found)} rules are computed by functions, at most {MOST_RULES} may be")
    if (count := lines(folder)) > MOST_LINES:
        said.append(f"their functions have {count} lines, at most {MOST_LINES} may be")
    return said


def test_rules_by_functions_are_listed_few_and_short() -> None:
    assert broken(RULES) == []
    assert computed(RULES).keys() == BY_A_FUNCTION.keys()


def test_a_rule_without_a_reason_breaks_the_law(tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text(
        'grown = rule("xs = xs", why="It grows.", by=_grown)\n', encoding="utf-8"
    )
    assert broken(tmp_path) == ["grown is computed by a function without a reason"]


def test_too_many_rules_break_the_law(tmp_path: Path) -> None:
    rules = "".join(f'r{number} = rule("xs = xs", why="", by=f)\n' for number in range(MOST_RULES + 1))
    (tmp_path / "new.py").write_text(rules, encoding="utf-8")
    assert f"{MOST_RULES + 1} rules are computed by functions, at most {MOST_RULES} may be" in broken(
        tmp_path
    )


def test_long_functions_break_the_law_in_any_module(tmp_path: Path) -> None:
    long = "def long():\n" + "    pass\n" * MOST_LINES
    (tmp_path / "helper.py").write_text(long, encoding="utf-8")
    assert broken(tmp_path) == []  # it computes no rule
    rule = 'def f(term):\n    return long()\nbetaPair = rule("xs = xs", why="", by=f)\n'
    (tmp_path / "new.py").write_text(rule, encoding="utf-8")
    assert broken(tmp_path) == [f"their functions have {MOST_LINES + 3} lines, at most {MOST_LINES} may be"]
