"""Kinds of specifications whose axes are given by letters, as in einsum. Independent of steps and terms.

`Map("ij,j->ij")` computes each number of a matrix from a number of a matrix and one of a row; `Reduce("ij->i")` reduces
each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NoReturn

from elevate import Diagnostic, Strategy, StrategyError, named, normalize, seq, topDown, try_, where
from rise.terms import DepLam, Expr, Lam
from rise.types import ArrayType
from strategies.fireiron.recognition import numbers_of
from strategies.fireiron.specs import CHAINS, MATMUL, Kind
from strategies.parts.contraction_nests import (
    groups_of,
    isBatchOfMatrices,
    isProductOfMatrices,
    matricise,
    readyForTiles,
)
from strategies.parts.nests import Parameters, fuse, simplify, tidy
from strategies.rules.functions import callInside, letToCall
from strategies.rules.fusion import mapFusion, zipMapFst, zipMapSnd
from strategies.rules.lowering import etaAbstraction
from strategies.rules.movement import joinSplit, transposeTranspose
from strategies.rules.shapes import idAfter, liftId
from strategies.rules.strides import numbersInOneLoop
from strategies.rules.zips import zipSame


def isOfArrayType(e: Expr) -> bool:
    """An array."""
    return isinstance(e.type, ArrayType)


def isOnlyRearranged(e: Expr) -> bool:
    """A program whose result is not computed by a map for each of its axes, such as a transposition."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    rank, t = 0, e.type
    while isinstance(t, ArrayType):
        rank, t = rank + 1, t.element
    return rank > 0 and numbers_of(e, rank) is None


#: copy the numbers of a result that is only rearranged, each by an identity
copyNumbers: Strategy = named(
    "copyNumbers", where(isOnlyRearranged) >> topDown(where(isOfArrayType) >> idAfter) >> normalize(liftId)
)
#: write functions out, also where an operand of a zip is computed
functionsWritten: Strategy = normalize(
    simplify | zipSame | zipMapFst | zipMapSnd | mapFusion | etaAbstraction
)
#: compute each number by one function; numbers that are only rearranged are copied
oneFunction: Strategy = named(
    "oneFunction", fuse >> functionsWritten >> try_(copyNumbers >> functionsWritten)
)
#: run the outermost two loops as one, which is over the elements of a batch
batchInOneLoop: Strategy = named("batchInOneLoop", topDown(numbersInOneLoop) >> tidy)
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
        | zipSame
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


def _why_no_product(e: Expr) -> str:
    found = "letters of all three arrays" if 2 in groups_of(e) else "an operand without such letters"
    return f"expected letters of each operand alone and letters of both, found {found}"


def _why_no_batch(e: Expr) -> str:
    found = "an operand without letters of its own" if 2 in groups_of(e) else "no letters of all three arrays"
    return f"expected letters of all three arrays, of each operand alone and of both operands, found {found}"


#: a product of matrices for each element of a batch
BATCH_OF_PRODUCTS: Strategy = matricise >> where(isBatchOfMatrices, why=_why_no_batch) >> readyForTiles


#: a contraction of two tensors as a product of matrices: the letters of each operand alone are rows or columns
CONTRACT: Final = Kind(
    "Contract",
    MATMUL.operands,
    MATMUL.result,
    matricise >> where(isProductOfMatrices, why=_why_no_product) >> readyForTiles,
    example="abk,cdk->acbd",
)


def with_axes(kind: Kind, subscripts: str) -> Kind:
    """A kind for arrays with these axes: a letter for each, operands separated by commas, `->` before the result.

    Raises StrategyError if the kind has no such arrays.
    """
    if kind.is_chain:
        if subscripts not in CHAINS:
            _refuse(kind, f"expected {' or '.join(CHAINS)}, found {subscripts!r}")
        return CHAINS[subscripts]
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    arrays = [*left.split(","), right]
    if not arrow or not all(arrays[:-1]) or not all(map(str.isalpha, filter(None, arrays))):
        title = f"expected the letters of operands and `->` before those of the result, found {subscripts!r}"
        _refuse(kind, title)
    for letters in arrays:
        if len(set(letters)) != len(letters):
            _refuse(kind, f"expected different letters for the axes of an array, found {letters!r}")
    if kind.multiplies:
        return grouped(replace(kind, subscripts=text), arrays)
    tiled = len(kind.example.partition("->")[2])
    batch = right[:-tiled]
    operands = tuple(tuple(letter for letter in letters if letter not in batch) for letters in arrays[:-1])
    result = tuple(right.removeprefix(batch))
    prepare = seq(kind.prepare, *(batchInOneLoop for _ in batch[1:]))
    found = replace(kind, operands=operands, result=result, subscripts=text, batch=batch, prepare=prepare)
    if kind.reduces and len(operands) > 1:
        _refuse(kind, f"expected the letters of one operand of {kind.name}, found {subscripts!r}")
    if lost := [letter for letter in right if not any(letter in letters for letters in arrays[:-1])]:
        _refuse(kind, f"expected each axis of the result in an operand, found {lost[0]!r} in none")
    if len(found.summed) != len(kind.summed):
        summed = "no letters that are missing" if not kind.summed else "one letter that is missing"
        _refuse(kind, f"expected {summed} from the result of {kind.name}, found {subscripts!r}")
    return found


def grouped(kind: Kind, arrays: Sequence[str]) -> Kind:
    """A contraction of arrays with these letters as a product of matrices, each axis of which is a group of letters.

    The operand that has the last letter of the result has its columns, the other one its rows.
    """
    *operands, result = arrays
    if len(operands) != 2:
        _refuse(kind, f"expected the letters of two operands of {kind.name}, found {kind.subscripts!r}")
    letters = tuple(dict.fromkeys(result + "".join(operands)))
    for letter in letters:
        count = sum(letter in one for one in arrays)
        if count < 2:
            _refuse(
                kind,
                f"expected {letter!r} in two arrays of {kind.name}, or in all three, found it in {count}",
            )
    batch = "".join(letter for letter in result if all(letter in one for one in operands))
    letters = tuple(letter for letter in letters if letter not in batch)
    last = next((letter for letter in reversed(result) if letter not in batch), "")
    above, beside = sorted(operands, key=lambda one: last in one)
    rows = "".join(letter for letter in letters if letter in result and letter in above)
    columns = "".join(letter for letter in letters if letter in result and letter in beside)
    summed = "".join(letter for letter in letters if letter not in result)
    if not (rows and columns and summed):
        title = f"expected letters of each operand alone and letters of both, found {kind.subscripts!r}"
        _refuse(kind, title)
    axes = {above: (rows, summed), beside: (summed, columns)}
    found = replace(kind, operands=tuple(axes[one] for one in operands), result=(rows, columns))
    return replace(found, batch=batch, prepare=BATCH_OF_PRODUCTS) if batch else found


def _refuse(kind: Kind, title: str) -> NoReturn:
    hint = f"for example {kind.name}({kind.example!r})"
    raise StrategyError(Diagnostic("schedule", title, hint=hint))
