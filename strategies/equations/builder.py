"""Builds the right side of an equation from bindings.

Depends on terms and metavariables, but not on primitives or strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from rise.inference.schemes import instantiate_primitive, substitute_names
from rise.naturals import Nat, variable_of
from rise.nodes import Node, transform
from rise.part_names import Said, merged, said_by, spelled
from rise.primitives import PROJECTIONS, has_trait, lookup
from rise.records import dataclass
from rise.terms import (
    App,
    Bound,
    DepApp,
    DepLam,
    Expr,
    Lam,
    Literal,
    Primitive,
    Var,
    make_literal,
    mention,
    shift,
    spine,
    substitute,
)
from rise.types import ArrayType, FunType, PairType, Type, TypeVar, shift_dependent
from strategies.equations.matcher import Bindings, binders_among, moved, size_at
from strategies.equations.patterns import Binders, context_of

#: the root of a `let`
LET: Final = ("let", 2)

Build: TypeAlias = Callable[[Bindings], Expr]
BuildType: TypeAlias = Callable[[Bindings], Any]
Calls: TypeAlias = tuple[tuple[str, tuple[int, ...], bool], ...]
"""Functions that are called with a variable, with a component of it, or with elements of these: for each, the name of
its metavariable or of its parameter; the projections, outermost last; and whether the name is that of a parameter.
"""


@dataclass(frozen=True, slots=True)
class Builder:
    """The right side of an equation: a typed template, and the function that fills it."""

    template: Expr
    build: Build = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "build", term_builder(self.template, ()))


def term_builder(node: Expr, binders: Binders) -> Build:
    """Replace the metavariables of a template below these binders by their terms.

    A call of a metavariable with a variable is substituted: `f x` with f bound to `fun(a => b)` becomes b with x for a,
    since this only changes a name.
    """
    match node:
        case Var(name, _):

            def variable(bindings: Bindings) -> Expr:
                term, source = bindings.terms[name]
                return term if term.loose == 0 or source == binders else moved(term, source, binders)

            return variable
        case App() if (context := context_of(node)) is not None:
            return _filled(context, node, binders)
        case App(fun, arg):
            named = named_in(node)
            function_of, argument_of = (
                _function(one, binders, calls_in(one.body)) if one is named else term_builder(one, binders)
                for one in (fun, arg)
            )
            if not isinstance(fun, Var | App):
                return lambda bindings: App(function_of(bindings), argument_of(bindings))

            def call(bindings: Bindings) -> Expr:
                function, argument = function_of(bindings), argument_of(bindings)
                if isinstance(function, Lam) and isinstance(argument, Bound | Var):
                    return substitute(function.body, argument)
                return App(function, argument)

            return call
        case Lam():
            return _function(node, binders)
        case DepLam(name, kind, implicit, facts, body):
            inside_of = term_builder(body, binders)
            return lambda bindings: DepLam(name, kind, implicit, facts, inside_of(_below_size(bindings)))
        case Primitive(name, implicits, _):
            if not node.free:
                return lambda bindings: node
            implicits_of = tuple(type_builder(implicit) for implicit in implicits)
            return lambda bindings: primitive_at(name, tuple([one(bindings) for one in implicits_of]))
        case DepApp(fun, argument):
            function_of, argument_of = term_builder(fun, binders), type_builder(argument)
            return lambda bindings: DepApp(function_of(bindings), argument_of(bindings))
        case Bound(index, given):
            type_of = type_builder(given)
            return lambda bindings: Bound(index, type_of(bindings))
        case Literal():
            type_of = type_builder(node.type)
            value = node.value
            return lambda bindings: make_literal(value, type_of(bindings))
    raise AssertionError(f"a template has no {node!r}")


def _function(node: Lam, binders: Binders, calls: Calls = ()) -> Build:
    """Build a function. Its parameter has the author's name, or otherwise the name that calls in its body give it."""
    parameter_of, body_of = type_builder(node.parameter), term_builder(node.body, (*binders, node.name))
    author = author_of(node.name)
    holes = _holes_in(node.body)
    if not calls and not holes:
        return lambda bindings: Lam(
            bindings.names.get(author, author), parameter_of(bindings), body_of(bindings)
        )

    def function(bindings: Bindings) -> Expr:
        parameter = parameter_of(bindings)
        functions = [
            bindings.names.get(called, "") if is_parameter else bindings.terms[called][0]
            for called, _, is_parameter in calls
        ]
        given = bindings.names.get(author) or name_in_calls(calls, functions, parameter, "")
        return Lam(
            given or _name_at_holes(holes, bindings, parameter) or author, parameter, body_of(bindings)
        )

    return function


