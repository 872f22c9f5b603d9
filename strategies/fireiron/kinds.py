"""Kinds of specifications whose axes are given by letters, as in einsum. Independent of steps and terms.

`Map("ij,j->ij")` computes each number of a matrix from a number of a matrix and one of a row; `Reduce("ij->i")` reduces
each row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

from elevate import Diagnostic, Strategy, StrategyError, named, normalize
from strategies.fireiron.specs import SIDES, Kind
from strategies.parts.nests import Parameters, fuse, simplify
from strategies.rules.functions import callInside, letToCall
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.lowering import etaAbstraction
from strategies.rules.movement import joinSplit, transposeTranspose

#: compute each number by one function, written out, also where an operand of a zip is computed
oneFunction: Strategy = named(
    "oneFunction", fuse >> normalize(simplify | zipMapFst | zipMapSnd | mapFusion | etaAbstraction)
)
#: each number of the result is computed from one number of each operand
MAP: Final = Kind("Map", (("N",),), ("N",), oneFunction, arrow=" -> ", example="ij,j->ij")
#: fuse maps, but keep reductions apart from them, so that their elements can be reduced in any order
reductionsApart: Strategy = named(
    "reductionsApart",
    Parameters()
    >> normalize(
        letToCall
        | simplify
        | callInside
        | mapFusion
        | zipMapFst
        | zipMapSnd
        | joinSplit
        | transposeTranspose
        | etaAbstraction
    ),
)
#: the elements of each row, or of a whole array, are reduced by an associative operation
REDUCE: Final = Kind("Reduce", (("M", "K"),), ("M",), reductionsApart, arrow=" -> ", example="mk->m")


def with_axes(kind: Kind, subscripts: str) -> Kind:
    """A kind for arrays with these axes: a letter for each, operands separated by commas, `->` before the result.

    Raises StrategyError if the kind has no such arrays.
    """
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    operands, result = tuple(map(tuple, left.split(","))), tuple(right)
    found = replace(kind, operands=operands, result=result, subscripts=subscripts.replace(" ", ""))
    if not arrow or not all(found.operands) or not all(map(str.isalpha, found.axes)):
        _refuse(
            kind,
            f"expected the letters of operands and `->` before those of the result, found {subscripts!r}",
        )
    for letters in (*operands, result):
        if len(set(letters)) != len(letters):
            _refuse(kind, f"expected different letters for the axes of an array, found {''.join(letters)!r}")
    if kind.reduces and len(operands) > 1:
        _refuse(kind, f"expected the letters of one operand of {kind.name}, found {subscripts!r}")
    if len(result) >= len(SIDES):
        _refuse(kind, f"expected at most {len(SIDES) - 1} axes in the result, found {subscripts!r}")
    if lost := [letter for letter in result if not any(letter in letters for letters in operands)]:
        _refuse(kind, f"expected each axis of the result in an operand, found {lost[0]!r} in none")
    if len(found.summed) != len(kind.summed):
        summed = "no letters that are missing" if not kind.summed else "one letter that is missing"
        _refuse(kind, f"expected {summed} from the result of {kind.name}, found {subscripts!r}")
    return found


def _refuse(kind: Kind, title: str) -> NoReturn:
    hint = f"for example {kind.name}({kind.example!r})"
    raise StrategyError(Diagnostic("schedule", title, hint=hint))
