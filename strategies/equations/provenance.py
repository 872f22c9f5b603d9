"""The places of metavariables before and after a firing. Depends on equations, but not on strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from elevate import Move, Path
from rise.naturals import NatVar
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Var
from rise.types import TypeVar
from strategies.equations.matcher import Bindings, named
from strategies.equations.patterns import context_of

Places: TypeAlias = Mapping[str, tuple[Path, ...]]

#: the beginning of the equations of rules that evaluate a call
CALL: Final = "(fun(x => b)) v = b[v / x]"


def places_of(pattern: Expr) -> Places:
    """The places of each metavariable in a side of an equation, from first to last."""
    places: dict[str, tuple[Path, ...]] = {}
    for name, path in variables_of(pattern):
        places[name] = (*places.get(name, ()), path)
    return MappingProxyType(places)


left_places = cache(places_of)


def variables_of(pattern: Expr) -> Iterator[tuple[str, Path]]:
    """The metavariables and contexts of a pattern, except those in holes, each with its path, from first to last."""
    waiting: list[tuple[Expr, Path]] = [(pattern, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, Var):
            yield node.name, path
        elif (context := context_of(node)) is not None:
            yield context, path
            continue
        children = node.children
        waiting.extend((children[index], (*path, index)) for index in range(len(children) - 1, -1, -1))


def moves(left: Expr, right: Expr, bindings: Bindings) -> tuple[Move, ...]:
    """The position of each metavariable before and after a firing; None after it if the right side drops it.

    If the builder substituted a call of a metavariable, the body of its function is at the place of the call.
    """
    sources = left_places(left)
    kept_moves = [
        Move((*source, *below), target, name)
        for name, below, target in _built(right, bindings)
        for source in sources.get(name, ())
    ]
    kept = {move.name for move in kept_moves}
    dropped = [
        Move(path, None, name) for name, paths in sources.items() if name not in kept for path in paths
    ]
    return (*kept_moves, *dropped)


def reversed_moves(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The moves of the firing that undoes another one."""
    swapped = [Move(move.target, move.source, move.name) for move in moves if move.target is not None]
    return tuple(dict.fromkeys(swapped))


def _built(right: Expr, bindings: Bindings) -> Iterator[tuple[str, Path, Path]]:
    """Each metavariable, a path into its term, and the place of that subterm in the term that the right side builds."""
    waiting: list[tuple[Expr, Path]] = [(right, ())]
    while waiting:
        node, path = waiting.pop()
        called = _called(node, bindings)
        if called is not None:
            yield called[0], called[1], path
            continue
        match node:
            case App() | Lam() | DepApp() | DepLam():
                children = node.children
                waiting.extend(
                    (children[index], (*path, index)) for index in range(len(children) - 1, -1, -1)
                )
            case _:
                pass


def _called(node: Expr, bindings: Bindings) -> tuple[str, Path, Expr] | None:
    """The part of a metavariable's term that is built at a place: the whole, or the body of a function that is applied
    to variables; as name, path into the term, and part.
    """
    arguments: list[Expr] = []
    while isinstance(node, App):
        arguments.append(node.arg)
        node = node.fun
    if not isinstance(node, Var):
        return None
    term = bindings.terms[node.name][0]
    path: Path = ()
    for argument in reversed(arguments):
        if not (isinstance(term, Lam) and _is_name(argument, bindings)):
            return None
        term, path = term.body, (*path, 0)
    return node.name, path, term


def _is_name(argument: Expr, bindings: Bindings) -> bool:
    """Whether an argument is built as a variable."""
    if isinstance(argument, Bound):
        return True
    call = _called(argument, bindings)
    return call is not None and isinstance(call[2], Bound | Var)


def called_moves(redex: Expr) -> tuple[Move, ...] | None:
    """The moves of a call: the body stays, except that the argument replaces its variable."""
    match redex:
        case App(Lam(_, _, body), _):
            pass
        case _:
            return None
    moved = [Move((0, 0), (), "b")]
    waiting: list[tuple[Expr, Path, int]] = [(body, (), 0)]
    while waiting:
        node, path, depth = waiting.pop()
        if node.loose <= depth:
            continue
        if isinstance(node, Bound):
            if node.index == depth:
                moved.append(Move((1,), path, "v"))
            continue
        inside = depth + isinstance(node, Lam)
        waiting.extend((child, (*path, index), inside) for index, child in enumerate(node.children))
    if len(moved) == 1:
        moved.append(Move((1,), None, "v"))
    return tuple(moved)


def binding_facts(bindings: Bindings) -> dict[str, Any]:
    """Terms, sizes and types, by the names that the equation's author gave; names from inference are omitted.

    Variables of the pattern have the names that the program's author gave them.
    """
    facts: dict[str, Any] = {}
    for name, (term, binders) in bindings.terms.items():
        authors = tuple(bindings.names.get(binder, binder) for binder in binders)
        facts[name.removesuffix("[]")] = named(term, authors)
    for variable, value in bindings.types.items():
        name = variable.name.lstrip("?'") if isinstance(variable, NatVar | TypeVar) else ""
        if name.isidentifier():
            facts[name] = value
    return facts
