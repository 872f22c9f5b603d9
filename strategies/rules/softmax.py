"""Online softmax: sums with the weights of a softmax in one pass, which rescales them when a greater maximum appears.

The state is a maximum and sums of exponentials relative to it. Such states form a monoid: two of them are combined by
rescaling both to the greater maximum (Milakov and Gimelshein 2018; Dao et al. 2022, section 3.1). Rows with the score
-inf have the weight 0, even before a greater score appears; if none appears, sums are NaN, as in the definition.
"""

from __future__ import annotations

from typing import Final

from elevate import FloatClass
from strategies.equations.rule import family, rule


def _sums(weight: str, quotient: str) -> str:
    """The sum of the rows of `vs` with weights from the maximum of `xs` and the total of its exponentials."""
    return (
        "(fun(top => (fun(total => map (fun(column => f[reduce add 0.0"
        f" (map (fun(p => {weight} * snd p)) (zip xs column)){quotient}])) (transpose vs)))"
        f" (reduce add 0.0 (map (fun(x => exp (x - top))) xs)))) (reduce max (-inf) (xs : n.f32))"
    )


def _online(divisor: str) -> str:
    """The same in one pass: an earlier total is dropped instead of rescaled if all of its scores are -inf."""
    return (
        f" = (fun(state => (fun(total => map (fun(sum => f[sum / {divisor}])) (snd (snd state)))) (fst (snd state))))"
        " (reduceSeq (fun(acc, p => (fun(top => pair top (pair"
        " ((if fst acc == -inf then 0.0 else fst (snd acc) * exp (fst acc - top)) + exp (fst p - top))"
        " ((fun(old, new => map (fun(q => fst q * old + new * snd q)) (zip (snd (snd acc)) (snd p))))"
        " (if fst acc == -inf then 0.0 else exp (fst acc - top)) (if fst p == -inf then 0.0 else exp (fst p - top))))))"
        " (max (fst acc) (fst p))))"
        " (pair (-inf) (pair 0.0 (generate (fun(i => 0.0))))) (zip xs vs))"
    )


onlineSoftmax = rule(
    _sums("exp (fst p - top)", " / total") + _online("total"),
    also=(_sums("exp (fst p - top) / total", "") + _online("max total 1.0"),),
    why="Sum rows with the weights of a softmax in one pass, so that the weights are never stored.",
    float_class=FloatClass.APPROXIMATE,
)


def _named(body: str, **values: str) -> str:
    """A body that uses named values; the first is named outermost."""
    for name, value in reversed(values.items()):
        body = f"(fun({name} => {body})) ({value})"
    return body


def _in_blocks(start: str) -> str:
    """The same with `b` scores in each step; `start` is the total before the first score.

    The state consists of sums, their total and the maximum to which they are relative, or 0 while that is -inf.
    """
    sums = (
        "map (fun(q => fst q * old + reduce add 0.0 (map (fun(m => fst m * snd m)) (zip weights (snd q)))))"
        " (zip (fst acc) (transpose (snd block)))"
    )
    step = _named(
        f"pair ({sums}) (pair (fst (snd acc) * old + reduce add 0.0 weights) top)",
        scores="fst block",
        top="max (snd (snd acc)) (reduce max (-inf) scores)",
        old="exp (snd (snd acc) - (if top == -inf then 0.0 else top))",
        weights="map (fun(x => exp (x - (if top == -inf then 0.0 else top)))) scores",
    )
    scores = "split b (padCst 0 (b * ceil(n, b) - n) (-inf) xs)"
    values = (
        "split b (transpose (map (fun(column => padCst 0 (b * ceil(n, b) - n) 0.0 column)) (transpose vs)))"
    )
    starts = f"pair (map (fun(column => 0.0)) (transpose vs)) (pair {start} (-inf))"
    return " = " + _named(
        "map (fun(sum => f[sum / fst (snd state)])) (fst state)",
        state=f"reduceSeq (fun(acc, block => {step})) ({starts}) (zip ({scores}) ({values}))",
    )


onlineSoftmaxBlocks = family(
    _sums("exp (fst p - top)", " / total") + _in_blocks("0.0"),
    parameters=("b",),
    why="Sum rows with the weights of a softmax, b rows per step, so that many scores can share what they read.",
    float_class=FloatClass.APPROXIMATE,
)
onlineSoftmaxBlocksDivided = family(
    _sums("exp (fst p - top) / total", "") + _in_blocks("1.0"),
    parameters=("b",),
    why="As `onlineSoftmaxBlocks`, for weights divided by their total: without scores, the sums are 0 and not NaN.",
    float_class=FloatClass.APPROXIMATE,
)
_WEIGHT: Final = "exp (x - (if top == -inf then 0.0 else top))"
roundWeights = rule(
    f"(fun(top => f[map (fun(x => {_WEIGHT})) xs])) (max m (reduce max (-inf) xs))"
    f" = (fun(top => f[map (fun(x => cast{{f32}} (cast{{f16}} ({_WEIGHT})))) xs])) (max m (reduce max (-inf) xs))",
    why="Round weights, which are at most 1, to f16, so that tensor cores can multiply them.",
    float_class=FloatClass.APPROXIMATE,
    names=("top",),
)
roundedPowerOfTwo = rule(
    "cast{f16} (exp (x : f32)) = cast{f16} (exp2 (1.44269504 * x))",
    why="Compute an exponential by the instruction for powers of two; rounding to f16 is the greater error.",
    float_class=FloatClass.APPROXIMATE,
)
