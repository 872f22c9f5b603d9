"""Bounds of naturals hold for every value in range, and for all intermediate results of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar, const, exact_quotient, nat, power, var
from rise.quotients import ceiling_quotient, floor_quotient, minimum
from shine.imperative.intervals import HUGE, Reach, UnknownSize
from shine.imperative.naturals_text import natural_text
from tests.shine.targets.c.test_printer import FUNCTIONS, NATURALS, STYLE, VARIABLES, C

N, M, K = var("n"), var("m"), var("k")
SIZES = [VARIABLES[name] for name in "nmk"]
NUMBERS = st.integers(1, 9)


class Seen(C):
    """A C integer that records the largest magnitude that was computed."""

    greatest = 0

    def __new__(cls, value: int) -> Any:
        Seen.greatest = max(Seen.greatest, abs(int(value)))
        return super().__new__(cls, value)

    def __add__(self, other: int) -> Any:
        return Seen(super().__add__(other))

    def __sub__(self, other: int) -> Any:
        return Seen(super().__sub__(other))

    def __mul__(self, other: int) -> Any:
        return Seen(super().__mul__(other))

    def __neg__(self) -> Any:
        return Seen(super().__neg__())

    def __truediv__(self, other: int) -> Any:
        return Seen(super().__truediv__(other))

    def __mod__(self, other: int) -> Any:
        return Seen(super().__mod__(other))


def greatest_computed(text: str, values: Mapping[str, int]) -> int:
    """The largest magnitude that occurs when C evaluates a text."""
    names: dict[str, Any] = {name: Seen(value) for name, value in values.items()}
    for name, function in FUNCTIONS.items():
        names[name] = lambda *args, f=function: Seen(f(*args))
    Seen.greatest = 0
    eval(re.sub(r"\b(\d+)\b", r"Seen(\1)", text), {"Seen": Seen, **names})
    return Seen.greatest


def within(chosen: Mapping[str, int]) -> dict[str, int]:
    """Values of sizes and indices, each index in its range."""
    return {**chosen, "i": chosen["i"] % chosen["n"], "j": chosen["j"] % 32}


VALUES = st.fixed_dictionaries(dict.fromkeys("nmkijp", NUMBERS)).map(within)


@given(NATURALS, VALUES)
def test_no_part_of_a_text_exceeds_the_recorded_bound(a: Nat, values: dict[str, int]) -> None:
    noted: list[Nat] = []
    text = natural_text(a, replace(STYLE, integral=(), note=noted.append)).code
    reach = Reach({size: (values[size.name], values[size.name]) for size in SIZES}, read=values["p"])
    found = greatest_computed(text, values)
    assert found <= max(map(reach.computing, noted)), text


@given(NATURALS, VALUES)
def test_a_value_is_within_its_bounds(a: Nat, values: dict[str, int]) -> None:
    atoms: dict[Atom, int] = {VARIABLES[name]: value for name, value in values.items()}
    exact = {size: (values[size.name], values[size.name]) for size in SIZES}
    wide = dict.fromkeys(SIZES, (0, 9))
    value = evaluate_natural(a, atoms)
    for sizes, read in ((exact, values["p"]), (wide, 9)):
        low, high = Reach(sizes, read).ends(a)
        assert low <= value <= high


# Indices of inner loops, whose bounds depend on outer ones

I = NatVar("i", N)
REST, TILE = NatVar("rest", N - nat(I)), NatVar("tile", minimum(4, N - nat(I)))
DEEP = NatVar("deep", nat(REST) * nat(I) + 1)
LOOPS = (I, REST, TILE, DEEP)
OF_LOOPS = st.recursive(
    st.sampled_from([*map(nat, LOOPS), N, M, const(2), const(-1)]),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a: floor_quotient(a, 3), inner),
    ),
    max_leaves=6,
)


@given(OF_LOOPS, NUMBERS, NUMBERS, st.lists(st.integers(0, 99), min_size=len(LOOPS), max_size=len(LOOPS)))
def test_bounds_that_depend_on_outer_loops_hold(a: Nat, n: int, m: int, turns: list[int]) -> None:
    values: dict[Atom, int] = {VARIABLES["n"]: n, VARIABLES["m"]: m}
    for index, turn in zip(LOOPS, turns, strict=True):
        assert index.upper is not None
        values[index] = turn % int(evaluate_natural(index.upper, values))
    names = {getattr(one, "name", ""): value for one, value in values.items()}
    noted: list[Nat] = []
    ranks = {"i": 0, "rest": 1, "tile": 2, "deep": 3}
    style = replace(STYLE, note=noted.append, rank=lambda atom: ranks.get(getattr(atom, "name", ""), -1))
    text = natural_text(a, style).code
    reach = Reach({VARIABLES["n"]: (n, n), VARIABLES["m"]: (m, m)})
    assert greatest_computed(text, names) <= max(map(reach.computing, noted)), text
    low, high = reach.ends(a)
    assert low <= evaluate_natural(a, values) <= high


INNER = NatVar("j", power(const(2), N - 1 - nat(I)))
CASES: list[tuple[Nat, int]] = [
    (N, 10),
    (nat(I), 9),
    (N - 1 - nat(I), 20),  # n + 1 + (n - 1): parts may be added up in any order
    (nat(I) * M + 3, 48),
    (nat(NatVar("t", exact_quotient(N, M))) * M, 5),
    (nat(NatVar("t", ceiling_quotient(N + 1, M))) * M, 10),
    (minimum(N, M) * 4, 20),
    (power(const(2), N), 1024),
    (power(const(2), nat(I)) * nat(INNER), 512),  # 2^i * j with j < 2^(n - 1 - i)
    (const(-7), 7),
]


@pytest.mark.parametrize(("a", "most"), CASES, ids=str)
def test_bounds_are_tight(a: Nat, most: int) -> None:
    assert Reach({VARIABLES["n"]: (10, 10), VARIABLES["m"]: (5, 5)}).computing(a) == most


def test_numbers_that_are_read_have_the_stated_bound() -> None:
    at = nat(NatVar("at", None))
    assert Reach({}, read=5).computing(3 * at) == 15
    with pytest.raises(UnknownSize):
        Reach({}).computing(3 * at)


def test_a_power_of_very_many_bits_is_not_computed() -> None:
    reach = Reach({VARIABLES["n"]: (10**18, 10**18)})
    assert reach.computing(power(const(2), N)) == HUGE
    assert reach.computing(power(const(3), power(const(2), N))) >= HUGE


@pytest.mark.parametrize("target", ["interpret", "openmp"])
def test_an_index_may_be_bounded_by_a_sum_of_lengths(target: str) -> None:
    """No text computes the sum: the index is a number that is read. It once caused an assertion error."""
    lengths = "n.idx[sum(ceil(N, 3), (i |-> min(N - 3 * i, 5)))]"
    text = f"fun({{N: nat}}, {{n: nat}}, xs: N.u32, places: {lengths} => places |> mapSeq(indexAsInt))"
    kernel = shine.compile(rise.parse(text).main, target)
    found = kernel(np.arange(9, dtype=np.uint32), np.array([0, 3, 5]))
    np.testing.assert_array_equal(found, [0, 3, 5])
