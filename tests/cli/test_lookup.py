"""Strategies by name, and the registry: everything that is listed can be loaded, and nothing is missing."""

import importlib
import pkgutil
import sys
from types import ModuleType
from typing import Any

import pytest

import elevate
import strategies.rules
from elevate import Strategy, StrategyError, id_
from strategies import load, registry
from strategies.equations.rule import EquationRule, RuleFamily


def test_everything_that_is_listed_loads() -> None:
    others = {"by_columns": False, "name": "e", "method": "blocks", "vector": 4}
    for address, entry in registry.strategies().items():
        required = {one: others.get(one, 32) for one in entry.parameters if "=" not in one}
        assert isinstance(load(address, **required), Strategy), address


def test_rules_load_by_their_addresses() -> None:
    for address, entry in registry.rules().items():
        loaded = load(address, **dict.fromkeys(entry.parameters, 4))
        assert isinstance(loaded, EquationRule), address
        assert loaded.equation == entry.equation, address
        assert entry.why, address


def test_every_module_of_rules_is_listed() -> None:
    found = (
        importlib.import_module(one.name) for one in pkgutil.walk_packages(strategies.__path__, "strategies.")
    )
    names = {module.__name__ for module in found if any(registry.rules_of(module))}
    assert {module.__name__ for module in registry.RULE_MODULES} == names


def test_every_module_of_strategies_is_listed() -> None:
    """All modules that define strategies are listed; imported strategies are defined elsewhere."""
    listed = (*registry.STRATEGY_MODULES, elevate)
    for one in pkgutil.walk_packages(strategies.__path__, "strategies."):
        module = importlib.import_module(one.name)
        for entry, value in registry.strategies_of(module):
            is_known = any(getattr(home, entry.name, None) is value for home in listed)
            assert is_known or value is load, f"{entry.address} is not listed"


@pytest.mark.parametrize("module", registry.RULE_MODULES, ids=lambda module: module.__name__)
def test_every_rule_of_a_module_is_listed(module: Any) -> None:
    made = {
        f"{module.__name__}:{name}"
        for name, value in vars(module).items()
        if isinstance(value, EquationRule | RuleFamily)
        and (value.rule if isinstance(value, RuleFamily) else value).module == module.__name__
    }
    assert made == {one for one in registry.rules() if one.startswith(f"{module.__name__}:")}


def test_a_strategy_is_listed_once_by_its_defining_module() -> None:
    names = [address for address in registry.strategies() if address.endswith(":fuse")]
    assert len(names) == len({id(load(name)) for name in names}) >= 1
    assert not any(address.endswith(":id_") for address in registry.strategies())


def test_comments_above_are_the_documentation() -> None:
    assert registry.strategies()["strategies.sequential:sequential"].name == "sequential"
    assert registry.strategies()["strategies.openmp:parallel"].doc.startswith("Lower any program")


def test_parameters_are_taken_by_name() -> None:
    assert str(load("strategies.rules.movement:splitJoin", n=32)) == "splitJoin(32)"
    assert str(load("strategies.openmp:parallel", tile=16)) == "parallel(tile=16)"
    assert load("elevate:id_") is id_


@pytest.mark.parametrize(
    ("address", "parameters", "title", "hint"),
    [
        ("parallel", {}, "expected a strategy as module:name, found `parallel`", "sequential"),
        (":parallel", {}, "expected a strategy as module:name", ""),
        ("strategies.openmp:", {}, "expected a strategy as module:name", ""),
        ("strategies/openmp.py:parallel", {}, "expected a strategy as module:name", ""),
        ("strategies.opnmp:parallel", {}, "there is no module strategies.opnmp", "`strategies.openmp`"),
        ("nowhere.at.all:x", {}, "there is no module nowhere", "shine list"),
        ("strategies.openmp:paralel", {}, "strategies.openmp has no strategy `paralel`", "`parallel`"),
        ("strategies.openmp:parallel", {"tiles": 4}, "has no parameter `tiles`", "`tile`"),
        ("strategies.parts.nests:tileNest", {"rows": 4}, "needs `columns`, found `rows`", "it takes"),
        ("strategies.rules.movement:splitJoin", {}, "needs `n`", "it takes `n`"),
        ("strategies.rules.movement:splitJoin", {"n": "x"}, "expected a size for `n`, found 'x'", "integer"),
        ("strategies.sequential:sequential", {"n": 4}, "takes no parameters, found `n`", "omit"),
        ("strategies.lookup:LIST_HINT", {}, "found a Python value of type str", "shine list"),
        ("rise:parse", {"text": "1"}, "to return a strategy", "shine list"),
    ],
)
def test_an_address_that_does_not_load_is_reported(
    address: str, parameters: dict[str, Any], title: str, hint: str
) -> None:
    with pytest.raises(StrategyError) as error:
        load(address, **parameters)
    assert error.value.diagnostic.code in ("unknown-strategy", "strategy-parameter")
    assert title in error.value.diagnostic.title
    assert hint in error.value.diagnostic.hint


def test_an_error_inside_a_module_is_reported(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_broken_module.py").write_text("import a_module_that_is_missing", encoding="utf-8")
    (tmp_path / "a_failing_module.py").write_text("1 / 0", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name, said in (("a_broken_module", "No module named"), ("a_failing_module", "ZeroDivisionError")):
        with pytest.raises(StrategyError) as error:
            load(f"{name}:x")
        assert f"{name} cannot be imported" in error.value.diagnostic.title
        assert said in error.value.diagnostic.title


def test_strategies_of_the_library_are_made_once_for_equal_parameters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiled = "strategies.cpu_gemm:blocking"
    assert load(tiled, rows=16) is load(tiled, rows=16)
    assert load(tiled, rows=16) != load(tiled, rows=8)
    own = ModuleType("own")
    monkeypatch.setitem(sys.modules, "own", own)
    calls: list[None] = []

    def made() -> Strategy:
        calls.append(None)
        return id_

    made.__module__ = "own"
    vars(own)["made"] = made
    assert load("own:made") == load("own:made") == id_
    assert len(calls) == 2, "a user's function may return another strategy in each call"
