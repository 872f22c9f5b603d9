"""One thread stores a value that several threads would store. Independent of barriers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rise.naturals import Nat, NatVar, const, nat
from rise.types import FragmentType
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    AtomicUpdate,
    Block,
    Buffer,
    Condition,
    Define,
    Exchange,
    For,
    If,
    Level,
    Local,
    Matrix,
    Piece,
    Statement,
    StoreFragment,
)
from shine.imperative.text import write_block
from shine.passes.gpu.place_barriers import place_barriers
from shine.passes.gpu.store_once import store_once
from tests.shine.passes.gpu.barrier_kernels import (
    array,
    copy,
    fill,
    kernel,
    launch,
    over,
    race,
    run,
    scopes,
    shared,
)
from tests.shine.procedures import F32, assign, load, loop, number

N = NatVar("n", None)
S, X = shared("s"), array("x")
FRAGMENT = FragmentType(const(16), const(16), const(16), F32, "Accumulator", "warp")
ACC = Buffer("acc", F32, const(4), "Local", (1,))


def lines(how: Launch, *statements: Statement) -> list[str]:
    """The lines of a kernel in which stores are done once, without the values of stores."""
    made = store_once(kernel(how, *statements))
    assert store_once(made) == made
    return [text.split(" := ")[0] for text, _ in write_block(made.body)]


def test_a_store_outside_of_loops_over_threads_is_done_by_one_thread() -> None:
    assert lines(launch(64), fill(S, 0)) == ["for once < 1 (threads 0)", "  s[0]"]
    assert lines(launch(8, 4, 2), fill(S, 0)) == [
        "for once_2 < 1 (threads 0)",
        "  for once_1 < 1 (threads 1)",
        "    for once < 1 (threads 2)",
        "      s[0]",
    ]
    assert lines(launch(1), fill(S, 0)) == ["s[0]"]


def test_dimensions_that_a_loop_uses_are_unchanged() -> None:
    row = over("threads", "i", 8, lambda i: [fill(S, i)], 1)
    assert lines(launch(8, 8), row) == ["for i < 8 (threads 1)", "  for once < 1 (threads 0)", "    s[i]"]
    both = over("threads", "i", 8, lambda i: [over("threads", "j", 8, lambda j: [fill(S, j)])], 1)
    made = kernel(launch(8, 8), both)
    assert store_once(made) == made


def test_global_memory_is_stored_by_one_block() -> None:
    total = array("total", 1)
    assert lines(launch(64, grid=nat(N)), fill(total, 0)) == [
        "for once_1 < 1 (block 0)",
        "  for once < 1 (threads 0)",
        "    total[0]",
    ]
    # each block has its own shared memory
    assert lines(launch(64, grid=nat(N)), fill(S, 0)) == ["for once < 1 (threads 0)", "  s[0]"]
    tile = over("block", "b", nat(N), lambda b: [fill(total, b)])
    assert lines(launch(64, grid=nat(N)), tile)[1:] == ["  for once < 1 (threads 0)", "    total[b]"]
    all_threads = over("global", "g", nat(N) * 64, lambda g: [fill(total, g)])
    assert lines(launch(64, grid=nat(N)), all_threads)[1:] == ["  total[g]"]


def test_stores_in_loops_over_warps_and_lanes() -> None:
    how = launch(warps=(2, 2, 1))
    assert lines(how, fill(S, 0)) == ["for once < 1 (threads 0)", "  s[0]"]
    assert lines(how, over("warp", "w", 2, lambda w: [fill(S, w)])) == [
        "for w < 2 (warp 0)",
        "  for once_1 < 1 (warp 1)",
        "    for once < 1 (lane 0)",
        "      s[w]",
    ]
    assert lines(how, over("threads", "i", 128, lambda i: [fill(S, i)]))[1:] == ["  s[i]"]
    fragment = Buffer("c", FRAGMENT, const(1), "Local", (1,))

    def store(index: Nat) -> Statement:
        return StoreFragment(Matrix(S, index, const(16), True), Piece(fragment, const(0)), ())

    assert lines(how, over("warp", "w", 2, lambda w: [store(w)]))[:2] == [
        "for w < 2 (warp 0)",
        "  for once < 1 (warp 1)",
    ]
    assert lines(launch(warps=(1, 1, 1)), store(const(0)))[0].startswith("s[")


def test_updates_are_done_once() -> None:
    update = AtomicUpdate("add", S, const(0), number(1.0), ())
    assert lines(launch(64), update)[0] == "for once < 1 (threads 0)"


def test_stores_of_each_thread_to_its_own_memory_are_done_by_all() -> None:
    def sum_up(k: Nat) -> list[Statement]:
        return [assign(ACC, 0, load(X, k))]

    found = lines(launch(64), Allocate(ACC, ()), loop("k", 8, sum_up), assign(S, 0, load(ACC, 0)))
    assert found == [
        "new acc : f32 [4] in Local",
        "for k < 8 (seq)",
        "  acc[0]",
        "for once < 1 (threads 0)",
        "  s[0]",
    ]


def test_adjacent_stores_are_done_together() -> None:
    first, second = fill(S, 0), fill(S, 1)
    each = loop("k", 8, lambda k: [copy(S, 2, X, k)])
    some_of = If(Condition(((const(3), nat(N)),)), Block((fill(S, 9),)), ())
    assert lines(launch(64), first, second, each, some_of) == [
        "for once < 1 (threads 0)",
        "  s[0]",
        "  s[1]",
        "  for k < 8 (seq)",
        "    s[2]",
        "  if 3 < n",
        "    s[9]",
    ]


def rows(*inner: Statement) -> Statement:
    """A loop over rows of 8 elements, around these statements or a copy of the row."""
    return loop("i", nat(N), lambda i: inner or [loop("j", 8, lambda j: [copy(S, i * 8 + j, X, j)])])


def test_threads_divide_copies_among_them() -> None:
    """One thread once copied the state of each step of a loop."""
    line = loop("k", nat(N), lambda k: [copy(S, k, X, k)])
    assert lines(launch(64), line) == ["for k < n (threads 0)", "  s[k]"]
    assert lines(launch(8, 4), rows()) == [
        "for i < n (threads 1)",
        "  for j < 8 (threads 0)",
        "    s[8 * i + j]",
    ]
    assert lines(launch(64), rows()) == ["for i < n (seq)", "  for j < 8 (threads 0)", "    s[8 * i + j]"]
    assert lines(launch(8, 4), line)[0] == "for once < 1 (threads 1)"
    total = loop("k", nat(N), lambda k: [copy(array("total"), k, X, k)])
    assert lines(launch(64, grid=nat(N)), total)[:2] == ["for once < 1 (block 0)", "  for k < n (threads 0)"]


@pytest.mark.parametrize(
    "body",
    [
        lambda k: copy(S, 1, X, k),  # the last one counts
        lambda k: copy(S, k + 1, S, k),  # each reads what the one before stored
        lambda k: assign(S, k, Exchange(ACC, k, const(0), F32)),  # all lanes take part
    ],
)
def test_steps_that_depend_on_each_other_are_not_divided(body: Callable[[Nat], Statement]) -> None:
    assert lines(launch(32), loop("k", 8, lambda k: [body(k)]))[:2] == [
        "for once < 1 (threads 0)",
        "  for k < 8 (seq)",
    ]


def test_overlapping_rows_are_copied_by_one_thread() -> None:
    windows = loop("i", 4, lambda i: [loop("j", 8, lambda j: [copy(S, i * 4 + j, X, j)])])
    assert lines(launch(8, 4), windows)[:3] == [
        "for once_1 < 1 (threads 0)",
        "  for once < 1 (threads 1)",
        "    for i < 4 (seq)",
    ]


def test_copies_are_not_divided_where_threads_cannot_wait_for_each_other() -> None:
    """For example for the parts of a row that one thread stored."""
    part = loop("k", 8, lambda k: [copy(S, k, X, k)])
    each = over("threads", "i", nat(N), lambda i: [part], 1)
    assert "  for once < 1 (threads 0)" in lines(launch(8, 8), each)
    some_of = If(Condition(((const(3), nat(N)),)), Block((part,)), ())
    assert lines(launch(8), some_of)[0] == "for once < 1 (threads 0)"


def test_threads_wait_for_divided_copies() -> None:
    part = loop("k", 64, lambda k: [copy(S, k, X, k)])
    after = over("threads", "i", 64, lambda i: [copy(X, i, S, 63 - i)])
    made = place_barriers(store_once(kernel(launch(64), part, after)))
    assert scopes(made) == ["block"]
    assert race(run(made, S)) is None


def test_statements_that_other_threads_take_part_in_are_not_included() -> None:
    one = Local("one", F32)

    def step(k: Nat) -> list[Statement]:
        return [Define(one, Exchange(ACC, k, const(0), F32), ()), assign(S, k, one)]

    assert lines(launch(warps=(1, 1, 1)), loop("k", 4, step)) == [
        "for k < 4 (seq)",
        "  one : f32 = acc[k] of lane 0",
        "  for once < 1 (threads 0)",
        "    s[k]",
    ]

    def use(k: Nat) -> list[Statement]:
        return [fill(S, k), over("threads", "i", 64, lambda i: [copy(X, i, S, k)])]

    assert lines(launch(64), loop("k", 4, use))[:3] == [
        "for k < 4 (seq)",
        "  for once < 1 (threads 0)",
        "    s[k]",
    ]


def test_the_other_threads_wait_for_the_store() -> None:
    made = store_once(kernel(launch(64), fill(S, 0), over("threads", "i", 64, lambda i: [copy(X, i, S, 0)])))
    made = place_barriers(made)
    assert scopes(made) == ["block"]
    assert race(run(made, S)) is None


@given(some.booleans(), some.tuples(some.integers(1, 3), some.integers(1, 3)), some.data())
def test_every_store_has_one_thread(has_warps: bool, extents: tuple[int, int], data: some.DataObject) -> None:
    """Whatever loops are around a store, exactly one thread does it for each of their iterations."""
    how = launch(warps=(*extents, 1)) if has_warps else launch(*extents)
    levels = (
        [Level("warp", 0), Level("warp", 1), Level("lane", 0)]
        if has_warps
        else [Level("threads", d) for d in (0, 1)]
    )
    chosen = [level for level in levels if data.draw(some.booleans())]
    counts = [how.extent(level).constant or 0 for level in chosen]
    indices = [NatVar(f"i{number}", const(end)) for number, end in enumerate(counts)]
    place, size = nat(0), 1
    for index, end in zip(indices, counts, strict=True):
        place, size = place * end + index, size * end
    body: list[Statement] = [fill(S, place)]
    for index, end, level in reversed(list(zip(indices, counts, chosen, strict=True))):
        body = [For(index, const(end), level, Block(tuple(body)), ())]
    stored = [
        element for _, element, *_ in run(store_once(GpuKernel("k", how, Block(tuple(body)))), S).accesses
    ]
    assert sorted(stored) == list(range(size))
