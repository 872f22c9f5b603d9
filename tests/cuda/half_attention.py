"""Attention on f16, as texts and as numpy programs, with arguments. Independent of strategies."""

# ruff: noqa: F821  # types of RISE in quotes are no Python

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import rise
from tests.cuda.test_attention import definition

#: in f32, with results of f16
TEXT: Final = """
val main = fun(q: M.D.f16, k: N.D.f16, v: N.E.f16 =>
  q |> map(fun(query =>
    let s = k |> map(fun(key => 0.125 *
      (zip(query, key) |> map(fun(x, y => cast{f32}(x) * cast{f32}(y))) |> reduce(add, 0.0))))
    let top = s |> reduce(max, -inf)
    let e = s |> map(fun(x => exp(x - top)))
    let total = e |> reduce(add, 0.0)
    in transpose(v) |> map(fun(column =>
      cast{f16}((zip(e, column) |> map(fun(w, x => w * cast{f32}(x))) |> reduce(add, 0.0)) / total))))))
"""


def causal_words(q: N.D.f16, k: N.D.f16, v: N.E.f16):
    """Causal attention: each query sees the keys up to its own position, by a mask."""
    s = q.astype(np.float32) @ k.astype(np.float32).T * 0.125
    s = np.where(np.arange(len(q))[:, None] >= np.arange(len(k)), s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ v.astype(np.float32)


def late_keys(q: M.D.f16, k: N.D.f16, v: N.E.f16):
    """Each query sees its own key and later ones, so that scores start with -inf; the last queries see none."""
    s = q.astype(np.float32) @ k.astype(np.float32).T
    s = np.where(np.arange(len(q))[:, None] <= np.arange(len(k)), s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e @ v.astype(np.float32)) / e.sum(axis=1, keepdims=True)


def attention_heads(q: H.M.D.f16, k: H.N.D.f16, v: H.N.E.f16):
    """Several heads of attention."""
    s = q.astype(np.float32) @ k.astype(np.float32).transpose(0, 2, 1) * 0.125
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v.astype(np.float32)


PROGRAMS: Final = {
    "attention": rise.parse(TEXT).main,
    "causal_words": rise.program(causal_words).main,
    "late_keys": rise.program(late_keys).main,
    "attention_heads": rise.program(attention_heads).main,
}


def given(name: str, m: int, n: int, d: int = 32, e: int = 16) -> list[NDArray[Any]]:
    """Queries, keys and values for a program."""
    rng = np.random.default_rng(m + n)
    batch = (3,) if name == "attention_heads" else ()
    n = m if name.startswith("causal") else n
    return [rng.standard_normal(batch + shape).astype(np.float16) for shape in ((m, d), (n, d), (n, e))]


def agree(kernel: Any, name: str, sizes: tuple[tuple[int, int], ...], d: int = 32, e: int = 16) -> None:
    """Compare a kernel with the definition in f64, up to the rounding of weights and results to f16."""
    for m, n in sizes:
        arguments = given(name, m, n, d, e)
        expected = definition(*(one.astype(np.float64) for one in arguments), name)
        np.testing.assert_allclose(kernel(*arguments), expected, rtol=2e-3, atol=2e-3)
