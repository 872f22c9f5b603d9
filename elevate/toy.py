"""A small language of interned labelled trees, with rules, for examples and tests."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from elevate.floats import FloatClass
from elevate.rules import rule, where

Key = tuple[str, tuple[int, ...], str]


class Tree:
    """A labelled node, with a remark that `==` ignores, as it ignores bound names.

    >>> tree("f", "a", tree("g", "b"))
    f(a, g(b))
    """

    __slots__ = ("__weakref__", "_twin", "children", "label", "remark")
    label: str
    children: tuple[Tree, ...]
    remark: str
    _twin: Tree | None

    @property
    def twin(self) -> Tree:
        """The same tree without remarks; the same object for equal trees."""
        return self._twin or self

    @property
    def root(self) -> tuple[str, int]:
        return self.label, len(self.children)

    def rebuild(self, children: tuple[Any, ...], /) -> Tree:
        return node(self.label, children, self.remark)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Tree) and self.twin is other.twin)

    def __hash__(self) -> int:
        return id(self.twin)

    def __reduce__(self) -> tuple[object, tuple[list[tuple[str, int, str]]]]:
        flat: list[tuple[str, int, str]] = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            flat.append((node.label, len(node.children), node.remark))
            waiting.extend(reversed(node.children))
        return _unflatten, (flat,)

    def __repr__(self) -> str:
        text: list[str] = []
        waiting: list[Tree | str] = [self]
        while waiting:
            part = waiting.pop()
            if len(text) > 200:
                return "".join(text) + "..."
            if isinstance(part, str):
                text.append(part)
                continue
            text.append(part.label)
            if part.children:
                inner: list[Tree | str] = [piece for child in part.children for piece in (", ", child)]
                waiting += [")", *reversed(inner[1:]), "("]
        return "".join(text)


_interned: WeakValueDictionary[Key, Tree] = WeakValueDictionary()


def tree(label: str, *children: Tree | str, remark: str = "") -> Tree:
    """A tree; a string among the children is a leaf."""
    return node(label, tuple(tree(child) if isinstance(child, str) else child for child in children), remark)


def node(label: str, children: tuple[Tree, ...], remark: str = "") -> Tree:
    """The interned tree with these parts."""
    key = (label, tuple(map(id, children)), remark)
    existing = _interned.get(key)
    if existing is not None:
        return existing
    new = Tree()
    new.label, new.children, new.remark = label, children, remark
    new._twin = None
    if remark or any(child._twin is not None for child in children):
        new._twin = node(label, tuple(child.twin for child in children))
    return _interned.setdefault(key, new)


@rule(roots=[("f", 1)], depth=0)
def fToG(term: Tree) -> Tree | None:
    """`f x = g x`"""
    return node("g", term.children) if term.root == ("f", 1) else None


@rule(depth=0)
def dropG(term: Tree) -> Tree | None:
    """`g x = x`; does not declare its roots."""
    return term.children[0] if term.root == ("g", 1) else None


@rule(roots=[("h", 1)], depth=1, float_class=FloatClass.REASSOCIATING)
def mergeH(term: Tree) -> Tree | None:
    """`h (h x) = h x`"""
    if term.root == ("h", 1) and term.children[0].root == ("h", 1):
        return term.children[0]
    return None


@rule(roots=[("h", 1)], depth=2, float_class=FloatClass.CONTRACTING)
def sinkH(term: Tree) -> Tree | None:
    """`h (g (f x)) = f (h x)`"""
    if term.root == ("h", 1) and term.children[0].root == ("g", 1):
        inner = term.children[0].children[0]
        if inner.root == ("f", 1):
            return tree("f", node("h", inner.children))
    return None


@rule
def emptyPair(term: Tree) -> Tree | None:
    """`p x y = a` if it contains no f; inspects any depth."""
    if term.root != ("p", 2) or "f" in repr(term):
        return None
    return tree("a")


@rule(roots=[("p", 2)], depth=0)
def swap(term: Tree) -> Tree | None:
    """`p x y = p y x`; repeating it cycles."""
    return node("p", term.children[::-1]) if term.root == ("p", 2) else None


@rule(roots=[("k", 1)], depth=0)
def grow(term: Tree) -> Tree | None:
    """`k x = k (k x)`; repeating it does not terminate."""
    return tree("k", term) if term.root == ("k", 1) else None


@rule(depth=0)
def remark(term: Tree) -> Tree | None:
    """`a = a` with another remark: a change that `==` ignores."""
    return tree("a", remark="seen") if term.root == ("a", 0) else None


@where
def isF(term: Tree) -> bool:
    """Whether the root is f."""
    return term.label == "f"


@where
def isLeaf(term: Tree) -> bool:
    """Whether there are no children."""
    return not term.children


RULES = (fToG, dropG, mergeH, sinkH, emptyPair, swap, grow, remark)
PREDICATES = (isF, isLeaf)


def _unflatten(flat: list[tuple[str, int, str]]) -> Tree:
    ready: list[Tree] = []
    for label, count, remark in reversed(flat):
        children = tuple(ready.pop() for _ in range(count))
        ready.append(node(label, children, remark))
    (whole,) = ready
    return whole
