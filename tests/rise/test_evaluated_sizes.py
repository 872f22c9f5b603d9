"""Sizes beyond 64 bits and arrays beyond memory in evaluated programs: one diagnostic each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from rise.natural_values import evaluate_natural
from rise.naturals import NatBound, const, nat
from rise.polynomials import NotComputed
from rise.quotients import remainder
from rise.size_functions import MAX_SIMPLIFIED_TERMS, SizeSum, size_map
from rise.values import integers

F = np.float32
COUNT = "fun({K: nat}, x: f32 => generate(fun(i: idx[K] => x)) |> take(1))"
EMPTY = "fun(xs: N.0.f32 => xs |> map(fun(row => 1.0)))"
PADDED = "fun({K: nat}, x: f32 => padCst(K, 0, x, [x, x]) |> take(1))"
ROWS = "fun({K: nat}, xs: 0.f32 => xs |> partition{(i |-> 0)}(K) |> depMap(fun(i: nat, r => reduce(add, 0.0, r))))"
MISTAKES: list[tuple[str, Any, dict[str, int], str]] = [
    (COUNT, F(1), {"K": 2**63}, "error[size-too-large]: `K`: expected a size below 2^63, found 2^63"),
    (
        COUNT,
        F(1),
        {"K": 10**9000},
        "error[size-too-large]: `K`: expected a size below 2^63, found more than 2^29897",
    ),
    (COUNT, F(1), {"K": 2**63 - 1}, "error[out-of-memory]: there is no memory for an array"),
    (COUNT, F(1), {"K": 2**50}, "of shape (1125899906842624,) of int64: 9007199254740992 bytes (8 PiB)"),
    (
        PADDED,
        F(1),
        {"K": 2**63 - 1},
        "error[size-too-large]: expected the size `K + 1` below 2^63, found 2^63",
    ),
    (PADDED, F(1), {"K": 2**50}, "an array that `padCst` makes of shape (1125899906842626,) of float32"),
    (EMPTY, np.empty((2**50, 0), F), {}, "error[out-of-memory]: there is no memory for an array"),
    (
        ROWS,
        np.empty(0, F),
        {"K": 2**62},
        "error[out-of-memory]: there is no memory for an array that `partition`",
    ),
]


@pytest.mark.parametrize(("text", "argument", "sizes", "message"), MISTAKES)
def test_sizes_and_arrays_that_do_not_fit_are_reported(
    text: str, argument: Any, sizes: dict[str, int], message: str
) -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.evaluate(rise.parse(text).main, argument, sizes=sizes)
    assert message in str(caught.value)


def test_no_integers_are_omitted() -> None:
    assert integers(-1, 3).tolist() == [-1, 0, 1, 2]
    with pytest.raises(ValueError, match="too big"):  # of which numpy's arange silently returns none
        integers(0, 2**63 - 1)


def test_a_long_sum_without_a_closed_form_is_added_up() -> None:
    thirds = size_map("i", remainder(NatBound(0), 3))
    count = MAX_SIMPLIFIED_TERMS + 1
    assert evaluate_natural(nat(SizeSum(const(count), thirds)), {}) == sum(i % 3 for i in range(count))
    with pytest.raises(NotComputed, match=r"a sum of 2\^40 values"):
        evaluate_natural(nat(SizeSum(const(2**40), thirds)), {})
