"""Arrays that assignments change: a cell holds what an array is now; views follow the array that they show.

Knows what is assigned when, as in numpy; knows no indices and no operations.

Note [Views and aliases]
Two names for one array are two names for one cell, so both see every assignment. What numpy calls a view (`a[1:]`,
`a.T`, `a.reshape(..)`) is a cell with a base: it is computed from what its base is now. An assignment to a view made by
brackets is one to the base; other views cannot be assigned to. What numpy calls a copy has a cell of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rise.embedding.places import refuse
from rise.embedding.trace import Part, Trace


@dataclass(slots=True, eq=False)
class Cell:
    """What an array is now; for a view, its base and the function that computes the view from it.

    `write` computes the base from the base and the view; it is None where a view cannot be assigned to.
    """

    now: Part
    base: Cell | None = None
    view: Callable[[Part], Part] | None = None
    write: Callable[[Part, Part], Part] | None = None
    shown: Part | None = None  # what the base was when `now` was computed
    items: tuple[object, ...] | None = None  # those in the brackets that made the view
    is_moved: bool = False  # a loop gives the array to a name, which assigns to it
    born: int = field(init=False)

    def __post_init__(self) -> None:
        self.born = next(self.now.trace.clock)

    @property
    def part(self) -> Part:
        """The value as it is now."""
        if self.is_moved:
            title = "expected one name for an array that a loop both names anew and assigns to, found several"
            refuse(
                "alias",
                title,
                "give the loop a copy, `x = y.copy()`, or use only the name that the loop assigns",
            )
        if self.base is not None:
            base = self.base.part
            if base is not self.shown:
                assert self.view is not None
                self.shown, self.now = base, self.view(base)
        return self.now

    @property
    def root(self) -> Cell:
        """The cell that an assignment changes."""
        return self if self.base is None else self.base.root

    @property
    def can_be_assigned(self) -> bool:
        """Whether the cell, and all that it is a view of, can be assigned to."""
        return self.base is None or (self.write is not None and self.base.can_be_assigned)

    def store(self, new: Part) -> None:
        """Assign all of the array; of a view, that part of its base."""
        if self.base is None:
            for journal in self.now.trace.journals:
                journal.setdefault(self, self.now)
            self.now = new
        else:
            assert self.write is not None
            self.base.store(self.write(self.base.part, new))


def restore(trace: Trace, before: dict[Cell, Part]) -> None:
    """Undo assignments, without a record of it."""
    for cell, part in before.items():
        cell.now = part


def view_of(
    base: Cell, view: Callable[[Part], Part], write: Callable[[Part, Part], Part] | None = None
) -> Cell:
    """A view of an array."""
    now = base.part
    return Cell(view(now), base, view, write, now)
