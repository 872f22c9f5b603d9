"""Finds rules that overlap, whose left sides unify with a part of another, and rules that undo each other.

Independent of rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from elevate import Path, path_of, replaced
from elevate.term import preorder
from rise.terms import App, Bound, DepApp, Expr, Lam, Literal, Primitive, Var
from strategies.equations.examples import Example, example
from strategies.equations.patterns import context_of
from strategies.equations.rule import EquationRule, RuleFamily


class Overlap(NamedTuple):
    """A critical pair: two rules that may both fire on one term, `inner` at `path` of the redex of `outer`."""

    outer: EquationRule
    inner: EquationRule
    path: Path

    def __str__(self) -> str:
        place = "at the root" if not self.path else f"at {'.'.join(map(str, self.path))}"
        return f"{self.inner} {place} of {self.outer}: {self.outer.left}"


def overlaps(rules: Iterable[EquationRule | RuleFamily]) -> tuple[Overlap, ...]:
    """All pairs of equation rules whose left sides unify, at the root or inside.

    A rule overlaps with itself only below the root. Sizes, types and conditions are ignored, so the result may have too
    many pairs, but never too few. Rules by a function, and left sides that are a variable, overlap with everything and
    are omitted.
    """
    return tuple(_overlaps([law for rule in rules for law in _laws(rule)]))


def overlaps_of(
    rule: EquationRule | RuleFamily, others: Iterable[EquationRule | RuleFamily]
) -> Iterator[Overlap]:
    """The pairs of `overlaps` that combine a rule with one of others."""
    own = list(_laws(rule))
    for other in (law for one in others for law in _laws(one)):
        for law in own:
            yield from _inside(law, other, with_root=True)
            yield from _inside(other, law, with_root=False)


def _inside(outer: EquationRule, inner: EquationRule, with_root: bool) -> Iterator[Overlap]:
    for path, part in _parts(outer.compiled.left):
        if (path or with_root) and unifiable(part, inner.compiled.left):
            yield Overlap(outer, inner, path)


def _laws(rule: EquationRule | RuleFamily) -> Iterator[EquationRule]:
    """The forms of a rule that is given by equations; none for a rule by a function."""
    law = rule.rule if isinstance(rule, RuleFamily) else rule
    for form in law.forms if law.by is None else ():
        if not isinstance(form.compiled.left, Var) and not context_of(form.compiled.left):
            yield form


def _overlaps(laws: list[EquationRule]) -> Iterator[Overlap]:
    for position, outer in enumerate(laws):
        for path, part in _parts(outer.compiled.left):
            for other, inner in enumerate(laws):
                if (path or position < other) and unifiable(part, inner.compiled.left):
                    yield Overlap(outer, inner, path)


def _parts(pattern: Expr) -> Iterator[tuple[Path, Expr]]:
    """The parts of a pattern that are not metavariables, each with its path."""
    waiting: list[tuple[Path, Expr]] = [((), pattern)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, Var) or context_of(node):
            continue
        yield path, node
        waiting.extend(((*path, index), child) for index, child in enumerate(node.children))


def unifiable(left: Expr, right: Expr) -> bool:
    """Whether two patterns have a common instance, ignoring types; a metavariable may be any term."""
    waiting = [(left, right)]
    while waiting:
        a, b = waiting.pop()
        match a, b:
            case _ if context_of(a) or context_of(b):
                pass
            case (Var(), _) | (_, Var()):
                pass
            case App(f, x), App(g, y):
                waiting += [(f, g), (x, y)]
            case DepApp(f, _), DepApp(g, _):
                waiting.append((f, g))
            case Lam(_, _, b), Lam(_, _, c):
                waiting.append((b, c))
            case Primitive(name, _, _), Primitive(named, _, _) if name == named:
                pass
            case Bound(i, _), Bound(k, _) if i == k:
                pass
            case Literal(), Literal() if a.value == b.value:
                pass
            case _:
                return False
    return True


def undone(rules: Iterable[EquationRule | RuleFamily]) -> tuple[tuple[EquationRule, EquationRule], ...]:
    """The pairs of rules in which the second undoes the first on the example of the first.

    `normalize(first | second)` does not terminate for such a pair.
    """
    examples = [shown for rule in rules if (shown := example(rule)) is not None]
    return tuple(
        (first.rule, second)
        for first in examples
        for second in dict.fromkeys(undoing(first, [other.rule for other in examples]))
    )


def undoing(first: Example, rules: Iterable[EquationRule]) -> Iterator[EquationRule]:
    """The rules that turn the result of an example back into the example."""
    rules = list(rules)
    before = {path_of(place): node for node, place in preorder(first.before)}
    for node, place in preorder(first.after):
        path = path_of(place)
        original = before.get(path)
        if original is None or original == node:
            continue
        for rule in rules:
            if rule.roots is None or node.root in rule.roots:
                contractum = rule.apply(node)
                if contractum == original and replaced(first.after, path, original) == first.before:
                    yield rule
