"""Removes dependent pairs from programs: a parameter becomes a size and an array. Independent of targets.

A function of a dependent pair is a function of a number and of a value that depends on it: `(n: nat ** n.f32) -> t` is
`{n: nat} -> n.f32 -> t`. The pair is rebuilt from both where it is used, so that each `dmatch` is applied to a
`makeDepPair`, and both are removed: `dmatch (makeDepPair n x) f = f n x`. A pair in the result is moved outwards to the
top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from rise.arguments.mismatches import holds_dependent_pair, refuse, refuse_pair_in_array
from rise.inference.schemes import instantiate_primitive
from rise.naturals import Nat, NatBound, const, nat
from rise.nodes import postorder
from rise.primitives import PRIMITIVES
from rise.records import dataclass
from rise.terms import (
    App,
    Bound,
    DepApp,
    DepLam,
    Expr,
    Lam,
    Primitive,
    Var,
    apply,
    replace_bound,
    shift,
    spine,
    substitute,
)
from rise.text.type_printer import show_type
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    PairType,
    Type,
    instantiate_dependent,
    shift_dependent,
    type_at,
)

MAKE: Final = ("makeDepPair", 1)
MATCH: Final = ("dmatch", 2)
LET: Final = ("let", 2)
SELECT: Final = ("select", 3)
STORE: Final = ("toMem", 1)
CODE: Final = "dependent-pair"


@dataclass(frozen=True, slots=True)
class PairParameter:
    """A parameter that was a dependent pair: its position among the values, and that of its size among the sizes."""

    position: int
    binder: int
    type: Type


@dataclass(frozen=True, slots=True)
class Apart:
    """A program without dependent pairs, the parameters that were pairs, and the number in the result if that was a
    pair.

    The number is in the scope of the program's dependent parameters.
    """

    term: Expr
    pairs: tuple[PairParameter, ...] = ()
    number: Nat | None = None


def take_apart(e: Expr) -> Apart:
    """The program without dependent pairs. Raises RiseError if one remains, since its number is not known."""
    if not any(type(node) is DepPairType for node in postorder(e)):
        return Apart(e)
    outer, pairs, body = _head(e)
    body = _reduced(body)
    number: Nat | None = None
    if body.root == MAKE:
        number, body = _contents(body)
    body = _closed(outer, body)
    _refuse_remaining(body)
    return Apart(body, pairs, number)


def choose_inside(e: Expr, arguments: Sequence[Any]) -> tuple[Expr, tuple[Any, ...]]:
    """A program that decomposes pairs before it chooses one of them, and its arguments. A pair in the result remains a
    pair.
    """
    outer, _, body = _head(e)
    accepted: list[Any] = []
    inner = e
    for argument in arguments:
        is_pair = isinstance(inner, Lam) and isinstance(inner.parameter, DepPairType)
        accepted += [const(int(argument[0])), argument[1]] if is_pair else [argument]
        inner = inner.body if isinstance(inner, Lam | DepLam) else inner
    return _closed(outer, _reduced(body)), tuple(accepted)


def _closed(outer: list[tuple[str, Any]], body: Expr) -> Expr:
    """A body inside the parameters of its program."""
    for name, kind in reversed(outer):
        body = (
            Lam(name, kind, body) if isinstance(kind, Type) else DepLam(name, kind[0], kind[1], kind[2], body)
        )
    return body


def _head(e: Expr) -> tuple[list[tuple[str, Any]], tuple[PairParameter, ...], Expr]:
    """The program's parameters, with two for each pair, and its body."""
    outer: list[tuple[str, Any]] = []
    pairs: list[PairParameter] = []
    position = binder = 0
    while isinstance(e, Lam | DepLam):
        if isinstance(e, DepLam):
            outer.append((e.name, (e.kind, e.implicit, e.facts)))
            e, binder = e.body, binder + 1
            continue
        if isinstance(e.parameter, DepPairType):
            family = e.parameter.family
            if holds_dependent_pair(type_at(family, nat(NatBound(0)))):
                title = (
                    "expected a dependent pair of a number and arrays, found one of another dependent pair"
                )
                refuse(CODE, title, "take two parameters, or a pair over one number")
            pairs.append(PairParameter(position, binder, e.parameter))
            outer.append((getattr(family, "name", "") or "n", ("nat", True, ())))
            binder += 1
            e = _split(e, shift_dependent(family, 1))
        outer.append((e.name, e.parameter))
        e, position = e.body, position + 1
    return outer, tuple(pairs), e


