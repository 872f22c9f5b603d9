"""Splits reductions, and moves them out of maps. Sums keep their order unless the float class says otherwise."""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from rise.checker import Operator
from rise.primitives import PRIMITIVES, with_trait
from rise.primitives.record import neutral_at
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, spine
from rise.types import ScalarType, Type, VectorType
from strategies.equations.laws import ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule

#: operations that are associative and commutative, and have a neutral element
MONOIDS: Final = frozenset(one.name for one in PRIMITIVES.values() if one.neutral is not None)
#: associative and commutative operations that are idempotent
IDEMPOTENT: Final = with_trait("chooses", "lanewise")
#: functions that choose the better of two pairs, or the first if they are equal
BETTER_OF_PAIRS: Final = with_trait("chooses") - IDEMPOTENT

#: the laws of `reduce f i`, in two cases
_MONOID: Final = (Operator("f", neutral="i", commutes=True),)
_IDEMPOTENT: Final = (Operator("f", commutes=True, idempotent=True),)


@ensures(_MONOID, _IDEMPOTENT)
def is_monoid(bindings: Bindings) -> bool:
    """An associative, commutative operation that starts with its neutral element, as `add` with 0; or min, max"""
    name, initial = operation(bindings.term("f")), bindings.term("i")
    return name in IDEMPOTENT or (
        isinstance(initial, Literal)
        and name in MONOIDS
        and neutral_number(name, initial.given) == initial.value
    )


def neutral_number(name: str, t: Type) -> int | None:
    """The neutral element of an operation on a type of numbers or vectors; None if none is known."""
    number = t.element if isinstance(t, VectorType) else t
    return neutral_at(PRIMITIVES[name], number.name) if isinstance(number, ScalarType) else None


@ensures((Operator("f", commutes=True),))
def is_commutative(bindings: Bindings) -> bool:
    """An associative, commutative operation, such as add, mul, bitAnd, min and max"""
    name = operation(bindings.term("f"))
    return name in MONOIDS or name in IDEMPOTENT


@ensures(_IDEMPOTENT)
def isIdempotent(f: Expr) -> bool:
    """An associative, commutative operation of which `f x x = x`: min or max."""
    return operation(f) in IDEMPOTENT


def operation(function: Expr) -> str:
    """The primitive that a function of two values applies: `add`, or `fun(x, y => add(x, y))`; empty for others."""
    match function:
        case Primitive(name, _, _):
            return name
        case Lam(_, _, Lam(_, _, App(App(Primitive(name, _, _), Bound(1, _)), Bound(0, _)))):
            return name
        case Lam(_, _, App(Primitive(name, _, _), Bound(0, _))):
            return name
    return ""


@ensures(_MONOID, _IDEMPOTENT, (Operator("f", restarts="i"),))
def is_monoid_or_selection(bindings: Bindings) -> bool:
    """An associative operation that starts with its neutral element, as `add` with 0; or min, max, the first best"""
    return is_monoid(bindings) or is_selection(bindings)


def is_selection(bindings: Bindings) -> bool:
    """A choice of the first pair that is best: lesserPair, greaterPair, or `if fst b > fst a then b else a` (or <)"""
    function = bindings.term("f")
    if operation(function) in BETTER_OF_PAIRS:
        return True
    if not isinstance(function, Lam) or not isinstance(function.body, Lam):
        return False
    match spine(function.body.body):
        case Primitive("select"), (App() as condition, Bound(0), Bound(1)):
            match spine(condition):
                case Primitive("lt" | "gt"), (
                    App(Primitive("fst"), Bound(0)),
                    App(Primitive("fst"), Bound(1)),
                ):
                    return True
    return False


