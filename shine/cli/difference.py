"""What a step changed, compactly: what both sides share shows as a number. Knows terms, and no strategy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rise.naturals import NatBound, NatVar, nat
from rise.nodes import Node, postorder, transform
from rise.terms import Bound, Expr, Literal, Primitive, Var
from rise.text.names import bounded
from rise.text.printer import show
from rise.types import SpaceBound, TypeBound, TypeVar
from shine.cli.derivation import Place

LONG = 28  # characters from which a shared part shows as a number
FEWEST_NODES = 4
ONE_LINE = 1 << 30
NUMBERS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
FIRST_PART = 0xE000  # parts are named by characters for private use until they are numbered

_PART = re.compile("[\ue000-\uf8ff]")
_FUNCTION = re.compile(r"(?<![A-Za-z0-9_'])fun\(")


@dataclass(frozen=True, slots=True)
class Difference:
    """The texts of both sides of a step. What they share shows as ①, ② and so on."""

    before: str
    after: str


def difference(before: Expr, after: Expr, place: Place, width: int, is_whole: bool = False) -> Difference:
    """Both sides as a person reads them, in lines of at most `width`; `is_whole` keeps what they share."""
    whole, after = named(before, place), named(after, place)
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
            if len(without_types(show(node, ONE_LINE))) <= LONG:
                return None
            found[node] = Var(chr(FIRST_PART + len(found)), node.type)
        return found[node]

    return transform(before, visit, _never), transform(after, visit, _never)


def named(e: Expr, place: Place) -> Expr:
    """The term with names for the variables that are bound outside of it."""

    def dependent(node: Node, depth: int, dep_depth: int) -> Node | None:
        match node:
            case NatBound(index) if index >= dep_depth:
                return nat(NatVar(place.dependent[-1 - (index - dep_depth)], None))
            case TypeBound(index, kind) if index >= dep_depth:
                return TypeVar(place.dependent[-1 - (index - dep_depth)], kind)
            case SpaceBound():
                return node
        return None

    def ordinary(node: Node, depth: int, dep_depth: int) -> Node | None:
        match node:
            case Bound(index, given) if index >= depth:
                return Var(place.ordinary[-1 - (index - depth)], given)
        return None

    closed = transform(e, dependent, lambda node, depth, dep_depth: node.dep_loose <= dep_depth)
    return transform(closed, ordinary, lambda node, depth, dep_depth: node.loose <= depth)


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
    """The text of a term without the types of parameters, on one line where that fits."""
    flat = without_types(show(e, ONE_LINE))
    return flat if len(flat) <= width else without_types(show(e, width))


def without_types(text: str) -> str:
    """Canonical text without the types of parameters: `fun(x: f32 => x)` as `fun(x => x)`.

    >>> without_types("fun(acc: f32, x: (f16, f16) => acc) |> map(fun({n: nat} => 1))")
    'fun(acc, x => acc) |> map(fun({n: nat} => 1))'
    """
    shown: list[str] = []
    at = 0
    for start in _FUNCTION.finditer(text):
        shown.append(text[at : start.end()])
        at = _parameters(text, start.end(), shown.append)
    shown.append(text[at:])
    return "".join(shown)


def _parameters(text: str, at: int, keep: Callable[[str], None]) -> int:
    """Keep the names of parameters up to their arrow; the answer is where that stands."""
    depth = 0
    is_name = True
    while at < len(text):
        character = text[at]
        if depth == 0 and text.startswith("=>", at):
            keep("" if is_name else " ")
            return at
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in ":,":
            is_name = character == ","
        if is_name:
            keep(character)
        at += 1
    return at


def _never(node: Node, depth: int, dep_depth: int) -> bool:
    return False
