"""Loops that gcc before 14 would vectorise wrongly stay scalar (its bug 114375), and no others."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from tests.examples import some

PADDED = "fun({N: nat}, xs: N.f32 => xs |> padCst(N, N, 7.0) |> slide(2, 2) |> map(fun(w => "
KEPT = "  keep_scalar();\n"


@pytest.mark.parametrize(
    ("body", "stays_scalar", "strategy"),
    [
        (body, stays_scalar, strategy)
        for turn, (body, stays_scalar) in enumerate(
            (
                ("[idx(0, w) + idx(1, w), idx(0, w) - idx(1, w)]", True),
                ("let sum = w |> reduce(add, 0.0) in w |> map(fun(x => sum + sum))", True),
                ("w |> map(fun(x => x + 1.0))", False),
                ("idx(0, w) - idx(1, w)", False),
            )
        )
        for strategy in some(
            ["strategies.sequential:sequential", "strategies.openmp:parallel"], 2, first=turn
        )
    ],
)
def test_pairs_of_padded_elements(body: str, stays_scalar: bool, strategy: str) -> None:
    e = rise.parse(f"{PADDED}{body})))").main
    kernel = shine.compile(e, "openmp", strategy=strategy)
    assert (KEPT in kernel.source) == stays_scalar
    xs = np.arange(1, 49, dtype=np.float32)
    assert (kernel(xs) == rise.evaluate(e, xs)).all()


def test_sums_of_chosen_elements() -> None:
    """Two sums of neighbours, each of which needs both of them, under a condition."""
    text = (
        "fun({N: nat}, xs: N.2.f32, chosen: N.bool => zip(chosen, xs) |> map(fun(p =>"
        " pair(if fst(p) then idx(0, snd(p)) + idx(1, snd(p)) else 0.0,"
        " if fst(p) then idx(0, snd(p)) * idx(1, snd(p)) else 0.0)))"
        " |> reduce(fun(a => fun(b => pair(fst(a) + fst(b), snd(a) + snd(b)))), pair(0.0, 0.0)))"
    )
    e = rise.parse(text).main
    kernel = shine.compile(e, "openmp", strategy="strategies.sequential:sequential")
    assert KEPT in kernel.source
    xs = np.arange(90, dtype=np.float32).reshape(45, 2) % 7
    chosen = np.arange(45) % 3 == 0
    for found, expected in zip(kernel(xs, chosen), rise.evaluate(e, xs, chosen), strict=True):
        assert found == expected
