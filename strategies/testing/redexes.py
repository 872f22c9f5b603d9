"""Closed programs with a redex of a rule, for tests of users' own: `redex`. Independent of particular rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import hypothesis.strategies as st
from hypothesis import reject

from elevate import Diagnostic, Path, StrategyError, replaced, subterm
from elevate.term import show_path
from rise.primitives import PROJECTIONS
from rise.printer.terms import show_brief
from rise.records import dataclass
from rise.terms import App, Expr, Var, abstract
from rise.testing.arguments import calls
from rise.testing.snippets import python_text
from rise.tracebacks import ends_at_the_users_line
from rise.types import Type, is_data
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.instances import instances
from strategies.testing.refutations import applied
from strategies.testing.terms import primitive

#: the greatest number of calls around a redex
MAX_CALLS: Final = 3


@dataclass(frozen=True, slots=True)
class Redex:
    """A closed program in which a rule fires at a path.

    - `program`, `contracted`: the program before and after the step.
    - `redex`, `contractum`: the part at the path, before and after.
    - `arguments`: inputs for both programs.
    """

    rule: EquationRule
    program: Expr
    path: Path
    contracted: Expr
    arguments: tuple[Any, ...]

    @property
    def redex(self) -> Expr:
        """The part that the rule rewrites."""
        return _at(self.program, self.path)

    @property
    def contractum(self) -> Expr:
        """What the rule makes of it."""
        return _at(self.contracted, self.path)

    def __repr__(self) -> str:
        lines = [
            f"a redex of {self.rule.name} at {show_path(self.path)}",
            f"before: {show_brief(self.program)}",
            f"after: {show_brief(self.contracted)}",
            f"arguments: {', '.join(map(python_text, self.arguments))}",
        ]
        return "\n    ".join(lines)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print it in Hypothesis's notes on a failed test, which would print all fields."""
        printer.text(repr(self))


@ends_at_the_users_line
def redex(rule: EquationRule) -> st.SearchStrategy[Redex]:
    """Hypothesis strategy of closed programs of known sizes in which a rule fires, below calls and functions.

    Raises StrategyError for a family without its parameters, and for a rule that is computed by a function.

    >>> from hypothesis import given
    >>> import rise
    >>> from strategies.rules.fusion import mapFusion
    >>> @given(redex(mapFusion))
    ... def test_fusion_keeps_types(found):
    ...     assert found.contracted.type == found.program.type
    >>> test_fusion_keeps_types()
    """
    if isinstance(rule, RuleFamily):
        title = f"expected a rule, found the family {rule!r} without its parameters"
        raise StrategyError(Diagnostic("rule", title, hint="choose them: redex(splitJoin(4))"))
    if not isinstance(rule, EquationRule):
        title = f"expected a rule, found a {type(rule).__name__}"
        hint = 'make a rule from the equation: redex(rule("map id xs = xs", why="..."))'
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    if rule.by is not None:
        title = f"expected a rule with an equation, found {rule.name}, which a function computes"
        hint = "draw programs: strategies.testing.programs(), and look for redexes: firings(rule, program)"
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    return _redexes(rule)


@st.composite
def _redexes(draw: st.DrawFn, rule: EquationRule) -> Redex:
    instance = draw(instances(draw(st.sampled_from(rule.forms))))
    body: Expr = instance.left
    path: Path = ()
    for _ in range(draw(st.integers(0, MAX_CALLS))):
        around, below = draw(st.sampled_from(AROUND))
        if is_data(body.type):
            body, path = around(body), below + path
    program = instance.program(body)
    path = (0,) * len(instance.parameters) + path
    contractum = applied(rule, _at(program, path))
    if contractum is None:  # a condition does not hold
        reject()
    contracted = replaced(program, path, contractum)
    assert isinstance(contracted, Expr)
    call = next(calls(program, 1, instance.seed, is_odd=draw(st.booleans())), None)
    if call is None:  # an index below 0
        reject()
    return Redex(rule, program, path, contracted, call.arguments)


def _at(program: Expr, path: Path) -> Expr:
    found = subterm(program, path)
    assert isinstance(found, Expr), path
    return found


def _identity(t: Type) -> Expr:
    x = Var("x", t)
    return abstract(x, x)


def _first(e: Expr) -> Expr:
    return primitive(PROJECTIONS[0], (e.type, e.type), _paired(e))


def _second(e: Expr) -> Expr:
    return primitive(PROJECTIONS[1], (e.type, e.type), _paired(e))


def _paired(e: Expr) -> Expr:
    return primitive("pair", (e.type, e.type), e, e)


def _named(e: Expr) -> Expr:
    return primitive("let", (e.type, e.type), e, _identity(e.type))


#: terms with the value of a term, and the path to it
AROUND: Final[tuple[tuple[Callable[[Expr], Expr], Path], ...]] = (
    (lambda e: App(_identity(e.type), e), (1,)),
    (_named, (0, 1)),
    (_first, (1, 0, 1)),
    (_second, (1, 1)),
)
