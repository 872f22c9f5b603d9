"""Calls of functions of sizes: the effect of a call on the sizes in a body. Depends on one rule."""

from __future__ import annotations

from typing import Final

import pytest

import rise
from strategies.rules.functions import callAtSize

#: a size of a body, and a number at which it is not a size, or cannot be computed
WITHOUT: Final = {
    "8 /^ n": 0,
    "8 / n": 0,
    "8 % (n - 3)": 3,
    "3^n": 2**64,
    "(M + 1)^n": 2**64,
    "ceil(M^n, M + 1)": 2**64,
}
#: the same, with a number at which it can be computed
WITH: Final = {"8 /^ n": 2, "3^n": 4, "(M + 1)^n": 2, "sum(M, (i |-> i^n))": 2**64}


def called(size: str, argument: int) -> rise.Expr:
    """A call of a lambda that takes a size."""
    body = f"generate(fun(i: idx[{size}] => 1.0)) |> reduce(add, 0.0)"
    e: rise.Expr = rise.parse(f"fun(M: nat => (fun(n: nat => {body}))({argument}))").main
    return e


@pytest.mark.parametrize("size", WITHOUT)
def test_a_call_is_kept_if_its_sizes_cannot_be_computed(size: str) -> None:
    assert callAtSize.apply(called(size, WITHOUT[size]).children[0]) is None


@pytest.mark.parametrize("size", WITH)
def test_a_call_is_replaced_if_its_sizes_can_be_computed(size: str) -> None:
    e = called(size, WITH[size]).children[0]
    found = callAtSize.apply(e)
    assert found is not None and found.type == e.type and found.root != e.root
