"""The head of a term, which consists of the sizes, types and parameters that it binds: opened with names and closed
again.

Also the operations on a whole term that use the author's names: `specialise` and `assume`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rise.analysis.obligations import Obligation, Relation
from rise.argument_checks import Termlike, term_of
from rise.arguments.ragged_arrays import table_of
from rise.arguments.sizes import as_size
from rise.dependent_binders import abstract_all, instantiate_all
from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.facts import evaluate_fact
from rise.inference.schemes import substitute_names
from rise.inference.scope import Scope
from rise.inference.types import read_argument, read_fact
from rise.inference.wide_types import put_in
from rise.naturals import Nat, NatVar, const, exact_quotient
from rise.nodes import Node
from rise.records import dataclass
from rise.rounding import NumberRangeError
from rise.scalars import SIZE_FUNCTION, is_type_kind, kind_classes
from rise.size_functions import SizeFunction, SizeFunVar
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text import reader
from rise.text.names import is_name
from rise.text.nat_printer import show_fact
from rise.text.type_printer import brief_type
from rise.tracebacks import ends_at_the_users_line
from rise.types import Space, SpaceMeta, Type, TypeVar, classes_of


@dataclass(frozen=True, slots=True)
class Binder:
    """A binder of a head: a value parameter with its type, or a dependent parameter with its variable."""

    name: str
    kind: str  # "" for a value parameter
    implicit: bool
    type: Type | None
    variable: Node | None


@dataclass(frozen=True, slots=True)
class Head:
    """An opened term: its binders, outermost first, the facts it states, and its body in terms of the binders'
    variables.
    """

    binders: tuple[Binder, ...]
    facts: tuple[Fact, ...]
    body: Expr

    def close(self) -> Expr:
        """The closed term. A fact is attached to the innermost binder that it mentions."""
        variables = [b.variable for b in self.binders if b.variable is not None]
        facts: dict[Node, list[Fact]] = {}
        for fact in self.facts:
            mentioned = [variable for variable in variables if variable in fact.free]
            if mentioned:
                facts.setdefault(mentioned[-1], []).append(fact)
        e: Any = abstract_all(self.body, variables)
        for binder in reversed(self.binders):
            if binder.variable is None:
                e = Lam(binder.name, abstract_all(binder.type, variables), e)
                continue
            known = tuple(abstract_all(fact, variables) for fact in facts.get(binder.variable, ()))
            e = DepLam(binder.name, binder.kind, binder.implicit, known, e)
            variables.pop()
        return e  # type: ignore[no-any-return]  # a term stays one


def name_head(e: Expr, implicit: Sequence[str], names: Sequence[str]) -> Expr:
    """The term with other names in its head: `implicit` for the last implicit binders before the first parameter,
    `names` from there on. A binder keeps its name if the new one is not valid in a text.
    """
    binders: list[Lam | DepLam] = []
    before = 0
    while isinstance(e, Lam | DepLam) and len(binders) < before + len(names):
        before += isinstance(e, DepLam) and e.implicit and len(binders) == before
        binders.append(e)
        e = e.body
    given = [*implicit, *names]
    chosen = [binder.name for binder in binders[: len(binders) - len(given)]] + given
    for binder, name in zip(reversed(binders), reversed(chosen), strict=True):
        name = name if is_name(name) else binder.name
        match binder:
            case Lam(_, parameter):
                e = Lam(name, parameter, e)
            case DepLam(_, kind, is_implicit, facts):
                e = DepLam(name, kind, is_implicit, facts, e)
    return e


def open_head(e: Expr) -> Head:
    """Open the leading binders of a term: each dependent one becomes a named variable."""
    binders, facts, body = _opened(e)
    return Head(
        binders, facts, instantiate_all(body, [b.variable for b in binders if b.variable is not None])
    )


def _opened(e: Expr) -> tuple[tuple[Binder, ...], tuple[Fact, ...], Expr]:
    """The leading binders of a term, the facts they state, and the body, which is not opened."""
    binders: list[Binder] = []
    facts: list[Fact] = []
    variables: list[Any] = []
    while isinstance(e, Lam | DepLam):
        if isinstance(e, Lam):
            binders.append(Binder(e.name, "", False, instantiate_all(e.parameter, variables), None))
        else:
            variables.append(_variable(f"{e.name}'{len(binders)}'", e.kind, len(binders)))
            facts += [instantiate_all(fact, variables) for fact in e.facts]
            binders.append(Binder(e.name, e.kind, e.implicit, None, variables[-1]))
        e = e.body
    return tuple(binders), tuple(facts), e


def _variable(name: str, kind: str, position: int) -> Any:
    if kind == "nat":
        return NatVar(name, None)
    if kind == SIZE_FUNCTION:
        return SizeFunVar(name)
    return SpaceMeta(-1 - position) if kind == "space" else TypeVar(name, kind)


@ends_at_the_users_line
def specialise(e: Termlike, /, **values: Any) -> Expr:
    """Fix sizes (`M=256`, or a string over the other sizes, `M="2 * N"`) and types (`t="f16"`) by their names. A size
    is any integer, including numpy's.

    Facts about fixed sizes are evaluated. Raises RiseError if a fact is false, a name is unknown, or a kind is wrong.
    """
    e = term_of(e)
    head = open_head(e)
    known = {b.name: b for b in head.binders if b.variable is not None}
    scope = _scope(head)
    given: dict[Node, Any] = {}
    for name, value in values.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"it binds {', '.join(known) or 'none'}"
            raise RiseError(Diagnostic("unknown-name", f"the term binds no size or type `{name}`", (), hint))
        variable = known[name].variable
        assert variable is not None
        given[variable] = _given(scope, known[name], value)
    given = _in_order(given)
    try:
        specialised = _fixed(head, given)
    except ZeroDivisionError:
        code, title = "size-not-natural", "at these sizes the term divides a size by zero"
    except NumberRangeError as error:  # a literal that is out of range for the given type
        code, title = "number", f"at these sizes and types: {error.why}"
    else:
        if not specialised.free <= e.free:
            title = (
                f"expected sizes in terms of remaining sizes bound further outside, found {_listed(values)}"
            )
            raise RiseError(
                Diagnostic(
                    "specialise",
                    title,
                    (),
                    "give a number for one of them: a size cannot depend on itself, or on a size bound further inside",
                )
            )
        return specialised
    raise RiseError(Diagnostic(code, title, (), "choose others"))


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _in_order(given: Mapping[Node, Any]) -> dict[Node, Any]:
    """The values in terms of the remaining sizes: each value is substituted into the others. Cycles remain."""
    values = dict(given)
    for _ in given:
        mentioned = {
            v for value in values.values() if isinstance(value, Nat) for v in value.free
        } & values.keys()
        if not mentioned:
            break
        values = {
            v: substitute_names(
                value, {mentioned_size: given[mentioned_size] for mentioned_size in mentioned}
            )
            if isinstance(value, Nat)
            else value
            for v, value in values.items()
        }
    return values


def _fixed(head: Head, given: Mapping[Node, Any]) -> Expr:
    """The term with values for some of its binders."""
    binders = tuple(
        Binder(
            b.name,
            b.kind,
            b.implicit,
            None if b.type is None else substitute_names(b.type, given),
            b.variable,
        )
        for b in head.binders
        if b.variable not in given
    )
    facts = tuple(
        substitute_names(fact, {v: given[v] for v in fact.free if v in given}) for fact in head.facts
    )
    for before, fact in zip(head.facts, facts, strict=True):
        if not fact.free and not evaluate_fact(fact, {}):
            mentioned = [
                (v, b.name) for b in head.binders if (v := b.variable) is not None and v in before.free
            ]
            named: dict[Node, Any] = {v: NatVar(name, None) for v, name in mentioned}
            values = ", ".join(f"{name} = {given[v]}" for v, name in mentioned)
            title = f"the term promises `{show_fact(substitute_names(before, named))}`, which is false for {values}"
            raise RiseError(Diagnostic("fact", title, (), "choose sizes for which it holds"))
    remaining = tuple(fact for fact in facts if fact.free)
    return Head(binders, remaining, put_in(head.body, given)).close()


@ends_at_the_users_line
def assume(e: Termlike, *facts: str | Fact) -> Expr:
    """The term with additional promises about its sizes, `assume(e, "32 divides N")`, or with facts about names of its
    head.
    """
    e = term_of(e)
    head = open_head(e)
    scope = _scope(head)
    added = []
    named: dict[Node, Any] = {NatVar(name, None): variable for name, variable in scope.names}
    for given in facts:
        if isinstance(given, Fact):
            added.append(substitute_names(given, named))
            continue
        scope.source = given
        fact = read_fact(scope, reader.read_fact(given))
        if not fact.free:
            raise RiseError(Diagnostic("fact", f"`{given}` does not mention any size of the term", (), ""))
        added.append(fact)
    return Head(head.binders, (*head.facts, *added), head.body).close()


def facts_beside(e: Expr, texts: Sequence[str]) -> tuple[Fact, ...]:
    """The promises about a term's sizes, except those given as texts."""
    facts = promised_facts(e)
    if not facts or not texts:
        return tuple(facts)
    head = open_head(e)
    known = promised_facts(assume(Head(head.binders, (), head.body).close(), *texts))
    return tuple(fact for fact in facts if fact not in known)


