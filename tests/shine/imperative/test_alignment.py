"""Alignment of vectors, and conditions that hold for all lanes of a vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from rise.indices import disjoint, divisors_of, is_multiple
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar, const, exact_quotient, nat
from rise.quotients import floor_quotient, remainder
from shine.imperative.nodes import Assign, Buffer, Condition, Guarded, Load, Value
from shine.imperative.vectors import for_all, vector_of
from shine.imperative.walk import loads
from shine.translate import GPU_LEVELS, translate
from tests.shine.procedures import F32, load, number, size
from tests.shine.translate.interpretation import program, statements

N, M = size("N"), size("M")
LANE: Final = NatVar("lane", const(4))
I: Final = NatVar("i", exact_quotient(nat(N), 4))
X: Final = Buffer("x", F32, nat(N), "Global", ())


@dataclass(frozen=True)
class Known:
    """Known divisors of sizes; arrays have any alignment."""

    divisors: Mapping[NatVar, int] = field(default_factory=dict)

    def is_aligned(self, buffer: Buffer, index: Nat, lanes: int) -> bool:
        return False


FOUR_DIVIDES: Final = Known({N: 4})


@given(some.lists(some.tuples(some.sampled_from((N, M)), some.sampled_from((1, 2, 3, 4, 6, 32))), max_size=6))
def test_divisors_follow_from_exact_quotients(parts: list[tuple[NatVar, int]]) -> None:
    found = divisors_of([exact_quotient(nat(name), divisor) for name, divisor in parts])
    for name in (N, M):
        wanted = [divisor for other, divisor in parts if other is name]
        assert all(found.get(name, 1) % divisor == 0 for divisor in wanted)
        assert found.get(name, 1) <= 96  # the least common multiple, not the product


def test_other_sizes_determine_no_divisors() -> None:
    assert divisors_of([nat(N) * M, nat(N) + 4, const(12), exact_quotient(nat(N) * M, 4)]) == {}


@given(
    some.tuples(*[some.integers(0, 16)] * 4),
    some.sampled_from((1, 2, 4, 8)),
    some.dictionaries(some.sampled_from((N, M)), some.sampled_from((2, 4, 8))),
)
def test_multiples_hold_for_all_sizes_with_the_divisors(
    factors: tuple[int, ...], unit: int, divisors: dict[NatVar, int]
) -> None:
    a, b, c, d = factors
    i = NatVar("i", nat(M))
    index = a * nat(N) + b * nat(i) * N + c * nat(i) + d
    said = is_multiple(index, const(unit), divisors)
    values = [range(0, 17, divisors.get(name, 1)) for name in (N, M)]
    holds = True
    for n, m in product(*values):
        for j in range(m):
            at: dict[Atom, int] = {N: n, M: m, i: j}
            holds = holds and int(evaluate_natural(index, at)) % unit == 0
    assert holds or not said
    simple = all(factor % unit == 0 for factor in factors)
    assert said or not simple


@pytest.mark.parametrize(
    ("index", "unit", "divisors", "answer"),
    [
        (nat(N) * 3, 4, {N: 4}, True),
        (nat(N) * 3, 4, {N: 2}, False),
        (nat(N) * M, 4, {N: 2, M: 2}, True),
        (nat(N) * M + 2, 4, {N: 2, M: 2}, False),
        (nat(N) * 2, 4, {N: 2}, True),
        (nat(N), 4, {}, False),
        (nat(N), 4, {M: 4}, False),
        (4 * floor_quotient(nat(I), 3), 4, {}, True),
        (remainder(nat(I), 8), 4, {}, False),
    ],
)
def test_cases_of_multiples(index: Nat, unit: int, divisors: dict[NatVar, int], answer: bool) -> None:
    assert is_multiple(index, const(unit), divisors) is answer


@pytest.mark.parametrize(
    ("below", "known", "whole"),
    [
        ((4 * nat(I) + LANE, nat(N)), FOUR_DIVIDES, (4 * nat(I), nat(N))),
        ((4 * nat(I) + LANE, nat(N)), Known(), None),
        ((4 * nat(I) + LANE, nat(N)), Known({N: 2}), None),
        ((4 * nat(I) + LANE + 1, nat(N)), FOUR_DIVIDES, None),
        ((4 * nat(I) + 2 * nat(LANE), nat(N)), FOUR_DIVIDES, None),
        ((4 * nat(I), nat(N) + LANE), FOUR_DIVIDES, None),
        ((nat(I), nat(N)), Known(), (nat(I), nat(N))),
        ((4 * nat(I) + LANE, const(12)), Known(), (4 * nat(I), const(12))),
    ],
)
def test_cases_of_conditions_for_all_lanes(
    below: tuple[Nat, Nat], known: Known, whole: tuple[Nat, Nat] | None
) -> None:
    found = for_all(known, Condition((below,)), LANE)
    assert found == (None if whole is None else Condition((whole,)))


@given(
    some.tuples(
        some.sampled_from((0, 4, 8, 3)), some.sampled_from((0, 1, 2)), some.sampled_from((0, 4, 8, 1))
    ),
    some.sampled_from((0, 4, 12, 40, 5)),
    some.sampled_from((4, 2, 1)),
)
def test_a_condition_for_all_lanes_implies_that_of_each(
    factors: tuple[int, int, int], end: int, divisor: int
) -> None:
    i = NatVar("i", const(6))
    part = factors[0] * nat(i) + factors[1] * nat(LANE) + factors[2]
    found = for_all(Known({N: divisor}), Condition(((part, nat(N) + end),)), LANE)
    assume(found is not None)
    assert found is not None
    for j, n in product(range(6), range(0, 13, divisor)):
        at: dict[Atom, int] = {i: j, N: n}
        ((a, b),) = found.below
        whole = evaluate_natural(a, at) < evaluate_natural(b, at)
        for lane in range(4):
            each = evaluate_natural(part, {**at, LANE: lane}) < n + end
            assert each == whole


def test_a_guarded_vector_is_loaded_whole_if_the_guard_holds_for_all_lanes() -> None:
    inside = Condition(((4 * nat(I) + LANE, nat(N)),))
    value = Guarded(inside, load(X, 4 * nat(I) + LANE), number(0.0), F32)

    def loaded(made: Value) -> list[int]:
        match made:
            case Load(lanes=lanes):
                return [lanes]
            case Guarded(value=inner):
                return loaded(inner)
        return [lanes for one in getattr(made, "arguments", ()) for lanes in loaded(one)]

    assert loaded(vector_of(FOUR_DIVIDES, value, LANE, True)) == [4]
    assert loaded(vector_of(Known(), value, LANE, True)) == [1, 1, 1, 1]


def test_promised_alignment_is_used_only_where_it_holds() -> None:
    """`asVectorAligned` promises the alignment of rows; an index that is offset from them is not aligned."""
    for index, is_aligned in ((4 * nat(I) + LANE, True), (4 * nat(I) + 1 + LANE, False)):
        made = vector_of(Known(), load(X, index), LANE, True)
        assert isinstance(made, Load)
        assert (made.lanes, made.aligned) == (4, is_aligned)
    made = vector_of(Known(), load(X, 4 * nat(I) + LANE), LANE, False)
    assert isinstance(made, Load) and not made.aligned


VECTORS: Final = "asVector(4) |> mapSeq(neg) |> asScalar"
ON_A_GPU: Final = GPU_LEVELS
ELSEWHERE: Final = frozenset[str]()


@pytest.mark.parametrize(
    ("text", "levels", "is_aligned"),
    [
        # Whole rows of vectors: the program requires that 4 divides N. Arrays are aligned on a GPU, but not elsewhere.
        (f"fun(xs: M.N.f32 => xs |> mapSeq(fun(row => row |> {VECTORS})))", ON_A_GPU, True),
        (f"fun(xs: M.N.f32 => xs |> mapSeq(fun(row => row |> {VECTORS})))", ELSEWHERE, False),
        # Arrays of the program itself are aligned everywhere.
        (
            "fun(xs: M.N.f32 => xs |> mapSeq(mapSeq(neg)) |> toMem(Local)"
            f" |> mapSeq(fun(row => row |> split(4) |> mapSeq(fun(r => r |> {VECTORS})) |> join)))",
            ELSEWHERE,
            True,
        ),
        # Every second part of 8 elements, and then the others: vectors do not cross the ends of parts.
        (
            "fun(xs: (16*N).f32 => xs |> split(16) |> map(split(8)) |> transpose |> map(join)"
            f" |> mapSeq(fun(part => part |> {VECTORS})))",
            ON_A_GPU,
            True,
        ),
        # Rows with an offset that is not a multiple of the vector length.
        (
            f"fun(xs: M.(4*K+2).f32 => xs |> mapSeq(fun(row => row |> take(4*K) |> {VECTORS})))",
            ON_A_GPU,
            False,
        ),
        (f"fun(xs: (N+1).f32 => xs |> drop(1) |> {VECTORS})", ON_A_GPU, False),
    ],
)
def test_vectors_of_programs_are_aligned_if_that_is_known(
    text: str, levels: frozenset[str], is_aligned: bool
) -> None:
    made = translate(program(text), levels=levels) if levels else translate(program(text))
    found = [
        load.aligned
        for one in statements(made.body)
        if isinstance(one, Assign)
        for load in loads(one.value)
        if load.lanes > 1
    ]
    assert found == [is_aligned]


@given(some.integers(1, 6), some.integers(1, 6))
def test_rows_do_not_overlap_if_they_are_as_long_as_their_columns(width: int, offset: int) -> None:
    """Columns are below N, so rows of N or more elements do not overlap; N is not 0 if there is a column."""
    row, column = NatVar("row", nat(M)), NatVar("column", nat(N))
    for stride in (nat(N) * width, nat(N) + offset):
        index = nat(row) * stride + nat(column)
        assert disjoint(index, 1, index, 1, row, (column,))
    beyond = nat(row) * nat(N) + nat(column) * (1 + width)
    assert not disjoint(beyond, 1, beyond, 1, row, (column,))


def test_rows_of_tiles_do_not_overlap() -> None:
    """A tile of 8 in a row of N, where 8 divides N: if there is a tile, N is at least 8."""
    row, tile, inside = (
        NatVar("row", nat(M)),
        NatVar("tile", exact_quotient(nat(N), 8)),
        NatVar("j", const(8)),
    )
    index = nat(row) * nat(N) + 8 * nat(tile) + nat(inside)
    assert disjoint(index, 1, index, 1, row, (tile, inside))
    assert disjoint(index, 1, index, 1, tile, (inside,))
    wide = nat(row) * nat(N) + 8 * nat(tile)
    assert disjoint(wide, 8, wide, 8, row, (tile,))
    assert not disjoint(wide, 9, wide, 9, tile, ())
    short = nat(row) * (nat(N) - 1) + 8 * nat(tile) + nat(inside)
    assert not disjoint(short, 1, short, 1, row, (tile, inside))
