"""Statements that run only where a condition on data holds. Independent of what the conditions choose between."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from rise.primitives import with_trait
from rise.records import dataclass
from rise.types import BOOL, classes_of
from shine.imperative.names import Names
from shine.imperative.nodes import Block, Constant, Local, Operation, Statement, Value
from shine.imperative.walk import all_values

_DIVISIONS: Final = with_trait("divides")
_CONVERSIONS: Final = with_trait("indexes")


@dataclass(slots=True, eq=False)
class Choice:
    """One side of a choice that is being translated: it is read only if `condition` is `holds`, and only where the
    choice around it reads it.
    """

    condition: Value
    holds: bool
    around: Choice | None
    #: the variable that says whether this side is read, once a statement needs it
    local: Local | None = None

    def is_read(self, names: Names) -> Local:
        """The variable that says whether this side is read. The caller defines it before the side's statements."""
        if self.local is None:
            self.local = Local(names.fresh("is_chosen"), BOOL)
        return self.local

    def defined(self, names: Names) -> Value:
        """The value of that variable."""
        own = self.condition if self.holds else Operation("not", (self.condition,), BOOL)
        return own if self.around is None else Operation("and", (self.around.is_read(names), own), BOOL)


@dataclass(slots=True, eq=False)
class Choices:
    """The innermost choice that is being translated, and what is known of statements, by their identity."""

    inner: Choice | None = None
    guarded: dict[int, Statement] = field(default_factory=dict)
    _safe: dict[int, Statement] = field(default_factory=dict)

    def may_fail(self, statement: Statement) -> bool:
        """Whether a statement without a guard of its own may fail."""
        if id(statement) in self.guarded or id(statement) in self._safe:
            return False
        if any(map(_may_fail, all_values(Block((statement,))))):
            return True
        self._safe[id(statement)] = statement
        return False


def _may_fail(value: Value) -> bool:
    """Whether an operation fails for some numbers: a division of integers, or a conversion to an index."""
    match value:
        case Operation(name, (*_, Constant(divisor))) if name in _DIVISIONS:
            return divisor == 0
        case Operation(name, type=t) if name in _DIVISIONS:
            return "integral" in (classes_of(t) or ())
        case Operation(name):
            return name in _CONVERSIONS
        case _:
            return False
