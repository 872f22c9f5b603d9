"""Unrolls sums of a few numbers, and simplifies or separates known weights.

Depends on reductions and literals, not on windows.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isfinite, lcm
from typing import Any

from elevate import FloatClass
from rise.naturals import Nat
from rise.terms import Expr, Literal, Primitive, apply, make_literal, spine
from rise.types import ArrayType, ScalarType
from strategies.equations.applications import array_type, element_at, elements_of
from strategies.equations.builder import primitive_at
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.sliding import dot_step, isDotStep
from strategies.rules.vector_terms import MAX_LANE_ELEMENTS
from strategies.vocabulary.traversals import FOLDED


def _short_reduction(term: Any) -> tuple[Expr, Expr, Expr, int] | None:
    """The function, start, array and length of a reduction of few elements."""
    if term.root not in FOLDED:
        return None
    function, start, xs = spine(term)[1]
    if not (isinstance(function, Expr) and isinstance(start, Expr) and isinstance(xs, Expr)):
        return None
    size = xs.type.size if isinstance(xs.type, ArrayType) else None
    length = size.constant if isinstance(size, Nat) else None
    return (
        (function, start, xs, int(length)) if length is not None and 0 < length <= MAX_LANE_ELEMENTS else None
    )


def _sum(term: Any) -> Expr | None:
    reduction = _short_reduction(term)
    if reduction is None:
        return None
    function, start, xs, length = reduction
    t = start.type
    if not isinstance(t, ScalarType) or not (isinstance(function, Primitive) and function.name == "add"):
        return None
    if not (isinstance(start, Literal) and start.value == 0):
        return None
    terms = [element_at(xs, number) for number in range(length)]
    total = terms[0]
    for element in terms[1:]:
        total = apply(primitive_at("add", (t,)), total, element)
    return total


sumWrittenOut = rule(
    "reduce add 0.0 (xs : n.t) = idx 0 xs + ... + idx (n - 1) xs, where n is known and small",
    why="Sum a few elements without a loop, and without the initial zero.",
    float_class=FloatClass.REASSOCIATING,
    by=_sum,
    roots=tuple(sorted(FOLDED)),
)


def _weigh(term: Any) -> Expr | None:
    reduction = _short_reduction(term)
    if reduction is None:
        return None
    function, start, pairs, length = reduction
    t = start.type
    if not isinstance(t, ScalarType) or pairs.root != ("zip", 2) or function != dot_step(t):
        return None
    weights = _literals(spine(pairs)[1][0])
    if not (isinstance(start, Literal) and start.value == 0) or weights is None or len(weights) != length:
        return None
    xs = pairs.children[1]
    assert isinstance(xs, Expr)
    total: Expr | None = None
    for weight, number in sorted(((w, n) for n, w in enumerate(weights)), key=lambda entry: entry[0] < 0):
        if weight == 0:
            continue
        value = element_at(xs, number)
        if total is None or abs(weight) != 1:
            size = weight if total is None else abs(weight)
            value = value if size == 1 else apply(primitive_at("mul", (t,)), make_literal(size, t), value)
        total = (
            value
            if total is None
            else apply(primitive_at("sub" if weight < 0 else "add", (t,)), total, value)
        )
    return total


def _literals(e: Any) -> list[float] | None:
    elements = elements_of(e)
    if elements is None or not all(isinstance(element, Literal) for element in elements):
        return None
    return [float(element.value) for element in elements if isinstance(element, Literal)]


weightsWrittenOut = rule(
    "reduceSeq (fun(acc, p => acc + fst p * snd p)) 0.0 (zip [a, b, c] xs)"
    " = a * idx 0 xs + b * idx 1 xs + c * idx 2 xs,"
    " where the weights are literals; elements with the weight 0 are omitted, and so are the factors 1 and -1",
    why="Weight elements without a loop, and omit arithmetic that changes nothing.",
    float_class=FloatClass.APPROXIMATE,
    by=_weigh,
    roots=(("reduceSeq", 3),),
)


def _outer_product(weights: list[float], rows: int) -> tuple[list[Fraction], list[Fraction]] | None:
    """The factors of a matrix of weights, given row by row, that is the product of a column and a row: its rows'
    factors and its columns', of which the latter are integers; None for other matrices.
    """
    columns = len(weights) // rows
    matrix = [[Fraction(w) for w in weights[n : n + columns]] for n in range(0, len(weights), columns)]
    row = next((row for row in matrix if any(row)), None)
    if row is None:
        return None
    whole = lcm(*(w.denominator for w in row))
    across = [w * whole / gcd(*(int(w * whole) for w in row)) for w in row]
    across = [-w for w in across] if sum(across) < 0 else across
    pivot = next(n for n, w in enumerate(across) if w)
    down = [row[pivot] / across[pivot] for row in matrix]
    return (down, across) if matrix == [[v * h for h in across] for v in down] else None


def _factors(bindings: Bindings) -> tuple[Expr, Expr] | None:
    """The weights of rows and of columns as arrays, if their products, rounded, are the weights of the window."""
    weights, window = _literals(bindings.term("ws")), array_type(bindings.term("window"))
    rows, t = window.size.constant, window.element.element if isinstance(window.element, ArrayType) else None
    if weights is None or not rows or not isinstance(t, ScalarType) or not all(map(isfinite, weights)):
        return None
    factors = _outer_product(weights, int(rows))
    if factors is None:
        return None
    down, across = ([make_literal(w, t) for w in part] for part in factors)
    products = [make_literal(float(v.value) * float(h.value), t).value for v in down for h in across]
    if products != weights:
        return None
    return _array(down, t), _array(across, t)


def _array(elements: list[Literal], t: ScalarType) -> Expr:
    return apply(primitive_at(f"makeArray{len(elements)}", (t,)), *elements)


def itsRowWeights(bindings: Bindings) -> Expr | None:
    """Weights that are products of a weight for each row and one for each column"""
    factors = _factors(bindings)
    return None if factors is None else factors[0]


def itsColumnWeights(bindings: Bindings) -> Expr | None:
    """Weights that are products of a weight for each row and one for each column"""
    factors = _factors(bindings)
    return None if factors is None else factors[1]


weightsAsProducts = rule(
    "reduceSeq f 0.0 (zip ws (join window))"
    " = reduceSeq f 0.0 (zip (join (map (fun(a => map (fun(b => a * b)) across)) down)) (join window))",
    why="Write the known weights of a window as products of weights for its rows and its columns, as separation needs.",
    of={"f": isDotStep},
    compute={"down": itsRowWeights, "across": itsColumnWeights},
    names=("ws", "window"),
)
