"""Numbers of blocks and threads of a kernel, and permitted nestings of loops over levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, NatLike, NatVar, const, exact_quotient, nat
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.levels import level_loops
from shine.imperative.nodes import Block, For, Level, LevelName, LoopKind, Statement
from shine.passes.gpu.check_levels import check_levels
from shine.passes.gpu.choose_launch import MAX_BLOCKS_ALONG, MAX_THREADS, MAX_THREADS_ALONG, choose_launch
from tests.shine.passes.gpu.kernels import gemm_fragments, memory
from tests.shine.procedures import assign, number, size

N: Final = size("N")
SIZES: Final = (0, 1, 31, 1000, 3_000_000)
OUT: Final = memory("out", 1)

NAMES: Final[tuple[LevelName, ...]] = ("global", "block", "threads", "warp")
LEVELS: Final = {f"{name}{d}": Level(name, d) for name in NAMES for d in range(3)} | {
    "lane": Level("lane", 0),
    "lane1": Level("lane", 1),
    "lane2": Level("lane", 2),
}


def level(text: str) -> Level:
    """A level by its name and dimension, as in `block1`; `lane` is the lanes along dimension 0."""
    return LEVELS[text]


def nested(*loops: tuple[str, NatLike]) -> Statement:
    """Nested loops over levels, from the outside in, around a store."""
    body: Statement = assign(OUT, 0, number(1.0))
    for place, (name, count) in reversed(list(enumerate(loops))):
        index = NatVar(f"i{place}", nat(count))
        body = For(index, nat(count), level(name), Block((body,)), (place, len(name)))
    return body


def block_of(*statements: Statement) -> tuple[int, int, int]:
    return choose_launch(Block(statements)).block


COUNTS: Final = st.one_of(
    st.integers(0, 3000).map(const),
    st.sampled_from((nat(N), nat(N) + 3, exact_quotient(nat(N), 32), nat(N) * 5)),
)
NESTS: Final = (
    ("global2", "global1", "global0"),
    ("global1", "global0"),
    ("global0",),
    ("block1", "block0", "threads1", "threads0"),
    ("block2", "block1", "block0", "threads0"),
    ("block0", "threads2", "threads1", "threads0"),
    ("threads0",),
    ("threads2",),
    ("block0",),
)


@st.composite
def bodies(draw: st.DrawFn) -> list[Statement]:
    """Up to three nests of loops, with threads in one or more dimensions."""
    names = draw(st.lists(st.sampled_from(NESTS), min_size=1, max_size=3))
    return [nested(*((name, draw(COUNTS)) for name in one)) for one in names]


@given(body=bodies())
def test_every_iteration_has_one_unit(body: list[Statement]) -> None:
    """If units have one iteration each, there are as many; if some have none, there are more units."""
    made = Block(tuple(body))
    launch = choose_launch(made)
    assert 1 <= prod(launch.block) <= MAX_THREADS
    assert launch.block[2] <= MAX_THREADS_ALONG[2]
    for n in SIZES:
        at: dict[Atom, int] = {N: 32 * n}
        for loop, kind in level_loops(made):
            extent, count = evaluate_natural(launch.extent(kind), at), evaluate_natural(loop.count, at)
            match launch.share(loop):
                case "one":
                    assert extent == count
                case "some":
                    assert extent > count
                case "many":
                    assert extent > 0 or count == 0
        assert all(evaluate_natural(extent, at) <= MAX_BLOCKS_ALONG for extent in launch.grid[1:])


@given(body=bodies())
def test_no_unit_is_idle_in_every_loop(body: list[Statement]) -> None:
    """Along each dimension of the grid, some loop has at least as many iterations as there are blocks of threads."""
    made = Block(tuple(body))
    launch = choose_launch(made)
    for n in SIZES[1:]:
        at: dict[Atom, int] = {N: 32 * n}
        for d in range(3):
            wanted = [1]
            for loop, kind in level_loops(made):
                if kind.dimension == d and kind.name in ("block", "global"):
                    threads = launch.block[d] if kind.name == "global" else 1
                    wanted.append(-(-int(evaluate_natural(loop.count, at)) // threads))
            assert evaluate_natural(launch.grid[d], at) <= max(wanted)


@pytest.mark.parametrize(
    ("loops", "block"),
    [
        ([("block0", 5), ("threads0", 100)], (100, 1, 1)),
        ([("block0", 5), ("threads0", 5000)], (256, 1, 1)),
        ([("block0", 5), ("threads0", N)], (256, 1, 1)),
        ([("threads1", 16), ("threads0", 16)], (16, 16, 1)),
        ([("threads1", 64), ("threads0", 64)], (32, 32, 1)),
        ([("global0", N)], (256, 1, 1)),
        ([("global0", 40)], (64, 1, 1)),
        ([("global1", N), ("global0", N)], (32, 8, 1)),
        ([("global1", 3), ("global0", N)], (32, 3, 1)),
        ([("global2", N), ("global1", N), ("global0", N)], (32, 4, 2)),
        ([("block0", N), ("warp1", 2), ("warp0", 4)], (256, 1, 1)),
        ([("block0", N), ("lane", 20)], (32, 1, 1)),
        ([("threads0", 0)], (1, 1, 1)),
        ([("threads2", N)], (1, 1, 64)),
        ([("threads2", 100)], (1, 1, 64)),
        ([("global2", N)], (1, 1, 64)),
        ([("threads2", 100), ("threads0", 8)], (8, 1, 64)),
    ],
)
def test_a_block_has_threads_for_its_iterations(
    loops: Sequence[tuple[str, NatLike]], block: tuple[int, int, int]
) -> None:
    assert block_of(nested(*loops)) == block


def test_warps_are_numbered_along_dimensions() -> None:
    launch = choose_launch(Block((nested(("warp1", 2), ("warp0", 4)), nested(("warp2", 3)))))
    assert launch.warps == (4, 2, 3)
    assert launch.block == (LANES * 24, 1, 1)
    assert choose_launch(Block((nested(("threads0", 7)),))).warps is None
    assert choose_launch(gemm_fragments().body).warps == (2, 2, 1)


@pytest.mark.parametrize(
    ("loops", "lanes"),
    [
        ([("warp0", 2), ("lane", 20)], (32, 1, 1)),
        ([("warp0", 2), ("lane1", 4), ("lane", 8)], (8, 4, 1)),
        ([("warp0", 2), ("lane1", 3), ("lane", 100)], (8, 4, 1)),
        ([("lane2", 2), ("lane1", 2), ("lane", 8)], (8, 2, 2)),
        ([("lane1", 32)], (1, 32, 1)),
        ([("lane1", 0), ("lane", 8)], (32, 1, 1)),
    ],
)
def test_lanes_are_numbered_along_dimensions(
    loops: Sequence[tuple[str, NatLike]], lanes: tuple[int, int, int]
) -> None:
    launch = choose_launch(Block((nested(*loops),)))
    assert launch.lanes == lanes
    assert [launch.extent(Level("lane", d)) for d in range(3)] == [const(extent) for extent in lanes]
    assert launch.block[0] % LANES == 0


def test_a_kernel_without_loops_over_levels_is_one_thread() -> None:
    launch = choose_launch(Block((assign(OUT, 0, number(1.0)),)))
    assert (launch.block, launch.grid, launch.warps) == ((1, 1, 1), (const(1),) * 3, None)


def test_loops_of_different_counts_share_a_grid() -> None:
    launch = choose_launch(Block((nested(("block0", N)), nested(("block0", 7)))))
    assert [evaluate_natural(launch.grid[0], {N: n}) for n in (3, 7, 9)] == [7, 7, 9]


@pytest.mark.parametrize(
    ("loops", "title"),
    [
        ([("warp0", N)], "expected a known number of warps, found N"),
        ([("warp1", 8), ("warp0", 5)], "expected at most 32 warps in a block, found 40"),
        ([("lane1", N)], "expected at most 32 lanes along dimension 1, found N"),
        ([("lane1", 33)], "expected at most 32 lanes along dimension 1, found 33"),
        ([("lane2", 8), ("lane1", 8)], "expected at most 32 lanes along dimensions 1 and 2, found 64"),
    ],
)
def test_impossible_blocks_are_rejected(loops: Sequence[tuple[str, NatLike]], title: str) -> None:
    with pytest.raises(TranslationError) as error:
        choose_launch(Block((nested(*loops),)))
    assert error.value.diagnostic.code == "block-size"
    assert error.value.diagnostic.title == title
    assert error.value.diagnostic.hint
    assert error.value.origin in ((0, 5), (1, 5))


def checked(body: Block) -> None:
    check_levels(GpuKernel("k", choose_launch(body), body))


@pytest.mark.parametrize("names", [*NESTS, ("block0", "warp1", "warp0", "lane"), ("block0", "lane")])
def test_levels_may_be_nested_from_the_widest_to_the_narrowest(names: tuple[str, ...]) -> None:
    checked(Block((nested(*((name, 2) for name in names)),)))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("threads0", "block0"), "found mapBlock inside mapThreads"),
        (("lane", "warp0"), "found mapWarp inside mapLane"),
        (("threads0", "lane"), "found mapLane inside mapThreads"),
        (("warp0", "threads0"), "found mapThreads inside mapWarp"),
        (("block0", "global0"), "found mapGlobal inside mapBlock"),
        (("global0", "threads0"), "found mapThreads inside mapGlobal"),
        (("global0", "block1"), "found mapBlock inside mapGlobal"),
        (("block0", "block0"), "found mapBlock in dimension 0 inside another of the same dimension"),
        (
            ("threads1", "threads0", "threads1"),
            "found mapThreads in dimension 1 inside another of the same dimension",
        ),
    ],
)
def test_levels_nested_wrongly_are_refused(names: tuple[str, ...], found: str) -> None:
    with pytest.raises(TranslationError) as error:
        checked(Block((nested(*((name, 2) for name in names)),)))
    assert error.value.diagnostic.code == "levels"
    assert error.value.diagnostic.title.endswith(found)
    assert error.value.origin == (len(names) - 1, len(names[-1]))


def test_threads_in_kernels_with_warps_have_one_dimension() -> None:
    beside = nested(("warp0", 2)), nested(("threads0", 64))
    checked(Block(beside))
    with pytest.raises(TranslationError, match="expected the threads of a block in one dimension"):
        checked(Block((*beside, nested(("threads1", 2)))))


def with_kind(body: Block, kind: Level, to: LoopKind) -> Block:
    """The block with another kind for all loops of one kind."""
    made: list[Statement] = []
    for one in body.statements:
        if isinstance(one, For):
            one = replace(one, kind=to if one.kind == kind else one.kind, body=with_kind(one.body, kind, to))
        made.append(one)
    return Block(tuple(made))


PRODUCTS: Final = gemm_fragments().body
IN_TURN: Final = with_kind(with_kind(PRODUCTS, Level("warp", 0), "seq"), Level("warp", 1), "seq")


def around(name: str, body: Block) -> Block:
    return Block((For(NatVar("o", const(2)), const(2), level(name), body, (7,)),))


def test_fragments_belong_to_whole_warps() -> None:
    checked(PRODUCTS)
    checked(IN_TURN)
    checked(around("warp2", IN_TURN))


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (
            around("threads0", IN_TURN),
            "expected a fragment to be used by a whole warp, found its use inside mapThreads",
        ),
        (
            around("lane", IN_TURN),
            "expected a fragment to be used by a whole warp, found its use inside mapLane",
        ),
        (
            Block((*IN_TURN.statements, nested(("warp0", 4)))),
            "expected fragments inside mapWarp in a block of 4 warps, found them outside",
        ),
        (
            Block((*PRODUCTS.statements, nested(("warp0", 4)))),
            "expected a loop that uses fragments to have an iteration for each warp of the block, found fewer",
        ),
    ],
)
def test_fragments_used_by_a_part_of_a_warp_are_refused(body: Block, title: str) -> None:
    with pytest.raises(TranslationError) as error:
        checked(body)
    assert (error.value.diagnostic.code, error.value.diagnostic.title) == ("levels", title)
    assert error.value.diagnostic.hint


def test_the_grid_does_not_depend_on_the_length_of_a_row_that_a_kernel_reads() -> None:
    """Found by the soak (SEED=7, sequences, AT=80.15): a KeyError when the kernel was called."""
    program = rise.parse_expr("fun({N: nat}, {len: nat -> nat}, rows: N..(i |-> len(i).i32) => rows)")
    strategy = "strategies.tensor_core.ladder:elementPerThread"
    kernel = shine.compile(program, target="cuda-sim", strategy=strategy, check=True)
    rows = [np.arange(length, dtype=np.int32) for length in (3, 0, 70)]
    assert [row.tolist() for row in kernel(rows)] == [row.tolist() for row in rows]
