"""ELEVATE on another language: transposing a matrix twice changes nothing.

The language is a small array language in the style of F-Smooth (Shaikhha, Fitzgibbon, Vytiniotis, Peyton Jones,
ICFP 2019), which the ELEVATE paper (ICFP 2020) uses to show that strategies are independent of a language. This file
has all of it: terms, a rule for each equation, a strategy. Run as `python examples/f_smooth.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from elevate import Strategy, Success, normalize, replay, rule, topDown


@dataclass(frozen=True)
class Node:
    """A constructor and its parts; a name without parts is a variable. `build n i e` is the array of e for i < n."""

    name: str
    children: tuple[Node, ...] = ()

    @property
    def root(self) -> tuple[str, int]:
        """The key by which rules are looked up."""
        return self.name, len(self.children)

    def rebuild(self, children: tuple[Node, ...], /) -> Node:
        """The same constructor applied to other parts."""
        return Node(self.name, children)

    def __str__(self) -> str:
        match self:
            case Node("build", (size, index, element)):
                return f"build {size} ({index} -> {element})"
            case Node("get", (array, index)):
                return f"{array}[{index}]"
            case Node(name, ()):
                return name
            case Node(name, parts):
                return f"{name}({', '.join(map(str, parts))})"


def build(size: Node, index: Node, element: Node) -> Node:
    """The array of `element` for each `index` below `size`."""
    return Node("build", (size, index, element))


def get(array: Node, index: Node) -> Node:
    """An element."""
    return Node("get", (array, index))


def put(term: Node, name: Node, value: Node) -> Node:
    """Substitute a value for a variable; all indices have distinct names here."""
    return value if term == name else term.rebuild(tuple(put(one, name, value) for one in term.children))


@rule(roots=[("transpose", 1)], depth=0)
def inline(term: Node) -> Node:
    """transpose m = build (columns m) (i -> build (rows m) (j -> m[j][i])), with fresh i and j"""
    (m,) = term.children
    i, j = Node(f"i{depth_of(m)}"), Node(f"j{depth_of(m)}")
    return build(Node("columns", (m,)), i, build(Node("rows", (m,)), j, get(get(m, j), i)))


def depth_of(term: Node) -> int:
    """The depth of a term: a number that no transposition inside it uses."""
    return 1 + max(map(depth_of, term.children), default=0)


@rule(roots=[("get", 2)], depth=1)
def getBuild(term: Node) -> Node | None:
    """(build n i e)[k] = e with i replaced by k"""
    match term.children:
        case Node("build", (_, i, element)), k:
            return put(element, i, k)
    return None


@rule(roots=[("rows", 1)], depth=1)
def rowsBuild(term: Node) -> Node | None:
    """rows (build n i e) = n"""
    match term.children:
        case (Node("build", (size, _, _)),):
            return size
    return None


@rule(roots=[("columns", 1)], depth=2)
def columnsBuild(term: Node) -> Node | None:
    """columns (build n i (build m j e)) = m"""
    match term.children:
        case (Node("build", (_, _, Node("build", (size, _, _)))),):
            return size
    return None


@rule(roots=[("build", 3)])
def buildGet(term: Node) -> Node | None:
    """build (rows m) (i -> build (columns m) (j -> m[i][j])) = m"""
    match term:
        case Node("build", (Node("rows", (m,)), i, Node("build", (Node("columns", (n,)), j, element)))):
            return m if m == n and element == get(get(m, i), j) else None
    return None


twice: Strategy = normalize(inline) >> normalize(getBuild | rowsBuild | columnsBuild) >> topDown(buildGet)


def main() -> None:
    """Print the derivation of transpose (transpose m) = m."""
    m = Node("m")
    given = Node("transpose", (Node("transpose", (m,)),))
    result = twice(given)
    assert isinstance(result, Success) and result.program == m
    names = ["", *(step.rule.name for step in result.steps)]
    for name, program in zip(names, replay(given, result.steps), strict=True):
        print(f"{name:>12}  {program}")


if __name__ == "__main__":
    main()
