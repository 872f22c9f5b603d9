"""Reads numbers as vectors, and vectors as numbers. Independent of loops."""

from __future__ import annotations

from strategies.equations.rule import family, rule

asScalarAsVector = rule("asScalar (asVector n xs) = xs", why="Remove vectors that are read as numbers.")
asScalarAsVectorAligned = rule(
    "asScalar (asVectorAligned n xs) = xs", why="Remove vectors that are read as numbers."
)
copyVectors = rule(
    "asVector v (map (fun(x => id x)) xs) = map (fun(x => id x)) (asVector v xs)",
    why="Copy v numbers at once.",
)
asVectorAsScalar = rule(
    "asVector n (asScalar (xs : m.vec[n, t])) = xs", why="Use the vectors that were read as numbers."
)
asVectorAlignedAsScalar = rule(
    "asVectorAligned n (asScalar (xs : m.vec[n, t])) = xs", why="Use the vectors that were read as numbers."
)
vectorizeAfter = family(
    "(xs : (m*v).t) = asScalar (asVector v xs)",
    parameters=("v",),
    why="Read numbers as vectors of v, so that operations on them can work on vectors.",
)
vectorizeAlignedAfter = family(
    "(xs : (m*v).t) = asScalar (asVectorAligned v xs)",
    parameters=("v",),
    why="Read numbers as vectors of v, in an array that starts at a multiple of a vector's size.",
)
vectorizeRoundUpAfter = family(
    "(xs : n.t) = take n (asScalar (asVector v (padEmpty (v * ceil(n, v) - n) xs)))",
    parameters=("v",),
    why="Read numbers as vectors of v, which need not divide their number.",
)
asScalarOutsideZip = rule(
    "zip (asScalar xs) (asScalar ys)"
    " = join (map (fun(p => zip (asScalar [fst p]) (asScalar [snd p]))) (zip xs ys))",
    why="Zip vectors instead of their numbers.",
)
