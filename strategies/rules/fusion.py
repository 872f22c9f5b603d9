"""Fusion and fission: one traversal or two."""

from __future__ import annotations

from strategies.equation import rule

mapFusion = rule(
    "map f (map g xs) = map (f . g) xs",
    why="Walk the array once; nothing is stored between g and f.",
)
mapFission = rule(
    "map (fun(x => f (g))) xs = map f (map (fun(x => g)) xs)",
    why="Walk twice, so that the parts can be scheduled apart.",
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
mapIdentity = rule("map (fun(x => x)) xs = xs", why="Remove a map that changes nothing.")
