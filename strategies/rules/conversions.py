"""Conversions of arrays, computed once where an array is stored instead of at each use of an element."""

from __future__ import annotations

from typing import Final

from rise.terms import App, Expr, Primitive
from strategies.equations.rule import rule


def isConversion(e: Expr) -> bool:
    """`cast`, or a map of a conversion."""
    while isinstance(e, App) and e.root == ("map", 1):
        e = e.arg
    return isinstance(e, Primitive) and e.name == "cast"


_OF_SECOND: Final = "f[fst p, c (snd p)]"
_OF_FIRST: Final = "f[c (fst p), snd p]"
_AFTER: Final = "f[fst p_, snd p_]"
_FIRST: Final = (
    f"map (fun(p => {_OF_FIRST})) (zip xs ys) = map (fun(p_ => {_AFTER})) (zip (map c xs) ys)",
    f"reduceSeq (fun(acc, p => {_OF_FIRST})) i (zip xs ys)"
    f" = reduceSeq (fun(acc, p_ => {_AFTER})) i (zip (map c xs) ys)",
)
_SECOND: Final = (
    f"map (fun(p => {_OF_SECOND})) (zip xs ys) = map (fun(p_ => {_AFTER})) (zip xs (map c ys))",
    f"reduceSeq (fun(acc, p => {_OF_SECOND})) i (zip xs ys)"
    f" = reduceSeq (fun(acc, p_ => {_AFTER})) i (zip xs (map c ys))",
)
convertFirst = rule(
    _FIRST[0],
    also=_FIRST[1:],
    why="Convert the first array once, where it is stored, instead of each element at each use.",
    of={"c": isConversion},
)
convertSecond = rule(
    _SECOND[0],
    also=_SECOND[1:],
    why="Convert the second array once, where it is stored, instead of each element at each use.",
    of={"c": isConversion},
)
convertBefore = rule(
    _FIRST[0],
    also=(*_FIRST[1:], *_SECOND),
    why="Convert an array once, where it is stored, instead of each element at each use.",
    of={"c": isConversion},
)
convertBeforeColumns = rule(
    "map (fun(column => f[map c column])) (transpose xs)"
    " = map (fun(column_ => f[column_])) (transpose (map (map c) xs))",
    why="Convert a matrix before its columns are read.",
    of={"c": isConversion},
)
nameUnconverted = rule(
    "(fun(v => f[v])) (map (fun(x => c (g))) xs) = (fun(v_ => f[map c v_])) (map (fun(x => g)) xs)",
    why="Name an array before it is converted, and convert it where it is read.",
    of={"c": isConversion},
)
