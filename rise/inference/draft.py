"""Drafts: terms whose types still have unknowns, in post-order, and how they become terms. Knows no texts.

A draft refers to earlier drafts by position. Variables are levels (counted from the outside) with the depth
at which they stand; dependent variables are uniquely named, and become indices when their binder is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from rise.dependent_binders import abstract_all
from rise.inference.instances import Instances
from rise.inference.schemes import instantiate_primitive
from rise.nodes import Node
from rise.primitives.record import PrimitiveRecord
from rise.terms import App, Bound, DepApp, DepLam, Expr, Fact, Lam, make_literal
from rise.text.trees import Span
from rise.types import Argument, DepFunType, PairType, Type


@dataclass(frozen=True, slots=True)
class Whole:
    """A term that is complete but for its implicit arguments: a definition, a free variable."""

    expr: Expr
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """A primitive at implicit arguments. The record may be decided late (`asFragment`)."""

    record: Callable[[], PrimitiveRecord]
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Local:
    """A function's variable, by level, as seen from a depth."""

    level: int
    depth: int
    type: Type


@dataclass(frozen=True, slots=True)
class Moved:
    """A draft as seen from some functions further inside, at implicit arguments."""

    draft: int
    by: int
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A literal."""

    value: Any
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Function:
    """`fun(name: parameter => body)`."""

    name: str
    parameter: Type
    body: int


@dataclass(frozen=True, slots=True)
class Binder:
    """A dependent parameter, with the unique variable that stands for it; facts see it and those before."""

    name: str
    kind: str
    implicit: bool
    facts: tuple[Fact, ...]
    variable: Node


@dataclass(frozen=True, slots=True)
class DepFunction:
    """A dependent function of some parameters, in order."""

    binders: tuple[Binder, ...]
    body: int


@dataclass(frozen=True, slots=True)
class Application:
    """A function applied to an argument."""

    fun: int
    arg: int


@dataclass(frozen=True, slots=True)
class DepApplication:
    """A dependent function applied to an argument."""

    fun: int
    argument: Argument


@dataclass(frozen=True, slots=True)
class Uncurried:
    """A function of two arguments where a function of a pair is expected: `fun(p => f(fst p, snd p))`."""

    fun: int
    parameter: Type
    first: Use
    second: Use


Draft: TypeAlias = (
    Whole | Use | Local | Moved | Number | Function | DepFunction | Application | DepApplication | Uncurried
)


class UnfitNumberError(Exception):
    """A number in a definition does not fit the type at which the draft of this number uses it."""

    def __init__(self, draft: int, why: str) -> None:
        super().__init__(why)
        self.draft = draft


def build(drafts: list[Draft], resolve: Callable[[Any], Any], instances: Instances) -> list[Expr]:
    """Every draft as a term, with all unknowns resolved. A definition is put in at its sizes, explicit ones, too.

    Raises UnfitNumberError where a definition is used at a type that lacks one of its numbers.
    """
    terms: list[Expr] = []
    is_named: list[bool] = []  # whether it is a definition, at some sizes
    for number, draft in enumerate(drafts):
        try:
            match draft:
                case DepApplication(fun, argument) if is_named[fun]:
                    is_named.append(True)
                    terms.append(_called(terms[fun], resolve(argument), instances))
                case _:
                    is_named.append(isinstance(draft, Whole | Moved))
                    terms.append(_build(draft, terms, resolve, instances))
        except OverflowError as error:
            raise UnfitNumberError(number, str(error)) from None
    return terms


def _build(draft: Draft, terms: list[Expr], resolve: Callable[[Any], Any], instances: Instances) -> Expr:
    match draft:
        case Whole(expr, arguments):
            return resolve(instances.at(expr, [resolve(one) for one in arguments]))  # type: ignore[no-any-return]  # a term stays one
        case Use():
            return _use(draft, resolve)
        case Local(level, depth, found):
            return Bound(depth - 1 - level, resolve(found))
        case Moved(moved, by, arguments):
            return instances.at(instances.moved(terms[moved], by), [resolve(one) for one in arguments])
        case Number(value, found, _):
            return make_literal(value, resolve(found))
        case Function(name, parameter, body):
            return Lam(name, resolve(parameter), terms[body])
        case DepFunction(binders, body):
            return bind(binders, terms[body], resolve, instances)
        case Application(fun, arg):
            return App(terms[fun], terms[arg])
        case DepApplication(fun, argument):
            return DepApp(terms[fun], resolve(argument))
        case Uncurried(fun, parameter, first, second):
            pair = resolve(parameter)
            assert isinstance(pair, PairType)
            p = Bound(0, pair)
            left, right = App(_use(first, resolve), p), App(_use(second, resolve), p)
            return Lam("p", pair, App(App(instances.moved(terms[fun], 1), left), right))
        case _:
            assert_never(draft)


def _called(e: Expr, argument: Argument, instances: Instances) -> Expr:
    """A definition at an explicit size, or one more implicit one; where it promises something of it, that stays."""
    match e:
        case DepLam(_, _, _, (), _):
            return instances.at(e, (argument,))
        case _:
            return DepApp(e, argument)


def bind(binders: Sequence[Binder], body: Expr, resolve: Callable[[Any], Any], instances: Instances) -> Expr:
    """The dependent function of some parameters."""
    variables = [binder.variable for binder in binders]
    e: Expr = instances.closed(body, variables)
    for position in range(len(binders) - 1, -1, -1):
        binder = binders[position]
        facts = tuple(instances.closed(resolve(fact), variables[: position + 1]) for fact in binder.facts)
        e = DepLam(binder.name, binder.kind, binder.implicit, facts, e)
    return e


def bind_type(binders: Sequence[Binder], result: Type) -> Type:
    """The type of a dependent function of some parameters."""
    t: Type = abstract_all(result, [binder.variable for binder in binders])
    for binder in reversed(binders):
        t = DepFunType(binder.name, binder.kind, binder.implicit, t)
    return t


def _use(use: Use, resolve: Callable[[Any], Any]) -> Expr:
    return instantiate_primitive(use.record(), tuple(resolve(a) for a in use.arguments))