def promises(e: Expr) -> list[Obligation]:
    """The author's promises about a term's sizes, as named obligations that a caller must fulfil."""
    obligations: list[Obligation] = []
    for fact in promised_facts(e):
        reason = f"the program promises `{show_fact(fact)}`"
        obligations += (Obligation(relation, subject, reason, ()) for relation, subject in _conditions(fact))
    return obligations


def promised_facts(e: Expr) -> list[Fact]:
    """The author's promises about a term's sizes, with their names."""
    binders, facts, _ = _opened(e)
    named: dict[Node, Any] = {
        b.variable: NatVar(b.name, None) for b in binders if isinstance(b.variable, NatVar)
    }
    return [substitute_names(fact, {v: named[v] for v in fact.free if v in named}) for fact in facts]


def _conditions(fact: Fact) -> list[tuple[Relation, Nat]]:
    difference = fact.right - fact.left
    match fact.relation:  # see `rise.facts.RELATIONS`
        case "divides":
            return [("divides", exact_quotient(fact.right, fact.left))]
        case "<=":
            return [("<=", difference)]
        case "<":
            return [("positive", difference)]
        case ">=":
            return [("<=", const(0) - difference)]
        case ">":
            return [("positive", const(0) - difference)]
        case relation:
            assert relation == "==", f"{relation} is not a relation"
            return [("<=", difference), ("<=", const(0) - difference)]


