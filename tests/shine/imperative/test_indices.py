"""Facts about indices hold for all values of loop indices. Independent of translations."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as some

from rise.indices import as_digit, disjoint, greatest, lane_index
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatVar, const, nat, var
from rise.quotients import floor_quotient, remainder
from shine.imperative.nodes import Block, For, If
from shine.imperative.nodes import Condition as Guard
from shine.translate.guards import condition
from shine.translate.loop_bounds import end_of, tighten_loops
from tests.examples import examples

extents = some.integers(1, 5)
strides = some.integers(0, 12)


def ranged(name: str, size: int) -> NatVar:
    return NatVar(name, const(size))


def values(*variables: NatVar) -> list[dict[NatVar, int]]:
    ends = [variable.upper.constant if variable.upper else 0 for variable in variables]
    return [dict(zip(variables, one, strict=True)) for one in product(*(range(end or 0) for end in ends))]


def runs(index: Nat, lanes: int, at: dict[NatVar, int]) -> set[int]:
    start = int(evaluate_natural(index, dict(at)))
    return set(range(start, start + lanes))


@given(
    some.tuples(extents, extents, extents),
    some.tuples(strides, strides, strides),
    some.tuples(strides, strides, strides),
    some.integers(0, 20),
    some.integers(1, 4),
    some.booleans(),
    some.sampled_from((1, -1)),
)
@settings(max_examples=examples(400), deadline=None)
def test_disjoint_runs_never_overlap(
    sizes: tuple[int, int, int],
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    offset: int,
    lanes: int,
    is_same: bool,
    sign: int,
) -> None:
    p, i, j = (ranged(name, size) for name, size in zip("pij", sizes, strict=True))
    second = first if is_same else second
    one = sign * (first[0] * nat(p) + first[1] * nat(i) + first[2] * nat(j))
    two = sign * (second[0] * nat(p) + second[1] * nat(i) + second[2] * nat(j) + (0 if is_same else offset))
    are_apart = disjoint(one, lanes, two, lanes, p, (i, j))
    for a, b in product(values(p, i, j), repeat=2) if are_apart else ():
        if a[p] != b[p]:
            assert not runs(one, lanes, a) & runs(two, lanes, b)


@given(some.integers(1, 4), some.integers(1, 4), some.integers(0, 1))
def test_digits_of_a_mixed_radix_are_disjoint(rows: int, columns: int, which: int) -> None:
    i, j = ranged("i", rows), ranged("j", columns)
    index = columns * nat(i) + j
    assert disjoint(index, 1, index, 1, (i, j)[which], (j, i)[which : which + 1])


def test_symbolic_tiles_are_disjoint() -> None:
    n, m = var("n"), var("m")
    row, tile, inner = NatVar("row", m), NatVar("tile", n), NatVar("inner", const(32))
    index = 32 * n * row + 32 * nat(tile) + inner
    assert disjoint(index, 1, index, 1, row, (tile, inner))
    assert disjoint(index, 1, index, 1, tile, (row, inner))
    assert disjoint(index, 1, index, 1, inner, (row, tile))
    assert not disjoint(index, 2, index, 2, inner, (row, tile))
    assert disjoint(-1 * index, 1, -1 * index, 1, tile, (row, inner))
    assert disjoint(n - 1 - nat(tile), 1, n - 1 - nat(tile), 1, tile, ())
    assert not disjoint(n - 1 - nat(tile), 2, n - 1 - nat(tile), 2, tile, ())
    assert disjoint(n * nat(tile), 1, n * nat(tile), 1, tile, ())  # a tile below n: n is not 0
    assert not disjoint(m * nat(tile), 1, m * nat(tile), 1, tile, ())  # m may be 0


@given(some.integers(1, 4), some.integers(1, 4))
def test_a_transposition_of_one_index_is_disjoint(rows: int, columns: int) -> None:
    p = ranged("p", rows * columns)
    index = rows * remainder(p, columns) + floor_quotient(p, columns)
    assert disjoint(index, 1, index, 1, p, ())


@given(
    some.tuples(extents, extents),
    some.tuples(some.integers(-5, 5), some.integers(-5, 5)),
    some.integers(-5, 5),
)
def test_the_maximum_is_the_largest_value(
    sizes: tuple[int, int], slopes: tuple[int, int], offset: int
) -> None:
    i, j = ranged("i", sizes[0]), ranged("j", sizes[1])
    index = slopes[0] * nat(i) + slopes[1] * nat(j) + offset
    reached = [evaluate_natural(index, dict(at)) for at in values(i, j)]
    assert evaluate_natural(greatest(index), {}) == max(reached)


def test_a_part_becomes_a_digit() -> None:
    i, j, d = ranged("i", 4), ranged("j", 4), ranged("d", 9)
    n = var("n")
    assert as_digit(8 * n * i + 2 * n * j, 4 * nat(i) + j, d) == 2 * n * d
    assert as_digit(nat(i), nat(j), d) is None


def test_a_part_becomes_a_digit_anywhere_in_an_index() -> None:
    n, i, j = var("n"), ranged("i", 4), ranged("j", 3)
    digit = NatVar("digit", n)
    part = 3 * nat(i) + nat(j)
    assert as_digit((n + 1) * part + 7, part, digit) is (n + 1) * nat(digit) + 7


def test_rows_as_long_as_a_loop_do_not_overlap() -> None:
    """Rows of n - 2 elements: n - 2 may be 0, but not if one of the elements is stored."""
    n = var("n")
    row, column, matrix = NatVar("row", n - 2), NatVar("column", n - 2), NatVar("matrix", n)
    index = (n - 2) * nat(row) + nat(column)
    assert disjoint(index, 1, index, 1, column, (row,)) and disjoint(index, 1, index, 1, row, (column,))
    assert not disjoint(index, 2, index, 2, column, (row,))
    index = (n - 2) * (n - 2) * nat(matrix) + index
    assert disjoint(index, 1, index, 1, matrix, (row, column))
    assert not disjoint(nat(row), 1, nat(row), 1, column, (row,))
    short = (n - 2) * nat(matrix) + nat(ranged("few", 4))
    assert not disjoint(short, 1, short, 1, matrix, (row, ranged("few", 4)))


@given(some.tuples(*[some.integers(-3, 3)] * 4), some.integers(0, 3), some.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_disjoint_indices_differ_at_every_size(
    shifts: tuple[int, int, int, int], factor: int, is_outer: bool
) -> None:
    n = var("n")
    p, i = NatVar("p", n + shifts[0]), NatVar("i", n + shifts[1])
    index = (n + shifts[2]) * nat(p) + factor * (n + shifts[3]) * nat(i) + nat(i)
    parallel, inner = (p, i) if is_outer else (i, p)
    assume(disjoint(index, 1, index, 1, parallel, (inner,)))
    for size in range(3, 8):
        at = {NatVar("n", None): size}
        found: dict[int, int] = {}
        for a, b in product(range(size + shifts[0]), range(size + shifts[1])):
            place = int(evaluate_natural(index, {**at, p: a, i: b}))
            assert found.setdefault(place, a if is_outer else b) == (a if is_outer else b)


@given(some.integers(-3, 3), some.integers(0, 9), extents)
def test_conditions_omit_what_is_certain(offset: int, limit: int, size: int) -> None:
    i = ranged("i", size)
    found = condition((nat(i) + offset, const(limit)))
    holds = [at[i] + offset < limit for at in values(i)]
    assert (found is None) == (not any(holds))
    assert (found is not None and not found.below) == all(holds)


def test_a_lane_must_be_a_summand() -> None:
    lane, i = ranged("lane", 4), var("i")
    assert lane_index(4 * i + lane, lane) == 4 * i
    assert lane_index(4 * i + 2 * nat(lane), lane) is None
    assert lane_index(floor_quotient(i + lane, 3), lane) is None


@given(some.integers(1, 4), some.integers(-9, 9), some.integers(0, 20), some.integers(1, 8))
def test_a_loop_ends_at_the_end_of_its_guard(slope: int, offset: int, limit: int, count: int) -> None:
    i = ranged("i", count)
    a, b = slope * nat(i) + offset, const(limit)
    end = end_of(i, a, b)
    assert end is not None
    loop = For(i, const(count), "seq", Block((If(Guard(((a, b),)), Block(()), ()),)), ())
    (made,) = tighten_loops(Block((loop,))).statements
    assert isinstance(made, For)
    kept = evaluate_natural(made.count, {})
    assert list(range(int(kept))) == [at for at in range(count) if slope * at + offset < limit]
    unrolled = For(i, const(count), "unroll", loop.body, ())
    assert tighten_loops(Block((unrolled,))).statements == (unrolled,)
