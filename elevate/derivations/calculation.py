"""Derivations written as calculations: after each strategy, the program that is expected. Knows no language."""

from __future__ import annotations

from typing import Any

from elevate.derivations.derivation import Derivation
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.strategy import Failure, Strategy
from elevate.term import P, Path, show_path, show_term
from elevate.trace import Steps


def calc(program: P, *lines: tuple[Strategy, P | Strategy]) -> Derivation[P]:
    """Apply strategies one after the other, and look at the program after each.

    A line is a strategy with what it must give: a program, or a sketch of one, which is a strategy that must succeed on
    it. Raises StrategyError that names the first line that gives something else, or that fails.

    >>> from elevate.toy import dropG, fToG, isF, tree
    >>> calc(tree("f", tree("f", "a")), (fToG, tree("g", tree("f", "a"))), (dropG, isF)).result
    f(a)
    """
    found = Derivation(program, Steps(), program)
    for number, (strategy, expected) in enumerate(lines, start=1):
        found = found.then(strategy)
        if isinstance(expected, Strategy):
            looked = expected(found.result)
            if isinstance(looked, Failure):
                title = f"line {number} ({strategy}): expected a program on which {expected} succeeds"
                notes = tuple(str(looked.explain()).splitlines())
                raise StrategyError(Diagnostic("calculation-differs", title, notes=notes, hint=HINT))
        elif expected != found.result:
            path, wanted, here = difference(expected, found.result)
            title = (
                f"line {number} ({strategy}) gives another program: at {show_path(path)} expected {show_term(wanted)},"
                f" found {show_term(here)}"
            )
            raise StrategyError(Diagnostic("calculation-differs", title, hint=HINT))
    return found


HINT = "change the strategy, or what is expected after it; `derive` shows the steps of the line alone"


def difference(one: Any, other: Any) -> tuple[Path, Any, Any]:
    """The lowest place that holds all in which two terms differ, with both subterms."""
    path: list[int] = []
    while one.root == other.root and len(one.children) == len(other.children):
        differ = [
            index
            for index, pair in enumerate(zip(one.children, other.children, strict=True))
            if pair[0] != pair[1]
        ]
        if len(differ) != 1:
            break
        path.append(differ[0])
        one, other = one.children[differ[0]], other.children[differ[0]]
    return tuple(path), one, other
