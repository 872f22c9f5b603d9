"""Prints the function that says for which sizes a kernel uses several threads. Independent of loaders."""

from __future__ import annotations

from collections.abc import Container, Iterator

from shine.imperative.naturals_text import EITHER, Text
from shine.imperative.nodes import Block, Condition, For, Procedure
from shine.imperative.scopes import Scope
from shine.imperative.walk import body_of
from shine.targets.c.expressions import Context, Place, worth_text
from shine.targets.c.source import SHARES


def sharing_text(procedure: Procedure, context: Context, words: Container[str]) -> str:
    """The function `SHARES` of a procedure; empty where several threads always run, or never."""
    found = list(_conditions(procedure.body))
    conditions = [one for one in found if one is not None]
    if not found or len(conditions) < len(found):
        return ""
    scope = Scope(words=words)
    names = {size: scope.bind(size, size.name) for size in procedure.sizes}
    texts = [worth_text(one, Place(context, scope, ())) for one in dict.fromkeys(conditions)]
    used = {size for one in conditions for pair in one.below for part in pair for size in part.free}
    sizes = [
        f"  const int64_t {names[size]} = sizes[{position}];\n"
        for position, size in enumerate(procedure.sizes)
        if size in used
    ]
    worth = " || ".join(text.at(EITHER) if isinstance(text, Text) else str(int(text)) for text in texts)
    return f"\nint {SHARES}(const int64_t *sizes) {{\n{''.join(sizes)}  return {worth};\n}}\n"


def _conditions(block: Block) -> Iterator[Condition | None]:
    """When each of the outermost parallel loops is worth several threads."""
    for statement in block.statements:
        if isinstance(statement, For) and statement.kind == "parallel":
            yield statement.worth
        else:
            body = body_of(statement)
            yield from () if body is None else _conditions(body)
