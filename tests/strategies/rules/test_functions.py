"""Calls of functions of sizes: what a call makes of the sizes in a body. Knows one rule."""

from __future__ import annotations

from typing import Final

import pytest

import rise
from strategies.rules.functions import callAtSize

#: a size of a body, and a number at which it is none, or none that can be computed
WITHOUT: Final = {
    "8 /^ n": 0,
    "8 / n": 0,
    "8 % (n - 3)": 3,
    "3^n": 2**64,
    "(M + 1)^n": 2**64,
    "ceil(M^n, M + 1)": 2**64,
}
#: and one at which it can
WITH: Final = {"8 /^ n": 2, "3^n": 4, "(M + 1)^n": 2, "sum(M, (i |-> i^n))": 2**64}


def called(size: str, argument: int) -> rise.Expr:
    """A function of a size, on the spot."""
    body = f"generate(fun(i: idx[{size}] => 1.0)) |> reduce(add, 0.0)"
    e: rise.Expr = rise.parse(f"fun(M: nat => (fun(n: nat => {body}))({argument}))").main
    return e


@pytest.mark.parametrize("size", WITHOUT)
def test_a_function_is_not_called_where_its_sizes_cannot_be_computed(size: str) -> None:
    assert callAtSize.apply(called(size, WITHOUT[size]).children[0]) is None


@pytest.mark.parametrize("size", WITH)
def test_a_function_is_called_where_its_sizes_can_be_computed(size: str) -> None:
    e = called(size, WITH[size]).children[0]
    found = callAtSize.apply(e)
    assert found is not None and found.type == e.type and found.root != e.root
