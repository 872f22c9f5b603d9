"""Shrinks programs and texts that fail. Independent of executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from typing import TypeVar as TypeVariable

from elevate.term import path_of, preorder, replaced
from rise import Literal, Var
from rise.naturals import NatVar
from rise.nodes import postorder
from rise.programs.heads import open_head
from rise.size_functions import SizeFunVar
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, abstract, make_literal, substitute
from rise.types import FunType, ScalarType, Type, TypeVar, abstract_dependent, is_data

T = TypeVariable("T")
MAX_CANDIDATES: Final = 200


def shrunk(
    start: T, smaller: Callable[[T], Iterator[T]], fails: Callable[[T], bool], most: int = MAX_CANDIDATES
) -> T:
    """Shrink `start` step by step to smaller values that fail; `start` itself if none does."""
    tried = 0
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in smaller(start):
            if tried == most:
                return start
            tried += 1
            if fails(candidate):
                start, is_smaller = candidate, True
                break
    return start


def smaller_programs(e: Expr) -> Iterator[Expr]:
    """Closed programs of fewer nodes: a part of the program instead of the whole, a parameter instead of a computed
    value, a literal instead of a formula. The largest reductions come first.
    """
    body = _opened(e)
    weights = _weights(body)
    parts = [(node, place) for node, place in preorder(body) if isinstance(node, Expr)]
    parts.sort(key=lambda part: -weights[part[0]])
    seen = {_closed(body)}
    for node, place in parts:
        for candidate in _replacements(node, body):
            if _weights(candidate)[candidate] >= weights[node]:
                continue
            smaller = replaced(body, path_of(place), candidate)
            assert isinstance(smaller, Expr)
            program = _closed(smaller)
            if program not in seen:
                seen.add(program)
                yield program


def _opened(e: Expr) -> Expr:
    """The body of a program over named variables, without facts about its sizes."""
    head = open_head(e)
    body = head.body
    for position, binder in reversed(list(enumerate(head.binders))):
        if binder.variable is None:
            assert binder.type is not None
            body = substitute(body, Var(f"p{position:02}", binder.type))
    return body


def _closed(body: Expr) -> Expr:
    """The program for a body: its named variables are parameters, its sizes implicit ones."""
    e = body
    for variable in sorted((v for v in body.free if isinstance(v, Var)), key=lambda v: v.name, reverse=True):
        e = abstract(e, variable)
    for free in sorted(
        (v for v in e.free if isinstance(v, NatVar | SizeFunVar)), key=lambda v: v.name, reverse=True
    ):
        kind = "nat" if isinstance(free, NatVar) else "nat -> nat"
        e = DepLam(free.name.split("'")[0], kind, True, (), abstract_dependent(e, free))
    return e


def _weights(e: Expr) -> dict[Any, int]:
    """The number of nodes of each subterm, where shared nodes count each time."""
    weights: dict[Any, int] = {}
    for node in postorder(e):
        if isinstance(node, Expr):
            weights[node] = 1 + sum(weights[child] for child in node.children)
    return weights


def _replacements(node: Expr, body: Expr) -> Iterator[Expr]:
    if isinstance(node, Literal | Var | Bound):
        return
    t = node.type
    is_closed = not node.loose and not node.dep_loose and not t.dep_loose
    if is_closed and is_data(t) and not isinstance(t, TypeVar):
        yield _parameter(t, body)
    if isinstance(t, ScalarType):
        yield make_literal(0, t)
        yield make_literal(1, t)
    if isinstance(node, App) and isinstance(node.fun, Lam):
        yield substitute(node.fun.body, node.arg)
    if isinstance(node, Lam) and isinstance(t, FunType) and t.parameter == t.result:
        yield Lam(node.name, t.parameter, Bound(0, t.parameter))
    waiting = list(node.children) if isinstance(node, App | DepApp) else []
    while waiting:
        part = waiting.pop(0)
        if part.type == t:
            yield part
        if isinstance(part, App | DepApp):
            waiting += part.children


def _parameter(t: Type, body: Expr) -> Var:
    """A variable of a type: an existing one of the program, or a new one."""
    known = sorted((v for v in body.free if isinstance(v, Var)), key=lambda v: v.name)
    same = [v for v in known if v.given == t]
    return same[0] if same else Var(f"p{len(known):02}x", t)


def smaller_texts(text: str) -> Iterator[str]:
    """Texts of fewer lines, then of fewer pieces, then of fewer characters."""
    for pieces, between in ((text.split("\n"), "\n"), (text.split(" "), " "), (list(text), "")):
        yield from (between.join(fewer) for fewer in smaller_lists(pieces))


def smaller_lists(items: Sequence[T]) -> Iterator[list[T]]:
    """The items without consecutive ones, long stretches first."""
    size = len(items) // 2
    while size:
        for start in range(0, len(items), size):
            yield [*items[:start], *items[start + size :]]
        size //= 2
    if len(items) == 1:
        yield []
