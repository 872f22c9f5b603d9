"""Splits reductions and scans into parts that run in parallel: trees, blocks, lanes.

Independent of levels of threads.
"""

from __future__ import annotations

from functools import lru_cache
from math import isinf
from typing import Final

from elevate import FloatClass
from rise import parse_expr
from rise.checker import Operator
from rise.primitives import PRIMITIVES, with_trait
from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, apply, make_literal
from rise.types import BOOL, FunType, PairType, ScalarType, Type
from strategies.equations.builder import primitive_at
from strategies.equations.laws import Form, cases_of, ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.reductions import (
    IDEMPOTENT,
    MONOIDS,
    is_commutative,
    is_monoid,
    neutral_number,
    operation,
)

#: operations that GPUs execute atomically
ATOMIC: Final = with_trait("atomic")
#: types of numbers for which GPUs have no atomic operations
NARROW_TYPES: Final = frozenset(("bool", "i8", "u8"))


@lru_cache(maxsize=64)
def composition(t: ScalarType) -> Expr:
    """The composition of two functions y -> y * a + b, each given as a pair (a, b) of numbers, as such a pair."""
    pair = f"({t}, {t})"
    found: Expr = parse_expr(f"fun(p: {pair}, q: {pair} => pair(fst(p) * fst(q), snd(p) * fst(q) + snd(q)))")
    return found


@lru_cache(maxsize=64)
def step_of(t: ScalarType) -> Expr:
    """The step y -> y * a + b of a pair (a, b) of numbers."""
    found: Expr = parse_expr(f"fun(y: {t}, p: ({t}, {t}) => y * fst(p) + snd(p))")
    return found


def neutral_to(function: Expr, t: Type) -> Expr | None:
    """The neutral element of an associative operation; None where it is not known."""
    name = operation(function)
    match t:
        case ScalarType() if name in MONOIDS:
            number = neutral_number(name, t)
            return None if number is None else make_literal(number, t)
        case PairType(ScalarType() as number, second) if (
            number == second and number != BOOL and function == composition(number)
        ):
            one, nothing = make_literal(1, number), make_literal(0, number)
            return apply(primitive_at("pair", (number, number)), one, nothing)
    return None


@ensures((Form("f", "fun(a, b => if fst b then pair true (g (snd a) (snd b)) else a)"), Operator("g")))
def is_flagged(function: Expr) -> bool:
    """A function that combines values with flags, as built by `reduceFlagged`: a missing value changes nothing."""
    match function:
        case Lam(
            _,
            _,
            Lam(_, _, App(App(App(Primitive("select"), App(Primitive("fst"), Bound(0))), both), Bound(1))),
        ):
            return _is_of_both(both)
    return False


def is_optional(function: Expr, start: Expr) -> bool:
    """Whether a reduction combines values that may be missing, as built by `startFromNone`, and starts without one."""
    match start, function:
        case (
            App(App(Primitive("pair"), Literal(0)), _),
            Lam(
                a,
                t,
                Lam(
                    b, s, App(App(App(Primitive("select"), App(Primitive("fst"), Bound(1))), both), Bound(0))
                ),
            ),
        ):
            return is_flagged(Lam(a, t, Lam(b, s, both)))
    return False


def _is_of_both(e: Expr) -> bool:
    """`pair true (f (snd a) (snd b))` of the two innermost variables, which f does not mention."""
    match e:
        case App(
            App(Primitive("pair"), Literal(1)),
            App(App(combine, App(Primitive("snd"), Bound(1))), App(Primitive("snd"), Bound(0))),
        ):
            return not combine.mentions & 0b11
    return False


@ensures(*cases_of(is_monoid), (Operator("f", neutral="i"),))
def may_restart(bindings: Bindings) -> bool:
    """An associative operation that starts from its neutral element (add, mul, and, or); or min, max"""
    function, start = bindings.term("f"), bindings.term("i")
    return is_monoid(bindings) or start == neutral_to(function, start.type) or is_optional(function, start)


@ensures((Operator("f", neutral="i"),))
def starts_from_neutral(bindings: Bindings) -> bool:
    """An operation that starts from its neutral element; or a choice that starts from the infinity it never chooses"""
    function, start = bindings.term("f"), bindings.term("i")
    name = operation(function)
    if name in IDEMPOTENT and isinstance(start, Literal) and isinstance(start.value, float):
        return isinf(start.value) and bool(PRIMITIVES[name].meaning(None, start.value, 0.0) == 0)
    return start == neutral_to(function, start.type)


