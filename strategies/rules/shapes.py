"""Moves split, join, transpose and identities past each other (ICFP 2020, section 4).

Independent of loops and levels.
"""

from __future__ import annotations

from strategies.equations.rule import rule

idAfter = rule("xs = id xs", why="Introduce two reshapes that cancel each other.")
removeId = rule("id xs = xs", why="Remove an identity.")
liftId = rule("id (xs : n.t) = map (fun(x => id x)) xs", why="Process each element separately.")
createTransposePair = rule(
    "id (xs : n.m.t) = transpose (transpose xs)",
    why="Transpose twice, so that one of the two can move through the loops around.",
)
idToCopy = rule(
    "id (xs : n.t) = map (fun(x => x)) xs",
    why="State that an array is copied, so that the copy can be scheduled like any other loop.",
)
transposeAround = rule(
    "map (map f) xs = transpose (map (map f) (transpose xs))",
    why="Swap the two loops of a map over a matrix: the columns come outside.",
)
transposeBeforeSplit = rule(
    "split k (transpose xs) = map transpose (transpose (map (split k) xs))",
    why="Split each row of a matrix that is read by columns.",
)
transposeBeforeMapSplit = rule(
    "map (split k) (transpose xs) = transpose (map transpose (split k xs))",
    why="Split columns by splitting the array of rows.",
)
mapSplitBeforeTranspose = rule(
    "transpose (map (split k) xs) = map transpose (split k (transpose xs))",
    why="Split the columns after the transposition.",
)
joinBeforeTranspose = rule(
    "transpose (join xs) = map join (transpose (map transpose xs))",
    why="Transpose every block of rows, and join the columns.",
)
transposeBeforeMapJoin = rule(
    "map join (transpose xs) = transpose (join (map transpose xs))",
    why="Join once instead of each column.",
)
mapTransposeBeforeJoin = rule(
    "join (map transpose xs) = transpose (map join (transpose xs))",
    why="Transpose once instead of each block.",
)
mapJoinBeforeTranspose = rule(
    "transpose (map join xs) = join (map transpose (transpose xs))",
    why="Join once instead of each row.",
)
joinJoin = rule(
    "join (join xs) = join (map join xs)",
    why="Join the inner blocks first: joining is associative.",
)
mapOneRow = rule(
    "map f (xs : 1.s) = split n (f (idx 0 xs) : n.t)",
    why="Compute the only row without a loop over rows.",
)
mapOneColumn = rule(
    "map (fun(x => map f (ys : 1.s))) xs = split 1 (map (fun(x => f (idx 0 (ys)))) xs)",
    why="Compute the only number of each row without a loop over columns.",
)
joinOneRow = rule(
    "join (map f (xs : 1.s)) = f (idx 0 xs)", why="Compute the only block without a loop over blocks."
)
joinOne = rule("join (xs : 1.s) = idx 0 xs", why="Read the only block as the array that it is.")
idxOnlyBlock = rule(
    "idx 0 (split n (xs : n.s)) = xs", why="Cut no array into blocks of which there is only one."
)
