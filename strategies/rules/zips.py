"""Moves `zip`, `take`, `drop` and padding past the patterns around them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from strategies.equations.rule import rule

zipSame = rule(
    "zip xs xs = map (fun(x => pair x x)) xs", why="Read an array only once if it is zipped with itself."
)
zipAgain = rule(
    "zip (zip xs ys) ys = map (fun(p => pair p (snd p))) (zip xs ys)",
    also=(
        "zip (zip ys xs) ys = map (fun(p => pair p (fst p))) (zip ys xs)",
        "zip ys (zip xs ys) = map (fun(p => pair (snd p) p)) (zip xs ys)",
        "zip ys (zip ys xs) = map (fun(p => pair (fst p) p)) (zip ys xs)",
    ),
    why="Read an array only once if it is zipped with another one twice.",
)
zipShared = rule(
    "zip (zip xs ys) (zip ys xs) = map (fun(p => pair p (pair (snd p) (fst p)))) (zip xs ys)",
    also=tuple(
        f"zip {left} {right} = map (fun(p => pair {first} {second})) (zip xs (zip ys zs))"
        for left, first in (
            ("(zip xs ys)", "(pair (fst p) (fst (snd p)))"),
            ("(zip ys xs)", "(pair (fst (snd p)) (fst p))"),
        )
        for right, second in (
            ("(zip xs zs)", "(pair (fst p) (snd (snd p)))"),
            ("(zip zs xs)", "(pair (snd (snd p)) (fst p))"),
        )
    ),
    why="Read an array once that is zipped with each of two other arrays.",
)
zipSwap = rule(
    "zip xs ys = map (fun(p => pair (snd p) (fst p))) (zip ys xs)",
    why="Swap the two arrays of a zip, because another rule expects the other order.",
)
zipRotateLeft = rule(
    "zip xs (zip ys zs)"
    " = map (fun(p => pair (fst (fst p)) (pair (snd (fst p)) (snd p)))) (zip (zip xs ys) zs)",
    why="Zip the first two of three arrays.",
)
zipRotateRight = rule(
    "zip (zip xs ys) zs"
    " = map (fun(p => pair (pair (fst p) (fst (snd p))) (snd (snd p)))) (zip xs (zip ys zs))",
    why="Zip the last two of three arrays.",
)
mapOutsideZip = rule(
    "zip (map f xs) (map g ys) = map (fun(p => pair (f (fst p)) (g (snd p)))) (zip xs ys)",
    why="Walk both arrays in one loop.",
)
zipMaps = rule(
    "zip (map f xs) (map g xs) = map (fun(x => pair (f x) (g x))) xs",
    also=(
        "zip (map f xs) xs = map (fun(x => pair (f x) x)) xs",
        "zip xs (map g xs) = map (fun(x => pair x (g x))) xs",
    ),
    why="Read an array only once if two maps over it are zipped.",
)
mapOutsidePair = rule(
    "pair (map f xs) (map g xs) = unzip (map (fun(x => pair (f x) (g x))) xs)",
    why="Compute two arrays in one loop over what both read.",
)
mapsOutsidePair = rule(
    "pair (map f xs) (map g ys) = unzip (map (fun(p => pair (f (fst p)) (g (snd p)))) (zip xs ys))",
    why="Compute two arrays in one loop, so that what both read is not stored.",
)
unzipZip = rule("unzip (zip xs ys) = pair xs ys", why="Take apart a zip that was just made.")
zipUnzip = rule(
    "zip (fst (unzip xs)) (snd (unzip xs)) = xs",
    why="Remove the zip of an array of pairs that was taken apart.",
)
mapFstZip = rule("map fst (zip xs ys) = xs", why="Read only the array of a zip that is used.")
mapSndZip = rule("map snd (zip xs ys) = ys", why="Read only the array of a zip that is used.")
slideOutsideZip = rule(
    "zip (slide u s xs) (slide u s ys) = map (fun(window => unzip window)) (slide u s (zip xs ys))",
    why="Slide once over both arrays.",
)
slideInsideZip = rule(
    "slide u s (zip xs ys) = map (fun(p => zip (fst p) (snd p))) (zip (slide u s xs) (slide u s ys))",
    why="Slide over each array separately, so that their windows are stored in different ways.",
)


def _windows_of_same(function: str, before: str) -> tuple[str, str]:
    """Windows of `xs`, or of a map over it, or a map over these; and the same for a single window w."""
    windows = f"slide u s ({before} xs)" if before else "slide u s xs"
    window = f"({before} w)" if before else "w"
    return (
        (f"({function} ({windows}))", f"({function[4:]} {window})") if function else (f"({windows})", window)
    )


def _zips_of_windows() -> Iterator[str]:
    """Equations for all forms of both sides in which at least one is of windows of a map."""
    forms = [(function, before) for function in ("map", "") for before in ("map", "")]
    for (f, g), (h, k) in product(forms, forms):
        left, first = _windows_of_same(f and "map f", g and "map g")
        right, second = _windows_of_same(h and "map h", k and "map k")
        if g or k:
            yield f"zip {left} {right} = map (fun(w => pair {first} {second})) (slide u s xs)"


_FIRST, *_OTHERS = _zips_of_windows()
zipWindows = rule(
    _FIRST,
    also=tuple(_OTHERS),
    why="Compute several arrays from the windows of one array in one loop, so that each window is read once.",
)
mapDrop = rule("map f (drop n xs) = drop n (map f xs)", why="Drop the excess last.")
takeZip = rule("take n (zip xs ys) = zip (take n xs) (take n ys)", why="Take from both arrays.")
dropZip = rule("drop n (zip xs ys) = zip (drop n xs) (drop n ys)", why="Drop from both arrays.")
takeTranspose = rule(
    "take n (transpose xs) = transpose (map (fun(row => take n row)) xs)", why="Take from every row."
)
dropTranspose = rule(
    "drop n (transpose xs) = transpose (map (fun(row => drop n row)) xs)", why="Drop from every row."
)
takeBeforeJoin = rule(
    "take (k * (1 + m)) (join (xs : (k + r).(1 + m).t)) = join (take k xs)",
    why="Take rows before joining them, if only whole rows are taken.",
)
dropBeforeJoin = rule(
    "drop (k * (1 + m)) (join (xs : (k + r).(1 + m).t)) = join (drop k xs)",
    why="Drop rows before joining them, if only whole rows are dropped.",
)
takeSelect = rule(
    "take n (if c then xs else ys) = if c then take n xs else take n ys",
    why="Take from both alternatives before choosing between them.",
)
dropSelect = rule(
    "drop n (if c then xs else ys) = if c then drop n xs else drop n ys",
    why="Drop from both alternatives before choosing between them.",
)
mapSelect = rule(
    "map f (if c then xs else ys) = if c then map f xs else map f ys",
    why="Choose once, outside of the loop.",
)
selectCall = rule("if c then f a else f b = f (if c then a else b)", why="Call once, with the chosen value.")
padTranspose = rule(
    "padClamp l r (transpose xs) = transpose (map (fun(row => padClamp l r row)) xs)",
    why="Pad each row of a matrix that is read by columns.",
)
padConstantZip = rule(
    "padCst l r (pair a b) (zip xs ys) = zip (padCst l r a xs) (padCst l r b ys)",
    why="Pad both arrays instead of their zip.",
)
padConstantMap = rule(
    "map f (padCst l r c xs) = padCst l r (f c) (map f xs)",
    why="Compute the border once.",
)
nameForAll = rule(
    "map (fun(x => (fun(r => f)) (g))) xs"
    " = (fun(r => map (fun(p => (fun(x, r => f)) (fst p) (snd p))) (zip xs r))) (map (fun(x => g)) xs)",
    why="Name a part of the body for all elements, so that it can be stored before the others are computed.",
)
stateOfArrays = rule(
    "reduceSeq (fun(acc, x => f)) (i : k.(s, t)) xs = (fun(r => zip (fst r) (snd r)))"
    " (reduceSeq (fun(acc, x => unzip ((fun(acc => f)) (zip (fst acc) (snd acc))))) (unzip i) xs)",
    why="Keep an array of pairs as a pair of arrays, so that each can be computed and stored in its own way.",
)
zipNamedFirst = rule(
    "zip ((fun(x => f)) v) ys = (fun(x => zip f ys)) v",
    why="Zip what is computed with a named value below the name.",
)
zipNamedSecond = rule(
    "zip xs ((fun(x => f)) v) = (fun(x => zip xs f)) v",
    why="Zip another array with what is computed with a named value, below the name.",
)
mapNamed = rule(
    "map f ((fun(x => e)) v) = (fun(x => map f e)) v",
    why="Map what is computed with a named value below the name.",
)
unzipNamed = rule(
    "unzip ((fun(x => f)) v) = (fun(x => unzip f)) v",
    why="Unzip what is computed with a named value, below the name.",
)
zipJoined = rule(
    "map f (zip (join (xs : m.n.s)) ys) = join (map (fun(p => map f (zip (fst p) (snd p)))) (zip xs (split n ys)))",
    why="Split the other array, instead of finding the row of each element.",
)
zipWithJoined = rule(
    "map f (zip xs (join (ys : m.n.s))) = join (map (fun(p => map f (zip (fst p) (snd p)))) (zip (split n xs) ys))",
    why="Split the other array, instead of finding the row of each element.",
)
