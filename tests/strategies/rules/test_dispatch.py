"""The table of how rules of the library are chosen: it is that of their equations, which are compiled when needed.

`python -m tests.strategies.rules.test_dispatch` rewrites the table.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import rise
from elevate import Success, topDown
from strategies import EquationRule, RuleFamily, registry, rule
from strategies.equations.dispatch import TABLE, dispatch_of
from strategies.rules.fusion import mapFusion

FILL = """
import tempfile
import rise, shine
from strategies.equations.compilation import compile_equation
from strategies.equations.rule import EquationRule
seen = set()
prepared = EquationRule.prepared
EquationRule.prepared = lambda rule: seen.add(rule) or prepared(rule)
with tempfile.TemporaryDirectory() as cache:
    shine.compile(rise.parse("fun(xs: N.f32 => xs |> map(neg))"), cache=cache)
assert 0 < compile_equation.cache_info().currsize < len(seen) / 2, (compile_equation.cache_info(), len(seen))
"""


def table() -> dict[str, list[Any]]:
    """What the compiled equations of the library say."""
    found: dict[str, list[Any]] = {}
    for entry in registry.rules().values():
        one = entry.rule.rule if isinstance(entry.rule, RuleFamily) else entry.rule
        if isinstance(one, EquationRule) and one.by is None:
            found |= {form.equation: form.compiled.dispatch.as_json() for form in one.forms}
    return found


def text() -> str:
    """The table as a file, with a line for each equation."""
    lines = [f"{json.dumps(equation)}: {json.dumps(entry)}" for equation, entry in sorted(table().items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def test_the_table_is_that_of_the_equations() -> None:
    assert text() == TABLE.read_text(encoding="utf-8"), "run python -m tests.strategies.rules.test_dispatch"
    for equation, entry in table().items():
        known = dispatch_of(equation)
        assert known is not None and known.as_json() == entry


def test_an_equation_of_a_user_has_no_entry_and_works() -> None:
    mine = rule("map f (map g zs) = map (fun(z => f (g z))) zs", why="As mapFusion.")
    assert dispatch_of(mine.equation) is None
    program = rise.parse("fun(xs: 4.f32 => xs |> map(neg) |> map(abs))").main
    found, expected = topDown(mine)(program), topDown(mapFusion)(program)
    assert isinstance(found, Success) and isinstance(expected, Success)
    assert len(found.steps) == len(expected.steps) == 1


def test_equations_of_rules_that_are_not_tried_are_not_compiled() -> None:
    subprocess.run([sys.executable, "-c", FILL], check=True)


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
