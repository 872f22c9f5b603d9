"""Splits overlapping windows into overlapping tiles. Depends on `slide`, padding and shapes, but not on levels.

A tile of windows of an array consists of all windows of a tile of the array, which is longer by the overlap of two
tiles.
"""

from __future__ import annotations

from strategies.equations.rule import family, rule

splitJoinEmpty = family(
    "map f (xs : n.s) = take n (join (map (fun(block => map f block)) (split t (padEmpty (t * ceil(n, t) - n) xs))))",
    parameters=("t",),
    why="Split a loop into blocks of t; the excess of the last block is unspecified.",
)
splitSlide = family(
    "split t (slide u s (xs : (s * (t * m - 1) + u).e))"
    " = map (fun(tile => slide u s tile)) (slide ((t - 1) * s + u) (t * s) xs)",
    parameters=("t",),
    why="Split windows into tiles: each tile slides over the part of the array that its windows read.",
)
slideMap = rule(
    "slide u s (map f xs) = map (fun(window => map f window)) (slide u s xs)",
    why="Compute the elements of a window where the window is read.",
)
joinBatch = rule(
    "map (fun(row => map f row)) (xs : n.m.t) = split m (map f (join xs))",
    why="Merge a loop over batches and the loop over each batch.",
)
dropSlide = rule(
    "drop k (slide u s (xs : (s * (k + m) + u).e)) = slide u s (drop (s * k) xs)",
    why="Replace all windows but the first by the windows of all but the first elements.",
)
takeSlide = rule(
    "take (k + 1) (slide u s (xs : (s * (k + m) + u).e)) = slide u s (take (s * k + u) xs)",
    why="Replace the first windows by the windows of the first elements.",
)
slideFission = rule(
    "map (fun(x => slide u s (ys))) xs = map (fun(row => slide u s row)) (map (fun(x => ys)) xs)",
    why="Compute the rows first, so that each of their elements is computed once for all windows that see it.",
)
transposeWindows = rule(
    "transpose (map (fun(window => transpose window)) (slide u s xs))"
    " = map (fun(column => slide u s column)) (transpose xs)",
    why="Windows of rows, column by column, are windows of each column.",
)
transposeWindowsMapped = rule(
    "transpose (map (fun(window => transpose (map f window))) (slide u s xs))"
    " = map (fun(column => slide u s column)) (transpose (map f xs))",
    why="Windows of mapped rows, column by column, are windows of each column.",
)
transposeSlides = rule(
    "transpose (map (fun(x => slide u s (ys))) xs)"
    " = map (fun(window => transpose window)) (slide u s (transpose (map (fun(x => ys)) xs)))",
    why="Windows of each row, position by position, are windows of columns.",
)
padEmptyTranspose = rule(
    "padEmpty p (transpose xs) = transpose (map (fun(row => padEmpty p row)) xs)",
    why="Pad each row of a matrix that is read by columns.",
)
padEmptySlide = rule(
    "padEmpty p (slide u s xs) = slide u s (padEmpty (s * p) xs)",
    why="Replace unspecified windows by windows of unspecified elements.",
)
padEmptyMap = rule("padEmpty p (map f xs) = map f (padEmpty p xs)", why="Pad what a map reads.")
padEmptyZip = rule(
    "padEmpty p (zip xs ys) = zip (padEmpty p xs) (padEmpty p ys)",
    why="Pad both arrays instead of their zip.",
)
padEmptyClamp = rule(
    "padEmpty p (padClamp l r xs) = padClamp l (r + p) xs",
    why="Choose the last element for the unspecified ones.",
)
padEmptyConst = rule(
    "padEmpty p (padCst l r c xs) = padCst l (r + p) c xs",
    why="Choose the constant at the border for the unspecified elements.",
)
padEmptyNothing = rule("padEmpty 0 xs = xs", why="Remove padding by no elements.")
padEmptyToClamp = rule(
    "padEmpty p xs = padClamp 0 p xs",
    why="Read the last element instead of unspecified ones, so that a program can compute with it.",
)
