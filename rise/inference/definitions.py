"""Elaborates whole definitions, and generalises them over the sizes and types that inference leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Any

from rise.diagnostics import RiseError
from rise.einsum.elaboration import text_of_letters
from rise.inference import draft as d
from rise.inference.checks import check_facts, check_literals, check_sizes
from rise.inference.closed_types import ClosedTypes
from rise.inference.effort import MAX_HEIGHT, Effort
from rise.inference.elaborate import elaborate
from rise.inference.elaboration import Elaboration
from rise.inference.errors import Complaints
from rise.inference.instances import Instances
from rise.inference.kinds import read_kind
from rise.inference.locals import general_functions
from rise.inference.names import UNIQUE, Names
from rise.inference.questions import refuse_holes, type_notes
from rise.inference.scope import General, Scope, Synonym
from rise.inference.solver import Solver
from rise.inference.types import read_fact, read_type
from rise.inference.uses import Uses
from rise.naturals import NatVar, nat
from rise.nodes import Node
from rise.primitives import lookup
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunMeta
from rise.terms import Expr, Fact
from rise.text import syntax as s
from rise.text.names import bounded
from rise.text.reader import read_expression
from rise.text.trees import height
from rise.types import (
    FunType,
    ScalarType,
    SpaceMeta,
    Type,
    TypeMeta,
    TypeVar,
)

#: contractions whose functions are kept
MAX_CONTRACTIONS = 256
SIZE_NAMES = ("n", "m", "k", "p", "q", "r")
FUNCTION_NAMES = ("f", "g", "h")
MAX_NUMBER_CHARACTERS = 80  # of a number that are shown in a message
TYPE_NAMES = ("t", "s", "u", "v", "w")
SPACE_NAMES = ("a", "b")


def elaboration(
    source: str,
    file: str,
    definitions: Mapping[str, Expr],
    free: Mapping[str, Node],
    names: Names | None = None,
    synonyms: Mapping[str, Synonym] | None = None,
    instances: Instances | None = None,
) -> Elaboration:
    """An elaboration of one definition of a text; the definitions share `instances`."""
    names = names or Names(definitions, free)
    instances = instances or Instances(Effort(len(source)))
    effort = instances.effort
    scope = Scope(free=names.dependent, source=source, file=file, synonyms=synonyms or {}, effort=effort)
    solver = Solver(effort)
    return Elaboration(names, scope, Complaints(scope, names, solver), solver, instances, contraction)


@lru_cache(maxsize=MAX_CONTRACTIONS)
def contraction(spec: str) -> Expr:
    """The function that computes a contraction of arrays of any sizes, as a definition. Raises RiseError with the
    specification underlined.
    """
    text = text_of_letters(spec)
    return define(elaboration(text, "", {}, {}), read_expression(text))


def define(
    work: Elaboration,
    body: s.Expr,
    declared: s.Type | None = None,
    facts: tuple[s.Fact, ...] = (),
) -> Expr:
    """Elaborate a body, and before it those local functions of its blocks that use no variables from outside."""
    _check_height(work.scope, body)
    if "let" in work.scope.source:
        for function in general_functions(body):
            inner = elaboration(
                work.scope.source,
                work.scope.file,
                work.names.definitions,
                work.names.free,
                synonyms=work.scope.synonyms,
                instances=work.instances,
            )
            inner.general = work.general
            inner.complain.recursive = [*work.complain.recursive, function.binding.name]
            inner.complain.order = work.complain.order
            inner.notes = work.notes
            for name, binding in function.uses.items():
                inner.scope.enter(name, General(work.general[binding]))
            work.general[function.binding] = _define(inner, function.binding.value, function.binding.type, ())
    return _define(work, body, declared, facts)


def _check_height(scope: Scope, body: s.Expr) -> None:
    if len(scope.source) <= MAX_HEIGHT or (found := height(body)) <= MAX_HEIGHT:
        return  # a short text need not be measured: a node takes at least a character
    title = f"an expression may be nested at most {MAX_HEIGHT:,} deep, but this one is nested {found:,} deep"
    hint = "move parts of it into definitions of their own, `val name = ...`"
    scope.fail("too-deep", title, body.span, "", hint)


def _define(work: Elaboration, body: s.Expr, declared: s.Type | None, facts: tuple[s.Fact, ...]) -> Expr:
    """The term of a body. An error without a place gets the place of the expression that is being elaborated."""
    try:
        return _elaborated(work, body, declared, facts)
    except RiseError as error:
        raise work.scope.placed(error, work.at if work.at.end else body.span) from None


def _elaborated(work: Elaboration, body: s.Expr, declared: s.Type | None, facts: tuple[s.Fact, ...]) -> Expr:
    """Elaborate a body, solve all unknowns, and bind those that stay open at its head.

    The body may name the implicit sizes and types that a declared type binds at its head.
    """
    head = _declared_head(work, declared)
    declared = _below_head(declared)
    work.where = facts
    declared_type = None if declared is None else read_type(work.scope, declared)
    root, t = elaborate(work, body, declared_type)
    if declared_type is not None:
        root = Uses(work).adapt(root, declared_type, t, body.span)
        t = declared_type
    work.root = root
    work.solver.settle()
    refuse_holes(work.complain, work.questions)
    head += [_implicit(name, "nat", variable) for name, variable in work.names.capitals.items()]
    head_facts = _head_facts(work)
    head += _generalise(work, t)
    work.notes += type_notes(work.complain, work.questions)
    check_literals(work)
    check_facts(work)
    variables = [binder.variable for binder in head]
    is_closed = bool(head) and not any(isinstance(draft, d.DepFunction) for draft in work.drafts)
    resolve = ClosedTypes(work.solver, variables) if is_closed else work.solver.resolve
    try:
        terms = d.build(work.drafts, resolve, work.instances)
    except d.UnfitNumberError as unfit:
        why = bounded(str(unfit), MAX_NUMBER_CHARACTERS)
        title = f"the type that this definition is used at cannot hold one of its numbers: {why}"
        hint = "use it at a type that can hold its numbers, or change the numbers"
        work.scope.fail("number", title, work.spans[unfit.draft], "used here", hint)
    e = terms[root]
    work.solver.checked(e.type)
    check_sizes(work, terms)
    if head:
        head[-1] = head[-1]._replace(facts=head_facts)
        e = d.bind(head, e, work.solver.resolve, work.instances, is_closed=is_closed)
    escaped = [node.name for node in e.free if isinstance(node, NatVar | TypeVar) and UNIQUE in node.name]
    if escaped:
        work.complain.escape(min(escaped), body.span)
    return e


def _head_facts(work: Elaboration) -> tuple[Fact, ...]:
    """The facts about the declared sizes and the sizes in capitals."""
    facts = []
    bound = {*work.names.capitals.values(), *(variable for _, variable in work.scope.names)}
    for written in work.where:
        fact = read_fact(work.scope, written)
        if not fact.free or not fact.free <= bound:
            hint = "a fact needs a size that the definition binds: a capital, or a parameter as in `fun(n: nat, ...)`"
            title = "expected a fact about a size of the definition, found one about none"
            work.scope.fail("fact", title, written.span, "", hint)
        facts.append(fact)
    return tuple(facts)


def _declared_head(work: Elaboration, declared: s.Type | None) -> list[d.Binder]:
    """Bring the implicit parameters at the head of a declared type into scope, and return them."""
    head: list[d.Binder] = []
    while isinstance(declared, s.ImplicitArrow):
        kind = read_kind(work.scope, declared.kind)
        variable = work.names.unique(declared.name, kind)
        work.scope.enter(declared.name, variable)
        head.append(_implicit(declared.name, kind, variable))
        declared = declared.result
    return head


def _implicit(name: str, kind: str, variable: Node) -> d.Binder:
    return d.Binder(name, kind, True, (), variable)


def _below_head(declared: s.Type | None) -> s.Type | None:
    while isinstance(declared, s.ImplicitArrow):
        declared = declared.result
    return declared


def _generalise(work: Elaboration, t: Type) -> list[d.Binder]:
    """Bind the unsolved unknowns, in order of first occurrence; unconstrained literals get their default types."""
    solver = work.solver
    open_numbers = [meta for meta in solver.defaults if meta not in solver.known]
    parameter_metas = _parameter_metas(solver.resolve(t)) if open_numbers else ()
    for meta in open_numbers:
        if meta not in parameter_metas:
            default = solver.defaults[meta]
            chosen = ScalarType(default)
            solver.assign(meta, ScalarType("f32") if solver.require(chosen, solver.classes[meta]) else chosen)
    if solver.delayed:
        solver.settle()  # a default type may determine another one, that of complex numbers with such parts
    taken = _taken_names(work)
    free_names: dict[tuple[str, ...], Iterator[str]] = {
        names: _free_names(names, taken) for names in (SIZE_NAMES, FUNCTION_NAMES, TYPE_NAMES, SPACE_NAMES)
    }
    head: list[d.Binder] = []
    for meta in open_unknowns(work, t):
        kind: str = "nat"
        names: tuple[str, ...] = SIZE_NAMES
        if isinstance(meta, TypeMeta):
            kind, names = solver.kind(meta), TYPE_NAMES
        elif isinstance(meta, SpaceMeta):
            kind, names = "space", SPACE_NAMES
        elif isinstance(meta, SizeFunMeta):
            kind, names = SIZE_FUNCTION, FUNCTION_NAMES
        name = next(free_names[names])
        variable = work.names.unique(name, kind)
        solver.assign(meta, nat(variable) if isinstance(variable, NatVar) else variable)
        head.append(_implicit(name, kind, variable))
    return head


def _parameter_metas(t: Type) -> set[Any]:
    metas: set[Any] = set()
    while isinstance(t, FunType):
        metas |= {meta for meta in t.parameter.free if isinstance(meta, TypeMeta)}
        t = t.result
    return metas


def open_unknowns(work: Elaboration, *types: Type) -> list[Any]:
    """The unsolved unknowns: first those of `types`, in order, then those of the drafts."""
    roots: list[Any] = list(types)
    for draft in work.drafts:
        match draft:
            case d.Use(_, arguments) | d.Whole(_, arguments):
                roots += arguments
            case d.Function(_, parameter, _):
                roots.append(parameter)
            case d.Number(_, t, _) | d.Local(_, _, t):
                roots.append(t)
            case d.DepApplication(_, argument):
                roots.append(argument)
    seen: set[int] = set()
    return [unknown for root in roots for unknown in work.solver.unknowns_in(root, seen)]


def _taken_names(work: Elaboration) -> set[str]:
    taken = {*work.names.capitals, *work.names.free, *(name for name, _ in work.scope.names)}
    for draft in work.drafts:
        match draft:
            case d.Function(name, _, _):
                taken.add(name)
            case d.DepFunction(binders, _):
                taken.update(binder.name for binder in binders)
    return taken


def _free_names(candidates: tuple[str, ...], taken: set[str]) -> Iterator[str]:
    """Unused names: first the candidates, then candidates with numbers. Each name is added to `taken`."""
    for number in count():
        for name in candidates:
            chosen = f"{name}{number}" if number else name
            if chosen not in taken and lookup(chosen) is None:
                taken.add(chosen)
                yield chosen
