"""Asynchronous copies in kernels: which assignments become copies, and where they are waited for.

Independent of compilers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rise
import shine
from rise.naturals import NatVar, const, nat
from rise.terms import Expr
from rise.types import ScalarType
from shine.imperative.kernel_text import write_program
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Barrier,
    Block,
    Buffer,
    For,
    Level,
    Load,
    LoopKind,
    Statement,
)
from shine.imperative.text import write_block
from shine.passes.gpu import make_kernels
from shine.passes.gpu.await_copies import await_copies
from shine.passes.gpu.keep_copies import keep_copies
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from tests.examples import some

F32 = ScalarType("f32")
SHARED = "mapBlock(0, fun(tile => tile {} |> toMem(Shared) |> {}))"
MOVED = "split(8) |> transpose |> join |> mapThreads(0, fun(x => x))"


def lines(e: Expr) -> list[str]:
    """The kernels of a program as text, without the origins of loops."""
    made = make_kernels(translate(e, "kernel", GPU_LEVELS), "sm_80")
    return [one.strip() for one in write_program(made)[0].split("\n")]


def program(types: str, copied: str, read: str = MOVED, rows: int = 64) -> Expr:
    """Blocks that copy rows into shared memory, and read them in another order."""
    return rise.parse(f"fun(xs: {types} => xs |> split({rows}) |> {SHARED.format(copied, read)})").main


COPIES = {
    "numbers of 4 bytes": ("N.f32", "|> mapThreads(0, fun(x => globalToShared(x)))"),
    "numbers of 8 bytes": ("N.f64", "|> mapThreads(0, fun(x => globalToShared(x)))"),
    "several by each thread": (
        "N.i32",
        "|> split(4) |> mapThreads(0, mapSeq(fun(x => globalToShared(x)))) |> join",
    ),
    "an array that is written": ("N.f32", "|> mapThreads(0, fun(x => x)) |> globalToShared"),
    "zeros where nothing is": (
        "N.f32",
        "|> take(60) |> padCst(0, 4, 0.0) |> mapThreads(0, fun(x => globalToShared(x)))",
    ),
}
STORES = {
    "2 bytes": ("N.f16", "|> mapThreads(0, fun(x => globalToShared(x)))"),
    "computed": ("N.f32", "|> mapThreads(0, fun(x => globalToShared(x + 1.0)))"),
    "computed from the value": ("N.f32", "|> mapThreads(0, fun(x => globalToShared(x) + 1.0))"),
    "converted": ("N.i32", "|> mapThreads(0, fun(x => globalToShared(cast{f32}(x))))"),
    "other than zeros": (
        "N.f32",
        "|> take(60) |> padCst(0, 4, 1.0) |> mapThreads(0, fun(x => globalToShared(x)))",
    ),
    "minus zeros": (
        "N.f32",
        "|> take(60) |> padCst(0, 4, neg(0.0)) |> mapThreads(0, fun(x => globalToShared(x)))",
    ),
    "from shared memory": (
        "N.f32",
        "|> mapThreads(0, fun(x => x)) |> toMem(Shared) |> mapThreads(0, fun(x => globalToShared(x)))",
    ),
    "an array that is only read": ("N.f32", "|> globalToShared |> mapThreads(0, fun(x => x))"),
}


@pytest.mark.parametrize("name", COPIES)
def test_assignments_that_hardware_supports_are_copies(name: str) -> None:
    """There is one wait, just before the barrier."""
    found = lines(program(*COPIES[name]))
    assert any("<~" in one for one in found)
    assert found.count("await copies") == 1
    assert (
        found[found.index("await copies") + 1 :][:1] == ["barrier (block)"]
        or "for" in found[found.index("await copies") + 1]
    )


@pytest.mark.parametrize("name", STORES)
def test_other_assignments_are_stores(name: str) -> None:
    found = lines(program(*STORES[name]))
    assert not any("<~" in one or one == "await copies" for one in found)


@pytest.mark.parametrize("name", some([*COPIES, *STORES], 5))
def test_the_results_are_the_same_with_and_without_copies(name: str, cache: Path) -> None:
    e = program(*(COPIES | STORES)[name])
    at = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32}
    (scalar,) = [one for one in at if f"N.{one}" in str(e.type).partition("->")[2].partition("->")[0]]
    xs = np.arange(1, 129).astype(at[scalar])
    expected = rise.evaluate(e, xs)
    kernel = shine.compile(e, target="cuda-sim", check=True, cache=str(cache))
    np.testing.assert_array_equal(kernel(xs), expected)


@pytest.mark.parametrize(
    ("scalar", "count", "is_copied"),
    [
        ("f16", 8, True),
        ("f16", 4, True),
        ("f16", 2, True),
        ("f32", 2, True),
        ("i8", 2, False),
        ("f64", 4, False),
    ],
)
def test_vectors_are_one_copy_of_4_8_or_16_bytes(scalar: str, count: int, is_copied: bool) -> None:
    copied = f"|> asVectorAligned({count}) |> mapThreads(0, fun(x => globalToShared(x))) |> asScalar"
    found = lines(program(f"N.{scalar}", copied))
    assert any("<~" in one and f"{count} lanes" in one for one in found) == is_copied


def test_vectors_of_unknown_alignment_are_stored() -> None:
    copied = "|> drop(1) |> padCst(0, 1, 0.0) |> asVector(4) |> mapThreads(0, fun(x => globalToShared(x))) |> asScalar"
    assert not any("<~" in one for one in lines(program("N.f32", copied)))


def test_both_parts_of_pairs_are_copied() -> None:
    found = lines(program("N.(f32, i32)", "|> mapThreads(0, fun(x => globalToShared(x)))"))
    assert sum("<~" in one for one in found) == 2
    assert found.count("await copies") == 1


@pytest.mark.parametrize("target", ["interpret", "openmp"])
def test_other_targets_do_not_copy_asynchronously(target: str, tmp_path: Path) -> None:
    e = rise.parse("fun(xs: N.f32 => xs |> mapSeq(fun(x => globalToShared(x * 2.0))) |> globalToShared)").main
    cache = {} if target == "interpret" else {"cache": str(tmp_path)}
    xs = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(shine.compile(e, target=target, **cache)(xs), xs * 2)


# Kernels by hand: `x` is in global memory, `a` and `b` are shared, each has 64 floats; there are 64 threads.
X = Buffer("x", F32, const(64), "Global", ())
A, B = (Buffer(name, F32, const(64), "Shared", ()) for name in "ab")
OUT = Buffer("out", F32, const(4096), "Global", ())
T, K = NatVar("t", const(64)), NatVar("k", const(64))
BLOCK = Barrier("block", ())
WARP = Barrier("warp", ())


def copy(to: Buffer, at: NatVar | int = T) -> Assign:
    return Assign(to, nat(at), Load(X, nat(at), 1, True, F32), True, (), True)


def use(of: Buffer, at: NatVar | int = T) -> Assign:
    return Assign(OUT, nat(at), Load(of, nat(at), 1, True, F32), True, ())


def by_threads(*statements: Statement) -> For:
    return loop(Level("threads", 0), T, *statements)


def loop(kind: LoopKind, index: NatVar, *statements: Statement) -> For:
    return For(index, const(64), kind, Block(statements), ())


def waits(*statements: Statement) -> str:
    """A kernel with its waits as text, a line per statement: copies to a and b, uses of them, barriers, waits."""
    launch = Launch((const(1),) * 3, (64, 1, 1))
    arrays = (Allocate(A, ()), Allocate(B, ()))
    made = await_copies(keep_copies(GpuKernel("kernel", launch, Block((*arrays, *statements)))))
    assert await_copies(made) == made
    words = []
    for text, _ in write_block(made.body):
        word = text.strip()
        if not word.startswith("new"):
            indent = (len(text) - len(text.lstrip())) // 2
            words.append("  " * indent + word)
    return "\n".join(words)


def places(text: str) -> list[str]:
    """The line after each wait."""
    words = [one.strip() for one in text.split("\n")] + ["end"]
    return [words[i + 1] for i, one in enumerate(words) if one == "await copies"]


def test_two_copies_are_waited_for_once() -> None:
    text = waits(by_threads(copy(A)), by_threads(copy(B)), BLOCK, by_threads(use(A, 3), use(B, 5)))
    assert text.count("await copies") == 1
    assert places(text) == ["barrier (block)"]


def test_waits_are_after_barriers_for_other_arrays() -> None:
    """The wait is before the last barrier before the readers."""
    text = waits(by_threads(copy(A)), BLOCK, by_threads(use(B)), BLOCK, by_threads(use(A, 3)))
    words = text.split("\n")
    assert words.index("await copies") == len(words) - 4
    assert words[words.index("await copies") + 1] == "barrier (block)"


def test_a_barrier_of_a_warp_does_not_replace_one_of_the_block() -> None:
    text = waits(by_threads(copy(A)), BLOCK, WARP, by_threads(use(A, 3)))
    assert places(text) == ["barrier (block)"]
    assert places(waits(by_threads(copy(A)), WARP, by_threads(use(A, 3)))) == ["barrier (warp)"]


def test_a_thread_waits_for_its_own_copy() -> None:
    assert places(waits(by_threads(copy(A), use(A)))) == ["out[t] := a[t]"]
    assert places(waits(by_threads(copy(A)), by_threads(use(A)))) == ["for t < 64 (threads 0)"]


def test_copies_of_other_elements_are_not_waited_for() -> None:
    text = waits(by_threads(copy(A, 3), use(A, 5)), BLOCK, by_threads(use(A, 3)))
    assert places(text) == ["barrier (block)"]


def test_copies_of_all_iterations_are_in_flight_together() -> None:
    text = waits(loop("seq", K, copy(A, K)), BLOCK, by_threads(use(A)))
    assert places(text) == ["barrier (block)"]


def test_copies_are_complete_before_the_next_iteration_uses_them() -> None:
    """The same element is copied again, or read before the barrier."""
    assert places(waits(loop("seq", K, copy(A, 3)))) == ["end"]
    text = waits(loop("seq", K, by_threads(use(A)), BLOCK, by_threads(copy(A)), BLOCK))
    assert places(text) == ["barrier (block)"]


def test_the_wait_is_before_a_loop_that_reads_the_copies() -> None:
    text = waits(by_threads(copy(A)), loop("seq", K, BLOCK, by_threads(use(A, 3)), BLOCK))
    assert places(text) == ["for k < 64 (seq)"]


def test_a_copy_that_is_never_read_is_waited_for_at_the_end() -> None:
    assert places(waits(by_threads(copy(A)))) == ["end"]


def test_threads_with_several_iterations_wait_once() -> None:
    """Whether their iterations copy different elements or the same one."""
    many = NatVar("t", const(256))
    wide = Buffer("a", F32, const(256), "Shared", ())
    source = Buffer("x", F32, const(256), "Global", ())
    value = Load(source, nat(many), 1, True, F32)

    def kernel(at: NatVar | int) -> str:
        turns = For(
            many, const(256), Level("threads", 0), Block((Assign(wide, nat(at), value, True, (), True),)), ()
        )
        return waits(turns, BLOCK, by_threads(use(wide, 3)))

    assert places(kernel(many)) == ["barrier (block)"]
    assert places(kernel(7)) == ["barrier (block)"]


def test_a_source_that_the_kernel_changes_is_not_copied_asynchronously() -> None:
    change = Assign(X, nat(T), Load(B, nat(T), 1, True, F32), True, ())
    assert "<~" not in waits(by_threads(copy(A)), BLOCK, by_threads(change))


def test_an_array_that_nothing_writes_is_one_diagnostic() -> None:
    with pytest.raises(rise.RiseError) as error:
        lines(program("N.f32", "|> globalToShared"))
    assert str(error.value).split("\n") == [
        "error[not-written]: expected an expression that writes its result, found an array that is in memory, which is "
        "only read",
        "note: in tile",
        "hint: copy it: `mapSeq(id)`, or `mapPar(mapSeq(id))` for rows",
    ]


def test_a_check_build_tests_both_places() -> None:
    e = program(*COPIES["numbers of 4 bytes"])
    made = make_kernels(translate(e, "kernel", GPU_LEVELS), "sm_80")
    (line,) = [one for one in print_program(made, "sm_80", False, True).source.split("\n") if "memcpy" in one]
    assert line.count("within") == 2