def _holes_in(body: Expr) -> tuple[tuple[str, int], ...]:
    """The holes that the variable of a template's function fills, each as its context and its position there."""
    found: list[tuple[str, int]] = []
    waiting = [(body, 0)]
    while waiting:
        node, depth = waiting.pop()
        context = context_of(node)
        if context is not None:
            found += [
                (context, number)
                for number, filling in enumerate(spine(node)[1])
                if isinstance(filling, Bound) and filling.index == depth
            ]
        waiting += [(one, depth + isinstance(node, Lam)) for one in reversed(node.children)]
    return tuple(found)


def _named_value(node: Expr) -> tuple[str, Expr] | None:
    """The name and the value of a `let`, or of a function that is immediately applied."""
    match node:
        case App(App(Primitive(), value), Lam(name)) if node.root == LET:
            return name, value
        case App(Lam(name), value):
            return name, value
        case _:
            return None


def _name_at_holes(holes: Sequence[tuple[str, int]], bindings: Bindings, t: Type) -> str:
    """The name that a program gives to the term in a hole, by `let` or by applying a function, or empty."""
    for context, number in holes:
        sought = Subterms((bindings.holes[context][number],))
        waiting: list[tuple[Expr, int, int]] = [(bindings.term(context), 0, 0)]
        while waiting:
            node, depth, dep_depth = waiting.pop()
            if not sought.may_hold(node, depth, dep_depth):
                continue
            named = _named_value(node)
            if named is not None and said_by(named[0], t) and sought.which(named[1], depth, dep_depth) == 0:
                return named[0]
            inner, dep_inner = depth + isinstance(node, Lam), dep_depth + isinstance(node, DepLam)
            waiting += [(one, inner, dep_inner) for one in reversed(node.children)]
    return ""


def _filled(name: str, node: Expr, binders: Binders) -> Build:
    """Fill the holes of a context."""
    fillings = tuple(term_builder(one, binders) for one in spine(node)[1] if isinstance(one, Expr))

    def filled(bindings: Bindings) -> Expr:
        whole, source = bindings.terms[name]
        return refilled(
            whole, bindings.holes[name], tuple(one(bindings) for one in fillings), source, binders
        )

    return filled


@dataclass(frozen=True, slots=True)
class Subterms:
    """Subterms of a term, which are recognised below binders of the term, too."""

    found: tuple[Expr, ...]
    seen: dict[tuple[int, int], tuple[Expr, ...]] = field(default_factory=dict)

    def at(self, depth: int, dep_depth: int) -> tuple[Expr, ...]:
        """The subterms as seen from below the given numbers of binders."""
        known = self.seen.get((depth, dep_depth))
        if known is None:
            known = tuple(shift_dependent(shift(one, depth), dep_depth) for one in self.found)
            self.seen[depth, dep_depth] = known
        return known

    def which(self, node: Node, depth: int, dep_depth: int) -> int | None:
        """The position of a node among the subterms; None if it is not one of them."""
        for place, one in enumerate(self.at(depth, dep_depth)):
            if node == one:
                return place
        return None

    def may_hold(self, node: Expr, depth: int, dep_depth: int) -> bool:
        """Whether one of the subterms may occur in a node."""
        return any(
            not one.mentions & ~node.mentions and one.free <= node.free for one in self.at(depth, dep_depth)
        )


def refilled(
    whole: Expr, found: tuple[Expr, ...], fillings: tuple[Expr, ...], source: Binders, target: Binders
) -> Expr:
    """A term with all occurrences of `found` replaced by `fillings`, moved from the binders `source` to `target`."""
    before, after = Subterms(found), Subterms(fillings)
    is_moved, further, inner = source != target, len(target) - len(source), len(source)
    among = binders_among(source, target)

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        place = before.which(node, depth, dep_depth) if isinstance(node, Expr) else None
        if place is not None:
            return after.at(depth, dep_depth)[place]
        if is_moved and isinstance(node, Bound) and node.index >= depth:
            index = node.index - depth
            return Bound(depth + (index + further if index >= inner else among[index]), node.given)
        return None

    def untouched(node: Node, depth: int, dep_depth: int) -> bool:
        if not isinstance(node, Expr):
            return True
        stays = node.loose <= depth or not is_moved or (not further and not _is_near(node, depth, inner))
        return stays and not before.may_hold(node, depth, dep_depth)

    return transform(whole, visit, untouched)


def _is_near(node: Expr, depth: int, count: int) -> bool:
    """Whether a node below `depth` binders of its own mentions one of the `count` innermost binders around these."""
    return any(node.mentions & mention(index + depth) for index in range(count))


