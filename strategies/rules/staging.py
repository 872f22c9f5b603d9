"""Copies operands before they are used: which operands, in which order, how wide, and to which memory."""

from __future__ import annotations

from typing import Any, Final

from rise.naturals import const
from rise.primitives import PROJECTIONS, applied
from rise.scalars import SCALARS
from rise.terms import App, Bound, Expr, Lam, mention, shift
from rise.types import ArrayType, FragmentType, PairType, ScalarType, Type, VectorType, is_data
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.contractions import isRearrangement

#: numbers of bytes that one asynchronous copy to shared memory can move
COPIED: Final = (4, 8, 16)
_PARTS: Final = applied(PROJECTIONS)
COPIED_AT_ONCE: Final = tuple(map(const, COPIED))


toMemShared = rule(
    "xs = toMem(Shared, xs)",
    why="Store data that the threads of a block share in shared memory.",
)
toMemGlobal = rule(
    "xs = toMem(Global, xs)",
    why="Store a result for later kernels.",
)


def isOfUnknownSize(bindings: Bindings) -> bool:
    """An array whose size is not a known number"""
    t: Type = bindings.term("xs").type
    waiting = [t]
    while waiting:
        match waiting.pop():
            case ArrayType(size, element):
                if size.constant is None:
                    return True
                waiting.append(element)
            case PairType(first, second):
                waiting += (first, second)
            case _:
                pass
    return False


localToGlobal = rule(
    "toMem(Local, (xs : n.t)) = toMem(Global, xs)",
    why="Put arrays of unknown size into global memory, since registers cannot hold them.",
    where=isOfUnknownSize,
)
sharedToGlobal = rule(
    "toMem(Shared, (xs : n.t)) = toMem(Global, xs)",
    why="Put arrays of unknown size into global memory, since shared memory cannot hold them.",
    where=isOfUnknownSize,
)


def isOfCopiedSize(bindings: Bindings) -> bool:
    """Elements of 4, 8 or 16 bytes, or pairs of these"""
    waiting: list[Any] = list(bindings.types.values())  # the types of the only variable
    while waiting:
        match waiting.pop():
            case PairType(first, second):
                waiting += (first, second)
            case ScalarType(name) if SCALARS[name].bits // 8 in COPIED:
                pass
            case VectorType(size, ScalarType(name)) if size * (SCALARS[name].bits // 8) in COPIED_AT_ONCE:
                pass
            case _:
                return False
    return True


copyAsynchronously = rule(
    "fun(x : t => x) = fun(x : t => globalToShared x)",
    why="Let threads continue during their copies into shared memory.",
    where=isOfCopiedSize,
)


def isVariable(e: Expr) -> bool:
    """A variable."""
    return isinstance(e, Bound)


def isMoreThanPart(e: Expr) -> bool:
    """A value other than a part of a variable."""
    return is_data(e.type) and not (isinstance(e, App) and e.root in _PARTS and isVariable(e.arg))


nameFirst = rule(
    "f[(fst x : n.t)] = (fun(left => f[left])) (fst x)",
    why="Name an operand, so that it can be copied before it is used.",
    of={"f": isMoreThanPart, "x": isVariable},
)
nameSecond = rule(
    "f[(snd x : n.t)] = (fun(right => f[right])) (snd x)",
    why="Name an operand, so that it can be copied before it is used.",
    of={"f": isMoreThanPart, "x": isVariable},
)


def isMatrixInPart(e: Expr) -> bool:
    """A matrix of numbers, which is a part of a part of a variable."""
    t, parts = e.type, 0
    is_matrix = (
        isinstance(t, ArrayType)
        and isinstance(t.element, ArrayType)
        and isinstance(t.element.element, ScalarType)
    )
    while isinstance(e, App) and e.root in _PARTS:
        e, parts = e.arg, parts + 1
    return is_matrix and parts > 1 and isVariable(e)


def isMoreThanMatrix(e: Expr) -> bool:
    """A value other than a matrix of numbers that is a part of a part of a variable."""
    return is_data(e.type) and not isMatrixInPart(e)


def isReadArray(e: Expr) -> bool:
    """An array of numbers or of arrays, as a view of a variable or of a part of one."""
    if not isinstance(e.type, ArrayType) or isinstance(e.type.element, PairType):
        return False
    while isinstance(e, App) and (e.root in _PARTS or isRearrangement(e.fun)):
        e = e.arg
    return isVariable(e)


def isMoreThanArray(e: Expr) -> bool:
    """A value other than such an array."""
    return is_data(e.type) and not isReadArray(e)


def isNumberedArray(bindings: Bindings) -> bool:
    """The array of this number among those that a nest reads"""
    number = bindings.size("n").constant
    found: dict[Expr, None] = {}
    waiting = [(bindings.term("f[]"), 0)]
    while waiting:
        e, depth = waiting.pop()
        if isReadArray(e) and not any(e.mentions & mention(index) for index in range(depth)):
            found.setdefault(shift(e, -depth))
            continue
        waiting += [(child, depth + isinstance(e, Lam)) for child in reversed(e.children)]
    return number is not None and list(found)[number - 1 : number] == [bindings.term("e")]


nameArray = family(
    "f[e] = (fun(operand => f[operand])) e",
    parameters=("n",),
    why="Name one of the arrays that a nest reads, by its number, so that it can be copied before it is used.",
    of={"f": isMoreThanArray, "e": isReadArray},
    where=isNumberedArray,
)


def isMatrixLoop(e: Expr) -> bool:
    """A loop that adds to an array of sums."""
    return e.root == ("reduceSeq", 3) and isinstance(e.type, ArrayType | FragmentType)


def isMoreThanLoop(e: Expr) -> bool:
    """A value other than a loop that adds to an array of sums."""
    return is_data(e.type) and not isMatrixLoop(e)


nameLoop = rule(
    "f[e] = (fun(sums => f[sums])) e",
    why="Name the array that a loop adds to, so that what reads it is rewritten by itself.",
    of={"f": isMoreThanLoop, "e": isMatrixLoop},
)
nameMatrix = rule(
    "f[e] = (fun(matrix => f[matrix])) e",
    why="Name a matrix among several operands of a step, so that it can be copied before it is used.",
    of={"f": isMoreThanMatrix, "e": isMatrixInPart},
)
nameElement = rule(
    "map (fun(x => f)) xs = map (fun(p => (fun(x => f)) p)) xs",
    why="Name an element of an array, so that its parts can be copied before they are used.",
)
splitOfJoin = rule(
    "(xs : n.m.t) = split m (join xs)",
    why="Read rows as parts of one array.",
)
transposeTwice = rule(
    "(xs : n.m.t) = transpose (transpose xs)",
    why="Store a matrix by columns.",
)
vectorsOf = family(
    "(xs : n.(m*v).t) = map asScalar (map (fun(row => asVectorAligned v row)) xs)",
    parameters=("v",),
    why="Move v numbers at once.",
)
padRows = family(
    "toMem(Shared, (xs : n.m.t))"
    " = map (fun(row => take m row)) (toMem(Shared, map (fun(row => padEmpty p row)) xs))",
    parameters=("p",),
    why="Pad each row, so that the same column of different rows is in different banks.",
)
