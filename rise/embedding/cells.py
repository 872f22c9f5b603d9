"""Arrays that assignments change: a cell holds the current value of an array; views follow their array.

Assignments take effect in order, as in numpy. Independent of operations.

Note [Views and aliases]
Two names for one array are two names for one cell, so both see every assignment. What numpy calls a view (`a[1:]`,
`a.T`, `a.reshape(..)`) is a cell with a base: it is computed from the current value of its base. An assignment to a
view made by brackets assigns to the base; other views cannot be assigned to. What numpy calls a copy has its own cell.
Whether numpy copies in `a[:, 1:].reshape(..)` depends on where the elements are in memory. Such a view cannot be used
after its array has changed: a view and a copy differ only then.

Note [Paths and focus]
The numbers that lead to a part of an array, `i, j` in `a[i, j]` and in `a[i][j]`, are its path. A loop that only uses
the part of an array at one path carries that part instead of the array: while the body runs, the array's cell is
focused on that part. An access to another part raises an error, and the loop runs its body again without the focus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any, TypeAlias

from rise.embedding.indexing import Item, indexed, position_of
from rise.embedding.operands import Size
from rise.embedding.places import refuse
from rise.embedding.trace import Part, Trace
from rise.naturals import Nat
from rise.records import dataclass
from rise.types import Type

Path: TypeAlias = tuple[Nat, ...]
#: the path of a part of an array, and the current value of the part
Focus: TypeAlias = tuple[Path, Part]
#: the value of a cell and its focus, at some earlier time
Held: TypeAlias = "tuple[Part, Focus | None]"


class UnfocusedError(Exception):
    """Raised by an access to a part of an array that is focused on another part."""

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell = cell


@dataclass(slots=True, eq=False)
class Cell:
    """The current value of an array; for a view, its base and the function that computes the view from it.

    A view made by brackets is the part of its root at a path, to which the items `tail` are applied.
    """

    now: Part
    base: Cell | None = None
    view: Callable[[Part], Part] | None = None
    path: Path = ()
    tail: tuple[Item, ...] | None = ()  # None if it is not made by brackets
    shown: Part | None = None  # the value of the base when `now` was computed
    items: tuple[object, ...] | None = None  # the items in the brackets that made the view
    is_moved: bool = False  # a loop assigns to the array by another name
    is_merged: bool = False  # one of two arrays, chosen by a branch
    is_contiguous: bool = True  # numpy stores the elements in row-major order, one next to the other
    since: str = ""  # what made it, if it cannot be used after its base has changed
    focus: Focus | None = None
    born: int = field(init=False)

    def __post_init__(self) -> None:
        self.born = next(self.now.trace.clock)

    @property
    def trace(self) -> Trace:
        return self.now.trace

    @property
    def root(self) -> Cell:
        """The cell that an assignment changes."""
        cell = self
        while cell.base is not None:
            cell = cell.base
        return cell

    @property
    def part(self) -> Part:
        """The current value."""
        root = self.root
        root.check_name()
        if self.tail is None:
            assert self.base is not None and self.view is not None
            return self._from(self.base.part)
        self.trace.accesses.append((root, self.path))
        if root.focus is not None:
            return at_path(root, self.path, self.tail)
        return self._peek()

    def check_name(self) -> None:
        """Refuse the use of an array to which a loop assigns by another name."""
        if self.is_moved:
            title = "expected one name for an array that a loop both renames and assigns to, found several"
            refuse(
                "alias",
                title,
                "give the loop a copy, `x = y.copy()`, or use only the name that the loop assigns",
            )

    def check_base(self) -> None:
        """Refuse the use of what may be a view or a copy after its base has changed."""
        if self.since:
            title = (
                f"expected no change of an array between {self.since} and the use of the result, found one"
            )
            refuse(
                "alias",
                title,
                "it may be a view or a copy of the array: write `.copy()`, or repeat it after the change",
            )

    def _peek(self) -> Part:
        """The current value; does not record the access."""
        return self.now if self.base is None else self._from(self.base._peek())

    def _from(self, base: Part) -> Part:
        if base is not self.shown:
            assert self.view is not None
            self.check_base()
            self.shown, self.now = base, self.view(base)
        return self.now

    def place(self, items: Sequence[Item]) -> tuple[Path, tuple[Item, ...]] | None:
        """The path and the tail of a part in brackets, or None if the cell is not such a part of its root."""
        if self.tail is None:
            return None
        if self.tail:
            return (self.path, self.tail) if not items else None
        shape = self.root.now.shape
        path = list(self.path)
        for position, item in enumerate(items):
            match item:
                case int() if not isinstance(item, bool) and len(path) < len(shape):
                    path.append(position_of(item, shape[len(path)]))
                case Size(nat, _):
                    path.append(nat)
                case _:
                    return tuple(path), tuple(items[position:])
        return tuple(path), ()

    def store(self, new: Part) -> None:
        """Assign all elements of an array that is not a view."""
        assert self.base is None
        self.record()
        self.now = new

    @property
    def element(self) -> Type:
        """The type of the current elements."""
        return (self.now if self.focus is None else self.focus[1]).element

    def convert(self, change: Callable[[Part], Part]) -> None:
        """Change the type of the elements of an array that is not a view."""
        if self.focus is None:
            self.store(change(self.now))
        else:
            self.record()
            self.focus = self.focus[0], change(self.focus[1])

    def record(self) -> None:
        """Record the current value of the array in the journals of the enclosing loops and branches."""
        for journal in self.trace.journals:
            journal.setdefault(self, (self.now, self.focus))


def at_path(root: Cell, path: Path, tail: Sequence[Item]) -> Part:
    """The part of a focused array at a path. Raises UnfocusedError if it is outside of the part in focus."""
    assert root.focus is not None
    prefix, part = root.focus
    if path[: len(prefix)] != prefix:
        raise UnfocusedError(root)
    return indexed(part, [*numbers(root, path[len(prefix) :]), *tail])


def numbers(root: Cell, path: Sequence[Nat]) -> list[Item]:
    """A path as items in brackets."""
    return [nat.constant if isinstance(nat.constant, int) else Size(nat, root.trace.root) for nat in path]


def restore(before: dict[Cell, Held]) -> None:
    """Undo assignments; does not record this."""
    for cell, (part, focus) in before.items():
        cell.now, cell.focus = part, focus


def view_of(base: Cell, view: Callable[[Part], Part], is_contiguous: bool = False) -> Cell:
    """A view that follows its array, and cannot be assigned to."""
    now = base.part
    return Cell(view(now), base, view, tail=None, shown=now, is_contiguous=is_contiguous)


@contextmanager
def recorded(trace: Trace) -> Iterator[Callable[[], None]]:
    """Run statements whose changes of the program can be undone, by the function that this returns."""
    notes: tuple[dict[Any, None], ...] = trace.facts, trace.indexed, trace.lengths
    before = [dict(one) for one in notes]
    journal: dict[Cell, Held] = {}
    forget = trace.results_so_far()

    def undo() -> None:
        restore(journal)
        forget()
        for note, old in zip(notes, before, strict=True):
            note.clear()
            note.update(old)

    trace.journals.append(journal)
    try:
        yield undo
    finally:
        trace.journals.pop()
