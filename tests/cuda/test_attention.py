"""Attention in one pass over the keys, as text or with numpy, compared with its definition in numpy."""

# ruff: noqa: F821  # types of RISE in quotes are no Python

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from cases.idioms import ON_GPUS
from tests.examples import THOROUGH, in_whole, some

ONE_PASS = "strategies.attention:oneThreadPerQuery"
SIZES = ((1, 1), (37, 45), (300, 2))


def causal_words(q: "N.D.f32", k: "N.D.f32", v: "N.E.f32"):
    """Causal attention: each query sees the keys up to its own position, by a mask."""
    s = np.where(np.arange(len(q))[:, None] >= np.arange(len(k)), q @ k.T * 0.125, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ v


def late_keys(q: "M.D.f32", k: "N.D.f32", v: "N.E.f32"):
    """Each query sees its own key and later ones, so that scores start with -inf; the last queries see none."""
    s = np.where(np.arange(len(q))[:, None] <= np.arange(len(k)), q @ k.T, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e @ v) / e.sum(axis=1, keepdims=True)


PROGRAMS = {
    "example": rise.parse_file("examples/attention.rise").main,
    "attention": ON_GPUS["attention"].program().main,
    "causal_attention": ON_GPUS["causal_attention"].program().main,
    "attention_heads": ON_GPUS["attention_heads"].program().main,
    "causal_words": rise.program(causal_words).main,
    "late_keys": rise.program(late_keys).main,
}


def definition(q, k, v, name):
    """softmax(0.125 q k^T) v in f64, masked if the program is."""
    scores = 0.125 * (q.astype(np.float64) @ np.swapaxes(k, -1, -2))
    row, column = np.arange(scores.shape[-2])[:, None], np.arange(scores.shape[-1])
    if name.startswith("causal"):
        scores = np.where(row >= column, scores, -np.inf)
    if name == "late_keys":
        scores = np.where(row <= column, 8 * scores, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ v


def arguments(name, m, n, d=16, e=24):
    rng = np.random.default_rng(m + n)
    batch = (3,) if name == "attention_heads" else ()
    n = m if name.startswith("causal") else n
    shapes = ((m, d), (n, d), (n, e))
    return [rng.standard_normal(batch + shape).astype(np.float32) for shape in shapes]


def one_pass(name):
    result = strategies.load(ONE_PASS)(rise.specialise(PROGRAMS[name], E=24))
    assert isinstance(result, elevate.Success), result.explain()
    assert result.float_class == elevate.FloatClass.APPROXIMATE
    return result.program


SCHEDULES = ("ascending", "descending", "random:1")
#: each program under one schedule, or under all
RUNS = [
    (name, schedule)
    for number, name in enumerate(PROGRAMS)
    for place, schedule in enumerate(SCHEDULES)
    if THOROUGH or place == number % len(SCHEDULES)
]


@pytest.mark.parametrize(("name", "schedule"), some(RUNS, 2))
def test_one_kernel_computes_attention_without_scores_in_memory(name, schedule) -> None:
    kernel = shine.compile(one_pass(name), target="cuda-sim", check=True, schedule=schedule)
    assert kernel.source.count("__global__") == 1 and "packed" not in kernel.source
    scale = (np.float32(0.125),) if name == "example" else ()
    for m, n in SIZES:
        given = arguments(name, m, n)
        np.testing.assert_allclose(kernel(*scale, *given), definition(*given, name), rtol=1e-4, atol=1e-5)


@in_whole("test_one_kernel_computes_attention_without_scores_in_memory")
def test_the_default_strategy_agrees_with_masks_of_whole_arrays() -> None:
    result = strategies.load("strategies.gpu:blocksAndThreads")(PROGRAMS["causal_words"])
    assert isinstance(result, elevate.Success), result.explain()
    kernel = shine.compile(result.program, target="cuda-sim", check=True)
    given = arguments("causal_words", 37, 37)
    np.testing.assert_allclose(kernel(*given), definition(*given, "causal_words"), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["example", "causal_attention"])
def test_without_keys_the_result_agrees_with_the_definition(name) -> None:
    program = rise.specialise(PROGRAMS[name], E=24)
    given = arguments(name, 2, 0)
    given = ((np.float32(1),) if name == "example" else ()) + tuple(given)
    kernel = shine.compile(one_pass(name), target="interpret")
    np.testing.assert_array_equal(kernel(*given), rise.evaluate(program, *given))


def test_rows_of_unknown_length_are_rejected_with_a_hint() -> None:
    result = strategies.load(ONE_PASS)(PROGRAMS["example"])
    said = str(result.explain())
    assert "expected rows of a known length, found rows of unknown length" in said


def test_programs_without_a_softmax_are_refused() -> None:
    program = rise.parse("val main = fun(xs: M.8.f32 => xs |> map(map(fun(x => x + 1.0))))").main
    said = str(strategies.load(ONE_PASS)(program).explain())
    assert "no sums of rows found that are weighted by a softmax" in said
