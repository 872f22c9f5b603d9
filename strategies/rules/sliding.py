"""Windows of windows, parts of windows, and windows with separable weights. Depends on `slide`, but not on loops."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from elevate import FloatClass
from rise import parse_expr
from rise.checker import Operator
from rise.terms import Expr
from rise.types import FunType, ScalarType
from strategies.equations.laws import Form, ensures
from strategies.equations.rule import family, rule
from strategies.rules.reductions import is_monoid

slideOverlap = family(
    "slide u s (xs : (s * (t * q - 1) + u).e)"
    " = join (map (fun(tile => slide u s tile)) (slide ((t - 1) * s + u) (t * s) xs))",
    parameters=("t",),
    why="Split windows into overlapping tiles of t, which divides their number, so that every tile is full.",
)
slideBeforeSlide = rule(
    "slide (1 + m) k (slide n 1 (xs : (k * b + m + n).t))"
    " = map (fun(window => slide n 1 window)) (slide (m + n) k xs)",
    why="Replace windows of windows by windows of the part of the array that they cover together.",
)
takeInSlide = rule(
    "map (fun(window => take k window)) (slide (k + m) s (xs : (s * c + k + m).t)) = slide k s (take (s * c + k) xs)",
    why="Slide over less where only the first of each window is read.",
)
dropInSlide = rule(
    "map (fun(window => drop k window)) (slide (k + m) s (xs : (s * c + k + m).t)) = slide m s (drop k xs)",
    why="Slide over less where only the last of each window is read.",
)


@lru_cache(maxsize=16)
def dot_step(t: ScalarType) -> Expr:
    """The step of a dot product."""
    found: Expr = parse_expr(f"fun(acc: {t}, p: ({t}, {t}) => acc + fst(p) * snd(p))")
    return found


@ensures(
    (
        Form("f", "fun(acc, p => acc + fst p * snd p)"),
        Operator("mul", neutral=1, commutes=True, over="add"),
    )
)
def isDotStep(e: Expr) -> bool:
    """The step of a dot product of numbers: acc + fst p * snd p."""
    t = e.type.parameter if isinstance(e.type, FunType) else e.type
    return isinstance(t, ScalarType) and e == dot_step(t)


_WEIGHTS: Final = "join (map (fun(a => map (fun(b => a * b)) hs)) vs)"
_WEIGHED: Final = f"reduceSeq f 0.0 (zip ({_WEIGHTS}) (join window)) = reduceSeq f 0.0"
separateDotHV = rule(
    f"{_WEIGHED} (zip vs (map (fun(row => reduceSeq f 0.0 (zip hs row))) window))",
    why="If weights are products, weight each row first: a sum for each row instead of each element.",
    float_class=FloatClass.REASSOCIATING,
    of={"f": isDotStep},
    names=("window",),
)
separateDotVH = rule(
    f"{_WEIGHED} (zip hs (map (fun(column => reduceSeq f 0.0 (zip vs column))) (transpose window)))",
    why="If weights are products, weight the columns first, so that neighbouring windows share the results.",
    float_class=FloatClass.REASSOCIATING,
    of={"f": isDotStep},
    names=("window",),
)
separateSumHV = rule(
    "reduce f i (join xs) = reduce f i (map (fun(row => reduce f i row)) xs)",
    why="Sum rows, then their sums.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
separateSumVH = rule(
    "reduce f i (join xs) = reduce f i (map (fun(column => reduce f i column)) (transpose xs))",
    why="Sum columns, then their sums, which neighbouring windows share.",
    where=is_monoid,
    float_class=FloatClass.REASSOCIATING,
)
