"""Requirements of programs on sizes, which valid instances must satisfy. Independent of rules."""

from __future__ import annotations

from functools import lru_cache

import rise
from rise.inference.schemes import substitute_names
from rise.terms import Expr
from strategies.equations.mismatches import readable_names


def holds(program: Expr) -> bool:
    """Whether the sizes of a program without free sizes satisfy all of its requirements.

    Requirements on each row of a dependent array are not checked.
    """
    return all(obligation.subject.free for obligation in rise.obligations(program))


def has_obligations_on_rows(program: Expr) -> bool:
    """Whether a program without free sizes has requirements that some rows of a dependent array may violate."""
    return any(obligation.subject.free for obligation in rise.obligations(program))


@lru_cache(maxsize=1 << 7)
def demands(left: Expr, right: Expr) -> tuple[str, ...]:
    """The requirements of an equation's right side on sizes that the left side does not have, as the author would write
    them.

    Cached for all instances of an equation, since proving what is implied takes long if sizes are quotients.
    """
    names = readable_names(left) | readable_names(right)
    required_left, required_right = (
        {str(one).partition(" (")[0] for one in rise.obligations(substitute_names(side, names))}
        for side in (left, right)
    )
    return tuple(sorted(required_right - required_left))
