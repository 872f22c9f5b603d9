"""Shows what a step changed, with parts that both sides share abbreviated to numbers.

Depends on terms, but not on strategies.
"""

from __future__ import annotations

import re

from rise.nodes import Node, postorder, transform
from rise.printer.scopes import Scope, named
from rise.printer.terms import show
from rise.records import dataclass
from rise.terms import Bound, Expr, Literal, Primitive, Var
from rise.text.names import bounded

MIN_SHARED_CHARACTERS = 28  # shorter shared parts are printed in full
MIN_SHARED_NODES = 4
ONE_LINE = 1 << 30
CIRCLED_NUMBERS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
FIRST_PLACEHOLDER = 0xE000  # private-use characters stand for shared parts until they are numbered

_PLACEHOLDER = re.compile("[\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class Difference:
    """The texts of both sides of a step. Parts that they share are shown as ①, ② and so on."""

    before: str
    after: str


def difference(before: Expr, after: Expr, scope: Scope, width: int, is_whole: bool = False) -> Difference:
    """Both sides as text, in lines of at most `width` characters; `is_whole` prints shared parts in full."""
    whole, after = named(before, scope), named(after, scope)
    before, after = (whole, after) if is_whole else without_shared(whole, after)
    texts = readable(before, width), readable(after, width)
    if isinstance(before, Var) and before is not whole:  # the result contains all of it: say what it is
        texts = f"{before.name} = {bounded(readable(whole, ONE_LINE), width - 4)}", texts[1]
    shared = dict.fromkeys(_PLACEHOLDER.findall("".join(texts)))
    numbers = {ord(part): number_text(position) for position, part in enumerate(shared)}
    return Difference(texts[0].translate(numbers), texts[1].translate(numbers))


def without_shared(before: Expr, after: Expr) -> tuple[Expr, Expr]:
    """Both sides, with a variable in place of each large part that they share."""
    placeholders: dict[Expr, Expr] = {}
    shared = frozenset(large_parts(before)) & frozenset(large_parts(after))
    short: set[Expr] = set()

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        if not isinstance(node, Expr):
            return node
        if node not in shared or node in short:
            return None
        if node not in placeholders:
            if len(readable(node, ONE_LINE)) <= MIN_SHARED_CHARACTERS:
                short.add(node)
                return None
            placeholders[node] = Var(chr(FIRST_PLACEHOLDER + len(placeholders)), node.type)
        return placeholders[node]

    return transform(before, visit, _keep), transform(after, visit, _keep)


def large_parts(e: Expr) -> list[Expr]:
    """The parts of a term that are large enough to be shown as a number."""
    return [
        node
        for node in postorder(e)
        if isinstance(node, Expr)
        and not isinstance(node, Var | Bound | Literal | Primitive)
        and _has_nodes(node, MIN_SHARED_NODES)
    ]


def _has_nodes(e: Expr, count: int) -> bool:
    stack = [e]
    while stack and count:
        stack.extend(stack.pop().children)
        count -= 1
    return not count


def number_text(position: int) -> str:
    """The number that a shared part is shown as."""
    return CIRCLED_NUMBERS[position] if position < len(CIRCLED_NUMBERS) else f"({position + 1})"


def readable(e: Expr, width: int) -> str:
    """The text of a term, without parameter types."""
    return show(e, width, is_typed=False)


def _keep(node: Node, depth: int, dep_depth: int) -> bool:
    return False
