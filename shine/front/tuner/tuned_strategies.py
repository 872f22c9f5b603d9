"""The fastest strategy that tables of the project, or a database of `shine tune`, have for a program.

Evaluates nothing. A table or a database names spaces, which are not imported for it: only the space that the caller
passes, or those that come with the project, are replayed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from elevate import Strategy
from rise.argument_checks import Termlike, misplaced, term_of
from rise.diagnostics import Diagnostic, RiseError
from rise.records import dataclass
from rise.terms import Expr
from rise.tracebacks import ends_at_the_users_line
from shine.cache import default_directory
from shine.front.tuner.results import Row, slowness
from shine.front.tuner.search import Search
from shine.front.tuner.shipped_schedules import SHIPPED, Shipped, shipped_schedules
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
    """A stored result that is faster than the target's own strategy: the strategy with its decisions, how many times as
    fast it was when it was measured, and the table or the database that has it.
    """

    strategy: Strategy
    space: Space
    decisions: Mapping[str, Any]
    ratio: float
    source: str


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

    `db` is a database of `shine.tune`. Without one, the schedules that come with the project are asked first, and then
    the database of the command, if there is one. `space` is one of those that come with the project unless it is given.
    Raises RiseError if the database is missing or cannot be used.
    """
    term = term_of(program)
    if space is not None and not isinstance(space, Space):
        raise misplaced("a space", space, "omit it for those that come with rise-shine")
    spaces = SPACES if space is None else (space,)
    searches = [Search(term, one, sizes, None, target, None, 0, None, options) for one in spaces]
    path = default_directory() / DATABASE if db is None else Path(db)
    if db is None:
        found = of_project(searches, shipped_schedules())
        if found is not None or not path.exists():
            return found
    if not path.exists():
        title = f"expected a database of results, found that there is no {path}"
        raise RiseError(Diagnostic("database", title, hint="create it: shine tune FILE --space MODULE:NAME"))
    stored: list[Tuned] = []
    for search, one in zip(searches, spaces, strict=True):
        best = _fastest(search.stored(path))
        leaf = None if best is None else replay(search.space, best.decisions)
        if best is not None and isinstance(leaf, Leaf):
            stored.append(Tuned(leaf.strategy, one, best.decisions, best.result.ratio or 1.0, str(path)))
    return max(stored, key=lambda each: each.ratio, default=None)


def stored_results(
    program: Expr,
    space: Space,
    sizes: Mapping[str, int],
    db: str | Path,
    target: str,
    options: Mapping[str, Any],
) -> list[Row]:
    """The results that a database has of a search on this machine, in order; evaluates nothing."""
    return Search(program, space, sizes, None, target, None, 0, None, options).stored(db)


def of_project(searches: Sequence[Search], schedules: Sequence[Shipped]) -> Tuned | None:
    """The fastest schedule that comes with the project for one of these searches."""
    fitting = [(search, one) for search in searches for one in schedules if one.is_for(search)]
    for search, one in sorted(fitting, key=lambda pair: -pair[1].ratio):
        leaf = replay(search.space, one.decisions)
        if isinstance(leaf, Leaf):
            return Tuned(leaf.strategy, search.space, one.decisions, one.ratio, SHIPPED)
    return None


def _fastest(results: Sequence[Row]) -> Row | None:
    """The result with the highest ratio, unless half of the spread of its ratios includes 1."""
    best = min((row for row in results if row.result.is_timed), key=slowness, default=None)
    if best is None:
        return None
    low = (best.result.ratio or 0.0) * (1 - (best.result.spread or 0.0) / 2)
    return best if low > 1 else None