def _scope(head: Head) -> Scope:
    return Scope(names=[(b.name, b.variable) for b in head.binders if b.variable is not None], is_closed=True)


def _given(scope: Scope, binder: Binder, value: Any) -> Any:
    if isinstance(value, str):
        scope.source = value
        value = read_argument(scope, binder.kind, reader.read_argument(value))
    if binder.kind == "nat":
        if isinstance(value, Nat):
            return value
        number = as_size(value)
        if number is not None:
            return const(number)
        raise _wrong(binder, "a size: an integer >= 0, or a text", value)
    if binder.kind == "space":
        if isinstance(value, Space):
            return value
        raise _wrong(binder, "a memory space", value)
    if binder.kind == SIZE_FUNCTION:
        return value if isinstance(value, SizeFunction) else table_of(binder.name, value)
    assert is_type_kind(binder.kind)
    if not isinstance(value, Type):
        raise _wrong(binder, "a type", value)
    missing = kind_classes(binder.kind) - (classes_of(value) or frozenset())
    if missing:
        raise _wrong(binder, f"a type of class {binder.kind}", brief_type(value))
    return value


def _wrong(binder: Binder, expected: str, found: object) -> RiseError:
    return RiseError(Diagnostic("specialise", f"{binder.name}: expected {expected}, found {found}"))
