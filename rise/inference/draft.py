"""Drafts, which are terms whose types still contain unknowns, in post-order, and their conversion to terms. Independent
of texts.

A draft refers to earlier drafts by position. Variables are levels, counted from the outermost function, with the depth
at which they occur. Dependent variables have unique names, and become indices when their binder is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, assert_never

from rise.dependent_binders import abstract_all
from rise.inference.effort import COST_PER_NODE
from rise.inference.instances import Instances
from rise.inference.schemes import applied, instantiate_primitive
from rise.nodes import Node
from rise.primitives.record import PrimitiveRecord
from rise.rounding import NumberRangeError
from rise.terms import App, Bound, DepApp, DepLam, Expr, Fact, Lam, Var, make_literal
from rise.text.trees import Span
from rise.types import Argument, DepFunType, PairType, Type


class Whole(NamedTuple):
    """A complete term, except for its implicit arguments: a definition or a free variable."""

    expr: Expr
    arguments: tuple[Argument, ...] = ()


class Use(NamedTuple):
    """A primitive at implicit arguments. An overloaded name (`asFragment`) is resolved late."""

    record: Callable[[], PrimitiveRecord]
    arguments: tuple[Argument, ...]


class Local(NamedTuple):
    """A function's variable, by level, used at a depth."""

    level: int
    depth: int
    type: Type


class Moved(NamedTuple):
    """A draft used `by` functions further inside, at implicit arguments."""

    draft: int
    by: int
    arguments: tuple[Argument, ...] = ()


class Number(NamedTuple):
    """A literal."""

    value: Any
    type: Type
    span: Span


class Function(NamedTuple):
    """`fun(name: parameter => body)`."""

    name: str
    parameter: Type
    body: int


class Binder(NamedTuple):
    """A dependent parameter and its unique variable; its facts may use it and the parameters before it."""

    name: str
    kind: str
    implicit: bool
    facts: tuple[Fact, ...]
    variable: Node


class DepFunction(NamedTuple):
    """A dependent function of some parameters, in order."""

    binders: tuple[Binder, ...]
    body: int


class Application(NamedTuple):
    """A function applied to an argument."""

    fun: int
    arg: int


class DepApplication(NamedTuple):
    """A dependent function applied to an argument."""

    fun: int
    argument: Argument


class Uncurried(NamedTuple):
    """A function of two arguments where a function of a pair is expected: `fun(p => f(fst p, snd p))`."""

    fun: int
    parameter: Type
    first: Use
    second: Use


Draft: TypeAlias = (
    Whole | Use | Local | Moved | Number | Function | DepFunction | Application | DepApplication | Uncurried
)


class UnfitNumberError(Exception):
    """Raised if a type at which the draft at this position uses a definition cannot represent one of the definition's
    numbers.
    """

    def __init__(self, draft: int, why: str) -> None:
        super().__init__(why)
        self.draft = draft


def build(drafts: list[Draft], resolve: Callable[[Any], Any], instances: Instances) -> list[Expr]:
    """Every draft as a term, with all unknowns resolved. Definitions are inlined at their sizes, including explicit
    ones.

    Raises UnfitNumberError if a definition is used at a type that cannot represent one of its numbers.
    """
    terms: list[Expr] = []
    is_definition: list[bool] = []  # for each term, whether it is a definition, possibly at some sizes
    for number, draft in enumerate(drafts):
        try:
            match draft:
                case DepApplication(fun, argument) if is_definition[fun]:
                    is_definition.append(True)
                    terms.append(_applied(terms[fun], resolve(argument), instances))
                case _:
                    is_definition.append(isinstance(draft, Whole | Moved))
                    terms.append(_build(draft, terms, resolve, instances))
        except NumberRangeError as error:
            raise UnfitNumberError(number, error.why) from None
    return terms


def _build(draft: Draft, terms: list[Expr], resolve: Callable[[Any], Any], instances: Instances) -> Expr:
    match draft:  # the most frequent cases first
        case Application(fun, arg):
            return App(terms[fun], terms[arg])
        case Use():
            return _use(draft, resolve)
        case Local(level, depth, t):
            return Bound(depth - 1 - level, resolve(t))
        case Whole(expr, arguments):
            at = instances.at(expr, [resolve(argument) for argument in arguments])
            return resolve(at) if isinstance(at, Var) else at
        case Moved(moved, by, arguments):
            return instances.at(
                instances.moved(terms[moved], by), [resolve(argument) for argument in arguments]
            )
        case Number(value, t, _):
            return make_literal(value, resolve(t))
        case Function(name, parameter, body):
            return Lam(name, resolve(parameter), terms[body])
        case DepFunction(binders, body):
            return bind(binders, terms[body], resolve, instances)
        case DepApplication(fun, argument):
            return applied(terms[fun], resolve(argument))
        case Uncurried(fun, parameter, first, second):
            pair = resolve(parameter)
            assert isinstance(pair, PairType)
            p = Bound(0, pair)
            left, right = App(_use(first, resolve), p), App(_use(second, resolve), p)
            return Lam("p", pair, App(App(instances.moved(terms[fun], 1), left), right))
        case _:
            assert_never(draft)


def _applied(e: Expr, argument: Argument, instances: Instances) -> Expr:
    """A definition applied to a further size, explicit or implicit. If the size has facts, the application is kept."""
    match e:
        case DepLam(_, _, _, (), _):
            return instances.at(e, (argument,))
        case _:
            return DepApp(e, argument)


def bind(
    binders: Sequence[Binder],
    body: Expr,
    resolve: Callable[[Any], Any],
    instances: Instances,
    *,
    is_closed: bool = False,
) -> Expr:
    """The dependent function of some parameters; `is_closed` if the body already contains indices in their place."""
    instances.effort.spend(2 * COST_PER_NODE * len(binders))  # for each a function and its type
    variables = [binder.variable for binder in binders]
    e: Expr = body if is_closed else instances.closed(variables, body)[0]
    for position in range(len(binders) - 1, -1, -1):
        binder = binders[position]
        facts = tuple(instances.closed(variables[: position + 1], *map(resolve, binder.facts)))
        e = DepLam(binder.name, binder.kind, binder.implicit, facts, e)
    return e


def bind_type(binders: Sequence[Binder], result: Type) -> Type:
    """The type of a dependent function of some parameters."""
    t: Type = abstract_all(result, [binder.variable for binder in binders])
    for binder in reversed(binders):
        t = DepFunType(binder.name, binder.kind, binder.implicit, t)
    return t


def _use(use: Use, resolve: Callable[[Any], Any]) -> Expr:
    return instantiate_primitive(use.record(), tuple([resolve(argument) for argument in use.arguments]))
