"""Handles sizes that tiles do not divide: loops run over padded arrays, and the excess is dropped or adds nothing."""

from __future__ import annotations

from elevate import FloatClass
from rise.terms import Expr, Primitive
from strategies.equations.laws import Form, ensures
from strategies.equations.rule import family, rule
from strategies.rules.conversions import isConversion
from strategies.rules.reductions import isIdempotent


@ensures((Form("c", "fun(x => cast x)"),))
def isConversionOfNumbers(e: Expr) -> bool:
    """`cast`, on numbers."""
    return isConversion(e) and isinstance(e, Primitive)


padMapped = family(
    "map f (xs : n.s) = take n (map f (padClamp 0 (t * ceil(n, t) - n) xs))",
    parameters=("t",),
    why="Compute full tiles of t, and drop the excess.",
)
padMappedEmpty = family(
    "map f (xs : n.s) = take n (map f (padEmpty (t * ceil(n, t) - n) xs))",
    parameters=("t",),
    why="Compute full tiles of t, with arbitrary values past the end, and drop the excess.",
)
padProducts = family(
    "reduceSeq (fun(acc, ab => acc + fst ab * snd ab)) i (zip (a : n.s) b)"
    " = reduceSeq (fun(acc, ab => acc + fst ab * snd ab)) i"
    " (zip (padCst 0 (t * ceil(n, t) - n) 0 a) (padCst 0 (t * ceil(n, t) - n) 0 b))",
    parameters=("t",),
    why="Sum products in whole steps of t: those of the padding are 0.",
    float_class=FloatClass.REASSOCIATING,
)
padConvertedProducts = family(
    "reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) i (zip (a : n.s) b)"
    " = reduceSeq (fun(acc, ab => acc + cast (fst ab) * cast (snd ab))) i"
    " (zip (padCst 0 (t * ceil(n, t) - n) 0 a) (padCst 0 (t * ceil(n, t) - n) 0 b))",
    parameters=("t",),
    why="Sum products in whole steps of t: those of the padding are 0.",
    float_class=FloatClass.REASSOCIATING,
)
padTruths = family(
    "reduceSeq (fun(acc, ab => acc || fst ab && snd ab)) i (zip (a : n.bool) b)"
    " = reduceSeq (fun(acc, ab => acc || fst ab && snd ab)) i"
    " (zip (padCst 0 (t * ceil(n, t) - n) false a) (padCst 0 (t * ceil(n, t) - n) false b))",
    parameters=("t",),
    why="Combine pairs of truth values in whole steps of t: those of the padding are false.",
)
padRepeated = family(
    "reduceSeq (fun(acc, ab => f acc (g))) i (zip (a : n.s) b)"
    " = reduceSeq (fun(acc, ab => f acc (g))) i"
    " (zip (padClamp 0 (t * ceil(n, t) - n) a) (padClamp 0 (t * ceil(n, t) - n) b))",
    parameters=("t",),
    why="Combine pairs in whole steps of t: the last pair may be combined more than once.",
    of={"f": isIdempotent},
)
padConverted = rule(
    "padCst l r 0 (map c xs) = map c (padCst l r 0 xs)",
    why="Convert numbers that are padded with zeros where they are read.",
    of={"c": isConversionOfNumbers},
)
padMapMasked = rule(
    "padCst l r c (map f (xs : n.s)) = map (fun(p => if fst p then f (snd p) else c))"
    " (zip (padCst l r false (generate (fun(i : idx[n] => true)))) (padClamp l r xs))",
    why="Pad what a map reads, and mark which elements are not padding.",
)
