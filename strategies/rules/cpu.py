"""Rules for loops on CPUs with vector units: interchange, reordered sums, operations on vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from elevate import FloatClass
from rise.naturals import Nat, exact_quotient
from rise.primitives import with_trait
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, apply, mention, spine
from rise.types import ArrayType, PairType, ScalarType, VectorType
from strategies.equations.builder import primitive_at
from strategies.equations.matcher import Bindings
from strategies.equations.rule import family, rule
from strategies.rules.reductions import IDEMPOTENT, MONOIDS

#: functions of numbers that vectors have too
LANEWISE: Final = with_trait("lanewise")


def accumulates(bindings: Bindings) -> bool:
    """A function that combines what it has with something else by an associative, commutative operation"""
    match bindings.term("f"):
        case Lam(_, _, Lam(_, _, App(App(Primitive(name, _, _), Bound(1, _)), value))):
            return (name in MONOIDS or name in IDEMPOTENT) and not value.mentions & mention(1)
        case Primitive(name, _, _):
            return name in MONOIDS or name in IDEMPOTENT
    return False


sinkReduceSeq = rule(
    "reduceSeq (fun(acc, y => map (fun(p => f)) (zip acc (zs)))) i ys"
    " = map (fun(q => reduceSeq (fun(a, x => (fun(p => f)) (pair a x))) (fst q) (snd q)))"
    " (zip i (transpose (map (fun(y => zs)) ys)))",
    why="Reduce each row by itself: the loop over the reduced dimension comes inside.",
)
sinkReduceSeqDependent = rule(
    "reduceSeq (fun(acc, y => map (fun(p => f)) (zip acc (zs)))) i ys"
    " = map (fun(q => reduceSeq (fun(a, xy => (fun(y, p => f) (snd xy) (pair a (fst xy)))))"
    " (fst q) (zip (snd q) ys))) (zip i (transpose (map (fun(y => zs)) ys)))",
    why="Reduce each row by itself, with what the steps of the reduction share.",
)
swapReduceSeq = rule(
    "reduceSeq (fun(acc, y => reduceSeq f acc (zs))) i ys"
    " = reduceSeq (fun(acc, row => reduceSeq f acc row)) i (transpose (map (fun(y => zs)) ys))",
    why="Swap two loops of a reduction: the sums are taken in another order.",
    where=accumulates,
    float_class=FloatClass.REASSOCIATING,
)
joinSplitArray = family(
    "(xs : (m*b).t) = join (split b xs)",
    parameters=("b",),
    why="See an array as blocks of b.",
)
splitJoinCancel = rule(
    "split m (join (xs : n.m.t)) = xs", why="Blocks of what was joined of blocks are these."
)
transposeRowsTwice = rule(
    "(xs : n.m.k.t) = map (fun(block => transpose block)) (map (fun(block => transpose block)) xs)",
    why="Keep every block by its columns.",
)
callToLet = rule(
    "(fun(x => f)) v = let v (fun(x => f))",
    why="Say that a value is computed once, and named.",
)


def _vector_operation(term: Any) -> Expr | None:
    """The operation of vectors in place of that of numbers."""
    match term:
        case App(DepApp(Primitive("asVector", _, _), Nat() as lanes), mapped):
            match mapped:
                case App(App(Primitive("map", _, _), Lam(_, _, body) as function), xs):
                    return _on_vectors(function, body, xs, lanes)
    return None


def _on_vectors(function: Lam, body: Expr, xs: Expr, lanes: Nat) -> Expr | None:
    """One operation of a loop's body on vectors; its operands stay loops of their own, read as vectors."""
    if isinstance(body, Bound) and body.index == 0:
        return _mapped(function.name, [_read_as_vectors(xs, lanes)], lambda parts: parts[0])
    head, found = spine(body)
    operands = [one for one in found if isinstance(one, Expr)]
    if not isinstance(head, Primitive) or head.name not in LANEWISE or len(head.implicits) != 1:
        return None
    varies = [bool(one.mentions & mention(0)) for one in operands]
    if not any(varies) or not isinstance(body.type, ScalarType):
        return None
    operation = primitive_at(head.name, (VectorType(lanes, body.type),))
    arrays = [
        _read_as_vectors(_map_of(function, one, xs), lanes)
        for one, is_own in zip(operands, varies, strict=True)
        if is_own
    ]

    def combined(parts: list[Expr]) -> Expr:
        own = iter(parts)
        vectors = [
            next(own) if is_own else _repeated(one, lanes)
            for one, is_own in zip(operands, varies, strict=True)
        ]
        return apply(operation, *vectors)

    return _mapped(function.name, arrays, combined)


def _map_of(function: Lam, body: Expr, xs: Expr) -> Expr:
    """`map (fun(x => body)) xs`."""
    array = xs.type
    assert isinstance(array, ArrayType)
    head = primitive_at("map", (array.size, array.element, body.type))
    return apply(head, Lam(function.name, function.parameter, body), xs)


def _read_as_vectors(xs: Expr, lanes: Nat) -> Expr:
    """`asVector lanes xs`."""
    array = xs.type
    assert isinstance(array, ArrayType)
    head = primitive_at("asVector", (exact_quotient(array.size, lanes), array.element))
    return App(DepApp(head, lanes), xs)


def _repeated(number: Expr, lanes: Nat) -> Expr:
    """`vectorFromScalar number`."""
    return App(primitive_at("vectorFromScalar", (lanes, number.type)), number)


def _mapped(name: str, arrays: list[Expr], combined: Callable[[list[Expr]], Expr]) -> Expr:
    """The map, over the zip of the arrays, of what `combined` makes of an element of each."""
    *before, zipped = arrays
    for one in reversed(before):
        a, b = one.type, zipped.type
        assert isinstance(a, ArrayType) and isinstance(b, ArrayType)
        zipped = apply(primitive_at("zip", (a.size, a.element, b.element)), one, zipped)
    array = zipped.type
    assert isinstance(array, ArrayType)
    parts: list[Expr] = []
    rest: Expr = Bound(0, array.element)
    for _ in before:
        pair = rest.type
        assert isinstance(pair, PairType)
        parts.append(App(primitive_at("fst", (pair.first, pair.second)), rest))
        rest = App(primitive_at("snd", (pair.first, pair.second)), rest)
    body = combined([*parts, rest])
    return apply(
        primitive_at("map", (array.size, array.element, body.type)), Lam(name, array.element, body), zipped
    )


vectorOperation = rule(
    "asVector v (map (fun(x => f + g)) xs)"
    " = map (fun(p => fst p + snd p)) (zip (asVector v (map (fun(x => f)) xs)) (asVector v (map (fun(x => g)) xs))),"
    " and alike for other operations; what does not mention x becomes a vector of equal numbers",
    why="Do an operation on v numbers at once.",
    by=_vector_operation,
    roots=(("asVector", 1),),
)
