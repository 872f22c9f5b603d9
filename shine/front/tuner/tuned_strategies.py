"""The fastest strategy that a database of `shine tune` has for a program. Evaluates nothing.

A database names spaces, which are not imported for it: only the space that the caller passes, or those that come with
the project, are replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from elevate import Strategy
from rise.argument_checks import Termlike, misplaced, term_of
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from rise.tracebacks import ends_at_the_users_line
from shine.cache import default_directory
from shine.front.tuner.results import Row
from shine.front.tuner.search import Search
from strategies.spaces.holes import Space
from strategies.spaces.products import product
from strategies.spaces.replay import Leaf, replay
from strategies.spaces.rows import rows
from strategies.spaces.stencils import stencil

#: the file of results in the user's cache
DATABASE: Final = "tuning.sqlite"
#: the spaces that come with the project
SPACES: Final = (product, stencil, rows)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A stored result that is faster than the target's own strategy: the strategy with its decisions, and how many
    times as fast it was when it was measured.
    """

    strategy: Strategy
    space: Space
    decisions: Mapping[str, Any]
    ratio: float


@ends_at_the_users_line
def tuned(
    program: Termlike,
    sizes: Mapping[str, int] | None = None,
    db: str | Path | None = None,
    space: Space | None = None,
    *,
    target: str = "openmp",
    **options: Any,
) -> Tuned | None:
    """The fastest stored candidate for a program at these sizes, on this machine with this compiler, these options and
    the current source; None if none was faster than the target's own strategy by more than its timings were apart.

    `db` is a database of `shine.tune`, by default that of the command. `space` is one of those that come with the
    project unless it is given. Raises RiseError if there is no database, or it cannot be used.
    """
    term = term_of(program)
    if space is not None and not isinstance(space, Space):
        raise misplaced("a space", space, "omit it for those that come with rise-shine")
    path = Path(default_directory() / DATABASE if db is None else db)
    if not path.exists():
        title = f"expected a database of results, found that there is no {path}"
        raise RiseError(Diagnostic("database", title, hint="create it: shine tune FILE --space MODULE:NAME"))
    found: list[Tuned] = []
    for one in SPACES if space is None else (space,):
        search = Search(term, one, sizes, None, target, None, 0, None, options)
        best = _fastest(search.stored(path))
        leaf = None if best is None else replay(search.space, best.decisions)
        if best is not None and isinstance(leaf, Leaf):
            found.append(Tuned(leaf.strategy, one, best.decisions, best.result.ratio or 1.0))
    return max(found, key=lambda each: each.ratio, default=None)


def _fastest(results: Sequence[Row]) -> Row | None:
    """The result with the highest ratio, unless half of the spread of its ratios includes 1."""
    best = max(
        (row for row in results if row.result.is_timed), key=lambda row: row.result.ratio or 0.0, default=None
    )
    if best is None:
        return None
    low = (best.result.ratio or 0.0) * (1 - (best.result.spread or 0.0) / 2)
    return best if low > 1 else None
