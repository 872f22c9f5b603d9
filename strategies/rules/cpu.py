"""Rules for loops on CPUs with vector units: interchange, reordered sums, operations on vectors."""

from __future__ import annotations

from typing import Any, Final

from elevate import FloatClass
from rise.checker import Operator
from rise.naturals import ZERO, Nat
from rise.primitives import with_trait
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, apply, mention, spine
from rise.types import ScalarType, VectorType
from strategies.equations.applications import array_type, map_of, operands, projected, zip_of
from strategies.equations.builder import primitive_at
from strategies.equations.laws import Form, ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.reductions import IDEMPOTENT, MONOIDS
from strategies.rules.vector_terms import lanes_of

#: functions of numbers that exist for vectors, too
LANEWISE: Final = with_trait("lanewise")


@ensures((Form("f", "fun(a, z => op (a : v) ((g z) : v))"), Operator("op", commutes=True)))
def accumulates(bindings: Bindings) -> bool:
    """A function that combines its accumulator with an independent value by an associative, commutative operation"""
    match bindings.term("f"):
        case Lam(_, _, Lam(_, _, App(App(Primitive(name, _, _), Bound(1, _)), value))):
            ours, outer = mention(1), mention(3)  # the accumulators of f and of the enclosing loop
            return (name in MONOIDS or name in IDEMPOTENT) and not value.mentions & (ours | outer)
        case Primitive(name, _, _):
            return name in MONOIDS or name in IDEMPOTENT
    return False


sinkReduceSeq = rule(
    "reduceSeq (fun(acc, y => map (fun(p => f)) (zip acc (zs)))) i ys"
    " = map (fun(q => reduceSeq (fun(a, x => (fun(p => f)) (pair a x))) (fst q) (snd q)))"
    " (zip i (transpose (map (fun(y => zs)) ys)))",
    why="Reduce each row separately: the loop over the reduced dimension comes inside.",
)
sinkReduceSeqDependent = rule(
    "reduceSeq (fun(acc, y => map (fun(p => f)) (zip acc (zs)))) i ys"
    " = map (fun(q => reduceSeq (fun(a, xy => (fun(y, p => f) (snd xy) (pair a (fst xy)))))"
    " (fst q) (zip (snd q) ys))) (zip i (transpose (map (fun(y => zs)) ys)))",
    why="Reduce each row separately, with the values that the steps of the reduction share.",
)
swapReduceSeq = rule(
    "reduceSeq (fun(acc, y => reduceSeq f acc (zs))) i ys"
    " = reduceSeq (fun(acc, row => reduceSeq f acc row)) i (transpose (map (fun(y => zs)) ys))",
    why="Swap two loops of a reduction, which changes the order of the additions.",
    where=accumulates,
    float_class=FloatClass.REASSOCIATING,
)
joinSplitArray = family(
    "(xs : (m*b).t) = join (split b xs)",
    parameters=("b",),
    why="View an array as blocks of b.",
)
splitJoinCancel = rule(
    "split m (join (xs : n.m.t)) = xs", why="Remove a split of joined blocks of the same size."
)
transposeRowsTwice = rule(
    "(xs : n.m.k.t) = map (fun(block => transpose block)) (map (fun(block => transpose block)) xs)",
    why="Store every block by columns.",
)
callToLet = rule(
    "(fun(x => f)) v = let v (fun(x => f))",
    why="Name a value by `let`, which only lowering removes.",
)


def _vector_operation(term: Any) -> Expr | None:
    """Apply the operation to vectors instead of numbers. Each operand that varies becomes a loop, read as vectors."""
    match term:
        case App(DepApp(_, Nat() as v), App(App(Primitive("map"), Lam(name, t, body)), xs)) if v is not ZERO:
            head, arguments = spine(body)[0], operands(body)
        case _:
            return None
    if body == Bound(0, t):
        vectors = lanes_of(xs, v)
        element = array_type(vectors).element
        return map_of(Lam(name, element, Bound(0, element)), vectors)
    if not isinstance(head, Primitive) or head.name not in LANEWISE or len(head.implicits) != 1:
        return None
    varying = [e for e in arguments if e.mentions & mention(0)]
    if not varying or not isinstance(body.type, ScalarType):
        return None
    *before, zipped = [lanes_of(map_of(Lam(name, t, e), xs), v) for e in varying]
    for vectors in reversed(before):
        zipped = zip_of(vectors, zipped)
    element = array_type(zipped).element
    paths = [("snd",) * place + ("fst",) for place in range(len(before))]
    lanes = iter(projected(Bound(0, element), path) for path in (*paths, ("snd",) * len(before)))
    vectors_or_repeated = [
        next(lanes) if e in varying else App(primitive_at("vectorFromScalar", (v, e.type)), e)
        for e in arguments
    ]
    on_vectors = primitive_at(head.name, (VectorType(v, body.type),))
    return map_of(Lam(name, element, apply(on_vectors, *vectors_or_repeated)), zipped)


vectorOperation = rule(
    "asVector v (map (fun(x => f + g)) xs)"
    " = map (fun(p => fst p + snd p)) (zip (asVector v (map (fun(x => f)) xs)) (asVector v (map (fun(x => g)) xs))),"
    " and likewise for other operations; an operand that does not mention x becomes a vector of equal numbers",
    why="Apply an operation to v numbers at once.",
    by=_vector_operation,
    roots=(("asVector", 1),),
)
