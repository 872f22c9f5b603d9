"""Fusion and fission of traversals."""

from __future__ import annotations

from rise.terms import App, Bound, mention
from strategies.equations.contexts import as_function
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule

mapFusion = rule(
    "map f (map g xs) = map (f . g) xs",
    why="Walk the array once; nothing is stored between g and f.",
)
mapFission = rule(
    "map (fun(x => f (g))) xs = map f (map (fun(x => g)) xs)",
    why="Walk twice, so that the parts can be scheduled separately.",
)


def isChainOfCalls(bindings: Bindings) -> bool:
    """A chain of calls, of which the innermost is of x"""
    body = here = as_function(bindings, "f")
    while isinstance(here, App):
        if here.fun.mentions & mention(0):
            return False
        here = here.arg
    return isinstance(body, App) and isinstance(here, Bound) and here.index == 0


mapFirstFission = rule(
    "map (fun(x => f[g x])) xs = map (fun(x_ => f[x_])) (map g xs)",
    why="Split off the first call, so that the others can be scheduled separately.",
    where=isChainOfCalls,
)
mapFissionZip = rule(
    "map (fun(x => (fun(r => f)) g)) xs"
    " = map (fun(p => (fun(x, r => f)) (snd p) (fst p))) (zip (map (fun(x => g)) xs) xs)",
    why="Compute a part of the body for all elements first, and zip it with them.",
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
    why="Map first, so that the map can be scheduled separately from the reduction.",
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
