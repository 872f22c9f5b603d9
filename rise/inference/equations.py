"""Equations between terms: both sides inferred together, their free names left as metavariables."""

from __future__ import annotations

from dataclasses import dataclass, field

from rise.inference import draft as d
from rise.inference.definitions import elaboration, open_unknowns
from rise.inference.elaborate import elaborate
from rise.inference.names import Names
from rise.naturals import NatMeta, NatVar, nat
from rise.nodes import Node
from rise.terms import Expr, Var
from rise.text.reader import read_equation
from rise.types import Type, TypeMeta, TypeVar


@dataclass(slots=True)
class Metavariables(Names):
    """Names of an equation: what is no primitive is a metavariable; its place says of what."""

    values: dict[str, Var] = field(default_factory=dict)
    sizes: dict[str, NatVar] = field(default_factory=dict)
    fresh: dict[str, Type] = field(default_factory=dict)

    def whole(self, name: str) -> Expr | None:
        if name in self.values:
            return self.values[name]
        if self.primitive(name) is not None or self.overloads(name):
            return None
        # A type for each value, negative so that it never meets the solver's own.
        return self.values.setdefault(name, Var(name, TypeMeta(-1 - len(self.values))))

    def is_size(self, name: str) -> bool:
        return False

    def dependent(self, name: str, kind: str) -> Node | None:
        if kind == "nat":
            return self.sizes.setdefault(name, metavariable(name))
        return self.fresh.setdefault(name, TypeMeta(-1000 - len(self.fresh)))


def metavariable(name: str) -> NatVar:
    """The metavariable of sizes of this name; no text can name it, so no term mentions it."""
    return NatVar(f"?{name}", None)


def elaborate_equation(text: str) -> tuple[Expr, Expr]:
    """Both sides of `left = right`, of one type. Their free `Var`, `NatVar`, `TypeVar` are metavariables."""
    syntax = read_equation(text)
    names = Metavariables()
    work = elaboration(text, "", {}, {}, names)
    for ident in (*range(1, 40), *range(1000, 1020)):
        work.solver.classes[TypeMeta(-ident)] = frozenset()
    left, left_type = elaborate(work, syntax.left)
    right, right_type = elaborate(work, syntax.right)
    span = syntax.right.span
    solver = work.solver
    solver.unify(left_type, right_type, lambda m: work.complain.ill_typed(m, span, left_type, right_type))
    solver.settle()
    for meta, default in solver.defaults.items():
        if meta not in solver.known and default == "f32":
            solver.classes[meta] |= {"floating"}
    for number, meta in enumerate(open_unknowns(work, left_type, *(v.type for v in names.values.values()))):
        if isinstance(meta, NatMeta):
            solver.assign(meta, nat(metavariable(str(number))))
        else:
            solver.assign(meta, TypeVar(f"'{number}", solver.kind(meta)))
    terms = d.build(work.drafts, solver.resolve, work.instances)
    return terms[left], terms[right]
