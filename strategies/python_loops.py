"""From the loops of a Python function, in order, to its program: the derivation shows which iterations are independent.

Both programs are given, so this knows nothing of Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from elevate import Directed, Path, Strategy
from elevate.directed_strategies import Orders
from elevate.strategy import CHOICE
from elevate.term import subterm
from rise.primitives import PROJECTIONS
from rise.records import dataclass
from rise.terms import App, Expr, Primitive
from strategies.rules.functions import fstPair, sndPair
from strategies.rules.indexing import idxZip
from strategies.rules.iterations import (
    accumulatingIterations,
    accumulatingIterationsSwapped,
    independentIterations,
)

#: what a loop becomes, and then the elements that an iteration reads of several arrays
_RULES: Final[Strategy] = (
    independentIterations
    | accumulatingIterations
    | accumulatingIterationsSwapped
    | fstPair
    | sndPair
    | idxZip
)


@dataclass(frozen=True, slots=True)
class LoopsInto(Directed):
    """Apply the rules for loops where a program differs from another one, until it is that program."""

    result: Expr

    def orders(self, term: Any) -> Orders:
        """The places with other roots than in the result, outermost first."""
        while (path := _difference(term, self.result)) is not None:
            for place in _components(term, path):
                happened = yield _RULES, place
                if happened is not None:
                    term = happened.term
                    break
            else:
                return False
        return True

    def show(self, binding: int = CHOICE) -> str:
        """Without the program, which may be long."""
        return "loopsInto(...)"


def loopsInto(result: Expr) -> Strategy:
    """Show which iterations are independent, and which only accumulate a value: the program becomes `result`.

    The programs are those of a Python function, `program.sequential.main` and `program.main`. Fails if the rules for
    loops do not lead from one to the other.

    >>> import elevate, rise
    >>> ordered = rise.parse_expr(
    ...     "fun(n: nat, xs: n.f32 => reduceSeq(fun(s, i => s + idx(i, xs)), 0.0, generate(fun(i : idx[n] => i))))"
    ... )
    >>> summed = rise.parse_expr(
    ...     "fun(n: nat, xs: n.f32 => reduce(add, 0.0, generate(fun(i : idx[n] => idx(i, xs)))))"
    ... )
    >>> [step.rule.name for step in elevate.derive(loopsInto(summed), ordered).steps]
    ['accumulatingIterations']
    """
    return LoopsInto(result)


def _difference(term: Expr, result: Expr) -> Path | None:
    """The first place, outermost first, at which two terms have other roots or numbers of children; None if they are
    equal.
    """
    waiting: list[tuple[Path, Any, Any]] = [((), term, result)]
    while waiting:
        path, left, right = waiting.pop()
        if left == right:
            continue
        if left.root != right.root or len(left.children) != len(right.children) or not left.children:
            return path
        pairs = zip(left.children, right.children, strict=True)
        waiting += [((*path, at), *pair) for at, pair in reversed([*enumerate(pairs)])]
    return None


def _components(term: Expr, path: Path) -> Iterator[Path]:
    """A place, and if a component of a tuple is there, the place of the tuple, whose components are selected first."""
    yield path
    node = subterm(term, path)
    while isinstance(node, App) and isinstance(node.fun, Primitive) and node.fun.name in PROJECTIONS:
        path, node = (*path, 1), node.arg
        yield path