def _split(e: Lam, family: Type) -> Lam:
    """A function of a pair as a function of its value, below the binder of its number."""
    number = nat(NatBound(0))
    value = Bound(0, type_at(family, number))
    pair = App(DepApp(_primitive("makeDepPair", family), number), value)

    return Lam(e.name, value.given, _with_pair(shift_dependent(e.body, 1), pair))


def _with_pair(body: Expr, pair: Expr) -> Expr:
    """The body of a function of a pair, with a term for the pair."""

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        if variable.index != depth:
            return variable
        moved: Expr = shift_dependent(shift(pair, depth), dep_depth)
        return moved

    found: Expr = replace_bound(body, put)
    return found


def _reduced(e: Expr) -> Expr:
    """The term in which pairs that are built and decomposed are removed, and other pairs are moved outwards."""
    while (reduced := _pass(e)) is not e:
        e = reduced
    return e


def _pass(root: Expr) -> Expr:
    results: dict[int, Expr] = {}
    stack: list[tuple[Expr, bool]] = [(root, False)]
    while stack:
        node, is_finished = stack.pop()
        if is_finished:
            rebuilt = node.rebuild(tuple([results[id(child)] for child in node.children]))
            results[id(node)] = _step(rebuilt) or rebuilt
        elif id(node) not in results:
            stack.append((node, True))
            stack += [(child, False) for child in node.children if id(child) not in results]
    return results[id(root)]


def _step(e: Expr) -> Expr | None:
    """The term after applying one equation of dependent pairs from left to right; None if no equation applies."""
    match e:
        case App(App(_, pair), f) if e.root == MATCH:
            return _matched(e, pair, f)
        case App(fun, value) if e.root == STORE and value.root == SELECT and isinstance(e.type, DepPairType):
            return _chosen(e, value, lambda side: App(fun, side))
        case App(fun, value) if e.root == STORE and value.root == MAKE:
            assert isinstance(fun, DepApp), fun
            number, stored = _contents(value)
            return _with_value(
                value, number, App(DepApp(_primitive("toMem", stored.type), fun.argument), stored)
            )
        case App(Lam(name, parameter, body), value):
            if value.root == MAKE or (isinstance(parameter, DepPairType) and isinstance(value, Bound | Var)):
                return _named(name, body, value, lambda x, f: App(f, x))
            if isinstance(parameter, DepPairType) and value.root == SELECT:
                return _chosen(e, value, lambda side: App(e.fun, side))
            if body.root == MAKE:
                number, inner = _contents(body)
                return _with_value(body, number, App(Lam(name, parameter, inner), value))
        case App(App(_, value), Lam(name, parameter, body)) if e.root == LET:
            if value.root == MAKE or (isinstance(parameter, DepPairType) and isinstance(value, Bound | Var)):
                return _named(name, body, value, _let)
            if isinstance(parameter, DepPairType) and value.root == SELECT:
                return _chosen(e, value, lambda side: _let(side, Lam(name, parameter, body)))
            if body.root == MAKE:
                number, inner = _contents(body)
                return _with_value(body, number, _let(value, Lam(name, parameter, inner)))
        case App(App(App(_, condition), first), second) if e.root == SELECT:
            if first.root == second.root == MAKE and _contents(first)[0] == _contents(second)[0]:
                number, value = _contents(first)
                chosen = apply(_primitive("select", value.type), condition, value, _contents(second)[1])
                return _with_value(first, number, chosen)
    return None


