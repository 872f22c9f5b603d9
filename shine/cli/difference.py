"""What a step changed, compactly: what both sides share shows as a number. Knows terms, and no strategy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rise.nodes import Node, postorder, transform
from rise.printer.scopes import Scope, named
from rise.printer.terms import show
from rise.terms import Bound, Expr, Literal, Primitive, Var
from rise.text.names import bounded

LONG = 28  # characters from which a shared part shows as a number
FEWEST_NODES = 4
ONE_LINE = 1 << 30
NUMBERS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
FIRST_PART = 0xE000  # parts are named by characters for private use until they are numbered

_PART = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class Difference:
    """The texts of both sides of a step. What they share shows as ①, ② and so on."""

    before: str
    after: str


def difference(before: Expr, after: Expr, scope: Scope, width: int, is_whole: bool = False) -> Difference:
    """Both sides as a person reads them, in lines of at most `width`; `is_whole` keeps what they share."""
    whole, after = named(before, scope), named(after, scope)
    before, after = (whole, after) if is_whole else without_shared(whole, after)
    texts = readable(before, width), readable(after, width)
    if isinstance(before, Var) and before is not whole:  # all of it stays: say what it is
        texts = f"{before.name} = {bounded(readable(whole, ONE_LINE), width - 4)}", texts[1]
    parts = dict.fromkeys(_PART.findall("".join(texts)))
    numbers = {ord(part): number_text(position) for position, part in enumerate(parts)}
    return Difference(texts[0].translate(numbers), texts[1].translate(numbers))


def without_shared(before: Expr, after: Expr) -> tuple[Expr, Expr]:
    """Both sides, with a variable for each large part that they share."""
    found: dict[Expr, Expr] = {}
    shared = frozenset(large_parts(before)) & frozenset(large_parts(after))

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        if not isinstance(node, Expr):
            return node
        if node not in shared:
            return None
        if node not in found:
            if len(readable(node, ONE_LINE)) <= LONG:
                return None
            found[node] = Var(chr(FIRST_PART + len(found)), node.type)
        return found[node]

    return transform(before, visit, _never), transform(after, visit, _never)


def large_parts(e: Expr) -> list[Expr]:
    """The parts of a term that may show as a number."""
    return [
        node
        for node in postorder(e)
        if isinstance(node, Expr)
        and not isinstance(node, Var | Bound | Literal | Primitive)
        and _has_nodes(node, FEWEST_NODES)
    ]


def _has_nodes(e: Expr, count: int) -> bool:
    stack = [e]
    while stack and count:
        stack.extend(stack.pop().children)
        count -= 1
    return not count


def number_text(position: int) -> str:
    """How a shared part shows."""
    return NUMBERS[position] if position < len(NUMBERS) else f"({position + 1})"


def readable(e: Expr, width: int) -> str:
    """The text of a term without the types of parameters."""
    return show(e, width, is_typed=False)


def _never(node: Node, depth: int, dep_depth: int) -> bool:
    return False
