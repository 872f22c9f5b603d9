"""Where a sub-term stands, as a rope: one step more costs nothing. Knows no terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shine.imperative.nodes import Origin

#: an origin has at most this many steps; deeper statements name the ancestor at this depth
DEEPEST: Final = 512


@dataclass(frozen=True, eq=False)
class Path:
    """The steps from the root to a sub-term: child indices, the last one in `step`."""

    parent: Path | None = None
    step: int = 0
    depth: int = 0

    def child(self, step: int) -> Path:
        """The path to a child. Below the deepest level all are one."""
        return self if self.depth == DEEPEST else Path(self, step, self.depth + 1)

    @cached_property
    def origin(self) -> Origin:
        """The steps in order."""
        steps: list[int] = []
        here = self
        while here.parent is not None:
            steps.append(here.step)
            here = here.parent
        return tuple(reversed(steps))


ROOT: Final = Path()
