"""What is odd about a strategy, said before it runs. Knows no strategy: `elevate.warnings_of` finds it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.text import Text

from elevate import Strategy, StrategyError, Warning_, warnings_of
from shine.cli.terminal import Page, console, style_of


def say_warnings(page: Page, strategy: Strategy, strict: bool) -> None:
    """All warnings, a paragraph each; the same for programs. Raises StrategyError with them if they are errors."""
    found = warnings_of(strategy)
    if found and strict:
        first, *others = found
        more = tuple(f"{one.code}: {one.title}" for one in others)
        diagnostic = first.diagnostic
        raise StrategyError(replace(diagnostic, notes=(*diagnostic.notes, *more)))
    if not page.is_json:
        shown = console(is_error=True)
        for one in found:
            for line in str(one).split("\n"):
                shown.print(Text(line, "yellow" if line.startswith("warning[") else style_of(line), end=""))
    page.put(warnings=[_facts(one) for one in found])


def _facts(warning: Warning_) -> dict[str, Any]:
    return {
        "code": warning.code,
        "title": warning.title,
        "strategy": str(warning.strategy),
        "inside": list(warning.inside),
        "notes": list(warning.notes),
        "hint": warning.hint,
    }
