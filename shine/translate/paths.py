"""The position of a sub-term as a linked list, which is extended in constant time. Independent of terms."""

from __future__ import annotations

from typing import Final

from rise.records import dataclass
from shine.imperative.nodes import Origin

#: the longest origin; deeper statements name the ancestor at this depth
MAX_ORIGIN_STEPS: Final = 512


@dataclass(frozen=True, eq=False)
class Path:
    """The child indices from the root to a sub-term, the last one in `step`."""

    parent: Path | None = None
    step: int = 0
    depth: int = 0

    def child(self, step: int) -> Path:
        """The path to a child; at the maximal depth, the path itself."""
        return self if self.depth == MAX_ORIGIN_STEPS else Path(self, step, self.depth + 1)

    @property
    def origin(self) -> Origin:
        """The steps in order, computed once."""
        known: Origin | None = self.__dict__.get("_origin")
        if known is None:
            known = self.__dict__["_origin"] = self._steps()
        return known

    def _steps(self) -> Origin:
        steps: list[int] = []
        node = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))


ROOT: Final = Path()