def _matched(e: Expr, pair: Expr, f: Expr) -> Expr | None:
    """`dmatch pair f` after one step; None if the pair is neither built nor chosen here."""
    if pair.root == MAKE:
        number, value = _contents(pair)
        inner = instantiate_dependent(f.body, number) if isinstance(f, DepLam) else DepApp(f, number)
        if isinstance(inner, Lam) and isinstance(value, Bound | Var):
            return substitute(inner.body, value)
        return App(inner, value)
    if pair.root == SELECT:
        assert isinstance(e, App) and isinstance(e.fun, App), e
        matched = e.fun.fun
        return _chosen(e, pair, lambda side: App(App(matched, side), f))
    return None


def _chosen(e: Expr, pair: Expr, use: Callable[[Expr], Expr]) -> Expr:
    """The use of a chosen pair as a choice between two uses."""
    _, (condition, first, second) = spine(pair)
    assert isinstance(condition, Expr) and isinstance(first, Expr) and isinstance(second, Expr), pair
    return apply(_primitive("select", e.type), condition, use(first), use(second))


def _named(name: str, body: Expr, value: Expr, call: Any) -> Expr:
    """A body in which a pair has a name. The name becomes that of the pair's value, from which the pair is rebuilt."""
    if value.root != MAKE:
        return substitute(body, value)
    _, inner = _contents(value)
    assert isinstance(value, App), value
    pair = App(value.fun, Bound(0, inner.type))

    found: Expr = call(inner, Lam(name, inner.type, _with_pair(body, pair)))
    return found


def _let(value: Expr, function: Lam) -> Expr:
    return apply(_primitive("let", value.type, function.body.type), value, function)


def _contents(pair: Expr) -> tuple[Nat, Expr]:
    """The number and the value of `makeDepPair n x`."""
    _, (number, value) = spine(pair)
    assert isinstance(number, Nat) and isinstance(value, Expr), pair
    return number, value


def _with_value(pair: Expr, number: Nat, value: Expr) -> Expr:
    """A pair with the same number and another value."""
    assert isinstance(pair, App), pair
    assert isinstance(pair.fun, DepApp) and pair.fun.argument is number, pair
    return App(pair.fun, value)


def _primitive(name: str, *implicits: Any) -> Primitive:
    return instantiate_primitive(PRIMITIVES[name], implicits)


def _refuse_remaining(e: Expr) -> None:
    """Raise RiseError with the reason if a dependent pair remains."""
    types = [node for node in postorder(e) if isinstance(node, Type) and holds_dependent_pair(node)]
    if not types:
        return
    for t in types:
        if isinstance(t, ArrayType | DepArrayType):
            refuse_pair_in_array(t)
    for t in types:
        if isinstance(t, PairType):
            title = f"expected single dependent pairs, found one in a pair{_shown(t)}"
            hint = "make it a separate parameter, or take it apart with `dmatch` and pair its contents"
            refuse(CODE, title, hint)
    is_chosen = any(
        isinstance(node, Primitive) and node.name == "select" and _gives_pair(node) for node in postorder(e)
    )
    obstacle = "`if`" if is_chosen else f"another{_shown(types[0])}"
    title = f"expected a dependent pair whose number is known before the program runs, found {obstacle}"
    hint = "make it with `makeDepPair(n, xs)`, where n follows from the sizes of the inputs"
    if is_chosen:
        hint = "give both sides the same number, or take them apart: `dmatch(if ..., f)`"
    refuse(CODE, title, hint)


def _gives_pair(select: Primitive) -> bool:
    return isinstance(select.implicits[0], DepPairType)


def _shown(t: Type) -> str:
    return "" if t.dep_loose else f": {show_type(t)}"
