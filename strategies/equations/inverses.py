"""Inverts equations: recovers functions of the left side from their calls on the right side.

Depends on terms and metavariables, and of primitives only on their promises; independent of strategies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rise.inference.isolation import isolate
from rise.naturals import Nat, NatVar, nat, variable_of
from rise.nodes import Node
from rise.primitives import PRIMITIVES, with_trait
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, Var, shift, spine
from rise.types import Type, TypeVar
from strategies.equations.builder import BuildType, type_builder
from strategies.equations.matcher import Bindings, moved
from strategies.equations.patterns import Binders

#: the promises of primitives beyond the values that they compute; a term without the primitive does not keep its
#: promise
PROMISES: Final = {name: record.promise for name, record in PRIMITIVES.items() if record.promise}
#: primitives with unspecified elements, for which a rule may have chosen values
UNSPECIFIED: Final = with_trait("unspecified")
#: the unknown of an equation that defines a size
_ANSWER: Final = NatVar("?answer", None)


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A metavariable that is applied to parameters at each of its places: applications match the function's body."""

    name: str
    parameters: Binders
    types: tuple[BuildType, ...]


def readable(side: Expr) -> tuple[Expr, tuple[ReadBack, ...]]:
    """A side of an equation as a pattern: `g x`, for a parameter x, becomes a metavariable g that may mention x.

    A function that is applied to other terms stays an application, which is matched as such.
    """
    calls = _calls(side)
    chosen: dict[str, ReadBack] = {}
    for name, uses in calls.items():
        first = uses[0]
        if first and all(use == first for use in uses) and len({use for use, _ in first}) == len(first):
            chosen[name] = ReadBack(
                name, tuple(b for b, _ in first), tuple(type_builder(t) for _, t in first)
            )
    return _with_bodies(side, chosen, ()), tuple(chosen.values())


def _calls(side: Expr) -> dict[str, list[tuple[tuple[str, Type], ...]]]:
    """For each metavariable and each of its places, the parameters it is applied to, up to another argument."""
    calls: dict[str, list[tuple[tuple[str, Type], ...]]] = {}
    stack: list[tuple[Expr, Binders, tuple[tuple[str, Type], ...]]] = [(side, (), ())]
    while stack:
        node, binders, applied = stack.pop()
        match node:
            case Var(name, _):
                calls.setdefault(name, []).append(applied)
            case App(fun, Bound(index, given)):
                stack.append((fun, binders, ((binders[-1 - index], given), *applied)))
            case App(fun, arg):
                stack += [(fun, binders, ()), (arg, binders, ())]
            case DepApp(fun, _):
                stack.append((fun, binders, ()))
            case Lam(name, _, body):
                stack.append((body, (*binders, name), ()))
    return calls


def _with_bodies(node: Expr, chosen: Mapping[str, ReadBack], binders: Binders) -> Expr:
    """The pattern, with metavariables instead of their calls. Recursive, since patterns are small."""
    head, count = node, 0
    while isinstance(head, App) and isinstance(head.arg, Bound):
        head, count = head.fun, count + 1
    if isinstance(head, Var) and head.name in chosen and len(chosen[head.name].parameters) == count:
        return Var(head.name, node.type)
    match node:
        case App(fun, arg):
            return App(_with_bodies(fun, chosen, binders), _with_bodies(arg, chosen, binders))
        case DepApp(fun, argument):
            return DepApp(_with_bodies(fun, chosen, binders), argument)
        case Lam(name, parameter, body):
            return Lam(name, parameter, _with_bodies(body, chosen, (*binders, name)))
    return node


def restore(bindings: Bindings, functions: tuple[ReadBack, ...]) -> None:
    """Turn matched bodies into functions: b into `fun(x => b)`, and `f x` into f."""
    for function in functions:
        body, binders = bindings.terms[function.name]
        made = moved(body, binders, (*binders, *function.parameters))
        for name, type_of in reversed(tuple(zip(function.parameters, function.types, strict=True))):
            made = _function(bindings.names.get(name, name), type_of(bindings), made)
        bindings.terms[function.name] = (made, binders)


def _function(name: str, parameter: Type, body: Expr) -> Expr:
    """`fun(x => body)`; f for `fun(x => f x)`."""
    match body:
        case App(fun, Bound(0, _)) if not fun.mentions & 1:
            return shift(fun, -1)
    return Lam(name, parameter, body)


def called_functions(side: Expr) -> frozenset[str]:
    """The metavariables that a side calls."""
    names: set[str] = set()
    stack = [side]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and isinstance(node.fun, Var):
            names.add(node.fun.name)
        stack += node.children
    return frozenset(names)


def undetermined(left: Expr, right: Expr, given: frozenset[Node]) -> tuple[str, str] | None:
    """The kind and name of a part of the left side that the right side does not determine; None if there is none."""
    known = right.free | given
    variables = {node.name for node in right.free if isinstance(node, Var)}
    for term in sorted(node.name for node in left.free if isinstance(node, Var)):
        if term not in variables:
            return "the term", term
    solved = _solved(right, given)
    sizes = [node.name[1:] for node in (left.free | right.free) - solved if isinstance(node, NatVar)]
    if sizes:
        return "the size", min(sizes, key=lambda name: (name.isdecimal(), name))
    if any(isinstance(node, TypeVar) for node in left.free - known):
        return "a type", ""
    head, arguments = spine(right)
    if arguments and isinstance(head, Var):
        return "the function", f"{head.name}"
    return None


def _solved(side: Expr, given: frozenset[Node]) -> set[Node]:
    """The sizes that a match determines: variables, and the solutions of equations with one unknown."""
    sums: list[Nat] = []
    stack: list[Node] = [side]
    while stack:
        node = stack.pop()
        if isinstance(node, Nat):
            sums.append(node)
        else:
            stack += (*node.parts, *getattr(node, "implicits", ()))
    known = set(given)
    known |= {unknown for size in sums if (unknown := variable_of(size)) is not None}
    progressed = True
    while progressed:
        progressed = False
        for size in sums:
            open_ones = [
                unknown for unknown in size.free if isinstance(unknown, NatVar) and unknown not in known
            ]
            solution = isolate(size - nat(_ANSWER), open_ones[0]) if len(open_ones) == 1 else None
            if solution is not None and open_ones[0] not in solution.free:
                known.add(open_ones[0])
                progressed = True
    return known


def broken_promise(left: Expr, right: Expr) -> tuple[str, str] | None:
    """A primitive of the left side whose promise the right side does not keep, and the promise; or None."""
    before, after = _primitives(left), _primitives(right)
    for name in sorted(before & UNSPECIFIED):
        return name, "some of its elements are never read"
    kept = {PROMISES[name] for name in after & PROMISES.keys()}
    for name in sorted(before & PROMISES.keys()):
        if PROMISES[name] not in kept:
            return name, PROMISES[name]
    return None


def _primitives(side: Expr) -> set[str]:
    names: set[str] = set()
    stack = [side]
    while stack:
        node = stack.pop()
        if isinstance(node, Primitive):
            names.add(node.name)
        stack += node.children
    return names
