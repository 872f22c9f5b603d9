"""Normal forms that are kept while strategies go on: the papers' `a ;; b`. Knows no particular normal form.

`thenKeeping(form)(a, b, c)` means `a >> form >> b >> form >> c`, in result and steps. It costs less than it says: in
one run a form remembers the terms that it left as they were, so that after `b` it looks at what `b` has rebuilt and at
nothing else. That holds for forms by `normalize` and for forms by a definition that calls itself further down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from elevate.strategy import CHOICE, SEQUENCE, Strategy, seq


@dataclass(frozen=True, slots=True)
class Keeping(Strategy):
    """Strategies one after the other, a normal form between them."""

    form: Strategy
    parts: tuple[Strategy, ...]

    def unfold(self) -> Strategy:
        between = (each for part in self.parts for each in (self.form, part))
        return seq(*tuple(between)[1:])

    def show(self, binding: int = CHOICE) -> str:
        shown = ", ".join(part.show(SEQUENCE) for part in self.parts)
        return f"thenKeeping({self.form.show()})({shown})"


class Sequencing(Protocol):
    """What makes one strategy of several."""

    def __call__(self, *parts: Strategy) -> Strategy: ...


def thenKeeping(form: Strategy) -> Sequencing:
    """Apply strategies one after the other, and bring the program to a normal form between them.

    >>> from elevate import normalize
    >>> from elevate.toy import dropG, fToG, tree
    >>> thenKeeping(normalize(dropG))(fToG, fToG)(tree("f", tree("f", "a"))).program
    g(a)
    """
    return lambda *parts: Keeping(form, parts)
