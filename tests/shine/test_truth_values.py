"""A caller's Booleans may be any bytes, which numpy may have in views, files and mapped memory: all but 0 are true.

Results are 0 or 1, and equal numpy's for the same arrays. Tested on every executor, with and without checks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from rise import Foreign
from rise.values import leaves
from tests.examples import some

BYTES: Final = np.array([2, 1, 0, 255, 128, 0, 3, 1, 0, 64, 2, 0], np.uint8)
RAW: Final = BYTES.view(np.bool_)
TRUE: Final = BYTES != 0
NUMBERS: Final = np.arange(12, dtype=np.float32)
COUNT: Final = "map(fun(x => if x then 1 else 0)) |> reduce(add, 0)"
TARGETS: Final = ("interpret", "openmp", "cuda-sim")
BUILDS: Final = (
    ("interpret", None),
    ("openmp", False),
    ("openmp", True),
    ("cuda-sim", True),
    ("cuda-sim", False),
)

#: programs, their arguments, and the results by numpy
CASES: Final[dict[str, tuple[str, tuple[Any, ...], Any]]] = {
    "a sum": (f"fun(xs: N.bool => xs |> {COUNT})", (RAW,), TRUE.sum()),
    "not": ("fun(xs: N.bool => xs |> map(not))", (RAW,), ~TRUE),
    "and": (
        "fun(xs: N.bool, ys: N.bool => zip(xs, ys) |> map(and))",
        (RAW, RAW[::-1].copy()),
        TRUE & TRUE[::-1],
    ),
    "a copy": ("fun(xs: N.bool => xs)", (RAW,), TRUE),
    "a copy backwards": ("fun(xs: N.bool => xs |> reorder(fromEnd, fromEnd))", (RAW,), TRUE[::-1]),
    "rows": (f"fun(xs: N.M.bool => xs |> map(fun(row => row |> {COUNT})))", (RAW.reshape(3, 4),), [3, 3, 2]),
    "not contiguous": (f"fun(xs: N.bool => xs |> {COUNT})", (RAW[::2],), TRUE[::2].sum()),
    "choices": (
        "fun(cs: N.bool, xs: N.f32 => zip(cs, xs) |> map(fun(c, x => if c then x else 0.0)))",
        (RAW, NUMBERS),
        np.where(TRUE, NUMBERS, 0),
    ),
    "pairs": (
        "fun(ps: N.(bool, f32) => ps |> map(fun(p => pair(fst(p), if fst(p) then snd(p) else 0.0))))",
        ((RAW, NUMBERS),),
        (TRUE, np.where(TRUE, NUMBERS, 0)),
    ),
    "vectors": ("fun(xs: N.vec[4, bool] => xs)", (RAW.reshape(3, 4),), TRUE.reshape(3, 4)),
    "vectors in pairs": (
        "fun(ps: N.(vec[4, bool], f32) => ps |> map(fst))",
        ((RAW.reshape(3, 4), NUMBERS[:3]),),
        TRUE.reshape(3, 4),
    ),
    "a number": (
        "fun(c: bool, xs: N.f32 => xs |> map(fun(x => if c then x + 1.0 else x)))",
        (np.array(2, np.uint8).view(np.bool_), NUMBERS),
        NUMBERS + 1,
    ),
    "a number and nothing else": ("fun(c: bool => c)", (np.array(2, np.uint8).view(np.bool_),), True),
    "rows of different lengths": (
        f"fun(xs: N..(i |-> (i + 1).bool) => xs |> depMap(fun(i: nat, row => row |> {COUNT})))",
        ([RAW[:1].copy(), RAW[1:3].copy(), RAW[3:6].copy()],),
        [1, 1, 2],
    ),
    "windows": (f"fun(xs: (N+2).bool => xs |> slide(3, 1) |> map(fun(w => w |> {COUNT})))", (RAW,), None),
}


def same(found: Any, wanted: Any) -> bool:
    """Whether values are equal, and all Booleans are 0 or 1."""
    both = zip(leaves(found), leaves(wanted) if isinstance(wanted, tuple) else [wanted], strict=True)
    return all(
        np.array_equal(one, other) and (one.dtype != np.bool_ or (one.view(np.uint8) <= 1).all())
        for one, other in both
    )


@pytest.mark.parametrize(("turn", "name"), some(list(enumerate(CASES)), 2))
def test_any_byte_but_0_is_true(turn: int, name: str) -> None:
    text, given, wanted = CASES[name]
    main = rise.parse(text).main
    meant = rise.evaluate(main, *given)
    assert same(meant, meant if wanted is None else wanted)
    for target, check in some(BUILDS, len(BUILDS), first=turn):
        lowered = strategies.load(shine.TARGETS[target].strategy)(main).program
        kernel = shine.compile(lowered, target=target, **({} if check is None else {"check": check}))
        assert same(kernel(*given), meant), (target, check)


@pytest.mark.parametrize("target", TARGETS)
def test_foreign_functions_get_0_or_1(target: str) -> None:
    foreign = Foreign(
        "as_number",
        "bool -> i32",
        lambda x: np.int32(np.asarray(x).view(np.uint8)),
        "static inline int32_t as_number(bool x) { return x; }",
        "__device__ int as_number(bool x) { return x; }",
    )
    main = rise.parse(
        "foreign as_number : bool -> i32\nval main = fun(xs: N.bool => xs |> map(as_number))"
    ).main
    lowered = strategies.load(shine.TARGETS[target].strategy)(main).program
    assert rise.evaluate(main, RAW, foreign=[foreign]).tolist() == TRUE.tolist()
    assert shine.compile(lowered, target=target, foreign=[foreign])(RAW).tolist() == TRUE.tolist()


@pytest.mark.parametrize("target", TARGETS)
def test_out_contains_0_and_1(target: str) -> None:
    main = rise.parse("fun(xs: N.bool => xs |> map(not))").main
    lowered = strategies.load(shine.TARGETS[target].strategy)(main).program
    out = np.full(12, 7, np.uint8).view(np.bool_)
    shine.compile(lowered, target=target)(RAW, out=out)
    assert same(out, ~TRUE)


def test_booleans_are_not_copied_as_bytes_into_shared_memory(tmp_path: Path) -> None:
    low = rise.parse(
        "fun(xs: N.vec[4, bool] => xs |> split(4) |> mapBlock(0, fun(tile => tile |> mapThreads(0, fun(x => "
        "globalToShared(x))) |> toMem(Shared) |> mapThreads(0, fun(x => x)))) |> join)"
    ).main
    raw = np.resize(BYTES, (8, 4)).view(np.bool_)
    found = shine.compile(low, target="cuda-sim", check=True, cache=str(tmp_path))(raw)
    assert same(found, np.resize(TRUE, (8, 4)))


def test_the_arrays_of_a_caller_are_read_as_bytes_in_kernels() -> None:
    low = strategies.load("strategies.gpu:blocksAndThreads")(
        rise.parse("fun(xs: N.bool => xs |> map(not))").main
    ).program
    source = shine.compile(low, target="cuda-sim").source
    assert "const unsigned char* __restrict__ xs" in source and "bool* __restrict__ output" in source
    assert "!(xs[" in source and "] != 0)" in source
