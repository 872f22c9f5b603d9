"""Moves shapes of arrays: split, join and transpose past maps, zips and each other."""

from __future__ import annotations

from strategies.equations.rule import family, rule

splitJoin = family(
    "map f xs = join (map (fun(block => map f block)) (split n xs))",
    parameters=("n",),
    why="Cut a loop into blocks of n.",
)
joinSplit = rule("join (split n xs) = xs", why="Remove a blocking that no later step used.", tidies=True)
splitMap = rule("split n (map f xs) = map (map f) (split n xs)", why="Split what a map reads.")
mapJoin = rule("map f (join xs) = join (map (map f) xs)", why="Map below the blocks.")
splitZip = rule(
    "split n (zip xs ys) = map (fun(p => zip (fst p) (snd p))) (zip (split n xs) (split n ys))",
    why="Split both arrays instead of their zip.",
)
transposeTranspose = rule(
    "transpose (transpose xs) = xs", why="Remove two transpositions that cancel each other.", tidies=True
)
transposeMapMap = rule(
    "transpose (map (map f) xs) = map (map f) (transpose xs)",
    why="Transpose what is read.",
)
transposeMapInner = rule(
    "transpose (map (fun(x => map f (ys))) xs) = map (map f) (transpose (map (fun(x => ys)) xs))",
    why="Transpose what is read.",
)
transposeZip = rule(
    "transpose (map (fun(x => zip (ys) (zs))) xs) = map (fun(p => zip (fst p) (snd p)))"
    " (zip (transpose (map (fun(x => ys)) xs)) (transpose (map (fun(x => zs)) xs)))",
    why="Transpose both matrices instead of their zip.",
)
transposeThrice = rule(
    "transpose (map (fun(x => transpose x)) (transpose (xs : n.m.k.t)))"
    " = map (fun(x => transpose x)) (transpose (map (fun(x => transpose x)) xs))",
    why="Reverse three axes: swap the inner two first, so that the last transposition is of rows.",
)
transposeThriceMapped = rule(
    "transpose (map (fun(x => transpose (map f x))) (transpose (xs : n.m.s)))"
    " = map (fun(x => transpose x)) (transpose (map (fun(x => transpose x)) (map (map f) xs)))",
    why="Reverse three axes, past a map inside two of them.",
)
concatRowByRow = rule(
    "transpose (concat (transpose xs) (transpose ys)) = map (fun(p => concat (fst p) (snd p))) (zip xs ys)",
    why="Compute rows that are longer than their parts one after the other.",
)
arrayRowByRow = rule(
    "transpose [xs, ys] = map (fun(p => [fst p, snd p])) (zip xs ys)",
    also=("transpose [xs, ys, zs] = map (fun(p => [fst p, fst (snd p), snd (snd p)])) (zip xs (zip ys zs))",),
    why="Compute rows that are stacked from several arrays one after the other.",
)
transposeRepeated = rule(
    "transpose (map (fun(y => xs)) ys) = map (fun(x => map (fun(y => x)) ys)) xs",
    why="Use that the columns of a matrix of equal rows are constant.",
)
interchange = rule(
    "transpose (map (fun(x => map (fun(y => f)) ys)) xs) = map (fun(y => map (fun(x => f)) xs)) ys",
    why="Swap two loops.",
)
interchangeDependent = rule(
    "transpose (map (fun(x => map (fun(y => f)) (ys))) xs) = map (fun(column =>"
    " map (fun(p => (fun(x => (fun(y => f)) (snd p))) (fst p))) (zip xs column))) (transpose (map (fun(x => ys)) xs))",
    why="Swap two loops whose inner one runs over an array that depends on the outer one.",
)
joinMaps = rule(
    "map (fun(x => map f (ys : m.s))) xs = split m (map f (join (map (fun(x => ys)) xs)))",
    why="Merge two loops into one over all elements.",
)
joinZips = rule(
    "join (map (fun(x => zip (ys) (zs))) xs) = zip (join (map (fun(x => ys)) xs)) (join (map (fun(x => zs)) xs))",
    why="Join the rows of both arrays instead of those of their zip.",
)
joinColumns = rule(
    "map (fun(x => join (ys))) xs = map join (transpose (transpose (map (fun(x => ys)) xs)))",
    why="Move the loop over column blocks outside of the loop over rows.",
)
zipBroadcast = rule(
    "map (fun(x => map f (zip x ys))) xs"
    " = map (fun(p => map f (zip (fst p) (snd p)))) (zip xs (generate (fun(i => ys))))",
    why="Repeat the vector that all rows share as a matrix, so that both are split in the same way.",
)
columnsFirst = rule(
    "map (fun(x => map (fun(y => f)) ys)) xs = transpose (map (fun(y => map (fun(x => f)) xs)) ys)",
    why="Swap two loops: the inner one comes outside.",
)
columnsFirstDependent = rule(
    "map (fun(x => map (fun(y => f)) (ys))) xs = transpose (map (fun(column =>"
    " map (fun(p => (fun(x => (fun(y => f)) (snd p))) (fst p))) (zip xs column))) (transpose (map (fun(x => ys)) xs)))",
    why="Swap two loops whose inner one runs over an array that depends on the outer one.",
)
splitJoinPadded = family(
    "map f (xs : n.s) = take n (join (map (fun(block => map f block)) (split t (padClamp 0 (t * ceil(n, t) - n) xs))))",
    parameters=("t",),
    why="Split a loop into blocks of t; the excess of the last block is computed and dropped.",
)
splitJoinRest = family(
    "map f (xs : m.s) = concat (join (map (fun(block => map f block)) (split t (take (t * (m / t)) xs))))"
    " (map f (drop (t * (m / t)) xs))",
    parameters=("t",),
    why="Split a loop into full blocks of t and the remainder.",
)
takeAll = rule("take n (xs : n.t) = xs", why="Remove a `take` of all elements.", tidies=True)
takeAllOfRows = rule(
    "map (take n) (xs : m.n.t) = xs", why="Remove a `take` of all elements of each row.", tidies=True
)
padNothing = rule("padClamp 0 0 xs = xs", why="Remove padding by no elements.", tidies=True)
padZip = rule(
    "padClamp l r (zip xs ys) = zip (padClamp l r xs) (padClamp l r ys)",
    why="Pad both arrays instead of their zip.",
)
padMap = rule("padClamp l r (map f xs) = map f (padClamp l r xs)", why="Pad what a map reads.")
constantMap = rule(
    "map (fun(x => c)) (xs : n.s) = generate (fun(i => c))",
    why="Map over a constant array once, without reading it.",
)
joinStrips = rule(
    "map (fun(x => join (transpose (ys)))) xs"
    " = map (fun(row => join (transpose row))) (transpose (transpose (map (fun(x => ys)) xs)))",
    why="Move the loop over strips of columns outside of the loop over rows.",
)
