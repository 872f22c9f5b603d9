"""Finds rules that overlap: a left side inside another, and rules that undo each other. Knows equations, no rule."""

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
    """Two rules that may both fire on one term: `inner` at `path` of what `outer` rewrites. A critical pair."""

    outer: EquationRule
    inner: EquationRule
    path: Path

    def __str__(self) -> str:
        place = "at the root" if not self.path else f"at {'.'.join(map(str, self.path))}"
        return f"{self.inner} {place} of {self.outer}: {self.outer.left}"


def overlaps(rules: Iterable[EquationRule | RuleFamily]) -> tuple[Overlap, ...]:
    """All pairs of rules by their equations of which the left sides have a term in common, at the root or inside.

    A rule overlaps itself inside only. Sizes, types and conditions are not asked: it says too many pairs, never too
    few. Rules by a function, and left sides that are a variable, overlap with everything and are left out.
    """
    return tuple(_overlaps([law for one in rules for law in _laws(one)]))


def _laws(one: EquationRule | RuleFamily) -> Iterator[EquationRule]:
    law = one.rule if isinstance(one, RuleFamily) else one
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
    """The parts of a pattern that are no metavariable, each with its path."""
    waiting: list[tuple[Path, Expr]] = [((), pattern)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, Var) or context_of(node):
            continue
        yield path, node
        waiting.extend(((*path, index), child) for index, child in enumerate(node.children))


def unifiable(one: Expr, other: Expr) -> bool:
    """Whether two patterns have a term in common, whatever its types; a metavariable is any term."""
    waiting = [(one, other)]
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
    """The pairs of rules of which the second, somewhere in what the first made of its example, gives the example back.

    Such a pair circles in `normalize(first | second)`.
    """
    examples = [found for one in rules if (found := example(one)) is not None]
    return tuple(
        (first.rule, second)
        for first in examples
        for second in dict.fromkeys(_back(first, [one.rule for one in examples]))
    )


def _back(first: Example, rules: list[EquationRule]) -> Iterator[EquationRule]:
    """The rules of which a firing gives the example back."""
    before = {path_of(place): node for node, place in preorder(first.before)}
    for node, place in preorder(first.after):
        path = path_of(place)
        wanted = before.get(path)
        if wanted is None or wanted == node:
            continue
        for rule in rules:
            if rule.roots is None or node.root in rule.roots:
                contractum = rule.apply(node)
                if contractum == wanted and replaced(first.after, path, wanted) == first.before:
                    yield rule
