"""Rules over toy trees, each given as two trees; a label that begins with `?` is a variable. Independent of
strategies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elevate import FloatClass, Rule
from elevate.analysis.shapes import Built, Hole, Rewrite, Shape
from elevate.toy import Tree, node, tree


def shape(pattern: Tree) -> Shape:
    """The shape of a tree."""
    if pattern.label.startswith("?"):
        return Hole(pattern.label)
    return Built(pattern.root, tuple(map(shape, pattern.children)))


@dataclass(frozen=True, slots=True)
class TreeRule(Rule):
    """A rule that declares its shapes."""

    name: str
    left: Tree
    right: Tree

    roots = None
    depth = None
    float_class = FloatClass.EXACT

    def apply(self, term: Any) -> Tree | None:
        known: dict[str, Tree] = {}
        waiting = [(self.left, term)]
        while waiting:
            pattern, part = waiting.pop()
            if pattern.label.startswith("?"):
                if known.setdefault(pattern.label, part) != part:
                    return None
            elif pattern.root != part.root:
                return None
            else:
                waiting.extend(zip(pattern.children, part.children, strict=True))
        return fill(self.right, known)

    def shapes(self) -> tuple[Rewrite, ...]:
        names = [label for label in labels(self.left) if label.startswith("?")]
        linear = len(set(names)) == len(names)
        return (Rewrite(shape(self.left), shape(self.right), linear),)


def labels(pattern: Tree) -> list[str]:
    return [pattern.label, *(label for child in pattern.children for label in labels(child))]


def fill(pattern: Tree, known: dict[str, Tree]) -> Tree:
    if pattern.label.startswith("?"):
        return known[pattern.label]
    return node(pattern.label, tuple(fill(child, known) for child in pattern.children))


def t(text: str) -> Tree:
    """A tree from text: `p(f(?x), a)`."""
    label, _, inside = (
        text.strip().removesuffix(")").partition("(") if "(" in text else (text.strip(), "", "")
    )
    children: list[str] = []
    level, start = 0, 0
    for place, character in enumerate(inside + ","):
        if character == "," and level == 0:
            children.append(inside[start:place])
            start = place + 1
        level += (character == "(") - (character == ")")
    return tree(label, *(t(child) for child in children if child.strip()))


def tree_rule(name: str, left: str, right: str) -> TreeRule:
    return TreeRule(name, t(left), t(right))


double = tree_rule("double", "f(f(?x))", "f(?x)")
unwrap = tree_rule("unwrap", "g(?x)", "?x")
wrap = tree_rule("wrap", "?x", "g(?x)")
toF = tree_rule("toF", "g(?x)", "f(?x)")
toG = tree_rule("toG", "f(?x)", "g(?x)")
flip = tree_rule("flip", "p(?x, ?y)", "p(?y, ?x)")
leftOfPair = tree_rule("leftOfPair", "p(a, ?y)", "?y")
same = tree_rule("same", "p(?x, ?x)", "f(?x)")
sink = tree_rule("sink", "h(f(?x))", "f(h(?x))")
aToB = tree_rule("aToB", "a", "b")
hOfLeaf = tree_rule("hOfLeaf", "h(b)", "k(a)")
copied = tree_rule("copied", "k(?x)", "p(?x, ?x)")
SHAPED = (double, unwrap, wrap, toF, toG, flip, leftOfPair, same, sink, aToB, hOfLeaf, copied)
