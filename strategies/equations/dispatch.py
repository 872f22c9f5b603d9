"""The facts about a left side by which the engine chooses the rules that it tries at a term. Independent of matching.

They follow from the equation. Those of the library's equations are read from a file, so that a process compiles only
the equations of rules that are tried: most programs have terms for less than half of the rules of their strategy. Other
equations, for which `dispatch_of` returns None, are compiled at once.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from rise.records import dataclass

#: by equation: the root of the left side, its depth and its levels; written by the module that tests it
TABLE: Final = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The roots of all terms that a left side can match, None for any; how many levels of children decide whether it
    matches, None if there is no bound; and how many levels the pattern has.
    """

    roots: frozenset[Hashable] | None
    depth: int | None
    levels: int

    def as_json(self) -> list[Any]:
        """The entry of the table."""
        root = None if self.roots is None else next(iter(self.roots))
        return [root, self.depth, self.levels]


def dispatch_of(equation: str) -> Dispatch | None:
    """The facts about an equation of the library, from left to right; None for other equations."""
    entry = _table().get(equation)
    if entry is None:
        return None
    root, depth, levels = entry
    roots: frozenset[Hashable] | None = None
    if root is not None:
        roots = frozenset((tuple(root) if isinstance(root, list) else root,))
    return Dispatch(roots, depth, levels)


@cache
def _table() -> Mapping[str, list[Any]]:
    table: dict[str, list[Any]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table
