"""Arrays in shared memory: one array for all units that have their own, offsets, limits. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rise.naturals import Nat, const, nat, var
from rise.quotients import remainder
from rise.types import ScalarType, VectorType
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Barrier,
    Buffer,
    For,
    Level,
    Load,
    LoadFragment,
    Matrix,
    Piece,
    Statement,
)
from shine.imperative.walk import statements
from shine.passes.gpu.alignment import alignments, bytes_in
from shine.passes.gpu.check_limits import check_limits
from shine.passes.gpu.expand_shared import expand_shared
from shine.passes.gpu.lay_out_shared import lay_out_shared, overlapping, shared_bytes
from tests.shine.passes.gpu.kernels import (
    F16,
    LANE,
    Axis,
    buffers_of,
    fragment_type,
    kernel,
    memory,
    mixed_radix,
    nest,
    numbered,
    registers,
    shared,
    threads,
    warp,
)
from tests.shine.passes.gpu.meaning import as_written, on_threads
from tests.shine.procedures import F32, assign, load, loop

F64 = ScalarType("f64")
BLOCK, GLOBAL = Level("block", 0), Level("global", 0)


def agrees(before: GpuKernel) -> GpuKernel:
    """The kernel with its arrays in shared memory laid out; checks that it computes the same."""
    expanded = expand_shared(before)
    expected = as_written(before, {})
    assert on_threads(expanded, {}) == expected
    after = lay_out_shared(expanded)
    assert not buffers_of(after.body)
    assert on_threads(after, {}) == expected
    wanted = alignments(after.body)
    for buffer, start in after.shared:
        assert start % wanted.get(buffer.name, 16) == 0
    for (buffer, start), (_, following) in pairwise(after.shared):
        assert start + bytes_in(buffer) <= following
    if after.shared:
        last, start = after.shared[-1]
        assert shared_bytes(after) == start + bytes_in(last)
    return after


def of_each(axes: Sequence[Axis], size: int, step: int) -> GpuKernel:
    """A kernel in which each iteration of loops over levels has two arrays of its own, and reads them in another order
    than it stores them.
    """
    count = prod(nat(one[1]).constant or 1 for one in axes)
    first, second = shared("first", size), shared("second", size + 1, F64)
    out = memory("out", count * size)

    def each(found: list[Nat]) -> Sequence[Statement]:
        number = mixed_radix([(index, one[1]) for index, one in zip(found, axes, strict=True)])
        other = Load(second, const(size), 1, True, F64)
        return [
            Allocate(first, (1,)),
            Allocate(second, (2,)),
            loop("i", size, lambda i: [assign(first, i, numbered(number * size + i))]),
            loop("j", size, lambda j: [assign(second, size - j, load(first, remainder(step * j + 1, size)))]),
            loop("k", size, lambda k: [assign(out, number * size + k, load(second, size - k))]),
            assign(first, 0, other),
        ]

    has_warps = any(isinstance(kind, Level) and kind.name in ("warp", "lane") for _, _, kind in axes)
    if has_warps:
        return kernel(*nest(axes, each), warps=(2, 2, 1), grid=(2, 1, 1))
    return kernel(*nest(axes, each), block=(3, 2, 2), grid=(2, 1, 1))


counts = some.integers(1, 5)


@given(
    some.booleans(),
    some.lists(some.sampled_from([0, 1, 2]), max_size=2, unique=True),
    some.tuples(counts, counts),
    some.integers(1, 9),
    some.integers(1, 4),
)
def test_each_unit_has_its_own_array(
    has_warps: bool, dimensions: list[int], sides: tuple[int, int], size: int, step: int
) -> None:
    axes: list[Axis] = [("b", 3, BLOCK)]
    for name, d, side in zip("uv", dimensions, sides, strict=False):
        if not has_warps:
            axes.append((name, side, threads(d)))
        elif d == 2:
            axes.append(("l", side * 9, LANE))
        else:
            axes.append((name, side, warp(d)))
    before = of_each(axes, size, step)
    after = agrees(before)
    units = 1
    for _, count, kind in axes[1:]:
        assert isinstance(kind, Level)
        known, extent = nat(count).constant, before.launch.extent(kind).constant
        assert known is not None and extent is not None
        units *= min(known, extent)
    padded = size if units == 1 else -(-size // 4) * 4
    assert [buffer.size.constant for buffer, _ in after.shared][:1] == [padded * units]


def test_each_thread_of_the_grid_has_its_own_array() -> None:
    after = agrees(replace(of_each([("g", 7, GLOBAL)], 4, 1)))
    assert [buffer.size for buffer, _ in after.shared] == [const(12), const(18)]


def test_a_tile_of_a_block_is_laid_out_once() -> None:
    tile, out = shared("tile", 8), memory("out", 24)

    def block(b: Nat) -> Sequence[Statement]:
        fill = loop("t", 8, lambda t: [assign(tile, t, numbered(8 * b + t))], threads(0))
        read = loop("u", 8, lambda t: [assign(out, 8 * b + t, load(tile, 7 - t))], threads(0))
        return [loop("s", 2, lambda s: [Allocate(tile, (3,)), fill, read])]

    before = kernel(loop("b", 3, block, BLOCK), block=(8, 1, 1), grid=(3, 1, 1))
    after = agrees(before)
    assert after.shared == ((tile, 0),)
    assert [one for one, _ in statements(expand_shared(before).body) if isinstance(one, Allocate)] == [
        Allocate(tile, (3,))
    ]


def test_without_shared_memory_nothing_changes() -> None:
    before = kernel(loop("t", 4, lambda t: [assign(memory("out", 4), t, numbered(t))], threads(0)))
    assert agrees(before) is not before
    assert expand_shared(before) is before
    assert shared_bytes(before) == 0


def test_arrays_are_aligned_for_their_vectors_and_fragments() -> None:
    wide = VectorType(const(8), F64)
    one, two, three, four = (
        shared("one", 3),
        shared("two", 20, F16),
        shared("three", 3),
        shared("four", 16, F64),
    )
    tile = registers("tile", 1, fragment_type("AMatrix", F16))
    body: list[Statement] = [
        *[Allocate(buffer, (1,)) for buffer in (one, two, three, four)],
        *[assign(buffer, 0, numbered(0)) for buffer in (one, two, three)],
        Allocate(tile, (2,)),
        LoadFragment(Piece(tile, const(0)), Matrix(two, const(0), const(16), True), (3,)),
        Assign(four, const(0), Load(four, const(8), 8, True, wide), True, (4,)),
    ]
    after = lay_out_shared(expand_shared(kernel(*body, warps=(1, 1, 1))))
    places = {buffer.name: start for buffer, start in after.shared}
    assert places == {"one": 0, "two": 32, "three": 16, "four": 128}
    assert shared_bytes(after) == 256


@pytest.mark.parametrize("element", [F16, F32, F64])
def test_aligned_accesses_stay_aligned_in_the_array_of_a_warp(element: ScalarType) -> None:
    vector = VectorType(const(4), element)
    tile, out = shared("tile", 4 * 3 + 1, element), memory("out", 8, element)

    def each(w: Nat) -> Sequence[Statement]:
        fill = loop("i", 13, lambda i: [assign(tile, i, numbered(13 * w + i))])
        return [Allocate(tile, (1,)), fill, assign(out, 4 * w, Load(tile, const(8), 4, True, vector))]

    after = agrees(kernel(loop("w", 2, each, warp(0)), warps=(2, 1, 1)))
    ((buffer, _),) = after.shared
    assert buffer.size.constant is not None
    assert buffer.size.constant // 2 * (bytes_in(buffer) // buffer.size.constant) % 16 == 0


def test_the_array_of_a_warp_with_fragments_is_a_multiple_of_32_bytes() -> None:
    tile, piece = shared("tile", 260), registers("piece", 1, fragment_type("Accum"))

    def each(w: Nat) -> Sequence[Statement]:
        source = Matrix(tile, const(0), const(16), True)
        return [
            Allocate(tile, (1,)),
            Allocate(piece, (2,)),
            LoadFragment(Piece(piece, const(0)), source, (3,)),
        ]

    after = lay_out_shared(expand_shared(kernel(loop("w", 2, each, warp(0)), warps=(2, 1, 1))))
    assert [buffer.size for buffer, _ in after.shared] == [const(2 * 264)]
    (found,) = [one for one, _ in statements(after.body) if isinstance(one, LoadFragment)]
    (outer,) = [one for one in after.body.statements if isinstance(one, For)]
    assert found.source.index == 264 * nat(outer.index)


def places(*body: Statement) -> tuple[dict[str, int], int]:
    """The offsets of the arrays of a block of 64 threads, and the bytes that they take."""
    made = lay_out_shared(kernel(*body, block=(64, 1, 1)))
    return {buffer.name: start for buffer, start in made.shared}, shared_bytes(made)


def used(*buffers: Buffer) -> list[Statement]:
    """Statements in which all threads store elements of these arrays, and wait."""
    return [*[assign(buffer, 0, numbered(1)) for buffer in buffers], Barrier("block", (3,))]


def test_arrays_share_bytes_if_fewer_suffice() -> None:
    one, two, three = shared("one", 4), shared("two", 32), shared("three", 12)
    allocated = [Allocate(buffer, (1,)) for buffer in (one, two, three)]
    assert places(*allocated, *used(one, two, three)) == ({"one": 0, "two": 16, "three": 144}, 192)
    assert places(*allocated, *used(one, two), *used(three)) == ({"one": 0, "two": 16, "three": 0}, 144)
    assert places(*allocated, *used(one, three), *used(two)) == ({"one": 0, "two": 0, "three": 16}, 128)
    assert places(*allocated, *used(one), *used(two), *used(three)) == ({"one": 0, "two": 0, "three": 0}, 128)


def test_large_arrays_are_placed_first_if_this_saves_bytes() -> None:
    a, b, c = shared("a", 4), shared("b", 32), shared("c", 36)
    body = [*[Allocate(one, (1,)) for one in (a, b, c)], *used(a, b), *used(b, c), *used(a, c)]
    small, large = shared("small", 4), shared("large", 40)
    more = [Allocate(small, (1,)), Allocate(large, (1,)), *used(small, b), *used(large)]
    found, size = places(*body, *more)
    assert size == 288 and len(set(found.values())) > 1
    ends = {one.name: found[one.name] + bytes_in(one) for one in (a, b, c)}
    assert sorted(ends.values())[-1] <= size


def test_a_barrier_is_added_if_this_saves_many_bytes() -> None:
    small, one, two, three = (
        shared("small", 255),
        shared("one", 256),
        shared("two", 256),
        shared("three", 300),
    )
    allocations = {buffer: Allocate(buffer, (1,)) for buffer in (small, one, two, three)}

    def made(*body: Statement) -> tuple[int, int]:
        """The bytes of a block of 64 threads, and the number of barriers that were added."""
        before = kernel(*body, block=(64, 1, 1))
        after = lay_out_shared(before)
        counts = [
            sum(isinstance(found, Barrier) for found, _ in statements(at.body)) for at in (before, after)
        ]
        return shared_bytes(after), counts[1] - counts[0]

    def uses(buffer: Buffer) -> list[Statement]:
        return [allocations[buffer], assign(buffer, 0, numbered(1))]

    assert made(*uses(one), *uses(two)) == (1024, 1)
    assert made(*uses(one), *uses(small)) == (1024 + 1020, 0)
    assert made(*uses(one), *uses(two), *uses(three)) == (1200, 2)
    assert made(allocations[two], *uses(one), assign(two, 0, numbered(1))) == (1024, 1)
    assert made(*uses(one), Barrier("block", (3,)), *uses(two)) == (1024, 0)
    assert made(allocations[one], *uses(two), assign(one, 0, load(two, 0))) == (2048, 0)
    assert made(*uses(one), loop("t", 64, lambda t: uses(two), threads(0))) == (1024, 1)
    # in loops over blocks and in loops of all threads, iterations would also have to wait for each other
    for kind in (BLOCK, "seq"):
        assert made(loop("b", 3, lambda b: [*uses(one), *uses(two)], kind)) == (2048, 0)
    waits = [Barrier("block", (3,))]
    assert made(loop("b", 3, lambda b: [*uses(one), *uses(two), *waits], BLOCK)) == (1024, 1)
    assert made(loop("b", 3, lambda b: [*uses(one), *uses(two), *waits])) == (2048, 0)


def test_places_keep_alignments() -> None:
    wide = VectorType(const(8), F64)
    narrow, vectors, other = shared("narrow", 3), shared("vectors", 16, F64), shared("other", 1)
    aligned = Assign(vectors, const(0), Load(vectors, const(8), 8, True, wide), True, (4,))
    allocated = [Allocate(one, (1,)) for one in (narrow, vectors, other)]
    assert places(*allocated, *used(narrow, other), *used(narrow), aligned, *used(narrow)) == (
        {"narrow": 128, "vectors": 0, "other": 0},
        140,
    )
    assert places(*allocated, assign(narrow, 0, numbered(0)), aligned, *used(narrow, other)) == (
        {"narrow": 0, "vectors": 64, "other": 16},
        192,
    )


def test_runs_of_arrays_that_share_bytes() -> None:
    a, b, c, d = shared("a", 4), shared("b", 32), shared("c", 4), shared("d", 4)
    assert overlapping(((a, 0), (b, 0), (d, 160), (c, 112))) == [((b, 0), (a, 0), (c, 112)), ((d, 160),)]


def refused(what: object, *given: object) -> str:
    assert callable(what)
    with pytest.raises(TranslationError) as caught:
        what(*given)
    assert caught.value.origin
    return str(caught.value)


def test_the_size_of_shared_memory_must_be_known() -> None:
    rows = Buffer("rows", F32, 4 * var("n"), "Shared", (1,))
    assert refused(expand_shared, kernel(Allocate(rows, (1,)))) == (
        "error[shared-size]: expected an array of a known size in shared memory, found rows of 4 * n elements\n"
        "hint: fix the size with rise.specialise, or store one tile of a known size at a time"
    )


def test_the_shared_memory_of_a_block_is_limited() -> None:
    small, large = shared("small", 512), shared("large", 10240, F64)
    body = [
        Allocate(small, (1,)),
        Allocate(large, (2,)),
        assign(small, 0, load(large, 0)),
        assign(large, 0, numbered(0)),
    ]
    made = lay_out_shared(kernel(*body))
    check_limits(made, 83968, 1024)
    assert refused(check_limits, made, 49152, 1024) == (
        "error[shared-size]: expected at most 49152 bytes of shared memory in a block of k, found 83968\n"
        "note: large has 81920 bytes: 10240 of f64\n"
        "note: small has 2048 bytes: 512 of f32\n"
        "hint: make the tile in large smaller: at most 47104 bytes fit in addition to the others; or keep an array"
        " elsewhere: `toMem(Global)`"
    )


def test_arrays_that_share_bytes_must_fit_together() -> None:
    small, large = shared("small", 512), shared("large", 1024, F64)
    allocated = [Allocate(small, (1,)), Allocate(large, (2,))]
    made = lay_out_shared(kernel(*allocated, *used(small), *used(large), block=(64, 1, 1)))
    check_limits(made, 8192, 1024)
    assert refused(check_limits, made, 8191, 1024) == (
        "error[shared-size]: expected at most 8191 bytes of shared memory in a block of k, found 8192\n"
        "note: large has 8192 bytes: 1024 of f64\n"
        "note: small has 2048 bytes: 512 of f32\n"
        "hint: make the tile in large smaller: the arrays that share its bytes must fit, too; or keep an array"
        " elsewhere: `toMem(Global)`"
    )


def test_the_threads_of_a_block_are_limited() -> None:
    out = memory("out", 2048)
    body = nest(
        [("y", 64, threads(1)), ("x", 32, threads(0))],
        lambda at: [assign(out, 32 * at[0] + at[1], numbered(0))],
    )
    check_limits(kernel(*body, block=(32, 32, 1)), 0, 1024)
    assert refused(check_limits, kernel(*body, block=(32, 64, 1)), 0, 1024) == (
        "error[block-size]: expected at most 1024 threads in a block of k, found 2048 (32 x 64)\n"
        "hint: map over fewer threads, each with a larger tile"
    )
    of_warps = loop("w", 33, lambda w: [assign(out, w, numbered(0))], warp(0))
    assert refused(check_limits, kernel(of_warps, warps=(33, 1, 1)), 0, 33 * LANES - 1) == (
        "error[block-size]: expected at most 1055 threads in a block of k, found 1056 (33 warps of 32)\n"
        "hint: map over fewer warps, each with a larger tile"
    )
