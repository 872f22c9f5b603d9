"""Barriers in typical kernels: tiles, trees, stencils, fragments. Does not use random kernels.

One subject: the kernels are meant to be compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from rise.naturals import Nat, NatVar, const, exact_quotient, nat
from rise.quotients import floor_quotient, minimum, remainder
from rise.types import FragmentType
from shine.imperative.kernels import Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Barrier,
    Block,
    Buffer,
    Condition,
    DefineIndex,
    If,
    LoadFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    Statement,
    StoreFragment,
)
from shine.imperative.text import write_block
from shine.passes.gpu.place_barriers import place_barriers
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
from tests.shine.procedures import F32, assign, load, loop, number, op

N = NatVar("n", None)
S, T, U = shared("s"), shared("t"), shared("u")
X, Y = array("x"), array("y")


def lines(how: Launch, *statements: Statement) -> list[str]:
    """The lines of a kernel with barriers, without the values of stores."""
    made = place_barriers(kernel(how, *statements))
    assert place_barriers(made) == made
    return [text.split(" := ")[0] for text, _ in write_block(made.body)]


def found(how: Launch, *statements: Statement) -> list[str]:
    """The scopes of the barriers of a kernel."""
    return scopes(place_barriers(kernel(how, *statements)))


def test_a_reused_tile_has_two_barriers_per_iteration() -> None:
    acc = Buffer("acc", F32, const(1), "Local", (1,))

    def step(k: Nat) -> list[Statement]:
        def store(name: str) -> Statement:
            return over(
                "threads",
                f"{name}y",
                16,
                lambda y: [
                    over("threads", f"{name}x", 16, lambda x: [copy(S, 16 * y + x, X, 16 * k + N * y + x)])
                ],
                1,
            )

        def use(y: Nat) -> list[Statement]:
            def product(j: Nat, x: Nat) -> Statement:
                return assign(acc, 0, op("fma", load(S, 16 * y + j), load(S, 16 * j + x), load(acc, 0)))

            return [over("threads", "x", 16, lambda x: [loop("j", 16, lambda j: [product(j, x)])])]

        return [store("s"), over("threads", "y", 16, use, 1)]

    tiles = exact_quotient(nat(N), 16)
    assert lines(launch(16, 16), Allocate(S, ()), loop("k", tiles, step)) == [
        "new s : f32 [512] in Shared",
        "for k < n /^ 16 (seq)",
        "  for sy < 16 (threads 1)",
        "    for sx < 16 (threads 0)",
        "      barrier (block)",
        "      s[sx + 16 * sy]",
        "  for y < 16 (threads 1)",
        "    for x < 16 (threads 0)",
        "      barrier (block)",
        "      for j < 16 (seq)",
        "        acc[0]",
    ]


def test_a_tree_has_a_barrier_for_each_level() -> None:
    def level(name: str, width: int, source: Buffer, to: Buffer) -> Statement:
        return over(
            "threads",
            name,
            width,
            lambda i: [assign(to, i, op("add", load(source, 2 * i), load(source, 2 * i + 1)))],
        )

    tree = [level("a", 128, S, T), level("b", 64, T, U), level("c", 32, U, S)]
    assert found(launch(256), over("threads", "i", 256, lambda i: [fill(S, i)]), *tree) == ["block"] * 3


def test_a_tree_in_a_warp_has_barriers_of_the_warp() -> None:
    def tree(warp: Nat) -> list[Statement]:
        def level(name: str, lanes: int, source: Buffer, to: Buffer) -> Statement:
            def pair(i: Nat) -> list[Statement]:
                low, high = (load(source, 32 * warp + 2 * i + n) for n in (0, 1))
                return [assign(to, 32 * warp + i, op("add", low, high))]

            return over("lane", name, lanes, pair)

        first = over("lane", "i", 32, lambda i: [fill(S, 32 * warp + i)])
        return [first, level("a", 16, S, T), level("b", 8, T, S), level("c", 4, S, T)]

    assert found(launch(warps=(4, 1, 1)), over("warp", "w", 4, tree)) == ["warp"] * 3
    # fewer warps than there are, or more: each only waits for its own lanes
    assert found(launch(warps=(4, 1, 1)), over("warp", "w", 3, tree)) == ["warp"] * 3
    assert found(launch(warps=(4, 1, 1)), over("warp", "w", 8, tree)) == ["warp"] * 3
    # a block of one warp
    assert found(launch(32), over("threads", "i", 32, lambda i: [fill(S, i), copy(T, i, S, 31 - i)])) == [
        "warp"
    ]


def test_a_stencil_has_a_barrier_before_it_reads() -> None:
    write = over("threads", "i", 64, lambda i: [copy(S, i, X, i)])
    read = over("threads", "j", 62, lambda j: [assign(Y, j, op("add", load(S, j), load(S, j + 2)))])
    assert lines(launch(64), write, read) == [
        "for i < 64 (threads 0)",
        "  s[i]",
        "barrier (block)",
        "for j < 62 (threads 0)",
        "  y[j]",
    ]


def test_elements_that_only_their_own_thread_reads_need_no_barrier() -> None:
    write = over("threads", "i", 300, lambda i: [fill(S, i)])  # several elements each
    read = over("threads", "j", 300, lambda j: [copy(T, j, S, j)])
    assert found(launch(64), write, read, over("threads", "l", 300, lambda i: [fill(T, i)])) == []

    def row(name: str) -> Statement:
        return over(
            "threads",
            f"{name}y",
            8,
            lambda y: [over("threads", f"{name}x", 8, lambda x: [fill(S, 8 * y + x)])],
            1,
        )

    assert found(launch(8, 8), row("a"), row("b")) == []


def test_the_barrier_is_before_a_loop_that_only_reads() -> None:
    write = over("threads", "i", 64, lambda i: [fill(S, i)])
    read = loop("k", 9, lambda k: [over("threads", "j", 64, lambda j: [copy(T, j, S, k)])])
    again = over("threads", "l", 64, lambda i: [fill(S, i)])
    assert lines(launch(64), write, read, again) == [
        "for i < 64 (threads 0)",
        "  s[i]",
        "barrier (block)",
        "for k < 9 (seq)",
        "  for j < 64 (threads 0)",
        "    t[j]",
        "for l < 64 (threads 0)",
        "  barrier (block)",
        "  s[l]",
    ]


def test_two_alternating_tiles_need_one_barrier_per_iteration() -> None:
    def step(k: Nat) -> list[Statement]:
        at = 64 * remainder(k, 2)
        write = over("threads", "i", 64, lambda i: [copy(S, at + i, X, 64 * k + i)])
        return [write, over("threads", "j", 64, lambda j: [copy(Y, 64 * k + j, S, at + 63 - j)])]

    made = place_barriers(kernel(launch(64), loop("k", 4, step)))
    assert scopes(made) == ["block"]
    assert race(run(made, S)) is None


def test_a_loop_that_may_not_run_does_not_replace_a_barrier() -> None:
    def inside(k: Nat) -> list[Statement]:
        return [
            over("threads", "a", 64, lambda i: [fill(T, i)]),
            over("threads", "b", 64, lambda i: [copy(U, i, T, 63 - i)]),
        ]

    write = over("threads", "i", 64, lambda i: [fill(S, i)])
    read = over("threads", "j", 64, lambda j: [copy(Y, j, S, 63 - j)])
    assert found(launch(64), write, loop("k", nat(N), inside), read) == ["block"] * 3
    assert found(launch(64), write, loop("k", nat(N) + 1, inside), read) == ["block"] * 2


def test_blocks_with_several_tiles_wait_between_them() -> None:
    def tile(b: Nat) -> list[Statement]:
        return [
            over("threads", "i", 64, lambda i: [copy(S, i, X, 64 * b + i)]),
            over("threads", "j", 64, lambda j: [copy(Y, 64 * b + j, S, 63 - j)]),
        ]

    once, many = launch(64, grid=nat(N)), launch(64, grid=7)
    assert found(once, over("block", "b", nat(N), tile)) == ["block"]
    assert found(many, over("block", "b", nat(N), tile)) == ["block"] * 2


def test_global_memory_that_a_block_writes_and_reads() -> None:
    z = array("z", nat(N) * 64)

    def tile(shift: int) -> Statement:
        return over(
            "block",
            "b",
            nat(N),
            lambda b: [
                over("threads", "i", 64, lambda i: [copy(z, 64 * b + i, X, i)]),
                over(
                    "threads", "j", 64, lambda j: [copy(Y, 64 * b + j, z, 64 * b + shift * (63 - 2 * j) + j)]
                ),
            ],
        )

    how = launch(64, grid=nat(N))
    assert found(how, tile(1)) == ["block"]
    assert found(how, tile(0)) == []
    only = over(
        "block", "c", nat(N), lambda b: [over("threads", "i", 64, lambda i: [fill(z, i), fill(z, 63 - i)])]
    )
    assert found(how, only) == []  # never read


def test_one_thread_stores_and_all_read() -> None:
    store = over("threads", "one", 1, lambda i: [fill(S, 0), copy(S, 1, S, 0)])
    assert found(launch(64), store, over("threads", "j", 64, lambda j: [copy(T, j, S, 1)])) == ["block"]
    assert found(launch(64), store, over("threads", "j", 1, lambda j: [copy(T, j, S, 1)])) == []


def test_elements_that_one_thread_stores_and_reads_need_no_barrier() -> None:
    s, out = array("s", N), array("out", 2 * nat(N))

    def stored_and_read(threads: int) -> list[str]:
        made = place_barriers(
            kernel(
                launch(256),
                over("threads", "i", 1, lambda i: [loop("n", nat(N), lambda n: [fill(s, n)])]),
                over(
                    "threads",
                    "j",
                    threads,
                    lambda j: [loop("n", nat(N), lambda n: [copy(out, n + N * j, s, n)])],
                ),
            )
        )
        assert race(run(made, s, sizes={N: 5})) is None
        return scopes(made)

    assert stored_and_read(1) == [] and stored_and_read(256) == ["block"]


def test_atomic_updates_need_no_barrier_between_them() -> None:
    def update(name: str) -> Statement:
        at = NatVar(f"at{name}", const(512))

        def body(i: Nat) -> Sequence[Statement]:
            return [
                DefineIndex(at, load(array("index"), i), (1,)),
                AtomicUpdate("add", S, nat(at), number(1.0), (2,)),
            ]

        return over("threads", name, 64, body)

    clear = over("threads", "i", 512, lambda i: [fill(S, i)])
    read = over("threads", "j", 512, lambda j: [copy(Y, j, S, j)])
    assert found(launch(64), clear, update("a"), update("b"), read) == ["block"] * 2


def test_each_thread_may_read_another_index() -> None:
    at = NatVar("at", None)  # thread 0 may have read 1, and thread 1 may have read 0: then both have S[1]

    def use(i: Nat, read: Nat) -> list[Statement]:
        where = DefineIndex(at, load(array("index"), read), (1,))
        return [where, fill(S, nat(at) + i), copy(T, i, S, nat(at) + i)]

    assert found(launch(64), over("threads", "i", 64, lambda i: use(i, const(7)))) == []  # the same for all
    assert found(launch(64), over("threads", "i", 64, lambda i: use(i, i))) == ["block"]


def fragment(role: str) -> Buffer:
    """A fragment in registers."""
    return Buffer(
        role, FragmentType(const(16), const(16), const(16), F32, role, "warp"), const(1), "Local", (1,)
    )


A, B, C = fragment("A"), fragment("B"), fragment("Accumulator")


def fragment_from(buffer: Buffer, index: Nat, to: Buffer = A) -> Statement:
    """A fragment loaded from rows of 16 numbers."""
    return LoadFragment(Piece(to, const(0)), Matrix(buffer, index, const(16), True), (3,))


def fragment_to(buffer: Buffer, index: Nat) -> Statement:
    """A fragment stored to rows of 16 numbers."""
    return StoreFragment(Matrix(buffer, index, const(16), True), Piece(C, const(0)), (4,))


def test_barriers_of_fragments_of_a_tile_that_all_threads_load() -> None:
    def step(k: Nat) -> list[Statement]:
        piece = Piece(A, const(0))
        return [
            over("threads", "i", 256, lambda i: [copy(S, i, X, 256 * k + i)]),
            over(
                "warp",
                "w",
                2,
                lambda w: [
                    fragment_from(S, const(0)),
                    MultiplyAdd(Piece(C, const(0)), piece, piece, Piece(C, const(0)), ()),
                ],
            ),
        ]

    made = place_barriers(kernel(launch(warps=(2, 1, 1)), loop("k", 3, step)))
    assert scopes(made) == ["block", "block"]
    assert race(run(made, S)) is None


def test_tiles_of_warps_need_only_barriers_of_the_warp() -> None:
    def warp(w: Nat) -> list[Statement]:
        def step(k: Nat) -> list[Statement]:
            load_tile = over(
                "lane", "l", 32, lambda l: [loop("r", 8, lambda r: [copy(S, 256 * w + 32 * r + l, X, k)])]
            )
            return [load_tile, fragment_from(S, 256 * w)]

        return [loop("k", nat(N), step)]

    assert found(launch(warps=(2, 1, 1)), over("warp", "w", 2, warp)) == ["warp", "warp"]


def test_barriers_of_results_that_are_staged_in_shared_memory() -> None:
    def warp(w: Nat) -> list[Statement]:
        out = over(
            "lane",
            "l",
            32,
            lambda l: [loop("r", 8, lambda r: [copy(Y, 256 * w + 32 * r + l, S, 256 * w + 32 * r + l)])],
        )
        return [fragment_to(S, 256 * w), out, fragment_to(S, 256 * w)]

    made = place_barriers(kernel(launch(warps=(2, 1, 1)), over("warp", "w", 2, warp)))
    assert scopes(made) == ["warp", "warp"]
    assert race(run(made, S)) is None


def test_a_barrier_for_conditional_statements_is_before_the_condition() -> None:
    """The condition is the same for all threads, so the barrier could be inside; but then a second one would be needed
    after it.
    """
    write = over("threads", "i", 64, lambda i: [fill(S, i)])
    read = over("threads", "j", 64, lambda j: [copy(T, j, S, 63 - j)])
    last = over("threads", "l", 64, lambda j: [copy(U, j, S, 63 - j)])
    condition = Condition(((const(3), nat(N)),))
    assert lines(launch(64), write, If(condition, Block((read,)), ()), last) == [
        "for i < 64 (threads 0)",
        "  s[i]",
        "barrier (block)",
        "if 3 < n",
        "  for j < 64 (threads 0)",
        "    t[j]",
        "for l < 64 (threads 0)",
        "  u[l]",
    ]


def test_barriers_may_be_under_conditions_that_are_the_same_for_all_threads() -> None:
    write = over("threads", "i", 64, lambda i: [fill(S, i)])
    read = over("threads", "j", 64, lambda j: [copy(T, j, S, 63 - j)])
    condition = Condition(((const(3), nat(N)),))
    assert lines(launch(64), If(condition, Block((write, read)), ())) == [
        "if 3 < n",
        "  for i < 64 (threads 0)",
        "    s[i]",
        "  for j < 64 (threads 0)",
        "    barrier (block)",
        "    t[j]",
    ]


def test_a_barrier_has_the_origin_of_what_needs_it() -> None:
    read = Assign(T, const(0), load(S, 63), True, (7, 7))
    made = place_barriers(
        kernel(
            launch(64),
            over("threads", "i", 64, lambda i: [fill(S, i)]),
            over("threads", "j", 1, lambda j: [read]),
        )
    )
    (barrier,) = [one for one in made.body.statements if isinstance(one, Barrier)]
    assert barrier.origin == (7, 7)


def test_known_cases_with_more_barriers_than_needed() -> None:
    # a barrier under a condition is assumed to be skipped, even if the condition holds whenever it matters
    write = over("threads", "i", 64, lambda i: [fill(S, i)])

    def step(k: Nat) -> list[Statement]:
        first = over("threads", "j", 64, lambda j: [copy(T, j, S, 63 - j)])
        return [
            If(Condition(((k, const(1)),)), Block((first,)), ()),
            over("threads", "l", 64, lambda j: [copy(Y, j, S, 63 - j)]),
        ]

    assert found(launch(64), write, loop("k", 2, step)) == ["block"]  # one before the loop serves both

    # alternating tiles, in a loop of unknown length
    def turn(k: Nat) -> list[Statement]:
        at = 64 * remainder(k, 2)
        return [
            over("threads", "i", 64, lambda i: [copy(S, at + i, X, i)]),
            over("threads", "j", 64, lambda j: [copy(Y, j, S, at + 63 - j)]),
        ]

    assert found(launch(64), loop("k", nat(N), turn)) == ["block"] * 2


def test_ragged_tiles() -> None:
    rows = minimum(const(16), nat(N))
    write = over("threads", "y", 16, lambda y: [loop("r", rows, lambda r: [fill(S, 16 * y + r)])])
    same = over("threads", "z", 16, lambda y: [loop("q", rows, lambda r: [copy(T, y, S, 16 * y + r)])])
    other = over("threads", "z", 16, lambda y: [loop("q", rows, lambda r: [copy(T, y, S, 16 * r + y)])])
    assert found(launch(16), write, same) == []
    assert found(launch(16), write, other) == ["warp"]


def test_vectors_of_a_temporary_count_as_one_element() -> None:
    quarter = over("threads", "j", 64, lambda j: [copy(T, j, S, floor_quotient(j, 4))])
    assert found(launch(64), over("threads", "i", 64, lambda i: [fill(S, i)]), quarter) == ["block"]


def test_columns_of_rows_of_open_length_are_apart() -> None:
    """The length of a row, n + 2, is a sum, so that an index such as (n + 2) i + j has two terms for the row."""

    def row(i: Nat) -> list[Statement]:
        start = i * (nat(N) + 2)
        border = over("threads", "j", nat(N) + 2, lambda j: [_only(j, const(1), copy(S, start + j, X, j))])
        inner = over("threads", "k", nat(N), lambda k: [copy(S, start + k + 1, X, k)])
        return [border, inner]

    assert found(launch(32, 8), over("threads", "i", nat(N), row, 1)) == []


def _only(less: Nat, more: Nat, statement: Statement) -> Statement:
    return If(Condition(((less, more),)), Block((statement,)), ())
