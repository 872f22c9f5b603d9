"""What is called apart is stored by one iteration alone. Knows indices, and no program."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as some

from rise.analysis.apart import Store, iterations_apart
from rise.naturals import NatVar, const, nat
from rise.quotients import evaluate_natural, floor_quotient, minimum, remainder
from tests.examples import examples

extents = some.integers(1, 4)


def stored_by(store: Store, loops: tuple[NatVar, ...]) -> dict[int, set[int]]:
    """For each element, which iterations of the first loop store it."""
    found: dict[int, set[int]] = {}
    ends = [loop.upper.constant if loop.upper is not None else 0 for loop in loops]
    for values in product(*(range(end or 0) for end in ends)):
        index = int(evaluate_natural(store.index, dict(zip(loops, values, strict=True))))
        for element in range(index, index + store.lanes):
            found.setdefault(element, set()).add(values[0])
    return found


@given(
    some.tuples(*[some.integers(1, 3)] * 3),
    some.tuples(*[some.integers(1, 4)] * 3),
    some.integers(0, 2),
    some.integers(1, 4),
    some.integers(-1, 2),
    some.integers(1, 2),
)
@example((2, 2, 1), (2, 1, 1), 0, 3, 1, 2)
@settings(max_examples=examples(400), deadline=None)
def test_elements_of_rows_with_room_are_stored_by_one_iteration(
    sizes: tuple[int, int, int],
    strides: tuple[int, int, int],
    shift: int,
    width: int,
    room: int,
    lanes: int,
) -> None:
    """A sum of indices, in rows of `width` elements that lie `width + room` apart."""
    p, i, j = loops = tuple(NatVar(name, const(n)) for name, n in zip("pij", sizes, strict=True))
    a, b, c = strides
    total = a * nat(p) + b * nat(i) + c * nat(j) + shift
    store = Store((width + room) * floor_quotient(total, width) + remainder(total, width), lanes)
    if iterations_apart(p, [i, j], [store]):
        assert all(len(by) == 1 for by in stored_by(store, loops).values())


@given(extents, extents, some.integers(1, 6), some.integers(0, 3), some.booleans())
def test_threads_that_share_rows_with_room_are_apart(
    rows: int, columns: int, width: int, room: int, is_outer: bool
) -> None:
    """Threads of two dimensions copy a row after the other, as if they were one row."""
    y, x = NatVar("y", const(rows)), NatVar("x", const(columns))
    total = columns * nat(y) + x
    stores = [Store((width + room) * floor_quotient(total, width) + remainder(total, width))]
    assert iterations_apart(y, [x], stores) if is_outer else iterations_apart(x, [], stores)
    k = NatVar("k", const(3))
    matrices = [Store((width + room) * rows * columns * nat(k) + one.index) for one in stores]
    assert iterations_apart(y, [x, k], matrices) if is_outer else iterations_apart(x, [k], matrices)
    too_close = [Store((width - 1) * floor_quotient(total, width) + remainder(total, width))]
    if rows * columns > width > 1:
        assert not iterations_apart(y, [x], too_close) or not iterations_apart(x, [], too_close)


def test_a_range_that_depends_on_a_summed_index_proves_nothing() -> None:
    """`7 * ((2 * p + x) / 2) + k` for k up to x: another x reaches what the next p stores."""
    p, x = NatVar("p", const(4)), NatVar("x", const(2))
    k = NatVar("k", 8 * nat(x) + 1)
    total = 2 * nat(p) + x
    store = Store(7 * floor_quotient(total, 2) + 3 * remainder(total, 2) + k)
    assert not iterations_apart(p, [x, k], [store])


@given(some.integers(1, 4), some.integers(2, 4), some.integers(0, 3))
def test_tiles_that_end_at_a_minimum_are_apart_wherever_they_are_stored(
    count: int, tile: int, offset: int
) -> None:
    n = NatVar("n", None)
    i = NatVar("i", const(count))
    k = NatVar("k", minimum(nat(n) - tile * nat(i), const(tile)))
    store = Store(tile * nat(i) + k + offset)
    assert iterations_apart(i, [k], [store])
    assert not iterations_apart(i, [k], [Store((tile - 1) * nat(i) + k + offset)]) or count == 1
