"""Contractions of tensors as batches of matrix products: loops over subscripts of one group become one loop.

A subscript is a loop over an axis. Independent of tiles and machines.
"""

from __future__ import annotations

from elevate import FloatClass
from rise.primitives import with_trait
from rise.terms import App, DepApp, Expr, Lam, Primitive, mention
from strategies.equations.contexts import as_function
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.reductions import is_monoid

#: views that contain each element of their argument once
REARRANGING = with_trait("rearranges") - with_trait("pairs")


def isRearrangement(f: Expr) -> bool:
    """A function that only moves elements: `transpose`, `split n`, `join`, or a map of such a function."""
    while True:
        match f:
            case App(Primitive("map"), inner):
                f = inner
            case Lam(_, _, App(inner, argument)) if argument.mentions == mention(0) and not inner.mentions:
                if argument.children:
                    return False
                f = inner
            case DepApp(inner, _):
                f = inner
            case Primitive(name):
                return name in REARRANGING
            case _:
                return False


def isReadOnlySo(bindings: Bindings) -> bool:
    """A variable that is used in no other way"""
    return not as_function(bindings, "f").mentions & mention(1)


joinRows = rule(
    "map (fun(row => map f row)) (xs : n.m.s) = split m (map f (join xs))",
    why="Merge two loops over subscripts of one operand into one loop over a group.",
)
joinPairedRows = rule(
    "map (fun(p => map f (zip (fst p) (snd p)))) (zip (xs : n.m.s) (ys : n.m.t))"
    " = split m (map f (zip (join xs) (join ys)))",
    why="Merge two loops over subscripts of both operands into one loop over a group.",
)
joinSwappedRows = rule(
    "map (fun(p => map f (zip (snd p) (fst p)))) (zip (xs : n.m.s) (ys : n.m.t))"
    " = split m (map f (zip (join ys) (join xs)))",
    why="As `joinPairedRows`, for operands in the other order.",
)
joinSums = rule(
    "reduce f i (map (fun(row => reduce f i row)) (xs : n.m.t)) = reduce f i (join xs)",
    why="Replace a sum of sums by one sum.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
joinPairedSums = rule(
    "reduce f i (map (fun(p => reduce f i (map g (zip (fst p) (snd p))))) (zip (xs : n.m.s) (ys : n.m.t)))"
    " = reduce f i (map g (zip (join xs) (join ys)))",
    why="Replace a sum of sums of products by one sum of products, over a group of subscripts.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
pairsBeforeRows = rule(
    "map (fun(x => map f (zip x ys))) xs"
    " = transpose (map (fun(p => map (fun(e => f (pair e (snd p)))) (fst p))) (zip (transpose xs) ys))",
    why="Move a subscript of both operands outside one of the first operand: batches are outermost.",
)
pairsBeforeColumns = rule(
    "map (fun(y => map f (zip xs y))) ys"
    " = transpose (map (fun(p => map (fun(e => f (pair (fst p) e))) (snd p))) (zip xs (transpose ys)))",
    why="Move a subscript of both operands outside one of the second operand: batches are outermost.",
)
viewsInOperands = rule(
    "map (fun(x => f[g x])) xs = map (fun(x_ => f[x_])) (map g xs)",
    why="Rearrange the rows of an operand before the loop over them, so that a product reads them as they are.",
    of={"g": isRearrangement},
    where=isReadOnlySo,
)
viewsInPairs = rule(
    "map (fun(p => f[g (fst p), snd p])) (zip xs ys) = map (fun(p_ => f[fst p_, snd p_])) (zip (map g xs) ys)",
    also=(
        "map (fun(p => f[fst p, g (snd p)])) (zip xs ys)"
        " = map (fun(p_ => f[fst p_, snd p_])) (zip xs (map g ys))",
    ),
    why="Rearrange the rows of an operand before the loop over rows of both.",
    of={"g": isRearrangement},
)
joinColumnwise = rule(
    "map join (xs : n.m.k.t) = transpose (join (map transpose (transpose xs)))",
    why="Join the subscripts of a sum without a loop over rows, which would be fused into the product.",
)
interchangeJoined = rule(
    "map f (join (xs : n.m.s)) = join (transpose (split n (map f (join (transpose xs)))))",
    why="Interchange the two groups of subscripts that a loop runs over: the outer one becomes the inner one.",
)
splitJoinedRows = rule(
    "map (split m) (map join (xs : k.n.m.t)) = xs",
    also=(
        "map (split m) (join (map (map join) (xs : l.k.n.m.t))) = join xs",
        "map (split m) (join (join (map (map (map join)) (xs : p.l.k.n.m.t)))) = join (join xs)",
    ),
    why="Remove a joining of the rows of an operand that is undone.",
)
interchangeSums = family(
    "reduce f i (map g (zip (xs : (m*n).s) ys)) = reduce f i (map g"
    " (zip (join (transpose (split n xs))) (join (transpose (split n ys)))))",
    parameters=("n",),
    why="Interchange the two groups of subscripts of a sum: the outer one becomes the inner one.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)


def isRearrangedArray(e: Expr) -> bool:
    """A rearranged array"""
    return isinstance(e, App) and isRearrangement(e.fun)


nameRowsOfNest = rule(
    "map f xs = (fun(rows => map f rows)) xs",
    why="Name the rearranged rows of an operand, so that they can be stored as a matrix.",
    of={"xs": isRearrangedArray},
)
nameColumnsOfNest = rule(
    "map (fun(x => map f ys)) xs = (fun(columns => map (fun(x => map f columns)) xs)) ys",
    why="Name the rearranged columns of an operand, so that they can be stored as a matrix.",
    of={"ys": isRearrangedArray},
)
