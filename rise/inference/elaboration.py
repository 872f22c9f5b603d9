"""The state of one elaboration: scope, unknowns, and the drafts so far. Independent of the rules for syntax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeAlias

from rise.diagnostics import RiseError
from rise.inference import draft as d
from rise.inference.errors import Called, Complaints
from rise.inference.instances import Instances
from rise.inference.mismatch import Mismatch
from rise.inference.names import Names
from rise.inference.questions import Question, TypeNote
from rise.inference.scope import Scope
from rise.inference.solver import Solver
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION, kind_classes
from rise.terms import Expr
from rise.text import syntax as s
from rise.text.trees import Span
from rise.types import (
    DepFunType,
    Type,
    TypeMeta,
    instantiate_dependent,
    is_data,
)

Typed: TypeAlias = tuple[int, Type]


@dataclass(slots=True)
class Elaboration:
    """The scope, the unknowns, and the drafts so far with their places in the text. `contraction` has the function for
    a specification.

    `where` holds the definition's facts until a function binds a size; `general` the local functions that became
    definitions.
    """

    names: Names
    scope: Scope
    complain: Complaints
    solver: Solver
    instances: Instances
    contraction: Callable[[str], Expr]
    drafts: list[d.Draft] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    at: Span = field(default=Span(0, 0))
    depth: int = 0  # the number of enclosing functions
    root: int = -1  # the draft of the whole definition, once it is built
    questions: list[Question] = field(default_factory=list)
    first_hole: Span | None = None  # the first hole of the text so far; messages show the names in its scope
    notes: list[TypeNote] = field(default_factory=list)
    where: tuple[s.Fact, ...] = ()
    general: dict[s.Binding, Expr] = field(default_factory=dict)

    def add(self, draft: d.Draft, t: Type) -> Typed:
        """Append a draft."""
        self.drafts.append(draft)
        self.spans.append(self.at)
        return len(self.drafts) - 1, t

    def contracted(self, spec: str, span: Span) -> Expr:
        """The function that a contraction stands for. Raises RiseError at the place of its specification."""
        try:
            return self.contraction(spec)
        except RiseError as error:
            raise self.scope.quoted(error, spec, span) from None

    def unknown(self, kind: str) -> Any:
        """A fresh unknown of a kind."""
        if kind == "nat":
            return self.solver.fresh_natural()
        if kind == "space":
            return self.solver.fresh_space()
        if kind == SIZE_FUNCTION:
            return self.solver.fresh_size_function()
        return self.solver.fresh_type(kind_classes(kind))

    def explainer(
        self, span: Span, expected: Type, found: Type, called: Called | None = None
    ) -> Callable[[Mismatch], RiseError]:
        """A function from a mismatch inside two types to a diagnostic; for an argument, `called` is the function it is
        passed to.
        """
        return lambda mismatch: self.complain.ill_typed(mismatch, span, expected, found, called)

    def opened_at(self, t: DepFunType, argument: Any, span: Span) -> Type:
        """The type of a dependent function's result for an argument that is written in the text."""
        try:
            return opened(t, argument)
        except ZeroDivisionError:
            self.scope.fail("size-zero-divisor", "a size is divided by zero", span, "", "write a size >= 1")

    def must_be_data(self, t: Type) -> bool:
        """Whether the type cannot be a function."""
        return bool(self.solver.classes[t]) if isinstance(t, TypeMeta) else is_data(t)


def opened(t: DepFunType, argument: Any) -> Type:
    """The type of a dependent function's result for an argument."""
    return instantiate_dependent(t.result, argument)  # type: ignore[no-any-return]  # a type stays one
