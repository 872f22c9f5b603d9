"""Derivations written as calculations, with the expected program after each strategy. Independent of languages."""

from __future__ import annotations

from typing import Any

from elevate.derivations.derivation import Derivation
from elevate.diagnostics import Diagnostic, StrategyError
from elevate.strategy import Failure, Strategy
from elevate.term import P, Path, show_path, show_term
from elevate.trace import Steps
from elevate.tracebacks import ends_at_the_users_line


@ends_at_the_users_line
def calc(program: P, *lines: tuple[Strategy, P | Strategy]) -> Derivation[P]:
    """Apply strategies in sequence, and check the program after each.

    A line is a strategy with its expected result: a program, or a sketch of one, which is a strategy that must succeed
    on it. Raises StrategyError that names the first line that has another result, or that fails.

    >>> from elevate.toy import dropG, fToG, isF, tree
    >>> calc(tree("f", tree("f", "a")), (fToG, tree("g", tree("f", "a"))), (dropG, isF)).result
    f(a)
    """
    derivation = Derivation(program, Steps(), program)
    for number, (strategy, expected) in enumerate(lines, start=1):
        derivation = derivation.then(strategy)
        if isinstance(expected, Strategy):
            sketched = expected(derivation.result)
            if isinstance(sketched, Failure):
                title = f"line {number} ({strategy}): expected a program on which {expected} succeeds"
                notes = tuple(str(sketched.explain()).splitlines())
                raise StrategyError(Diagnostic("calculation-differs", title, notes=notes, hint=HINT))
        elif expected != derivation.result:
            path, wanted, actual = difference(expected, derivation.result)
            title = (
                f"line {number} ({strategy}) gives a different program: at {show_path(path)}"
                f" expected {show_term(wanted)}, found {show_term(actual)}"
            )
            raise StrategyError(Diagnostic("calculation-differs", title, hint=HINT))
    return derivation


HINT = "change the strategy, or what is expected after it; `derive` shows the steps of the line alone"


def difference(left: Any, right: Any) -> tuple[Path, Any, Any]:
    """The lowest place that contains all differences of two terms, with both subterms."""
    path: list[int] = []
    while left.root == right.root and len(left.children) == len(right.children):
        indices = [
            index
            for index, pair in enumerate(zip(left.children, right.children, strict=True))
            if pair[0] != pair[1]
        ]
        if len(indices) != 1:
            break
        path.append(indices[0])
        left, right = left.children[indices[0]], right.children[indices[0]]
    return tuple(path), left, right