splitReduceSeq = family(
    "reduceSeq f i xs = reduceSeq (fun(acc, block => reduceSeq f acc block)) i (split n xs)",
    parameters=("n",),
    why="Cut a reduction into blocks of n, each starting where the last one ended.",
)
splitReduce = family(
    "reduce f i (xs : m.t) = reduce f (reduce f i (map (fun(block => reduce f i block))"
    " (split n (take (n * (m / n)) xs)))) (drop (n * (m / n)) xs)",
    parameters=("n",),
    why="Reduce blocks of n separately, so that they can be reduced at the same time; then the remainder.",
    where=is_monoid_or_selection,
    float_class=FloatClass.REASSOCIATING,
)
splitReduceApart = family(
    "reduce f i (xs : m.t) = f (reduce f i (map (fun(block => reduce f i block))"
    " (split n (take (n * (m / n)) xs)))) (reduce f i (drop (n * (m / n)) xs))",
    parameters=("n",),
    why="Reduce blocks of n separately, and the remainder by itself, so that it can have partial results, too.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
stepReduceRest = family(
    "reduce f i (xs : m.t) = reduceSeq f (reduceSeq (fun(acc, block => reduce f acc block)) i"
    " (split n (take (n * (m / n)) xs))) (drop (n * (m / n)) xs)",
    parameters=("n",),
    why="Cut a reduction of any size into blocks of n, each starting where the last one ended; then the remainder.",
)
stepReduce = family(
    "reduce f i (xs : m.t) = reduce f (reduceSeq (fun(acc, block => reduce f acc block)) i"
    " (split n (take (n * (m / n)) xs))) (drop (n * (m / n)) xs)",
    parameters=("n",),
    why="Cut a reduction into blocks of n, each starting where the last one ended; the remainder may be cut again.",
)
stripReduce = family(
    "reduce f i xs = reduce f i (map (fun(strip => reduce f i strip)) (transpose (split n xs)))",
    parameters=("n",),
    why="Reduce every n-th element separately: n partial results that vector instructions advance together.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
stripReduceRest = family(
    "reduce f i (xs : m.t) = reduce f (reduce f i (map (fun(strip => reduce f i strip))"
    " (transpose (split n (take (n * (m / n)) xs))))) (drop (n * (m / n)) xs)",
    parameters=("n",),
    why="Reduce every n-th element of an array of any size separately; then the remainder.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
combineRest = rule(
    "reduce f (reduce f i (xs : (m + k).t)) (ys : m.t)"
    " = reduce f i (map (fun(p => f (snd p) (fst p))) (zip xs (padCst 0 k i ys)))",
    why="Combine the remainder with an equal number of partial results, element by element, instead of sequentially.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
halveReduce = family(
    "reduce f i (xs : (n + n).t)"
    " = (fun(partials => reduce f i (map (fun(p => f (fst p) (snd p))) (zip (take n partials) (drop n partials))))) xs",
    parameters=("n",),
    why="Combine the two halves of an array element by element, which leaves half as many to reduce.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
blockedReduce = family(
    "reduce f i xs = reduceSeq (fun(acc, block => f acc (reduce f i block))) i (split n xs)",
    parameters=("n",),
    why="Reduce blocks of n separately, and combine their results one after the other.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
liftReduce = rule(
    "map (fun(y => reduce f i (xs))) ys"
    " = reduce (fun(acc, row => map (fun(p => f (fst p) (snd p))) (zip acc row)))"
    " (map (fun(y => i)) ys) (transpose (map (fun(y => xs)) ys))",
    why="Reduce all rows together, still in any order of the elements.",
)
liftReduceSeq = rule(
    "map (fun(y => reduceSeq f i (xs))) ys"
    " = reduceSeq (fun(acc, row => map (fun(p => f (fst p) (snd p))) (zip acc row)))"
    " (map (fun(y => i)) ys) (transpose (map (fun(y => xs)) ys))",
    why="Reduce all rows together: the loop over the reduced dimension comes outside.",
)
rowsBySize = family(
    "map f (xs : k.m.t)"
    " = if indexAsInt (natAsIndex(m) : idx[m+1]) < indexAsInt (natAsIndex(n) : idx[n+1])"
    " then map f xs else map f xs",
    parameters=("n",),
    why="Choose at run time between two ways to compute with rows: for fewer than n elements, and for others.",
)
pairedRowsBySize = family(
    "map f (xs : k.(m.s, m.t))"
    " = if indexAsInt (natAsIndex(m) : idx[m+1]) < indexAsInt (natAsIndex(n) : idx[n+1])"
    " then map f xs else map f xs",
    parameters=("n",),
    why="Choose at run time between two ways to compute with pairs of rows: for fewer than n elements, and for others.",
)
liftReduceSeqFrom = rule(
    "map (fun(y => reduceSeq f (i) (xs))) ys"
    " = reduceSeq (fun(acc, row => map (fun(p => f (fst p) (snd p))) (zip acc row)))"
    " (map (fun(y => i)) ys) (transpose (map (fun(y => xs)) ys))",
    why="Reduce all rows together, each with its own initial value.",
)
sumOfOnes = rule(
    "reduce add (0 : i32) (generate (fun(i : idx[n] => 1))) = cast{i32} (indexAsInt (natAsIndex(n) : idx[n+1]))",
    why="Take the number of elements from the size of their array.",
)
sumOnto = rule(
    "x + reduce add 0.0 xs = reduce add x xs",
    why="Start a sum with the number that would be added to it at the end.",
    float_class=FloatClass.REASSOCIATING,
)
