"""Prints warnings about a strategy before it runs. Knows no strategy: `elevate.warnings_of` finds them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.text import Text

from elevate import Strategy, StrategyError, Warning_, warnings_of
from shine.cli.terminal import Page, console, style_of


def say_warnings(page: Page, strategy: Strategy, strict: bool) -> None:
    """Print all warnings, or note them for JSON. Raises StrategyError with them if `strict`."""
    warnings = warnings_of(strategy)
    if warnings and strict:
        first, *others = warnings
        more = tuple(f"{warning.code}: {warning.title}" for warning in others)
        diagnostic = first.diagnostic
        raise StrategyError(replace(diagnostic, notes=(*diagnostic.notes, *more)))
    if not page.is_json:
        stderr = console(is_error=True)
        for warning in warnings:
            for line in str(warning).split("\n"):
                stderr.print(Text(line, "yellow" if line.startswith("warning[") else style_of(line), end=""))
    page.put(warnings=[_facts(warning) for warning in warnings])


def _facts(warning: Warning_) -> dict[str, Any]:
    return {
        "code": warning.code,
        "title": warning.title,
        "strategy": str(warning.strategy),
        "inside": list(warning.inside),
        "notes": list(warning.notes),
        "hint": warning.hint,
    }
