"""Sequences that restore a normal form in between: the papers' `a ;; b`. Independent of any particular normal form.

`thenKeeping(form)(a, b, c)` means `a >> form >> b >> form >> c`, in result and steps. It is cheaper than it looks:
within a run a form remembers the terms that it left unchanged, so that after `b` it visits only what `b` has rebuilt.
That holds for forms by `normalize` and for forms by a definition that applies itself to children.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from elevate.strategy import CHOICE, SEQUENCE, Strategy, expected_strategy, seq
from elevate.tracebacks import ends_at_the_users_line


@dataclass(frozen=True, slots=True)
class Keeping(Strategy):
    """Strategies in sequence, with a normal form between them."""

    form: Strategy
    parts: tuple[Strategy, ...]

    def unfold(self) -> Strategy:
        interleaved = [strategy for part in self.parts for strategy in (self.form, part)]
        return seq(*interleaved[1:])

    def show(self, binding: int = CHOICE) -> str:
        parts = ", ".join(part.show(SEQUENCE) for part in self.parts)
        return f"thenKeeping({self.form.show()})({parts})"


class Sequencing(Protocol):
    """A function that combines strategies into one."""

    def __call__(self, *parts: Strategy) -> Strategy: ...


@ends_at_the_users_line
def thenKeeping(form: Strategy) -> Sequencing:
    """Apply strategies in sequence, and bring the program to a normal form between them.

    >>> from elevate import normalize
    >>> from elevate.toy import dropG, fToG, tree
    >>> thenKeeping(normalize(dropG))(fToG, fToG)(tree("f", tree("f", "a"))).program
    g(a)
    """
    kept = expected_strategy(form)
    return lambda *parts: Keeping(kept, parts)