reducePadded = family(
    "reduce f i (xs : n.t) = reduce f i (padCst 0 (k * ceil(n, k) - n) i xs)",
    parameters=("k",),
    why="Pad to whole parts of k: the padding changes nothing.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
reducePaddedInto = family(
    "reduce f i (xs : n.t) = reduce f i (padCst 0 (k * (1 + n / k) - n) i xs)",
    parameters=("k",),
    why="Pad to k equal parts: the padding changes nothing.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
reduceParts = family(
    "reduce f i xs = reduce f i (map (fun(part => reduce f i part)) (split n xs))",
    parameters=("n",),
    why="Reduce parts of n consecutive elements separately, so that they can be reduced at the same time.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
reducePartsInto = family(
    "reduce f i (xs : (m*n).t) = reduce f i (map (fun(part => reduce f i part)) (split n xs))",
    parameters=("m",),
    why="Reduce m parts of consecutive elements separately, so that they can be reduced at the same time.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
reduceTurns = family(
    "reduce f i (xs : (m*v).t) = reduce f i (map (fun(strip => reduce f i (join strip)))"
    " (transpose (split n (padCst 0 (n * ceil(m, n) - m) (generate (fun(j : idx[v] => i))) (split v xs)))))",
    parameters=("n", "v"),
    why="Reduce every n-th block of v elements separately: n threads, each of which reads v elements at once.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
reduceHalves = family(
    "reduce f i (xs : (2*n).t) = reduce f i (map (fun(p => f (idx 0 p) (idx 1 p))) (transpose (split n xs)))",
    parameters=("n",),
    why="Combine the two halves first: one step of a tree in which each thread or lane keeps its place.",
    where=is_commutative,
    float_class=FloatClass.REASSOCIATING,
)


reduceOne = rule(
    "reduce f i (xs : 1.t) = idx 0 xs",
    why="Combine a single result with nothing: the neutral element changes no more than the sign of a zero.",
    where=starts_from_neutral,
    float_class=FloatClass.REASSOCIATING,
)
reducePairs = rule(
    "reduce f i xs = reduce f i (map (fun(p => f (idx 0 p) (idx 1 p))) (split 2 xs))",
    why="Combine neighbours first: one step of a tree that keeps their order.",
    float_class=FloatClass.REASSOCIATING,
)
reduceFlagged = rule(
    "reduce f i xs = snd (reduce (fun(a, b => if fst b then pair true (f (snd a) (snd b)) else a)) (pair true i)"
    " (map (fun(x => pair true x)) xs))",
    why="Flag each value as present, so that a value may be missing.",
)
startFromNone = rule(
    "reduce f (pair true i) xs"
    " = f (pair true i) (reduce (fun(a, b => if fst a then f a b else b)) (pair false i) xs)",
    why="Add a neutral element, the missing value, to an operation that has none.",
    float_class=FloatClass.REASSOCIATING,
    of={"f": is_flagged},
)


def is_atomic(bindings: Bindings) -> bool:
    """An operation that GPUs execute atomically (add, min, max), on numbers of 16 bits or more"""
    t = bindings.term("i").type
    return (
        operation(bindings.term("f")) in ATOMIC and isinstance(t, ScalarType) and t.name not in NARROW_TYPES
    )


reduceByBlocks = family(
    "reduce f i xs = reduceBlockAtomic d f i xs",
    parameters=("d",),
    why="Combine the result of each block atomically, in any order, instead of in a second kernel.",
    where=is_atomic,
    float_class=FloatClass.REASSOCIATING,
)
reduceByThreads = family(
    "reduce f i xs = reduceThreadsAtomic d f i xs",
    parameters=("d",),
    why="Combine the result of each thread atomically, in any order, instead of in a tree.",
    where=is_atomic,
    float_class=FloatClass.REASSOCIATING,
)
scanPadded = family(
    "scan f i (xs : n.t) = take n (scan f i (padCst 0 (k * ceil(n, k) - n) i xs))",
    parameters=("k",),
    why="Scan an array padded to full parts of k, and drop the excess.",
)
scanPaddedInto = family(
    "scan f i (xs : n.t) = take n (scan f i (padCst 0 (k * (1 + n / k) - n) i xs))",
    parameters=("k",),
    why="Scan an array padded to k equal parts, and drop the excess.",
)
splitScan = family(
    "scan f i (xs : (m*n).t) = join (map (fun(q => scan f (fst q) (snd q)))"
    " (zip (take m (padCst 1 0 i (scan (fun(y, part => reduce f y part)) i (split n xs)))) (split n xs)))",
    parameters=("n",),
    why="Scan parts of n at the same time, each from the reduction of all parts before it.",
)
scanRest = family(
    "scan f i (xs : m.t) = concat (scan f i (take (n * (m / n)) xs))"
    " (scan f (reduce f i (take (n * (m / n)) xs)) (drop (n * (m / n)) xs))",
    parameters=("n",),
    why="Scan whole parts of n, then the remainder.",
)
splitScanInto = family(
    "scan f i (xs : (m*n).t) = (fun(parts => join (map (fun(q => scan f (fst q) (snd q)))"
    " (zip (take m (padCst 1 0 i (scan (fun(y, part => reduce f y part)) i parts))) parts)))) (split n xs)",
    parameters=("m",),
    why="Scan m equal parts at the same time, each from the reduction of all parts before it; name the parts.",
)
scanReduced = rule(
    "scan (fun(y, part => reduce f y part)) i xs = scan f i (map (fun(part => reduce f i part)) xs)",
    why="Reduce parts separately, so that they can be reduced at the same time, and scan the results.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
scanWindows = rule(
    "scan f i (xs : (1+m).t) = map (fun(w => reduce f i w)) (slide (1+m) 1 (padCst m 0 i xs))",
    why="Compute each result separately, as a reduction of the elements up to it.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
doubleWindows = family(
    "map (fun(w => reduce f i w)) (slide (2*d) 1 (padCst (2*d-1) 0 i (xs : (1+m).t)))"
    " = (fun(ys => map (fun(p => f (fst p) (snd p))) (zip (take (1+m) (padCst d 0 i ys)) ys)))"
    " (map (fun(w => reduce f i w)) (slide d 1 (padCst (d-1) 0 i xs)))",
    parameters=("d",),
    why="Build a window of 2 d elements from two windows of d, so that each step doubles the size.",
    where=may_restart,
    float_class=FloatClass.REASSOCIATING,
)
singleWindows = rule(
    "map (fun(w => reduce f i w)) (slide 1 1 xs) = map (fun(x => f i x)) xs",
    why="Reducing a single element combines it with the initial value.",
)
nameSteps = rule(
    "scan (fun(y, x => y * a + b)) i xs = scan (fun(y, p => y * fst p + snd p)) i (map (fun(x => pair a b)) xs)",
    why="Represent steps y -> y * a + b as pairs of numbers, which can be combined before y is known.",
)


@ensures(
    (
        Form("f", "fun(y, p => y * fst p + snd p)"),
        Operator("mul", neutral=1, commutes=True, over="add"),
    )
)
def isLinearStep(e: Expr) -> bool:
    """The step y -> y * a + b of a pair (a, b) of numbers."""
    t = e.type.parameter if isinstance(e.type, FunType) else e.type
    return isinstance(t, ScalarType) and t != BOOL and e == step_of(t)


combineSteps = rule(
    "scan f i xs = map (fun(p => f i p))"
    " (scan (fun(p, q => pair (fst p * fst q) (f (snd p) q))) (pair 1 0) xs)",
    why="Combine consecutive steps into one by an associative operation.",
    float_class=FloatClass.REASSOCIATING,
    of={"f": isLinearStep},
)


@ensures((Operator("f", neutral="neutral"),))
def itsNeutral(bindings: Bindings) -> Expr | None:
    """An operation with a known neutral element"""
    return neutral_to(bindings.term("f"), bindings.term("i").type)


@ensures(
    (Operator("f", neutral="start"),), (Operator("f", commutes=True, idempotent=True), Form("start", "i"))
)
def itsNeutralOrStart(bindings: Bindings) -> Expr | None:
    """An operation with a known neutral element, or one to which the start value may be given twice"""
    if operation(bindings.term("f")) in IDEMPOTENT:
        return bindings.term("i")
    return itsNeutral(bindings)


startOutside = rule(
    "scan f i xs = map (fun(x => f i x)) (scan f start xs)",
    also=("reduce f i xs = f i (reduce f neutral xs)",),
    why="Start before the initial value is known, and combine it with each result afterwards.",
    float_class=FloatClass.REASSOCIATING,
    compute={"start": itsNeutralOrStart, "neutral": itsNeutral},
)


def has_strips(bindings: Bindings) -> bool:
    """A known number of elements, which the number of strips divides"""
    size, strips = bindings.size("m").constant, bindings.size("n").constant
    return size is not None and strips is not None and strips > 0 and size % strips == 0


stripMap = family(
    "map f (xs : m.t) = join (transpose (map (fun(strip => map f strip)) (transpose (split n xs))))",
    parameters=("n",),
    why="Cut a loop into n strips of every n-th element, so that adjacent threads work on adjacent elements.",
    where=has_strips,
    demands=("n divides m",),
)
padCstNothing = rule("padCst 0 0 c xs = xs", why="Remove padding by no elements.")
mapTake = rule("map f (take n xs) = take n (map f xs)", why="Drop the excess last, where it is not stored.")
