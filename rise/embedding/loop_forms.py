"""Records of what the loops of a Python function became in its program, with the reasons.

A loop whose iterations are independent is a `generate`, one that only accumulates a number a `reduce`; the other loops
keep their order. Note [Early ends] and decision 0030 state the conditions, which are checked on what the body uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from rise.embedding.places import Place
from rise.records import dataclass


@dataclass(frozen=True, slots=True)
class LoopForm:
    """A `for` or `while` statement: its place, the primitive that it became, "" if it was unrolled, and the reason."""

    place: Place
    primitive: str
    reason: str

    def __str__(self) -> str:
        what = f"`{self.primitive}`" if self.primitive else "unrolled"
        return f"line {self.place.line}: {what}, since {self.reason}"


def independent(arrays: Sequence[str], is_computed: bool) -> str:
    """The reason for a `generate`; if `is_computed`, also why it is one in the sequential program."""
    only = "; `sequential` does not order them, since indices of their elements are computed" * is_computed
    return f"no iteration uses elements of {_listed(arrays, 'the arrays')} that another one assigns{only}"


def accumulating(name: str, operation: str) -> str:
    """The reason for a `reduce`."""
    return f"an iteration only combines `{name}` with a value that does not depend on it, by `{operation}`"


def ordered(names: Sequence[str], arrays: Sequence[str]) -> str:
    """The reason for a `reduceSeq`: what an iteration needs of the one before."""
    if names:
        return f"each iteration needs {_listed(names, 'a value')} of the one before"
    return f"an iteration may use elements of {_listed(arrays, 'an array')} that another one assigns"


def _listed(names: Sequence[str], otherwise: str) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted) or otherwise
