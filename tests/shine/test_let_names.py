"""Values keep the names that programs give them, up to the printed C and CUDA, also where they are computed row by row.

`tests/cases/test_let_names.py` has the names of the cases. Compiles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
import strategies
from tests.cases.stages import passed_term, printed
from tests.examples import some
from tests.shine.executors import in_turn

D, E, K, L, M, N = rise.sizes("D E K L M N")
f32 = rise.f32

SEQUENTIAL: Final = "strategies.sequential:sequential"
GPU: Final = "strategies.gpu:blocksAndThreads"
STRATEGIES: Final = ("strategies.openmp:parallel", SEQUENTIAL, GPU)
#: programs, and those of their names that occur in each of their texts: all but names of values that are used once
TEXTS: Final = {
    "windows read a named array": (
        "fun(xs: (N + 2).f32 => let energies = (xs |> map(exp)) in"
        " energies |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
        {"energies"},
    ),
    "names for whole arrays": (
        "fun(x: N.M.f32 => let e = (x |> map(map(fun(v => exp(v))))) in"
        " let totals = (e |> transpose |> map(fun(c => c |> reduce(add, 0.0)))) in"
        " e |> map(fun(r => zip(r, totals) |> map(fun(p => fst(p) / snd(p))))))",
        {"e", "totals"},
    ),
    "names in a loop": (
        "fun(x: N.M.f32 => x |> map(fun(row => let top = (row |> reduce(max, -inf)) in"
        " let e = (row |> map(fun(v => exp(v - top)))) in let total = (e |> reduce(add, 0.0)) in"
        " e |> map(fun(v => v / total)))))",
        {"top", "e", "total"},
    ),
    "the parts of a named pair": (
        "fun(x: N.M.f32 => x |> map(fun(row =>"
        " let stats = pair(row |> reduce(add, 0.0), row |> map(fun(v => v * v)) |> reduce(add, 0.0)) in"
        " row |> map(fun(v => (v - fst(stats)) / snd(stats))))))",
        {"stats_1st", "stats_2nd"},
    ),
    "whole arrays that are computed row by row": (
        "fun(x: N.M.f32 => let e = (x |> map(map(fun(v => exp(v))))) in"
        " let totals = (e |> map(fun(r => r |> reduce(add, 0.0)))) in"
        " zip(e, totals) |> map(fun(p => fst(p) |> map(fun(v => v / snd(p))))))",
        {"e", "totals"},
    ),
    "three whole arrays that are computed row by row": (
        "fun(x: N.M.f32 => let means = (x |> map(fun(r => (r |> reduce(add, 0.0)) / 3.0))) in"
        " let centred = (zip(x, means) |> map(fun(p => fst(p) |> map(fun(v => v - snd(p)))))) in"
        " let squares = (centred |> map(fun(r => r |> map(fun(v => v * v)) |> reduce(add, 0.0)))) in"
        " zip(centred, squares) |> map(fun(p => fst(p) |> map(fun(v => v / sqrt(snd(p)))))))",
        {"means", "centred", "squares"},
    ),
    "a factor of a matrix product": (
        "fun(a: N.K.f32, b: K.M.f32, c: M.L.f32 => let hidden = (a |> map(fun(r => b |> transpose |> map(fun(c =>"
        " max(0.0, zip(r, c) |> map(mul) |> reduce(add, 0.0))))))) in"
        " hidden |> map(fun(r => c |> transpose |> map(fun(d => zip(r, d) |> map(mul) |> reduce(add, 0.0))))))",
        {"hidden"},
    ),
    "a sum that is computed again in each row": (
        "fun(x: N.M.f32, w: M.f32 => let weights = (w |> map(exp)) in"
        " x |> map(fun(r => let weighed = (zip(r, weights) |> map(mul) |> reduce(add, 0.0)) in"
        " r |> map(fun(v => v / weighed)))))",
        {"weights", "weighed"},
    ),
    "a scan and a sum": (
        "fun(xs: N.f32 => let prefix = (xs |> scan(add, 0.0)) in let total = (xs |> reduce(add, 0.0)) in"
        " prefix |> map(fun(v => v / total)))",
        {"prefix", "total"},
    ),
}


def softmax(x: f32[N, M]):
    top = x.max(axis=1, keepdims=True)
    shifted = np.exp(x - top)
    total = shifted.sum(axis=1, keepdims=True)
    return shifted / total


def layer_norm(x: f32[N, M]):
    mean = x.mean(axis=1, keepdims=True)
    centred = x - mean
    variance = (centred * centred).mean(axis=1, keepdims=True)
    return centred / np.sqrt(variance + np.float32(1e-5))


def covariance(x: f32[N, M]):
    mean = x.mean(axis=0)
    centred = x - mean
    return centred.T @ centred


def attention(q: f32[N, D], k: f32[M, D], v: f32[M, E]):
    scores = q @ k.T
    top = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - top)
    total = weights.sum(axis=1, keepdims=True)
    return (weights / total) @ v


def perceptron(x: f32[N, K], w1: f32[K, M], b1: f32[M], w2: f32[M, L], b2: f32[L]):
    hidden = np.maximum(x @ w1 + b1, 0)
    return hidden @ w2 + b2


def sobel(img: f32[N + 2, M + 2]):
    gx = img[:-2, 2:] - img[:-2, :-2] + img[2:, 2:] - img[2:, :-2]
    gy = img[2:, :-2] - img[:-2, :-2] + img[2:, 2:] - img[:-2, 2:]
    magnitude = np.sqrt(gx * gx + gy * gy)
    brightest = magnitude.max()
    return magnitude / brightest


def harris(img: f32[N + 4, M + 4]):
    ix = img[2:, 1:-1] - img[:-2, 1:-1]
    iy = img[1:-1, 2:] - img[1:-1, :-2]
    ixx = ix * ix
    iyy = iy * iy
    sxx = ixx[2:, 2:] + ixx[1:-1, 1:-1] + ixx[:-2, :-2]
    syy = iyy[2:, 2:] + iyy[1:-1, 1:-1] + iyy[:-2, :-2]
    return sxx * syy


def smooth(xs: f32[N]):
    energies = np.exp(xs)
    return (energies[2:] + energies[:-2]) / energies[1:-1]


def jacobi(a: f32[N, N]):
    for _ in range(2):
        moved = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / 4
        a[1:-1, 1:-1] = moved
    return a


def cosines(x: f32[N, M]):
    norms = np.sqrt((x * x).sum(axis=1, keepdims=True))
    unit = x / norms
    return unit @ unit.T


#: names of values that other strategies do not store under this name, but compute where they are read
COMPUTED: Final = {
    ("windows read a named array", SEQUENTIAL): {"energies"},
    ("windows read a named array", GPU): {"energies"},
    ("names in a loop", GPU): {"e"},
    ("whole arrays that are computed row by row", SEQUENTIAL): {"totals"},
    ("whole arrays that are computed row by row", GPU): {"e"},
    ("three whole arrays that are computed row by row", SEQUENTIAL): {"means", "squares"},
    ("softmax", GPU): {"shifted"},
    ("cosines", SEQUENTIAL): {"norms"},
    ("a scan and a sum", SEQUENTIAL): {"prefix"},  # stored in the memory of the result
}


#: numpy functions, and those of their names that occur in each of their texts
FUNCTIONS: Final[dict[Callable[..., Any], set[str]]] = {
    softmax: {"top", "shifted", "total"},
    layer_norm: {"mean", "centred"},
    covariance: {"mean", "centred"},
    attention: {"scores", "top", "weights", "total"},
    perceptron: {"hidden"},
    sobel: {"gx", "gy", "magnitude", "brightest"},
    harris: {"ix", "iy", "ixx", "iyy"},
    smooth: {"energies"},
    jacobi: {"a1"},
    cosines: {"norms", "unit"},
}


def words_of(text: str) -> set[str]:
    """The names in a text, without comments."""
    code = re.sub(r"//.*", "", text)
    return set(re.findall(r"[A-Za-z_]\w*", code))


def has(words: set[str], name: str) -> bool:
    """Whether a name is among the words, unchanged or with a distinguishing affix: `total_of_m`, `this_e`."""
    return any(re.fullmatch(rf"(this_|next_|other_)?{name}(_\w*)?", word) for word in words)


def name_of(one: Callable[..., Any] | str) -> str:
    return one if isinstance(one, str) else one.__name__


def text_of(program: rise.Expr, address: str) -> str:
    target = "cuda" if "gpu" in address else "openmp"
    low = strategies.load(address)(program).program
    return printed(passed_term(low, "kernel", target), target)


@pytest.mark.parametrize(("name", "address"), some(in_turn(TEXTS, STRATEGIES), 2))
def test_names_are_printed(name: str, address: str) -> None:
    text, expected = TEXTS[name]
    words = words_of(text_of(rise.parse(text).main, address))
    assert {one for one in expected if not has(words, one)} <= COMPUTED.get((name, address), set())


@pytest.mark.parametrize(("function", "address"), some(in_turn(FUNCTIONS, STRATEGIES), 2), ids=name_of)
def test_names_of_python_programs_are_printed(function: Callable[..., Any], address: str) -> None:
    words = words_of(text_of(rise.program(function).main, address))
    missing = {one for one in FUNCTIONS[function] if not has(words, one)}
    assert missing <= COMPUTED.get((function.__name__, address), set())


def test_results_of_reductions_and_values_computed_from_them_have_different_names() -> None:
    text = text_of(rise.parse_file("cases/attention.rise").main, "strategies.openmp:parallel")
    assert re.search(r"products\w*\[.*\] = scale \*", text) and "weights" in words_of(text)
    assert not re.search(r"weights\w*\[.*\] = scale \*", text)
