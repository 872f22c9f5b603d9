"""A plugin for pytest: the rules in a file are tests, each of which proves its rule, or else tests it.

It is loaded by `pytest -p strategies.pytest_plugin`, or by `pytest_plugins = ["strategies.pytest_plugin"]` in the
`conftest.py` at the root; not by being installed, since pytest then rewrites the assertions of all modules installed
with it, whenever it runs. The files are those that match the patterns of the option `rise_rules`: `rise_rules =
*_rules.py` in the configuration, or `-o rise_rules=*_rules.py`. Without the option the plugin does nothing. Independent
of particular rules.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

OPTION = "rise_rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addini(OPTION, "patterns of files whose rules are proved, or tested", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The rules of a file, if it matches a pattern."""
    if any(file_path.match(pattern) for pattern in parent.config.getini(OPTION)):
        return RulesFile.from_parent(parent, path=file_path)
    return None


class RulesFile(pytest.File):
    """A file whose rules are tests."""

    def collect(self) -> Iterator[pytest.Item]:
        """The rules, in the order of the file. Raises StrategyError if it has none."""
        lookup: Any = importlib.import_module("strategies.lookup")
        for name, rule in lookup.rules_of_file(self.path).items():
            yield RuleItem.from_parent(self, name=name, rule=rule)


class RuleItem(pytest.Item):
    """A rule as a test. Its report says whether the rule is proved, or how it was tested."""

    def __init__(self, *, rule: Any, **more: Any) -> None:
        super().__init__(**more)
        self.rule = rule

    def runtest(self) -> None:
        """Prove the rule; test it if that fails. Raises StrategyError if it is wrong, or could hardly be tested."""
        proof: Any = importlib.import_module("strategies.proof")
        verdicts = proof.prove(self.rule, scalars=True)
        if all(verdict.is_proved for verdict in verdicts):
            self.add_report_section("call", "rule", "proved for all sizes")
            return
        testing: Any = importlib.import_module("strategies.testing")
        reasons = "; ".join(verdict.reason for verdict in verdicts if not verdict.is_proved)
        self.add_report_section("call", "rule", f"not proved: {reasons}")
        self.add_report_section("call", "rule", f"tested: {testing.check(self.rule)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The diagnostic, if there is one."""
        has_diagnostic = hasattr(excinfo.value, "diagnostic")
        return str(excinfo.value) if has_diagnostic else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The place of the rule."""
        return self.path, None, f"rule {self.name}"
