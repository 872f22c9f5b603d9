"""Nests of two loops around a reduction: recognises matrix products, and places their operands."""

from __future__ import annotations

from typing import Any

from elevate import FloatClass
from rise.primitives import PROJECTIONS, lookup
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, shift, spine
from rise.types import ArrayType, FunType, is_data
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.conversions import isConversion
from strategies.rules.let_floating import isReduction
from strategies.vocabulary.traversals import FOLDED


def isProductNest(e: Expr) -> bool:
    """Two maps around a reduction over a zip of their elements."""
    if e.root != ("map", 2):
        return False
    _, (outer, _) = spine(e)
    if not isinstance(outer, Lam) or outer.body.root != ("map", 2):
        return False
    _, (inner, _) = spine(outer.body)
    return isinstance(inner, Lam) and _has_product(inner.body)


def _has_product(body: Expr) -> bool:
    stack = [body]
    while stack:
        node = stack.pop()
        if node.root in FOLDED:
            _, arguments = spine(node)
            return _is_zip_of_both(arguments[-1])
        if not isinstance(node, Lam):
            stack.extend(node.children)
    return False


def _is_zip_of_both(xs: Any) -> bool:
    while isinstance(xs, App) and xs.root == ("map", 2):
        xs = xs.arg
    if not isinstance(xs, App) or xs.root != ("zip", 2):
        return False
    _, sides = spine(xs)
    return {_variable(side) for side in sides} == {0, 1}


def _variable(side: Any) -> int | None:
    """The index of the variable from which a side is projected, or that it is."""
    while isinstance(side, App) and isinstance(side.fun, Primitive) and side.fun.name in PROJECTIONS:
        side = side.arg
    return side.index if isinstance(side, Bound) else None


def isOperand(bindings: Bindings) -> bool:
    """An operand of a reduction over a zip"""
    e, stack = bindings.term("e"), [(bindings.term("f[]"), 0)]
    while stack:
        node, depth = stack.pop()
        if isReduction(node):
            _, arguments = spine(node)
            _, sides = spine(arguments[-1])  # type: ignore[arg-type]  # the last argument of a reduction is a term
            if shift(e, depth) in sides:
                return True
        stack += [(child, depth + isinstance(node, Lam)) for child in node.children]
    return False


def isOtherValue(e: Expr) -> bool:
    """A value other than a reduction."""
    return is_data(e.type) and not isReduction(e)


def _of_conversion(e: Expr) -> Expr | None:
    """The array that a map converts."""
    if e.root == ("map", 2) and isinstance(e, App) and isinstance(e.fun, App) and isConversion(e.fun.arg):
        return e.arg
    return None


def isTransposed(e: Expr) -> bool:
    """A transposed variable, perhaps converted."""
    while (converted := _of_conversion(e)) is not None:
        e = converted
    return isinstance(e, App) and e.root == ("transpose", 1) and _variable(e.arg) is not None


def isConverted(e: Expr) -> bool:
    """A transposed variable that is converted."""
    return e.root == ("map", 2) and isTransposed(e)


def isConvertedVariable(e: Expr) -> bool:
    """A converted variable, or a converted part of one."""
    converted = _of_conversion(e)
    return converted is not None and _variable(converted) is not None


def isOperandOfIteration(bindings: Bindings) -> bool:
    """An operand of a reduction, computed from the element of this iteration of the loop"""
    return _variable(_of_conversion(bindings.term("e"))) == 0 and isOperand(bindings)


def takesPart(f: Expr) -> bool:
    """A function that takes an element of an array, or a part of it, such as `idx i` and `take n`."""
    if isinstance(f, App):
        return f.root == ("idx", 1)
    while isinstance(f, DepApp):
        f = f.fun
    record = lookup(f.name) if isinstance(f, Primitive) else None
    return record is not None and record.level == "view"


def takesPartOfArray(f: Expr) -> bool:
    """A function that takes an element of an array, or a part of it, but not of a pair."""
    return takesPart(f) and isinstance(f.type, FunType) and isinstance(f.type.parameter, ArrayType)


partsOfFirst = rule(
    "map (fun(p => f[g (fst p), snd p])) (zip xs ys) = map (fun(q => f[fst q, snd q])) (zip (map g xs) ys)",
    why="Take a column, or a part of each row, of an operand before the sum of products.",
    of={"g": takesPart},
)
partsOfSecond = rule(
    "map (fun(p => f[fst p, g (snd p)])) (zip xs ys) = map (fun(q => f[fst q, snd q])) (zip xs (map g ys))",
    why="Take a column, or a part of each row, of an operand before the sum of products.",
    of={"g": takesPart},
)
partsOfRows = rule(
    "map (fun(x => map (fun(y => f[g x, y])) ys)) xs"
    " = map (fun(x_ => map (fun(y => f[x_, y])) ys)) (map g xs)",
    why="Take a part of each row of the left factor before a matrix product.",
    of={"g": takesPart},
)
partsBesideRows = rule(
    "map (fun(x => f[g x, x])) xs = map (fun(p => f[fst p, snd p])) (zip (map g xs) xs)",
    why="Take a part of each row before a matrix product that reads other parts of the row, too.",
    of={"g": takesPartOfArray},
)


def isPartsOfRows(e: Expr) -> bool:
    """A part of each row of a matrix."""
    if e.root != ("map", 2):
        return False
    function = spine(e)[1][0]
    return isinstance(function, Expr) and takesPart(function)


namePartsOfRows = rule(
    "map f ps = (fun(rows => map f rows)) ps",
    also=(
        "map f (zip ps xs) = (fun(rows => map f (zip rows xs))) ps",
        "map f (zip xs ps) = (fun(rows => map f (zip xs rows))) ps",
    ),
    why="Name parts of the rows of the left factor, so that tiles read them as rows.",
    of={"ps": isPartsOfRows},
)
packOperand = rule(
    "f[e] = (fun(packed => f[packed])) e",
    why="Name an operand that a reduction reads repeatedly, so that it can be stored in the order of reading.",
    of={"f": isOtherValue, "e": isTransposed},
    where=isOperand,
)
packConverted = rule(
    "f[e] = (fun(packed => f[packed])) e",
    why="Name a converted operand, so that it can be stored converted.",
    of={"f": isOtherValue, "e": isConverted},
    where=isOperand,
)
nameConverted = rule(
    "f[e] = (fun(rows => f[rows])) e",
    why="Name a converted row of the left factor, so that all of them can be stored converted.",
    of={"f": isOtherValue, "e": isConvertedVariable},
    where=isOperandOfIteration,
)
mulAddToFma = rule(
    "acc + a * b = fma a b acc",
    why="Multiply and add with one operation and one rounding instead of two.",
    float_class=FloatClass.CONTRACTING,
    names=("acc",),
)
nameRows = rule(
    "map f (transpose xs) = (fun(rows => map f rows)) (transpose xs)",
    why="Name the rows of a factor that is read by columns, so that they can be stored in the order of reading.",
)
nameStoredRows = rule(
    "map f (zip (toMem Local xs) ys) = (fun(rows => map f (zip rows ys))) (toMem Local xs)",
    also=("map f (toMem Local xs) = (fun(rows => map f rows)) (toMem Local xs)",),
    why="Name the rows of a factor that is stored, so that every loop over them reads what is stored once.",
)
