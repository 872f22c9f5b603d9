"""Requirements of programs on sizes, which valid instances must satisfy. Independent of rules."""

from __future__ import annotations

from functools import lru_cache

import rise
from rise.inference.schemes import substitute_names
from rise.terms import Expr
from strategies.equations.mismatches import readable_names


def holds(program: Expr) -> bool:
    """Whether the sizes of a program without free sizes fulfil everything that it requires of them.

    What it requires of each row of a dependent array is not among this.
    """
    return all(obligation.subject.free for obligation in rise.obligations(program))


def has_obligations_on_rows(program: Expr) -> bool:
    """Whether a program without free sizes requires something of a dependent array's rows that not all may satisfy."""
    return any(obligation.subject.free for obligation in rise.obligations(program))


@lru_cache(maxsize=1 << 7)
def demands(left: Expr, right: Expr) -> tuple[str, ...]:
    """What the right side of an equation requires of sizes that the left side does not, as the author would write it.

    Kept for the instances of the same equation: proving what is implied takes long where sizes are quotients.
    """
    names = readable_names(left) | readable_names(right)
    required_left, required_right = (
        {str(one).partition(" (")[0] for one in rise.obligations(substitute_names(side, names))}
        for side in (left, right)
    )
    return tuple(sorted(required_right - required_left))
