"""Arrays only share bytes if no thread is affected: with both arrays in the same place, threads read the same
values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from rise.naturals import Nat, const, var
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import (
    Allocate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    Condition,
    For,
    If,
    Statement,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.passes.gpu.await_copies import await_copies
from shine.passes.gpu.keep_copies import keep_copies
from shine.passes.gpu.liveness import kept_apart
from tests.examples import examples
from tests.shine.passes.gpu.barrier_kernels import (
    FLAT,
    SQUARE,
    WARPS,
    Shape,
    Trace,
    array,
    copy,
    fill,
    kernel,
    kernels,
    launch,
    over,
    race,
    run,
    shared,
)
from tests.shine.passes.gpu.copy_traces import early
from tests.shine.passes.gpu.test_barriers import copying, placed
from tests.shine.procedures import loop

S, T, U, V = shared("s"), shared("t"), shared("u"), shared("v")
OUT = array("out")


def renamed(block: Block, to: Mapping[str, tuple[Buffer, int]]) -> Block:
    """The block with the elements of some buffers moved to others."""

    def put(cell: Cell) -> Cell:
        if cell.buffer.name not in to:
            return cell
        buffer, start = to[cell.buffer.name]
        return replace(cell, buffer=buffer, index=cell.index + start)

    return rewrite_block(block, Parts(cell=put))


def sources(trace: Trace) -> dict[int, int]:
    """For each reading access, the access that stored the value; none if nothing was stored since the allocation."""
    stored: dict[tuple[str, int], int] = {}
    found: dict[int, int] = {}
    for when, (buffer, element, _, _, kind, _) in enumerate(trace.accesses):
        if kind == "allocate":
            stored = {key: value for key, value in stored.items() if key[0] != buffer}
        if kind == "read" and (buffer, element) in stored:
            found[when] = stored[buffer, element]
        if kind in ("write", "copy", "update"):
            stored[buffer, element] = when
    return found


def check_shared(made: GpuKernel, one: Buffer, other: Buffer, start: int) -> None:
    """Check that every thread reads the same values if both arrays have the same bytes."""
    watched = (one, other)
    before = run(made, *watched)
    together = run(replace(made, body=renamed(made.body, {other.name: (one, start)})), *watched)
    assert race(together) is None
    assert early(together) is None
    after = sources(together)
    assert all(after.get(reader) == source for reader, source in sources(before).items())


@dataclass(frozen=True, slots=True)
class How:
    """How two kernels are combined: whether they copy asynchronously, whether all threads wait after each of them, and
    whether both are repeated, with arrays that are allocated before the loop or in each iteration.
    """

    copies: bool
    waits: bool
    repeats: bool
    is_outside: bool


HOWS = some.builds(How, some.booleans(), some.booleans(), some.booleans(), some.booleans())
ARRAYS = (S, T, U, V)


def together(shape: Shape, first: Block, second: Block, how: How) -> GpuKernel:
    """A kernel that runs the first body with S and T, then the second with U and V."""
    waits = [Barrier("block", (3,))] if how.waits else []
    own, others = ([Allocate(one, (1,)), Allocate(two, (1,))] for one, two in ((S, T), (U, V)))
    inside = [*([] if how.is_outside else own), *first.statements, *waits]
    inside += [*([] if how.is_outside else others), *second.statements, *waits]
    whole = [loop("again", 2, lambda i: inside)] if how.repeats else inside
    made = kernel(shape.launch, *([*own, *others] if how.is_outside else []), *whole)
    made = replace(made, body=copying(made.body)) if how.copies else made
    return await_copies(placed(keep_copies(made)))


SHAPES = pytest.mark.parametrize("shape", [FLAT, SQUARE, WARPS], ids=["flat", "square", "warps"])


@SHAPES
def test_arrays_that_share_bytes_keep_their_values(shape: Shape) -> None:
    shares = 0

    @settings(max_examples=examples(25), suppress_health_check=[HealthCheck.filter_too_much])
    @given(kernels(shape), kernels(shape), HOWS, some.sampled_from([0, 1, 100]))
    def law(first: GpuKernel, second: GpuKernel, how: How, start: int) -> None:
        nonlocal shares
        made = together(shape, first.body, renamed(second.body, {"s": (U, 0), "t": (V, 0)}), how)
        apart = kept_apart(made, ARRAYS)
        for one, two in combinations(range(4), 2):
            assert (two in apart[one]) == (one in apart[two])
            if two not in apart[one]:
                shares += 1
                check_shared(made, ARRAYS[one], ARRAYS[two], start)

    law()
    assert shares


def of_threads(name: str, *accesses: tuple[Buffer, Buffer | None]) -> For:
    """Each thread stores an element, or copies one from another array, for each pair."""

    def body(i: Nat) -> list[Statement]:
        return [fill(to, i) if source is None else copy(to, i, source, 63 - i) for to, source in accesses]

    return over("threads", name, 64, body)


WAIT = Barrier("block", (9,))


def share(*statements: Statement) -> bool:
    """Whether S and T may share bytes; if so, checks that this has no effect."""
    made = kernel(launch(64), *statements)
    of_s, of_t, _ = kept_apart(made, (S, T, U))
    assert (1 in of_s) == (0 in of_t)
    if 1 not in of_s:
        check_shared(made, S, T, 0)
    return 1 not in of_s


BOTH = (Allocate(S, (1,)), Allocate(T, (1,)))
USES_S = (of_threads("a", (S, None)), WAIT, of_threads("b", (OUT, S)))
USES_T = (of_threads("c", (T, None)), WAIT, of_threads("d", (OUT, T)))


def test_arrays_with_consecutive_lifetimes_share_bytes() -> None:
    assert share(*BOTH, *USES_S, WAIT, *USES_T)


def test_without_a_barrier_between_them_arrays_share_no_bytes() -> None:
    assert not share(*BOTH, *USES_S, *USES_T)


def test_a_barrier_of_warps_is_not_enough() -> None:
    assert not share(*BOTH, *USES_S, Barrier("warp", (9,)), *USES_T)


def test_a_block_of_one_warp_waits_by_barriers_of_warps() -> None:
    one, two = (over("threads", to.name, 32, lambda i, to=to: [fill(to, i)]) for to in (S, T))
    for threads, is_enough in ((32, True), (64, False)):
        made = kernel(launch(threads), *BOTH, one, Barrier("warp", (9,)), two)
        assert kept_apart(made, (S, T)) == ((frozenset(),) * 2 if is_enough else ({1}, {0}))


def test_a_value_that_is_read_later_is_kept() -> None:
    assert not share(*BOTH, *USES_S, WAIT, *USES_T, WAIT, of_threads("e", (OUT, S)))


def test_a_value_that_is_read_in_the_next_iteration_is_kept() -> None:
    def body(i: Nat) -> list[Statement]:
        return [of_threads("e", (OUT, S)), WAIT, *USES_S, WAIT, BOTH[1], *USES_T, WAIT]

    assert not share(BOTH[0], loop("k", 3, body))


def test_an_allocation_does_not_end_other_lifetimes() -> None:
    assert not share(*BOTH, *USES_S, WAIT, *USES_T, WAIT, Allocate(U, (1,)), of_threads("e", (OUT, S)))


def test_the_lifetime_of_an_array_ends_with_the_iteration_that_allocates_it() -> None:
    def body(i: Nat) -> list[Statement]:
        return [*BOTH, *USES_S, WAIT, *USES_T, WAIT]

    assert share(loop("k", 3, body))


def test_without_a_barrier_between_iterations_arrays_share_no_bytes() -> None:
    def body(i: Nat) -> list[Statement]:
        return [*BOTH, *USES_S, WAIT, *USES_T]

    assert not share(loop("k", 3, body))


def test_a_barrier_on_one_path_is_not_enough() -> None:
    n = var("n")
    perhaps = If(Condition(((const(1), n),)), Block((WAIT,)), (4,))
    for at_times in (perhaps, loop("k", n, lambda i: [WAIT])):
        assert kept_apart(kernel(launch(64), *BOTH, *USES_S, at_times, *USES_T), (S, T))[0] == {1}
    assert share(*BOTH, *USES_S, loop("k", 2, lambda i: [WAIT]), *USES_T)


COPY = over("threads", "a", 64, lambda i: [replace(copy(S, i, OUT, i), asynchronous=True)])
COMMIT, ARRIVED = CommitCopies((5,)), AwaitCopies((6,))


def test_a_copy_must_be_complete_before_the_barrier() -> None:
    reads = over("threads", "b", 64, lambda i: [copy(OUT, i, S, i)])
    assert not share(*BOTH, COPY, WAIT, *USES_T, ARRIVED)
    assert not share(*BOTH, COPY, WAIT, ARRIVED, *USES_T)
    assert share(*BOTH, COPY, ARRIVED, reads, WAIT, *USES_T)


@pytest.mark.parametrize(
    ("groups", "prior", "is_complete"), [(1, 0, True), (1, 1, False), (2, 1, True), (0, 0, False)]
)
def test_waits_for_older_groups_complete_only_those(groups: int, prior: int, is_complete: bool) -> None:
    made = [*BOTH, COPY, *[COMMIT] * groups, AwaitCopies((6,), prior), WAIT, *USES_T, ARRIVED]
    assert (1 not in kept_apart(kernel(launch(64), *made), (S, T))[0]) == is_complete


def test_unused_arrays_share_bytes() -> None:
    assert share(*BOTH, *USES_S)