def author_of(name: str) -> str:
    """The binder of the left side that gives a binder of the right side its name: `x` for `x` and for `x_`."""
    return name.rstrip("_")


def named_in(node: App) -> Lam | None:
    """The function in a template that is applied immediately, or to each element of an array."""
    if isinstance(node.fun, Lam):
        return node.fun
    return node.arg if isinstance(node.arg, Lam) and _maps(node.fun) else None


def calls_in(body: Expr) -> Calls:
    """The functions that the body of a template's function applies to its variable: `(("g", (), False),)` for
    `f (g x)`.
    """
    found: list[tuple[str, tuple[int, ...], bool]] = []
    waiting = [(body, 0)]
    while waiting:
        node, depth = waiting.pop()
        waiting += [(one, depth + isinstance(node, Lam)) for one in reversed(node.children)]
        if not isinstance(node, App) or context_of(node) is not None:
            continue
        head, arguments = spine(node)
        path = _projections(arguments[-1], depth)
        if path is not None and isinstance(node.fun, Var):
            found.append((node.fun.name, path, False))
        elif path is not None and (parameter := _called(head, len(arguments))):
            found.append((parameter, path, True))
        elif path is not None and _maps(head) and arguments[1:] and isinstance(arguments[-2], Var | Lam):
            mapped = arguments[-2]
            found.append((author_of(mapped.name), path, isinstance(mapped, Lam)))
    return tuple(found)


def _projections(argument: Any, depth: int) -> tuple[int, ...] | None:
    """The projections by which a term is a component of the variable `depth` binders above it; None for other terms."""
    path: list[int] = []
    while (
        isinstance(argument, App) and isinstance(argument.fun, Primitive) and argument.fun.name in PROJECTIONS
    ):
        path.insert(0, PROJECTIONS.index(argument.fun.name))
        argument = argument.arg
    return tuple(path) if isinstance(argument, Bound) and argument.index == depth else None


def _maps(head: Expr) -> bool:
    return isinstance(head, Primitive) and has_trait(head.name, "maps")


def _called(function: Any, place: int) -> str | None:
    """The name of the parameter at this place, counted from 1; None for other terms."""
    for _ in range(place - 1):
        function = function.body if isinstance(function, Lam) else function
    return author_of(function.name) if isinstance(function, Lam) else None


def name_in_calls(calls: Calls, functions: Sequence[Expr | str], t: Type, other: str) -> str:
    """The name that functions give to a variable that they, or functions of its components, are applied to; `other` if
    they give none.

    For a parameter in the equation itself, `functions` contains its name.
    """
    said: Said = None
    for (_, path, _), function in zip(calls, functions, strict=True):
        name = function.name if isinstance(function, Lam) else function
        if isinstance(name, str):
            inner = said_by(name, _part_type(t, path))
            for side in reversed(path):
                inner = (None, inner) if side else (inner, None)
            said = merged(said, inner)
    return other if said is None else spelled(said, t)


def _part_type(t: Type, path: Sequence[int]) -> Type:
    for side in path:
        assert isinstance(t, PairType), t
        t = t.second if side else t.first
    return t


def _below_size(bindings: Bindings) -> Bindings:
    """The same bindings, as seen from below a function of a size."""
    terms = {name: (shift_dependent(term, 1), source) for name, (term, source) in bindings.terms.items()}
    types = {name: shift_dependent(one, 1) for name, one in bindings.types.items()}
    return replace(bindings, terms=terms, types=types)


def type_builder(node: Any) -> BuildType:
    """Replace the metavariables of a type, a size or a space."""
    if not node.free:
        return lambda bindings: node
    match node:
        case Nat():
            variable = variable_of(node)
            if variable is not None:
                return lambda bindings: bindings.types.get(variable, node)
            return lambda bindings: size_at(node, bindings.types)
        case TypeVar():
            return lambda bindings: bindings.types.get(node, node)
        case ArrayType(size, element):
            size_of, element_of = type_builder(size), type_builder(element)
            return lambda bindings: ArrayType(size_of(bindings), element_of(bindings))
        case PairType(first, second):
            first_of, second_of = type_builder(first), type_builder(second)
            return lambda bindings: PairType(first_of(bindings), second_of(bindings))
        case FunType(parameter, result):
            parameter_of, result_of = type_builder(parameter), type_builder(result)
            return lambda bindings: FunType(parameter_of(bindings), result_of(bindings))
    return lambda bindings: substitute_names(node, bindings.types)


@lru_cache(maxsize=1 << 12)
def primitive_at(name: str, implicits: tuple[Any, ...]) -> Primitive:
    """A primitive with its implicit arguments."""
    record = lookup(name)
    assert record is not None, name
    return instantiate_primitive(record, implicits)
