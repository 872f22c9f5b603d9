"""The orders of directed strategies are compiled once for a run, however often the strategies run."""

from __future__ import annotations

import pytest

from elevate import Strategy, alltd, at, repeat, topDown
from elevate.engine import compiler as module
from elevate.engine.compiler import Compiler
from elevate.result import Success
from elevate.toy import Tree, fToG, tree


def compiled(strategy: Strategy, term: Tree, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of strategies that a successful run compiles."""
    count = 0
    original = Compiler.compiled

    def counted(self: Compiler, *arguments: object) -> object:
        nonlocal count
        count += 1
        return original(self, *arguments)  # type: ignore[arg-type]  # as it was called

    with monkeypatch.context() as patch:
        patch.setattr(Compiler, "compiled", counted)
        assert isinstance(strategy(term), Success)
    return count


def wide(count: int) -> Tree:
    return tree("p", *(tree("q", tree("f", f"a{number}")) for number in range(count)))


def test_orders_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = alltd(at("0")(topDown(fToG)))
    assert compiled(strategy, wide(1), monkeypatch) > 0
    assert compiled(strategy, wide(50), monkeypatch) == 0  # the code of the first run is kept


def test_a_run_forgets_what_the_last_one_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ORDERED", 1)  # each order replaces the compiler of the previous one
    strategy = repeat(at("0")(topDown(fToG)))
    for number in range(3):
        result = strategy(tree("p", tree("f", tree("f", f"b{number}"))))
        assert isinstance(result, Success) and result.program == tree("p", tree("g", tree("g", f"b{number}")))
