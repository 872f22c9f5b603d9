"""Infers both sides of an equation together, with their free names as metavariables.

Types in an equation are types of data. One that is written `any`, `any1` and so on may be a function type too: `fun(x :
any1 => (f x : any2)) = f`. A name directly followed by brackets is a context, a term with holes: `f[fst x]`. It is a
metavariable with a unique name, applied to the terms in its holes.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any, Final

from rise.inference import draft as d
from rise.inference.checks import check_literals
from rise.inference.definitions import elaboration, open_unknowns
from rise.inference.elaborate import elaborate
from rise.inference.names import Names
from rise.naturals import NatMeta, NatVar, nat
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import ANY
from rise.terms import Expr, Var
from rise.text import syntax as s
from rise.text.reader import read_equation
from rise.text.trees import Syntax, with_fields
from rise.types import Type, TypeMeta, TypeVar

#: the names of types that may be function types
ANYTHING: Final = re.compile(rf"{ANY}\d*")


@dataclass(slots=True)
class Metavariables(Names):
    """The names of an equation: all but primitives are metavariables, whose position determines their kind."""

    values: dict[str, Var] = field(default_factory=dict)
    sizes: dict[str, NatVar] = field(default_factory=dict)
    fresh: dict[str, Type] = field(default_factory=dict)

    def whole(self, name: str) -> Expr | None:
        if name in self.values:
            return self.values[name]
        if self.primitive(name) is not None or self.overloads(name):
            return None
        # The type of each value has a negative number, so that it differs from the solver's unknowns.
        return self.values.setdefault(name, Var(name, TypeMeta(-1 - len(self.values))))

    def is_size(self, name: str) -> bool:
        return False

    def dependent(self, name: str, kind: str) -> Node | None:
        if kind == "nat":
            return self.sizes.setdefault(name, metavariable(name))
        return self.fresh.setdefault(name, TypeMeta(-1000 - len(self.fresh)))


def is_context(name: str) -> bool:
    """Whether a metavariable is a context.

    >>> left, _ = elaborate_equation("fun(x => f[fst x]) = fun(x => f[fst x])")
    >>> [one.name for one in left.free if isinstance(one, Var) and is_context(one.name)]
    ['f[]']
    """
    return name.endswith(_HOLES)


_HOLES: Final = "[]"
_MAY_HAVE_CONTEXTS: Final = re.compile(r"[A-Za-z_]\w*\[")


def _with_contexts(node: Any, names: Metavariables) -> Any:
    """The syntax with contexts applied to the terms in their holes. Recursive, since equations are small."""
    match node:
        case tuple():
            return tuple(_with_contexts(one, names) for one in node)
        case s.Apply(span, s.Name(before, name), s.ArrayLiteral(behind, holes)) if (
            before.end == behind.start and names.primitive(name) is None and not names.overloads(name)
        ):
            made: s.Expr = s.Name(before, name + _HOLES)
            for hole in holes:
                made = s.Apply(span, made, _with_contexts(hole, names))
            return made
        case Syntax():
            fields = {name: _with_contexts(getattr(node, name), names) for name in node.__slots__}
            return with_fields(node, **fields)
    return node


def metavariable(name: str) -> NatVar:
    """The metavariable for sizes of this name. No text can contain its name, so no term does."""
    return NatVar(f"?{name}", None)


def elaborate_equation(text: str) -> tuple[Expr, Expr]:
    """Both sides of `left = right`, of the same type. Their free `Var`, `NatVar`, `TypeVar` are metavariables."""
    syntax, names = read_equation(text), Metavariables()
    if _MAY_HAVE_CONTEXTS.search(text):
        syntax = _with_contexts(syntax, names)
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
    anything = {solver.resolve(t) for name, t in names.fresh.items() if ANYTHING.fullmatch(name)}
    for number, meta in enumerate(open_unknowns(work, left_type, *(v.type for v in names.values.values()))):
        if isinstance(meta, NatMeta):
            solver.assign(meta, nat(metavariable(str(number))))
        else:
            is_any = meta in anything and not solver.classes[meta]
            solver.assign(meta, TypeVar(f"'{number}", ANY if is_any else solver.kind(meta)))
    check_literals(work)
    terms = d.build(work.drafts, solver.resolve, work.instances)
    return terms[left], terms[right]
