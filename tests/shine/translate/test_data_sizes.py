"""`indexAsNat`: sizes that data determine, in kernels of all targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine

X: Final = np.arange(1, 41, dtype=np.float32)
ROWS: Final = np.arange(12, dtype=np.float32).reshape(3, 4)

PROGRAMS: Final[dict[str, tuple[str, tuple[Any, ...], Callable[..., Any]]]] = {
    "a sum": (
        "fun(x: N.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat => x |> take(n) |> reduce(add, 0))))",
        (X, np.int64(33)),
        lambda x, k: x[:k].sum(),
    ),
    "no elements": (
        "fun(x: N.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat => x |> take(n) |> reduce(add, 0))))",
        (X, np.int64(0)),
        lambda x, k: np.float32(0),
    ),
    "a part of an array": (
        """fun(x: N.f32, start: i64, count: i64 =>
          indexAsNat(toIndex{N + 1}(start), fun(s: nat =>
            indexAsNat(toIndex{N + 1 - s}(count), fun(n: nat => x |> drop(s) |> take(n) |> reduce(max, 0))))))""",
        (X, np.int64(5), np.int64(20)),
        lambda x, s, n: x[s : s + n].max(),
    ),
    "an array": (
        """fun(x: N.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat =>
          concat(x |> take(n) |> map(fun(v => v * v)), x |> drop(n)))))""",
        (X, np.int64(17)),
        lambda x, k: np.concatenate([x[:k] ** 2, x[k:]]),
    ),
    "a row of its own length for each number": (
        """fun(x: N.f32, ks: M.i64 => ks |> map(fun(k: i64 =>
          indexAsNat(toIndex{N + 1}(k), fun(n: nat => x |> take(n) |> reduce(add, 0))))))""",
        (X, np.array([3, 40, 0, 7])),
        lambda x, ks: np.array([x[:k].sum() for k in ks], np.float32),
    ),
    "an array that is stored": (
        """fun(x: N.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat =>
          let y = x |> take(n) |> map(exp) in
          let s = reduce(add, 0, y)
          in generate(fun(i: idx[3] => (y |> padCst(0, 3, 0.0) |> take(3) |> idx(i)) / s)))))""",
        (X / 40, np.int64(20)),
        lambda x, k: np.exp(x[:3]) / np.exp(x[:k]).sum(),
    ),
    "rows of a matrix": (
        """fun(a: N.M.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat =>
          a |> take(n) |> transpose |> map(reduce(add, 0)))))""",
        (ROWS, np.int64(2)),
        lambda a, k: a[:k].sum(axis=0),
    ),
    "a pair": (
        """fun(x: N.f32, k: i64 => indexAsNat(toIndex{N + 1}(k), fun(n: nat =>
          pair(x |> take(n) |> reduce(add, 0), x |> drop(n) |> reduce(add, 0)))))""",
        (X, np.int64(9)),
        lambda x, k: (x[:k].sum(), x[k:].sum()),
    ),
}


@pytest.mark.parametrize("target", ["interpret", "openmp", "cuda-sim"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_agree_with_numpy(name: str, target: str) -> None:
    text, arguments, wanted = PROGRAMS[name]
    program = rise.parse(text)
    expected = wanted(*arguments)
    for found in (shine.compile(program, target)(*arguments), rise.evaluate(program, *arguments)):
        pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        for one, other in pairs:
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_the_size_is_below_that_of_the_index() -> None:
    sum_of_first = (
        "fun(x: N.f32, i: idx[N + {}] => indexAsNat(i, fun(n: nat => x |> take(n) |> reduce(add, 0))))"
    )
    assert rise.obligations(rise.parse(sum_of_first.format(1))) == []
    program = rise.parse(sum_of_first.format(2))
    assert [str(one.subject) for one in rise.obligations(program)] == ["N - n"]
