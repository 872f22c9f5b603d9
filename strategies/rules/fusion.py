"""Fusion and fission: one traversal or two."""

from __future__ import annotations

from typing import Any

from rise.terms import App, Bound, Expr, Lam, Primitive, apply, shift
from rise.types import FunType
from strategies.equations.builder import primitive_at
from strategies.equations.rule import rule

mapFusion = rule(
    "map f (map g xs) = map (f . g) xs",
    why="Walk the array once; nothing is stored between g and f.",
)
mapFission = rule(
    "map (fun(x => f (g))) xs = map f (map (fun(x => g)) xs)",
    why="Walk twice, so that the parts can be scheduled apart.",
)


def _first_fission(term: Any) -> Expr | None:
    match term:
        case App(
            App(Primitive("map", (size, _, result), _), Lam(name, parameter, App(_, App()) as body)), xs
        ):
            calls: list[Expr] = []
            here: Expr = body
            while isinstance(here, App):
                if here.fun.mentions & 1:
                    return None
                calls.append(here.fun)
                here = here.arg
            first = calls.pop().type
            if here != Bound(0, parameter) or not isinstance(first, FunType):
                return None
            rest: Expr = Bound(0, first.result)
            for call in reversed(calls):
                rest = App(call, rest)
            assert isinstance(body, App)
            first_call = _innermost(body)
            before = apply(primitive_at("map", (size, parameter, first.result)), shift(first_call, -1), xs)
            return apply(
                primitive_at("map", (size, first.result, result)), Lam(name, first.result, rest), before
            )
    return None


def _innermost(body: App) -> Expr:
    """The function that is called first."""
    here = body
    while isinstance(here.arg, App):
        here = here.arg
    return here.fun


mapFirstFission = rule(
    "map (fun(x => f (... (g x)))) xs = map (fun(y => f (... y))) (map g xs)",
    why="Split off what is called first, so that the rest can be scheduled apart.",
    by=_first_fission,
    roots=(("map", 2),),
)
mapFissionZip = rule(
    "map (fun(x => (fun(r => f)) g)) xs"
    " = map (fun(p => (fun(x, r => f)) (snd p) (fst p))) (zip (map (fun(x => g)) xs) xs)",
    why="Compute a part of the body for all elements first, and keep the elements beside it.",
)
reduceMapFusion = rule(
    "reduce f i (map g xs) = reduceSeq (fun(acc, x => f acc (g x))) i xs",
    why="Reduce while mapping; no array is stored between.",
)
reduceSeqMapFusion = rule(
    "reduceSeq f i (map g xs) = reduceSeq (fun(acc, x => f acc (g x))) i xs",
    why="Reduce while mapping; no array is stored between.",
)
reduceMapFission = rule(
    "reduceSeq (fun(acc, x => f acc (g))) i xs = reduceSeq f i (map (fun(x => g)) xs)",
    why="Map first, so that the map can be scheduled apart from the reduction.",
)
zipMapFst = rule(
    "zip (map f xs) ys = map (fun(p => pair (f (fst p)) (snd p))) (zip xs ys)",
    why="Zip what a map reads instead of what it writes.",
)
zipMapSnd = rule(
    "zip xs (map f ys) = map (fun(p => pair (fst p) (f (snd p)))) (zip xs ys)",
    why="Zip what a map reads instead of what it writes.",
)
mapIdentity = rule("map (fun(x => x)) xs = xs", why="Remove a map that changes nothing.", tidies=True)
