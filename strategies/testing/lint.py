"""Static analysis of a rule: side conditions on variables, non-termination, and overlaps.

Independent of particular rules. Rules by functions are known only by their examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from elevate import Diagnostic, StrategyError, Success, topDown
from elevate.term import preorder
from rise.records import dataclass
from rise.terms import Expr, Lam, Var
from rise.tracebacks import ends_at_the_users_line
from strategies.equations.examples import Example, example
from strategies.equations.rule import EquationRule, RuleFamily
from strategies.testing.overlaps import Overlap, overlaps_of, undoing

TRIALS: Final = 4
"""The number of times that a rule is applied to its own result."""


@dataclass(frozen=True, slots=True)
class Lint:
    """Facts about a rule."""

    rule: str
    not_free: tuple[str, ...]
    """The side conditions that the equation implies, such as: `x` is not free in `f`."""
    fires: bool
    """Whether it fires on its example, a generated instance of its left side."""
    change: int
    """The number of nodes by which the example grew."""
    repeats: bool
    """Whether it fires again and again in its own result, which grows: then `normalize` of it does not terminate."""
    overlaps: tuple[Overlap, ...]
    """The overlaps with the redexes of other rules."""
    undone_by: tuple[str, ...]
    """The rules that undo it: `normalize` of both rules does not terminate."""

    def __str__(self) -> str:
        orientation = "grows" if self.change > 0 else "shrinks" if self.change < 0 else "keeps its size"
        lines = [f"{self.rule}: a redex {orientation}" if self.fires else f"{self.rule}: no example is known"]
        lines += [f"requires that {fact}" for fact in self.not_free]
        if self.repeats:
            lines.append(f"fires again in its own result, which grows: normalize({self.rule}) does not end")
        lines += [f"undone by {name}" for name in self.undone_by]
        lines += [f"overlaps: {one}" for one in self.overlaps]
        return "\n  ".join(lines)


@ends_at_the_users_line
def lint(rule: EquationRule | RuleFamily, others: Iterable[EquationRule | RuleFamily] = ()) -> Lint:
    """Analyse a rule and its interaction with others, without running user programs.

    >>> from strategies.rules.movement import joinSplit, splitJoin
    >>> print(lint(splitJoin(2)))
    splitJoin(2): a redex grows
      fires again in its own result, which grows: normalize(splitJoin(2)) does not end
    >>> print(lint(joinSplit))
    joinSplit: a redex shrinks
    """
    if not isinstance(rule, EquationRule | RuleFamily):
        title = f"expected a rule or a family of rules, found a {type(rule).__name__}"
        hint = 'make a rule from the equation: lint(rule("map id xs = xs", why="..."))'
        raise StrategyError(Diagnostic("rule", title, hint=hint))
    law = rule.rule if isinstance(rule, RuleFamily) else rule
    shown, rest = example(rule), [other for other in others if other != rule]
    return Lint(
        repr(rule) if isinstance(rule, RuleFamily) else rule.name,
        () if law.by is not None else tuple(fact for form in law.forms for fact in _not_free(form)),
        shown is not None,
        0 if shown is None else _size(shown.after) - _size(shown.before),
        shown is not None and _repeats(shown),
        tuple(overlaps_of(rule, rest)),
        () if shown is None else tuple(dict.fromkeys(one.name for one in undoing(shown, map(_at_two, rest)))),
    )


def _at_two(rule: EquationRule | RuleFamily) -> EquationRule:
    return rule(*[2] * len(rule.parameters)) if isinstance(rule, RuleFamily) else rule


def _not_free(form: EquationRule) -> Iterable[str]:
    """The binders around each metavariable of the left side that its term must not mention."""
    compiled = form.compiled
    facts: dict[str, None] = {}
    waiting: list[tuple[Expr, tuple[str, ...]]] = [(compiled.left, ())]
    while waiting:
        node, binders = waiting.pop()
        if isinstance(node, Var):
            hidden = [name for name in binders if name not in compiled.matcher.may_mention[node.name]]
            facts |= dict.fromkeys(f"`{name}` is not free in `{node.name}`" for name in hidden)
        inside = (*binders, node.name) if isinstance(node, Lam) else binders
        waiting += [(child, inside) for child in reversed(node.children)]
    return facts


def _repeats(shown: Example) -> bool:
    size, term = _size(shown.before), shown.after
    for _ in range(TRIALS):
        if _size(term) <= size:
            return False
        size = _size(term)
        result = topDown(shown.rule)(term)
        if not isinstance(result, Success):
            return False
        term = result.program
    return True


def _size(e: Expr) -> int:
    return sum(1 for _ in preorder(e))
