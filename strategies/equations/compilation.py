"""Compiles an equation, in one direction or the other, to a matcher and a builder. Independent of rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from elevate import Diagnostic, StrategyError
from rise.diagnostics import did_you_mean
from rise.inference.equations import elaborate_equation, is_context
from rise.nodes import Node, postorder
from rise.primitives import PRIMITIVES
from rise.records import dataclass
from rise.size_functions import SizeFunction
from rise.terms import App, DepApp, DepLam, Expr, Lam, Var, spine
from rise.types import Type
from strategies.equations.builder import Builder
from strategies.equations.contexts import Context, contexts_of
from strategies.equations.dispatch import Dispatch
from strategies.equations.inverses import ReadBack, readable
from strategies.equations.matcher import Matcher
from strategies.equations.patterns import context_of


@dataclass(frozen=True, slots=True)
class Compiled:
    """An equation, compiled in one direction."""

    matcher: Matcher
    builder: Builder
    left: Expr
    right: Expr
    needs: frozenset[Node]  # sizes and types of the right side that the left side does not determine
    dispatch: Dispatch
    functions: tuple[ReadBack, ...] = ()  # functions whose bodies an inverse matches
    contexts: tuple[Context, ...] = ()
    is_sized: bool = False  # whether it has functions of sizes, for which no Python is generated


@cache
def compile_equation(equation: str, computed: frozenset[str] = frozenset()) -> Compiled:
    """Compile from left to right. `computed` are names of terms that occur only on the right side."""
    left, right = elaborate_equation(equation)
    unbound = {place.name for place in _places(right)} - {place.name for place in _places(left)} - computed
    if unbound:
        title = (
            f"expected a right side with only names of the left side, found `{min(unbound)}` in `{equation}`"
        )
        hint = "write it on the left side too: a rule cannot choose a term"
        raise StrategyError(Diagnostic("unbound-metavariable", title, hint=hint))
    head, arguments = spine(left)
    if arguments and isinstance(head, Var) and not is_context(head.name):
        title = (
            f"expected a primitive or a function in front of a left side, found `{head.name}` in `{equation}`"
        )
        hint = did_you_mean(head.name, PRIMITIVES) or "a name that is not a primitive matches any term"
        raise StrategyError(Diagnostic("unknown-head", title, hint=hint))
    if _has_sized_function(left):
        title = f"expected a left side without functions of sizes, found one in `{equation}`"
        hint = "write a name there instead: it matches any function"
        raise StrategyError(Diagnostic("sized-pattern", title, hint=hint))
    return _compiled(left, right)


@cache
def compile_inverse(equation: str) -> Compiled:
    """Compile from right to left: functions of the left side are recovered from their calls on the right side."""
    left, right = elaborate_equation(equation)
    if _has_sized_function(right):
        title = f"a function of sizes on the right side cannot be read back, found one in `{equation}`"
        raise StrategyError(Diagnostic("no-inverse", title, hint="write a rule for the other direction"))
    pattern, functions = readable(right)
    return _compiled(pattern, left, functions)


def _has_sized_function(side: Expr) -> bool:
    return any(isinstance(node, DepLam) for node in postorder(side))


def _compiled(left: Expr, right: Expr, functions: tuple[ReadBack, ...] = ()) -> Compiled:
    mentions = _mentions(left, right)
    for function in functions:
        mentions[function.name] |= frozenset(function.parameters)
    contexts = contexts_of(left, mentions)
    roots = None if isinstance(left, Var) or context_of(left) else frozenset((left.root,))
    needs = frozenset(name for name in right.free - left.free if not isinstance(name, Var))
    matcher, levels = Matcher(left, mentions), _levels(left)
    depth = None if contexts or _compares(left, mentions) else levels
    is_sized = any(
        isinstance(node, DepLam | SizeFunction) for side in (left, right) for node in postorder(side)
    )
    dispatch = Dispatch(roots, depth, levels)
    return Compiled(matcher, Builder(right), left, right, needs, dispatch, functions, contexts, is_sized)


@dataclass(frozen=True, slots=True)
class _Place:
    """A metavariable, and the variables of the functions around it, with their types."""

    name: str
    binders: Mapping[str, Type]


def _places(side: Expr) -> list[_Place]:
    places: list[_Place] = []
    stack: list[tuple[Expr, Mapping[str, Type]]] = [(side, {})]
    while stack:
        node, binders = stack.pop()
        match node:
            case Var(name, _):
                places.append(_Place(name, binders))
            case Lam(name, parameter, body):
                stack.append((body, {**binders, name: parameter}))
            case DepLam(_, _, _, _, body):
                stack.append((body, binders))
            case App(fun, arg):
                stack += [(arg, binders), (fun, binders)]
            case DepApp(fun, _):
                stack.append((fun, binders))
    return places


def _mentions(left: Expr, right: Expr) -> dict[str, frozenset[str]]:
    """The variables that the term of each metavariable may mention: those around it at all places, with one type."""
    found: dict[str, Mapping[str, Type]] = {}
    for place in (*_places(left), *_places(right)):
        before = found.get(place.name, place.binders)
        found[place.name] = {
            name: t
            for name, t in place.binders.items()
            if name in before and (t == before[name] or t.dep_loose or before[name].dep_loose)
        }
    return {name: frozenset(binders) for name, binders in found.items()}


def _compares(pattern: Expr, mentions: Mapping[str, frozenset[str]]) -> bool:
    """Whether a metavariable occurs twice, or must not mention a binder, so that all of its term decides."""
    places = _places(pattern)
    if len({place.name for place in places}) < len(places):
        return True
    return any(not mentions[place.name].issuperset(place.binders) for place in places)


def _levels(pattern: Expr) -> int:
    """How many levels of children of a term the pattern describes."""
    deepest = 0
    stack: list[tuple[Expr, int]] = [(pattern, 0)]
    while stack:
        node, level = stack.pop()
        if isinstance(node, Var):
            continue
        deepest = max(deepest, level)
        if not context_of(node):
            stack.extend((child, level + 1) for child in node.children)
    return deepest
